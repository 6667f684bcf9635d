// Command genman writes a manual page for each command of gitlet, from its declarations.
package main

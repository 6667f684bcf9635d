// Command gitlet keeps agents that work on one git repository from stepping on each
// other. Run gitlet --help for what it can do.
package main

import (
	"os"

	"gitlet/internal/app"
)

func main() { os.Exit(app.Main()) }

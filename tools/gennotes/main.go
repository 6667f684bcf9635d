// Command gennotes writes docs/notes.md from the rules. It is run by go generate.
package main

import (
	"flag"
	"fmt"
	"os"

	"gitlet/internal/rules"
)

func main() {
	out := flag.String("o", "docs/notes.md", "the file to write")
	flag.Parse()
	if err := os.WriteFile(*out, rules.Markdown(), 0o644); err != nil {
		fmt.Fprintf(os.Stderr, "gennotes: write %q: %v\n", *out, err)
		os.Exit(1)
	}
}

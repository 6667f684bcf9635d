// Command gennotes writes docs/notes.md from the rules and the verb table. It is run by go generate.
package main

import (
	"flag"
	"fmt"
	"os"

	"gitlet/internal/rules"
	"gitlet/internal/verb"
	"gitlet/internal/verbs"
)

func main() {
	out := flag.String("o", "docs/notes.md", "the file to write")
	flag.Parse()
	table := verbs.Table()
	built := func(name string) bool {
		v, ok := verb.Find(table, name)
		return ok && v.Built
	}
	if err := os.WriteFile(*out, rules.Markdown(built), 0o644); err != nil {
		fmt.Fprintf(os.Stderr, "gennotes: write %q: %v\n", *out, err)
		os.Exit(1)
	}
}

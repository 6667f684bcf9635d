// Command gensettings writes docs/settings.md from the declared settings.
//
//	go run ./tools/gensettings
package main

import (
	"flag"
	"fmt"
	"os"

	"gitlet/internal/config"
)

func main() {
	out := flag.String("o", "docs/settings.md", "file to write")
	flag.Parse()
	if err := os.WriteFile(*out, []byte(config.Markdown()), 0o644); err != nil {
		fmt.Fprintln(os.Stderr, "gensettings:", err)
		os.Exit(1)
	}
}

package main

//go:generate go run . -markdown ../../docs/commands.md

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"gitlet/internal/app"
	"gitlet/internal/cli"
)

func main() {
	version := flag.String("version", "devel", "the version in the footer")
	markdown := flag.String("markdown", "", "write one page of Markdown to this file instead")
	flag.Parse()
	if *markdown != "" {
		if err := os.WriteFile(*markdown, []byte(cli.Markdown(app.New(*version))), 0o644); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "usage: genman [-version V] DIR")
		os.Exit(2)
	}
	if err := write(flag.Arg(0), *version); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func write(dir, version string) error {
	for _, p := range cli.Pages(app.New(version)) {
		file := strings.ReplaceAll(strings.TrimSpace("gitlet "+p.Name), " ", "-")
		if err := os.WriteFile(filepath.Join(dir, file+".1"), page(file, p.Summary, version, p.Text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// page makes a manual page: the name, and what the command says of itself as it stands.
func page(file, summary, version, text string) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, ".TH %s 1 \"\" \"gitlet %s\" \"gitlet\"\n", strings.ToUpper(file), version)
	fmt.Fprintf(&b, ".SH NAME\n%s \\- %s\n.SH DESCRIPTION\n.nf\n", escape(file), escape(summary))
	for line := range strings.Lines(text) {
		line = escape(strings.TrimRight(line, "\n"))
		if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
			line = `\&` + line
		}
		b.WriteString(line + "\n")
	}
	b.WriteString(".fi\n")
	if file != "gitlet" {
		b.WriteString(".SH SEE ALSO\n.BR gitlet (1)\n")
	}
	return b.Bytes()
}

func escape(s string) string {
	return strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(s)
}

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"

	"gitlet/internal/lang"
	"gitlet/internal/model"
	"gitlet/internal/symbols"
)

// reader is another program's view of one language.
type reader struct {
	name string
	// read answers for every file.
	read func(ctx context.Context, files []string) (map[string]Reading, error)
	// lacks are the kinds this reader never reports, so gitlet's are left out.
	lacks map[string]bool
	// bare compares names without their containers.
	bare bool
	// explain says in a few words why the readers differ over d; nil for no say.
	explain func(path string, d Definition) string
}

// readers are those that a language is compared with.
func readers(o options, l *lang.Language) []reader {
	switch l.Name {
	case "go":
		return []reader{{name: "go/parser", read: readGo}}
	case "python":
		return []reader{{name: "Python ast", read: func(ctx context.Context, files []string) (map[string]Reading, error) {
			return runScript(ctx, files, "", o.python, "-W", "ignore", "-c", pythonScript)
		}}}
	case "typescript", "tsx", "javascript":
		return []reader{{name: "TypeScript compiler", read: func(ctx context.Context, files []string) (map[string]Reading, error) {
			return runScript(ctx, files, o.typescript, o.node, "--max-old-space-size=4096", "-e", ecmascriptScript)
		}}}
	case "rust":
		return []reader{
			{name: "ctags", lacks: map[string]bool{"const": true}, bare: true, explain: explainRust,
				read: func(ctx context.Context, files []string) (map[string]Reading, error) {
					return readCtags(ctx, o.ctags, files)
				}},
			{name: "item scanner", read: readRustItems, bare: true},
		}
	}
	return nil
}

// Reading is what a reader says of one file.
type Reading struct {
	Path string `json:"path"`
	// Error is set when the reader calls the file broken. Level is set when gitlet
	// gives no definitions at all.
	Error string       `json:"error,omitempty"`
	Level bool         `json:"-"`
	Defs  []Definition `json:"defs"`
}

// Definition is one definition as readers agree to spell it: the name with its
// containers, and "@set", "@setter" or "@deleter" for such accessors.
type Definition struct {
	Name string `json:"name"`
	Kind string `json:"kind"`
	// Line is where the name stands; gitlet's definitions cover Line to End.
	Line int `json:"line"`
	End  int `json:"-"`
	// Params counts parameters, receivers aside; -1 for what has none to count.
	Params int `json:"params"`
	// Extra marks what is no definition by the list that every reader follows, but
	// may well be one: it confirms gitlet's, and is not missed when gitlet has none.
	Extra bool `json:"extra,omitempty"`
}

var duplicate = regexp.MustCompile(`#\d+$`)

// readGitlet is gitlet's own reading of a file.
func readGitlet(l *lang.Language, path string) (Reading, error) {
	src, err := os.ReadFile(path)
	if err != nil {
		return Reading{}, fmt.Errorf("read %q: %w", path, err)
	}
	r := Reading{Path: path}
	f, err := symbols.Extract(l, src, symbols.DefaultLimits)
	if err != nil {
		r.Error, r.Level = err.Error(), true
		return r, nil
	}
	if f.HasErrors {
		r.Error = "syntax error"
	}
	for _, s := range f.Symbols {
		d := Definition{
			Name: duplicate.ReplaceAllString(s.Qualified, ""), Kind: string(s.Kind),
			Line: s.StartLine, End: s.EndLine, Params: -1,
		}
		if s.Kind == model.KindFunction || s.Kind == model.KindMethod {
			d.Params = len(s.Params)
		}
		if l.Name == "rust" {
			d.Name, _, _ = strings.Cut(d.Name, "@")
		}
		r.Defs = append(r.Defs, d)
	}
	return r, nil
}

// runScript gives the files to a program, one JSON string a line, and takes one
// reading a line back. A program that finds its libraries in a folder is run there.
func runScript(ctx context.Context, files []string, dir, name string, args ...string) (map[string]Reading, error) {
	var in bytes.Buffer
	enc := json.NewEncoder(&in)
	for _, f := range files {
		if err := enc.Encode(f); err != nil {
			return nil, err
		}
	}
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Stdin, cmd.Stderr = &in, os.Stderr
	cmd.Env = append(os.Environ(), "DIFFSYMS_LIBRARY="+dir)
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("run %s: %w", name, err)
	}
	return decodeReadings(bytes.NewReader(out))
}

func decodeReadings(r io.Reader) (map[string]Reading, error) {
	out := map[string]Reading{}
	dec := json.NewDecoder(r)
	for {
		var one Reading
		err := dec.Decode(&one)
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return nil, fmt.Errorf("decode a reading: %w", err)
		}
		out[one.Path] = one
	}
}

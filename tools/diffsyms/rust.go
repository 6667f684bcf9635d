package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
)

// ctagsKinds are the kinds of universal-ctags that have a counterpart.
var ctagsKinds = map[string]string{
	"function": "function", "method": "method", "struct": "struct", "enum": "enum",
	"interface": "trait", "typedef": "type", "variable": "var",
}

// ctag is one line of ctags' JSON output.
type ctag struct {
	Name, Path, Kind, Scope, ScopeKind, Signature string
	Line                                          int
}

// readCtags reads Rust files with universal-ctags, which has no notion of a broken file.
func readCtags(ctx context.Context, program string, files []string) (map[string]Reading, error) {
	cmd := exec.CommandContext(ctx, program, "--options=NONE", "--language-force=Rust", "--sort=no",
		"--output-format=json", "--fields=+nSKs", "--kinds-Rust=*", "-L", "-", "-o", "-")
	cmd.Stdin = strings.NewReader(strings.Join(files, "\n") + "\n")
	cmd.Stderr = os.Stderr
	raw, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("run %s: %w", program, err)
	}
	tags := map[string][]ctag{}
	lines := bufio.NewScanner(bytes.NewReader(raw))
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var t ctag
		if err := json.Unmarshal(lines.Bytes(), &t); err != nil {
			return nil, fmt.Errorf("decode a tag: %w", err)
		}
		tags[t.Path] = append(tags[t.Path], t)
	}
	out := make(map[string]Reading, len(files))
	for _, f := range files {
		src, err := os.ReadFile(f)
		if err != nil {
			return nil, fmt.Errorf("read %q: %w", f, err)
		}
		out[f] = Reading{Path: f, Defs: ctagsDefs(tags[f], strings.Split(string(src), "\n"))}
	}
	return out, nil
}

// ctagsDefs turns tags into definitions: without those inside functions and test
// modules, whose attribute ctags does not report.
func ctagsDefs(tags []ctag, src []string) []Definition {
	tests := map[string]bool{}
	for _, t := range tags {
		if t.Kind == "module" && testOnly(src, t.Line) {
			tests[scoped(t)] = true
		}
	}
	var out []Definition
	for _, t := range tags {
		kind := ctagsKinds[t.Kind]
		if kind == "" || t.ScopeKind == "function" || t.ScopeKind == "method" || insideTest(t.Scope, tests) {
			continue
		}
		d := Definition{Name: t.Name, Kind: kind, Line: t.Line, Params: -1}
		if t.ScopeKind == "implementation" || t.ScopeKind == "interface" {
			if kind == "function" {
				d.Kind = "method"
			}
		}
		if t.Signature != "" {
			d.Params = rustParamCount(t.Signature)
		}
		out = append(out, d)
	}
	return out
}

func scoped(t ctag) string {
	if t.Scope == "" {
		return t.Name
	}
	return t.Scope + "::" + t.Name
}

func insideTest(scope string, tests map[string]bool) bool {
	for scope != "" {
		if tests[scope] {
			return true
		}
		i := strings.LastIndex(scope, "::")
		if i < 0 {
			return false
		}
		scope = scope[:i]
	}
	return false
}

// testOnly reports whether the attributes above a line keep its item to tests.
func testOnly(src []string, line int) bool {
	for i := line - 2; i >= 0; i-- {
		s := strings.TrimSpace(src[i])
		if s == "" || strings.HasPrefix(s, "//") {
			continue
		}
		if !strings.HasPrefix(s, "#[") {
			return false
		}
		if testAttribute(s) {
			return true
		}
	}
	return false
}

// testAttribute reports whether an attribute is cfg(test) or a cfg(all(...)) with test in it.
func testAttribute(s string) bool {
	s = strings.Join(strings.Fields(s), "")
	if strings.HasPrefix(s, "#[cfg(test)]") {
		return true
	}
	rest, ok := strings.CutPrefix(s, "#[cfg(all(")
	if !ok {
		return false
	}
	depth, start := 0, 0
	for i := 0; i < len(rest); i++ {
		switch rest[i] {
		case '(':
			depth++
		case ')', ',':
			if depth == 0 {
				if rest[start:i] == "test" {
					return true
				}
				start = i + 1
			}
			if rest[i] == ')' {
				depth--
			}
		}
		if depth < 0 {
			return false
		}
	}
	return false
}

// rustParamCount counts the parameters in a signature such as "(&self, a: u8) -> u8";
// the receiver is none.
func rustParamCount(sig string) int {
	toks, _ := lexRust(sig)
	s := rustScanner{toks: toks}
	s.angles()
	if s.peek(0) != "(" {
		return -1
	}
	return countParams(s.toks[s.at:])
}

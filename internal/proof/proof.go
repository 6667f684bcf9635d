package proof

import (
	"bytes"
	"fmt"
	"sort"
	"strings"

	"gitlet/internal/footprint"
	"gitlet/internal/pattern"
	"gitlet/internal/symbols"
)

// Side is one version of a file; Absent where it has none.
type Side struct {
	Path   string
	Text   []byte
	Absent bool
	// Blob is what the cache given to Check knows the version by; "" for nothing.
	Blob string
}

// Merge is one file that was merged.
type Merge struct {
	Base, Ours, Theirs, Result Side
}

// Kind is what is wrong with a result.
type Kind string

// The kinds.
const (
	Unreadable Kind = "unreadable" // it parses worse than both sides
	Lost       Kind = "lost"       // a definition of one side that the other did not remove
	Doubled    Kind = "doubled"    // a definition stands there twice
	Markers    Kind = "markers"    // conflict markers are left
)

// Problem is one thing wrong with the merge of one file.
type Problem struct {
	Path string `json:"path"`
	Kind Kind   `json:"kind"`
	Name string `json:"name,omitempty"` // the definition
	Text string `json:"text"`           // in words
}

// Check says what is wrong with the merge of a file; nothing where the result is gone, or
// in a language that is not read, conflict markers aside.
func Check(m Merge, cache *symbols.Cache) []Problem {
	if m.Result.Absent || bytes.Equal(m.Ours.Text, m.Theirs.Text) && bytes.Equal(m.Result.Text, m.Ours.Text) {
		return nil
	}
	// A result that is one side can only have lost what the other side added.
	oneSide := bytes.Equal(m.Result.Text, m.Ours.Text) || bytes.Equal(m.Result.Text, m.Theirs.Text)
	var out []Problem
	add := func(k Kind, name, format string, args ...any) {
		out = append(out, Problem{Path: m.Result.Path, Kind: k, Name: name, Text: fmt.Sprintf(format, args...)})
	}
	if !oneSide && HasMarkers(m.Result.Text) && !HasMarkers(m.Ours.Text) && !HasMarkers(m.Theirs.Text) {
		add(Markers, "", "conflict markers are left in %s", m.Result.Path)
	}
	result := read(m.Result, cache)
	base, ours, theirs := read(m.Base, cache), read(m.Ours, cache), read(m.Theirs, cache)
	if result.lang == "" {
		return out
	}
	sidesRead := (m.Ours.Absent || ours.parsed) && (m.Theirs.Absent || theirs.parsed)
	switch {
	case !sidesRead:
		return out // nothing to compare with
	case oneSide:
	case !result.parsed:
		add(Unreadable, "", "%s can no longer be read: %s", m.Result.Path, result.reason)
		return out
	case result.errors && !ours.errors && !theirs.errors:
		add(Unreadable, "", "%s has %s that neither side had", m.Result.Path, result.reason)
	}
	for _, name := range names(ours.names, theirs.names) {
		in, o, t, b := result.names[name], ours.names[name], theirs.names[name], base.names[name]
		removed := b > 0 && (o == 0 || t == 0)
		for _, side := range []facts{ours, theirs} {
			// A field goes with its type, of which it is said.
			removed = removed || side.owners[name] != "" && result.names[side.owners[name]] == 0
		}
		if in == 0 && !removed {
			who := "your side has"
			if o == 0 {
				who = "the other side has"
			} else if t > 0 {
				who = "both sides have"
			}
			add(Lost, name, "%s:%s is lost, which %s", m.Result.Path, name, who)
		}
		if in > 1 && o <= 1 && t <= 1 && !repeats(result.lang, name) {
			add(Doubled, name, "%s:%s is there %d times", m.Result.Path, name, in)
		}
	}
	return out
}

type facts struct {
	lang, reason   string
	parsed, errors bool
	names          map[string]int    // how often each definition stands there, fields of types among them
	owners         map[string]string // the type of each field
}

var suffix = pattern.New(`#[0-9]+$`)

func read(s Side, cache *symbols.Cache) facts {
	out := facts{names: map[string]int{}, owners: map[string]string{}}
	if s.Absent {
		return out
	}
	f := footprint.File(s.Path, s.Blob, func() ([]byte, error) { return s.Text, nil }, cache, nil)
	out.lang, out.reason, out.parsed = f.Lang, f.Reason, f.Parsed
	out.errors = f.Parsed && f.Reason != ""
	fields := map[string]int{}
	for _, sym := range f.Symbols {
		name := suffix.ReplaceAllString(sym.Qualified, "")
		out.names[name]++
		for _, m := range sym.Members {
			switch {
			case m.Name == "" || m.Name == "_":
			case m.Kind == "field" || m.Kind == "attr" || m.Kind == "variant":
				fields[name+"."+m.Name]++
				out.owners[name+"."+m.Name] = name
			}
		}
	}
	for name, n := range fields {
		if out.names[name] == 0 { // else it is a definition of its own
			out.names[name] = n
		}
	}
	return out
}

func names(a, b map[string]int) []string {
	all := map[string]bool{}
	for n := range a {
		all[n] = true
	}
	for n := range b {
		all[n] = true
	}
	out := make([]string, 0, len(all))
	for n := range all {
		out = append(out, n)
	}
	sort.Strings(out)
	return out
}

// repeats reports whether a language allows the name several times in one file.
func repeats(lang, name string) bool {
	return lang == "go" && (name == "init" || name == "_")
}

// HasMarkers reports whether a text holds a whole conflict as git writes it: the two outer
// markers with the divider between them, each at the start of a line.
func HasMarkers(text []byte) bool {
	state := 0
	for line := range bytes.Lines(text) {
		l := strings.TrimRight(string(line), "\r\n")
		switch {
		case marker(l, "<<<<<<<"):
			state = 1
		case state == 1 && l == "=======":
			state = 2
		case state == 2 && marker(l, ">>>>>>>"):
			return true
		}
	}
	return false
}

func marker(line, m string) bool { return line == m || strings.HasPrefix(line, m+" ") }

package tomledit

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// SyntaxError is text that is no TOML.
type SyntaxError struct {
	Line, Column int
	What         string
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.What)
}

// Parse is what the text holds.
func Parse(text []byte) (map[string]any, error) {
	out := map[string]any{}
	err := toml.Unmarshal(bytes.TrimPrefix(text, []byte(bom)), &out)
	var bad *toml.DecodeError
	if errors.As(err, &bad) {
		line, column := bad.Position()
		return nil, &SyntaxError{Line: line, Column: column, What: strings.TrimPrefix(bad.Error(), "toml: ")}
	}
	if err != nil {
		return nil, &SyntaxError{Line: 1, Column: 1, What: strings.TrimPrefix(err.Error(), "toml: ")}
	}
	return out, nil
}

// Get is what stands at a path of tables, nil for nothing.
func Get(doc map[string]any, path ...string) any {
	var v any = doc
	for _, p := range path {
		m, ok := v.(map[string]any)
		if !ok {
			return nil
		}
		if v, ok = m[p]; !ok {
			return nil
		}
	}
	return v
}

// ErrNotATable is for a parent that is there and is no table.
var ErrNotATable = errors.New("it is no table")

// Pair is a key and a value that are written; the value is written as it stands.
type Pair struct{ Key, Value string }

// Add puts the table parent.name, which must not be there, into a text.
func Add(text []byte, parent, name string, pairs []Pair) ([]byte, error) {
	before, err := Parse(text)
	if err != nil {
		return nil, err
	}
	if p, ok := before[parent]; ok {
		if _, table := p.(map[string]any); !table {
			return nil, fmt.Errorf("%q: %w", parent, ErrNotATable)
		}
	}
	nl := lineEnd(text)
	out := inline(text, parent, name, pairs)
	if out == nil {
		block := "[" + parent + "." + name + "]"
		for _, p := range pairs {
			block += nl + p.Key + " = " + p.Value
		}
		switch {
		case len(bytes.TrimPrefix(text, []byte(bom))) == 0:
			out = append(append([]byte{}, text...), block...)
		case bytes.HasSuffix(text, []byte("\n")):
			out = append(append([]byte{}, text...), nl+block+nl...)
		default:
			out = append(append([]byte{}, text...), nl+nl+block...)
		}
	}
	return out, verify(before, out, parent, name, true)
}

// inline puts the table into its parent where that is written in braces; nil where not.
func inline(text []byte, parent, name string, pairs []Pair) []byte {
	for _, st := range scan(text) {
		if st.header || len(st.path) != 1 || st.path[0] != parent || text[st.value] != '{' {
			continue
		}
		var parts []string
		for _, p := range pairs {
			parts = append(parts, p.Key+" = "+p.Value)
		}
		item := name + " = { " + strings.Join(parts, ", ") + " }"
		inside := text[st.value+1 : st.end-1]
		at := st.value + 1 + len(bytes.TrimRight(inside, " \t\r\n"))
		if len(bytes.TrimSpace(inside)) > 0 {
			item = ", " + item
		} else {
			at = st.value + 1
		}
		return append(append(append([]byte{}, text[:at]...), item...), text[at:]...)
	}
	return nil
}

// Remove takes the table parent.name and what belongs to it out of a text.
func Remove(text []byte, parent, name string) ([]byte, error) {
	before, err := Parse(text)
	if err != nil {
		return nil, err
	}
	type span struct{ from, to int }
	var cut []span
	all := scan(text)
	for i := 0; i < len(all); i++ {
		st := all[i]
		switch {
		case len(st.path) >= 2 && st.path[0] == parent && st.path[1] == name:
			s := span{lineStart(text, st.start), lineAfter(text, st.end)}
			if st.header {
				s.from = blankBefore(text, s.from)
				for i+1 < len(all) && !all[i+1].header {
					i++
					s.to = lineAfter(text, all[i].end)
				}
			}
			if n := len(cut); n > 0 && cut[n-1].to >= s.from {
				s.from = cut[n-1].from
				cut = cut[:n-1]
			}
			if s.to == len(text) && !bytes.HasSuffix(text, []byte("\n")) {
				s.from = len(bytes.TrimSuffix(bytes.TrimSuffix(text[:s.from], []byte("\n")), []byte("\r")))
			}
			cut = append(cut, s)
		case len(st.path) == 1 && !st.header && st.path[0] == parent && text[st.value] == '{':
			if from, to, ok := member(text, st, name); ok {
				cut = append(cut, span{from, to})
			}
		}
	}
	out := append([]byte{}, text...)
	for i := len(cut) - 1; i >= 0; i-- {
		out = append(out[:cut[i].from:cut[i].from], out[cut[i].to:]...)
	}
	return out, verify(before, out, parent, name, false)
}

// member is where a member of a table in braces stands, with one comma.
func member(text []byte, st statement, name string) (from, to int, ok bool) {
	s := &scanner{b: text[:st.end], at: st.value}
	var at []int
	s.list(func(i int) { at = append(at, i) })
	for i, start := range at {
		k := &scanner{b: text[:st.end], at: start}
		if path := k.key(); len(path) == 0 || path[0] != name {
			continue
		}
		if k.peek() == '=' {
			k.at++
		}
		k.blank(" \t\r\n")
		k.value()
		from, to = start, k.at
		switch {
		case i > 0:
			from = bytes.LastIndexByte(text[:start], ',')
		case len(at) > 1:
			to = at[1]
		}
		return from, to, true
	}
	return 0, 0, false
}

// verify reads what was written: it holds what it held but for the one table.
func verify(before map[string]any, out []byte, parent, name string, added bool) error {
	after, err := Parse(out)
	if err != nil {
		return fmt.Errorf("the edited text would be no TOML: %w", err)
	}
	if (Get(after, parent, name) != nil) != added {
		return fmt.Errorf("the table %s.%s would not be as it should", parent, name)
	}
	for _, doc := range []map[string]any{before, after} {
		if p, ok := doc[parent].(map[string]any); ok {
			if delete(p, name); len(p) == 0 {
				delete(doc, parent)
			}
		}
	}
	if !reflect.DeepEqual(before, after) {
		return errors.New("the edited text would hold something else besides")
	}
	return nil
}

func lineEnd(text []byte) string {
	if i := bytes.IndexByte(text, '\n'); i > 0 && text[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

func lineStart(text []byte, at int) int { return bytes.LastIndexByte(text[:at], '\n') + 1 }

func lineAfter(text []byte, at int) int {
	if n := bytes.IndexByte(text[at:], '\n'); n >= 0 {
		return at + n + 1
	}
	return len(text)
}

// blankBefore takes one empty line before at along.
func blankBefore(text []byte, at int) int {
	if prev := bytes.TrimSuffix(bytes.TrimSuffix(text[:at], []byte("\n")), []byte("\r")); len(prev) < at && (len(prev) == 0 || prev[len(prev)-1] == '\n') {
		return len(prev)
	}
	return at
}

func unquote(s string) string {
	var v struct{ K string }
	if err := toml.Unmarshal([]byte("K = "+s), &v); err != nil {
		return s
	}
	return v.K
}

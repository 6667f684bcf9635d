package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"time"
	"unicode/utf8"
)

// Format is the version of the documents this package writes, and the highest it reads.
const Format = 1

// The sizes of documents in bytes: readers skip larger ones than MaxRead, writers
// trim to MaxWrite and refuse what stays larger.
const (
	MaxRead  = 1 << 20
	MaxWrite = 256 << 10
)

// maxDepth is how deeply a document may be nested; format 1 needs 8.
const maxDepth = 64

// ErrTooLarge: the document is over MaxWrite after everything that may be left out was.
var ErrTooLarge = errors.New("document over the size limit")

// NewerFormat is a document from a newer gitlet. It is skipped, and an upgrade reads it.
type NewerFormat struct{ Format int }

func (e *NewerFormat) Error() string {
	return fmt.Sprintf("format %d is newer than %d, which this gitlet reads", e.Format, Format)
}

// Invalid is a document that cannot be used at all. Why is short and safe to print.
type Invalid struct{ Why string }

func (e *Invalid) Error() string { return e.Why }

func invalidf(format string, args ...any) *Invalid {
	return &Invalid{Why: cut(oneLine(fmt.Sprintf(format, args...)), 200)}
}

// Problem is one entry that was left out of a document that is otherwise used.
type Problem struct {
	Where string // "items[0].files[3]", or "…" for the rest when there are many
	Why   string
}

func (p Problem) String() string { return p.Where + ": " + p.Why }

// problems collects entry problems, and counts instead of listing beyond a few:
// a hostile document could otherwise fill a screen.
type problems struct {
	list []Problem
	more int
	// fresh: the value being cleaned was just decoded, so its lists may be changed in
	// place. When encoding they are the caller's.
	fresh bool
}

const maxProblems = 8

func (p *problems) add(where string, err error) {
	if len(p.list) >= maxProblems {
		p.more++
		return
	}
	p.list = append(p.list, Problem{Where: where, Why: cut(oneLine(err.Error()), 200)})
}

func (p *problems) all() []Problem {
	if p.more > 0 {
		return append(p.list, Problem{Where: "…", Why: fmt.Sprintf("%d more entries left out", p.more)})
	}
	return p.list
}

// open makes the checks that come before a document's own shape is looked at.
func open(data []byte) error {
	if len(data) > MaxRead {
		return invalidf("%d bytes, over the limit of %d", len(data), MaxRead)
	}
	if tooDeep(data) {
		return invalidf("nested more than %d levels", maxDepth)
	}
	var head struct {
		Format *int `json:"format"`
	}
	if err := unmarshal(data, &head); err != nil {
		return err
	}
	switch {
	case head.Format == nil:
		return invalidf("no format")
	case *head.Format < 1:
		return invalidf("format %d", *head.Format)
	case *head.Format > Format:
		return &NewerFormat{Format: *head.Format}
	}
	return nil
}

// unmarshal is json.Unmarshal with errors that name the field and no Go type.
func unmarshal(data []byte, v any) error {
	err := json.Unmarshal(data, v)
	var wrong *json.UnmarshalTypeError
	var syntax *json.SyntaxError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &wrong) && wrong.Field != "":
		return invalidf("field %q holds the wrong type: %s", wrong.Field, wrong.Value)
	case errors.As(err, &wrong):
		return invalidf("wrong type: %s", wrong.Value)
	case errors.As(err, &syntax):
		return invalidf("not JSON at byte %d", syntax.Offset)
	}
	return invalidf("unreadable: %v", err)
}

// entry decodes one list entry. Bytes that are not UTF-8 cost the entry: the JSON
// decoder would replace them, and the path would name another file.
func entry(raw json.RawMessage, v any) error {
	if !utf8.Valid(raw) {
		return invalidf("not UTF-8")
	}
	return unmarshal(raw, v)
}

// tooDeep counts brackets outside strings; it needs no valid JSON.
func tooDeep(data []byte) bool {
	depth, inString := 0, false
	for i := 0; i < len(data); i++ {
		switch c := data[i]; {
		case inString && c == '\\':
			i++
		case c == '"':
			inString = !inString
		case inString:
		case c == '{' || c == '[':
			if depth++; depth > maxDepth {
				return true
			}
		case c == '}' || c == ']':
			depth--
		}
	}
	return false
}

// marshal writes v as one line of JSON, without escaping what only HTML minds.
func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, invalidf("encoding: %v", err)
	}
	return b.Bytes(), nil
}

// decodeAll decodes a list whose entries stand or fall together. Counting before
// decoding keeps a megabyte of "{}," from becoming gigabytes.
func decodeAll[T any](name string, raw []json.RawMessage, max int) ([]T, error) {
	if err := atMost(name, len(raw), max); err != nil {
		return nil, err
	}
	out := make([]T, len(raw))
	for i, r := range raw {
		if err := unmarshal(r, &out[i]); err != nil {
			return nil, invalidf("%s[%d]: %v", name, i, err)
		}
	}
	return out, nil
}

func atMost(name string, n, max int) error {
	if n > max {
		return invalidf("%d %s, over the limit of %d", n, name, max)
	}
	return nil
}

// cleanTime brings a time to UTC without a monotonic part, and refuses years that
// JSON cannot hold.
func cleanTime(name string, t *time.Time) error {
	u := t.UTC().Round(0)
	if y := u.Year(); y < 1 || y > 9999 {
		return invalidf("%s: year out of range", name)
	}
	*t = u
	return nil
}

// orEmpty makes a nil list an empty one.
func orEmpty[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}

package setup

import (
	"bytes"
	"fmt"
)

// text is what a file holds, or that there is none.
type text struct {
	data    []byte
	missing bool
}

func (t text) equal(o text) bool { return t.missing == o.missing && bytes.Equal(t.data, o.data) }

func with(data []byte) text { return text{data: data} }

// edit puts something of gitlet's into a text or takes it out. Told is a remark for
// people when something was left as it was found; an error says why the file is left
// alone.
type edit func(text) (after text, told string, err error)

// leftAlone is why a file is not touched, and what its owner can do.
type leftAlone struct {
	what, toDo string
	snippet    []string // what to put in by hand
}

func (e *leftAlone) Error() string { return e.what }

func alone(toDo string, snippet []string, format string, args ...any) error {
	return &leftAlone{what: fmt.Sprintf(format, args...), toDo: toDo, snippet: snippet}
}

// undone finds the text that adding turns into this one: the first of the candidates
// that gives exactly it. What init made is thus taken out to the last byte, also a
// list or a file that it made to hold an entry.
func undone(t text, add edit, candidates ...text) (text, bool) {
	for _, c := range candidates {
		if after, _, err := add(c); err == nil && after.equal(t) && !c.equal(t) {
			return c, true
		}
	}
	return t, false
}

func lineEnd(data []byte) string {
	if i := bytes.IndexByte(data, '\n'); i > 0 && data[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

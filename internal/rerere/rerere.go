package rerere

import (
	"bytes"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"hash"
)

// Conflict is a file with conflicts, as git's rerere keeps it.
type Conflict struct {
	ID string
	// Text is the file with each conflict in a form that does not depend on which side was
	// merged into which: no labels, no base, the lesser side first.
	Text  []byte
	Hunks []Hunk

	around [][]byte // what stands before, between and behind the conflicts
}

// Hunk is one conflict.
type Hunk struct {
	Line     int // where it begins in the file
	One, Two string
}

const markerSize = 7 // git's, unless an attribute changes it; then nothing is recognized

// Read finds the conflicts in a file. It reports false where there is none, and where the
// markers are not those of whole conflicts: git keeps no resolution then.
func Read(data []byte, objectFormat string) (*Conflict, bool) {
	if bytes.IndexByte(data, 0) >= 0 {
		return nil, false
	}
	var sum hash.Hash
	if objectFormat == "sha256" {
		sum = sha256.New()
	} else {
		sum = sha1.New() // #nosec: git's id of a conflict, not a safeguard
	}
	r := &reader{rest: data}
	c := &Conflict{around: [][]byte{nil}}
	for {
		line, ok := r.next()
		if !ok {
			break
		}
		if !marker(line, '<') {
			c.Text = append(c.Text, line...)
			last := len(c.around) - 1
			c.around[last] = append(c.around[last], line...)
			continue
		}
		at := r.line
		one, two, ok := r.conflict()
		if !ok {
			return nil, false
		}
		c.Text = appendConflict(c.Text, one, two)
		// Each side with the NUL that ends it in git's memory.
		sum.Write(append(one, 0))
		sum.Write(append(two, 0))
		c.Hunks = append(c.Hunks, Hunk{Line: at, One: string(one), Two: string(two)})
		c.around = append(c.around, nil)
	}
	if len(c.Hunks) == 0 {
		return nil, false
	}
	c.ID = hex.EncodeToString(sum.Sum(nil))
	return c, true
}

type reader struct {
	rest []byte
	line int
}

func (r *reader) next() ([]byte, bool) {
	if len(r.rest) == 0 {
		return nil, false
	}
	n := bytes.IndexByte(r.rest, '\n') + 1
	if n == 0 {
		n = len(r.rest)
	}
	line := r.rest[:n]
	r.rest = r.rest[n:]
	r.line++
	return line, true
}

// conflict reads on from behind the first marker of a conflict.
func (r *reader) conflict() (one, two []byte, ok bool) {
	const (
		first = iota
		original
		second
	)
	in := first
	for {
		line, more := r.next()
		if !more {
			return nil, nil, false
		}
		switch {
		case marker(line, '<'):
			a, b, ok := r.conflict()
			if !ok {
				return nil, nil, false
			}
			if in == first {
				one = appendConflict(one, a, b)
			} else {
				two = appendConflict(two, a, b)
			}
		case marker(line, '|'):
			if in != first {
				return nil, nil, false
			}
			in = original
		case marker(line, '='):
			if in == second {
				return nil, nil, false
			}
			in = second
		case marker(line, '>'):
			if in != second {
				return nil, nil, false
			}
			if bytes.Compare(one, two) > 0 {
				one, two = two, one
			}
			return one, two, true
		case in == first:
			one = append(one, line...)
		case in == second:
			two = append(two, line...)
		}
	}
}

func appendConflict(to, one, two []byte) []byte {
	line := func(c byte) {
		to = append(append(to, bytes.Repeat([]byte{c}, markerSize)...), '\n')
	}
	line('<')
	to = append(to, one...)
	line('=')
	to = append(to, two...)
	line('>')
	return to
}

// marker reports whether a line is a conflict marker: the outer two carry a label.
func marker(line []byte, c byte) bool {
	if len(line) <= markerSize {
		return false
	}
	for _, b := range line[:markerSize] {
		if b != c {
			return false
		}
	}
	switch after := line[markerSize]; after {
	case ' ':
		return true
	case '\t', '\n', '\v', '\f', '\r':
		return c != '<' && c != '>'
	}
	return false
}

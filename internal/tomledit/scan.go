package tomledit

import (
	"bytes"
	"strings"
	"unicode"
)

const bom = "\xef\xbb\xbf"

// statement is a line, or several, that says one thing: a header or a key with a value.
type statement struct {
	path       []string // in full, with the header it stands under
	header     bool
	start, end int // without the line end
	value      int // where the value begins, 0 for a header
}

// scan lists the statements of a text that is known to be TOML.
func scan(text []byte) []statement {
	s := &scanner{b: text}
	if bytes.HasPrefix(text, []byte(bom)) {
		s.at = len(bom)
	}
	var out []statement
	var under []string
	for {
		s.blank(" \t\r\n")
		if s.at >= len(s.b) {
			return out
		}
		st := statement{start: s.at}
		if s.b[s.at] == '[' {
			st.header = true
			s.at++
			if s.peek() == '[' {
				s.at++
			}
			under = s.key()
			st.path = under
			for s.peek() == ']' {
				s.at++
			}
		} else {
			st.path = append(append([]string{}, under...), s.key()...)
			if s.peek() == '=' {
				s.at++
			}
			s.blank(" \t")
			st.value = s.at
			s.value()
		}
		st.end = s.at
		out = append(out, st)
		if n := bytes.IndexByte(s.b[s.at:], '\n'); n >= 0 {
			s.at += n
		} else {
			s.at = len(s.b)
		}
	}
}

type scanner struct {
	b  []byte
	at int
}

func (s *scanner) peek() byte {
	if s.at < len(s.b) {
		return s.b[s.at]
	}
	return 0
}

// blank skips the given white space, and comments.
func (s *scanner) blank(space string) {
	for s.at < len(s.b) {
		switch {
		case strings.IndexByte(space, s.b[s.at]) >= 0:
			s.at++
		case s.b[s.at] == '#':
			for s.at < len(s.b) && s.b[s.at] != '\n' {
				s.at++
			}
		default:
			return
		}
	}
}

// key reads a dotted key and the space behind it.
func (s *scanner) key() []string {
	var out []string
	for {
		s.blank(" \t")
		start := s.at
		if c := s.peek(); c == '"' || c == '\'' {
			s.value()
			out = append(out, unquote(string(s.b[start:s.at])))
		} else {
			for s.at < len(s.b) && (s.b[s.at] == '_' || s.b[s.at] == '-' || s.b[s.at] >= 0x80 || unicode.IsLetter(rune(s.b[s.at])) || unicode.IsDigit(rune(s.b[s.at]))) {
				s.at++
			}
			out = append(out, string(s.b[start:s.at]))
		}
		s.blank(" \t")
		if s.peek() != '.' {
			return out
		}
		s.at++
	}
}

// value skips a value.
func (s *scanner) value() {
	rest := string(s.b[s.at:min(len(s.b), s.at+3)])
	switch {
	case rest == `"""` || rest == `'''`:
		s.at += 3
		for s.at < len(s.b) && !bytes.HasPrefix(s.b[s.at:], []byte(rest)) {
			if s.b[s.at] == '\\' && rest == `"""` {
				s.at++
			}
			s.at++
		}
		// Up to two more quotes belong to the text before the ones that end it.
		for s.at += 3; s.peek() == rest[0]; {
			s.at++
		}
	case s.peek() == '"' || s.peek() == '\'':
		quote := s.b[s.at]
		for s.at++; s.at < len(s.b) && s.b[s.at] != quote; s.at++ {
			if s.b[s.at] == '\\' && quote == '"' {
				s.at++
			}
		}
		s.at++
	case s.peek() == '[' || s.peek() == '{':
		s.list(func(int) {})
	default:
		for s.at < len(s.b) && !strings.ContainsRune(",]}#\r\n", rune(s.b[s.at])) {
			s.at++
		}
		for s.at > 0 && (s.b[s.at-1] == ' ' || s.b[s.at-1] == '\t') {
			s.at--
		}
	}
	s.at = min(s.at, len(s.b))
}

// list skips what stands in brackets and calls item where each item begins.
func (s *scanner) list(item func(at int)) {
	table := s.peek() == '{'
	s.at++
	for s.at < len(s.b) {
		s.blank(" \t\r\n,")
		if c := s.peek(); c == ']' || c == '}' {
			s.at++
			return
		}
		before := s.at
		item(s.at)
		if table {
			s.key()
			if s.peek() == '=' {
				s.at++
			}
			s.blank(" \t\r\n")
		}
		s.value()
		if s.at == before {
			return // no TOML
		}
	}
}

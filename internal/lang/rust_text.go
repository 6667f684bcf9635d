package lang

import "strings"

// rustCode is Rust source for a reader by line: without comments, and with strings
// emptied, so that no line of theirs looks like code. Code behind a comment moves to
// where the line starts.
func rustCode(src string) string {
	var b strings.Builder
	b.Grow(len(src))
	fresh := true // nothing of the line was written yet
	for len(src) > 0 {
		switch n, comment := rustLexeme(src); {
		case comment:
			src = src[n:]
			if fresh {
				src = strings.TrimLeft(src, " \t")
			} else {
				b.WriteByte(' ')
			}
		case n > 1 && strings.HasSuffix(src[:n], "#"), n > 1 && src[n-1] == '"':
			b.WriteString(`""`)
			src, fresh = src[n:], false
		default:
			b.WriteString(src[:n])
			fresh = src[n-1] == '\n'
			src = src[n:]
		}
	}
	return b.String()
}

// rustLexeme is the length of the comment, string, character or word that s starts
// with, or 1; a line comment ends before its line break.
func rustLexeme(s string) (n int, comment bool) {
	switch c := s[0]; {
	case strings.HasPrefix(s, "//"):
		if n = strings.IndexByte(s, '\n'); n < 0 {
			n = len(s)
		}
		return n, true
	case strings.HasPrefix(s, "/*"):
		return rustBlockComment(s), true
	case c == '"':
		return rustString(s), false
	case c == '\'': // a character, or the mark of a lifetime
		if len(s) > 2 && s[1] != '\\' && s[2] == '\'' {
			return 3, false
		}
		if len(s) > 3 && s[1] == '\\' {
			if end := strings.IndexByte(s[3:], '\''); end >= 0 && end < 10 {
				return end + 4, false
			}
		}
		return 1, false
	case nameByte(c):
		for n = 1; n < len(s) && nameByte(s[n]); n++ {
		}
		if w := s[:n]; w == "r" || w == "br" || w == "cr" {
			if raw := rustRawString(s[n:]); raw > 0 {
				return n + raw, false
			}
		}
		return n, false
	}
	return 1, false
}

// rustBlockComment is the length of a comment, which may hold others.
func rustBlockComment(s string) int {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch {
		case strings.HasPrefix(s[i:], "/*"):
			depth++
			i++
		case strings.HasPrefix(s[i:], "*/"):
			if i++; depth == 1 {
				return i + 1
			}
			depth--
		}
	}
	return len(s)
}

func rustString(s string) int {
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(s)
}

// rustRawString is the length of #"..."# with any number of marks, 0 when s starts
// with something else.
func rustRawString(s string) int {
	marks := len(s) - len(strings.TrimLeft(s, "#"))
	if marks == len(s) || s[marks] != '"' {
		return 0
	}
	end := strings.Index(s[marks+1:], `"`+s[:marks])
	if end < 0 {
		return len(s)
	}
	return marks + 1 + end + 1 + marks
}

package symbols

import (
	"bytes"
	"slices"

	"gitlet/internal/lang"
)

// separated returns a copy of src, as long as src, in which a semicolon stands for the
// white space before each generic call signature that only a line break separates from
// what is before it. TypeScript takes a "<" on a new line for a member's start, its
// grammar for arguments of the type before. nil when src holds nothing of the kind.
func separated(l *lang.Language, src []byte) []byte {
	if !l.Lexical.Regexps || !bytes.Contains(src, []byte(">(")) {
		return nil
	}
	var out []byte
	last := -1      // the last byte of code
	broken := false // a line ended since
	for i := 0; i < len(src); {
		n := literal(l.Lexical, src[i:])
		comment := n > 0 && src[i] == '/'
		if n == 0 && src[i] == '/' && regexpMayStart(src[:last+1]) {
			n = quoted(src[i:], 1, "/", true)
		}
		switch c := src[i]; {
		case comment:
			broken = broken || bytes.IndexByte(src[i:i+n], '\n') >= 0
			i += n
			continue
		case c == '\n':
			broken = true
		case c == ' ' || c == '\t' || c == '\r':
		case n > 0:
			last, broken = i+n-1, false
		default:
			if c == '<' && broken && endsType(src, last) && opensCall(src[i:]) {
				if out == nil {
					out = slices.Clone(src)
				}
				out[last+1] = ';'
			}
			last, broken = i, false
		}
		i += max(n, 1)
	}
	return out
}

// endsType reports whether a type may end at byte last, with white space behind it.
func endsType(src []byte, last int) bool {
	if last < 0 || bytes.IndexByte([]byte(" \t\r\n"), src[last+1]) < 0 {
		return false
	}
	c := src[last]
	return c == '_' || c == '$' || c >= 0x80 || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' ||
		bytes.IndexByte([]byte(">])}\"'`"), c) >= 0 && (c != '>' || last == 0 || src[last-1] != '=')
}

// opensCall reports whether s starts with type parameters in angle brackets and a
// parenthesis. The arrow of a function type closes no bracket.
func opensCall(s []byte) bool {
	const most, deepest = 1 << 12, 32
	depth := 0
	for i := 0; i < min(len(s), most); i++ {
		switch c := s[i]; {
		case c == '<':
			if depth++; depth > deepest {
				return false
			}
		case c == '>' && s[i-1] != '=':
			if depth--; depth == 0 {
				return i+1 < len(s) && s[i+1] == '('
			}
		case c == ';':
			return false
		}
	}
	return false
}

// mistakes counts what error recovery skipped or made up in a tree.
func mistakes(nodes []lang.RawNode) int {
	n := 0
	for i := range nodes {
		if nodes[i].Flags&(lang.FlagError|lang.FlagMissing) != 0 {
			n++
		}
	}
	return n
}

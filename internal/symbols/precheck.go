package symbols

import (
	"bytes"

	"gitlet/internal/lang"
)

// precheck refuses, before it starts, what parsing cannot be stopped at or is
// not worth its answer: error recovery takes quadratic time over brackets left
// open, in one step that looks at no clock, and hundreds of bytes of memory for each
// angle bracket left open within one statement; the names in a minified file mean
// nothing.
func precheck(l *lang.Language, src []byte, maxDepth int) error {
	if !isText(src) {
		return ErrNotText
	}
	// What strings and comments hold does no harm, but few files need a look that
	// tells it apart.
	deep, long := tooDeep(src, maxDepth), longLines(src) > len(src)/2
	if !deep && !long {
		return nil
	}
	code := codeOnly(l.Lexical, src)
	switch {
	case deep && tooDeep(code, maxDepth):
		return ErrTooDeep
	case long && minified(code):
		return ErrMinified
	}
	return nil
}

// isText reports whether src has neither a NUL nor the mark of UTF-16.
func isText(src []byte) bool {
	return bytes.IndexByte(src, 0) < 0 && !bytes.HasPrefix(src, []byte("\xff\xfe")) && !bytes.HasPrefix(src, []byte("\xfe\xff"))
}

const (
	longLine   = 5000
	packedRate = 100 // bytes for each bracket or semicolon, at most, where a long line is code
)

// longLines is how many bytes of src stand in very long lines.
func longLines(src []byte) int {
	total := 0
	for len(src) > longLine {
		n := bytes.IndexByte(src, '\n') + 1
		if n == 0 {
			n = len(src)
		}
		if n > longLine {
			total += n
		}
		src = src[n:]
	}
	return total
}

// minified reports whether most of code, which has no strings, is statements in very
// long lines.
func minified(code []byte) bool {
	marks := bytes.Count(code, []byte(";")) + bytes.Count(code, []byte("{")) + bytes.Count(code, []byte("("))
	return longLines(code) > len(code)/2 && marks*packedRate > len(code)
}

// What a byte means to tooDeep.
const (
	plain = iota
	open
	openBrace
	closeSquare
	closeOther // also ends what angle brackets were open
	semicolon
	less
	greater
)

var meaning = [256]uint8{
	'(': open, '[': open, '{': openBrace, ']': closeSquare, ')': closeOther, '}': closeOther,
	';': semicolon, '<': less, '>': greater,
}

// tooDeep reports whether more than maxDepth brackets are open at some place.
func tooDeep(src []byte, maxDepth int) bool {
	depth, angles := 0, 0
	for i, c := range src {
		switch meaning[c] {
		case plain:
			continue
		case openBrace:
			depth++
			angles = 0
		case open:
			depth++
		case closeSquare:
			depth = max(depth-1, 0)
			continue
		case closeOther:
			depth = max(depth-1, 0)
			angles = 0
			continue
		case semicolon:
			angles = 0
			continue
		case less:
			if i+1 < len(src) && src[i+1] != '<' && src[i+1] != '=' && src[i+1] != ' ' {
				angles++
			}
		case greater:
			angles = max(angles-1, 0)
			continue
		}
		if depth > maxDepth || angles > maxDepth {
			return true
		}
	}
	return false
}

// codeOnly returns src without strings and comments, as far as their marks tell.
func codeOnly(x lang.Lexical, src []byte) []byte {
	out := make([]byte, 0, len(src))
	for i := 0; i < len(src); {
		n := literal(x, src[i:])
		if n == 0 && x.Regexps && src[i] == '/' && regexpMayStart(out) {
			n = quoted(src[i:], 1, "/", true)
		}
		if n == 0 {
			out = append(out, src[i])
			n = 1
		}
		i += n
	}
	return out
}

// literal returns the length of the string or comment that s starts with, 0 for none.
func literal(x lang.Lexical, s []byte) int {
	has := func(p string) bool { return bytes.HasPrefix(s, []byte(p)) }
	switch s[0] {
	case '#', '/':
		switch {
		case has(x.Comment):
			return through(s, 0, "\n")
		case x.Comment == "//" && has("/*"):
			return through(s, 2, "*/")
		}
	case '"', '\'':
		triple := string([]byte{s[0], s[0], s[0]})
		switch {
		case x.Triple && has(triple):
			return quoted(s, 3, triple, false)
		case s[0] == '\'' && x.Chars:
			if len(s) > 2 && (s[1] == '\\' || s[2] == '\'') {
				return quoted(s, 1, "'", true)
			}
			return 0
		}
		return quoted(s, 1, string(s[:1]), !x.LongStrings || s[0] == '\'')
	case '`':
		if x.Backticks {
			return quoted(s, 1, "`", false)
		}
	case 'r':
		if hashes := len(s[1:]) - len(bytes.TrimLeft(s[1:], "#")); x.LongStrings && hashes > 0 && len(s) > hashes+1 && s[hashes+1] == '"' {
			return through(s, hashes+2, `"`+string(s[1:hashes+1]))
		}
	}
	return 0
}

// through is the length of s up to and with end, or all of it, looking from from on.
func through(s []byte, from int, end string) int {
	if i := bytes.Index(s[from:], []byte(end)); i >= 0 {
		return from + i + len(end)
	}
	return len(s)
}

// quoted is the length of a string with escapes that starts with a mark of n bytes.
// One that must end within its line and does not is none, so its length is 0.
func quoted(s []byte, n int, end string, oneLine bool) int {
	for i := n; i < len(s); i++ {
		switch {
		case s[i] == '\\':
			i++
		case s[i] == end[0] && bytes.HasPrefix(s[i:], []byte(end)):
			return i + len(end)
		case s[i] == '\n' && oneLine:
			return 0
		}
	}
	if oneLine {
		return 0
	}
	return len(s)
}

// regexpMayStart reports whether a slash after this code starts a regular expression
// rather than divides.
func regexpMayStart(before []byte) bool {
	before = bytes.TrimRight(before, " \t\r\n")
	return len(before) == 0 || bytes.IndexByte([]byte("(,=:[!&|?{};+-*%~^<>"), before[len(before)-1]) >= 0 || bytes.HasSuffix(before, []byte("return"))
}

package wiretest

import (
	"bytes"
	"math/rand/v2"
	"strings"
)

// hostile are texts that mean something to a shell, to git, to a file system or to a
// reader's eyes, as they stand inside a JSON string.
var hostile = []string{
	"", " ", ".", "..", "../../etc/passwd", "/etc/passwd", "a/../b", "a//b", "./a", "C:\\\\x", "-", "--upload-pack=touch x", "-f", "--all",
	"$(id)", "`id`", "'; id; '", "a b", "a;b", "a\\nb", "a\\rb", "\\u0000", "\\u001b[2J", "\\ud800", "\\u202e", "\\u2028", "\xff\xfe", "\xc0\xaf",
	"refs/heads/main", "HEAD", "@{u}", "a..b", "a.lock", "a~1", "a^", "a:b", "*", "?", "[x]", "\\\\", "t-", "p-zzzzzzzzzzzz", "n-000000000000",
	"000000000000", "00000000000000000000", "0123456789abcdef", "0000000000000000000000000000000000000000", "ffffffffffffffffffffffffffffffffffffffff",
	"UPPER", "-leading", "trailing-", "active", "signature", "function", "call", "A", "go", "typescript", "null", "2026-10-26T02:00:00Z", "0000-00-00T00:00:00Z",
}

var values = []string{"null", "true", "-1", "0", "1e400", "9223372036854775808", "-9223372036854775808", "2147483648", "1.5", "[]", "{}", "[[]]", `"x"`,
	`[null]`, `{"a":1}`, ""}

// Mutate returns a changed copy of a JSON document: one to four changes that keep most
// of it well formed, so that they reach what lies behind the parser.
func Mutate(r *rand.Rand, doc []byte) []byte {
	out := bytes.Clone(doc)
	for range 1 + r.IntN(4) {
		out = once(r, out)
	}
	return out
}

func once(r *rand.Rand, doc []byte) []byte {
	if len(doc) < 4 {
		return append(doc, "{}"...)
	}
	texts := spans(doc)
	switch n := r.IntN(10); {
	case n < 5 && len(texts) > 0: // a text
		s := texts[r.IntN(len(texts))]
		with := hostile[r.IntN(len(hostile))]
		switch r.IntN(6) {
		case 0:
			with = strings.Repeat(with+"x", 1+r.IntN(6000))
		case 1: // one that stands elsewhere
			o := texts[r.IntN(len(texts))]
			with = string(doc[o[0]:o[1]])
		case 2: // in the middle
			at := s[0] + r.IntN(s[1]-s[0]+1)
			with = string(doc[s[0]:at]) + with + string(doc[at:s[1]])
		}
		return splice(doc, s[0], s[1], with)
	case n < 7: // a value
		colons := every(doc, ':')
		if len(colons) == 0 {
			return doc
		}
		at := colons[r.IntN(len(colons))] + 1
		end := at
		for end < len(doc) && !bytes.ContainsRune([]byte(",]}"), rune(doc[end])) {
			end++
		}
		return splice(doc, at, end, values[r.IntN(len(values))])
	case n < 8: // a part again, or twice
		a := r.IntN(len(doc))
		b := a + r.IntN(min(len(doc)-a, 300))
		return splice(doc, b, b, string(doc[a:b]))
	case n < 9: // a part gone
		a := r.IntN(len(doc))
		return splice(doc, a, a+r.IntN(min(len(doc)-a, 60)), "")
	}
	doc[r.IntN(len(doc))] = byte(r.UintN(256))
	return doc
}

func splice(doc []byte, from, to int, with string) []byte {
	return append(append(append(make([]byte, 0, len(doc)+len(with)), doc[:from]...), with...), doc[to:]...)
}

// spans finds the insides of strings, keys included.
func spans(doc []byte) (out [][2]int) {
	start := -1
	for i := 0; i < len(doc); i++ {
		switch {
		case doc[i] == '\\':
			i++
		case doc[i] == '"' && start < 0:
			start = i + 1
		case doc[i] == '"':
			out = append(out, [2]int{start, i})
			start = -1
		}
	}
	return out
}

func every(doc []byte, c byte) (out []int) {
	for i := range doc {
		if doc[i] == c {
			out = append(out, i)
		}
	}
	return out
}

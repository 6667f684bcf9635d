package wire

import (
	"strings"
	"unicode/utf8"

	"gitlet/internal/id"
)

// The longest texts accepted, in bytes. Longer ones are cut.
const (
	maxLine    = 1 << 10 // intents, pull requests, user and host names
	maxSig     = 8 << 10 // signatures, types, paths with a qualified name
	maxMessage = 8 << 10 // messages, requirements, summaries, what a remote said
)

// token reports whether s is a short lower-case word: a language, a member's kind.
// These sets grow with the languages, so they are not listed here.
func token(s string) bool {
	return len(s) > 0 && len(s) <= 32 && s[0] >= 'a' && s[0] <= 'z' && only(s, "_+#.-", false)
}

// hash reports whether s can be a signature or body hash, or is empty.
func hash(s string) bool { return len(s) <= 128 && only(s, ":._+/=-", true) }

// only reports whether s holds nothing but digits, letters (upper-case ones too when
// upper) and the characters of also.
func only(s, also string, upper bool) bool {
	for i := range len(s) {
		c := s[i]
		if c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || upper && c >= 'A' && c <= 'Z' || strings.IndexByte(also, c) >= 0 {
			continue
		}
		return false
	}
	return true
}

// oidOrNone reports whether s is an object id or empty.
func oidOrNone(s string) bool { return s == "" || id.ValidOID(s) }

// control reports whether r has no place in text that others read: control
// characters, line and paragraph separators, and the marks that reorder text.
func control(r rune) bool {
	switch {
	case r < 0x20, r == 0x7f, r >= 0x80 && r < 0xa0:
		return true
	case r == 0x2028, r == 0x2029, r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069:
		return true
	}
	return false
}

// plain reports whether s is valid text of one line that needs no cleaning.
func plain(s string, max int) bool {
	return len(s) <= max && utf8.ValidString(s) && strings.IndexFunc(s, control) < 0
}

// oneLine makes s valid text without control characters; line breaks and tabs
// become spaces.
func oneLine(s string) string { return clean(s, false) }

// lines is oneLine that keeps line breaks, as \n.
func lines(s string) string { return clean(s, true) }

func clean(s string, keepLines bool) string {
	if utf8.ValidString(s) && strings.IndexFunc(s, control) < 0 {
		return s
	}
	s = strings.ReplaceAll(s, "\r\n", "\n")
	s = strings.ToValidUTF8(s, "\uFFFD")
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\r' || r == 0x2028 || r == 0x2029:
			if keepLines {
				return '\n'
			}
			return ' '
		case r == '\t':
			return ' '
		case control(r):
			return -1
		}
		return r
	}, s)
}

// cut shortens s to at most max bytes without splitting a character.
func cut(s string, max int) string {
	if len(s) <= max {
		return s
	}
	for max > 0 && !utf8.RuneStart(s[max]) {
		max--
	}
	return s[:max]
}

// line and note clean a text field in place.
func line(s *string, max int) { *s = cut(oneLine(*s), max) }
func note(s *string, max int) { *s = cut(lines(*s), max) }

// ValidBranch reports whether s can be a branch name: git's rules for ref names
// and for branches, at most 512 bytes, valid UTF-8. A name that passes is safe as
// the last part of refs/heads/ and cannot be taken for an option.
func ValidBranch(s string) bool {
	if s == "" || s == "@" || s == "HEAD" || s[0] == '-' || !plain(s, 512) {
		return false
	}
	if strings.ContainsAny(s, " ~^:?*[\\") || strings.Contains(s, "..") || strings.Contains(s, "@{") {
		return false
	}
	if strings.HasSuffix(s, ".") {
		return false
	}
	for _, part := range strings.Split(s, "/") {
		if part == "" || part[0] == '.' || strings.HasSuffix(part, ".lock") {
			return false
		}
	}
	return true
}

package render

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Shell spells a command's arguments as one line that a POSIX shell splits back into
// exactly these arguments. Line breaks, other control characters, invisible ones and
// bytes that are not UTF-8 are written as octal escapes, so that the line stays one
// line and survives being copied. NUL, which no argument can hold, is dropped.
func Shell(argv []string) string {
	words := make([]string, len(argv))
	for i, a := range argv {
		words[i] = shellQuote(a)
	}
	return strings.Join(words, " ")
}

func shellQuote(s string) string {
	s = strings.ReplaceAll(s, "\x00", "")
	switch {
	case s == "":
		return "''"
	case strings.HasSuffix(s, "\n"):
		// Command substitution strips line breaks at the end; this form keeps them. It
		// needs bash, zsh, ksh or a shell of POSIX 2024.
		return "$'" + escapeBytes(s, `\'`, "%") + "'"
	case !oneLine(s):
		return `"$(printf '` + escapeBytes(s, `\047`, "%%") + `')"`
	case plainWord(s):
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// plainWord reports words that no shell expands.
func plainWord(s string) bool {
	for i := range len(s) {
		c := s[i]
		alnum := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
		if !alnum && !strings.ContainsRune("_@%+:,./-", rune(c)) && (c != '=' || i == 0) {
			return false
		}
	}
	return true
}

// oneLine reports whether every character of s may stand as it is in a line of text.
func oneLine(s string) bool {
	if !utf8.ValidString(s) {
		return false
	}
	for _, r := range s {
		if hidden(r) {
			return false
		}
	}
	return true
}

// hidden reports characters that break, move or hide part of a line.
func hidden(r rune) bool {
	return unicode.IsControl(r) || r == 0x2028 || r == 0x2029 || invisible(r)
}

// escapeBytes writes s for a printf format or a $'...' word.
func escapeBytes(s, quote, percent string) string {
	var b strings.Builder
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && n == 1, hidden(r), i == 0 && r == '-':
			for _, c := range []byte(s[i : i+n]) {
				fmt.Fprintf(&b, `\%03o`, c)
			}
		case r == '\'':
			b.WriteString(quote)
		case r == '\\':
			b.WriteString(`\\`)
		case r == '%':
			b.WriteString(percent)
		default:
			b.WriteString(s[i : i+n])
		}
		i += n
	}
	return b.String()
}

var errShell = errors.New("not a line that gitlet spells")

// SplitShell splits a line spelled by Shell back into words, as a POSIX shell does;
// a comment at the end is left out. Anything else a shell could do is an error. Tests
// use it to prove that printed options run as written.
func SplitShell(line string) ([]string, error) {
	var out []string
	for {
		line = strings.TrimLeft(line, " ")
		if line == "" || line[0] == '#' {
			return out, nil
		}
		word, rest, err := shellWord(line)
		if err != nil {
			return nil, fmt.Errorf("at %q: %w", line, err)
		}
		out = append(out, word)
		line = rest
	}
}

func shellWord(line string) (word, rest string, err error) {
	var b strings.Builder
	for line != "" && line[0] != ' ' {
		switch {
		case strings.HasPrefix(line, `"$(printf '`):
			text, after, ok := strings.Cut(line[len(`"$(printf '`):], `')"`)
			if !ok {
				return "", "", errShell
			}
			s, err := unescape(strings.ReplaceAll(text, "%%", "%"))
			if err != nil {
				return "", "", err
			}
			b.WriteString(strings.TrimRight(s, "\n"))
			line = after
		case strings.HasPrefix(line, "$'"):
			end := closing(line[2:])
			if end < 0 {
				return "", "", errShell
			}
			s, err := unescape(line[2 : 2+end])
			if err != nil {
				return "", "", err
			}
			b.WriteString(s)
			line = line[2+end+1:]
		case line[0] == '\'':
			text, after, ok := strings.Cut(line[1:], "'")
			if !ok {
				return "", "", errShell
			}
			b.WriteString(text)
			line = after
		case line[0] == '\\' && len(line) > 1:
			b.WriteByte(line[1])
			line = line[2:]
		case strings.ContainsRune("\"$`\\;&|<>()*?[]{}~!\n\t", rune(line[0])):
			return "", "", errShell
		default:
			b.WriteByte(line[0])
			line = line[1:]
		}
	}
	return b.String(), line, nil
}

// closing finds the quote that ends a $'...' word.
func closing(s string) int {
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '\'':
			return i
		}
	}
	return -1
}

// unescape reads backslash escapes: three octal digits, a backslash or a quote.
func unescape(s string) (string, error) {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' {
			b.WriteByte(s[i])
			continue
		}
		if i++; i >= len(s) {
			return "", errShell
		}
		if s[i] == '\\' || s[i] == '\'' {
			b.WriteByte(s[i])
			continue
		}
		if i+3 > len(s) {
			return "", errShell
		}
		n := 0
		for _, c := range []byte(s[i : i+3]) {
			if c < '0' || c > '7' {
				return "", errShell
			}
			n = n*8 + int(c-'0')
		}
		if n > 255 {
			return "", errShell
		}
		b.WriteByte(byte(n))
		i += 2
	}
	return b.String(), nil
}

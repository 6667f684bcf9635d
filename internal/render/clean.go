package render

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"gitlet/internal/model"
	"gitlet/internal/pattern"
)

const (
	maxField   = 1000 // characters of one field
	maxMessage = 4000 // characters of one labelled block
	maxRows    = 20   // rows of one list
)

// Fold makes one safe line of any text: white space and control characters become
// single spaces, invisible characters that reorder or hide text are dropped, runs of
// three or more double quotes become single quotes, and it is cut at 1000 characters.
func Fold(s string) string {
	var b strings.Builder
	space := false
	for _, r := range s {
		switch {
		case unicode.IsSpace(r) || unicode.IsControl(r) || r == 0x2028 || r == 0x2029:
			space = b.Len() > 0
		case invisible(r):
		default:
			if space {
				b.WriteByte(' ')
				space = false
			}
			b.WriteRune(r)
		}
	}
	return cut(plainQuotes(b.String()), maxField)
}

// invisible reports characters that show nothing but change how a line reads:
// direction marks, zero-width spaces, soft hyphens, interlinear and tag characters.
// The joiners that scripts and emoji need stay.
func invisible(r rune) bool {
	return r == 0x00ad || r == 0x061c || r == 0x180e || r == 0x200b || r == 0x200e || r == 0x200f ||
		r >= 0x202a && r <= 0x202e || r >= 0x2060 && r <= 0x206f || r == 0xfeff ||
		r >= 0xfff9 && r <= 0xfffb || r >= 0xe0000 && r <= 0xe007f
}

var tripleQuote = pattern.New(`"{3,}`)

// plainQuotes turns each run of three or more double quotes into single quotes.
func plainQuotes(s string) string {
	return tripleQuote.ReplaceAllStringFunc(s, func(run string) string { return strings.Repeat("'", len(run)) })
}

func cut(s string, most int) string {
	if len(s) <= most {
		return s
	}
	r := []rune(s)
	if len(r) <= most {
		return s
	}
	return strings.TrimRight(string(r[:most-1]), " ") + "…"
}

var own = pattern.New(`(?i)^(` +
	`[-*•‐‑‒–—−](\s|$)` +
	`|\[\s*(act|warn|info)\s*\]` +
	`|(ok|refused|nothing_to_do|fault|options|details|notes|(new|open) notes|resolved|warnings?)\s*[:：]` +
	`|message from\b` +
	`|\d+ more( lines? left out\b|\s*$)` +
	`|\d+ (more )?(open|new) notes?\b` +
	`)`)

// guard shows a line in quotes when it would read as one of gitlet's own.
func guard(line string) string {
	if readsAsOwn(line) {
		return quoteLine(line)
	}
	return line
}

// readsAsOwn looks past marks that a reader does not see.
func readsAsOwn(line string) bool {
	return own.MatchString(strings.TrimSpace(strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, line)))
}

// quoteLine quotes a line as JSON does; its escaped quotes cannot form a run.
func quoteLine(line string) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(line); err != nil {
		return `""` // a string always encodes
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// block prints another agent's words: labelled as data, its lines kept, and each
// line that would read as gitlet's own in quotes.
func block(from, text string) []string {
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u2028", "\n", "\u2029", "\n", "\u0085", "\n", "\v", "\n", "\f", "\n").Replace(text)
	cutNote := ""
	if r := []rune(text); len(r) > maxMessage {
		text = string(r[:maxMessage])
		cutNote = "(cut: " + count(len(r)-maxMessage, "more character") + ")"
	}
	var lines []string
	for _, l := range strings.Split(strings.Trim(text, "\n"), "\n") {
		lines = append(lines, guard(Fold(l)))
	}
	// A double quote at either end would blur where the block starts and stops.
	first, last := lines[0], lines[len(lines)-1]
	head := "message from " + strings.ReplaceAll(Fold(from), `"`, "'") + " (" + model.QuoteIs + `): """`
	if len(lines) == 1 && !strings.HasPrefix(first, `"`) && !strings.HasSuffix(last, `"`) {
		lines = []string{head + first + `"""`}
	} else {
		lines = append(append([]string{head}, lines...), `"""`)
	}
	if cutNote != "" {
		lines = append(lines, cutNote)
	}
	return lines
}

// codeLine is a line of a file, behind a bar that no file can forge: as it is, cut at 1000
// characters, with what does not show or would change how it reads spelled out, as in
// \x1b or \u202e. Whoever reads code has to see that it is there.
func codeLine(l string) string {
	l = strings.TrimSuffix(l, "\r")
	var b strings.Builder
	for i, r := range l {
		switch {
		case r == '\t':
			b.WriteString("    ")
		case r == utf8.RuneError && !strings.HasPrefix(l[i:], "\ufffd"):
			fmt.Fprintf(&b, `\x%02x`, l[i])
		case r < 0x80 && unicode.IsControl(r):
			fmt.Fprintf(&b, `\x%02x`, r)
		case unicode.IsControl(r) || invisible(r) || r == 0x2028 || r == 0x2029:
			s := strconv.QuoteToASCII(string(r))
			b.WriteString(s[1 : len(s)-1])
		default:
			b.WriteRune(r)
		}
	}
	return strings.TrimRight(cut(b.String(), maxField), " ")
}

package trailer

import (
	"bytes"
	"strings"
)

// The keys of the lines that say which task and agent a change is of.
const (
	Item  = "Gitlet-Item"
	Agent = "Gitlet-Agent"
)

// Line is one trailer.
type Line struct{ Key, Value string }

func (l Line) String() string { return l.Key + ": " + strings.Join(strings.Fields(l.Value), " ") }

// Options say how a message file is read. The zero value is for text without comments,
// such as a pull request's.
type Options struct {
	// Comment is what comment lines begin with ("#", or what core.commentChar says); ""
	// when the text has none.
	Comment string
	// Scissors: what follows the scissors line is not part of the message (commit -v, or
	// commit.cleanup=scissors).
	Scissors bool
}

// cut is what follows the comment character on the scissors line.
const cut = " ------------------------ >8 ------------------------\n"

// Add returns the message with the lines at its end.
func Add(message string, o Options, lines ...Line) string {
	end := o.end(message)
	text, rest := message[:end], message[end:]
	if o.blank(text) || len(lines) == 0 {
		return message
	}
	if !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	start := o.block(text)
	block := text[start:]
	var out strings.Builder
	out.WriteString(text)
	if block == "" && !endsBlank(text) {
		out.WriteString("\n")
	}
	for _, l := range lines {
		if line := l.String() + "\n"; !hasLine(block, line) {
			out.WriteString(line)
			block += line
		}
	}
	out.WriteString(rest)
	return out.String()
}

// Has reports whether the message ends in a block of trailers with one of this key.
func Has(message string, o Options, key string) bool {
	text := message[:o.end(message)]
	for line := range strings.Lines(text[o.block(text):]) {
		if k, _, ok := strings.Cut(line, ":"); ok && strings.EqualFold(strings.TrimSpace(k), key) {
			return true
		}
	}
	return false
}

func hasLine(block, line string) bool {
	for l := range strings.Lines(block) {
		if l == line {
			return true
		}
	}
	return false
}

// comment reports that a line is one of git's remarks in a message file.
func (o Options) comment(line string) bool {
	return o.Comment != "" && strings.HasPrefix(line, o.Comment)
}

// blank reports that nothing was written: only white space, comments and signatures,
// which is what git takes for an empty message.
func (o Options) blank(text string) bool {
	for line := range strings.Lines(text) {
		if !o.comment(line) && strings.TrimSpace(line) != "" && !strings.HasPrefix(line, "Signed-off-by: ") {
			return false
		}
	}
	return true
}

// end is where the message ends: before the scissors line, and before the comments and
// empty lines that follow the last line of text. Where text came before comments, git
// keeps the list of conflicts that an old git wrote below it too.
func (o Options) end(message string) int {
	limit := len(message)
	if o.Scissors && o.Comment != "" {
		line := o.Comment + cut
		if strings.HasPrefix(message, line) {
			limit = 0
		} else if i := strings.Index(message, "\n"+line); i >= 0 {
			limit = i + 1
		}
	}
	at, trailing, conflicts := 0, -1, false
	for line := range strings.Lines(message[:limit]) {
		switch {
		case o.comment(line) || line == "\n":
			if trailing < 0 {
				trailing = at
			}
		case strings.HasPrefix(line, "Conflicts:\n"):
			conflicts = true
			if trailing < 0 {
				trailing = at
			}
		case conflicts && line[0] == '\t':
		default:
			trailing, conflicts = -1, false
		}
		at += len(line)
	}
	if trailing >= 0 {
		return trailing
	}
	return limit
}

// block is where the trailers begin, len(text) when there are none: the last paragraph,
// unless it is the first, when all its lines are trailers, or when git itself wrote one
// and at least a quarter are.
func (o Options) block(text string) int {
	lines := bytes.SplitAfter([]byte(text), []byte("\n"))
	if n := len(lines); n > 0 && len(lines[n-1]) == 0 {
		lines = lines[:n-1]
	}
	title := 0
	for title < len(lines) && (o.comment(string(lines[title])) || !isBlank(lines[title])) {
		title++
	}
	at := len(text)
	trailers, others, continued := 0, 0, 0
	byGit, only := false, true
	for i := len(lines) - 1; i >= title; i-- {
		line := string(lines[i])
		switch {
		case o.comment(line):
			others += continued
			continued = 0
		case isBlank(lines[i]):
			if only {
				break
			}
			others += continued
			if byGit && trailers*3 >= others || trailers > 0 && others == 0 {
				return at
			}
			return len(text)
		default:
			only = false
			switch {
			case strings.HasPrefix(line, "Signed-off-by: ") || strings.HasPrefix(line, "(cherry picked from commit "):
				trailers++
				continued, byGit = 0, true
			case line[0] == ' ' || line[0] == '\t':
				continued++
			case isTrailer(line):
				trailers++
				continued = 0
			default:
				others += 1 + continued
				continued = 0
			}
		}
		at -= len(line)
	}
	return len(text)
}

// isTrailer reports "Key: ..." or "Key : ...".
func isTrailer(line string) bool {
	space := false
	for i := range len(line) {
		c := line[i]
		switch {
		case c == ':':
			return i > 0
		case !space && (c == '-' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'):
		case i > 0 && (c == ' ' || c == '\t'):
			space = true
		default:
			return false
		}
	}
	return false
}

func isBlank(line []byte) bool { return len(bytes.TrimSpace(line)) == 0 }

func endsBlank(text string) bool {
	i := strings.LastIndexByte(strings.TrimSuffix(text, "\n"), '\n')
	return isBlank([]byte(text[i+1:]))
}

package verbs

import (
	"strconv"
	"strings"
	"unicode"
)

// maxSaid is how much of somebody's words one line shows, in characters.
const maxSaid = 200

// said is somebody else's words for the middle of a line: quoted, on one line, and
// short enough that they push nothing else out of a result.
func said(s string) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	if r := []rune(s); len(r) > maxSaid {
		s = strings.TrimRight(string(r[:maxSaid-1]), " ") + "…"
	}
	return strconv.Quote(s)
}

// called is a name that another agent chose, for the middle of a line: quoted where it
// could pass for words of the line.
func called(name string) string {
	if strings.ContainsFunc(name, unicode.IsSpace) {
		return said(name)
	}
	return name
}

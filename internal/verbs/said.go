package verbs

import (
	"strconv"
	"strings"
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

package setup

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"gitlet/internal/pattern"
)

var (
	beginMark = pattern.New(`(?m)^<!-- gitlet:begin ([0-9a-f]{12}) -->\r?$`)
	endMark   = pattern.New(`(?m)^<!-- gitlet:end -->\r?$`)
	fileMark  = pattern.New(`(?m)^<!-- gitlet:file ([0-9a-f]{12})[^\n]*-->\r?\n?`)
)

// sum tells whether a text of gitlet's was changed by somebody: it stands in its mark.
func sum(s string) string {
	h := sha256.Sum256([]byte(strings.TrimSpace(strings.ReplaceAll(s, "\r\n", "\n"))))
	return hex.EncodeToString(h[:])[:12]
}

func withLineEnds(s, nl string) string { return strings.ReplaceAll(s, "\n", nl) }

// section is where gitlet's section stands in a text.
type section struct {
	from, to int // with both marks, without the line end of the last
	ours     bool
}

// findSection looks for the section. Marks that make no pair are an error.
func findSection(data []byte) (*section, error) {
	begins, ends := beginMark.FindAllSubmatchIndex(data, -1), endMark.FindAllIndex(data, -1)
	if len(begins) == 0 && len(ends) == 0 {
		return nil, nil
	}
	if len(begins) != 1 || len(ends) != 1 || ends[0][0] < begins[0][1] {
		return nil, alone("take out what is left of the marks, then run gitlet init again", nil,
			"its marks gitlet:begin and gitlet:end do not make one pair")
	}
	body := string(data[begins[0][1]:ends[0][0]])
	to := ends[0][1]
	if to > 0 && data[to-1] == '\r' {
		to--
	}
	return &section{from: begins[0][0], to: to, ours: sum(body) == string(data[begins[0][2]:begins[0][3]])}, nil
}

// addSection puts a section between marks last into a text for agents.
func addSection(body string) edit {
	return func(t text) (text, string, error) {
		nl := lineEnd(t.data)
		block := withLineEnds("<!-- gitlet:begin "+sum(body)+" -->\n"+strings.TrimSpace(body)+"\n<!-- gitlet:end -->", nl)
		s, err := findSection(t.data)
		switch {
		case err != nil:
			return t, "", err
		case t.missing:
			return with([]byte(block + nl)), "", nil
		case s != nil && !s.ours:
			return t, "its section was changed by hand: kept; delete the section and run gitlet init again for the present one", nil
		case s != nil:
			return with(bytes.Join([][]byte{t.data[:s.from], []byte(block), t.data[s.to:]}, nil)), "", nil
		case bytes.IndexByte(t.data, 0) >= 0:
			return t, "", alone("save it as UTF-8, then run gitlet init again", nil, "it is no text in UTF-8")
		case len(t.data) == 0:
			return with([]byte(block)), "", nil
		case bytes.HasSuffix(t.data, []byte("\n")):
			return with(append(bytes.Clone(t.data), nl+block+nl...)), "", nil
		}
		return with(append(bytes.Clone(t.data), nl+nl+block...)), "", nil
	}
}

// removeSection takes the section out.
func removeSection(t text) (text, string, error) {
	s, err := findSection(t.data)
	if err != nil || s == nil {
		return t, "", err
	}
	if !s.ours {
		return t, "its section was changed by hand: kept; delete what lies between the marks gitlet:begin and gitlet:end yourself", nil
	}
	before, after := t.data[:s.from], t.data[s.to:]
	if len(before) == 0 && len(bytes.TrimRight(after, "\r\n")) == 0 {
		if len(after) > 0 {
			return text{missing: true}, "", nil
		}
		return with(nil), "", nil
	}
	before = dropLineEnd(before)
	if len(after) == 0 {
		before = dropLineEnd(before) // there was no line end before the section came
	} else {
		after = after[len(lineEnd(after)):]
	}
	return with(append(bytes.Clone(before), after...)), "", nil
}

func dropLineEnd(b []byte) []byte {
	return bytes.TrimSuffix(bytes.TrimSuffix(b, []byte("\n")), []byte("\r"))
}

// ownFile is a whole file of gitlet's, with a mark that tells when somebody changed it.
func ownFile(body string) string {
	body = strings.TrimSpace(body) + "\n"
	mark := "<!-- gitlet:file " + sum(body) + " made by gitlet init; changed by hand it is kept as it is -->\n"
	if front, rest, ok := strings.Cut(strings.TrimPrefix(body, "---\n"), "\n---\n"); ok && strings.HasPrefix(body, "---\n") {
		return "---\n" + front + "\n---\n" + mark + rest
	}
	return mark + body
}

// state of a file that is wholly gitlet's.
func ownedState(data []byte) (marked, unchanged bool) {
	m := fileMark.FindSubmatchIndex(data)
	if m == nil {
		return false, false
	}
	rest := string(data[:m[0]]) + string(data[m[1]:])
	return true, sum(rest) == string(data[m[2]:m[3]])
}

// addFile writes a whole file.
func addFile(body string) edit {
	want := ownFile(body)
	return func(t text) (text, string, error) {
		if t.missing {
			return with([]byte(want)), "", nil
		}
		marked, unchanged := ownedState(t.data)
		switch {
		case !marked:
			return t, "", alone("rename or remove it, then run gitlet init again", nil, "there is one already that gitlet did not make")
		case !unchanged:
			return t, "it was changed by hand: kept; delete it and run gitlet init again for the present one", nil
		}
		return with([]byte(withLineEnds(want, lineEnd(t.data)))), "", nil
	}
}

// removeFile takes a whole file away.
func removeFile(t text) (text, string, error) {
	marked, unchanged := ownedState(t.data)
	switch {
	case t.missing || !marked:
		return t, "", nil
	case !unchanged:
		return t, "it was changed by hand: kept; delete it yourself if it is not needed", nil
	}
	return text{missing: true}, "", nil
}

func splitLines(s string) []string { return strings.Split(strings.TrimRight(s, "\n"), "\n") }

package render

import (
	"encoding/json"
	"fmt"
	"sort"
	"strings"

	"gitlet/internal/model"
	"gitlet/internal/verb"
)

// MaxStructured is the most bytes the structured data of a tool's result may have.
// Several clients give the model this data in place of the text, so it is kept short for
// the same reason.
const MaxStructured = 16 << 10

// Structured is the envelope for a tool's result. One that fits is whole. Of one that
// does not, lists are cut to their first rows, the data's first; a warning counts what is
// left out and says what prints all. The data of a verb that changes something is kept
// whole, since the agent has to act on it (the hunks of a conflict, say); such a verb
// bounds it itself.
func (p Printer) Structured(r *verb.Result, readOnly bool) *verb.Result {
	e := p.Envelope(r)
	e.Notes, e.MoreNotes = firstNotes(e.Notes, e.MoreNotes)
	raw, err := json.Marshal(e)
	if err != nil || len(raw) <= MaxStructured {
		return e
	}
	var whole any
	if readOnly {
		if data, err := json.Marshal(e.Data); err != nil || json.Unmarshal(data, &whole) != nil {
			return e
		}
	}
	for rows := maxRows; rows > 0; rows /= 2 {
		c := shortener{rows: rows, left: map[string]int{}}
		short := c.envelope(*e)
		if readOnly {
			short.Data = c.value("", whole)
		}
		short.Warnings = append(short.Warnings, c.said(p)...)
		if raw, err := json.Marshal(short); err != nil || len(raw) <= MaxStructured || !readOnly && rows == 1 {
			return short
		}
	}
	// Single texts are too long: none of the data is left.
	c := shortener{rows: 1, left: map[string]int{"data": 1}}
	short := c.envelope(*e)
	short.MoreNotes += len(short.Notes)
	short.Data, short.Notes = struct{}{}, []model.Note{}
	short.Warnings = append(short.Warnings, c.said(p)...)
	return short
}

// firstNotes keeps the new notes that the text shows in full; the others are counted.
func firstNotes(notes []model.Note, more int) ([]model.Note, int) {
	if len(notes) <= maxNotes {
		return notes, more
	}
	sorted := bySeverity(notes)
	return sorted[:maxNotes], more + len(notes) - maxNotes
}

// bySeverity is the notes with the most serious first.
func bySeverity(notes []model.Note) []model.Note {
	out := append([]model.Note(nil), notes...)
	sort.SliceStable(out, func(i, j int) bool { return out[i].Severity.Rank() < out[j].Severity.Rank() })
	return out
}

// shortener cuts lists to their first rows and counts, by the list's name, what it cut.
type shortener struct {
	rows int
	left map[string]int
}

func (c *shortener) envelope(e verb.Result) *verb.Result {
	e.Summary = Fold(e.Summary)
	e.Details, e.Resolved, e.Warnings = c.lines("details", e.Details), c.lines("resolved", e.Resolved), c.lines("warnings", e.Warnings)
	if len(e.Options) > c.rows {
		c.left["options"] += len(e.Options) - c.rows
		e.Options = e.Options[:c.rows]
	}
	notes := append([]model.Note(nil), e.Notes...)
	for i := range notes {
		notes[i].Evidence = c.lines("evidence", notes[i].Evidence)
		if most := c.rows; len(notes[i].Others) > most {
			c.left["others"] += len(notes[i].Others) - most
			notes[i].Others = notes[i].Others[:most]
		}
	}
	e.Notes = notes
	return &e
}

func (c *shortener) lines(name string, in []string) []string {
	out := []string{}
	for i, s := range in {
		if i == c.rows {
			c.left[name] += len(in) - i
			break
		}
		out = append(out, Fold(s))
	}
	return out
}

// value cuts the lists within a value as JSON has it.
func (c *shortener) value(name string, v any) any {
	switch x := v.(type) {
	case []any:
		if len(x) > c.rows {
			c.left[name] += len(x) - c.rows
			x = x[:c.rows]
		}
		out := make([]any, len(x))
		for i := range x {
			out[i] = c.value(name, x[i])
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(x))
		for key, val := range x {
			out[key] = c.value(key, val)
		}
		return out
	}
	return v
}

// said is the warning that counts what is left out; none when that is nothing.
func (c *shortener) said(p Printer) []string {
	var what []string
	for name, n := range c.left {
		what = append(what, fmt.Sprintf("%s %d", name, n))
	}
	if len(what) == 0 {
		return nil
	}
	sort.Strings(what)
	return []string{fmt.Sprintf("shortened to %d KB; left out: %s. The same command in a shell with --json prints all", MaxStructured>>10, strings.Join(what, ", "))}
}

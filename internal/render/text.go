package render

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"gitlet/internal/model"
	"gitlet/internal/verb"
)

const (
	maxNotes  = 3 // new notes shown in full
	maxQuotes = 5 // messages shown in one note
)

// Text prints a result as a block that stands on its own, without a line break at
// the end: the outcome, the facts, the ways out of a refusal, the verb's own
// sections, new notes, what resolved, and how many notes are open.
func (p Printer) Text(r *verb.Result) string {
	var pg page
	pg.add(rankFrame, string(r.Outcome)+": "+Fold(r.Summary))
	rows(r.Details, func(s string) { pg.add(rankFacts, "- "+s) })
	p.options(&pg, rankWayOut, "", p.wayOut(r))
	shown := r.AllNotes
	for _, s := range r.Body {
		p.section(&pg, s)
		shown = shown || len(s.Notes) > 0
	}
	p.newNotes(&pg, r)
	lead := []string{""}
	rows(r.Resolved, func(s string) { pg.add(rankFacts, append(lead, "resolved: "+s)...); lead = nil })
	lead = []string{""}
	rows(r.Warnings, func(s string) { pg.add(rankFacts, append(lead, "warning: "+s)...); lead = nil })
	return pg.text(footer(r, shown)...)
}

// Notes prints notes in full, at most three, with a count of the rest; "" for none.
// It is what hooks show between calls.
func (p Printer) Notes(notes []model.Note) string {
	if len(notes) == 0 {
		return ""
	}
	var pg page
	p.newNotes(&pg, &verb.Result{Notes: notes})
	return strings.TrimPrefix(pg.text(), "\n")
}

func footer(r *verb.Result, shown bool) []string {
	var out []string
	if r.Open > 0 {
		line := fmt.Sprintf("%s (%d act).", count(r.Open, "open note"), r.OpenAct)
		if !shown {
			line += " Run status to see them."
		}
		out = append(out, line)
	}
	// What others did in the meantime is not in it; a second or two is nothing to tell.
	if r.StateAge != "" && r.StateAge != "0s" && r.StateAge != "1s" {
		out = append(out, fmt.Sprintf("The others as of %s ago.", Fold(r.StateAge)))
	}
	return out
}

// wayOut is a result's options; a refusal that has none left gets one.
func (p Printer) wayOut(r *verb.Result) []model.Option {
	out := p.spellAll(r.Options)
	if len(out) == 0 && r.Outcome == verb.Refused {
		out = p.spellAll([]model.Option{{Verb: "status", Why: "see where things stand"}})
		if len(out) == 0 {
			out = p.spellAll([]model.Option{{Argv: []string{"gitlet", "--help"}, Why: "see what there is"}})
		}
	}
	return out
}

func (p Printer) spellAll(options []model.Option) []model.Option {
	out := make([]model.Option, 0, len(options))
	for _, o := range options {
		if s, ok := p.Spell(o); ok {
			out = append(out, s)
		}
	}
	return out
}

// options prints calls under "options:", with why each is offered. A shell line's
// reason follows a #, so that the whole line runs as it stands.
func (p Printer) options(pg *page, rank int, indent string, options []model.Option) {
	const widest = 64
	width := 0
	for _, o := range options {
		if n := utf8.RuneCountInString(o.Call + o.Shell); n <= widest {
			width = max(width, n)
		}
	}
	for i, o := range options {
		if i == 0 {
			pg.add(rank, indent+"options:")
		}
		if i == maxRows {
			pg.add(rank, fmt.Sprintf("%s- %d more", indent, len(options)-maxRows))
			return
		}
		call := o.Call + o.Shell
		line := indent + "- " + call
		if why := Fold(o.Why); why != "" {
			line += strings.Repeat(" ", max(0, width-utf8.RuneCountInString(call))+3)
			if p.Face == verb.CLI || o.Shell != "" {
				line += "# "
			}
			line += why
		}
		pg.add(rank, line)
	}
}

func (p Printer) newNotes(pg *page, r *verb.Result) {
	if len(r.Notes) == 0 {
		if r.MoreNotes > 0 {
			pg.add(rankNote, "", count(r.MoreNotes, "more new note")+", run status")
		}
		return
	}
	notes := bySeverity(r.Notes)
	more := r.MoreNotes
	most := maxNotes
	if r.AllNotes {
		most = maxRows
	}
	if len(notes) > most {
		more += len(notes) - most
		notes = notes[:most]
	}
	head := []string{"", "new notes:"}
	for _, n := range notes {
		p.note(pg, rankNote, rankEvidence, head, n)
		head = nil
	}
	if more > 0 {
		pg.add(rankNote, count(more, "more new note")+", run status")
	}
}

// note prints one note; head goes before its first line.
func (p Printer) note(pg *page, rank, evidence int, head []string, n model.Note) {
	heading := append(append([]string(nil), head...), fmt.Sprintf("[%s] %s %s", severity(n.Severity), Fold(n.ID), Fold(n.Title)))
	pg.headed(rank, heading, func() {
		rows(n.Evidence, func(s string) { pg.add(evidence, "  "+s) })
		for i, q := range n.Messages {
			if i == maxQuotes {
				pg.add(evidence, fmt.Sprintf("  %d more messages", len(n.Messages)-maxQuotes))
				break
			}
			pg.add(evidence, block(q.From, q.Text)...)
		}
		p.options(pg, rank, "  ", p.spellAll(n.Options))
	})
}

func severity(s model.Severity) model.Severity {
	if s == model.Act || s == model.Warn {
		return s
	}
	return model.Info
}

// section prints a titled block. Leading spaces of a line (at most six) are kept as
// its depth, and rows are counted at depth 0.
func (p Printer) section(pg *page, s verb.Section) {
	head := []string{""}
	if t := Fold(s.Title); t != "" {
		head = append(head, title(t))
	}
	body := func(lines ...string) {
		pg.add(rankBody, append(head, lines...)...)
		head = nil
	}
	rowsAt, over := 0, 0
	for _, l := range s.Lines {
		depth := min(len(l)-len(strings.TrimLeft(l, " ")), 6)
		if depth == 0 {
			rowsAt++
		}
		if rowsAt > maxRows {
			if depth == 0 {
				over++
			}
			continue
		}
		body("  " + strings.Repeat(" ", depth) + guard(Fold(l)))
	}
	if over > 0 {
		body(fmt.Sprintf("  %d more", over))
	}
	for _, l := range s.Code {
		body("  | " + codeLine(l))
	}
	if s.From != "" || s.Text != "" {
		body(block(s.From, s.Text)...)
	}
	for i, n := range s.Notes {
		if i == maxRows {
			body(fmt.Sprintf("%d more", len(s.Notes)-maxRows))
			break
		}
		p.note(pg, rankBody, rankDetail, head, n)
		head = nil
	}
}

// title makes a heading; "new notes" and "open notes" are headings of gitlet's own,
// anything else that would read as its own is quoted.
func title(t string) string {
	if t != "new notes" && t != "open notes" && readsAsOwn(t+":") {
		return quoteLine(t) + ":"
	}
	return t + ":"
}

// rows visits at most 20 entries, made safe to stand on a line, and then says how
// many more there are.
func rows(list []string, visit func(string)) {
	for i, s := range list {
		if i == maxRows {
			visit(fmt.Sprintf("%d more", len(list)-maxRows))
			return
		}
		visit(guard(Fold(s)))
	}
}

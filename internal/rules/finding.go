package rules

import (
	"fmt"

	"gitlet/internal/model"
	"gitlet/internal/thread"
	"gitlet/internal/view"
)

// finding is one counterpart of one problem.
type finding struct {
	// subject names the problem; findings with equal subjects become one note. It is
	// part of the note's id, so it must not change while the problem lasts.
	subject string
	// symbol is the canonical name for options that take one, key its symbol key;
	// both empty when the problem is not about a symbol.
	symbol, key string
	peer        *view.Peer // nil when the note is about my work alone
	severity    model.Severity
	breaking    bool
	// mine and theirs are the two changes, where there are such.
	mine, theirs *model.SymbolChange
	// myFile and theirFile are the two versions, for notes about a file.
	myFile, theirFile *model.FileChange
	// bring is set when both bring a definition that main does not have.
	bring bool
	// uses are the references behind it, where there are such.
	uses uses
	// shared are facts about main and my work, other facts about the counterpart, last
	// those about my work that are read best at the end.
	shared, other, last []fact
	// item is my item, for options that name it; alike is set when the two stated tasks
	// read alike.
	item  string
	alike bool
	// quotes are what the counterpart wrote; facts beyond the severity, the counterparts
	// and the contract that make the note a new one stand in version.
	quotes  []model.Quote
	cedes   bool     // what was agreed makes another agent the owner
	carries []string // the ids of the messages that the quotes are of
	version string
	// thread is the conversation it is about, agreed what was decided in one, and step what
	// that asks of my item.
	thread *thread.Thread
	agreed *view.Agreement
	step   agreedStep
	// since is set when what it compares with came after my item was submitted.
	since bool
	// need is the recorded need behind it.
	need *view.Need
	// wide is set when my own change is the very wide one.
	wide bool
	// paths are what to read of the counterpart's change, between base and tip where
	// these are set.
	paths     []string
	base, tip string
	// names are what the title lists, and firm keeps the severity for idle counterparts.
	names []string
	firm  bool
	// clash is what two migrations have in common.
	clash *clash
}

// fact is one line of evidence. With several counterparts the label of a fact about
// one of them also names it.
type fact struct{ label, text string }

// maxEvidence caps the lines of evidence in one note.
const maxEvidence = 16

func evidence(fs []finding) []string {
	out := []string{}
	seen := map[string]bool{}
	add := func(f fact, who string) {
		s := f.text
		switch {
		case f.label != "" && who != "":
			s = f.label + " (" + who + "): " + s
		case f.label != "":
			s = f.label + ": " + s
		case who != "":
			s = who + ": " + s
		}
		if s = line(s); !seen[s] {
			seen[s] = true
			out = append(out, s)
		}
	}
	for _, f := range fs {
		for _, x := range f.shared {
			add(x, "")
		}
	}
	for _, f := range fs {
		who := ""
		if len(fs) > 1 && f.peer != nil {
			who = name(*f.peer)
		}
		for _, x := range f.other {
			add(x, who)
		}
	}
	for _, f := range fs {
		for _, x := range f.last {
			add(x, "")
		}
	}
	if extra := len(out) - maxEvidence; extra > 0 {
		out = append(out[:maxEvidence], fmt.Sprintf("and %d more lines", extra))
	}
	return out
}

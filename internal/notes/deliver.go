package notes

import (
	"slices"
	"sort"

	"gitlet/internal/model"
)

// Deliver picks what a verb's result says: the notes no result has shown in their
// present version, strongest and oldest first, at most max in full; how many more
// there are; and the titles of shown notes that resolved since the last result. A
// note that only a hook showed is among them: clients are known to drop what hooks
// add. out has what was picked marked as shown.
func Deliver(stored []Stored, max int) (show []model.Note, more int, resolved []string, out []Stored) {
	out, resolved = announce(stored)
	todo := pick(out, due)
	for n, i := range todo {
		if n >= max {
			more++
			continue
		}
		show = append(show, shown(out[i], model.NoteNew))
		out[i] = mark(out[i], true)
	}
	return show, more, resolved, out
}

// All is Deliver for status: every new and open note, in full, none left over. A
// note's state says whether a result has shown it before.
func All(stored []Stored) (show []model.Note, resolved []string, out []Stored) {
	out, resolved = announce(stored)
	for _, i := range pick(out, live) {
		as := model.NoteOpen
		if due(out[i]) {
			as = model.NoteNew
		}
		show = append(show, shown(out[i], as))
		out[i] = mark(out[i], true)
	}
	return show, resolved, out
}

// DeliverHook picks what a hook says: notes that no channel has shown in their
// present version and that are at least as strong as least. Resolutions are left to
// the next result.
func DeliverHook(stored []Stored, max int, least model.Severity) (show []model.Note, more int, out []Stored) {
	out = append([]Stored(nil), stored...)
	todo := pick(out, func(s Stored) bool {
		return s.State == model.NoteNew && s.Severity.Rank() <= least.Rank()
	})
	for n, i := range todo {
		if n >= max {
			more++
			continue
		}
		show = append(show, shown(out[i], model.NoteNew))
		out[i] = mark(out[i], false)
	}
	return show, more, out
}

// Count returns how many notes are new or open, and how many of those ask for a step now.
func Count(stored []Stored) (open, act int) {
	for _, s := range stored {
		if live(s) {
			open++
			if s.Severity == model.Act {
				act++
			}
		}
	}
	return open, act
}

// due reports whether the next result has to show the note: its present version is
// not what results showed last, or a hook has shown another one since.
func due(s Stored) bool {
	return live(s) && (s.InResult != s.Version || s.Seen != s.Version)
}

// pick returns the places of the notes that want picks, in readers' order.
func pick(stored []Stored, want func(Stored) bool) []int {
	var at []int
	for i, s := range stored {
		if want(s) {
			at = append(at, i)
		}
	}
	sort.Slice(at, func(a, b int) bool { return before(stored[at[a]], stored[at[b]]) })
	return at
}

// announce copies the notes and takes the titles of those whose resolution is due.
func announce(stored []Stored) (out []Stored, titles []string) {
	out = append([]Stored(nil), stored...)
	for _, i := range pick(out, func(s Stored) bool { return s.Announce }) {
		titles = append(titles, out[i].Title)
		out[i].Announce = false
	}
	return out, titles
}

func shown(s Stored, as model.NoteState) model.Note {
	n := s.Note
	n.State, n.Carries = as, nil
	return n
}

// mark records that the present version was shown, in a result or by a hook. From
// here on an earlier dismissal is history: only this version counts.
func mark(s Stored, result bool) Stored {
	s.Seen = s.Version
	if result {
		s.InResult = s.Version
		s.Told = heard(s.Told, s.Carries)
	}
	s.Closed, s.ClosedAs, s.Reason = "", "", ""
	s.State = state(s)
	return s
}

// maxTold bounds how many messages a note remembers to have shown.
const maxTold = 256

// heard adds the messages that a result shows to those that results have shown.
func heard(told, carries []string) []string {
	out := slices.Clone(told)
	for _, m := range carries {
		if !slices.Contains(out, m) {
			out = append(out, m)
		}
	}
	return out[max(0, len(out)-maxTold):]
}

package notes

import (
	"sort"
	"time"

	"gitlet/internal/id"
	"gitlet/internal/model"
)

// Stored is a note with its bookkeeping.
type Stored = model.StoredNote

// Keep is how long a note that is over is remembered after the rules stopped
// producing it, so that one that was dismissed does not come back when its cause
// comes and goes.
const Keep = 14 * 24 * time.Hour

// acted is Stored.ClosedAs for a note that was resolved by taking one of its options.
const acted = "acted"

// Reconcile brings the stored notes in line with what the rules produce now.
//
// A note that is produced keeps its history and takes the new content. It becomes
// new when its version is not the one last shown, open when it is, and stays closed
// while its version is the one that was dismissed or acted on. A note that is no
// longer produced is resolved when it had been shown, and dropped when not; that is
// announced, unless a note that begins now says the same problem in other words. One that
// returns before its resolution was announced goes on as if it had never been away,
// since its reader still thinks of it as open; one that returns later starts afresh.
//
// The result is ordered by id.
func Reconcile(stored []Stored, produced []model.Note, now time.Time) []Stored {
	fresh := distinct(produced)
	out := make([]Stored, 0, len(stored)+len(fresh))
	var over []Stored
	for _, s := range stored {
		n, still := fresh[s.ID]
		delete(fresh, s.ID)
		if still {
			out = append(out, again(s, n, now))
		} else {
			over = append(over, s)
		}
	}
	for _, s := range over {
		if s, keep := gone(s, superseded(s.Note, fresh), now); keep {
			out = append(out, s)
		}
	}
	for _, n := range fresh {
		out = append(out, begin(n, now))
	}
	sort.Slice(out, func(i, j int) bool { return out[i].ID < out[j].ID })
	return out
}

// distinct makes sure that every note has an id and a version and that ids are
// unique; of two with one id the stronger stays.
func distinct(produced []model.Note) map[string]model.Note {
	out := make(map[string]model.Note, len(produced))
	for _, n := range produced {
		if n.ID == "" {
			n.ID = id.Note(n.Kind, n.Subject, n.Item)
		}
		if n.Version == "" {
			// An empty version would read as "never shown".
			n.Version = id.Version(string(n.Severity))
		}
		if old, twice := out[n.ID]; twice && !stronger(n, old) {
			continue
		}
		out[n.ID] = n
	}
	return out
}

func stronger(a, b model.Note) bool {
	if a.Severity.Rank() != b.Severity.Rank() {
		return a.Severity.Rank() < b.Severity.Rank()
	}
	if a.Version != b.Version {
		return a.Version < b.Version
	}
	return a.Title < b.Title
}

// begin starts a stretch in which the note is a problem.
func begin(n model.Note, now time.Time) Stored {
	s := Stored{Note: n, SinceAt: now}
	if s.Since == "" {
		s.Since = now.UTC().Format(time.RFC3339)
	}
	s.State = state(s)
	return s
}

// again is a stored note that is produced.
func again(s Stored, n model.Note, now time.Time) Stored {
	away := !s.GoneAt.IsZero()
	if away && s.ClosedAs == "" && !s.Announce {
		return begin(n, now)
	}
	since := s.Since
	s.Note, s.GoneAt = n, time.Time{}
	if s.Since = since; away && s.ClosedAs != "" {
		s.SinceAt, s.Since = now, now.UTC().Format(time.RFC3339)
	}
	if s.State = state(s); live(s) {
		s.Announce = false
	}
	return s
}

// superseded reports whether one of the notes that begin now takes a note's place: it
// is about the same subject, or is the one note about a very wide change, with a
// counterpart in common. Its reader would take "resolved" for good news.
func superseded(n model.Note, begun map[string]model.Note) bool {
	for _, b := range begun {
		if b.Item == n.Item && (b.Subject == n.Subject || b.Kind == "broad") && shareOther(b, n) {
			return true
		}
	}
	return false
}

func shareOther(a, b model.Note) bool {
	for _, x := range a.Others {
		for _, y := range b.Others {
			if x.Item == y.Item {
				return true
			}
		}
	}
	return false
}

// gone is a stored note that is not produced; false means it is forgotten. replaced
// says that another note took its place.
func gone(s Stored, replaced bool, now time.Time) (Stored, bool) {
	switch {
	case !s.GoneAt.IsZero():
		return s, s.Announce || now.Sub(s.GoneAt) < Keep
	case s.Seen == "" && s.ClosedAs == "":
		return s, false
	}
	s.GoneAt = now
	// Who dismissed it or acted on it has nothing left to hear.
	if s.ClosedAs == "" {
		s.Announce = !replaced
	}
	s.State = state(s)
	return s, true
}

// state derives where a note stands from its bookkeeping.
func state(s Stored) model.NoteState {
	switch {
	case s.ClosedAs == acted && s.Closed == s.Version:
		return model.NoteResolved
	case s.ClosedAs != "" && s.Closed == s.Version:
		return model.NoteDismissed
	case !s.GoneAt.IsZero():
		return model.NoteResolved
	case s.Seen == s.Version:
		return model.NoteOpen
	}
	return model.NoteNew
}

// live reports whether the note is still a problem its reader has to know of.
func live(s Stored) bool { return s.State == model.NoteNew || s.State == model.NoteOpen }

// before is the order of notes for readers: severity, then age, then id.
func before(a, b Stored) bool {
	if a.Severity.Rank() != b.Severity.Rank() {
		return a.Severity.Rank() < b.Severity.Rank()
	}
	if !a.SinceAt.Equal(b.SinceAt) {
		return a.SinceAt.Before(b.SinceAt)
	}
	return a.ID < b.ID
}

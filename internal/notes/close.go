package notes

import (
	"errors"
	"fmt"

	"gitlet/internal/id"
	"gitlet/internal/model"
)

// NotNeeded and FalseAlarm are the ways to dismiss a note: the overlap is real and
// needs no action, or gitlet is wrong.
const (
	NotNeeded  = "not_needed"
	FalseAlarm = "false_alarm"
)

// ErrUnknown is returned for an id that no stored note has.
var ErrUnknown = errors.New("no such note")

// Dismiss closes a note that its reader will not act on. was is the note before;
// one that is over already (was.State) stays as it is. The version that was last
// shown is what gets dismissed: when the facts have changed since, the note is new.
func Dismiss(stored []Stored, noteID, as, reason string) (out []Stored, was Stored, err error) {
	if as != NotNeeded && as != FalseAlarm {
		return stored, Stored{}, fmt.Errorf("dismiss as %q: it is %s or %s", as, NotNeeded, FalseAlarm)
	}
	return closeNote(stored, noteID, as, reason)
}

// Resolve closes a note because its reader acted on it. When it had been shown, the
// next result says so. Otherwise as Dismiss.
func Resolve(stored []Stored, noteID string) (out []Stored, was Stored, err error) {
	return closeNote(stored, noteID, acted, "")
}

// Answer is for the call that acted on a note: a version that only the answer itself
// brought about is closed as the one before was. One that held something not shown before
// the answer stays new: nobody answers what it was not told. noteID is "" where none was
// answered.
func Answer(stored []Stored, produced []model.Note, noteID string) []Stored {
	if noteID == "" {
		return stored
	}
	n, still := distinct(produced)[noteID]
	if !still {
		return stored
	}
	out := append([]Stored(nil), stored...)
	for i := range out {
		if s := &out[i]; s.ID == noteID && s.ClosedAs == acted && !live(*s) {
			s.Closed = n.Version
		}
	}
	return out
}

func closeNote(stored []Stored, noteID, as, reason string) ([]Stored, Stored, error) {
	for i, s := range stored {
		if s.ID != noteID {
			continue
		}
		if !live(s) {
			return stored, s, nil
		}
		out := append([]Stored(nil), stored...)
		n := &out[i]
		if n.Closed = s.Seen; n.Closed == "" {
			n.Closed = s.Version
		}
		n.ClosedAs, n.Reason = as, reason
		n.State = state(*n)
		n.Announce = as == acted && s.Seen != "" && !live(*n)
		return out, s, nil
	}
	return stored, Stored{}, fmt.Errorf("%w: %q", ErrUnknown, noteID)
}

// Find returns the notes that ref can mean: the one with that id, or those whose id
// begins with it (see id.Match). Notes that are over are found too, so that acting
// on one twice can be told from a wrong id.
func Find(stored []Stored, ref string) []Stored {
	ids := make([]string, len(stored))
	at := make(map[string]Stored, len(stored))
	for i, s := range stored {
		ids[i] = s.ID
		at[s.ID] = s
	}
	var out []Stored
	for _, m := range id.Match(ref, ids) {
		out = append(out, at[m])
	}
	return out
}

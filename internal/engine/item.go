package engine

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"gitlet/internal/id"
	"gitlet/internal/model"
)

// closedFor is how long a landed or abandoned item stays in the shared state, so
// that others still hear of its end.
const closedFor = time.Hour

// work is what the work tree holds at one moment.
type work struct {
	Branch string // "" when detached
	Head   string // "" before the first commit
	Main   string // main's name
	Base   string // merge base with main
	// Begun is the commit of main the item counts from: Base, or an older one when the
	// work takes back what main gained since (see begunOn); "" is Base.
	Begun    string
	Snapshot string // commit of the work tree; equal to Head when nothing is uncommitted
	// Footprint is what Snapshot changes against Base.
	Footprint *model.Footprint
	// LeaveAlone: this work gets no item of its own unless start is called. It sits on
	// the branch of a task that was submitted or ended, so it is a review fix or the
	// next task's work; or its agent abandoned it unnamed.
	LeaveAlone bool
	// Unread: nobody looked, so all of the above is unknown and items stay as they are.
	Unread bool
}

func (w work) empty() bool { return w.Footprint == nil || len(w.Footprint.Files) == 0 }

// settle brings the agent's state in line with its work: it opens a provisional item
// for work nobody announced, closes one whose work is gone, follows the branch, and
// renews the heartbeat. It reports whether anything has to be written.
func settle(st *model.State, w work, active bool, lease time.Duration, now time.Time) bool {
	changed := dropClosed(st, now)
	it := st.Active()
	switch {
	case w.Unread:
	case it == nil && !w.empty() && !w.LeaveAlone:
		st.Items = append(st.Items, model.Item{
			ID: id.NewItem(), Intent: guessIntent(w), Provisional: true,
			Status: model.ItemActive, OpenedAt: now,
		})
		it = &st.Items[len(st.Items)-1]
		changed = true
	case it != nil && it.Provisional && w.empty():
		remove(st, it.ID)
		it = nil
		changed = true
	}
	if it != nil && !w.Unread && follow(it, w) {
		it.UpdatedAt = now
		changed = true
	}
	if renew(st, changed, active, lease, now) {
		changed = true
	}
	return changed
}

// follow writes what the work tree holds into the active item.
func follow(it *model.Item, w work) bool {
	fresh := *it
	fresh.Branch, fresh.Head, fresh.Base, fresh.Snapshot = w.Branch, w.Head, w.Begun, w.Snapshot
	if w.Begun == "" {
		fresh.Base = w.Base
	}
	if it.Provisional {
		fresh.Intent = guessIntent(w)
	}
	known := sameFootprint(w.Footprint, it.Footprint)
	if !known {
		fresh.Footprint = w.Footprint
	}
	same := fresh.Branch == it.Branch && fresh.Head == it.Head && fresh.Base == it.Base &&
		fresh.Snapshot == it.Snapshot && fresh.Intent == it.Intent && known
	*it = fresh
	return !same
}

// sameFootprint compares by what a footprint is computed from: the same commits, picked
// stubs and algorithm give the same one.
func sameFootprint(fresh, old *model.Footprint) bool {
	if fresh == nil || old == nil {
		return fresh == nil
	}
	return fresh.Base == old.Base && fresh.Head == old.Head && fresh.Version == old.Version && slices.Equal(fresh.Stubs, old.Stubs)
}

// renew sets the heartbeat when something else is written anyway, or when a third of
// the lease has passed while the agent is at work. An agent without open items has
// nothing to keep alive.
func renew(st *model.State, writing, active bool, lease time.Duration, now time.Time) bool {
	open := false
	for _, it := range st.Items {
		open = open || it.Status.Open()
	}
	late := open && active && due(st.Heartbeat, lease/3, now)
	if writing || late {
		st.Heartbeat = now
		st.LeaseSeconds = int(lease / time.Second)
	}
	return late
}

// dropClosed removes items that ended more than closedFor ago.
func dropClosed(st *model.State, now time.Time) bool {
	kept := st.Items[:0:0]
	for _, it := range st.Items {
		if it.Status.Open() || now.Sub(it.UpdatedAt) < closedFor {
			kept = append(kept, it)
		}
	}
	changed := len(kept) != len(st.Items)
	st.Items = kept
	return changed
}

func remove(st *model.State, item string) {
	kept := st.Items[:0:0]
	for _, it := range st.Items {
		if it.ID != item {
			kept = append(kept, it)
		}
	}
	st.Items = kept
}

// guessIntent words a provisional item by its branch.
func guessIntent(w work) string {
	switch w.Branch {
	case "":
		return "work on a detached HEAD"
	case w.Main:
		return fmt.Sprintf("work on %s", w.Main)
	}
	words := strings.Map(func(r rune) rune {
		if r == '-' || r == '_' || r == '.' {
			return ' '
		}
		return r
	}, path.Base(w.Branch))
	if words = strings.Join(strings.Fields(words), " "); words == "" {
		return fmt.Sprintf("work on %s", w.Branch)
	}
	return words
}

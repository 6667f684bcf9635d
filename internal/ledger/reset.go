package ledger

import "time"

// leastPoll is the shortest poll interval the reset rules reckon with: with polls
// "every time" any pause would be three of them, and nothing could ever lapse.
const leastPoll = 5 * time.Second

// Gaps are the moments that tell whether this machine watched without a break, by
// its own wall clock. A zero time is unknown and proves nothing.
type Gaps struct {
	// LastTickEnd is when the last tick ended, TickStart when this one began. A tick
	// that waits for a long verb is no gap, so the time within ticks does not count.
	LastTickEnd, TickStart time.Time
	// LastFetch is the last successful fetch before Fetch, the newest one.
	LastFetch, Fetch time.Time
}

// Reset reports whether first-seen times have to start over at now, because peers
// may have renewed while nobody here could see it: the machine slept (more than
// three polls between ticks), or the remote was away (more than a third of the
// lease, or three polls when that is longer, between fetches). A clock that went
// backwards proves nothing either and resets too.
func (g Gaps) Reset(poll, lease time.Duration) bool {
	poll = max(poll, leastPoll)
	return gap(g.LastTickEnd, g.TickStart, 3*poll) || gap(g.LastFetch, g.Fetch, max(lease/3, 3*poll))
}

func gap(from, to time.Time, most time.Duration) bool {
	if from.IsZero() || to.IsZero() {
		return false
	}
	// Round drops the monotonic clock, which stands still while a machine sleeps.
	d := to.Round(0).Sub(from.Round(0))
	return d > most || d < 0
}

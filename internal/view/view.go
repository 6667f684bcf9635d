package view

import (
	"sort"
	"time"

	"gitlet/internal/model"
)

// Peer is one item that is not the item being looked at.
type Peer struct {
	Agent model.Agent
	Item  model.Item
	// Mine is set for other items of my own agent.
	Mine bool
	// Lapsed is set when the agent's heartbeat stopped; IdleSince is when it was
	// last seen to change, by this machine's observation.
	Lapsed    bool
	IdleSince time.Time
	// HaveTip is set when the item's tip commit is in this clone.
	HaveTip bool
}

// Idle reports whether the item's agent stopped while the work was still its own to
// finish. Submitted work waits for others, so it is never idle.
func (p Peer) Idle() bool { return p.Lapsed && p.Item.Status != model.ItemSubmitted }

// Prediction is what git says about merging two items' tips.
type Prediction struct {
	Known bool // false: not asked, or git could not tell
	Files []string
}

// Need is one agent's recorded need.
type Need struct {
	Agent string
	model.Need
}

// Accept is one agent's acceptance of a proposal.
type Accept struct {
	Agent string
	model.Accept
}

// Limits bound how long things may stay undecided.
type Limits struct {
	// Messages is how many each side may send about a contested signature, Timeout how
	// long it may stay contested; then it is decided without agreement.
	Messages int
	Timeout  time.Duration
	// Publish is how long a need waits for a published signature before its agent is told.
	Publish time.Duration
}

// Pair names two items, mine first.
type Pair struct{ Mine, Other string }

// View is everything the rules may look at. It is a value: building one costs no
// I/O once the documents are here.
type View struct {
	Now   time.Time
	Agent string
	// Items are my open items; Peers are everyone's other open items that are
	// visible (see Visible), my own agent's included.
	Items  []model.Item
	Peers  []Peer
	Claims []model.Claim
	Needs  []Need
	// Messages and Accepts are everyone's, as they stand in the outboxes.
	Messages []model.Message
	Accepts  []Accept
	Limits   Limits
	// ClashSince is when this machine first saw each contested symbol contested, by key;
	// one that is missing is seen now for the first time.
	ClashSince map[string]time.Time
	// Agreements are the settled threads that my items took part in.
	Agreements []Agreement
	// picked are the changes, by item, that LeavePicked took out of its footprint.
	picked map[string][]model.SymbolChange
	// Predictions holds what is known about merging my items with others.
	Predictions map[Pair]Prediction
	// Second is the worktree's root when another session already serves it, so that this
	// one only looks; "" otherwise.
	Second string
	Mainline
	// Main is main's name ("main") and Remote the remote's ("" in local mode).
	Main   string
	Remote string
}

// Others returns the peers of one of my items: every visible item but itself, in a
// stable order.
func (v *View) Others(mine model.Item) []Peer {
	out := make([]Peer, 0, len(v.Peers))
	for _, p := range v.Peers {
		if p.Item.ID != mine.ID {
			out = append(out, p)
		}
	}
	sort.Slice(out, func(i, j int) bool {
		if out[i].Agent.ID != out[j].Agent.ID {
			return out[i].Agent.ID < out[j].Agent.ID
		}
		return out[i].Item.ID < out[j].Item.ID
	})
	return out
}

// HasNeed reports whether an item of mine has recorded a need on the symbol key.
func (v *View) HasNeed(item, key string) bool { return v.NeedOf(v.Agent, item, key) }

// NeedOf is the same for an item of any agent.
func (v *View) NeedOf(agent, item, key string) bool {
	for _, n := range v.Needs {
		if n.Agent == agent && n.Item == item && v.same(n.Key, key) {
			return true
		}
	}
	return false
}

// Peer returns the visible item with this id, or nil.
func (v *View) Peer(item string) *Peer {
	for i := range v.Peers {
		if v.Peers[i].Item.ID == item {
			return &v.Peers[i]
		}
	}
	return nil
}

// Claim returns the claim on a key, or nil.
func (v *View) Claim(key string) *model.Claim {
	for i := range v.Claims {
		if v.Claims[i].Key == key {
			return &v.Claims[i]
		}
	}
	return nil
}

// root is the key a symbol had before its owner moved or renamed it, as the claims say.
func (v *View) root(key string) string {
	if cl := v.Claim(key); cl != nil && cl.MovedFrom != "" {
		return cl.MovedFrom
	}
	return key
}

// same reports whether two keys are of one symbol, before and after its owner moved it.
func (v *View) same(a, b string) bool { return a == b || v.root(a) == v.root(b) }

// Contracted is the claim that whoever depends on the key goes by: of those its owner has
// on the symbol under its names, the one published last; the one on the key itself, or
// nil, where nothing is.
func (v *View) Contracted(key string) *model.Claim {
	own := v.Claim(key)
	best := own
	for i := range v.Claims {
		cl := &v.Claims[i]
		if cl.Contract == nil || cl.Symbol == nil || !v.same(cl.Key, key) || own != nil && (cl.Owner != own.Owner || cl.Item != own.Item) {
			continue
		}
		if best == nil || best.Contract == nil || cl.Contract.PublishedAt.After(best.Contract.PublishedAt) {
			best = cl
		}
	}
	return best
}

// Observation is what this machine saw of one ref: when its present value was
// first seen, and when the namespace it lives in was last fetched.
type Observation struct {
	FirstSeen time.Time
	LastFetch time.Time
}

// Lapsed judges a lease on observed time only, so clock skew between machines
// never matters: the value stood unchanged for a whole lease of fetches, and the
// last fetch is recent (within one poll interval of now).
func Lapsed(o Observation, lease, poll time.Duration, now time.Time) bool {
	if o.FirstSeen.IsZero() || o.LastFetch.IsZero() {
		return false
	}
	return o.LastFetch.Sub(o.FirstSeen) >= lease && now.Sub(o.LastFetch) <= poll
}

// Visible reports whether an item takes part in the rules: it is open, and an
// unsubmitted one's agent has not been lapsed for longer than stale.
func Visible(it model.Item, lapsed bool, o Observation, stale time.Duration) bool {
	if !it.Status.Open() {
		return false
	}
	if it.Status == model.ItemSubmitted || !lapsed {
		return true
	}
	return o.LastFetch.Sub(o.FirstSeen) <= stale
}

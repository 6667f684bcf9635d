package engine

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"time"

	"gitlet/internal/bus"
	"gitlet/internal/id"
	"gitlet/internal/ledger"
	"gitlet/internal/model"
	"gitlet/internal/thread"
	"gitlet/internal/view"
)

// Ledger keys about threads, each with one JSON object.
const (
	keyClashes    = "clashes"    // symbol key: when it was first and last seen contested
	keyAgreements = "agreements" // thread: view.Agreement
)

const (
	// forgetClash is how long a symbol must be seen uncontested for the time it has to be
	// decided in to start over: a half-written file hides a contest for a moment.
	forgetClash = 2 * time.Minute
	// forgetAgreement is how long a settled thread is remembered at most.
	forgetAgreement = 24 * time.Hour
)

// clash is since when a symbol is contested, and since when it is no more.
type clash struct {
	Since time.Time
	Gone  time.Time `json:",omitzero"`
}

// addThreads adds to a view what threads are derived from: what was said, and since
// when this machine knows of each contest.
func (e *Engine) addThreads(ctx context.Context, v *view.View, now time.Time) {
	v.Limits = view.Limits{Messages: e.settings.ThreadMessages, Timeout: e.settings.ThreadTimeout, Publish: e.settings.PublishTimeout}
	for _, d := range e.docs.Outboxes {
		v.Messages = append(v.Messages, d.Value.Messages...)
		for _, a := range d.Value.Accepts {
			v.Accepts = append(v.Accepts, view.Accept{Agent: d.Value.Agent, Accept: a})
		}
	}
	v.ClashSince = e.clashSince(ctx, thread.Contested(v), now)
	v.Agreements = slices.SortedFunc(maps.Values(e.agreements(ctx)), func(a, b view.Agreement) int {
		return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.Thread, b.Thread))
	})
}

// clashSince notes which symbols are contested now, and returns since when each is.
func (e *Engine) clashSince(ctx context.Context, contested []string, now time.Time) map[string]time.Time {
	known := map[string]clash{}
	e.recall(ctx, keyClashes, &known)
	before := maps.Clone(known)
	out := map[string]time.Time{}
	for _, key := range contested {
		c, ok := known[key]
		if !ok || !c.Gone.IsZero() && now.Sub(c.Gone) > forgetClash {
			c.Since = now
		}
		c.Gone = time.Time{}
		known[key], out[key] = c, c.Since
	}
	for key, c := range known {
		switch {
		case slices.Contains(contested, key):
		case c.Gone.IsZero():
			known[key] = clash{Since: c.Since, Gone: now}
		case now.Sub(c.Gone) > forgetClash:
			delete(known, key)
		}
	}
	if !maps.Equal(known, before) {
		e.retain(ctx, keyClashes, known)
	}
	return out
}

// carriedOut says since when the threads are over that came to an agreement. Those that
// nobody is left to talk about go with every write of the outbox, see ownBus.
func (c *Call) carriedOut(ctx context.Context) map[string]time.Time {
	out := map[string]time.Time{}
	if c.view == nil {
		return out // what is not looked at is kept
	}
	for id, a := range c.agreements(ctx) {
		out[id] = a.At
	}
	for _, t := range thread.Derive(c.view) {
		if t.Kind == thread.Sig && t.Settled() {
			for _, id := range append([]string{t.ID}, t.Also...) {
				delete(out, id)
			}
		}
	}
	return out
}

// forgetContest starts the time over that a contested symbol has to be decided in.
func (e *Engine) forgetContest(ctx context.Context, key string) {
	known := map[string]clash{}
	e.recall(ctx, keyClashes, &known)
	if _, ok := known[key]; ok {
		delete(known, key)
		e.retain(ctx, keyClashes, known)
	}
}

func (e *Engine) agreements(ctx context.Context) map[string]view.Agreement {
	out := map[string]view.Agreement{}
	e.recall(ctx, keyAgreements, &out)
	return out
}

// recall reads a JSON value of this agent from the ledger; what is not there or cannot
// be read leaves it as it is.
func (e *Engine) recall(ctx context.Context, key string, into any) {
	e.recallOf(ctx, e.who.Agent, key, into)
}

func (e *Engine) recallOf(ctx context.Context, agent, key string, into any) {
	text, ok, err := e.ledger.Get(ctx, agent, key)
	if err == nil && ok {
		_ = json.Unmarshal([]byte(text), into) // of another version: forgotten
	}
}

func (e *Engine) retain(ctx context.Context, key string, value any) {
	e.retainOf(ctx, e.who.Agent, key, value)
}

func (e *Engine) retainOf(ctx context.Context, agent, key string, value any) {
	if e.second {
		return // the worktree's own session keeps it
	}
	data, err := json.Marshal(value)
	if err == nil {
		err = e.ledger.Set(ctx, agent, key, string(data))
	}
	if err != nil && !errors.Is(err, ledger.ErrNewer) && !cut(ctx, err) {
		e.warnings.add("what is being discussed could not be noted: %v", err)
	}
}

// Threads are the conversations in view, and what was settled.
func (c *Call) Threads(ctx context.Context) ([]thread.Thread, error) {
	v, err := c.View(ctx)
	if err != nil {
		return nil, err
	}
	return thread.Derive(v), nil
}

// NoteThread is the thread about a note: the contest over its symbol, the conversation
// that was opened from either side's note, or a new one with the note's counterparts.
func (c *Call) NoteThread(ctx context.Context, n model.Note) (thread.Thread, error) {
	v, err := c.View(ctx)
	if err != nil {
		return thread.Thread{}, err
	}
	items := []string{n.Item}
	for _, o := range n.Others {
		items = append(items, o.Item)
	}
	slices.Sort(items)
	kinds := []string{n.Kind}
	if m := mirror[n.Kind]; m != "" {
		kinds = append(kinds, m)
	}
	all := thread.Derive(v)
	for _, t := range all {
		switch {
		case (n.Kind == "signature_clash" || n.Kind == "message") && t.Kind == thread.Sig && t.Name == n.Subject && t.Has(n.Item) && t.State != thread.Over:
			return t, nil
		case n.Kind == "message" || n.Kind == "agreement":
			if t.Goes(n.Subject) {
				return t, nil
			}
		}
	}
	for _, kind := range kinds {
		for _, t := range all {
			if t.Kind == kind && t.ID == id.NoteThread(kind, n.Subject, items) {
				return t, nil
			}
		}
	}
	t := thread.Thread{ID: id.NoteThread(n.Kind, n.Subject, items), Kind: n.Kind, Subject: n.Subject, Name: n.Subject, State: thread.Open}
	by := map[string]int{}
	for _, it := range items {
		p := v.Peer(it)
		if p == nil {
			continue
		}
		if _, ok := by[p.Agent.ID]; !ok {
			by[p.Agent.ID] = len(t.Parties)
			t.Parties = append(t.Parties, thread.Party{Agent: p.Agent.ID})
		}
		party := &t.Parties[by[p.Agent.ID]]
		party.Items = append(party.Items, it)
	}
	return t, nil
}

// mirror is the kind of note that the other side has about the same problem.
var mirror = map[string]string{
	"callee_changed": "callers_affected", "callers_affected": "callee_changed",
	"needed": "ready", "ready": "needed", "still_waiting": "needed", "drift": "needed",
}

// Say appends a message of this agent's item to a thread. Errors say that nothing was
// written.
func (c *Call) Say(ctx context.Context, t thread.Thread, item, text string, p *model.Proposal) (model.Message, error) {
	read, err := c.read(ctx, t)
	if err != nil {
		return model.Message{}, err
	}
	m := c.message(t, item, text, p, read)
	return m, c.changeOutbox(ctx, func(o *model.Outbox) error {
		o.Messages = append(o.Messages, m)
		if p != nil && p.Owner == c.who.Agent && t.Kind == thread.Sig {
			o.Needs = slices.DeleteFunc(o.Needs, func(n model.Need) bool { return n.Key == t.Subject })
		}
		return nil
	})
}

// read are the ids of the thread's messages that the agent answers with what it writes now:
// its own, what it answered before, and what a result has shown it. What arrived since and
// it was not told is not among them, so that it still is.
func (c *Call) read(ctx context.Context, t thread.Thread) ([]string, error) {
	stored, err := c.ledger.Notes(ctx, c.who.Agent)
	if err != nil {
		return nil, err
	}
	told := map[string]bool{}
	for _, n := range stored {
		for _, m := range n.Told {
			told[m] = true
		}
	}
	missed := map[string]bool{}
	for _, m := range t.Unseen(c.who.Agent) {
		missed[m.ID] = !told[m.ID]
	}
	out := []string{}
	for _, m := range t.Messages {
		if !missed[m.ID] {
			out = append(out, m.ID)
		}
	}
	return out, nil
}

// message is what an agent writes, having read some of what the others wrote.
func (c *Call) message(t thread.Thread, item, text string, p *model.Proposal, read []string) model.Message {
	return model.Message{ID: id.NewMessage(), Thread: t.ID, Kind: t.Kind, Subject: t.Subject, SubjectName: t.Name, Items: t.Items(),
		From: c.who.Agent, Item: item, Text: text, Proposal: p, Seen: read[max(0, len(read)-maxSeen):], At: c.Now}
}

// maxSeen bounds how many messages one says that it follows.
const maxSeen = 256

// lastWords tells the threads of an item that is abandoned so, where something is
// still open.
func (c *Call) lastWords(ctx context.Context, item string, status model.ItemStatus, reason string) ([]model.Message, error) {
	if status != model.ItemAbandoned {
		return nil, nil
	}
	threads, err := c.Threads(ctx)
	if err != nil {
		return nil, err
	}
	text := "abandoned"
	if reason != "" {
		text += ": " + reason
	}
	var out []model.Message
	for _, t := range threads {
		if t.Has(item) && t.State == thread.Open && (t.Kind == thread.Sig || len(t.Messages) > 0) {
			read, err := c.read(ctx, t)
			if err != nil {
				return nil, err
			}
			out = append(out, c.message(t, item, text, nil, read))
		}
	}
	return out, nil
}

// Accept records that this agent accepts a proposal of a thread. had is set when it
// did before.
func (c *Call) Accept(ctx context.Context, t thread.Thread, p thread.Proposal) (had bool, err error) {
	err = c.changeOutbox(ctx, func(o *model.Outbox) error {
		had = false
		for _, a := range o.Accepts {
			had = had || a.Proposal == p.ID && a.Thread == p.Thread
		}
		if had {
			return bus.ErrUnchanged
		}
		o.Accepts = append(o.Accepts, model.Accept{Thread: p.Thread, Proposal: p.ID, At: c.Now})
		if p.Owner == c.who.Agent && t.Kind == thread.Sig {
			o.Needs = slices.DeleteFunc(o.Needs, func(n model.Need) bool { return n.Key == t.Subject })
		}
		return nil
	})
	return had, err
}

// withdraw takes this agent's part in what was agreed about a symbol back: it let go of
// what it agreed to, so nothing may bring it back by itself.
func withdraw(o *model.Outbox, key string) bool {
	threads := map[string]bool{}
	for e := range thread.MaxEpoch {
		threads[thread.SigID(key, e)] = true
	}
	n := len(o.Messages) + len(o.Accepts)
	o.Accepts = slices.DeleteFunc(o.Accepts, func(a model.Accept) bool { return threads[a.Thread] })
	o.Messages = slices.DeleteFunc(o.Messages, func(m model.Message) bool { return m.Kind == thread.Sig && m.Subject == key })
	return len(o.Messages)+len(o.Accepts) != n
}

package verbs

import (
	"context"
	"fmt"
	"strings"
	"time"

	"gitlet/internal/engine"
	"gitlet/internal/id"
	"gitlet/internal/model"
	"gitlet/internal/notes"
	"gitlet/internal/thread"
	"gitlet/internal/verb"
	"gitlet/internal/view"
)

// DiscussArgs are the arguments of discuss.
type DiscussArgs struct {
	Common
	About    string    `arg:"about" required:"true" help:"the note (n-...) or thread (t-...) to talk about"`
	Message  string    `arg:"message" required:"true" chars:"text" help:"what you want to say or ask"`
	Proposal *Proposal `arg:"proposal" help:"who should own the interface, with which signature"`
}

// Proposal is an offer made with a message.
type Proposal struct {
	Owner     string `json:"owner"`
	Signature string `json:"signature"`
	Summary   string `json:"summary"`
}

var discuss = define(verb.Spec{
	Name:    "discuss",
	Summary: "Talk to the other agents about a note or thread",
	When:    "Ask what they need, or propose who owns an interface and what its signature is.",
	Example: "gitlet discuss n-3f2a9c1d0e4b 'Do you need the flag on parseConfig?'",
	Effects: verb.Effects{Fresh: true},
}, runDiscuss)

// DiscussData is the data of discuss.
type DiscussData struct {
	Thread   string `json:"thread"`
	Message  string `json:"message"`
	Proposal string `json:"proposal,omitempty"`
	// Left is how many more messages you may write; -1 is any number.
	Left int `json:"left"`
	StatusThread
}

func runDiscuss(ctx context.Context, c *engine.Call, a *DiscussArgs) (*verb.Result, error) {
	t, refusal, err := theThread(ctx, c, a.About)
	if refusal != nil || err != nil {
		return refusal, err
	}
	v, err := c.View(ctx)
	if err != nil {
		return nil, err
	}
	if r := maySay(v, t, a); r != nil {
		return r, nil
	}
	var p *model.Proposal
	if a.Proposal != nil {
		owner, refusal := theOwner(v, t, a)
		if refusal != nil {
			return refusal, nil
		}
		p = &model.Proposal{ID: id.NewProposal(), Owner: owner, Signature: a.Proposal.Signature, Summary: a.Proposal.Summary}
	}
	m, err := c.Say(ctx, t, t.Party(v.Agent).Items[0], a.Message, p)
	if err != nil {
		return nil, err
	}
	return afterwards(ctx, c, t, m)
}

// afterwards tells how the thread stands after a message.
func afterwards(ctx context.Context, c *engine.Call, t thread.Thread, m model.Message) (*verb.Result, error) {
	v, err := c.View(ctx)
	if err != nil {
		return nil, err
	}
	for _, now := range thread.Derive(v) {
		if now.Goes(m.Thread) {
			t = now
		}
	}
	r := &verb.Result{Outcome: verb.OK, Summary: fmt.Sprintf("Told %s about %s.", others(t, v.Agent), t.Called())}
	d := DiscussData{Thread: t.ID, Message: m.ID, Left: t.Left(v.Agent), StatusThread: statusThread(v, t)}
	if m.Proposal != nil {
		d.Proposal = m.Proposal.ID
		r.Summary = fmt.Sprintf("Proposed %s to %s: %s owns %s.", m.Proposal.ID, others(t, v.Agent), m.Proposal.Owner, t.Called())
	}
	r.Details = append(r.Details, "thread "+t.ID)
	if w := waits(v, t); w != "" {
		r.Details = append(r.Details, w)
	}
	switch {
	case t.Limit == 0 || t.State != thread.Open:
	case d.Left == 0 && len(t.WaitsFor(v.Agent)) > 0:
		r.Details = append(r.Details, "that was your last message; you may still accept what waits for you, until the others have written their last, too")
	case d.Left == 0:
		r.Details = append(r.Details, "that was your last message; it is decided once the others accept, or have written their last, too")
	case t.LastWord(v.Agent):
		r.Details = append(r.Details, "you may write 1 more message, and it ends this without agreement, since the others have written their last; a proposal in it could not be accepted any more")
	default:
		r.Details = append(r.Details, "you may write "+count(d.Left, "more message"))
	}
	r.Data = d
	return r, nil
}

// theThread finds what an id given as about means: a thread, or the thread of a note.
func theThread(ctx context.Context, c *engine.Call, about string) (thread.Thread, *verb.Result, error) {
	all, err := c.Threads(ctx)
	if err != nil {
		return thread.Thread{}, nil, err
	}
	stored, err := c.Notes(ctx)
	if err != nil {
		return thread.Thread{}, nil, err
	}
	var ids []string
	at := map[string]int{}
	for i, t := range all {
		for _, tid := range append([]string{t.ID}, t.Also...) {
			at[tid] = i
			ids = append(ids, tid)
		}
	}
	found := map[int]bool{}
	last := -1
	for _, m := range id.Match(about, ids) {
		found[at[m]], last = true, at[m]
	}
	if len(found) == 1 {
		return all[last], nil, nil
	}
	match := notes.Find(stored, about)
	if len(match) == 1 && len(found) == 0 {
		t, err := c.NoteThread(ctx, match[0].Note)
		return t, nil, err
	}
	r := verb.Refuse(fmt.Sprintf("there is no note or thread %q (an id is n- or t- and at least 4 letters or digits of it)", about))
	if len(found)+len(match) > 1 {
		r.Summary = fmt.Sprintf("%q is the beginning of several ids", about)
		for i := range found {
			r.Options = append(r.Options, discussOption(all[i].ID, "about "+all[i].Called()))
		}
		for _, n := range match {
			r.Options = append(r.Options, discussOption(n.ID, n.Title))
		}
	}
	r.Options = append(r.Options, statusOption("list the open notes and threads"))
	return thread.Thread{}, r, nil
}

func discussOption(about, why string) model.Option {
	return model.Option{Verb: "discuss", Args: map[string]any{"about": about, "message": verb.Blank}, Why: why}
}

// talkAbout offers to talk about a symbol, where there is something to talk under: the open
// contest over it that this agent may still speak in, or a note on it.
func talkAbout(ctx context.Context, c *engine.Call, threads []thread.Thread, key, name string) ([]model.Option, error) {
	const why = "ask its owner, or propose who owns it"
	for _, t := range threads {
		if t.Kind == thread.Sig && t.Subject == key && t.State == thread.Open && t.Party(c.Agent()) != nil && t.Left(c.Agent()) != 0 {
			return []model.Option{discussOption(t.ID, why)}, nil
		}
	}
	stored, err := c.Notes(ctx)
	if err != nil {
		return nil, err
	}
	for _, n := range stored {
		if n.Subject == name && len(n.Others) > 0 && (n.State == model.NoteNew || n.State == model.NoteOpen) && n.Kind != "signature_clash" {
			return []model.Option{discussOption(n.ID, why)}, nil
		}
	}
	return nil, nil
}

// maySay refuses a message to a thread that takes none.
func maySay(v *view.View, t thread.Thread, a *DiscussArgs) *verb.Result {
	switch {
	case strings.TrimSpace(a.Message) == "":
		return verb.Refuse("the message is empty", discussOption(a.About, "say something"))
	case t.Party(v.Agent) == nil:
		return verb.Refuse(fmt.Sprintf("you take no part in %s, about %s", t.ID, t.Called()), statusOption("see your threads"))
	case len(t.Parties) < 2:
		return verb.Refuse(fmt.Sprintf("nobody else takes part in the talk about %s any more", t.Called()), statusOption("see how it stands"))
	case t.State == thread.Over || t.Kind == thread.Sig && t.Settled():
		r := verb.Refuse(fmt.Sprintf("%s is decided: %s", t.Called(), decided(t)), statusOption("see how it stands"))
		return r
	case t.Left(v.Agent) == 0:
		r := verb.Refuse(fmt.Sprintf("you have written %s about %s, which is all you may", count(t.Limit, "message"), t.Called()))
		for _, p := range t.Proposals {
			if !p.Replaced && p.From != v.Agent && t.Party(p.Owner) != nil {
				r.Options = append(r.Options, model.Option{Verb: "accept", Args: map[string]any{"proposal": p.ID}, Why: fmt.Sprintf("accept: %s owns it", p.Owner)})
			}
		}
		if t.Kind == thread.Sig {
			r.Options = append(r.Options, model.Option{Verb: "need", Args: map[string]any{"symbol": t.Name}, Why: "let them own it"})
		}
		r.Options = append(r.Options, statusOption("wait: it is decided at "+t.Deadline.UTC().Format("15:04 UTC")+" at the latest"))
		return r
	}
	return nil
}

// theOwner turns the owner of an offer into an agent that takes part.
func theOwner(v *view.View, t thread.Thread, a *DiscussArgs) (string, *verb.Result) {
	owner := strings.TrimSpace(a.Proposal.Owner)
	var rest []string
	for _, p := range t.Parties {
		if p.Agent != v.Agent {
			rest = append(rest, p.Agent)
		}
	}
	switch owner {
	case "me":
		return v.Agent, nil
	case "them":
		if len(rest) == 1 {
			return rest[0], nil
		}
	default:
		for _, p := range t.Parties {
			if p.Agent == owner {
				return owner, nil
			}
		}
	}
	r := verb.Refuse(fmt.Sprintf("%q takes no part in the talk about %s", owner, t.Called()))
	switch owner {
	case "":
		r.Summary = "a proposal names who owns the interface: me, them, or an agent"
	case "them":
		r.Summary = fmt.Sprintf("\"them\" could be any of %s", strings.Join(rest, ", "))
	}
	for _, who := range append([]string{"me"}, rest...) {
		offer := map[string]any{"owner": who}
		if a.Proposal.Signature != "" {
			offer["signature"] = a.Proposal.Signature
		}
		if a.Proposal.Summary != "" {
			offer["summary"] = a.Proposal.Summary
		}
		r.Options = append(r.Options, model.Option{Verb: "discuss", Args: map[string]any{"about": a.About, "message": a.Message, "proposal": offer}, Why: who + " would own it"})
	}
	return "", r
}

// others names those an agent talks to.
func others(t thread.Thread, agent string) string {
	var out []string
	for _, p := range t.Parties {
		if p.Agent != agent {
			out = append(out, p.Agent)
		}
	}
	if len(out) == 0 {
		return "nobody"
	}
	return strings.Join(out, ", ")
}

// decided words the outcome of a thread.
func decided(t thread.Thread) string {
	switch {
	case t.State == thread.Over:
		return "nothing about it is contested any more"
	case t.Owner == "":
		return "without agreement: " + ranOut(t) + ", and nobody holds it, so whoever claims it first owns it"
	case t.Decided != nil:
		return fmt.Sprintf("%s owns it, by %s", t.Owner, t.Decided.ID)
	}
	return t.Owner + " owns it, without agreement: " + ranOut(t) + ", so it goes to who holds the claim"
}

// ranOut says what a thread without agreement was decided by.
func ranOut(t thread.Thread) string {
	if t.Spent() {
		return "everybody has written all it may"
	}
	return "time is up"
}

// waits says what has to happen next, and who has to do it.
func waits(v *view.View, t thread.Thread) string {
	switch t.State {
	case thread.Open:
	case thread.Over:
		return ""
	default:
		return decided(t)
	}
	until := ""
	if t.Limit > 0 {
		until = "; decided at " + t.Deadline.UTC().Format("15:04 UTC") + " at the latest"
	}
	standing := t.Standing()
	switch {
	case len(standing) > 0:
	case t.Kind != thread.Sig:
		return "" // it need not be about who owns anything
	default:
		return "nobody has proposed an owner yet" + until
	}
	var out []string
	for _, p := range standing {
		var names []string
		for _, agent := range t.Missing(&p) {
			if agent == v.Agent {
				agent = "you"
			}
			names = append(names, agent)
		}
		out = append(out, fmt.Sprintf("%s (%s owns it) waits for %s to accept it", p.ID, p.Owner, strings.Join(names, ", ")))
	}
	return strings.Join(out, "; ") + until
}

// StatusThread is one conversation about a contested symbol or a note.
type StatusThread struct {
	ID      string `json:"id"`
	Kind    string `json:"kind"`
	Subject string `json:"subject"`
	State   string `json:"state"`
	// Agents take part; Owner is who owns the subject by what was decided.
	Agents   []string `json:"agents"`
	Owner    string   `json:"owner,omitempty"`
	Messages int      `json:"messages"`
	// Said are the messages, the latest twenty.
	Said      []ThreadMessage  `json:"said"`
	Proposals []ThreadProposal `json:"proposals"`
	Deadline  string           `json:"deadline,omitempty"`
	Next      string           `json:"next,omitempty"`
}

// ThreadMessage is one message of a thread.
type ThreadMessage struct {
	From string `json:"from"`
	// Is is model.QuoteIs.
	Is   string `json:"is"`
	Text string `json:"text"`
	At   string `json:"at"`
}

// ThreadProposal is one proposal of a thread.
type ThreadProposal struct {
	ID        string   `json:"id"`
	From      string   `json:"from"`
	Owner     string   `json:"owner"`
	Signature string   `json:"signature,omitempty"`
	Summary   string   `json:"summary,omitempty"`
	Accepted  []string `json:"accepted"`
	Replaced  bool     `json:"replaced,omitempty"`
}

// acceptOptions offer to accept what waits for this agent, as far as no note does.
func acceptOptions(v *view.View, shown []model.Note) []model.Option {
	offered := map[any]bool{}
	for _, n := range shown {
		for _, o := range n.Options {
			offered[o.Args["proposal"]] = true
		}
	}
	var out []model.Option
	for _, t := range thread.Derive(v) {
		for _, p := range t.WaitsFor(v.Agent) {
			if !offered[p.ID] {
				why := fmt.Sprintf("accept: %s %s, as %s proposes", whoOwns(p.Owner, v.Agent), t.Called(), p.From)
				out = append(out, model.Option{Verb: "accept", Args: map[string]any{"proposal": p.ID}, Why: why})
			}
		}
	}
	return out[:min(len(out), maxOffers)]
}

// maxOffers is how many proposals status offers to accept.
const maxOffers = 3

func statusThread(v *view.View, t thread.Thread) StatusThread {
	s := StatusThread{ID: t.ID, Kind: t.Kind, Subject: t.Name, State: string(t.State), Owner: t.Owner, Messages: len(t.Messages),
		Agents: []string{}, Said: []ThreadMessage{}, Proposals: []ThreadProposal{}, Next: waits(v, t)}
	for _, p := range t.Parties {
		s.Agents = append(s.Agents, p.Agent)
	}
	for _, m := range t.Messages[max(0, len(t.Messages)-20):] {
		s.Said = append(s.Said, ThreadMessage{m.From, model.QuoteIs, m.Text, m.At.UTC().Format(time.RFC3339)})
	}
	for _, p := range t.Proposals {
		s.Proposals = append(s.Proposals, ThreadProposal{p.ID, p.From, p.Owner, p.Signature, p.Summary, p.Accepted, p.Replaced})
	}
	if t.Limit > 0 && t.State == thread.Open {
		s.Deadline = t.Deadline.UTC().Format(time.RFC3339)
	}
	return s
}

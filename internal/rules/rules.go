package rules

import (
	"sort"
	"strconv"
	"strings"
	"time"

	"gitlet/internal/id"
	"gitlet/internal/model"
	"gitlet/internal/similar"
	"gitlet/internal/thread"
	"gitlet/internal/view"
)

// Rule is one kind of note: data for people and documents, and the function that
// finds where it applies.
type Rule struct {
	Kind string
	// When is one sentence: what makes the note appear.
	When string
	// Severities are the levels it can have, strongest first. Every level drops by
	// one when all counterparts are idle.
	Severities []Level
	// Why tells people why it matters.
	Why string
	// Options are the ways forward it offers, in order.
	Options []Choice
	// mutual is set when the counterpart's agent gets the same note, from its side: of two
	// items of one agent one gives it then.
	mutual bool
	// find reports each counterpart of each problem of my item on its own.
	find func(in *Input, mine model.Item) []finding
	// title words one problem with all its counterparts, most severe first.
	title func(subject string, fs []finding) string
}

// Level is a severity and the condition under which a rule gives it.
type Level struct {
	Severity model.Severity
	When     string
}

// pairRules compare one item of mine with one of somebody else's.
var pairRules = []*Rule{
	calleeChanged,
	callersAffected,
	signatureClash,
	bodyOverlap,
	predictedConflict,
	fileOverlap,
	hotFile,
	migrations,
	duplicate,
}

// all is the table of contents, in the order notes of equal severity are shown.
var all = append(append(append([]*Rule{}, pairRules...), claimRules...), stale, newCallers, outsideBranch, lapsed, broad, untitled, sameWorktree)

// claimRules speak of what agents claim, need, publish and say to each other.
var claimRules = []*Rule{agreement, message, drift, ready, needed, diverged, stillWaiting}

// All lists the rules.
func All() []*Rule { return append([]*Rule(nil), all...) }

// Evaluate runs every rule for each open item of mine and returns the notes: most
// severe first, then in the order of All, then by subject and item. Since is the time
// of the view; whoever stores a note keeps the first one.
func Evaluate(v *view.View) []model.Note {
	whole := newInput(v)
	out := []model.Note{}
	for _, mine := range v.Items {
		if !mine.Status.Open() {
			continue
		}
		in := whole.forItem(mine)
		for _, r := range all {
			out = append(out, r.Evaluate(in, mine)...)
		}
	}
	out = append(out, sameWorktree.Evaluate(whole, model.Item{})...)
	order := map[string]int{}
	for i, r := range all {
		order[r.Kind] = i
	}
	sort.SliceStable(out, func(i, j int) bool {
		a, b := out[i], out[j]
		if a.Severity != b.Severity {
			return a.Severity.Rank() < b.Severity.Rank()
		}
		if a.Kind != b.Kind {
			return order[a.Kind] < order[b.Kind]
		}
		if a.Subject != b.Subject {
			return a.Subject < b.Subject
		}
		return a.Item < b.Item
	})
	return out
}

// Input is what the rules see for one item of mine.
type Input struct {
	View *view.View
	// Peers are the counterparts the pair rules look at; Broad those that get one broad
	// note instead: their change is too wide to list, or mine is and meets theirs often.
	Peers, Broad []view.Peer
	// Tasks are the counterparts whose task may be the same, changes or not: Peers and
	// those that have changed nothing yet.
	Tasks []view.Peer

	unique  func(name, family string) bool
	indexes map[*model.Footprint]*index
	pairs   map[[2]*model.Footprint][]pair
	reads   map[string]map[string]similar.Score // by item of mine, then of theirs
	onMain  map[*model.Footprint]func(name, family string) bool
	// pairOnly leaves out what main did: a broad note is about one counterpart.
	pairOnly bool
	derived  *[]thread.Thread
}

// only is the same input with one counterpart.
func (in *Input) only(p view.Peer) *Input {
	return &Input{View: in.View, Peers: []view.Peer{p}, Tasks: []view.Peer{p}, unique: in.unique, indexes: in.indexes, pairs: in.pairs, reads: in.reads, onMain: in.onMain, pairOnly: true}
}

// forItem sorts the counterparts of one item of mine into those to list and those to
// mention once.
func (in *Input) forItem(mine model.Item) *Input {
	in = &Input{View: in.View, unique: in.unique, indexes: in.indexes, pairs: in.pairs, reads: in.reads, onMain: in.onMain}
	for _, p := range in.View.Others(mine) {
		switch {
		case !p.Item.Status.Open():
			continue
		case p.Item.Footprint == nil || mine.Footprint == nil:
			in.Tasks = append(in.Tasks, p)
			continue
		case p.Item.Footprint.Broad, mine.Footprint.Broad && in.only(p).problems(mine) > maxWide:
			in.Broad = append(in.Broad, p)
		default:
			in.Peers = append(in.Peers, p)
			in.Tasks = append(in.Tasks, p)
		}
	}
	return in
}

// maxWide is how many notes about one counterpart a very wide change of my own may
// give before one stands for them all.
const maxWide = 10

// problems counts the notes the pair rules would give.
func (in *Input) problems(mine model.Item) int {
	n := 0
	for _, r := range pairRules {
		subjects := map[string]bool{}
		for _, f := range r.find(in, mine) {
			subjects[f.subject] = true
		}
		n += len(subjects)
	}
	return n
}

// Evaluate returns the rule's notes for one item of mine: one per problem, with all
// its counterparts, by subject.
func (r *Rule) Evaluate(in *Input, mine model.Item) []model.Note {
	bySubject := map[string][]finding{}
	var subjects []string
	for _, f := range r.find(in, mine) {
		if r.mutual && f.peer != nil && f.peer.Mine && !tells(mine, f.peer.Item) {
			continue
		}
		if f.peer != nil && f.peer.Idle() && !f.firm {
			f.severity = f.severity.Lower()
		}
		if _, seen := bySubject[f.subject]; !seen {
			subjects = append(subjects, f.subject)
		}
		bySubject[f.subject] = append(bySubject[f.subject], f)
	}
	sort.Strings(subjects)
	var out []model.Note
	for _, s := range subjects {
		out = append(out, r.note(in, mine, s, bySubject[s]))
	}
	return out
}

// tells picks the one of two items of one agent that gives a note about both: the one at
// work, or the later one.
func tells(mine, other model.Item) bool {
	if a := mine.Status == model.ItemActive; a != (other.Status == model.ItemActive) {
		return a
	}
	if !mine.OpenedAt.Equal(other.OpenedAt) {
		return mine.OpenedAt.After(other.OpenedAt)
	}
	return mine.ID > other.ID
}

// note merges the findings about one subject.
func (r *Rule) note(in *Input, mine model.Item, subject string, fs []finding) model.Note {
	sort.SliceStable(fs, func(i, j int) bool { return fs[i].severity.Rank() < fs[j].severity.Rank() })
	shown := line(subject)
	n := model.Note{
		ID:       id.Note(r.Kind, subject, mine.ID),
		Kind:     r.Kind,
		Severity: fs[0].severity,
		State:    model.NoteNew,
		Title:    line(r.title(asName(shown), fs)),
		Evidence: evidence(fs),
		Item:     mine.ID,
		Others:   []model.Other{},
		Subject:  shown,
		Since:    in.View.Now.UTC().Format(time.RFC3339),
	}
	var items []string
	contract, breaking, more := "", false, []string{}
	for _, f := range fs {
		if f.version != "" {
			more = append(more, f.version)
		}
		n.Messages = append(n.Messages, f.quotes...)
		n.Carries = append(n.Carries, f.carries...)
		breaking = breaking || f.breaking
		if c := in.View.Claim(f.key); f.key != "" && c != nil && c.Contract != nil {
			contract = c.Contract.SigHash
		}
		if f.peer != nil {
			items = append(items, f.peer.Item.ID)
			n.Others = append(n.Others, model.Other{Agent: f.peer.Agent.ID, Item: f.peer.Item.ID, Intent: cut(fold(f.peer.Item.Intent), maxLine)})
		}
	}
	sort.Strings(items)
	sort.SliceStable(n.Others, func(i, j int) bool {
		a, b := n.Others[i], n.Others[j]
		return a.Agent < b.Agent || a.Agent == b.Agent && a.Item < b.Item
	})
	facts := []string{string(n.Severity), strings.Join(items, " "), contract, strconv.FormatBool(breaking)}
	if sort.Strings(more); len(more) > 0 {
		facts = append(facts, more...)
	}
	n.Version = id.Version(facts...)
	n.Options = r.options(in, n.ID, fs)
	return n
}

package rules

import (
	"sort"

	"gitlet/internal/model"
	"gitlet/internal/thread"
	"gitlet/internal/view"
)

var needed = &Rule{
	Kind: "needed",
	When: "Another item needs a symbol that mine owns, or changes while nobody owns it, and no signature of it is published. An agreement that says so stands for it.",
	Severities: []Level{
		{model.Act, "always"},
	},
	Why: "They wait for the new signature. Published now, they can build on it before the work lands.",
	Options: []Choice{
		{Verb: "publish", Why: "publish the new signature, so that they can build on it; it becomes yours first when nobody owns it",
			When: "my item does not remove it", fits: keepsIt},
		{Verb: "release", Why: "leave it to somebody who keeps it: your work removes it, so it has no signature to publish",
			When: "my item owns it and removes it", fits: removesOwn},
		ask("ask what exactly they need"),
		{Verb: "who", Why: "see who else changes and needs it"},
	},
	find:  findNeeded,
	title: titleNeeded,
}

func keepsIt(_ *Input, fs []finding) bool {
	return fs[0].mine == nil || fs[0].mine.Change != model.ChangeRemoved
}

func removesOwn(in *Input, fs []finding) bool {
	cl := in.View.Claim(fs[0].key)
	return !keepsIt(in, fs) && cl != nil && cl.Owner == in.View.Agent
}

func findNeeded(in *Input, mine model.Item) []finding {
	v := in.View
	var out []finding
	for i := range v.Needs {
		n := &v.Needs[i]
		p := v.Peer(n.Item)
		if p == nil || p.Agent.ID != n.Agent || n.Item == mine.ID || n.PinnedSigHash != "" || v.HasNeed(mine.ID, n.Key) {
			continue
		}
		name, ok := in.minesToPublish(mine, n.Key)
		if !ok || in.decided(mine, n.Key, n.Item) {
			continue
		}
		f := finding{subject: name, symbol: name, key: n.Key, peer: p, need: n, mine: mine.Footprint.Change(n.Key), severity: model.Act, breaking: true}
		if n.Requirement != "" {
			f.quotes = []model.Quote{{From: n.Agent, Text: n.Requirement}}
			f.version = n.Requirement
		}
		out = append(out, f)
	}
	sort.SliceStable(out, func(i, j int) bool { return earlier(out[i].peer, out[j].peer) })
	return out
}

// earlier orders counterparts.
func earlier(a, b *view.Peer) bool {
	if a.Agent.ID != b.Agent.ID {
		return a.Agent.ID < b.Agent.ID
	}
	return a.Item.ID < b.Item.ID
}

// minesToPublish reports whether it is my item that others wait for: it holds the claim,
// or nobody does and it changes what callers see. name is how the symbol is spelled.
func (in *Input) minesToPublish(mine model.Item, key string) (name string, ok bool) {
	v := in.View
	c := mine.Footprint.Change(key)
	if cl := v.Contracted(key); cl != nil {
		return cl.Name(), cl.Contract == nil && cl.Owner == v.Agent && cl.Item == mine.ID
	}
	if c == nil || !c.SignatureChanged() && c.Change != model.ChangeAdded {
		return "", false
	}
	if c.Symbol.Key == key {
		return c.Symbol.Canonical(), true
	}
	return c.OriginName(), true
}

// decided reports whether an agreement says it already: my item owns the symbol by it,
// and theirs waits.
func (in *Input) decided(mine model.Item, key, theirs string) bool {
	a := in.View.Agreed(key)
	if a == nil || a.Kind != thread.Sig {
		return a != nil && in.asked(mine, key)
	}
	return a.Owner == in.View.Agent && contains(a.Items, mine.ID) && contains(a.Items, theirs)
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

func titleNeeded(subject string, fs []finding) string {
	verb := "need"
	if len(fs) == 1 {
		verb = "needs"
	}
	return peers(fs) + " " + verb + " " + subject + ", and no signature of it is published"
}

// eachNeed visits the needs of one of my items that others are to meet, with the claim on each symbol.
func (in *Input) eachNeed(mine model.Item, visit func(n *view.Need, cl *model.Claim)) {
	for i := range in.View.Needs {
		n := &in.View.Needs[i]
		if n.Agent == in.View.Agent && n.Item == mine.ID && !in.View.Owns(n.Agent, n.Item, n.Key) {
			visit(n, in.View.Contracted(n.Key))
		}
	}
}

// ownerOf is the item behind a claim, nil when it is not in view.
func (in *Input) ownerOf(cl *model.Claim) *view.Peer {
	if cl == nil {
		return nil
	}
	if p := in.View.Peer(cl.Item); p != nil && p.Agent.ID == cl.Owner {
		return p
	}
	return nil
}

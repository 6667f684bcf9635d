package thread

import (
	"sort"
	"strconv"

	"gitlet/internal/id"
	"gitlet/internal/model"
	"gitlet/internal/view"
)

// Clash reports whether main can keep only one of two changes of one symbol. bring is
// set when main does not have the symbol and both bring it.
func Clash(a, b *model.SymbolChange, bring bool) bool {
	if a.SameResult(*b) {
		return false
	}
	if a.Change == model.ChangeRemoved || b.Change == model.ChangeRemoved {
		return true
	}
	return bring || a.EditsSignature() && b.EditsSignature()
}

// candidate is one item's change of a symbol.
type candidate struct {
	agent, item string
	change      *model.SymbolChange
	name        string
	bring       bool
}

// contest is one symbol that several agents change so that main can keep only one.
type contest struct {
	key, name string
	parties   []Party
	// open is set while two that have not ceded clash.
	open bool
}

// Contested are the keys of the symbols that are contested in the view, in order.
func Contested(v *view.View) []string {
	var out []string
	for _, c := range contests(v, nil) {
		if c.open {
			out = append(out, c.key)
		}
	}
	return out
}

// contests finds the contested symbols, by key. Very wide changes take part in none:
// one note stands for all they touch. With wanted, only those keys are looked at.
func contests(v *view.View, wanted map[string]bool) []contest {
	byKey := map[string][]candidate{}
	for i := range v.Peers {
		p := &v.Peers[i]
		fp := p.Item.Footprint
		if fp == nil || fp.Broad || !p.Item.Status.Open() {
			continue
		}
		for j := range fp.Symbols {
			c := &fp.Symbols[j]
			add := func(key, name string, bring bool) {
				if wanted != nil && !wanted[key] {
					return
				}
				byKey[key] = append(byKey[key], candidate{p.Agent.ID, p.Item.ID, c, name, bring})
			}
			origin := c.OriginKey()
			if c.Change != model.ChangeAdded {
				add(origin, c.OriginName(), false)
			}
			if c.Change == model.ChangeAdded || origin != c.Symbol.Key {
				add(c.Symbol.Key, c.Symbol.Canonical(), true)
			}
		}
	}
	var keys []string
	for key, list := range byKey {
		if severalAgents(list) {
			keys = append(keys, key)
		}
	}
	sort.Strings(keys)
	var out []contest
	for _, key := range keys {
		if c, ok := contestOf(v, key, byKey[key]); ok {
			out = append(out, c)
		}
	}
	return out
}

// concerns are the symbols that the agent's items change, that it holds or needs, and that
// anybody spoke about or settled.
func concerns(v *view.View, agent string, by map[string][]model.Message) map[string]bool {
	keys := map[string]bool{}
	for i := range v.Peers {
		fp := v.Peers[i].Item.Footprint
		if v.Peers[i].Agent.ID != agent || fp == nil {
			continue
		}
		for j := range fp.Symbols {
			keys[fp.Symbols[j].OriginKey()], keys[fp.Symbols[j].Symbol.Key] = true, true
		}
	}
	for _, c := range v.Claims {
		if c.Owner == agent {
			keys[c.Key] = true
		}
	}
	for _, n := range v.Needs {
		if n.Agent == agent {
			keys[n.Key] = true
		}
	}
	for _, a := range v.Agreements {
		keys[a.Subject] = true
	}
	for _, ms := range by {
		for _, m := range ms {
			keys[m.Subject] = true
		}
	}
	return keys
}

func severalAgents(list []candidate) bool {
	for _, c := range list[1:] {
		if c.agent != list[0].agent {
			return true
		}
	}
	return false
}

func contestOf(v *view.View, key string, list []candidate) (contest, bool) {
	ceded := map[string]bool{}
	for _, n := range v.Needs {
		if n.Key == key {
			ceded[n.Item] = true
		}
	}
	out := contest{key: key}
	in := map[string]candidate{}
	for i, a := range list {
		for _, b := range list[i+1:] {
			if a.agent == b.agent || a.bring != b.bring || a.bring && a.change.OriginKey() == b.change.OriginKey() && a.change.Change != model.ChangeAdded && b.change.Change != model.ChangeAdded || !Clash(a.change, b.change, a.bring) {
				continue
			}
			in[a.item], in[b.item] = a, b
			out.open = out.open || !ceded[a.item] && !ceded[b.item]
			if out.name == "" || a.name < out.name {
				out.name = a.name
			}
		}
	}
	if len(in) == 0 {
		return contest{}, false
	}
	out.parties = parties(v, key, in, ceded)
	return out, true
}

// parties are the agents behind the items, and the claim's holder.
func parties(v *view.View, key string, in map[string]candidate, ceded map[string]bool) []Party {
	by := map[string]*Party{}
	for item, c := range in {
		p := by[c.agent]
		if p == nil {
			p = &Party{Agent: c.agent, Ceded: true}
			by[c.agent] = p
		}
		p.Items = append(p.Items, item)
		p.Ceded = p.Ceded && ceded[item]
	}
	if cl := v.Claim(key); cl != nil {
		if p := by[cl.Owner]; p != nil {
			p.Holder = true
		} else if h := v.Peer(cl.Item); h != nil && h.Agent.ID == cl.Owner {
			by[cl.Owner] = &Party{Agent: cl.Owner, Items: []string{cl.Item}, Holder: true, Ceded: ceded[cl.Item]}
		}
	}
	var out []Party
	for _, p := range by {
		sort.Slice(p.Items, func(i, j int) bool {
			a, b := v.Peer(p.Items[i]), v.Peer(p.Items[j])
			if x, y := a.Item.Status == model.ItemActive, b.Item.Status == model.ItemActive; x != y {
				return x
			}
			return p.Items[i] < p.Items[j]
		})
		out = append(out, *p)
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Agent < out[j].Agent })
	return out
}

// maxEpochs is how many earlier owners back an agreement is looked for.
const maxEpochs = 8

// sigThreads derives one thread per contested symbol, and those that can still be read.
func sigThreads(v *view.View, by map[string][]model.Message, wanted map[string]bool) []Thread {
	var out []Thread
	taken := map[string]bool{}
	for _, c := range contests(v, wanted) {
		t, ok := sigThread(v, c, by)
		if !ok {
			continue
		}
		taken[t.ID] = true
		for _, a := range t.Also {
			taken[a] = true
		}
		out = append(out, t)
	}
	for id, ms := range by {
		if t, ok := overThread(v, id, ms); ok && !taken[id] {
			out = append(out, t)
		}
	}
	return out
}

// SigID is the id of the thread about a symbol at an epoch of its claim, 0 while nobody
// holds it.
func SigID(key string, epoch int) string { return id.SigThread(key, strconv.Itoa(epoch)) }

func sigThread(v *view.View, c contest, by map[string][]model.Message) (Thread, bool) {
	epoch, begun := 0, 0
	claim := v.Claim(c.key)
	if claim != nil {
		epoch, begun = claim.Epoch, claim.First()
	}
	current := Thread{ID: SigID(c.key, epoch), Kind: Sig, Subject: c.key, Name: c.name, Epoch: epoch}
	ms := about(by[current.ID], c.key)
	if claim != nil && epoch == begun {
		// What was said before somebody claimed it goes on here.
		before := SigID(c.key, 0)
		if old := about(by[before], c.key); len(old) > 0 {
			current.Also = []string{before}
			ms = causal(append(append([]model.Message(nil), old...), ms...))
		}
	}
	fill(v, &current, c, ms)
	current.Limit, current.Deadline = v.Limits.Messages, v.Now.Add(v.Limits.Timeout)
	if since, ok := v.ClashSince[c.key]; ok {
		current.Deadline = since.Add(v.Limits.Timeout)
	}
	t := &current
	t.Decided = t.decide()
	for _, e := range before(epoch, begun) {
		if t.Decided != nil {
			break
		}
		old := Thread{ID: SigID(c.key, e), Kind: Sig, Subject: c.key, Name: c.name, Epoch: e, Limit: current.Limit, Deadline: current.Deadline}
		if fill(v, &old, c, about(by[old.ID], c.key)); old.decide() != nil {
			t = &old
			t.Decided = t.decide()
		}
	}
	switch {
	case t.Decided != nil:
		t.State, t.Owner = Agreed, t.Decided.Owner
		if id := t.Decided.Thread; id != t.ID {
			t.ID, t.Also = id, append(t.Also, t.ID)
		}
		if t.done(claim) {
			t.State = Over
		}
		return *t, true
	case !c.open:
		return Thread{}, false
	case t.Spent() || !v.Now.Before(t.Deadline):
		t.State = Bound
		if claim != nil {
			t.Owner = claim.Owner
		}
	default:
		t.State = Open
	}
	return *t, true
}

// before are the epochs ahead of the present one in which what was agreed still counts,
// the latest first: those since the claim was created, and the time before that.
func before(epoch, begun int) []int {
	var out []int
	for e := epoch - 1; e >= begun && e > 0 && e >= epoch-maxEpochs; e-- {
		out = append(out, e)
	}
	if epoch > 0 {
		out = append(out, 0)
	}
	return out
}

// about leaves out what names the thread and another symbol.
func about(ms []model.Message, key string) []model.Message {
	var out []model.Message
	for _, m := range ms {
		if m.Kind == Sig && m.Subject == key {
			out = append(out, m)
		}
	}
	return out
}

func fill(v *view.View, t *Thread, c contest, ms []model.Message) {
	t.Messages = ms
	t.Proposals = proposals(ms, v.Accepts)
	t.Parties = append([]Party(nil), c.parties...)
	for i := range t.Parties {
		t.Parties[i].Sent = 0
		for _, m := range ms {
			if m.From == t.Parties[i].Agent {
				t.Parties[i].Sent++
			}
		}
	}
}

// Spent reports whether everyone who still contests the symbol said all it may say.
func (t *Thread) Spent() bool { return t.spentBut("") }

// LastWord reports whether the agent has one message left and nobody else has any, so that
// it ends the contest.
func (t *Thread) LastWord(agent string) bool {
	p := t.Party(agent)
	return p != nil && !p.Ceded && p.Sent == t.Limit-1 && t.spentBut(agent)
}

func (t *Thread) spentBut(agent string) bool {
	if t.Limit <= 0 {
		return false
	}
	for _, p := range t.Parties {
		if p.Agent != agent && !p.Ceded && p.Sent < t.Limit {
			return false
		}
	}
	return true
}

// done reports whether an agreement is carried out: the owner's claim is there, and
// every other party recorded its need.
func (t *Thread) done(claim *model.Claim) bool {
	if claim == nil || claim.Owner != t.Owner {
		return false
	}
	for _, p := range t.Parties {
		if p.Agent != t.Owner && !p.Ceded {
			return false
		}
	}
	return true
}

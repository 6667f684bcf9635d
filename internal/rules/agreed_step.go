package rules

import (
	"gitlet/internal/model"
	"gitlet/internal/thread"
	"gitlet/internal/view"
)

// agreedStep is what an agreement asks of the item that holds the symbol's claim.
type agreedStep string

// The steps. Each has one note, and ends when it is done.
const (
	stepNone agreedStep = ""
	// stepChange: the item's signature is another one than was agreed.
	stepChange agreedStep = "change"
	// stepPublish: it is the agreed one, or cannot be compared with it, and what is
	// published is not.
	stepPublish agreedStep = "publish"
	// stepLeave: main has the agreed one, so nothing has to be published.
	stepLeave agreedStep = "leave"
	// stepYield: another agent was agreed on as the owner.
	stepYield agreedStep = "yield"
)

// asks is what an agreement about a symbol leaves to do for my item, which holds its claim.
// Contests over a signature hand the claim over by themselves. Before anything is published
// their owner's note asks to publish anyway, unless its signature is another one than was
// agreed: that is stepNone here.
func (in *Input) asks(mine model.Item, a *view.Agreement) agreedStep {
	v := in.View
	cl := in.heldBy(mine, a)
	switch {
	case cl == nil:
		return stepNone
	case a.Owner != v.Agent && a.Kind != thread.Sig && v.LatestOn(cl.Key) == a && in.ownerAtWork(a):
		return stepYield
	case a.Owner != v.Agent || a.Signature == "" || v.Agreed(cl.Key) != a:
		return stepNone
	}
	published := v.Contracted(cl.Key).Contract
	c := mine.Footprint.Change(cl.Key)
	gone := c != nil && c.Change == model.ChangeRemoved
	if published == nil && a.Kind == thread.Sig && (c == nil || !gone && compared(a, c.Symbol) != otherwise) {
		return stepNone
	}
	changes := c != nil && c.Change != model.ChangeBody && c.Change != model.ChangeRemoved
	there, after := unread, false
	if published != nil {
		there = compared(a, model.Symbol{Signature: published.Signature, SigHash: published.SigHash})
		after = !published.PublishedAt.Before(a.At)
	}
	switch {
	case c == nil && a.Main, c != nil && c.Change != model.ChangeAdded && compared(a, before(c)) == asAgreed:
		if published == nil && !changes && !gone {
			return stepNone
		}
		return stepLeave
	case there == asAgreed && (c == nil || changes && published.SigHash == c.Symbol.SigHash):
		return stepNone
	case there == unread && after:
		return stepNone
	case !changes || c.Change != model.ChangeRenamed && compared(a, c.Symbol) == otherwise:
		return stepChange
	}
	return stepPublish
}

// kept reports whether my item published since what it agreed to publish.
func (in *Input) kept(mine model.Item, a *view.Agreement) bool {
	cl := in.heldBy(mine, a)
	if cl == nil || a.Owner != in.View.Agent || a.Signature == "" {
		return false
	}
	k := in.View.Contracted(cl.Key).Contract
	return k != nil && !k.PublishedAt.Before(a.At)
}

// reading is how a signature compares with the text that was agreed on.
type reading int

const (
	unread reading = iota // the text cannot be compared
	asAgreed
	otherwise
)

func compared(a *view.Agreement, s model.Symbol) reading {
	switch kept, known := a.Kept(s); {
	case !known:
		return unread
	case kept:
		return asAgreed
	}
	return otherwise
}

// nextStep words what is to be done, beside the signature that was agreed.
func (in *Input) nextStep(mine model.Item, a *view.Agreement, step agreedStep) []fact {
	cl := in.heldBy(mine, a)
	if cl == nil || step == stepNone {
		return nil
	}
	if step == stepYield {
		return []fact{{"next", "let go of it; then " + place(a.Owner) + " can claim it"}}
	}
	var out []fact
	c := mine.Footprint.Change(cl.Key)
	if c == nil {
		out = append(out, fact{"yours", "as main has it"})
	} else {
		out = append(out, fact{"yours", becomes(c)})
	}
	if k := in.View.Contracted(cl.Key).Contract; k != nil {
		out = append(out, fact{"published", signature(k.Signature)})
	}
	switch step {
	case stepChange:
		return append(out, fact{"next", "give yours the agreed signature, then publish it"})
	case stepLeave:
		return append(out, fact{"next", "main has the agreed signature: take your change of it back and let go of it"})
	}
	if c != nil && compared(a, c.Symbol) == unread {
		return append(out, fact{"next", "the agreed text does not read as this definition: compare the two yourself, then publish yours"})
	}
	return append(out, fact{"next", "publish yours"})
}

// heldBy is the claim that my item holds on the symbol an agreement is about, nil when it
// holds none.
func (in *Input) heldBy(mine model.Item, a *view.Agreement) *model.Claim {
	v := in.View
	for i := range v.Claims {
		cl := &v.Claims[i]
		if cl.Owner == v.Agent && cl.Item == mine.ID && cl.Symbol != nil && contains(a.Items, mine.ID) && a.On(v.Claims, cl.Key) {
			return cl
		}
	}
	return nil
}

// unowned is my change of the symbol that a talk made mine and that nobody holds, nil where
// there is none.
func (in *Input) unowned(mine model.Item, a *view.Agreement) *model.SymbolChange {
	v := in.View
	if a.Kind == thread.Sig || a.Kind == "duplicate" || a.Owner != v.Agent || mine.Footprint == nil || view.ClaimNamed(v.Claims, a.Subject) != nil {
		return nil
	}
	for i := range mine.Footprint.Symbols {
		if c := &mine.Footprint.Symbols[i]; editsSignature(c) && c.OriginName() == a.Subject {
			return c
		}
	}
	return nil
}

// changeOf is my change of the symbol of an agreement whose claim my item holds.
func (in *Input) changeOf(mine model.Item, a *view.Agreement) *model.SymbolChange {
	if cl := in.heldBy(mine, a); cl != nil {
		return mine.Footprint.Change(cl.Key)
	}
	return nil
}

// asked reports whether an agreement asks something of my item about a symbol, so that no
// other note has to ask it too.
func (in *Input) asked(mine model.Item, key string) bool {
	a := in.View.Agreed(key)
	return a != nil && in.asks(mine, a) != stepNone
}

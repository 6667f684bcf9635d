package rules

import (
	"gitlet/internal/model"
	"gitlet/internal/thread"
)

var diverged = &Rule{
	Kind: "diverged",
	When: "The signature of a symbol my item owns differs from the one it published, or, before it published any, from the one that was agreed. What an agreement asks since is in its own note.",
	Severities: []Level{
		{model.Act, "always"},
	},
	Why: "Others build on what was published or agreed, not on what the code says now.",
	Options: []Choice{
		{Verb: "submit", Why: "hand in again what you published since", When: "the task was submitted before it was published", fits: publishedSince},
		{Verb: "publish", Why: "publish the signature as it is now", When: "else", lists: publishMine},
		{Verb: "discuss", Why: "tell the others before you change it", When: "somebody else agreed to it or needs it", fits: foreign},
	},
	find:  findDiverged,
	title: titleDiverged,
}

func findDiverged(in *Input, mine model.Item) []finding {
	v := in.View
	var out []finding
	for i := range v.Claims {
		cl := &v.Claims[i]
		c := mine.Footprint.Change(cl.Key)
		if cl.Owner != v.Agent || cl.Item != mine.ID || c == nil || in.asked(mine, cl.Key) {
			continue
		}
		promised, label := "", "published"
		gone := c.Change == model.ChangeRemoved
		switch a := v.Agreed(cl.Key); {
		case cl.Contract != nil:
			if !gone && cl.Contract.SigHash == c.Symbol.SigHash || cl.Contract.SigHash == "" {
				continue
			}
			promised = cl.Contract.Signature
		case a != nil && a.Kind == thread.Sig && a.Owner == v.Agent && contains(a.Items, mine.ID):
			if kept, known := a.Kept(c.Symbol); !known || kept && !gone {
				continue
			}
			promised, label = a.Signature, "agreed"
		default:
			continue
		}
		f := finding{subject: cl.Name(), symbol: cl.Name(), key: cl.Key, severity: model.Act, breaking: true, mine: c,
			shared: []fact{{label, signature(promised)}, {"yours", becomes(c)}}, version: label + c.Symbol.SigHash}
		if gone {
			f.version = label
		}
		if f.since = cl.Contract != nil && mine.Status == model.ItemSubmitted && cl.Contract.PublishedAt.After(mine.UpdatedAt); f.since {
			f.shared[1].label = "handed in"
			f.version += "since"
		}
		waiting := in.waiting(mine, cl.Key)
		if len(waiting) == 0 {
			out = append(out, f)
		}
		for _, w := range waiting {
			f.peer = w
			out = append(out, f)
		}
	}
	return out
}

func publishedSince(_ *Input, fs []finding) bool { return fs[0].since }

func publishMine(_ *Input, note string, f finding) []model.Option {
	if f.since {
		return nil
	}
	return []model.Option{{Verb: "publish", Args: map[string]any{"symbol": f.symbol, "note": note}, Why: "publish the signature as it is now"}}
}

func titleDiverged(subject string, fs []finding) string {
	if fs[0].since {
		return "what you submitted of " + subject + " differs from the signature you published since"
	}
	what := "the signature you published"
	if fs[0].shared[0].label == "agreed" {
		what = "the signature that was agreed"
	}
	return "your " + subject + " differs from " + what
}

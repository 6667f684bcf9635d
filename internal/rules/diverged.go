package rules

import (
	"gitlet/internal/model"
)

var diverged = &Rule{
	Kind: "diverged",
	When: "The signature of a symbol my item owns differs from the one it published. What an agreement asks, before anything is published or since, is in the note about it.",
	Severities: []Level{
		{model.Act, "always"},
	},
	Why: "Others build on what was published, not on what the code says now.",
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
		gone := c.Change == model.ChangeRemoved
		if cl.Contract == nil || cl.Contract.SigHash == "" || !gone && cl.Contract.SigHash == c.Symbol.SigHash {
			continue
		}
		f := finding{subject: cl.Name(), symbol: cl.Name(), key: cl.Key, severity: model.Act, breaking: true, mine: c,
			shared: []fact{{"published", signature(cl.Contract.Signature)}, {"yours", becomes(c)}}, version: "published" + c.Symbol.SigHash}
		if gone {
			f.version = "published"
		}
		if f.since = mine.Status == model.ItemSubmitted && cl.Contract.PublishedAt.After(mine.UpdatedAt); f.since {
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
	return "your " + subject + " differs from the signature you published"
}

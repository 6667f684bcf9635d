package rules

import (
	"gitlet/internal/model"
	"gitlet/internal/view"
)

var lapsed = &Rule{
	Kind: "lapsed",
	When: "The owner of a claim that I need or contest has stopped renewing it.",
	Severities: []Level{
		{model.Warn, "always"},
	},
	Why: "Nobody may be at work on the version you wait for. A claim that is not renewed can be taken over.",
	Options: []Choice{
		{Verb: "claim", Why: "take it over, and build on your own version"},
		dismissNote,
	},
	find:  findLapsed,
	title: titleLapsed,
}

func findLapsed(in *Input, mine model.Item) []finding {
	var out []finding
	for _, c := range in.View.Claims {
		since, quiet := in.View.Quiet[c.Key]
		if !quiet || c.Owner == in.View.Agent || c.Symbol == nil {
			continue
		}
		why := ""
		switch m := mine.Footprint.Change(c.Key); {
		case in.View.HasNeed(mine.ID, c.Key):
			why = "you need it"
		case m != nil && (m.SignatureChanged() || m.Change == model.ChangeAdded):
			why = yours(finding{mine: m})
		default:
			continue
		}
		p := view.Peer{Agent: model.Agent{ID: c.Owner}, Item: model.Item{ID: c.Item}}
		for _, x := range in.View.Peers {
			if x.Agent.ID == c.Owner && x.Item.ID == c.Item {
				p = x
			}
		}
		p.Lapsed, p.IdleSince = true, since
		f := finding{subject: c.Name(), symbol: c.Name(), key: c.Key, peer: &p, severity: model.Warn, firm: true,
			shared: []fact{{"", why}}}
		if c.Contract != nil {
			f.shared = append(f.shared, fact{"published as", signature(c.Contract.Signature)})
		}
		out = append(out, f)
	}
	return out
}

func titleLapsed(subject string, fs []finding) string {
	return who(*fs[0].peer) + " owns " + subject + " and has gone quiet"
}

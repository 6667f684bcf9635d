package rules

import (
	"fmt"
	"sort"
	"time"

	"gitlet/internal/model"
	"gitlet/internal/view"
)

var stillWaiting = &Rule{
	Kind: "still_waiting",
	When: "My item has needed a symbol for longer than gitlet.publishTimeout, and no signature of it is published.",
	Severities: []Level{
		{model.Act, "always"},
	},
	Why: "Waiting longer costs more than building against what main has, or asking.",
	Options: []Choice{
		{Verb: "release", Why: "stop waiting, and build against what is there"},
		ask("ask when it is published"),
	},
	find:  findStillWaiting,
	title: titleStillWaiting,
}

func findStillWaiting(in *Input, mine model.Item) []finding {
	v := in.View
	var out []finding
	in.eachNeed(mine, func(n *view.Need, cl *model.Claim) {
		since := v.Now.Sub(n.CreatedAt)
		if cl != nil && cl.Contract != nil || n.PinnedSigHash != "" || since < v.Limits.Publish || n.CreatedAt.IsZero() {
			return
		}
		f := finding{subject: place(n.Name), symbol: n.Name, key: n.Key, need: n, severity: model.Act, breaking: true,
			shared: []fact{{"needed since", n.CreatedAt.UTC().Format("2006-01-02 15:04 UTC")}}}
		if cl != nil {
			f.peer = in.ownerOf(cl)
			f.shared = append(f.shared, fact{"its owner", place(cl.Owner)})
			out = append(out, f)
			return
		}
		changing := in.changing(mine, n.Key)
		if len(changing) == 0 {
			f.shared = append(f.shared, fact{"", "nobody owns it or changes it now"})
			out = append(out, f)
		}
		for _, p := range changing {
			f.peer = p
			out = append(out, f)
		}
	})
	return out
}

// changing are the others that change what callers see of a symbol.
func (in *Input) changing(mine model.Item, key string) []*view.Peer {
	var out []*view.Peer
	for _, p := range in.View.Others(mine) {
		c := p.Item.Footprint.Change(key)
		if c != nil && (c.SignatureChanged() || c.Change == model.ChangeAdded) {
			out = append(out, in.View.Peer(p.Item.ID))
		}
	}
	return out
}

// waiting are the others that need a symbol.
func (in *Input) waiting(mine model.Item, key string) []*view.Peer {
	var out []*view.Peer
	for _, n := range in.View.Needs {
		if p := in.View.Peer(n.Item); n.Key == key && n.Item != mine.ID && p != nil && p.Agent.ID == n.Agent {
			out = append(out, p)
		}
	}
	sort.Slice(out, func(i, j int) bool { return earlier(out[i], out[j]) })
	return out
}

func titleStillWaiting(subject string, fs []finding) string {
	return fmt.Sprintf("no signature of %s, which you need, has been published yet", subject)
}

// clock spells a moment for people.
func clock(t time.Time) string { return t.UTC().Format("15:04 UTC") }

package engine

import (
	"context"
	"errors"
	"sort"
	"strings"
	"time"

	"gitlet/internal/bus"
	"gitlet/internal/git"
	"gitlet/internal/model"
	"gitlet/internal/view"
)

// maxPredictions bounds how many merges one evaluation tries; answers that are known
// already do not count.
const maxPredictions = 20

// predict fills in what git says about merging my items with those that change the
// same files. Peers' snapshots are fetched by exact name, only for such pairs.
func (e *Engine) predict(ctx context.Context, v *view.View) {
	e.bring(ctx, v) // what they have is read for other notes too
	if limits := e.wt.Version.Limits(); limits != "" {
		e.warnings.add("%s", limits)
		return
	}
	var asked []asking
	for _, mine := range v.Items {
		for i := range v.Peers {
			p := &v.Peers[i]
			if p.Item.ID == mine.ID || !sharesFile(mine.Footprint, p.Item.Footprint) {
				continue
			}
			tip := e.peerTip(p)
			if tip == "" || mine.Tip() == "" {
				continue
			}
			a := asking{
				of: view.Pair{Mine: mine.ID, Other: p.Item.ID}, outdated: tip != p.Item.Tip(),
				tips: git.MergePair{Ours: mine.Tip(), Theirs: tip}, stubs: v.StubsBetween(mine, *p),
			}
			if pred, known := e.ledgerPrediction(ctx, a.key(), tip); known {
				a.say(v, pred)
			} else {
				asked = append(asked, a)
			}
		}
	}
	if len(asked) > maxPredictions {
		asked = asked[:maxPredictions] // what is known of the others stays said
		e.warnings.add("only %d possible conflicts were checked; the rest follow at the next call", maxPredictions)
	}
	for i, pred := range e.mergeFiles(ctx, asked) {
		e.keepPrediction(ctx, asked[i].key(), asked[i].tips.Theirs, pred)
		asked[i].say(v, pred)
	}
}

// asking is a pair of items whose merge is to be predicted. outdated says that the other
// one's work went on since its commit that is here.
type asking struct {
	of       view.Pair
	tips     git.MergePair
	stubs    view.Stubs
	outdated bool
}

// key is my side of the pair under which the answer is remembered: the commit, with the
// stubs it takes into account.
func (a asking) key() string {
	if a.stubs.None() {
		return a.tips.Ours
	}
	return a.tips.Ours + " " + strings.Join([]string{strings.Join(a.stubs.Common, ","), strings.Join(a.stubs.Mine, ","), strings.Join(a.stubs.Other, ",")}, " ")
}

func (a asking) say(v *view.View, pred view.Prediction) {
	if a.outdated && len(pred.Files) == 0 {
		return // what they changed since may conflict
	}
	v.Predictions[a.of] = pred
}

// bring fetches the snapshots that predictions need and that are not in this clone at
// the commit their state says, all in one fetch.
func (e *Engine) bring(ctx context.Context, v *view.View) {
	var want []bus.Wanted
	var of []*view.Peer
	for i := range v.Peers {
		p := &v.Peers[i]
		tip := p.Item.Tip()
		if tip == "" || p.HaveTip || e.offline() || e.slow || !e.touchesMine(v, *p) || e.askedLately(ctx, p.Agent.ID+"/"+p.Item.ID, tip) {
			continue
		}
		want = append(want, bus.Wanted{Agent: p.Agent.ID, Item: p.Item.ID, Commit: tip})
		of = append(of, p)
	}
	if len(want) == 0 {
		return
	}
	fctx, cancel := context.WithTimeout(ctx, e.budget.fetch)
	defer cancel()
	here, err := e.bus.FetchSnapshots(fctx, want)
	switch {
	case cut(fctx, err):
		return // asked again next time
	case err != nil:
		e.warnings.add("the snapshots of others could not be fetched: %v", err)
	}
	for i, w := range want {
		if of[i].HaveTip = here[i]; !here[i] {
			e.noteAsked(ctx, w.Agent+"/"+w.Item, w.Commit)
		}
	}
}

// peerTip returns the commit of a peer's work that is in this clone, which may be an
// older one than its state says; "" when there is none.
func (e *Engine) peerTip(p *view.Peer) string {
	if p.HaveTip {
		return p.Item.Tip()
	}
	return e.docs.Snapshots[p.Agent.ID+"/"+p.Item.ID]
}

// keyAsked is the ledger key, followed by ":<agent>/<item>", of a snapshot that the
// remote turned out not to have: "<commit> <RFC 3339 time>".
const keyAsked = "asked-snapshot"

// askAgain is when a snapshot that was not there is asked for again: its author may
// share it a little later than what it says about its work, or never.
const askAgain = 5 * time.Second

func (e *Engine) askedLately(ctx context.Context, name, tip string) bool {
	text, ok := e.fetched[name]
	if !ok {
		text, _, _ = e.ledger.Get(ctx, e.who.Agent, keyAsked+":"+name) // not known is not asked
		e.fetched[name] = text
	}
	asked, stamp, _ := strings.Cut(text, " ")
	at, err := time.Parse(time.RFC3339Nano, stamp)
	return err == nil && asked == tip && e.now().Sub(at) < askAgain
}

func (e *Engine) noteAsked(ctx context.Context, name, tip string) {
	e.fetched[name] = tip + " " + e.now().Format(time.RFC3339Nano)
	if err := e.ledger.Set(ctx, e.who.Agent, keyAsked+":"+name, e.fetched[name]); err != nil {
		e.warnings.add("what was asked for could not be noted: %v", err)
	}
}

// mergeFiles asks git about all of them at once, in a scratch repository where no driver,
// filter or setting of this clone applies, so that the answer is what anybody's plain
// merge would give.
func (e *Engine) mergeFiles(ctx context.Context, asked []asking) []view.Prediction {
	out := make([]view.Prediction, len(asked))
	if len(asked) == 0 {
		return out
	}
	repo, err := e.wt.NewScratch()
	if err != nil {
		e.warnings.add("a merge could not be predicted: %v", err)
		return out
	}
	defer repo.Close()
	answers := make([]git.MergeAnswer, len(asked))
	var pairs []git.MergePair
	var at []int
	for i, a := range asked {
		if a.stubs.None() {
			pairs, at = append(pairs, a.tips), append(at, i)
			continue
		}
		m, err := mergePicked(ctx, repo, a.tips, a.stubs)
		answers[i] = git.MergeAnswer{Merge: m, Err: err}
	}
	for i, m := range repo.MergeTrees(ctx, pairs) {
		answers[at[i]] = m
	}
	for i, m := range answers {
		switch {
		case errors.Is(m.Err, git.ErrCannotTell):
		case m.Err != nil:
			if !cut(ctx, m.Err) {
				e.warnings.add("a merge could not be predicted: %v", m.Err)
			}
		default:
			files := m.Files()
			sort.Strings(files)
			out[i] = view.Prediction{Known: true, Files: files}
		}
	}
	return out
}

func sharesFile(a, b *model.Footprint) bool {
	if a == nil || b == nil {
		return false
	}
	paths := map[string]bool{}
	for _, f := range a.Files {
		paths[f.Path] = true
		if f.OldPath != "" {
			paths[f.OldPath] = true
		}
	}
	for _, f := range b.Files {
		if paths[f.Path] || f.OldPath != "" && paths[f.OldPath] {
			return true
		}
	}
	return false
}

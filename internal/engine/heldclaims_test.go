package engine

import (
	"context"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"gitlet/internal/bus"
	"gitlet/internal/id"
	"gitlet/internal/model"
)

func TestCompareClaims(t *testing.T) {
	t.Parallel()
	const key = "0123456789abcdef"
	first := time.Date(2026, 10, 26, 0, 0, 0, 0, time.UTC)
	later := first.Add(time.Minute)
	held := heldClaim{Name: "a.go:Load", Item: "item", Epoch: 2}
	missing := held
	missing.Missing = first
	mine := func(status model.ItemStatus) *model.State {
		return &model.State{Items: []model.Item{{ID: "item", Status: status}}}
	}
	owned := func(owner string, epoch int) *bus.Docs {
		return &bus.Docs{Claims: []bus.Doc[model.Claim]{{Ref: bus.ClaimRef(key), OID: "x",
			Value: model.Claim{Key: key, Owner: owner, Item: "item", Epoch: epoch, Symbol: &model.Symbol{Path: "a.go", Qualified: "Load"}}}}}
	}
	taken, gone := takenWords("a.go:Load", "other"), goneWords("a.go:Load")
	for name, c := range map[string]struct {
		before heldClaim
		docs   *bus.Docs
		own    *model.State
		fetch  time.Time
		want   heldClaim
		lost   string
	}{
		"a new one":                      {docs: owned("me", 2), own: mine(model.ItemActive), fetch: first, want: held},
		"still held":                     {before: held, docs: owned("me", 2), own: mine(model.ItemActive), fetch: first, want: held},
		"taken over":                     {before: held, docs: owned("other", 3), own: mine(model.ItemActive), fetch: first, lost: taken},
		"an older value than the own":    {before: held, docs: owned("other", 1), own: mine(model.ItemActive), fetch: first, want: missing},
		"which the next fetch confirms":  {before: missing, docs: owned("other", 1), own: mine(model.ItemActive), fetch: later, lost: taken},
		"not there":                      {before: held, docs: &bus.Docs{}, own: mine(model.ItemActive), fetch: first, want: missing},
		"not there, read again":          {before: missing, docs: &bus.Docs{}, own: mine(model.ItemActive), fetch: first, want: missing},
		"not there at the next fetch":    {before: missing, docs: &bus.Docs{}, own: mine(model.ItemActive), fetch: later, lost: gone},
		"back at the next fetch":         {before: missing, docs: owned("me", 2), own: mine(model.ItemActive), fetch: later, want: held},
		"of an item that ended":          {before: held, docs: owned("other", 3), own: mine(model.ItemLanded), fetch: first},
		"of an item that is not there":   {before: held, docs: &bus.Docs{}, own: &model.State{}, fetch: first},
		"nobody else's is missed":        {docs: owned("other", 3), own: mine(model.ItemActive), fetch: first},
		"one that cannot be read stands": {before: held, docs: &bus.Docs{Problems: []bus.Problem{{Ref: bus.ClaimRef(key), OID: "x"}}}, own: mine(model.ItemActive), fetch: first, want: held},
	} {
		before, want := map[string]heldClaim{}, map[string]heldClaim{}
		if c.before != (heldClaim{}) {
			before[key] = c.before
		}
		if c.want != (heldClaim{}) {
			want[key] = c.want
		}
		now, lost := compareClaims(before, c.docs, c.own, "me", c.fetch)
		if !maps.Equal(now, want) || strings.Join(lost, "") != c.lost {
			t.Errorf("%s: %+v and %q, want %+v and %q", name, now, lost, want, c.lost)
		}
	}
}

// TestTakeoverIsHeardOf: who lost a claim hears it from the next poll, once, whether a
// tick or a call made the poll; nothing of the new owner's is overwritten; a claim that
// the agent let go of itself is not missed.
func TestTakeoverIsHeardOf(t *testing.T) {
	t.Parallel()
	for _, byTick := range []bool{false, true} {
		repos := machines(t, "claude", "codex")
		synctest.Test(t, func(t *testing.T) {
			p := newPair(t, repos)
			item := id.NewItem()
			p.run(p.other, func(ctx context.Context, c *Call) error {
				_, err := c.Open(ctx, model.Item{ID: item, Intent: "Take it", Status: model.ItemActive, OpenedAt: c.Now})
				return err
			})
			p.watch(12*time.Minute, false)
			var took *bus.Held
			p.run(p.other, func(ctx context.Context, c *Call) error {
				got, err := c.Claim(ctx, loadSymbol, item)
				took = got.Held
				return err
			})
			if took == nil {
				t.Fatal("it was not taken over")
			}
			time.Sleep(10 * time.Second)
			if byTick {
				for range 2 {
					if _, err := p.owner.Tick(t.Context()); err != nil {
						t.Fatal(err)
					}
				}
			}
			want := takenWords("lib/lib.go:Load", otherID)
			for i, said := range []bool{true, false} {
				r := p.run(p.owner, nothing)
				if slices.Contains(r.Warnings, want) != said {
					t.Errorf("by tick %v, call %d: %q", byTick, i, r.Warnings)
				}
				time.Sleep(10 * time.Second)
			}
			p.run(p.other, nothing)
			if now := p.other.docs.Held(loadSymbol.Key); now == nil || bus.Token(now) != bus.Token(took) {
				t.Errorf("the new owner's claim is at %+v", now)
			}
			// The other lets go of it, and hears nothing of it.
			p.run(p.other, func(ctx context.Context, c *Call) error {
				_, _, err := c.Release(ctx, loadSymbol.Key)
				return err
			})
			for range 3 {
				time.Sleep(10 * time.Second)
				if r := p.run(p.other, nothing); len(otherWarnings(r)) > 0 {
					t.Errorf("after its own release: %q", r.Warnings)
				}
			}
		})
	}
}

package engine

import (
	"errors"
	"strings"
	"testing"

	"gitlet/internal/git"
	"gitlet/internal/git/gittest"
	"gitlet/internal/view"
)

// A conflict that goes away with the stub is none; one between what both made of it is.
func TestMergePicked(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	const base = "-- a.txt --\nhead\n\nload(p)\n  read\nend\n\nother\n  one\nend\n"
	const stub = "-- a.txt --\nhead\n\nload(p, strict)\n  todo\nend\n\nother\n  one\nend\n"
	edited := func(text string, pairs ...string) string { return strings.NewReplacer(pairs...).Replace(text) }
	r := gittest.New(t)
	main := r.CommitFiles("base", base)
	made := map[[2]string]string{}
	on := func(from, files string) string {
		t.Helper()
		k := [2]string{from, files}
		if made[k] == "" {
			r.Git("checkout", "-q", "--detach", from)
			made[k] = r.CommitFiles("work", files)
		}
		return made[k]
	}
	picked := on(main, stub)
	again := on(main, edited(stub, "todo", "again"))
	// The same change as another commit, as cherry-pick makes it.
	user := func(pairs ...string) string {
		return on(on(on(main, "-- n.txt --\nn\n"), stub), edited(stub, pairs...)+"-- m.txt --\nm\n")
	}
	wt, err := git.Open(ctx, r.Dir)
	if err != nil {
		t.Fatal(err)
	}
	only, both := view.Stubs{Other: []string{picked}}, view.Stubs{Common: []string{picked}}
	for _, c := range []struct {
		name         string
		ours, theirs string
		stubs        view.Stubs
		want         string
	}{
		{"told as they stand, the stub conflicts", on(main, edited(stub, "todo", "done")), user(), view.Stubs{}, "a.txt"},
		{"the owner goes on in it", on(main, edited(stub, "todo", "done")), user(), both, ""},
		{"the owner goes on, and the user beside it", on(main, edited(stub, "todo", "done")), user("  one", "  two"), both, ""},
		{"the owner goes on, and the user right below it", on(main, edited(stub, "todo", "done")), user("end\n\nother", "end\nmine\n\nother"), both, ""},
		{"both go on in it", on(main, edited(stub, "todo", "done")), user("todo", "mine"), both, "a.txt"},
		{"both go on elsewhere", on(main, edited(stub, "one", "done")), user("one", "two"), both, "a.txt"},
		{"the owner published another since", on(main, edited(stub, "strict", "level", "todo", "done")), user(), both, ""},
		{"the owner took it back", on(main, edited(base, "one", "done")), user(), both, ""},
		{"a third one changes what the stub replaces", on(main, edited(base, "read", "peek")), user(), only, ""},
		{"a third one changes it too, where the user goes on", on(main, edited(base, "read", "peek")), user("todo", "mine"), only, "a.txt"},
		{"a third one changes what the user changes", on(main, edited(base, "one", "three")), user("one", "two"), only, "a.txt"},
		{"two users", user("todo", "x"), user("todo", "y"), both, "a.txt"},
		{"two users, one goes on", user("todo", "x"), user(), both, ""},
		{"two users of two stubs", on(main, edited(stub, "todo", "again")), user(), view.Stubs{Mine: []string{again}, Other: []string{picked}}, ""},
		{"a stub that is not here", on(main, edited(stub, "todo", "done")), user(), view.Stubs{Common: []string{strings.Repeat("1", 40)}}, "a.txt"},
		{"the branch holds the very commit", on(picked, edited(stub, "todo", "done")), on(picked, "-- m.txt --\nm\n"), both, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := wt.NewScratch()
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			m, err := mergePicked(ctx, s, git.MergePair{Ours: c.ours, Theirs: c.theirs}, c.stubs)
			if old := (*git.TooOldError)(nil); !wt.Version.MergeTree() {
				if !errors.As(err, &old) {
					t.Errorf("a git that predicts no merges: %+v %v", m, err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Join(m.Files(), " "); got != c.want {
				t.Errorf("conflicts in %q, want %q", got, c.want)
			}
			swapped := view.Stubs{Common: c.stubs.Common, Mine: c.stubs.Other, Other: c.stubs.Mine}
			if back, err := mergePicked(ctx, s, git.MergePair{Ours: c.theirs, Theirs: c.ours}, swapped); err != nil || back.Clean() != m.Clean() {
				t.Errorf("seen from the other side: %+v %v", back, err)
			}
		})
	}
}

package git

import (
	"context"
	"errors"
	"reflect"
	"testing"

	"gitlet/internal/git/gittest"
)

// A list of merges says what each says alone, in order, whatever lies between: clean
// ones, conflicts of every kind, pairs without an answer, equal and contained commits.
func TestMergeTrees(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	r := gittest.New(t)
	base := r.CommitFiles("base", "-- a --\none\n-- b --\nb\n-- d/x --\nx\n-- d/y --\ny\n")
	tips := []string{base}
	side := func(name string, change func()) {
		r.Git("checkout", "-q", "-b", name, base)
		change()
		r.Git("add", "-A")
		r.Git("commit", "-q", "-m", name)
		tips = append(tips, r.Git("rev-parse", "HEAD"))
	}
	side("text", func() { r.Write("a", "two\n") })
	side("other", func() { r.Write("a", "three\n"); r.Write("new\nname", "n\n") })
	side("gone", func() { r.Git("rm", "-q", "a") })
	side("moved", func() { r.Git("mv", "d", "e"); r.Write("b", "\x00\x01") })
	side("joins", func() { r.Write("d/z", "z\n"); r.Write("b", "\x00\x02"); r.Write("new\nname", "m\n") })
	r.Git("checkout", "-q", "--orphan", "island")
	r.Git("rm", "-rfq", ".")
	tips = append(tips, r.CommitFiles("island", "-- a --\nelsewhere\n"))
	w := open(t, r.Dir)
	if !w.Version.MergeTree() {
		if got := w.MergeTrees(ctx, []MergePair{{base, tips[1]}}); !tooOld(got[0].Err) {
			t.Errorf("git %s: %+v", w.Version, got)
		}
		return
	}
	s, err := w.NewScratch()
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	pairs := []MergePair{{"no commit", base}, {base, "0123456789012345678901234567890123456789"}}
	for _, a := range tips {
		for _, b := range tips {
			pairs = append(pairs, MergePair{a, b})
		}
	}
	clean, conflicts, none := 0, 0, 0
	for i, got := range s.MergeTrees(ctx, pairs) {
		want, err := s.MergeTree(ctx, pairs[i].Ours, pairs[i].Theirs)
		switch {
		case err != nil:
			none++
		case want.Clean():
			clean++
		default:
			conflicts++
		}
		if errors.Is(err, ErrCannotTell) != errors.Is(got.Err, ErrCannotTell) || !reflect.DeepEqual(got.Merge, want) {
			t.Errorf("%v: %+v %v, want %+v %v", pairs[i], got.Merge, got.Err, want, err)
		}
	}
	if clean < 10 || conflicts < 10 || none < 10 {
		t.Errorf("%d clean, %d conflicts, %d without an answer: too few of one", clean, conflicts, none)
	}
	if got := s.MergeTrees(ctx, nil); len(got) != 0 {
		t.Errorf("no pairs: %+v", got)
	}
	ended, end := context.WithCancel(ctx)
	end()
	for _, m := range s.MergeTrees(ended, pairs) {
		if m.Err == nil || errors.Is(m.Err, ErrCannotTell) {
			t.Errorf("ended: %+v", m)
		}
	}
}

// An answer that is cut anywhere gives only what stands before the cut.
func TestReadMergeListCut(t *testing.T) {
	whole := []string{"1", oidA, "", "1", "a", "Auto-merging", "text", "", "0", oidB, "100644 " + oidA + " 2\tb", "", "2", "b", "c", "CONFLICT (x)", "", "", "1", oidB, "", ""}
	if got := readMergeList(whole, 9); len(got) != 3 || got[1].Clean() || got[1].Messages[0].Text != "" || len(got[0].Messages) != 1 {
		t.Fatalf("%+v", got)
	}
	for n := range whole {
		if got, most := len(readMergeList(whole[:n], 9)), map[bool]int{true: 1}[n >= 8]+map[bool]int{true: 1}[n >= 18]; got != most {
			t.Errorf("cut after %d fields: %d answers, want %d", n, got, most)
		}
	}
	if got := readMergeList(whole, 1); len(got) != 1 {
		t.Errorf("%d answers to one question", len(got))
	}
}

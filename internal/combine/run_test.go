package combine

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"gitlet/internal/git"
	"gitlet/internal/git/gittest"
	"gitlet/internal/symbols"
)

func TestMain(m *testing.M) { os.Exit(gittest.Main(m)) }

// branchesOf makes one branch for each name on main: what it says is done to the tree by
// letters behind a dash: "b" breaks the check, "x" and "y" write the same line differently,
// "p" and "q" break the check only together.
func branchesOf(r *gittest.Repo, names []string) []Branch {
	var out []Branch
	for _, name := range names {
		r.Git("switch", "-q", "-c", name, "main")
		_, does, _ := strings.Cut(name, "-")
		r.Write(name+".txt", name)
		for _, c := range does {
			switch c {
			case 'x', 'y':
				r.Write("shared.txt", name+"\n")
			default:
				r.Write(string(c)+"."+name, "")
			}
		}
		out = append(out, Branch{Name: name, Commit: r.Commit("Work " + name)})
	}
	r.Git("switch", "-q", "main")
	return out
}

// checkOf is the check of those trees. It counts its runs.
func checkOf(r *gittest.Repo, runs *int) func(context.Context, string) (Verdict, error) {
	return func(_ context.Context, commit string) (Verdict, error) {
		*runs++
		has := map[byte]bool{}
		for _, f := range r.Files(commit) {
			if f[1] == '.' {
				has[f[0]] = true
			}
		}
		return Verdict{OK: !has['b'] && !(has['p'] && has['q']), Output: "said of " + commit}, nil
	}
}

func run1(t *testing.T, r *gittest.Repo, branches []Branch, check func(context.Context, string) (Verdict, error)) (*Combined, error) {
	t.Helper()
	wt, err := git.Open(context.Background(), r.Dir)
	if err != nil {
		t.Fatal(err)
	}
	return Run(context.Background(), wt.Foreground(), Options{Base: r.Git("rev-parse", "main"), Branches: branches, Check: check, Now: time.Now(),
		Cache: symbols.NewCache(symbols.DefaultLimits, 0)})
}

func told(c *Combined) (in, out string) {
	for _, m := range c.In {
		in += " " + m.Name
	}
	for _, l := range c.Out {
		why := "conflict"
		if l.Breaks {
			why = "breaks"
		}
		out += " " + l.Name + ":" + why
	}
	return strings.TrimSpace(in), strings.TrimSpace(out)
}

func TestRun(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		names, in, out string
		runs           int
	}{
		{"a1 a2 a3 a4", "a1 a2 a3 a4", "", 1},
		{"a1-b", "", "a1-b:breaks", 2},
		{"a1 a2 a3-b a4", "a1 a2 a4", "a3-b:breaks", 4},
		{"a1-b a2-b a3", "a3", "a1-b:breaks a2-b:breaks", 6},
		{"a1-p a2-q a3", "a1-p a3", "a2-q:breaks", 4},
		{"a1-x a2-y a3", "a1-x a3", "a2-y:conflict", 1},
		// What stood in the way is left out, so this one gets in after all.
		{"a1 a2-bx a3-y", "a1 a3-y", "a2-bx:breaks", 3},
	} {
		r := gittest.New(t)
		r.CommitFiles("Base", "-- shared.txt --\n0\n")
		runs := 0
		c, err := run1(t, r, branchesOf(r, strings.Fields(test.names)), checkOf(r, &runs))
		if err != nil {
			t.Errorf("%s: %v", test.names, err)
			continue
		}
		if in, out := told(c); in != test.in || out != test.out || runs != test.runs || c.Checks != runs {
			t.Errorf("%s: in %q, out %q, %d runs; want %q, %q, %d", test.names, in, out, runs, test.in, test.out, test.runs)
		}
		whole(t, r, c)
	}
}

func TestBrokenBaseNamesNobody(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	r.CommitFiles("Base", "-- b.base --\n")
	runs := 0
	_, err := run1(t, r, branchesOf(r, []string{"a1", "a2", "a3"}), checkOf(r, &runs))
	var base *BaseError
	if !errors.As(err, &base) || base.Output != "said of "+r.Git("rev-parse", "main") || base.Checks != runs {
		t.Errorf("%v after %d runs", err, runs)
	}
}

func TestBranchesThatBringNothing(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	first := r.CommitFiles("Base", "-- shared.txt --\n0\n")
	r.CommitFiles("More", "-- more.txt --\n")
	runs := 0
	all := append([]Branch{{Name: "old", Commit: first}}, branchesOf(r, []string{"a1"})...)
	all = append(all, Branch{Name: "same", Commit: all[1].Commit})
	c, err := run1(t, r, all, checkOf(r, &runs))
	if err != nil {
		t.Fatal(err)
	}
	if !c.In[0].Already || c.In[1].Already || !c.In[2].Already || runs != 1 {
		t.Errorf("%+v after %d runs", c.In, runs)
	}
	// Nothing to check where nothing came in.
	if c, err := run1(t, r, all[:1], checkOf(r, &runs)); err != nil || c.Head != r.Git("rev-parse", "main") || runs != 1 {
		t.Errorf("%+v %v", c, err)
	}
}

// TestAnyBranches: of random branches exactly those that break the check are named, and
// what is in is on the combined commit, whole, once.
func TestAnyBranches(t *testing.T) {
	t.Parallel()
	rnd := rand.New(rand.NewPCG(3, 1))
	for range 3 {
		r := gittest.New(t)
		r.CommitFiles("Base", "-- shared.txt --\n0\n")
		var names, bad []string
		for i := range 8 {
			name := fmt.Sprintf("a%d-", i)
			if rnd.IntN(4) == 0 {
				name += "b"
			}
			if rnd.IntN(4) == 0 {
				name += "x"
			}
			names = append(names, name)
			if strings.Contains(name, "b") {
				bad = append(bad, name)
			}
		}
		runs := 0
		c, err := run1(t, r, branchesOf(r, names), checkOf(r, &runs))
		if err != nil {
			t.Fatalf("%s: %v", names, err)
		}
		for _, l := range c.Out {
			if l.Breaks && !slices.Contains(bad, l.Name) {
				t.Errorf("%s: %s is named", names, l.Name)
			}
		}
		for _, m := range c.In {
			if slices.Contains(bad, m.Name) {
				t.Errorf("%s: %s is in", names, m.Name)
			}
		}
		if len(c.In)+len(c.Out) != len(names) {
			t.Errorf("%s: %d in, %d out", names, len(c.In), len(c.Out))
		}
		whole(t, r, c)
	}
}

// whole checks that the combined commit holds what is in and nothing else, and that the
// clone shows nothing of how it was made.
func whole(t *testing.T, r *gittest.Repo, c *Combined) {
	t.Helper()
	var want []string
	for _, m := range c.In {
		want = append(want, m.Name+".txt")
	}
	var got []string
	for _, f := range r.Files(c.Head) {
		if strings.HasPrefix(f, "a") {
			got = append(got, f)
		}
	}
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("it holds %v, not %v", got, want)
	}
	if list := r.Git("worktree", "list", "--porcelain"); strings.Count(list, "worktree ") != 1 {
		t.Errorf("worktrees:\n%s", list)
	}
	if s := r.Git("status", "--porcelain"); s != "" {
		t.Errorf("status: %s", s)
	}
}

// Command mergerate measures the merge drivers for source and changelogs on conflicts that
// happened: every merge in a repository's history that conflicts in git is made again, and
// what the drivers make of each conflicting file is compared with what people committed.
//
//	go run ./tools/mergerate [-max 300] [-v] [-out DIR] REPOSITORY
//	go run ./tools/mergerate -pairs PAIRS REPOSITORY
//
// It prints a line of figures and, with -v, one for each file that was merged otherwise than
// people did, or left to git and why, and one for each definition, import or statement at the
// top level that a merged file has not as often as both sides' changes account for: one that
// both changed is there in words of neither, so these are to be looked at. -out keeps the versions of such files. PAIRS holds
// lines "base ours theirs" of commits that nobody merged: then only the drivers are
// counted.
package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"gitlet/internal/git"
	"gitlet/internal/lang"
	"gitlet/internal/merge"
	"gitlet/internal/proof"
	"gitlet/internal/symbols"
)

func main() {
	r := run{why: map[string]int{}}
	flag.IntVar(&r.most, "max", 300, "how many conflicting merges to look at")
	flag.BoolVar(&r.verbose, "v", false, "print each file that is not as people merged it")
	flag.StringVar(&r.out, "out", "", "keep the versions of files merged otherwise in this folder")
	flag.StringVar(&r.pairs, "pairs", "", "a file of commits to merge: base ours theirs")
	flag.Parse()
	if flag.NArg() != 1 {
		flag.Usage()
		os.Exit(2)
	}
	if err := r.do(context.Background(), flag.Arg(0)); err != nil {
		fmt.Fprintln(os.Stderr, "mergerate:", err)
		os.Exit(1)
	}
}

type run struct {
	most       int
	verbose    bool
	out, pairs string
	repo       *git.Repo
	cat        *git.CatFile

	merges, files, merged, equal, order, other, unproven, miscounted, whole int
	why                                                                     map[string]int
}

// try is one merge; people is what was committed, "" where nobody did.
type try struct{ base, ours, theirs, people string }

func (r *run) do(ctx context.Context, dir string) error {
	v, err := git.ReadVersion(ctx)
	if err != nil {
		return err
	}
	tries, repo, err := r.tries(ctx, dir)
	if err != nil {
		return err
	}
	r.repo = repo
	r.cat = repo.NewCatFile(ctx)
	defer r.cat.Close()
	fm := git.FileMerge{Histogram: v.FileMergeHistogram()}
	for _, t := range tries {
		if r.merges == r.most {
			break
		}
		m, err := repo.MergeTree(ctx, t.ours, t.theirs)
		if err != nil || m.Clean() {
			continue
		}
		r.merges++
		all := true
		for _, c := range m.Conflicts {
			all = r.file(ctx, fm, t, c) && all
		}
		if all {
			r.whole++
		}
	}
	fmt.Printf("%s: %d conflicting merges, %d files both changed, %d merged, %d as people did, %d in another order, %d otherwise, %d fail the proof, %d to count again; in %d merges every conflict was merged\n",
		filepath.Base(filepath.Dir(dir)), r.merges, r.files, r.merged, r.equal, r.order, r.other, r.unproven, r.miscounted, r.whole)
	var reasons []string
	for w := range r.why {
		reasons = append(reasons, w)
	}
	sort.Slice(reasons, func(i, j int) bool { return r.why[reasons[i]] > r.why[reasons[j]] })
	for _, w := range reasons {
		fmt.Printf("  left to git %5d: %s\n", r.why[w], w)
	}
	return nil
}

// tries lists the merges to make.
func (r *run) tries(ctx context.Context, dir string) ([]try, *git.Repo, error) {
	wt, err := git.Open(ctx, dir)
	var bare *git.BareError
	if errors.As(err, &bare) {
		return nil, nil, fmt.Errorf("%q has no work tree: make one with git worktree add --no-checkout", dir)
	}
	if err != nil {
		return nil, nil, err
	}
	var out []try
	if r.pairs != "" {
		data, err := os.ReadFile(r.pairs)
		if err != nil {
			return nil, nil, err
		}
		for s := bufio.NewScanner(bytes.NewReader(data)); s.Scan(); {
			if f := strings.Fields(s.Text()); len(f) == 3 {
				out = append(out, try{f[0], f[1], f[2], ""})
			}
		}
		return out, wt.Repo, nil
	}
	log, err := wt.Log(ctx, git.LogOptions{})
	if err != nil {
		return nil, nil, err
	}
	for _, c := range log {
		if len(c.Parents) == 2 {
			out = append(out, try{"", c.Parents[0], c.Parents[1], c.OID})
		}
	}
	return out, wt.Repo, nil
}

// file merges one conflicting file; it reports whether a driver did.
func (r *run) file(ctx context.Context, fm git.FileMerge, t try, c git.MergeConflict) bool {
	source := lang.ForPath(c.Path) != nil
	if c.Stages[1].OID == "" || c.Stages[2].OID == "" || c.Stages[3].OID == "" || !source && !lang.IsChangelog(c.Path) {
		return false
	}
	base, ours, theirs := r.blob(c.Stages[1].OID), r.blob(c.Stages[2].OID), r.blob(c.Stages[3].OID)
	lines := func(base, ours, theirs []byte) ([]byte, bool) {
		out, n, err := fm.Texts(ctx, ours, base, theirs)
		return out, err == nil && n == 0
	}
	if _, ok := lines(base, ours, theirs); ok {
		return true // git merges it so
	}
	r.files++
	v := merge.Versions{Path: c.Path, Base: base, Ours: ours, Theirs: theirs}
	do := merge.Changelog
	if source {
		do = merge.Source
	}
	got, err := do(v, lines)
	if err != nil {
		why := err.Error()
		if i := strings.IndexAny(why, `"`); i >= 0 {
			why = why[:i] + "..."
		}
		r.why[why]++
		r.say("left %s %s: %v", git.Short(t.people), c.Path, err)
		return false
	}
	r.merged++
	side := func(text []byte) proof.Side { return proof.Side{Path: c.Path, Text: text} }
	if found := proof.Check(proof.Merge{Base: side(base), Ours: side(ours), Theirs: side(theirs), Result: side(got)}, nil); len(found) > 0 {
		r.unproven++
		r.say("UNPROVEN %s %s: %v", git.Short(t.people), c.Path, found)
	}
	if found := miscounted(c.Path, base, ours, theirs, got); len(found) > 0 {
		r.miscounted++
		for _, f := range found {
			r.say("count %s %s: %s", git.Short(t.people), c.Path, f)
		}
	}
	if t.people == "" {
		r.keep(t, c.Path, v, got, nil)
		return true
	}
	o, err := r.cat.Read(t.people+":"+c.Path, 0)
	switch {
	case err == nil && o.Found && same(c.Path, got, o.Data, false):
		r.equal++
	case err == nil && o.Found && same(c.Path, got, o.Data, true):
		r.order++
		r.say("order %s %s", git.Short(t.people), c.Path)
		r.keep(t, c.Path, v, got, o.Data)
	default:
		r.other++
		r.say("otherwise %s %s (there: %v)", git.Short(t.people), c.Path, o.Found)
		r.keep(t, c.Path, v, got, o.Data)
	}
	return true
}

func (r *run) blob(oid string) []byte {
	o, err := r.cat.Read(oid, 0)
	if err != nil {
		return nil
	}
	return o.Data
}

func (r *run) say(format string, args ...any) {
	if r.verbose {
		fmt.Printf(format+"\n", args...)
	}
}

// keep writes the versions of a file, to look at.
func (r *run) keep(t try, path string, v merge.Versions, got, people []byte) {
	if r.out == "" {
		return
	}
	name := t.people
	if name == "" {
		name = t.ours[:8] + "-" + t.theirs[:8]
	}
	dir := filepath.Join(r.out, name, strings.ReplaceAll(path, "/", "_"))
	err := os.MkdirAll(dir, 0o777)
	for name, data := range map[string][]byte{"base": v.Base, "ours": v.Ours, "theirs": v.Theirs, "got": got, "people": people} {
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name), data, 0o666)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "mergerate:", err)
	}
}

// same compares two files by their tokens, comments, white space and trailing commas left
// out; without regard to their order, where that does not count. What cannot be parsed is
// compared by its words.
func same(path string, a, b []byte, anyOrder bool) bool {
	x, y := tokens(path, a), tokens(path, b)
	if anyOrder {
		sort.Strings(x)
		sort.Strings(y)
	}
	return strings.Join(x, "\x00") == strings.Join(y, "\x00")
}

func tokens(path string, text []byte) []string {
	l := lang.ForPath(path)
	if l == nil {
		return strings.Fields(string(text))
	}
	tree, err := symbols.Parse(l, text, symbols.DefaultLimits)
	if err != nil {
		return strings.Fields(string(text))
	}
	var out []string
	for n := tree.Root(); n < tree.Next(tree.Root()); {
		switch {
		case strings.Contains(tree.Kind(n), "comment"):
			n = tree.Next(n)
			continue
		case tree.Leaf(n):
			if s := strings.TrimSpace(tree.Text(n)); s != "" {
				out = append(out, s)
			}
		}
		n++
	}
	kept := out[:0]
	for i, s := range out {
		if s == "," && i+1 < len(out) && strings.Contains(")]}", out[i+1]) {
			continue
		}
		kept = append(kept, s)
	}
	return kept
}

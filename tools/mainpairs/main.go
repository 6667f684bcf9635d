// Command mainpairs replays a repository's merges: for each merged branch it works out
// what its author would have been told about main right before the merge (stale,
// new_callers), and prints the notes. They are judged by reading them beside the two
// changes, which the lines name.
//
//	go run ./tools/mainpairs [-max 500] [-v] REPOSITORY
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"time"

	"gitlet/internal/footprint"
	"gitlet/internal/git"
	"gitlet/internal/model"
	"gitlet/internal/rules"
	"gitlet/internal/sources"
	"gitlet/internal/symbols"
	"gitlet/internal/view"
)

func main() {
	most := flag.Int("max", 500, "how many merges to look at")
	verbose := flag.Bool("v", false, "print pairs without notes too")
	flag.Parse()
	if flag.NArg() != 1 {
		flag.Usage()
		os.Exit(2)
	}
	if err := run(context.Background(), flag.Arg(0), *most, *verbose); err != nil {
		fmt.Fprintln(os.Stderr, "mainpairs:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, dir string, most int, verbose bool) error {
	wt, err := git.Open(ctx, dir)
	if err != nil {
		return err
	}
	log, err := wt.Log(ctx, git.LogOptions{FirstParent: true})
	if err != nil {
		return err
	}
	cache := symbols.NewCache(symbols.DefaultLimits, 0)
	pairs, noted := 0, 0
	kinds := map[string]int{}
	for _, c := range log {
		if len(c.Parents) != 2 || pairs == most {
			continue
		}
		main, head := c.Parents[0], c.Parents[1]
		base, err := wt.MergeBase(ctx, main, head)
		if err != nil || base == main || base == head {
			continue // the branch was up to date, or empty
		}
		mine, err := change(ctx, wt, cache, base, head)
		if err != nil {
			return err
		}
		theirs, err := change(ctx, wt, cache, base, main)
		if err != nil {
			return err
		}
		pairs++
		notes := evaluate(mine, theirs)
		for _, n := range notes {
			kinds[n.Kind+" "+string(n.Severity)]++
		}
		if len(notes) > 0 {
			noted++
		}
		if len(notes) == 0 && !verbose {
			continue
		}
		fmt.Printf("%s %s (%d files; main %d files since %s)\n", c.OID[:10], c.Subject, len(mine.Files), len(theirs.Files), base[:10])
		for _, n := range notes {
			fmt.Printf("  [%s] %s\n", n.Severity, n.Title)
			for _, e := range n.Evidence {
				fmt.Printf("      %s\n", e)
			}
		}
	}
	fmt.Printf("%d merges of branches that main had left behind, %d with notes: %v\n", pairs, noted, kinds)
	return nil
}

func change(ctx context.Context, wt *git.Worktree, cache *symbols.Cache, base, head string) (*model.Footprint, error) {
	changes, err := wt.DiffTrees(ctx, base, head)
	if err != nil {
		return nil, err
	}
	cat := wt.NewCatFile(ctx)
	defer cat.Close()
	fp := footprint.Compute(footprint.Input{Base: base, Head: head, Deltas: sources.Deltas(cat, changes, nil, 0),
		Repo: sources.At{Cat: cat, Rev: head}, MaxRefs: 60000, Cache: cache})
	return &fp, nil
}

func evaluate(mine, theirs *model.Footprint) []model.Note {
	v := &view.View{Now: time.Unix(0, 0), Agent: "me", Main: "main",
		Items: []model.Item{{ID: "aaaaaaaaaaaa", Intent: "work", Status: model.ItemActive, Base: mine.Base, Head: mine.Head, Footprint: mine}}}
	v.Since = map[string]view.Since{mine.Base: {Base: mine.Base, Tip: theirs.Head, Footprint: theirs}}
	return rules.Evaluate(v)
}

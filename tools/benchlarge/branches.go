package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"gitlet/internal/bus/gitbus"
	"gitlet/internal/git"
)

// manyBranches counts what looking at the remote's branches takes, in a clone that has
// only main: a few rounds, each as bounded as a session's.
func (o options) manyBranches(ctx context.Context, dir string) error {
	remote, clone := filepath.Join(dir, "remote.git"), filepath.Join(dir, "single")
	if err := importInto(ctx, remote, func(w *bufio.Writer) { writeBranches(w, o.branches, "refs/heads/main^0") }); err != nil {
		return err
	}
	if err := gitRun(ctx, remote, "pack-refs", "--all"); err != nil {
		return err
	}
	if err := os.RemoveAll(clone); err != nil {
		return err
	}
	if err := gitRun(ctx, dir, "clone", "-q", "--single-branch", "--no-checkout", "file://"+remote, clone); err != nil {
		return err
	}
	wt, err := git.Open(ctx, clone)
	if err != nil {
		return err
	}
	b, err := gitbus.New(wt.Repo, gitbus.Options{Remote: "origin", Main: "main", Agent: "bench-host-000001"})
	if err != nil {
		return err
	}
	fmt.Printf("## %d branches of the remote\n\n| round | took | git processes | fetched | left for later |\n| --- | --- | --- | --- | --- |\n", o.branches)
	round := func(name string, max int) error {
		trace := filepath.Join(o.dir, "trace")
		start := time.Now()
		var got gitbus.HeadsFetched
		err := traced(trace, func() (err error) {
			got, err = b.FetchHeads(ctx, gitbus.Heads{Max: max, Since: time.Now().Add(-14 * 24 * time.Hour)})
			return err
		})
		if err != nil {
			return err
		}
		took := time.Since(start)
		gits, err := commands(trace)
		if err != nil {
			return err
		}
		fmt.Printf("| %s | %.0f ms | %d: %s | %d | %d |\n", name, took.Seconds()*1000, len(gits), strings.Join(gits, " "), got.Fetched, got.Outstanding)
		return nil
	}
	if err := round("the first, 50 at most", 50); err != nil {
		return err
	}
	if err := round("the next 50", 50); err != nil {
		return err
	}
	return round("and the next", 50)
}

// Command benchlarge measures what gitlet costs in large repositories, as ratios to
// `git status` in the same tree, and how many git processes each step takes:
//
//	go run ./tools/benchlarge -gitlet bin/gitlet
//
// It builds, for each size in -files, a remote with that many source files, -history
// MiB of older versions and -branches branches, and a clone of it. Each round runs git
// and the steps one after the other, so that whatever else the machine does falls on
// all of them; a ratio compares the medians of the rounds. The branches are left out
// of all but the last table, which counts what a round over them asks of the remote.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

func main() {
	var o options
	files := flag.String("files", "25000,100000", "sizes of the trees, in files")
	flag.IntVar(&o.history, "history", 1024, "older versions in the largest tree's history, in MiB")
	flag.IntVar(&o.branches, "branches", 10000, "branches of the remote")
	flag.IntVar(&o.rounds, "rounds", 11, "rounds to take the medians of")
	flag.StringVar(&o.gitlet, "gitlet", "bin/gitlet", "the gitlet to measure")
	flag.StringVar(&o.dir, "dir", "", "where the repositories go, and stay; default: a folder that is removed")
	flag.Parse()
	if err := o.run(context.Background(), *files); err != nil {
		fmt.Fprintln(os.Stderr, "benchlarge:", err)
		os.Exit(1)
	}
}

type options struct {
	history, branches, rounds int
	gitlet, dir               string
}

func (o options) run(ctx context.Context, sizes string) error {
	if o.rounds < 1 {
		return errors.New("-rounds must be 1 or more")
	}
	var err error
	if o.gitlet, err = filepath.Abs(o.gitlet); err != nil {
		return err
	}
	if _, err := os.Stat(o.gitlet); err != nil {
		return fmt.Errorf("%w; build it with: make build", err)
	}
	if o.dir == "" {
		if o.dir, err = os.MkdirTemp("", "benchlarge-"); err != nil {
			return err
		}
		defer os.RemoveAll(o.dir)
	}
	if err := seal(o.dir); err != nil {
		return err
	}
	list := strings.Split(sizes, ",")
	for i, s := range list {
		n, err := strconv.Atoi(s)
		if err != nil || n < 100 {
			return fmt.Errorf("-files: %q is no number of files, 100 or more", s)
		}
		history := 0
		if i == len(list)-1 {
			history = o.history
		}
		clone, err := build(ctx, filepath.Join(o.dir, s), n, history)
		if err != nil {
			return err
		}
		fmt.Printf("## %d files, %d MiB of history\n\n", n, history)
		if err := o.measure(ctx, clone, n); err != nil {
			return err
		}
	}
	if o.branches > 0 {
		return o.manyBranches(ctx, filepath.Join(o.dir, list[0]))
	}
	return nil
}

// seal cuts git and gitlet off from the settings of whoever runs this.
func seal(home string) error {
	for name, value := range map[string]string{
		"HOME": home, "XDG_CONFIG_HOME": filepath.Join(home, ".config"), "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.DevNull,
		"GIT_AUTHOR_NAME": "Bench", "GIT_AUTHOR_EMAIL": "bench@example.com", "GIT_COMMITTER_NAME": "Bench", "GIT_COMMITTER_EMAIL": "bench@example.com",
	} {
		if err := os.Setenv(name, value); err != nil {
			return err
		}
	}
	return nil
}

package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"time"
)

// options are the command line.
type options struct {
	pairs, history, sample, lines int
	seed                          uint64
	near                          bool
	long                          time.Duration
	main                          string
	dirs                          []string
}

func main() {
	var o options
	flag.IntVar(&o.pairs, "pairs", 100, "pairs to replay per repository")
	flag.IntVar(&o.history, "history", 1500, "commits of main to look at")
	flag.BoolVar(&o.near, "near", false, "only pairs that change a common file")
	flag.DurationVar(&o.long, "long", 30*24*time.Hour, "leave out branches that were open for longer")
	flag.StringVar(&o.main, "main", "", "the branch or commit to read; none means HEAD")
	flag.IntVar(&o.sample, "sample", 0, "notes to print with both diffs, per repository")
	flag.IntVar(&o.lines, "lines", 200, "lines of each diff in a sample")
	flag.Uint64Var(&o.seed, "seed", 1, "draws the pairs and the sample")
	flag.Parse()
	o.dirs = flag.Args()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, o, os.Stdout, os.Stderr)
	stop()
	if err != nil {
		fmt.Fprintf(os.Stderr, "replay: %v\n", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, o options, out, progress io.Writer) error {
	if len(o.dirs) == 0 {
		return errors.New("name the repositories to read, as in replay -pairs 100 DIR")
	}
	var all []told
	for _, dir := range o.dirs {
		said, err := one(ctx, o, dir, out, progress)
		if err != nil {
			return err
		}
		all = append(all, said...)
	}
	if len(o.dirs) > 1 {
		return report(out, "together", all)
	}
	return nil
}

func one(ctx context.Context, o options, dir string, out, progress io.Writer) ([]told, error) {
	h, err := openHistory(ctx, dir, o.main)
	if err != nil {
		return nil, err
	}
	defer h.close()
	landings, err := h.landings(ctx, o.history)
	if err != nil {
		return nil, err
	}
	for i := range landings {
		if err := h.begin(ctx, &landings[i]); err != nil {
			return nil, err
		}
	}
	pairs := overlapping(landings, o.long, o.seed)
	if _, err := fmt.Fprintf(progress, "%s: %d pull requests, %d pairs open at one time\n", h.name, len(landings), len(pairs)); err != nil {
		return nil, err
	}
	said, err := replayAll(ctx, h, landings, pairs, o, progress)
	if err != nil {
		return nil, err
	}
	if err := report(out, h.name, said); err != nil {
		return nil, err
	}
	return said, sample(ctx, out, h, pick(said, o.sample, o.seed), o.lines)
}

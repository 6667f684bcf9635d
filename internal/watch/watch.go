package watch

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"gitlet/internal/verb"
)

// Options say how to watch.
type Options struct {
	// Look is how things stand now.
	Look  func(ctx context.Context) *verb.Result
	Out   io.Writer
	Every time.Duration
	Once  bool
	// Terminal draws each page in the place of the one before; without it a page is
	// printed when something in it changed.
	Terminal bool
	Width    int
}

const (
	clear = "\x1b[H\x1b[2J"
	least = time.Second
)

// Run watches until ctx ends.
func Run(ctx context.Context, o Options) error {
	var before []string
	for {
		r := o.Look(ctx)
		if ctx.Err() != nil {
			return nil
		}
		lines := Page(r, o.Width)
		ageless := *r
		ageless.StateAge = ""
		now := Page(&ageless, o.Width)
		switch {
		case o.Terminal && !o.Once:
			if err := o.print(clear, lines); err != nil {
				return err
			}
		case before == nil || !slices.Equal(now, before):
			lead := ""
			if before != nil {
				lead = "\n"
			}
			if err := o.print(lead, lines); err != nil {
				return err
			}
			before = now
		}
		if o.Once {
			return nil
		}
		t := time.NewTimer(max(o.Every, least))
		select {
		case <-ctx.Done():
			t.Stop()
			return nil
		case <-t.C:
		}
	}
}

func (o Options) print(lead string, lines []string) error {
	if _, err := io.WriteString(o.Out, lead+strings.Join(lines, "\n")+"\n"); err != nil {
		return fmt.Errorf("print the page: %w", err)
	}
	return nil
}

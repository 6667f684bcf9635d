package inspect

import (
	"context"
	"io"
)

func Symbols(ctx context.Context, dir, rev string, paths []string, out io.Writer) error   { return nil }
func Footprint(ctx context.Context, dir, base, head string, out io.Writer) error { return nil }

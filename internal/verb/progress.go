package verb

import "context"

type progressKey struct{}

// WithProgress lets what a verb does tell how far it is; tell may be nil.
func WithProgress(ctx context.Context, tell func(done, of int)) context.Context {
	return context.WithValue(ctx, progressKey{}, tell)
}

// Progress is where to tell how far something is, nil for nowhere.
func Progress(ctx context.Context) func(done, of int) {
	tell, _ := ctx.Value(progressKey{}).(func(done, of int))
	return tell
}

package engine

import (
	"context"

	"gitlet/internal/git"
	"gitlet/internal/replay"
)

// Resolutions are the recorded resolutions whose name begins with a text, the newest first.
func (c *Call) Resolutions(name string) ([]replay.Recorded, error) {
	return replay.Find(c.wt.Repo, name)
}

// ForgetResolution removes one and makes sure that it is gone.
func (c *Call) ForgetResolution(r git.Resolution) error { return replay.Forget(c.wt.Repo, r) }

// Train learns resolutions from the newest merges of main; see replay.Train.
func (c *Call) Train(ctx context.Context, most int, tell func(done, of int)) (*replay.Trained, error) {
	main := c.mainOID(ctx)
	if main == "" {
		return nil, ErrNoMain
	}
	return replay.Train(ctx, c.wt.Foreground(), main, most, c.Now, tell)
}

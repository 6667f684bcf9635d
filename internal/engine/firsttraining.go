package engine

import (
	"context"
	"errors"
	"time"

	"gitlet/internal/config"
	"gitlet/internal/git"
	"gitlet/internal/replay"
)

// firstTraining bounds what init spends on learning.
const firstTraining = 10 * time.Second

// FirstTraining learns resolutions from the newest merges of main, with what the clone has
// and for at most ten seconds, before anybody is at work in the worktree; see replay.Train.
// It learns nothing (nil) where there is no main, where git is too old to merge without a
// work tree, and where the user turned recorded resolutions off.
func FirstTraining(ctx context.Context, dir string, most int, tell func(done, of int)) (t *replay.Trained, main string, err error) {
	wt, err := git.Open(ctx, dir)
	if err != nil {
		return nil, "", err
	}
	cfg, err := wt.Config(ctx)
	if err != nil {
		return nil, "", err
	}
	if on, err := wt.Replays(ctx); err != nil || !on || !wt.Version.MergeTree() {
		return nil, "", err
	}
	settings, _ := config.From(cfg) // init has nothing to say about them; doctor has
	ch, err := config.Choose(ctx, settings, cfg.RemoteNames(), wt.Repo)
	if err != nil || ch.Commit == "" {
		return nil, "", err
	}
	main = ch.Main.Name
	if ch.Remote.Name != "" {
		main = ch.Remote.Name + "/" + main
	}
	tctx, cancel := context.WithTimeout(ctx, firstTraining)
	defer cancel()
	t, err = replay.Train(tctx, wt, ch.Commit, most, time.Now(), tell)
	if errors.Is(err, context.DeadlineExceeded) {
		err = nil
	}
	return t, main, err
}

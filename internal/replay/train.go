package replay

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"gitlet/internal/git"
	"gitlet/internal/rerere"
)

// Trained is what learning from history came to.
type Trained struct {
	Merges      int  `json:"merges"`      // looked at
	Conflicting int  `json:"conflicting"` // of them
	Files       int  `json:"files"`       // with conflicts of content that the merge settled
	Recorded    int  `json:"recorded"`    // new resolutions
	Known       int  `json:"known"`       // those that recorded ones cover already
	Whole       bool `json:"whole"`       // it got through all of them in the time there was
}

// batch is how many merges are made again by one git process.
const batch = 50

// Train records how the newest merges of head settled their conflicts. The merges are made
// again among objects that are thrown away, in no work tree. It ends when ctx does, with
// what it has by then. tell, which may be nil, hears of the progress.
func Train(ctx context.Context, wt *git.Worktree, head string, most int, now time.Time, tell func(done, of int)) (*Trained, error) {
	out := &Trained{}
	merges, err := wt.MergeCommits(ctx, head, most)
	if err != nil {
		return out, err
	}
	styles, err := wt.ConflictStyles(ctx)
	if err != nil {
		return out, err
	}
	aside, drop, err := wt.Aside()
	if err != nil {
		return out, err
	}
	defer drop()
	cat := aside.NewCatFile(ctx)
	defer cat.Close()
	b := &Book{Repo: wt.Repo, Now: now}
	for len(merges) > 0 {
		if ctx.Err() != nil {
			return out, nil
		}
		some := merges[:min(batch, len(merges))]
		merges = merges[len(some):]
		pairs := make([]git.MergePair, len(some))
		for i, m := range some {
			pairs[i] = git.MergePair{Ours: m.Ours, Theirs: m.Theirs}
		}
		for i, m := range aside.MergeTrees(ctx, pairs, "merge.conflictStyle="+styles[0]) {
			err := m.Err
			switch {
			case errors.Is(err, git.ErrCannotTell), err == nil && m.Clean():
				continue
			case err == nil:
				out.Conflicting++
				err = b.learn(ctx, cat, some[i], m.Merge, out)
			}
			if ctx.Err() != nil {
				return out, nil
			}
			if err != nil {
				return out, err
			}
		}
		out.Merges += len(some)
		if tell != nil {
			tell(out.Merges, out.Merges+len(merges))
		}
	}
	out.Whole = true
	return out, nil
}

// maxFile is the largest file whose conflicts are learned.
const maxFile = 4 << 20

// learn records what a merge chose where its parents conflict.
func (b *Book) learn(ctx context.Context, cat *git.CatFile, c git.MergeCommit, m *git.Merge, out *Trained) error {
	for _, f := range m.Conflicts {
		if !textual(f) {
			continue
		}
		with, err := cat.Read(m.Tree+":"+f.Path, maxFile)
		if err != nil {
			return err
		}
		without, err := cat.Read(c.OID+":"+f.Path, maxFile)
		if err != nil {
			return err
		}
		if with.Data == nil || without.Data == nil || without.Type != "blob" {
			continue // too large, or not there any more
		}
		conflict, ok := rerere.Read(with.Data, b.Repo.ObjectFormat)
		if !ok {
			continue
		}
		if _, still := rerere.Read(without.Data, b.Repo.ObjectFormat); still || bytes.IndexByte(without.Data, 0) >= 0 {
			continue
		}
		out.Files++
		if err := b.record(ctx, cat, c, conflict, without.Data, out); err != nil {
			return err
		}
	}
	return nil
}

func (b *Book) record(ctx context.Context, cat *git.CatFile, c git.MergeCommit, conflict *rerere.Conflict, after []byte, out *Trained) error {
	have, err := b.Repo.Resolutions(conflict.ID)
	if err != nil {
		return err
	}
	for _, r := range have {
		// As git does: what fits is used, and nothing else recorded beside it.
		if _, fits, err := b.fit(ctx, conflict, r); err != nil {
			return err
		} else if fits {
			out.Known++
			return nil
		}
	}
	res := git.Resolution{ID: conflict.ID, Before: conflict.Text, After: after}
	if forgotten(b.Repo, res) {
		return nil
	}
	fresh, err := b.Repo.Record(&res)
	if err != nil || !fresh {
		return err
	}
	out.Recorded++
	o := Origin{Commit: c.OID, At: b.Now}
	if info, err := cat.Read(c.OID, maxFile); err == nil {
		o.By, o.At = author(info.Data, b.Now)
	}
	return noteOrigin(b.Repo, res, o)
}

// author reads who wrote a commit and when out of the commit itself.
func author(commit []byte, fallback time.Time) (string, time.Time) {
	for line := range bytes.Lines(commit) {
		rest, ok := bytes.CutPrefix(line, []byte("author "))
		if !ok {
			continue
		}
		name, tail, _ := bytes.Cut(rest, []byte(" <"))
		_, when, _ := bytes.Cut(tail, []byte("> "))
		var sec int64
		if _, err := fmt.Sscanf(string(when), "%d", &sec); err != nil {
			return string(name), fallback
		}
		return string(name), time.Unix(sec, 0)
	}
	return "", fallback
}

// forgottenMark is where a forgotten resolution is remembered, so that it is not learned
// again.
func forgottenMark(repo *git.Repo, id, outcome string) string {
	return filepath.Join(noteDir(repo), "forgotten", id+"-"+outcome)
}

func resolved(r git.Resolution) string {
	sum := sha256.Sum256(r.After)
	return hex.EncodeToString(sum[:8])
}

func forgotten(repo *git.Repo, r git.Resolution) bool { return forgottenAs(repo, r.ID, resolved(r)) }

func forgottenAs(repo *git.Repo, id, outcome string) bool {
	_, err := os.Lstat(forgottenMark(repo, id, outcome))
	return err == nil
}

func markForgotten(repo *git.Repo, r git.Resolution) error {
	return markForgottenAs(repo, r.ID, resolved(r))
}

func markForgottenAs(repo *git.Repo, id, outcome string) error {
	mark := forgottenMark(repo, id, outcome)
	if err := os.MkdirAll(filepath.Dir(mark), 0o777); err != nil {
		return fmt.Errorf("remember what was forgotten: %w", err)
	}
	if err := os.WriteFile(mark, nil, 0o666); err != nil {
		return fmt.Errorf("remember what was forgotten: %w", err)
	}
	return nil
}

package snapshot

import (
	"bytes"
	"context"

	"gitlet/internal/git"
)

// Held is a file in a commit the remote lacks that must not leave the machine.
type Held struct {
	Commit, Path string
	Reason       Reason
	Size         int64 // in bytes; 0 when only the name counted
}

// Unpushed returns the files that pushing head would send although they are denied,
// too large, or LFS pointers, because commits the remote lacks hold them. What the
// remote has is judged by the refs in tracking (full names or folders: the clone's
// remote-tracking refs and gitlet's copies of main and of its own namespace). Only
// when that finds something is the remote itself asked for its branches, since a
// single-branch or shallow clone tracks few of them; a remote that does not answer
// changes nothing. An error that is ctx's own says that there is no answer yet.
func Unpushed(ctx context.Context, rem git.Remote, head string, tracking []string, p Policy) ([]Held, error) {
	if head == "" {
		return nil, nil
	}
	repo := rem.Repo()
	commits, err := repo.RevList(ctx, []string{head}, nil, tracking, many)
	if err != nil || len(commits) == 0 {
		return nil, err
	}
	if len(commits) < many {
		held, err := holds(ctx, repo, commits, p)
		if err != nil || len(held) == 0 {
			return nil, err
		}
	}
	heads, err := rem.Heads(ctx)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	var have []string
	if err == nil {
		if have, err = present(ctx, repo, heads); err != nil {
			return nil, err
		}
	}
	commits, err = repo.RevList(ctx, []string{head}, have, tracking, 0)
	if err != nil {
		return nil, err
	}
	return holds(ctx, repo, commits, p)
}

// many commits the remote seems to lack mean that this clone tracks next to nothing of
// it: asking is cheaper than reading them.
const many = 1000

// present keeps the commits that are in this clone.
func present(ctx context.Context, repo *git.Repo, heads map[string]string) ([]string, error) {
	var names, have []string
	for _, oid := range heads {
		names = append(names, oid+"^{commit}")
	}
	oids, err := repo.Resolve(ctx, names...)
	for _, oid := range oids {
		if oid != "" {
			have = append(have, oid)
		}
	}
	return have, err
}

// holds finds the files in the commits that must not leave the machine.
func holds(ctx context.Context, repo *git.Repo, commits []string, p Policy) ([]Held, error) {
	changes, err := repo.CommitChanges(ctx, commits)
	if err != nil {
		return nil, err
	}
	var held []Held
	var rest []git.CommitChange
	var oids []string
	for _, c := range changes {
		switch {
		case c.Mode == noMode || c.Mode == git.ModeGitlink:
		case Denied(c.Path):
			held = append(held, Held{Commit: c.Commit, Path: c.Path, Reason: ReasonDenied})
		default:
			rest, oids = append(rest, c), append(oids, c.OID)
		}
	}
	infos, err := repo.Objects(ctx, oids...)
	if err != nil {
		return nil, err
	}
	conf, err := repo.KnownConfig(ctx)
	if err != nil {
		return nil, err
	}
	lfs := len(conf.Keys("filter.lfs.")) > 0
	cat := repo.NewCatFile(ctx)
	defer cat.Close()
	for i, info := range infos {
		h := Held{Commit: rest[i].Commit, Path: rest[i].Path, Size: info.Size}
		switch {
		case p.MaxFile > 0 && info.Size > int64(p.MaxFile):
			h.Reason = ReasonTooLarge
		case lfs && info.Size > 0 && info.Size < maxPointer:
			o, err := cat.Read(info.OID, maxPointer)
			if err != nil {
				return nil, err
			}
			if !bytes.HasPrefix(o.Data, []byte(pointerStart)) {
				continue
			}
			h.Reason = ReasonLFS
		default:
			continue
		}
		held = append(held, h)
	}
	return held, nil
}

// An LFS pointer is a small text file that starts like this.
const (
	maxPointer   = 1024
	pointerStart = "version https://git-lfs.github.com/spec/"
)

package engine

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"gitlet/internal/id"
	"gitlet/internal/ledger"
	"gitlet/internal/model"
	"gitlet/internal/notes"
)

// Peeked is a worktree as its files say it is, found without starting a process. It is
// for hooks that run after each step of an agent, where a process costs more than all
// the rest.
type Peeked struct {
	Root   string
	Linked bool // not the clone's main worktree
	Agent  string
	state  string // gitlet's folder in the clone
}

// Peek finds the worktree that dir lies in. ok is false where there is none, and where
// gitlet was never used: nothing is made there. agent is who to speak for, "" for the
// worktree's own.
func Peek(dir, agent string) (p Peeked, ok bool) {
	if p.Root = Top(dir); p.Root == "" {
		return p, false
	}
	gitDir := gitDirOf(p.Root)
	common := gitDir
	if link, err := os.ReadFile(filepath.Join(gitDir, "commondir")); err == nil {
		p.Linked = true
		common = absolute(gitDir, strings.TrimSuffix(string(link), "\n"))
	}
	p.state = filepath.Join(common, "gitlet")
	if _, err := os.Lstat(filepath.Join(p.state, ledger.FileName)); err != nil {
		return p, false
	}
	if p.Agent = agent; agent != "" {
		return p, id.ValidAgent(agent)
	}
	data, err := os.ReadFile(identityFile(gitDir))
	var who identity
	if err != nil || json.Unmarshal(data, &who) != nil || !id.ValidAgent(who.Agent) {
		return p, false
	}
	p.Agent = who.Agent
	return p, who.Dir == gitDir || who.Inode != 0 && who.Inode == inodeOf(gitDir)
}

// Top is the top of the work tree that dir lies in, found without starting a process; ""
// where there is none.
func Top(dir string) string {
	real, err := filepath.EvalSymlinks(dir)
	if err != nil || !filepath.IsAbs(real) {
		return ""
	}
	for ; gitDirOf(real) == ""; real = filepath.Dir(real) {
		if real == filepath.Dir(real) {
			return ""
		}
	}
	return real
}

// gitDirOf is the git directory of a work tree whose top is dir, "" when it is none.
func gitDirOf(dir string) string {
	name := filepath.Join(dir, ".git")
	info, err := os.Stat(name)
	if err != nil {
		return ""
	}
	if !info.IsDir() {
		data, err := os.ReadFile(name)
		to, is := strings.CutPrefix(string(data), "gitdir: ")
		if err != nil || !is {
			return ""
		}
		name = absolute(dir, strings.TrimRight(to, "\n"))
	}
	real, err := filepath.EvalSymlinks(name)
	if err != nil {
		return ""
	}
	if _, err := os.Lstat(filepath.Join(real, "HEAD")); err != nil {
		return ""
	}
	return real
}

func absolute(base, path string) string {
	if !filepath.IsAbs(path) {
		path = filepath.Join(base, path)
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}

// unseenFile is there while an agent may have notes that no channel has shown: without it
// a hook need not open the ledger, which costs more than all else it does.
func unseenFile(state, agent string) string { return filepath.Join(state, "unseen", agent) }

// markUnseen keeps that file as it should be. When that fails a hook is silent, or looks
// in vain; results go by the ledger.
func markUnseen(state, agent string, unseen bool) {
	name := unseenFile(state, agent)
	if _, err := os.Lstat(name); (err == nil) == unseen {
		return
	}
	if !unseen {
		_ = os.Remove(name)
		return
	}
	_ = os.MkdirAll(filepath.Dir(name), 0o755)
	_ = os.WriteFile(name, nil, 0o644)
}

// NewNotes picks the notes for a hook to show that no channel has shown yet, as they were
// worked out last; the next result shows them once more. Where there are none, nothing is
// written.
func (p Peeked) NewNotes(ctx context.Context, max int) (show []model.Note, more int, err error) {
	if _, err := os.Lstat(unseenFile(p.state, p.Agent)); err != nil {
		return nil, 0, nil
	}
	// It goes first, so that what a session finds meanwhile puts it back.
	markUnseen(p.state, p.Agent, false)
	defer func() {
		if more > 0 || err != nil {
			markUnseen(p.state, p.Agent, true)
		}
	}()
	l, err := ledger.Open(ctx, p.state, ledger.Options{Existing: true, Busy: ledger.HookBusy})
	if err != nil {
		return nil, 0, err
	}
	defer func() { err = errors.Join(err, l.Close()) }()
	have, err := l.Notes(ctx, p.Agent)
	if err != nil {
		return nil, 0, err
	}
	if show, more, _ = notes.DeliverHook(have, max, model.Info); len(show) > 0 {
		err = l.UpdateNotes(ctx, p.Agent, func(have []model.StoredNote) (out []model.StoredNote, _ error) {
			show, more, out = notes.DeliverHook(have, max, model.Info)
			return out, nil
		})
		if err != nil {
			return nil, 0, err // it could not be marked, so it would be shown each time
		}
	}
	return show, more, nil
}

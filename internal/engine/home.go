package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"gitlet/internal/flock"
	"gitlet/internal/git"
	"gitlet/internal/id"
	"gitlet/internal/ledger"
	"gitlet/internal/model"
)

// Who a worktree is and which items it finished also stands in a ref of the clone, which
// is never shared: gitlet's folder in the git directory may be deleted as a whole, and
// the main worktree's identity is in it.

const (
	homeRoot = "refs/gitlet-home/"
	homeFile = "home.json"
	// keyHome is the ledger key that says that this ledger has what the ref has.
	keyHome = "home"
	// keepHome is how many finished items the ref holds.
	keepHome = 100
)

// home is what the ref of an agent holds.
type home struct {
	identity
	Closed []closedItem `json:"closed,omitempty"` // oldest first
}

type closedItem struct {
	ID         string           `json:"id"`
	Intent     string           `json:"intent"`
	Branch     string           `json:"branch"`
	Head       string           `json:"head"`
	LastPushed string           `json:"lastPushed,omitempty"`
	Status     model.ItemStatus `json:"status"`
	ClosedAt   time.Time        `json:"closedAt"`
}

func homeRef(agent string) string { return homeRoot + agent }

// homes reads the refs of all agents of this clone. What cannot be read is left out.
func homes(ctx context.Context, repo *git.Repo, refs ...string) (all map[string]home, at map[string]string, err error) {
	if at, err = repo.Refs(ctx, refs...); err != nil || len(at) == 0 {
		return nil, at, err
	}
	cat := repo.NewCatFile(ctx)
	defer cat.Close()
	all = map[string]home{}
	for ref, oid := range at {
		o, err := cat.Read(oid+":"+homeFile, 1<<20)
		if err != nil {
			return nil, at, err
		}
		var h home
		agent := strings.TrimPrefix(ref, homeRoot)
		if o.Found && json.Unmarshal(o.Data, &h) == nil && h.Agent == agent && id.ValidAgent(agent) {
			all[agent] = h
		}
	}
	return all, at, nil
}

// writeHome changes the ref of an agent; change reports whether anything changed.
func writeHome(ctx context.Context, repo *git.Repo, agent string, change func(*home) bool) error {
	const tries = 3
	for try := 1; ; try++ {
		all, at, err := homes(ctx, repo, homeRef(agent))
		if err != nil {
			return err
		}
		h := all[agent]
		if h.Agent = agent; !change(&h) {
			return nil
		}
		if n := len(h.Closed) - keepHome; n > 0 {
			h.Closed = h.Closed[n:]
		}
		data, err := json.Marshal(h)
		if err != nil {
			return fmt.Errorf("encode what is known of %q: %w", agent, err)
		}
		oid, err := repo.CommitFile(ctx, homeFile, data, nil, "gitlet: home")
		if err != nil {
			return err
		}
		to := git.Create(homeRef(agent), oid)
		if was := at[homeRef(agent)]; was != "" {
			to = git.Update(homeRef(agent), oid, was)
		}
		err = repo.Apply(ctx, to)
		if try == tries || !errors.Is(err, git.ErrRefMoved) && !errors.Is(err, git.ErrRefLocked) {
			return err
		}
	}
}

// recoverAgent finds out who the worktree was when neither its file nor the ledger says
// so; "" when that is not certain.
func recoverAgent(ctx context.Context, wt *git.Worktree) (string, error) {
	all, _, err := homes(ctx, wt.Repo, strings.TrimSuffix(homeRoot, "/"))
	if err != nil || len(all) == 0 {
		return "", err
	}
	return chooseHome(all, wt.GitDir, inodeOf(wt.GitDir), othersIn(wt.CommonDir, wt.GitDir), func(agent string) bool {
		lock, err := flock.Try(filepath.Join(wt.CommonDir, "gitlet", "sessions", agent+".lock"))
		if err != nil {
			return true
		}
		lock.Unlock()
		return false
	}), nil
}

// chooseHome picks the one agent that lived in this git directory. The directory has to
// be the recorded one, since a copied clone holds its original's refs. Where it was made
// anew at the same place (restored, or another worktree), a live session says that the
// agent is at home elsewhere; so does the file of another worktree always.
func chooseHome(all map[string]home, gitDir string, inode uint64, others map[string]bool, live func(string) bool) string {
	var same, placed []string
	for agent, h := range all {
		switch {
		case h.Dir != gitDir || others[agent]:
		case inode != 0 && h.Inode == inode:
			same = append(same, agent)
		case !live(agent):
			placed = append(placed, agent)
		}
	}
	for _, found := range [][]string{same, placed} {
		if len(found) == 1 {
			return found[0]
		}
		if len(found) > 1 {
			return ""
		}
	}
	return ""
}

// othersIn are the agents that the files of the clone's other worktrees name.
func othersIn(commonDir, gitDir string) map[string]bool {
	dirs, err := filepath.Glob(filepath.Join(commonDir, "worktrees", "*"))
	if err != nil {
		dirs = nil // a path with marks of a pattern: nothing is known then
	}
	out := map[string]bool{}
	for _, dir := range append(dirs, commonDir) {
		if dir == gitDir {
			continue
		}
		var who identity
		if data, err := os.ReadFile(identityFile(dir)); err == nil && json.Unmarshal(data, &who) == nil {
			out[who.Agent] = true
		}
	}
	return out
}

// bringHome makes the ledger and the agent's ref say the same, once for each ledger.
func (e *Engine) bringHome(ctx context.Context) error {
	if _, ok, err := e.ledger.Get(ctx, e.who.Agent, keyHome); err != nil || ok {
		return nil // it is there, or it cannot be told
	}
	var known []closedItem
	err := writeHome(ctx, e.wt.Repo, e.who.Agent, func(h *home) bool {
		known = h.Closed
		if h.identity == e.who || e.who.Inode == 0 {
			return false // an id given by hand is not the worktree's own
		}
		h.identity = e.who
		return true
	})
	if err != nil {
		return err
	}
	for _, it := range known {
		if had, err := e.ledger.ClosedItem(ctx, it.ID); err != nil || had != nil {
			continue
		}
		if err := e.ledger.AddClosed(ctx, e.who.Agent, ledger.ClosedItem{ID: it.ID, Intent: it.Intent, Branch: it.Branch,
			Head: it.Head, LastPushed: it.LastPushed, Status: it.Status, ClosedAt: it.ClosedAt}); err != nil {
			return err
		}
	}
	return e.ledger.Set(ctx, e.who.Agent, keyHome, "1")
}

// RememberClosed keeps a finished item in the ledger, and beside it for when that is lost.
func (e *Engine) RememberClosed(ctx context.Context, it ledger.ClosedItem) error {
	err := writeHome(ctx, e.wt.Repo, e.who.Agent, func(h *home) bool {
		kept := h.Closed[:0:0]
		for _, c := range h.Closed {
			if c.ID != it.ID {
				kept = append(kept, c)
			}
		}
		h.Closed = append(kept, closedItem{ID: it.ID, Intent: it.Intent, Branch: it.Branch, Head: it.Head,
			LastPushed: it.LastPushed, Status: it.Status, ClosedAt: it.ClosedAt})
		return true
	})
	return errors.Join(e.ledger.AddClosed(ctx, e.who.Agent, it), err)
}

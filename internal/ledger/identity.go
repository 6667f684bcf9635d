package ledger

import (
	"context"
	"database/sql"
	"errors"
)

// Identity says which agent serves a worktree.
type Identity struct {
	// GitDir is the worktree's own git directory, links resolved: however a worktree
	// is reached, it is one.
	GitDir string
	Agent  string
	Client string
	Host   string
}

// AgentFor returns the identity recorded for a worktree; ok is false when there is none.
func (l *Ledger) AgentFor(ctx context.Context, gitDir string) (who Identity, ok bool, err error) {
	err = l.read(ctx, "read identity", func(q querier) error {
		who, ok, err = agentFor(ctx, q, gitDir)
		return err
	})
	return who, ok, err
}

func agentFor(ctx context.Context, q querier, gitDir string) (Identity, bool, error) {
	who := Identity{GitDir: gitDir}
	err := q.QueryRowContext(ctx, "SELECT agent, client, host FROM identity WHERE git_dir = ?", gitDir).
		Scan(&who.Agent, &who.Client, &who.Host)
	if errors.Is(err, sql.ErrNoRows) {
		return Identity{}, false, nil
	}
	return who, err == nil, err
}

// SetAgent records who serves a worktree and returns what stands afterwards. The
// first agent of a worktree stays, so of two processes that make up an id at once
// both get the same one; the same agent updates its client and host.
func (l *Ledger) SetAgent(ctx context.Context, who Identity) (stands Identity, err error) {
	err = l.write(ctx, "record identity", func(q querier) error {
		_, err := q.ExecContext(ctx, `INSERT INTO identity (git_dir, agent, client, host) VALUES (?, ?, ?, ?)
			ON CONFLICT (git_dir) DO UPDATE SET client = excluded.client, host = excluded.host WHERE agent = excluded.agent`,
			who.GitDir, who.Agent, who.Client, who.Host)
		if err != nil {
			return err
		}
		stands, _, err = agentFor(ctx, q, who.GitDir)
		return err
	})
	return stands, err
}

// ReplaceAgent records who serves a worktree whatever was recorded before, for a
// worktree whose own record of its identity says otherwise.
func (l *Ledger) ReplaceAgent(ctx context.Context, who Identity) error {
	return l.write(ctx, "replace identity", func(q querier) error {
		_, err := q.ExecContext(ctx, "INSERT OR REPLACE INTO identity (git_dir, agent, client, host) VALUES (?, ?, ?, ?)",
			who.GitDir, who.Agent, who.Client, who.Host)
		return err
	})
}

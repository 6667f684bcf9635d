package ledger

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"

	"gitlet/internal/model"
)

// Notes returns an agent's stored notes, by id.
func (l *Ledger) Notes(ctx context.Context, agent string) (stored []model.StoredNote, err error) {
	err = l.read(ctx, "read notes", func(q querier) error {
		stored, _, err = storedNotes(ctx, q, agent)
		return err
	})
	return stored, err
}

// UpdateNotes replaces an agent's stored notes with what change makes of them, in
// one immediate transaction, so that two processes never tell the same note. When
// change returns an error nothing is written and the error comes back. change may
// run again from an empty state when the file turns out broken, so it assigns its
// findings and does not add to them; it must not use the Ledger.
//
// On ErrNewer change has run on what could be read, and nothing was kept.
func (l *Ledger) UpdateNotes(ctx context.Context, agent string, change func([]model.StoredNote) ([]model.StoredNote, error)) error {
	err := l.write(ctx, "update notes", func(q querier) error {
		had, bodies, err := storedNotes(ctx, q, agent)
		if err != nil {
			return err
		}
		want, err := change(had)
		if err != nil {
			return err
		}
		return putNotes(ctx, q, agent, bodies, want)
	})
	if !errors.Is(err, ErrNewer) {
		return err
	}
	had, rerr := l.Notes(ctx, agent)
	if rerr != nil {
		had = nil // a schema this program cannot even read: as after a loss
	}
	if _, cerr := change(had); cerr != nil {
		return cerr
	}
	return err
}

// storedNotes returns the notes and, by id, their bodies as stored.
func storedNotes(ctx context.Context, q querier, agent string) ([]model.StoredNote, map[string]string, error) {
	bodies := map[string]string{}
	out, err := collect(ctx, q, "SELECT id, body FROM notes WHERE agent = ? ORDER BY id", []any{agent},
		func(rows *sql.Rows) (n model.StoredNote, err error) {
			var id, body string
			if err := rows.Scan(&id, &body); err != nil {
				return n, err
			}
			bodies[id] = body
			return n, decode("note", body, &n)
		})
	return out, bodies, err
}

// putNotes writes the difference between the bodies stored and the notes wanted.
func putNotes(ctx context.Context, q querier, agent string, had map[string]string, want []model.StoredNote) error {
	for _, n := range want {
		body, err := json.Marshal(n)
		if err != nil {
			return fmt.Errorf("encode note %q: %w", n.ID, err)
		}
		old, known := had[n.ID]
		delete(had, n.ID)
		if known && old == string(body) {
			continue
		}
		if _, err := q.ExecContext(ctx, "INSERT OR REPLACE INTO notes (agent, id, body) VALUES (?, ?, ?)", agent, n.ID, string(body)); err != nil {
			return err
		}
	}
	for id := range had {
		if _, err := q.ExecContext(ctx, "DELETE FROM notes WHERE agent = ? AND id = ?", agent, id); err != nil {
			return err
		}
	}
	return nil
}

// decode reads a JSON body. Only this package writes them, so one that cannot be
// read means that the file rotted.
func decode(what, body string, into any) error {
	if err := json.Unmarshal([]byte(body), into); err != nil {
		return fmt.Errorf("%w: %s: %w", ErrCorrupt, what, err)
	}
	return nil
}

package ledger

import (
	"context"
	"database/sql"
	"errors"
)

// Get returns a value an agent keeps under key; ok is false when there is none.
func (l *Ledger) Get(ctx context.Context, agent, key string) (value string, ok bool, err error) {
	err = l.read(ctx, "read value", func(q querier) error {
		err := q.QueryRowContext(ctx, "SELECT value FROM kv WHERE agent = ? AND key = ?", agent, key).Scan(&value)
		if errors.Is(err, sql.ErrNoRows) {
			value, ok = "", false
			return nil
		}
		ok = err == nil
		return err
	})
	return value, ok, err
}

// Set keeps a value for an agent under key.
func (l *Ledger) Set(ctx context.Context, agent, key, value string) error {
	return l.write(ctx, "keep value", func(q querier) error {
		_, err := q.ExecContext(ctx, "INSERT OR REPLACE INTO kv (agent, key, value) VALUES (?, ?, ?)", agent, key, value)
		return err
	})
}

// Unset forgets the value under key; one that is not there is fine.
func (l *Ledger) Unset(ctx context.Context, agent, key string) error {
	return l.write(ctx, "forget value", func(q querier) error {
		_, err := q.ExecContext(ctx, "DELETE FROM kv WHERE agent = ? AND key = ?", agent, key)
		return err
	})
}

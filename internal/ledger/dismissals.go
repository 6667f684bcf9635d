package ledger

import (
	"context"
	"database/sql"
	"time"
)

// Dismissals counts how often notes of one kind were dismissed in one way.
type Dismissals struct {
	Kind       string
	As         string // not_needed or false_alarm
	Count      int
	LastReason string // the last reason given, "" when none ever was
	LastAt     time.Time
}

// CountDismissal counts one more.
func (l *Ledger) CountDismissal(ctx context.Context, agent, kind, as, reason string, at time.Time) error {
	return l.write(ctx, "count dismissal", func(q querier) error {
		_, err := q.ExecContext(ctx, `INSERT INTO dismissals (agent, kind, closed_as, count, last_reason, last_at) VALUES (?, ?, ?, 1, ?, ?)
			ON CONFLICT DO UPDATE SET count = count + 1, last_at = excluded.last_at,
			last_reason = CASE WHEN excluded.last_reason = '' THEN last_reason ELSE excluded.last_reason END`,
			agent, kind, as, reason, nanos(at))
		return err
	})
}

// AllDismissals returns the counts of all agents of the clone together, by kind and
// way.
func (l *Ledger) AllDismissals(ctx context.Context) ([]Dismissals, error) {
	// SQLite takes the reason from the row that has the greatest time.
	return l.dismissals(ctx, `SELECT kind, closed_as, SUM(count), last_reason, MAX(last_at) FROM dismissals
		GROUP BY kind, closed_as ORDER BY kind, closed_as`)
}

// Dismissals returns an agent's counts, by kind and way.
func (l *Ledger) Dismissals(ctx context.Context, agent string) ([]Dismissals, error) {
	return l.dismissals(ctx, `SELECT kind, closed_as, count, last_reason, last_at FROM dismissals
		WHERE agent = ? ORDER BY kind, closed_as`, agent)
}

func (l *Ledger) dismissals(ctx context.Context, query string, args ...any) (all []Dismissals, err error) {
	err = l.read(ctx, "read dismissals", func(q querier) error {
		all, err = collect(ctx, q, query, args,
			func(rows *sql.Rows) (d Dismissals, err error) {
				var at int64
				err = rows.Scan(&d.Kind, &d.As, &d.Count, &d.LastReason, &at)
				d.LastAt = fromNanos(at)
				return d, err
			})
		return err
	})
	return all, err
}

package ledger

import (
	"context"
	"database/sql"
	"time"

	"gitlet/internal/bug"
)

// keepBugs is how many places an agent remembers.
const keepBugs = 200

// Bug is a broken invariant met in one place, over all processes of an agent.
type Bug struct {
	Agent           string
	Where, What     string // What as first met
	Count           int
	FirstAt, LastAt time.Time
}

// RecordBug adds what one process met in one place.
func (l *Ledger) RecordBug(ctx context.Context, agent string, r bug.Record, at time.Time) error {
	return l.write(ctx, "record broken invariant", func(q querier) error {
		_, err := q.ExecContext(ctx, `INSERT INTO bugs (agent, place, what, count, first_at, last_at) VALUES (?1, ?2, ?3, ?4, ?5, ?5)
			ON CONFLICT DO UPDATE SET count = count + excluded.count, last_at = excluded.last_at`,
			agent, r.Where, r.What, r.Count, nanos(at))
		if err != nil {
			return err
		}
		return keepNewest(ctx, q, "bugs", "last_at", agent, keepBugs)
	})
}

// Bugs returns what was recorded in this clone, the last met first.
func (l *Ledger) Bugs(ctx context.Context) (all []Bug, err error) {
	err = l.read(ctx, "read broken invariants", func(q querier) error {
		all, err = collect(ctx, q, "SELECT agent, place, what, count, first_at, last_at FROM bugs ORDER BY last_at DESC, agent, place", nil,
			func(rows *sql.Rows) (b Bug, err error) {
				var first, last int64
				err = rows.Scan(&b.Agent, &b.Where, &b.What, &b.Count, &first, &last)
				b.FirstAt, b.LastAt = fromNanos(first), fromNanos(last)
				return b, err
			})
		return err
	})
	return all, err
}

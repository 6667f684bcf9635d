package ledger

import (
	"context"
	"database/sql"
	"errors"
	"time"
)

// Observation is what this machine saw of one ref.
type Observation struct {
	OID string
	// FirstSeen is when the ref was first seen at OID.
	FirstSeen time.Time
}

// Observe records what a full refresh of one namespace brought: every ref in it with
// its value, fetched at fetchedAt. A ref at a new value is first seen now, one that
// is gone is forgotten. It returns what stands for the namespace afterwards.
func (l *Ledger) Observe(ctx context.Context, agent, namespace string, refs map[string]string, fetchedAt time.Time) (map[string]Observation, error) {
	var out map[string]Observation
	err := l.write(ctx, "record observations", func(q querier) error {
		had, err := observations(ctx, q, agent, namespace)
		if err != nil {
			return err
		}
		out = make(map[string]Observation, len(refs))
		for ref, oid := range refs {
			o, known := had[ref]
			// A first sight in the future comes from a clock that was set back since.
			if !known || o.OID != oid || o.FirstSeen.After(fetchedAt) {
				o = Observation{OID: oid, FirstSeen: fetchedAt.UTC()}
				if _, err := q.ExecContext(ctx, "INSERT OR REPLACE INTO refs (agent, namespace, ref, oid, first_seen) VALUES (?, ?, ?, ?, ?)",
					agent, namespace, ref, oid, nanos(fetchedAt)); err != nil {
					return err
				}
			}
			out[ref] = o
		}
		for ref := range had {
			if _, still := refs[ref]; still {
				continue
			}
			if _, err := q.ExecContext(ctx, "DELETE FROM refs WHERE agent = ? AND namespace = ? AND ref = ?", agent, namespace, ref); err != nil {
				return err
			}
		}
		_, err = q.ExecContext(ctx, "INSERT OR REPLACE INTO fetches (agent, namespace, at) VALUES (?, ?, ?)", agent, namespace, nanos(fetchedAt))
		return err
	})
	return out, err
}

// Observations returns what stands for a namespace, and when it was last fetched
// (zero when never).
func (l *Ledger) Observations(ctx context.Context, agent, namespace string) (refs map[string]Observation, lastFetch time.Time, err error) {
	err = l.read(ctx, "read observations", func(q querier) error {
		if refs, err = observations(ctx, q, agent, namespace); err != nil {
			return err
		}
		lastFetch, err = lastFetchOf(ctx, q, agent, namespace)
		return err
	})
	return refs, lastFetch, err
}

// LastFetch returns when the namespace was last fetched for this agent, zero when never.
func (l *Ledger) LastFetch(ctx context.Context, agent, namespace string) (at time.Time, err error) {
	err = l.read(ctx, "read last fetch", func(q querier) error {
		at, err = lastFetchOf(ctx, q, agent, namespace)
		return err
	})
	return at, err
}

// ResetObservations makes every ref first seen now, in all namespaces: nothing can
// be said of the time before (see Gaps).
func (l *Ledger) ResetObservations(ctx context.Context, agent string, now time.Time) error {
	return l.write(ctx, "reset observations", func(q querier) error {
		_, err := q.ExecContext(ctx, "UPDATE refs SET first_seen = ? WHERE agent = ?", nanos(now), agent)
		return err
	})
}

func observations(ctx context.Context, q querier, agent, namespace string) (map[string]Observation, error) {
	type row struct {
		ref string
		o   Observation
	}
	rows, err := collect(ctx, q, "SELECT ref, oid, first_seen FROM refs WHERE agent = ? AND namespace = ?", []any{agent, namespace},
		func(rows *sql.Rows) (r row, err error) {
			var first int64
			err = rows.Scan(&r.ref, &r.o.OID, &first)
			r.o.FirstSeen = fromNanos(first)
			return r, err
		})
	out := make(map[string]Observation, len(rows))
	for _, r := range rows {
		out[r.ref] = r.o
	}
	return out, err
}

func lastFetchOf(ctx context.Context, q querier, agent, namespace string) (time.Time, error) {
	var at int64
	err := q.QueryRowContext(ctx, "SELECT at FROM fetches WHERE agent = ? AND namespace = ?", agent, namespace).Scan(&at)
	if errors.Is(err, sql.ErrNoRows) {
		return time.Time{}, nil
	}
	return fromNanos(at), err
}

// nanos is how times are stored: nanoseconds since 1970, 0 for the zero time.
func nanos(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixNano()
}

func fromNanos(n int64) time.Time {
	if n == 0 {
		return time.Time{}
	}
	return time.Unix(0, n).UTC()
}

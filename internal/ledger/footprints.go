package ledger

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"gitlet/internal/model"
)

// How many footprints an agent keeps, and how large they may be together. A broad
// footprint can be a megabyte.
const (
	keepFootprints     = 256
	keepFootprintBytes = 16 << 20
)

// Footprint returns the footprint computed before between two commits by one version
// of the algorithm, nil when there is none.
func (l *Ledger) Footprint(ctx context.Context, agent, base, head string, version int) (f *model.Footprint, err error) {
	err = l.read(ctx, "read footprint", func(q querier) error {
		f = nil
		var body string
		err := q.QueryRowContext(ctx, "SELECT body FROM footprints WHERE agent = ? AND base = ? AND head = ? AND version = ?",
			agent, base, head, version).Scan(&body)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		f = new(model.Footprint)
		return decode("footprint", body, f)
	})
	return f, err
}

// PutFootprint keeps a footprint under its base, head and version, and drops the
// oldest ones over the limits and all of older versions.
func (l *Ledger) PutFootprint(ctx context.Context, agent string, f *model.Footprint, at time.Time) error {
	return l.putFootprint(ctx, agent, f, at, keepFootprints, keepFootprintBytes)
}

func (l *Ledger) putFootprint(ctx context.Context, agent string, f *model.Footprint, at time.Time, most, bytes int) error {
	body, err := json.Marshal(f)
	if err != nil {
		return fmt.Errorf("encode footprint: %w", err)
	}
	return l.write(ctx, "keep footprint", func(q querier) error {
		_, err := q.ExecContext(ctx, "INSERT OR REPLACE INTO footprints (agent, base, head, version, body, at) VALUES (?, ?, ?, ?, ?, ?)",
			agent, f.Base, f.Head, f.Version, string(body), nanos(at))
		if err != nil {
			return err
		}
		_, err = q.ExecContext(ctx, `DELETE FROM footprints WHERE agent = ?1 AND (version < ?2 OR rowid IN (
			SELECT rowid FROM (SELECT rowid,
				row_number() OVER newest AS place, sum(octet_length(body)) OVER newest AS size
				FROM footprints WHERE agent = ?1 WINDOW newest AS (ORDER BY at DESC, rowid DESC ROWS UNBOUNDED PRECEDING))
			WHERE place > ?3 OR (size > ?4 AND place > 1)))`,
			agent, f.Version, most, bytes)
		return err
	})
}

package ledger

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// keepPredictions is how many predictions an agent keeps.
const keepPredictions = 2000

// Prediction returns what was predicted for merging two heads, in either order: the
// conflicting files, none for a clean merge. known is false when nothing was.
func (l *Ledger) Prediction(ctx context.Context, agent, a, b string) (files []string, known bool, err error) {
	low, high := min(a, b), max(a, b)
	err = l.read(ctx, "read prediction", func(q querier) error {
		files, known = nil, false
		var body string
		err := q.QueryRowContext(ctx, "SELECT files FROM predictions WHERE agent = ? AND low = ? AND high = ?", agent, low, high).Scan(&body)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		known = true
		return decode("prediction", body, &files)
	})
	return files, known, err
}

// PutPrediction keeps what git said about merging two heads. "Cannot tell" is no
// prediction and is not kept.
func (l *Ledger) PutPrediction(ctx context.Context, agent, a, b string, files []string, at time.Time) error {
	if files == nil {
		files = []string{}
	}
	body, err := json.Marshal(files)
	if err != nil {
		return fmt.Errorf("encode prediction: %w", err)
	}
	return l.write(ctx, "keep prediction", func(q querier) error {
		_, err := q.ExecContext(ctx, "INSERT OR REPLACE INTO predictions (agent, low, high, files, at) VALUES (?, ?, ?, ?, ?)",
			agent, min(a, b), max(a, b), string(body), nanos(at))
		if err != nil {
			return err
		}
		return keepNewest(ctx, q, "predictions", "at", agent, keepPredictions)
	})
}

// keepNewest drops an agent's oldest rows of a table over a number. Table and column
// are names in this program.
func keepNewest(ctx context.Context, q querier, table, column, agent string, n int) error {
	_, err := q.ExecContext(ctx, fmt.Sprintf(`DELETE FROM %[1]s WHERE rowid IN (
		SELECT rowid FROM %[1]s WHERE agent = ? ORDER BY %[2]s DESC, rowid DESC LIMIT -1 OFFSET ?)`, table, column), agent, n)
	return err
}

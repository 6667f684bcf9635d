package ledger

import (
	"context"
	"database/sql"
	"time"

	"gitlet/internal/model"
)

// keepClosed is how many finished items an agent remembers.
const keepClosed = 1000

// ClosedItem is a finished item as remembered after it left the agent's state.
type ClosedItem struct {
	Agent      string // who had it; set on reading
	ID         string
	Intent     string
	Branch     string
	Head       string // the commit the branch was at when the item closed
	LastPushed string // the commit last pushed for it, "" when none was
	Status     model.ItemStatus
	ClosedAt   time.Time
}

// AddClosed remembers a finished item; one remembered before is replaced.
func (l *Ledger) AddClosed(ctx context.Context, agent string, it ClosedItem) error {
	return l.write(ctx, "remember item", func(q querier) error {
		_, err := q.ExecContext(ctx, `INSERT OR REPLACE INTO closed_items
			(agent, item, intent, branch, head, last_pushed, status, closed_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
			agent, it.ID, it.Intent, it.Branch, it.Head, it.LastPushed, string(it.Status), nanos(it.ClosedAt))
		if err != nil {
			return err
		}
		return keepNewest(ctx, q, "closed_items", "closed_at", agent, keepClosed)
	})
}

// Closed returns an agent's finished items, the last closed first.
func (l *Ledger) Closed(ctx context.Context, agent string) ([]ClosedItem, error) {
	return l.closedItems(ctx, "WHERE agent = ? ORDER BY closed_at DESC, item", agent)
}

// ClosedItem finds a finished item of any agent of this clone by its id; nil when
// none is remembered.
func (l *Ledger) ClosedItem(ctx context.Context, item string) (*ClosedItem, error) {
	all, err := l.closedItems(ctx, "WHERE item = ? ORDER BY closed_at DESC, agent LIMIT 1", item)
	if err != nil || len(all) == 0 {
		return nil, err
	}
	return &all[0], nil
}

func (l *Ledger) closedItems(ctx context.Context, where string, arg string) (all []ClosedItem, err error) {
	err = l.read(ctx, "read finished items", func(q querier) error {
		all, err = collect(ctx, q, `SELECT agent, item, intent, branch, head, last_pushed, status, closed_at FROM closed_items `+where, []any{arg},
			func(rows *sql.Rows) (it ClosedItem, err error) {
				var at int64
				err = rows.Scan(&it.Agent, &it.ID, &it.Intent, &it.Branch, &it.Head, &it.LastPushed, &it.Status, &at)
				it.ClosedAt = fromNanos(at)
				return it, err
			})
		return err
	})
	return all, err
}

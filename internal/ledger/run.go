package ledger

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"

	"github.com/mattn/go-sqlite3"
)

// read runs fn over the database.
func (l *Ledger) read(ctx context.Context, step string, fn func(querier) error) error {
	return l.run(ctx, step, func() error { return fn(l.h.db) })
}

// write runs fn in one immediate transaction. fn runs again, from the new state, when
// the file turned out broken under it; it must not use the Ledger.
func (l *Ledger) write(ctx context.Context, step string, fn func(querier) error) error {
	return l.run(ctx, step, func() error {
		if l.h.version > schemaVersion {
			return ErrNewer
		}
		tx, err := l.h.db.BeginTx(ctx, nil)
		if err != nil {
			return err
		}
		defer func() { _ = tx.Rollback() }() // after Commit it does nothing
		// A newer gitlet may have migrated the file while it was open here.
		version, err := userVersion(ctx, tx)
		if err != nil {
			return err
		}
		if version > schemaVersion {
			return errUpgraded
		}
		if err := fn(tx); err != nil {
			return err
		}
		return tx.Commit()
	})
}

// errUpgraded: the schema became newer than this program while the file was open.
var errUpgraded = errors.New("upgraded while open")

var errClosed = errors.New("the ledger is closed")

// run takes its turn, makes sure the right file is open, and repairs what it can.
func (l *Ledger) run(ctx context.Context, step string, once func() error) error {
	select {
	case l.turn <- struct{}{}:
	case <-ctx.Done():
		return fmt.Errorf("%s: %w", step, ctx.Err())
	}
	defer func() { <-l.turn }()
	// A repair can lead to another failure (a full disk), that one not to a third.
	const tries = 3
	var err error
	for range tries {
		if err = l.current(ctx); err == nil {
			err = once()
		}
		if err == nil || ctx.Err() != nil || !l.heal(ctx, err) {
			break
		}
	}
	if isSQLError(err) && l.h != nil && l.h.version > schemaVersion {
		err = ErrNewer // what this program asks for is no longer there
	}
	return named(step, err)
}

// current makes sure that what is open is what the path leads to.
func (l *Ledger) current(ctx context.Context) error {
	if l.closed {
		return errClosed
	}
	if l.h != nil && !l.h.exchanged(l.path) {
		return nil
	}
	lost := false
	if l.h != nil {
		now, err := os.Stat(l.path)
		lost = err != nil || !os.SameFile(now, l.h.file)
		l.drop()
	}
	if err := l.connect(ctx); err != nil {
		return err
	}
	if lost && l.Degraded() == "" {
		l.sayRecovered("the local state was deleted or replaced while in use; it is being rebuilt from the shared refs")
	}
	return nil
}

// heal reports whether trying again makes sense, after having done what makes it so.
func (l *Ledger) heal(ctx context.Context, err error) bool {
	if l.h == nil || l.h.file == nil {
		return false
	}
	if errors.Is(err, errUpgraded) || isSQLError(err) {
		// A statement that no longer fits: another schema, or tables taken away.
		was := l.h.version
		if err = l.h.check(ctx, l.path); err == nil {
			l.sayStanding(l.h)
			return l.h.version != was
		}
	}
	var e sqlite3.Error
	errors.As(err, &e)
	switch {
	case errors.Is(err, errMissing), errors.Is(err, errOld), e.ExtendedCode == sqlite3.ErrReadonlyDbMoved:
		l.drop()
		return true
	case broken(l.path, err):
		return l.mend(ctx, err) == nil
	case e.Code == sqlite3.ErrFull, e.Code == sqlite3.ErrReadonly, e.Code == sqlite3.ErrIoErr, e.Code == sqlite3.ErrCantOpen:
		return l.toMemory(ctx, err) == nil
	}
	return false
}

// named gives an error its step and its type.
func named(step string, err error) error {
	var e sqlite3.Error
	switch {
	case err == nil:
		return nil
	case errors.Is(err, errUpgraded):
		err = ErrNewer
	case !errors.As(err, &e):
	case e.Code == sqlite3.ErrBusy, e.Code == sqlite3.ErrLocked:
		err = fmt.Errorf("%w (%w)", ErrBusy, err)
	case e.Code == sqlite3.ErrCorrupt, e.Code == sqlite3.ErrNotADB:
		err = fmt.Errorf("%w (%w)", ErrCorrupt, err)
	}
	return fmt.Errorf("%s: %w", step, err)
}

// collect reads all rows before anything else uses the one connection.
func collect[T any](ctx context.Context, q querier, query string, args []any, scan func(*sql.Rows) (T, error)) ([]T, error) {
	rows, err := q.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }() // rows.Err has what matters
	var out []T
	for rows.Next() {
		v, err := scan(rows)
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, rows.Err()
}

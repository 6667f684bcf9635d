package ledger

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
	"io/fs"
)

//go:embed migrations/*.sql
var migrationFiles embed.FS

// migrations are the steps of the schema; step i leads to version i+1. A step that
// was released never changes.
var migrations = mustReadMigrations()

// schemaVersion is the version this program reads and writes.
var schemaVersion = len(migrations)

// tables are all tables at schemaVersion. A file without one of them is broken.
var tables = []string{
	"identity", "kv", "refs", "fetches", "notes", "dismissals",
	"footprints", "predictions", "closed_items", "bugs",
}

func mustReadMigrations() []string {
	entries, err := fs.ReadDir(migrationFiles, "migrations") // sorted by name
	if err != nil {
		panic(err) // the files are part of the program
	}
	var out []string
	for _, e := range entries {
		b, err := fs.ReadFile(migrationFiles, "migrations/"+e.Name())
		if err != nil {
			panic(err)
		}
		out = append(out, string(b))
	}
	return out
}

// migrate brings the schema up to version, in one immediate transaction: a crash
// leaves the old schema. A database that is there already, or newer, is left alone.
func migrate(ctx context.Context, db *sql.DB, version int) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("begin migration: %w", err)
	}
	defer func() { _ = tx.Rollback() }() // after Commit it does nothing
	have, err := userVersion(ctx, tx)
	if err != nil {
		return err
	}
	if have >= version {
		return nil
	}
	for i := have; i < version; i++ {
		if _, err := tx.ExecContext(ctx, migrations[i]); err != nil {
			return fmt.Errorf("migrate to schema %d: %w", i+1, err)
		}
	}
	if _, err := tx.ExecContext(ctx, fmt.Sprintf("PRAGMA user_version = %d", version)); err != nil {
		return fmt.Errorf("record schema %d: %w", version, err)
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("commit migration: %w", err)
	}
	return nil
}

// querier is what reads and writes share: a transaction or the database itself.
type querier interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

func userVersion(ctx context.Context, q querier) (int, error) {
	var v int
	if err := q.QueryRowContext(ctx, "PRAGMA user_version").Scan(&v); err != nil {
		return 0, fmt.Errorf("read schema version: %w", err)
	}
	return v, nil
}

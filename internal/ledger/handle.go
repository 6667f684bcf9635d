package ledger

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/mattn/go-sqlite3"
)

// States of a file that is not ready to use but not broken either.
var (
	errMissing = errors.New("the file is missing")
	errEmpty   = errors.New("the file is empty")
	errOld     = errors.New("the file has an older schema")
	errTables  = errors.New("tables are missing")
)

// minShm is the size of the smallest wal-index SQLite makes.
const minShm = 32 << 10

// handle is one open database with what tells that its files were exchanged.
type handle struct {
	db      *sql.DB
	version int // of the schema
	// file and shm are the database and its shared wal-index when they were opened;
	// nil in memory.
	file, shm os.FileInfo
}

// attach opens a database that is there and ready. Other results are one of the
// states above, or the error of the step that failed.
func attach(ctx context.Context, path string, busy time.Duration) (*handle, error) {
	before, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, errMissing
	case err != nil:
		return nil, fmt.Errorf("look at %q: %w", FileName, err)
	case before.Mode().IsRegular() && before.Size() == 0:
		return nil, errEmpty
	}
	db, err := sql.Open("sqlite3", dsn(path, "rw", busy))
	if err != nil {
		return nil, fmt.Errorf("open %q: %w", FileName, err)
	}
	db.SetMaxOpenConns(1)
	h := &handle{db: db, file: before}
	if err := h.check(ctx, path); err != nil {
		h.close()
		return nil, err
	}
	return h, nil
}

// check reads the schema version, makes sure the tables are there, and notes which
// files were opened.
func (h *handle) check(ctx context.Context, path string) error {
	version, err := userVersion(ctx, h.db)
	if err != nil {
		return err
	}
	if h.version = version; version < schemaVersion {
		return errOld
	}
	if version == schemaVersion {
		if err := h.complete(ctx); err != nil {
			return err
		}
	}
	if now, err := os.Stat(path); err != nil || !os.SameFile(now, h.file) {
		return errMissing // it was exchanged meanwhile
	}
	// Without a wal-index (the file is not in WAL mode here) there is nothing to watch.
	h.shm, _ = os.Stat(path + "-shm")
	return nil
}

// complete returns errTables when a table is missing.
func (h *handle) complete(ctx context.Context) error {
	query := "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name IN ('" + strings.Join(tables, "','") + "')"
	var n int
	if err := h.db.QueryRowContext(ctx, query).Scan(&n); err != nil {
		return fmt.Errorf("read schema: %w", err)
	}
	if n != len(tables) {
		return errTables
	}
	return nil
}

// exchanged reports whether path no longer leads to what is open here: the database
// or its wal-index was deleted or replaced. Going on would write where nobody reads.
func (h *handle) exchanged(path string) bool {
	if h.file == nil {
		return false
	}
	if now, err := os.Stat(path); err != nil || !os.SameFile(now, h.file) {
		return true
	}
	if h.shm == nil {
		return false
	}
	now, err := os.Stat(path + "-shm")
	if err != nil || !os.SameFile(now, h.shm) {
		return true
	}
	if now.Size() < minShm {
		// Somebody cut the mapped file short, and reading past its end would end this
		// process. Zeros make SQLite build it anew.
		return os.Truncate(path+"-shm", minShm) != nil
	}
	return false
}

// probe writes something, to see whether that works.
func (h *handle) probe(ctx context.Context) error {
	_, err := h.db.ExecContext(ctx, `INSERT INTO kv (agent, key, value) VALUES ('', 'probe', '1')
		ON CONFLICT DO UPDATE SET value = value + 1`)
	return err
}

// close lets go of the database. Nothing is lost when that fails: what was committed
// is in the file or its log.
func (h *handle) close() { _ = h.db.Close() }

// dsn spells how the file is opened: WAL, writers that wait and start at once as
// writers. Mode is SQLite's rw, rwc or ro.
func dsn(path, mode string, busy time.Duration) string {
	return fmt.Sprintf("%s?mode=%s&_busy_timeout=%d&_journal_mode=WAL&_synchronous=NORMAL&_foreign_keys=1&_txlock=immediate",
		fileURI(path), mode, busy.Milliseconds())
}

// fileURI escapes what would end the path or start an option in a URI.
func fileURI(path string) string {
	return "file:" + (&url.URL{Path: path}).EscapedPath()
}

// broken reports whether err says that the file at path is no ledger and never will
// be again. Errors that may pass (no space, too many open files) are not that.
func broken(path string, err error) bool {
	if errors.Is(err, errTables) || errors.Is(err, ErrCorrupt) {
		return true
	}
	var e sqlite3.Error
	if !errors.As(err, &e) {
		return false
	}
	switch e.Code {
	case sqlite3.ErrCorrupt, sqlite3.ErrNotADB, sqlite3.ErrFormat:
		return true
	case sqlite3.ErrCantOpen, sqlite3.ErrPerm, sqlite3.ErrAuth:
		return unreadable(path)
	}
	return false
}

// unreadable reports whether there is something at path that is no file we may read.
func unreadable(path string) bool {
	fi, err := os.Stat(path)
	if err != nil {
		return false
	}
	if !fi.Mode().IsRegular() {
		return true
	}
	f, err := os.Open(path)
	if err != nil {
		return errors.Is(err, fs.ErrPermission)
	}
	_ = f.Close() // only read
	return false
}

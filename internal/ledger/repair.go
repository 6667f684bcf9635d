package ledger

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"github.com/mattn/go-sqlite3"

	"gitlet/internal/flock"
)

// keepBad is how many files that were moved aside stay, for whoever wants to look.
const keepBad = 3

// locked runs fn under a lock that all processes of the clone share.
func (l *Ledger) locked(ctx context.Context, fn func() error) error {
	dir := filepath.Dir(l.path)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return fmt.Errorf("make gitlet's folder: %w", err)
	}
	wait, cancel := context.WithTimeout(ctx, l.busy)
	defer cancel()
	lock, err := flock.Acquire(wait, filepath.Join(dir, "locks", "ledger.lock"))
	if err != nil {
		return fmt.Errorf("lock the ledger: %w", err)
	}
	defer lock.Unlock()
	return fn()
}

// rebuild makes the file ready: a missing one is made, an older one migrated, a
// broken one moved aside and made anew. A crash leaves a file that the next call
// treats the same way.
func (l *Ledger) rebuild(ctx context.Context) (h *handle, err error) {
	err = l.locked(ctx, func() error {
		h, err = attach(ctx, l.path, l.busy)
		switch {
		case err == nil: // another process was faster
			return nil
		case errors.Is(err, errMissing):
			err = l.create(ctx)
		case errors.Is(err, errEmpty):
			if err = l.create(ctx); err == nil {
				l.sayRecovered("the local state was an empty file; it is being rebuilt from the shared refs")
			}
		case errors.Is(err, errOld):
			// What cannot be migrated is no ledger of ours, whatever its version says.
			if err = l.migrateFile(ctx); isSQLError(err) || broken(l.path, err) {
				err = l.replace(ctx, err)
			}
		case broken(l.path, err):
			err = l.replace(ctx, err)
		}
		if err == nil {
			h, err = attach(ctx, l.path, l.busy)
		}
		return err
	})
	return h, err
}

// mend exchanges the open file, which turned out broken, for a new one, unless
// another process did so already.
func (l *Ledger) mend(ctx context.Context, why error) error {
	bad := l.h.file
	l.drop()
	err := l.locked(ctx, func() error {
		if now, err := os.Stat(l.path); err != nil || !os.SameFile(now, bad) {
			return nil
		}
		return l.replace(ctx, why)
	})
	if err != nil && ctx.Err() == nil {
		return l.toMemory(ctx, err)
	}
	return l.connect(ctx)
}

// create makes a new file. Companions of an earlier one go first: its log must not
// be taken for the new one's, and processes that still have it open notice.
func (l *Ledger) create(ctx context.Context) error {
	if err := removeAll(l.path, l.path+"-wal", l.path+"-shm"); err != nil {
		return err
	}
	err := l.migrateFile(ctx)
	if err != nil {
		// Half a ledger is worse than none; the reason is what matters to the caller.
		_ = removeAll(l.path, l.path+"-wal", l.path+"-shm")
	}
	return err
}

func removeAll(paths ...string) error {
	for _, p := range paths {
		if err := os.Remove(p); err != nil && !errors.Is(err, os.ErrNotExist) {
			return fmt.Errorf("remove a stale file: %w", err)
		}
	}
	return nil
}

func (l *Ledger) migrateFile(ctx context.Context) error {
	db, err := sql.Open("sqlite3", dsn(l.path, "rwc", l.busy))
	if err != nil {
		return fmt.Errorf("open %q: %w", FileName, err)
	}
	db.SetMaxOpenConns(1)
	err = migrate(ctx, db, schemaVersion)
	if cerr := db.Close(); err == nil && cerr != nil {
		err = fmt.Errorf("close %q: %w", FileName, cerr)
	}
	return err
}

// replace moves the broken file aside and makes a new one.
func (l *Ledger) replace(ctx context.Context, why error) error {
	aside, err := moveAside(l.path)
	if err != nil {
		return err
	}
	if err := l.create(ctx); err != nil {
		return err
	}
	l.sayRecovered(fmt.Sprintf("the local state was damaged (%s); it was moved to %q and is being rebuilt from the shared refs",
		reason(why), aside))
	return nil
}

// moveAside renames the file, with its log, to <name>.bad-<when it was last
// written>, and drops all but the newest of such files. It returns the new name.
func moveAside(path string) (string, error) {
	fi, err := os.Lstat(path)
	if err != nil {
		return "", fmt.Errorf("look at the damaged file: %w", err)
	}
	stem := path + ".bad-" + fi.ModTime().UTC().Format("20060102T150405Z")
	aside := stem
	for n := 2; ; n++ {
		if _, err := os.Lstat(aside); errors.Is(err, os.ErrNotExist) {
			break
		}
		aside = fmt.Sprintf("%s-%d", stem, n)
	}
	if err := os.Rename(path, aside); err != nil {
		return "", fmt.Errorf("move the damaged file aside: %w", err)
	}
	// A log without its database is of no use; keeping it is a courtesy.
	_ = os.Rename(path+"-wal", aside+"-wal")
	pruneAside(path, aside)
	return filepath.Base(aside), nil
}

// pruneAside drops the oldest files that were moved aside, never the one just moved.
// What cannot be dropped stays.
func pruneAside(path, keep string) {
	all, err := filepath.Glob(globEscape(path) + ".bad-*")
	if err != nil {
		return
	}
	var bases []string
	for _, p := range all {
		if !strings.HasSuffix(p, "-wal") && p != keep {
			bases = append(bases, p)
		}
	}
	sort.Strings(bases)
	for len(bases) >= keepBad {
		_ = os.RemoveAll(bases[0])
		_ = os.Remove(bases[0] + "-wal")
		bases = bases[1:]
	}
}

func globEscape(path string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(path)
}

// toMemory goes on without a file, with what can still be read of it.
func (l *Ledger) toMemory(ctx context.Context, why error) error {
	ctx = context.WithoutCancel(ctx) // memory is quick, and half of it would be worse
	db, err := sql.Open("sqlite3", "file::memory:?_foreign_keys=1&_txlock=immediate")
	if err != nil {
		return fmt.Errorf("open a ledger in memory: %w", err)
	}
	db.SetMaxOpenConns(1) // each connection would have a memory of its own
	if err := migrate(ctx, db, schemaVersion); err != nil {
		_ = db.Close() // it holds nothing
		return fmt.Errorf("open a ledger in memory: %w", err)
	}
	for _, how := range []string{"mode=ro", "mode=ro&immutable=1"} {
		if copyTables(ctx, db, fileURI(l.path)+"?"+how) == nil {
			break
		}
	}
	l.swap(&handle{db: db, version: schemaVersion})
	l.mu.Lock()
	defer l.mu.Unlock()
	l.degraded = fmt.Sprintf("local state cannot be kept (%s): going on without it, so notes may be told again", reason(why))
	return nil
}

// copyTables fills db from the ledger at uri, which must have the same schema.
func copyTables(ctx context.Context, db *sql.DB, uri string) error {
	if _, err := db.ExecContext(ctx, "ATTACH ? AS old", uri); err != nil {
		return err
	}
	err := func() error {
		var v int
		if err := db.QueryRowContext(ctx, "PRAGMA old.user_version").Scan(&v); err != nil {
			return err
		}
		if v != schemaVersion {
			return errOld
		}
		for _, t := range tables {
			if _, err := db.ExecContext(ctx, "INSERT OR REPLACE INTO main."+t+" SELECT * FROM old."+t); err != nil {
				return err
			}
		}
		return nil
	}()
	if _, derr := db.ExecContext(ctx, "DETACH old"); err == nil {
		err = derr
	}
	return err
}

// reason is the innermost message of an error, without the steps that led to it.
func reason(err error) string {
	var e sqlite3.Error
	if errors.As(err, &e) {
		return e.Error()
	}
	var p *os.PathError
	if errors.As(err, &p) {
		return p.Err.Error()
	}
	return err.Error()
}

func isSQLError(err error) bool {
	var e sqlite3.Error
	return errors.As(err, &e) && (e.Code == sqlite3.ErrError || e.Code == sqlite3.ErrConstraint)
}

package ledger

import (
	"database/sql"
	"errors"
	"fmt"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gitlet/internal/model"
)

// raw runs SQL on a ledger's file, or on a new one, behind the package's back.
func raw(t *testing.T, dir, script string) {
	t.Helper()
	db, err := sql.Open("sqlite3", dsn(file(dir), "rwc", DefaultBusy))
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}()
	if _, err := db.Exec(script); err != nil {
		t.Fatal(err)
	}
}

func TestMigrationFilesAreNumbered(t *testing.T) {
	t.Parallel()
	entries, err := os.ReadDir("migrations")
	if err != nil {
		t.Fatal(err)
	}
	name := regexp.MustCompile(`^(\d{4})_[a-z_]+\.sql$`)
	for i, e := range entries {
		if m := name.FindStringSubmatch(e.Name()); m == nil || m[1] != fmt.Sprintf("%04d", i+1) {
			t.Errorf("migrations/%s is not numbered %04d", e.Name(), i+1)
		}
	}
	if len(entries) != schemaVersion {
		t.Errorf("%d files, %d migrations", len(entries), schemaVersion)
	}
}

// Every table is in the list that tells a complete file, and has an agent.
func TestTablesAreListed(t *testing.T) {
	t.Parallel()
	l := open(t, t.TempDir())
	got, err := collect(ctx, l.h.db, `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'
		AND EXISTS (SELECT 1 FROM pragma_table_info(sqlite_schema.name) WHERE name = 'agent')`, nil,
		func(rows *sql.Rows) (s string, err error) { return s, rows.Scan(&s) })
	if err != nil {
		t.Fatal(err)
	}
	want := slices.Sorted(slices.Values(tables))
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("tables with an agent are %q, listed are %q", got, want)
	}
	var n int
	if err := l.h.db.QueryRow(`SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`).Scan(&n); err != nil || n != len(tables) {
		t.Errorf("%d tables, %v; want %d", n, err, len(tables))
	}
}

func TestMigrateFromSchemaOne(t *testing.T) {
	t.Parallel()
	script, err := os.ReadFile("testdata/v1.sql")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	raw(t, dir, string(script))
	l := open(t, dir)
	healthy(t, l)
	get(t, l, "k", "v")
	if who, ok, err := l.AgentFor(ctx, "/r/.git"); err != nil || !ok || who.Agent != me || who.Host != "laptop" {
		t.Errorf("identity is %+v, %v, %v", who, ok, err)
	}
	if refs, last, err := l.Observations(ctx, me, "ns/"); err != nil || !last.Equal(t0) || refs["ns/a"].OID != "1111" || !refs["ns/a"].FirstSeen.Equal(t0) {
		t.Errorf("observations are %+v, %v, %v", refs, last, err)
	}
	if ns, err := l.Notes(ctx, me); err != nil || len(ns) != 1 || ns[0].ID != "n-000000000001" || ns[0].Seen != "a" || ns[0].State != model.NoteOpen {
		t.Errorf("notes are %+v, %v", ns, err)
	}
	if ds, err := l.Dismissals(ctx, me); err != nil || len(ds) != 1 || ds[0].Count != 4 {
		t.Errorf("dismissals are %+v, %v", ds, err)
	}
	// What schema 2 brought works.
	if err := l.PutPrediction(ctx, me, "a", "b", []string{"f"}, t0); err != nil {
		t.Fatal(err)
	}
	if files, known, err := l.Prediction(ctx, me, "b", "a"); err != nil || !known || !reflect.DeepEqual(files, []string{"f"}) {
		t.Errorf("prediction is %q, %v, %v", files, known, err)
	}
	if v, err := userVersion(ctx, l.h.db); err != nil || v != schemaVersion {
		t.Errorf("schema is %d, %v; want %d", v, err, schemaVersion)
	}
}

// Schema 1 as frozen in testdata is what the first migration still makes.
func TestSchemaOneNeverChanges(t *testing.T) {
	t.Parallel()
	shape := func(dir string) []string {
		db, err := sql.Open("sqlite3", dsn(file(dir), "rw", DefaultBusy))
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = db.Close() }()
		out, err := collect(ctx, db, `SELECT m.name || '.' || c.name || ' ' || c.type || ' ' || c."notnull" || ' ' || c.pk
			FROM sqlite_schema m, pragma_table_info(m.name) c WHERE m.type = 'table' ORDER BY 1`, nil,
			func(rows *sql.Rows) (s string, err error) { return s, rows.Scan(&s) })
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	frozen, made := t.TempDir(), t.TempDir()
	script, err := os.ReadFile("testdata/v1.sql")
	if err != nil {
		t.Fatal(err)
	}
	raw(t, frozen, string(script))
	raw(t, made, migrations[0])
	if a, b := shape(frozen), shape(made); !slices.Equal(a, b) {
		t.Errorf("schema 1 was\n%s\nand is now\n%s", strings.Join(a, "\n"), strings.Join(b, "\n"))
	}
}

func TestNewerSchemaIsOnlyRead(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	l := open(t, dir)
	set(t, l, "k", "v")
	if err := addNote(l, "n-000000000001"); err != nil {
		t.Fatal(err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	raw(t, dir, fmt.Sprintf("PRAGMA user_version = %d", schemaVersion+1))

	l = open(t, dir)
	checkNewer(t, l)
	if l.Recovered() != "" {
		t.Errorf("a newer file counts as damaged: %q", l.Recovered())
	}
	checkNewer(t, open(t, dir)) // and stays as it is
}

func checkNewer(t *testing.T, l *Ledger) {
	t.Helper()
	get(t, l, "k", "v")
	if err := l.Set(ctx, me, "k", "w"); !errors.Is(err, ErrNewer) {
		t.Errorf("writing: %v, want ErrNewer", err)
	}
	get(t, l, "k", "v")
	var had int
	err := l.UpdateNotes(ctx, me, func(ns []model.StoredNote) ([]model.StoredNote, error) {
		had = len(ns)
		return nil, nil
	})
	if !errors.Is(err, ErrNewer) || had != 1 {
		t.Errorf("updating notes: %v with %d notes, want ErrNewer with 1", err, had)
	}
	if ns, err := l.Notes(ctx, me); err != nil || len(ns) != 1 {
		t.Errorf("notes are %+v, %v; want the one still there", ns, err)
	}
	w := l.Warnings()
	if len(w) != 1 || w[0] != l.Newer() || !strings.Contains(w[0], "newer gitlet") {
		t.Errorf("warnings are %q", w)
	}
}

// A newer gitlet that migrates the file under an open ledger makes it read-only too,
// also when what this program asks for is no longer there.
func TestUpgradedWhileOpen(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	l := open(t, dir)
	set(t, l, "k", "v")
	if err := addNote(l, "n-000000000001"); err != nil {
		t.Fatal(err)
	}
	healthy(t, l)
	raw(t, dir, fmt.Sprintf("DROP TABLE bugs; PRAGMA user_version = %d", schemaVersion+1))
	if _, err := l.Bugs(ctx); !errors.Is(err, ErrNewer) {
		t.Errorf("reading a table that is gone: %v, want ErrNewer", err)
	}
	checkNewer(t, l)
}

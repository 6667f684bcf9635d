package ledger

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// filled makes a ledger of some size in a new folder and closes it.
func filled(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	l := open(t, dir)
	set(t, l, "k", "v")
	for i := range 200 {
		set(t, l, fmt.Sprint("filler", i), strings.Repeat("x", 500))
	}
	if err := addNote(l, "n-000000000001"); err != nil {
		t.Fatal(err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	return dir
}

func noise(n int) []byte {
	r := rand.New(rand.NewPCG(1, 2))
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

// overwrite puts data into an existing file in place.
func overwrite(path string, at int64, data []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteAt(data, at)
	return errors.Join(err, f.Close())
}

func setAside(t *testing.T, dir string) []string {
	t.Helper()
	all, err := filepath.Glob(filepath.Join(dir, "*.bad-*"))
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// usable checks that all of a ledger works.
func usable(t *testing.T, l *Ledger) {
	t.Helper()
	set(t, l, "after", "fine")
	get(t, l, "after", "fine")
	if err := addNote(l, "n-0000000000ff"); err != nil {
		t.Fatal(err)
	}
	if ns, err := l.Notes(ctx, me); err != nil || len(ns) == 0 {
		t.Errorf("notes are %+v, %v", ns, err)
	}
	var n int
	err := l.read(ctx, "count", func(q querier) error {
		return q.QueryRowContext(ctx, "SELECT count(*) FROM (SELECT 1 FROM kv UNION ALL SELECT 1 FROM refs UNION ALL SELECT 1 FROM closed_items)").Scan(&n)
	})
	if err != nil {
		t.Error(err)
	}
}

var damages = []struct {
	name  string
	do    func(path string) error
	aside bool // whether there is something to move aside
}{
	{"all noise", func(p string) error { return os.WriteFile(p, noise(70_000), 0o644) }, true},
	{"a noisy header", func(p string) error { return overwrite(p, 0, noise(100)) }, true},
	{"a noisy schema page", func(p string) error { return overwrite(p, 100, noise(3900)) }, true},
	{"cut to a few bytes", func(p string) error { return os.Truncate(p, 50) }, true},
	{"cut to nothing", func(p string) error { return os.Truncate(p, 0) }, false},
	{"a text file", func(p string) error { return os.WriteFile(p, []byte("<<<<<<< HEAD\nhello\n"), 0o644) }, true},
	{"a directory", func(p string) error { return errors.Join(os.Remove(p), os.MkdirAll(filepath.Join(p, "x"), 0o755)) }, true},
	{"deleted with its folder", func(p string) error { return os.RemoveAll(filepath.Dir(p)) }, false},
	{"a link to nowhere", func(p string) error { return errors.Join(os.Remove(p), os.Symlink("nowhere", p)) }, false},
}

func TestDamagedBeforeOpen(t *testing.T) {
	t.Parallel()
	for _, d := range damages {
		t.Run(d.name, func(t *testing.T) {
			t.Parallel()
			dir := filled(t)
			if err := d.do(file(dir)); err != nil {
				t.Fatal(err)
			}
			l := open(t, dir)
			get(t, l, "k", "")
			usable(t, l)
			if l.Degraded() != "" {
				t.Fatalf("it went to memory: %s", l.Degraded())
			}
			aside := setAside(t, dir)
			if d.aside {
				if len(aside) != 1 || !strings.Contains(l.Recovered(), filepath.Base(aside[0])) {
					t.Errorf("set aside %q, and it says %q", aside, l.Recovered())
				}
				if w := l.Warnings(); len(w) != 1 || w[0] != l.Recovered() {
					t.Errorf("warnings are %q", w)
				}
			} else if len(aside) != 0 {
				t.Errorf("set aside %q", aside)
			}
			_ = l.Warnings()
			healthy(t, l) // a recovery is said once
			again := open(t, dir)
			healthy(t, again)
			get(t, again, "after", "fine")
		})
	}
}

// Pages that are read later than at opening, and rows that are no longer JSON.
func TestDamageFoundLater(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		do   func(t *testing.T, dir string)
	}{
		{"cut in the middle", func(t *testing.T, dir string) {
			if err := os.Truncate(file(dir), 3*4096); err != nil {
				t.Fatal(err)
			}
		}},
		{"noise after the first page", func(t *testing.T, dir string) {
			fi, err := os.Stat(file(dir))
			if err == nil {
				err = overwrite(file(dir), 4096, noise(int(fi.Size())-4096))
			}
			if err != nil {
				t.Fatal(err)
			}
		}},
		{"a note that is no note", func(t *testing.T, dir string) { raw(t, dir, "UPDATE notes SET body = 'zzz'") }},
		{"a table is gone", func(t *testing.T, dir string) { raw(t, dir, "DROP TABLE notes") }},
		{"the version is gone", func(t *testing.T, dir string) { raw(t, dir, "PRAGMA user_version = 0") }},
		{"another program's database", func(t *testing.T, dir string) {
			raw(t, dir, "DROP TABLE kv; CREATE TABLE kv (what); PRAGMA user_version = 0")
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir := filled(t)
			tt.do(t, dir)
			l := open(t, dir)
			if _, err := l.Notes(ctx, me); err != nil {
				t.Errorf("reading notes: %v", err)
			}
			usable(t, l)
			if l.Recovered() == "" || len(setAside(t, dir)) != 1 {
				t.Errorf("it says %q and set aside %q", l.Recovered(), setAside(t, dir))
			}
			again := open(t, dir)
			healthy(t, again)
			get(t, again, "after", "fine")
		})
	}
}

// Whatever happens to the files under an open ledger, the next call works and its
// writes are where the next process looks for them.
func TestDamagedWhileOpen(t *testing.T) {
	t.Parallel()
	more := append(damages[:len(damages):len(damages)], []struct {
		name  string
		do    func(path string) error
		aside bool
	}{
		{"deleted alone", func(p string) error { return os.Remove(p) }, false},
		{"all files deleted, not the folder", func(p string) error {
			return errors.Join(os.Remove(p), os.Remove(p+"-wal"), os.Remove(p+"-shm"))
		}, false},
		{"companions deleted", func(p string) error { return errors.Join(os.Remove(p+"-wal"), os.Remove(p+"-shm")) }, false},
		{"the log is noise", func(p string) error { return os.WriteFile(p+"-wal", noise(5000), 0o644) }, false},
		{"the log is cut", func(p string) error { return os.Truncate(p+"-wal", 0) }, false},
		{"the index is cut", func(p string) error { return os.Truncate(p+"-shm", 0) }, false},
		{"the index is noise", func(p string) error { return overwrite(p+"-shm", 0, noise(minShm)) }, false},
		{"all are cut", func(p string) error {
			return errors.Join(os.Truncate(p, 0), os.Truncate(p+"-wal", 0), os.Truncate(p+"-shm", 0))
		}, false},
		{"replaced by another file", func(p string) error {
			return errors.Join(os.WriteFile(p+".new", noise(9000), 0o644), os.Rename(p+".new", p))
		}, false},
	}...)
	for _, d := range more {
		t.Run(d.name, func(t *testing.T) {
			t.Parallel()
			dir := filled(t)
			l := open(t, dir)
			set(t, l, "k", "w")
			if err := d.do(file(dir)); err != nil && !errors.Is(err, fs.ErrNotExist) {
				t.Fatal(err)
			}
			usable(t, l)
			other := open(t, dir)
			set(t, other, "other", "seen")
			set(t, l, "mine", "seen")
			usable(t, l)
			if err := l.Close(); err != nil {
				t.Fatal(err)
			}
			get(t, other, "mine", "seen")
			again := open(t, dir)
			get(t, again, "other", "seen")
			get(t, again, "mine", "seen")
			get(t, again, "after", "fine")
			healthy(t, again)
			for _, x := range []*Ledger{l, other, again} {
				if x.Degraded() != "" {
					t.Errorf("it went to memory: %s", x.Degraded())
				}
			}
		})
	}
}

func TestOldFilesSetAsideArePruned(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for range 6 {
		if err := os.WriteFile(file(dir), noise(5000), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file(dir)+"-wal", noise(500), 0o644); err != nil {
			t.Fatal(err)
		}
		l := open(t, dir)
		if l.Recovered() == "" {
			t.Fatal("noise was taken for a ledger")
		}
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
	}
	files := 0
	for _, p := range setAside(t, dir) {
		if !strings.HasSuffix(p, "-wal") {
			files++
		}
	}
	if files != keepBad {
		t.Errorf("%d files set aside, want %d: %q", files, keepBad, setAside(t, dir))
	}
}

func TestNoFolderMeansMemory(t *testing.T) {
	t.Parallel()
	blocked := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(blocked, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(blocked, "gitlet")
	l := open(t, dir)
	if l.Degraded() == "" {
		t.Fatal("it does not say that it is in memory")
	}
	usable(t, l)
	for range 2 { // said as long as it lasts
		if w := l.Warnings(); len(w) != 1 || w[0] != l.Degraded() {
			t.Errorf("warnings are %q", w)
		}
	}
	if l.Retry(ctx) {
		t.Error("Retry says it found a file")
	}
	usable(t, l)
	if err := os.Remove(blocked); err != nil {
		t.Fatal(err)
	}
	if !l.Retry(ctx) {
		t.Fatal("Retry does not find the file again")
	}
	healthy(t, l)
	usable(t, l)
	get(t, open(t, dir), "after", "fine")
	if l.Retry(ctx) {
		t.Error("Retry does something for a ledger in its file")
	}
}

func TestCanceled(t *testing.T) {
	t.Parallel()
	gone, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := Open(gone, t.TempDir(), Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("Open: %v", err)
	}
	l := open(t, t.TempDir())
	if err := l.Set(gone, me, "k", "v"); !errors.Is(err, context.Canceled) {
		t.Errorf("Set: %v", err)
	}
	usable(t, l)
	healthy(t, l)
}

// Another process that holds the write lock costs the wait that was asked for, and
// reading goes on meanwhile.
func TestBusy(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	holder := open(t, dir)
	set(t, holder, "k", "v")
	l, err := Open(ctx, dir, Options{Busy: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	err = holder.write(ctx, "hold", func(querier) error {
		get(t, l, "k", "v")
		if err := l.Set(ctx, me, "k", "w"); !errors.Is(err, ErrBusy) {
			t.Errorf("writing against a holder: %v, want ErrBusy", err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	set(t, l, "k", "w")
	healthy(t, l)
}

func TestHostilePlaces(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"disk full at creation", "disk full later", "read-only folder", "unreadable file", "read-only file"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := filled(t)
			if name == "disk full at creation" {
				dir = filepath.Join(t.TempDir(), "gitlet")
			}
			// The child may give up the rights of the superuser and still has to get here.
			for d := dir; strings.Contains(d, "Test"); d = filepath.Dir(d) {
				if err := os.Chmod(d, 0o777); err != nil && !errors.Is(err, fs.ErrNotExist) {
					t.Fatal(err)
				}
			}
			runChild(t, name, dir)
		})
	}
}

func TestManyProcesses(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	runAll(t, dir, "append notes", 6)
	l := open(t, dir)
	ns, err := l.Notes(ctx, me)
	if err != nil || len(ns) != 6*childNotes {
		t.Errorf("%d notes, %v; want %d", len(ns), err, 6*childNotes)
	}
	healthy(t, l)
}

// Processes that meet the same damage at once repair it once, and none of their
// later writes is lost.
func TestManyProcessesRepairOnce(t *testing.T) {
	t.Parallel()
	dir := filled(t)
	if err := os.WriteFile(file(dir), noise(50_000), 0o644); err != nil {
		t.Fatal(err)
	}
	runAll(t, dir, "append notes", 6)
	if aside := setAside(t, dir); len(aside) != 1 {
		t.Errorf("set aside %q, want one", aside)
	}
	ns, err := open(t, dir).Notes(ctx, me)
	if err != nil || len(ns) != 6*childNotes {
		t.Errorf("%d notes, %v; want %d", len(ns), err, 6*childNotes)
	}
}

func runAll(t *testing.T, dir, name string, n int) {
	t.Helper()
	var cmds []*exec.Cmd
	for range n {
		cmd := child(t, name, dir)
		cmd.Stderr = os.Stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		cmds = append(cmds, cmd)
	}
	for _, cmd := range cmds {
		if err := cmd.Wait(); err != nil {
			t.Errorf("child: %v", err)
		}
	}
}

// A process killed in the middle of writing leaves whole notes and a usable file.
func TestKilledWriters(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for round := range 5 {
		cmd := child(t, "write forever", dir)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		// It says when it begins; then let it write for a while.
		buf := make([]byte, 1+200*round)
		for read := 0; read < len(buf); {
			n, err := out.Read(buf[read:])
			if err != nil {
				t.Fatal(err)
			}
			read += n
		}
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait() // it was killed
		l := open(t, dir)
		ns, err := l.Notes(ctx, me)
		if err != nil || len(ns)%2 != 0 {
			t.Errorf("%d notes, %v; they were written in pairs", len(ns), err)
		}
		healthy(t, l)
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

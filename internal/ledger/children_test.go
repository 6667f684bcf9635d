package ledger

import (
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"gitlet/internal/model"
)

const childNotes = 25

func init() {
	children["append notes"] = childAppend
	children["write forever"] = childForever
	children["disk full at creation"] = func(dir string) error { return childFull(dir, false) }
	children["disk full later"] = func(dir string) error { return childFull(dir, true) }
	children["read-only folder"] = childReadOnlyFolder
	children["unreadable file"] = childUnreadable
	children["read-only file"] = childReadOnlyFile
}

func childAppend(dir string) error {
	for i := range childNotes {
		l, err := Open(ctx, dir, Options{})
		if err != nil {
			return err
		}
		if err := addNote(l, fmt.Sprintf("n-%06d%06d", os.Getpid(), i)); err != nil {
			return err
		}
		if l.Degraded() != "" {
			return errors.New(l.Degraded())
		}
		if err := l.Close(); err != nil {
			return err
		}
	}
	return nil
}

func childForever(dir string) error {
	l, err := Open(ctx, dir, Options{})
	if err != nil {
		return err
	}
	for i := 0; ; i++ {
		err := l.UpdateNotes(ctx, me, func(had []model.StoredNote) ([]model.StoredNote, error) {
			if len(had) > 60 {
				had = nil
			}
			id := fmt.Sprintf("n-%06d%06d", os.Getpid(), i)
			return append(had, storedNote(id), storedNote(id+"b")), nil
		})
		if err != nil {
			return err
		}
		if _, err := os.Stdout.WriteString("."); err != nil {
			return err
		}
	}
}

// works asks a ledger for everything a verb needs and for its word about memory.
func works(l *Ledger, wantMemory string) error {
	if err := l.Set(ctx, me, "after", "fine"); err != nil {
		return err
	}
	if err := addNote(l, "n-0000000000ff"); err != nil {
		return err
	}
	if v, ok, err := l.Get(ctx, me, "after"); err != nil || !ok || v != "fine" {
		return fmt.Errorf("read back %q, %v, %v", v, ok, err)
	}
	if ns, err := l.Notes(ctx, me); err != nil || len(ns) == 0 {
		return fmt.Errorf("read back %d notes, %v", len(ns), err)
	}
	if got := l.Degraded(); (got == "") != (wantMemory == "") || !strings.Contains(got, wantMemory) {
		return fmt.Errorf("about memory it says %q, want %q", got, wantMemory)
	}
	return nil
}

// still checks that what the file held can still be read.
func still(l *Ledger) error {
	if v, ok, err := l.Get(ctx, me, "k"); err != nil || !ok || v != "v" {
		return fmt.Errorf("what was there reads %q, %v, %v", v, ok, err)
	}
	return nil
}

// childFull lets no file grow, as on a full disk.
func childFull(dir string, openFirst bool) error {
	signal.Ignore(syscall.SIGXFSZ)
	var l *Ledger
	var err error
	if openFirst {
		if l, err = Open(ctx, dir, Options{}); err != nil {
			return err
		}
	}
	limit := func(n uint64) error {
		var old syscall.Rlimit
		if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &old); err != nil {
			return err
		}
		old.Cur = n
		return syscall.Setrlimit(syscall.RLIMIT_FSIZE, &old)
	}
	if err := limit(0); err != nil {
		return err
	}
	if !openFirst {
		if l, err = Open(ctx, dir, Options{}); err != nil {
			return err
		}
	}
	if err := works(l, "cannot be kept"); err != nil {
		return err
	}
	if openFirst {
		if err := still(l); err != nil {
			return err
		}
	}
	if l.Retry(ctx) {
		return errors.New("Retry left memory for a full disk")
	}
	if err := works(l, "cannot be kept"); err != nil {
		return err
	}
	if err := limit(1 << 30); err != nil {
		return err
	}
	if !l.Retry(ctx) {
		return errors.New("Retry does not come back when there is room")
	}
	if err := works(l, ""); err != nil {
		return err
	}
	if openFirst {
		return still(l)
	}
	return nil
}

// plain gives up the rights of the superuser, whom no mode stops.
func plain() error {
	if os.Getuid() != 0 {
		return nil
	}
	const nobody = 65534
	return errors.Join(syscall.Setgid(nobody), syscall.Setuid(nobody))
}

func childReadOnlyFolder(dir string) error {
	if err := os.Chmod(dir, 0o555); err != nil {
		return err
	}
	if err := plain(); err != nil {
		return err
	}
	l, err := Open(ctx, dir, Options{})
	if err != nil {
		return err
	}
	return errors.Join(works(l, "cannot be kept"), still(l))
}

func childUnreadable(dir string) error {
	if err := os.Chmod(file(dir), 0); err != nil {
		return err
	}
	if err := errors.Join(os.MkdirAll(dir+"/locks", 0o777), os.Chmod(dir+"/locks", 0o777), os.RemoveAll(dir+"/locks/ledger.lock")); err != nil {
		return err
	}
	if err := plain(); err != nil {
		return err
	}
	l, err := Open(ctx, dir, Options{})
	if err != nil {
		return err
	}
	if l.Recovered() == "" {
		return errors.New("it does not say that the file was set aside")
	}
	return works(l, "")
}

func childReadOnlyFile(dir string) error {
	if err := os.Chmod(file(dir), 0o444); err != nil {
		return err
	}
	if err := plain(); err != nil {
		return err
	}
	l, err := Open(ctx, dir, Options{})
	if err != nil {
		return err
	}
	return errors.Join(still(l), works(l, "cannot be kept"), still(l))
}

package journal

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"gitlet/internal/atomicfile"
	"gitlet/internal/flock"
)

// Journal is the place of one kind of step in one folder.
type Journal struct {
	Dir  string
	Name string // of the step, as people call it: "use"
}

func (j Journal) file() string { return filepath.Join(j.Dir, j.Name+".json") }
func (j Journal) lock() string { return filepath.Join(j.Dir, j.Name+".lock") }

// Lock keeps the steps of the folder apart. It waits until ctx ends.
func (j Journal) Lock(ctx context.Context) (unlock func(), err error) {
	l, err := flock.Acquire(ctx, j.lock())
	if err != nil {
		return nil, fmt.Errorf("wait for another %s: %w", j.Name, err)
	}
	return l.Unlock, nil
}

// Begin writes down what is about to be done. The lock is held.
func (j Journal) Begin(step any) error {
	data, err := json.Marshal(step)
	if err == nil {
		err = atomicfile.WriteDurable(j.file(), data, 0o666)
	}
	if err != nil {
		return fmt.Errorf("write down the %s: %w", j.Name, err)
	}
	return nil
}

// End says that the step is over.
func (j Journal) End() error {
	if err := os.Remove(j.file()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("end the %s: %w", j.Name, err)
	}
	return nil
}

// Left reads the journal of a step that did not come to its end into step, and takes the
// lock. found is false when there is none, or somebody is at it right now. One that cannot
// be read is removed, and is an error.
func (j Journal) Left(step any) (found bool, unlock func(), err error) {
	if _, err := os.Stat(j.file()); err != nil {
		return false, nil, nil
	}
	l, err := flock.Try(j.lock())
	if errors.Is(err, flock.ErrHeld) {
		return false, nil, nil
	}
	if err != nil {
		return false, nil, err
	}
	data, err := os.ReadFile(j.file())
	if errors.Is(err, fs.ErrNotExist) {
		l.Unlock()
		return false, nil, nil // it came to its end meanwhile
	}
	if err == nil {
		err = json.Unmarshal(data, step)
	}
	if err != nil {
		err = errors.Join(fmt.Errorf("read the journal of a %s: %w", j.Name, err), j.End())
		l.Unlock()
		return false, nil, err
	}
	return true, l.Unlock, nil
}

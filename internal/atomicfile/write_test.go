package atomicfile

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"
)

func TestWrite(t *testing.T) {
	t.Parallel()
	for name, write := range map[string]func(string, []byte, fs.FileMode) error{"Write": Write, "WriteDurable": WriteDurable} {
		dir := t.TempDir()
		path, other := filepath.Join(dir, "f"), filepath.Join(dir, "other")
		for _, mode := range []fs.FileMode{0o600, 0o755} {
			if err := write(path, []byte(name), mode); err != nil {
				t.Fatal(err)
			}
			fi, err := os.Stat(path)
			data, rerr := os.ReadFile(path)
			if err != nil || rerr != nil || fi.Mode() != mode || string(data) != name {
				t.Errorf("%s: %q, %v %v %v", name, data, fi.Mode(), err, rerr)
			}
		}
		if err := os.WriteFile(other, []byte("theirs"), 0o600); err != nil {
			t.Fatal(err)
		}
		link := filepath.Join(dir, "link")
		if err := os.Symlink("other", link); err != nil {
			t.Fatal(err)
		}
		if err := write(link, []byte("mine"), 0o600); err != nil {
			t.Fatal(err)
		}
		if data, err := os.ReadFile(other); err != nil || string(data) != "theirs" {
			t.Errorf("%s wrote through a link: %q %v", name, data, err)
		}
		// What is in the way stays, and nothing is left beside it.
		folder := filepath.Join(dir, "folder")
		if err := os.MkdirAll(filepath.Join(folder, "x"), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := write(folder, nil, 0o600); err == nil {
			t.Errorf("%s replaced a folder", name)
		}
		if err := write(filepath.Join(dir, "none", "f"), nil, 0o600); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s without a folder: %v", name, err)
		}
		if left, err := os.ReadDir(dir); err != nil || len(left) != 4 {
			t.Errorf("%s left %v %v", name, left, err)
		}
	}
}

// One of many makes the file, and no reader meets half of one.
func TestCreate(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "f")
	var all sync.WaitGroup
	var mu sync.Mutex
	made := 0
	for i := range 8 {
		data := bytes.Repeat([]byte{byte('a' + i)}, 1<<16)
		all.Go(func() {
			err := Create(path, data, 0o600)
			if err != nil && !errors.Is(err, fs.ErrExist) {
				t.Error(err)
			}
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				made++
			}
			got, err := os.ReadFile(path)
			if err != nil || len(got) != 1<<16 || bytes.Count(got, got[:1]) != len(got) {
				t.Errorf("%d bytes %v", len(got), err)
			}
		})
	}
	all.Wait()
	if made != 1 {
		t.Errorf("%d made it", made)
	}
}

func TestSweepRemovesWhatKillsLeft(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "f.json")
	old := time.Now().Add(-time.Hour)
	for name, stays := range map[string]bool{"f.json": true, "f.json.new-123": false, "f.json.new-": true, "f.json.new-12x": true, "f.json.new-9": true, "g.json.new-1": true} {
		file := filepath.Join(filepath.Dir(path), name)
		if err := os.WriteFile(file, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if name != "f.json.new-9" { // just made: its writer is at work
			if err := os.Chtimes(file, old, old); err != nil {
				t.Fatal(err)
			}
		}
		defer func() {
			if _, err := os.Stat(file); (err == nil) != stays {
				t.Errorf("%s: %v", name, err)
			}
		}()
	}
	Sweep(path)
	Sweep(filepath.Join(path, "no", "folder"))
}

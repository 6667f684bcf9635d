package atomicfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Write puts data in place of the file at path, which need not be there. Errors are those
// of the system and name the file.
func Write(path string, data []byte, mode fs.FileMode) error {
	return write(path, data, mode, false, os.Rename)
}

// WriteDurable is Write that also outlives a power cut; it waits for the disk.
func WriteDurable(path string, data []byte, mode fs.FileMode) error {
	return write(path, data, mode, true, os.Rename)
}

// Create is WriteDurable for a file that must not be there; it fails with fs.ErrExist
// (wrapped) when it is, however close the race.
func Create(path string, data []byte, mode fs.FileMode) error {
	return write(path, data, mode, true, os.Link)
}

// Sweep removes the temporary files of path that killed processes left: those that are a
// minute older than a file made now, by the file system's own clock. What cannot be removed
// is left for the next time.
func Sweep(path string) {
	now, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+infix+"*")
	if err != nil {
		return
	}
	defer os.Remove(now.Name())
	fi, err := now.Stat()
	if err = errors.Join(err, now.Close()); err != nil {
		return
	}
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		return
	}
	for _, e := range entries {
		number, ours := strings.CutPrefix(e.Name(), filepath.Base(path)+infix)
		if !ours || number == "" || strings.Trim(number, "0123456789") != "" {
			continue
		}
		if old, err := e.Info(); err == nil && old.Mode().IsRegular() && fi.ModTime().Sub(old.ModTime()) > time.Minute {
			_ = os.Remove(filepath.Join(filepath.Dir(path), e.Name()))
		}
	}
}

// infix stands between a file's name and the number of a temporary file of it.
const infix = ".new-"

func write(path string, data []byte, mode fs.FileMode, durable bool, place func(from, to string) error) error {
	tmp, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+infix+"*")
	if err != nil {
		return err
	}
	defer os.Remove(tmp.Name()) // in place it has that name no more
	_, err = tmp.Write(data)
	err = errors.Join(err, tmp.Chmod(mode))
	if durable && err == nil {
		err = tmp.Sync()
	}
	if err = errors.Join(err, tmp.Close()); err != nil {
		return err
	}
	return place(tmp.Name(), path)
}

package atomicfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
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

func write(path string, data []byte, mode fs.FileMode, durable bool, place func(from, to string) error) error {
	tmp, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".new-*")
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

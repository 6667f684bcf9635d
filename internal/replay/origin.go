package replay

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"gitlet/internal/git"
)

// Origin says where a resolution comes from.
type Origin struct {
	// By is who made it, "" where that is not known.
	By string `json:"by,omitempty"`
	// At is when.
	At time.Time `json:"at"`
	// Commit is the merge whose outcome it is, for one learned from history.
	Commit string `json:"commit,omitempty"`
}

// String words it.
func (o Origin) String() string {
	at := o.At.UTC().Format("2006-01-02 15:04")
	switch {
	case o.Commit != "":
		return fmt.Sprintf("learned from merge %s by %q of %s", git.Short(o.Commit), o.By, at)
	case o.By != "":
		return fmt.Sprintf("recorded by %q at %s", o.By, at)
	}
	return "recorded in this clone at " + at
}

// Parse reads the name of a resolution.
func Parse(name string) (git.Resolution, bool) {
	id, variant, has := strings.Cut(name, ".")
	r := git.Resolution{ID: id}
	if has {
		n, err := strconv.Atoi(variant)
		if err != nil || n < 1 {
			return r, false
		}
		r.Variant = n
	}
	return r, len(id) >= 40
}

// noteDir holds what git does not keep: who made a resolution.
func noteDir(repo *git.Repo) string { return filepath.Join(repo.CommonDir, "gitlet", "resolutions") }

func (b *Book) origin(r git.Resolution) Origin { return originOf(b.Repo, r) }

func originOf(repo *git.Repo, r git.Resolution) Origin {
	data, err := os.ReadFile(filepath.Join(noteDir(repo), r.Name()))
	var o Origin
	if err == nil && json.Unmarshal(data, &o) == nil && !o.At.IsZero() {
		return o
	}
	return Origin{At: r.Seen}
}

func noteOrigin(repo *git.Repo, r git.Resolution, o Origin) error {
	data, err := json.Marshal(o)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(noteDir(repo), 0o777); err != nil {
		return fmt.Errorf("note where a resolution comes from: %w", err)
	}
	if err := os.WriteFile(filepath.Join(noteDir(repo), r.Name()), data, 0o666); err != nil {
		return fmt.Errorf("note where a resolution comes from: %w", err)
	}
	return nil
}

func dropOrigin(repo *git.Repo, r git.Resolution) error {
	err := os.Remove(filepath.Join(noteDir(repo), r.Name()))
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	return err
}

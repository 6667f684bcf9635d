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
	// Shared is set for one that somebody else shares; By is their agent then.
	Shared bool   `json:"shared,omitempty"`
	User   string `json:"user,omitempty"`
}

// String words it.
func (o Origin) String() string {
	switch {
	case o.Shared && o.User != "":
		return fmt.Sprintf("shared by %s (%q), recorded at %s", o.By, o.User, at(o.At))
	case o.Shared:
		return fmt.Sprintf("shared by %s, recorded at %s", o.By, at(o.At))
	case o.Commit != "":
		return fmt.Sprintf("learned from merge %s by %q of %s", git.Short(o.Commit), o.By, at(o.At))
	case o.By != "":
		return fmt.Sprintf("recorded by %q at %s", o.By, at(o.At))
	}
	return "recorded in this clone at " + at(o.At)
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

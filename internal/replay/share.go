package replay

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"gitlet/internal/git"
	"gitlet/internal/model"
	"gitlet/internal/rerere"
)

// Ask finds the resolutions that others share of conflicts, by id.
type Ask func(ctx context.Context, conflicts []string) ([]model.Resolution, error)

// maxShared is the most of a resolution's text that is shared, in bytes.
const maxShared = 128 << 10

// Shareable is a resolution recorded here that others may have.
type Shareable struct {
	git.Resolution
	Doc model.Resolution
}

// ToShare are the resolutions recorded here that are to be offered to others and were not
// yet, at most so many: made here and not learned from history, which all have, in text,
// with no change outside the conflicts.
func ToShare(repo *git.Repo, agent model.Agent, most int) ([]Shareable, error) {
	ids, err := repo.ResolutionIDs()
	if err != nil {
		return nil, err
	}
	var out []Shareable
	for _, id := range ids {
		if len(out) == most {
			break
		}
		if _, err := os.Lstat(sharedNote(repo, id)); err == nil {
			continue
		}
		all, err := repo.Resolutions(id)
		if err != nil {
			return nil, err
		}
		for _, r := range all {
			origin := originOf(repo, r)
			if origin.Commit != "" {
				continue
			}
			if doc, ok := shareable(repo, r); ok {
				doc.Agent, doc.User, doc.At = agent.ID, agent.User, origin.At
				out = append(out, Shareable{r, doc})
				break
			}
		}
	}
	return out, nil
}

// shareable cuts a resolution down to its conflicts and what became of them.
func shareable(repo *git.Repo, r git.Resolution) (model.Resolution, bool) {
	doc := model.Resolution{Conflict: r.ID}
	c, ok := rerere.Read(labelled(r.Before), repo.ObjectFormat)
	if !ok || c.ID != r.ID || bytes.Contains(r.After, []byte("PRIVATE KEY-----")) {
		return doc, false
	}
	to, ok := c.Solutions(r.After)
	if !ok {
		return doc, false
	}
	size := 0
	for i, h := range c.Hunks {
		doc.Hunks = append(doc.Hunks, model.ResolutionHunk{One: []byte(h.One), Two: []byte(h.Two), To: to[i]})
		size += len(h.One) + len(h.Two) + len(to[i])
	}
	return doc, size <= maxShared && bytes.IndexByte(r.After, 0) < 0
}

// sharedNote remembers that the resolution of a conflict was offered: it holds the value it
// was put on the remote as, nothing where somebody else's is there.
func sharedNote(repo *git.Repo, id string) string { return filepath.Join(noteDir(repo), "shared", id) }

// NoteShared remembers that a resolution was offered, and as what.
func NoteShared(repo *git.Repo, id, value string) error {
	file := sharedNote(repo, id)
	err := os.MkdirAll(filepath.Dir(file), 0o777)
	if err == nil {
		err = os.WriteFile(file, []byte(value), 0o666)
	}
	if err != nil {
		return fmt.Errorf("note what was shared: %w", err)
	}
	return nil
}

// SharedAs is the value that this clone's resolution of a conflict was put on the remote as,
// "" when it was not.
func SharedAs(repo *git.Repo, id string) string {
	data, err := os.ReadFile(sharedNote(repo, id))
	if err != nil {
		return ""
	}
	return string(data)
}

// DropShared forgets that it was.
func DropShared(repo *git.Repo, id string) error {
	if err := os.Remove(sharedNote(repo, id)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("note what was shared: %w", err)
	}
	return nil
}

// SharedName is what a resolution that somebody shares is called here.
func SharedName(r model.Resolution) string { return r.Conflict + "@" + r.Agent }

// ParseShared reads such a name.
func ParseShared(name string) (conflict, agent string, ok bool) {
	return strings.Cut(name, "@")
}

// Block keeps a shared resolution from being used in this clone. One with another outcome
// is not meant.
func Block(repo *git.Repo, r model.Resolution) error {
	return markForgottenAs(repo, r.Conflict, outcome(r))
}

func blocked(repo *git.Repo, r model.Resolution) bool {
	return forgottenAs(repo, r.Conflict, outcome(r))
}

// outcome tells what a shared resolution makes of a conflict from what others do.
func outcome(r model.Resolution) string {
	sum := sha256.New()
	for _, h := range r.Hunks {
		fmt.Fprintf(sum, "%d ", len(h.To))
		sum.Write(h.To)
	}
	return "shared-" + hex.EncodeToString(sum.Sum(nil)[:8])
}

// solve puts a shared resolution into a file with conflicts. Somebody else wrote it: it
// counts only when it is of exactly these conflicts and leaves none.
func solve(c *rerere.Conflict, r model.Resolution, objectFormat string) ([]byte, bool) {
	if r.Conflict != c.ID || len(r.Hunks) != len(c.Hunks) {
		return nil, false
	}
	var to [][]byte
	for i, h := range r.Hunks {
		if string(h.One) != c.Hunks[i].One || string(h.Two) != c.Hunks[i].Two {
			return nil, false
		}
		to = append(to, h.To)
	}
	out, ok := c.Solve(to)
	if !ok || bytes.IndexByte(out, 0) >= 0 {
		return nil, false
	}
	_, still := rerere.Read(out, objectFormat)
	return out, !still
}

// askFor is what others share of the conflicts in files, by path.
func (b *Book) askFor(ctx context.Context, conflicts map[string]*rerere.Conflict) (map[string]model.Resolution, error) {
	var ids []string
	for _, c := range conflicts {
		ids = append(ids, c.ID)
	}
	if b.Ask == nil || len(ids) == 0 {
		return nil, nil
	}
	all, err := b.Ask(ctx, ids)
	if err != nil {
		return nil, err
	}
	out := map[string]model.Resolution{}
	for path, c := range conflicts {
		for _, r := range all {
			if r.Conflict == c.ID && !blocked(b.Repo, r) {
				out[path] = r
			}
		}
	}
	return out, nil
}

func sharedOrigin(r model.Resolution) Origin {
	return Origin{By: r.Agent, User: r.User, At: r.At, Shared: true}
}

// at is a time as people read it.
func at(t time.Time) string { return t.UTC().Format("2006-01-02 15:04") }

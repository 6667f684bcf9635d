package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"time"

	"gitlet/internal/atomicfile"
)

// Resolution is one recorded resolution of a conflict, as git's rerere keeps it in the
// clone, for all worktrees alike. There may be several of one conflict.
type Resolution struct {
	ID      string // of the conflict
	Variant int
	// Before is the file with its conflicts, After the file resolved.
	Before, After []byte
	// Seen is when the conflict was first met here.
	Seen time.Time
}

// Name is the id, with the variant behind a dot where it is not the first.
func (r Resolution) Name() string {
	if r.Variant == 0 {
		return r.ID
	}
	return r.ID + "." + strconv.Itoa(r.Variant)
}

func (r *Repo) rrCache() string { return filepath.Join(r.CommonDir, "rr-cache") }

// Replays reports whether recorded resolutions may be used here: the user has not turned
// them off.
func (r *Repo) Replays(ctx context.Context) (bool, error) {
	conf, err := r.KnownConfig(ctx)
	if err != nil {
		return false, err
	}
	return conf.Bool("rerere.enabled", true)
}

// Records reports whether git records here how conflicts are solved: rerere.enabled says so
// or, where it is not set, git has begun to.
func (r *Repo) Records(ctx context.Context) (bool, error) {
	conf, err := r.KnownConfig(ctx)
	if err != nil {
		return false, err
	}
	_, err = os.Stat(r.rrCache())
	return conf.Bool("rerere.enabled", err == nil)
}

// ResolutionIDs lists the conflicts that something is recorded of, resolved or not.
func (r *Repo) ResolutionIDs() ([]string, error) {
	all, err := os.ReadDir(r.rrCache())
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("list recorded resolutions: %w", err)
	}
	var ids []string
	for _, e := range all {
		if e.IsDir() && isOID(e.Name()) {
			ids = append(ids, e.Name())
		}
	}
	return ids, nil
}

// Resolutions are those recorded of one conflict, in the order git tries them.
func (r *Repo) Resolutions(id string) ([]Resolution, error) {
	if !isOID(id) {
		return nil, nil
	}
	dir := filepath.Join(r.rrCache(), id)
	all, err := os.ReadDir(dir)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	var out []Resolution
	for _, e := range all {
		suffix, is := strings.CutPrefix(e.Name(), "postimage")
		n, ok := variant(suffix)
		if !is || !ok {
			continue
		}
		res := Resolution{ID: id, Variant: n}
		after, aerr := os.ReadFile(filepath.Join(dir, "postimage"+suffix))
		before, berr := os.ReadFile(filepath.Join(dir, "preimage"+suffix))
		fi, serr := os.Stat(filepath.Join(dir, "preimage"+suffix))
		if aerr != nil || berr != nil || serr != nil {
			continue // half of one, or being removed right now
		}
		res.Before, res.After, res.Seen = before, after, fi.ModTime()
		out = append(out, res)
	}
	if err != nil {
		return nil, fmt.Errorf("read recorded resolutions: %w", err)
	}
	sort.Slice(out, func(a, b int) bool { return out[a].Variant < out[b].Variant })
	return out, nil
}

// variant reads what stands behind "postimage": nothing, or a dot and a number.
func variant(suffix string) (int, bool) {
	if suffix == "" {
		return 0, true
	}
	n, err := strconv.Atoi(strings.TrimPrefix(suffix, "."))
	return n, err == nil && n > 0 && suffix[0] == '.'
}

// Used marks a resolution as used now, so that git's upkeep keeps it.
func (r *Repo) Used(res Resolution, now time.Time) {
	// One that is gone meanwhile needs no keeping.
	_ = os.Chtimes(r.rrFile(res, "postimage"), now, now)
}

func (r *Repo) rrFile(res Resolution, kind string) string {
	name := kind
	if res.Variant > 0 {
		name += "." + strconv.Itoa(res.Variant)
	}
	return filepath.Join(r.rrCache(), res.ID, name)
}

// Record keeps a resolution the way git does, unless the very same is there. It reports
// whether it is new, and fills in its variant.
func (r *Repo) Record(res *Resolution) (bool, error) {
	if !isOID(res.ID) {
		return false, fmt.Errorf("record resolution: %q is no id of a conflict", res.ID)
	}
	have, err := r.Resolutions(res.ID)
	if err != nil {
		return false, err
	}
	for _, h := range have {
		if bytes.Equal(h.After, res.After) && bytes.Equal(h.Before, res.Before) {
			res.Variant = h.Variant
			return false, nil
		}
	}
	dir := filepath.Join(r.rrCache(), res.ID)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return false, fmt.Errorf("record resolution: %w", err)
	}
	for res.Variant = 0; !missing(r.rrFile(*res, "preimage")) || !missing(r.rrFile(*res, "postimage")); {
		res.Variant++
	}
	// The file with the conflicts first: git takes no notice of one without a resolution.
	if err := writeWhole(r.rrFile(*res, "preimage"), res.Before); err != nil {
		return false, err
	}
	return true, writeWhole(r.rrFile(*res, "postimage"), res.After)
}

func writeWhole(path string, data []byte) error {
	if err := atomicfile.Write(path, data, 0o644); err != nil {
		return fmt.Errorf("record resolution: %w", err)
	}
	return nil
}

// Forget removes a recorded resolution; the conflict counts as never seen then.
func (r *Repo) Forget(res Resolution) error {
	for _, kind := range []string{"postimage", "preimage", "thisimage"} {
		if err := os.Remove(r.rrFile(res, kind)); err != nil && !errors.Is(err, os.ErrNotExist) {
			return fmt.Errorf("forget resolution: %w", err)
		}
	}
	_ = os.Remove(filepath.Join(r.rrCache(), res.ID)) // stays where there are other variants
	return nil
}

// MergeFile merges three versions of a file line by line, as git does without any merge
// driver. Conflicts are counted, and stand in the result with git's markers.
func (r *Repo) MergeFile(ctx context.Context, ours, base, theirs []byte, args ...string) (merged []byte, conflicts int, err error) {
	dir, err := os.MkdirTemp("", "gitlet-merge-")
	if err != nil {
		return nil, 0, fmt.Errorf("merge file: %w", err)
	}
	defer os.RemoveAll(dir)
	names := make([]string, 3)
	for i, data := range [][]byte{ours, base, theirs} {
		names[i] = filepath.Join(dir, [...]string{"ours", "base", "theirs"}[i])
		if err := os.WriteFile(names[i], data, 0o600); err != nil {
			return nil, 0, fmt.Errorf("merge file: %w", err)
		}
	}
	c := call{step: "merge file", class: localRead, args: append(append([]string{"merge-file", "-p", "-q"}, args...), names...)}
	for i := 1; i <= 127; i++ {
		c.okExit = append(c.okExit, i)
	}
	out, err := r.run(ctx, c)
	return out.Stdout, out.Exit, err
}

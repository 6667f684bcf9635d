package snapshot

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"sort"
	"strconv"
	"strings"
	"time"

	"gitlet/internal/git"
)

// How long checkpoints are kept, and how many of one agent.
const (
	KeepFor  = 30 * 24 * time.Hour
	KeepMost = 50
)

// Checkpoints are local refs of their own; nothing pushes them.
const checkpointRefs = "refs/gitlet/checkpoints/"

// CheckpointRef is where an agent's checkpoint of this slug is.
func CheckpointRef(agent, slug string) string { return checkpointRefs + agent + "/" + slug }

// Slug turns a name into what can be part of a ref; "" when nothing of it can.
func Slug(name string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(name) {
		switch {
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
		if b.Len() >= 60 {
			break
		}
	}
	return strings.Trim(b.String(), "-")
}

// note is the document beside the index file; its format is our own.
type note struct {
	Format  int       `json:"format"`
	Name    string    `json:"name"`
	At      time.Time `json:"at"`
	Branch  string    `json:"branch"`
	Head    string    `json:"head"`
	IndexAt int64     `json:"indexTime"` // nanoseconds
	NoIndex bool      `json:"noIndex,omitempty"`
	Files   int       `json:"files"`
}

const noteFormat = 1

// Names in the tree of the commit that holds what no tree can.
const (
	noteFile    = "checkpoint.json"
	indexFile   = "index"
	absentFile  = "absent"  // paths, each ended by NUL
	smudgedFile = "smudged" // the same
	permsFile   = "modes"   // "<octal> SP <path> NUL"
)

// commit stores the three commits of a checkpoint.
func (f *found) commit(ctx context.Context, wt *git.Worktree, c Checkpoint, tree, indexTree string) (string, error) {
	n := note{Format: noteFormat, Name: c.Name, At: c.At.UTC(), Branch: f.head.Branch, Head: f.head.OID,
		IndexAt: f.indexAt.UnixNano(), NoIndex: f.index == nil, Files: f.changed}
	doc, err := json.MarshalIndent(n, "", " ")
	if err != nil {
		return "", fmt.Errorf("checkpoint: %w", err)
	}
	contents := map[string][]byte{noteFile: doc, indexFile: f.index, absentFile: joined(f.absent), smudgedFile: joined(f.smudged)}
	var perms bytes.Buffer
	for _, p := range sortedKeys(f.perms) {
		fmt.Fprintf(&perms, "%o %s\x00", f.perms[p], p)
	}
	contents[permsFile] = perms.Bytes()
	names := sortedKeys(contents)
	var blobs [][]byte
	for _, name := range names {
		blobs = append(blobs, contents[name])
	}
	oids, err := wt.StoreBlobs(ctx, blobs)
	if err != nil {
		return "", err
	}
	var entries []git.TreeEntry
	for i, name := range names {
		entries = append(entries, git.TreeEntry{Mode: git.ModeFile, Type: "blob", OID: oids[i], Path: name})
	}
	beside, err := wt.WriteTree(ctx, entries)
	if err != nil {
		return "", err
	}
	besideCommit, err := wt.CommitTree(ctx, beside, nil, "gitlet: checkpoint, index file and modes")
	if err != nil {
		return "", err
	}
	var parents []string
	if f.head.OID != "" {
		parents = []string{f.head.OID}
	}
	indexCommit, err := wt.CommitTree(ctx, indexTree, append(parents[:len(parents):len(parents)], besideCommit), "gitlet: checkpoint, index")
	if err != nil {
		return "", err
	}
	on := f.head.Branch
	if on == "" {
		on = "a detached HEAD"
	}
	return wt.CommitTree(ctx, tree, append(parents, indexCommit), fmt.Sprintf("gitlet: checkpoint %s\n\nOn %s. %d files differed from HEAD.\n", c.Slug, on, f.changed))
}

func joined(set map[string]bool) []byte {
	var b bytes.Buffer
	for _, p := range sortedKeys(set) {
		if set[p] {
			b.WriteString(p + "\x00")
		}
	}
	return b.Bytes()
}

// ErrNotACheckpoint: the commit is not one that Save made, or it lost a part.
var ErrNotACheckpoint = errors.New("not a checkpoint of gitlet")

// stored is a checkpoint with all it takes to restore it.
type stored struct {
	Checkpoint
	note
	index   []byte
	absent  map[string]bool
	smudged map[string]bool
	perms   map[string]fs.FileMode

	// snapshot is set for a mere snapshot: it says nothing of HEAD, the index and files
	// that git does not know. deleted are the files its work removed.
	snapshot bool
	deleted  map[string]bool
}

// throughFilters reports whether the file is stored as git add stores it, not as it was.
func (s *stored) throughFilters(p string) bool { return s.snapshot || s.smudged[p] }

// load reads a checkpoint whole.
func load(cat *git.CatFile, commit string) (*stored, error) {
	n, beside, err := readNote(cat, commit)
	if err != nil {
		return nil, err
	}
	s := &stored{note: n, absent: map[string]bool{}, smudged: map[string]bool{}, perms: map[string]fs.FileMode{}}
	s.Checkpoint = Checkpoint{Commit: commit, Name: n.Name, At: n.At, Files: n.Files, Head: git.Head{OID: n.Head, Branch: n.Branch}}
	parts := map[string][]byte{}
	for _, name := range []string{indexFile, absentFile, smudgedFile, permsFile} {
		o, err := cat.Read(beside+":"+name, 0)
		if err != nil {
			return nil, err
		}
		if !o.Found {
			return nil, fmt.Errorf("%w: %s is missing", ErrNotACheckpoint, name)
		}
		parts[name] = o.Data
	}
	if !n.NoIndex {
		s.index = parts[indexFile]
	}
	for _, p := range split(parts[absentFile]) {
		s.absent[p] = true
	}
	for _, p := range split(parts[smudgedFile]) {
		s.smudged[p] = true
	}
	for _, rec := range split(parts[permsFile]) {
		mode, p, _ := strings.Cut(rec, " ")
		v, err := strconv.ParseUint(mode, 8, 32)
		if err != nil {
			return nil, fmt.Errorf("%w: mode %q", ErrNotACheckpoint, rec)
		}
		s.perms[p] = fs.FileMode(v) & fs.ModePerm
	}
	return s, nil
}

// readNote finds the note of a checkpoint, and the revision of the tree it lies in.
func readNote(cat *git.CatFile, commit string) (note, string, error) {
	// With a HEAD the index is the second parent, and the rest the second of that.
	for _, beside := range []string{commit + "^2^2", commit + "^1^1"} {
		o, err := cat.Read(beside+":"+noteFile, 1<<20)
		if err != nil {
			return note{}, "", err
		}
		if !o.Found {
			continue
		}
		var n note
		if err := json.Unmarshal(o.Data, &n); err != nil {
			return note{}, "", fmt.Errorf("%w: %w", ErrNotACheckpoint, err)
		}
		if n.Format > noteFormat {
			return note{}, "", fmt.Errorf("%w: a newer gitlet wrote it", ErrNotACheckpoint)
		}
		return n, beside, nil
	}
	return note{}, "", ErrNotACheckpoint
}

func split(b []byte) []string {
	if len(b) == 0 {
		return nil
	}
	return strings.Split(strings.TrimSuffix(string(b), "\x00"), "\x00")
}

// Checkpoints lists an agent's checkpoints, the newest first.
func Checkpoints(ctx context.Context, repo *git.Repo, agent string) ([]Checkpoint, error) {
	prefix := CheckpointRef(agent, "")
	refs, err := repo.Refs(ctx, strings.TrimSuffix(prefix, "/"))
	if err != nil || len(refs) == 0 {
		return nil, err
	}
	cat := repo.NewCatFile(ctx)
	defer cat.Close()
	var out []Checkpoint
	for _, ref := range sortedKeys(refs) {
		n, _, err := readNote(cat, refs[ref])
		if errors.Is(err, ErrNotACheckpoint) {
			continue
		}
		if err != nil {
			return nil, err
		}
		out = append(out, Checkpoint{Ref: ref, Slug: strings.TrimPrefix(ref, prefix), Commit: refs[ref], Name: n.Name, At: n.At,
			Files: n.Files, Head: git.Head{OID: n.Head, Branch: n.Branch}})
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].At.After(out[j].At) })
	return out, nil
}

// Prune removes an agent's checkpoints that are too old or too many, never those of keep.
func Prune(ctx context.Context, repo *git.Repo, agent string, now time.Time, keep ...string) error {
	all, err := Checkpoints(ctx, repo, agent)
	if err != nil {
		return err
	}
	var drop []git.RefChange
	for i, c := range all {
		kept := false
		for _, k := range keep {
			kept = kept || c.Commit == k
		}
		if !kept && (i >= KeepMost || now.Sub(c.At) > KeepFor) {
			drop = append(drop, git.Delete(c.Ref, c.Commit))
		}
	}
	return repo.Apply(ctx, drop...)
}

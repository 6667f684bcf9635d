package git

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
)

// Merge is what merging two commits gives. With conflicts Tree still holds the
// merged files, with markers where they are text.
type Merge struct {
	Tree      string
	Conflicts []MergeConflict // by path; empty means clean
	Messages  []MergeMessage
}

// Clean reports a merge without conflicts.
func (m *Merge) Clean() bool { return len(m.Conflicts) == 0 }

// Files lists the conflicting paths.
func (m *Merge) Files() []string {
	out := make([]string, 0, len(m.Conflicts))
	for _, c := range m.Conflicts {
		out = append(out, c.Path)
	}
	return out
}

// MergeConflict is one conflicting path: Stages[1] is the base's version, 2 ours,
// 3 theirs; a zero stage is not there.
type MergeConflict struct {
	Path   string
	Stages [4]Stage
}

// Stage is one side's version of a file.
type Stage struct{ Mode, OID string }

// MergeMessage is what git says about a merge. Type is stable, such as
// "CONFLICT (contents)" or "Auto-merging".
type MergeMessage struct {
	Paths []string
	Type  string
	Text  string
}

// MergeTree merges theirs into ours without a work tree. A conflict is a result. When
// git gives no answer (no merge base, missing objects) the error is ErrCannotTell;
// when git is too old it is a *TooOldError. Attributes, merge drivers included,
// apply as they would in the work tree, and the merged objects are stored; use a
// Scratch where neither is wanted.
func (r *Repo) MergeTree(ctx context.Context, ours, theirs string) (*Merge, error) {
	return r.mergeTree(ctx, MergePair{ours, theirs}, nil)
}

func (r *Repo) mergeTree(ctx context.Context, p MergePair, config []string) (*Merge, error) {
	if !r.Version.MergeTree() {
		return nil, &TooOldError{Have: r.Version, Need: mergeTreeVersion, For: "predicting merges"}
	}
	c := mergeTreeCall(config, p.Ours, p.Theirs)
	c.okExit = []int{1}
	out, err := r.run(ctx, c)
	if err != nil {
		if e := (*Error)(nil); errors.As(err, &e) && e.Exit > 0 {
			e.Err = ErrCannotTell
		}
		return nil, err
	}
	m, err := parseMergeTree(out.Stdout, out.Exit == 1)
	if err != nil {
		return nil, &Error{Step: "merge-tree", Exit: out.Exit, Stderr: out.Stderr, Err: fmt.Errorf("%w: %w", ErrCannotTell, err)}
	}
	return m, nil
}

func mergeTreeCall(config []string, args ...string) call {
	return call{step: "merge-tree", class: localRead, timeout: timeouts[localWrite],
		config: append([]string{"merge.renames=true", "merge.directoryRenames=conflict"}, config...),
		args:   append([]string{"merge-tree", "--write-tree", "-z", "--messages"}, args...)}
}

// parseMergeTree reads the answer to one merge.
func parseMergeTree(b []byte, conflicted bool) (*Merge, error) {
	m, rest, err := readMerge(fields(b), conflicted)
	if err == nil && len(rest) > 0 {
		err = fmt.Errorf("%q is no message", rest[0])
	}
	if err != nil {
		return nil, err
	}
	return m, nil
}

// readMerge takes one answer from the front of f: "<tree>", for a conflict "<mode> <oid>
// <stage> TAB <path>" records, then an empty field and messages "<n> <path> ... <type>
// <text>", up to an empty field or the end.
func readMerge(f []string, conflicted bool) (m *Merge, rest []string, err error) {
	if len(f) == 0 || !isOID(f[0]) {
		return nil, f, errors.New("the answer has no tree")
	}
	m, i := &Merge{Tree: f[0]}, 1
	stages := map[string]*[4]Stage{}
	for ; conflicted && i < len(f) && f[i] != ""; i++ {
		path, n, s, ok := parseStage(f[i])
		if !ok {
			return nil, f, fmt.Errorf("%q is no conflicting file", f[i])
		}
		if stages[path] == nil {
			stages[path] = &[4]Stage{}
		}
		stages[path][n] = s
	}
	for path, s := range stages {
		m.Conflicts = append(m.Conflicts, MergeConflict{Path: path, Stages: *s})
	}
	sort.Slice(m.Conflicts, func(a, b int) bool { return m.Conflicts[a].Path < m.Conflicts[b].Path })
	for i++; i < len(f) && f[i] != ""; {
		n, err := strconv.Atoi(f[i])
		if err != nil || n < 0 || n > len(f) || i+n+2 >= len(f) {
			return nil, f, fmt.Errorf("%q is no message", f[i])
		}
		m.Messages = append(m.Messages, MergeMessage{Paths: f[i+1 : i+1+n], Type: f[i+1+n], Text: f[i+2+n]})
		i += n + 3
	}
	if conflicted && m.Clean() {
		// Some conflicts leave no file behind that could be listed.
		for _, msg := range m.Messages {
			if strings.HasPrefix(msg.Type, "CONFLICT") {
				for _, p := range msg.Paths {
					m.Conflicts = append(m.Conflicts, MergeConflict{Path: p})
				}
			}
		}
		if m.Clean() {
			return nil, f, errors.New("a conflict without a file")
		}
	}
	return m, f[min(i, len(f)):], nil
}

// Scratch is a throwaway bare repository that reads the clone's objects and keeps
// what is written to itself. No attribute, merge driver, filter, hook, or setting of
// the clone applies in it, no ref of the clone can be seen, and missing objects are
// never fetched. It must be closed.
type Scratch struct {
	*Repo
	path string
}

// NewScratch makes a scratch repository beside the worktree's own files.
func (w *Worktree) NewScratch() (*Scratch, error) {
	base := filepath.Join(w.GitDir, "gitlet")
	err := os.MkdirAll(base, 0o777)
	var dir string
	if err == nil {
		dir, err = os.MkdirTemp(base, "scratch-")
	}
	if err != nil {
		return nil, fmt.Errorf("make scratch repository: %w", err)
	}
	format := "[core]\n\tbare = true\n\trepositoryformatversion = 0\n"
	if w.ObjectFormat == "sha256" {
		format = "[core]\n\tbare = true\n\trepositoryformatversion = 1\n[extensions]\n\tobjectformat = sha256\n"
	}
	files := map[string]string{
		"HEAD": "ref: refs/heads/none\n", "config": format, "refs/none": "",
		"objects/info/alternates": quoteAlternate(filepath.Join(w.CommonDir, "objects")) + "\n",
	}
	for name, content := range files {
		p := filepath.Join(dir, filepath.FromSlash(name))
		if err = os.MkdirAll(filepath.Dir(p), 0o777); err == nil && content != "" {
			err = os.WriteFile(p, []byte(content), 0o666)
		}
		if err != nil {
			_ = os.RemoveAll(dir) // the first error is the one that counts
			return nil, fmt.Errorf("make scratch repository: %w", err)
		}
	}
	r := *w.Repo
	r.dir, r.CommonDir, r.foreground = dir, dir, false
	r.shared = &shared{}
	r.env = []string{"GIT_DIR=" + dir, "GIT_ATTR_NOSYSTEM=1", "GIT_CONFIG_NOSYSTEM=1"}
	if shallow := filepath.Join(w.CommonDir, "shallow"); !missing(shallow) {
		r.env = append(r.env, "GIT_SHALLOW_FILE="+shallow)
	}
	return &Scratch{Repo: &r, path: dir}, nil
}

func missing(path string) bool {
	_, err := os.Lstat(path)
	return err != nil
}

// quoteAlternate spells a path for objects/info/alternates, where a leading quote
// starts a C string and "#" a comment.
func quoteAlternate(p string) string {
	if !strings.ContainsAny(p, "\n\"#\\") {
		return p
	}
	var b strings.Builder
	b.WriteByte('"')
	for i := range len(p) {
		switch c := p[i]; c {
		case '"', '\\':
			b.WriteString("\\" + string(c))
		case '\n':
			b.WriteString("\\n")
		default:
			b.WriteByte(c)
		}
	}
	return b.String() + "\""
}

// MergeTree merges without attributes, as a forge would.
func (s *Scratch) MergeTree(ctx context.Context, ours, theirs string) (*Merge, error) {
	return s.Repo.MergeTree(ctx, ours, theirs)
}

// MergeFrom merges two versions of a tree that both come from base. All three are named by
// commits or trees of any history: what counts is their content.
func (s *Scratch) MergeFrom(ctx context.Context, base, ours, theirs string) (*Merge, error) {
	var made []string
	var parents []string
	for _, rev := range []string{base, ours, theirs} {
		c, err := s.CommitTree(ctx, rev+"^{tree}", parents, "merge")
		if err != nil {
			return nil, err
		}
		if made = append(made, c); parents == nil {
			parents = []string{c}
		}
	}
	return s.MergeTree(ctx, made[1], made[2])
}

// Close removes the scratch repository with all it holds. What cannot be removed
// now is removed by a later Sweep.
func (s *Scratch) Close() { _ = os.RemoveAll(s.path) }

// PredictMerge says what merging theirs into ours would give, leaving nothing behind.
// The tree it names is gone when it returns.
func (w *Worktree) PredictMerge(ctx context.Context, ours, theirs string) (*Merge, error) {
	s, err := w.NewScratch()
	if err != nil {
		return nil, err
	}
	defer s.Close()
	return s.MergeTree(ctx, ours, theirs)
}

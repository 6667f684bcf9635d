package git

import (
	"context"
	"fmt"
	"strings"
)

// Untracked says which files git does not track are listed.
type Untracked string

// None of them, or every single file. Ignored files are never listed.
const (
	UntrackedNone Untracked = "no"
	UntrackedAll  Untracked = "all"
)

// Status is how a work tree differs from its index and HEAD.
type Status struct {
	Head    Head
	Entries []StatusEntry // tracked files that differ, unmerged ones included, in path order
	// Untracked paths; a nested repository is one entry that ends in "/".
	Untracked []string
}

// StatusEntry is one tracked file that differs. Renames are not looked for: they are
// a deletion and an addition.
type StatusEntry struct {
	Path string
	// Index is how the index differs from HEAD, Tree how the work tree differs from
	// the index: '.', M, T, A, D; 'U' and others when Unmerged.
	Index, Tree byte
	Unmerged    bool
	// Submodule is set for a submodule.
	Submodule bool
	// HeadMode and HeadOID are HEAD's version ("000000" and zeros for none). When
	// Unmerged they are our side's, stage 2.
	HeadMode, HeadOID   string
	IndexMode, IndexOID string // "000000" when Unmerged
	TreeMode            string
}

// Clean reports that nothing differs and nothing is untracked.
func (s *Status) Clean() bool { return len(s.Entries) == 0 && len(s.Untracked) == 0 }

// Status reads how the work tree stands, without refreshing the index on disk, and
// where HEAD is, in one process. Submodules are not entered: only a moved commit
// counts. Edits the user hid with skip-worktree stay hidden, also in a sparse checkout.
func (w *Worktree) Status(ctx context.Context, untracked Untracked) (*Status, error) {
	out, err := w.run(ctx, call{step: "status", class: localRead, timeout: timeouts[localWrite],
		config: []string{"sparse.expectFilesOutsideOfPatterns=true", "status.showStash=false"},
		env:    []string{"GIT_OPTIONAL_LOCKS=0"},
		args: []string{"status", "--porcelain=v2", "-z", "--branch", "--no-ahead-behind", "--no-renames",
			"--ignore-submodules=dirty", "--untracked-files=" + string(untracked)}})
	if err != nil {
		return nil, err
	}
	return parseStatus(out.Stdout)
}

// parseStatus reads porcelain version 2 with NUL ends. Header lines are "# ..." and
// unknown ones are skipped, as its documentation asks.
func parseStatus(b []byte) (*Status, error) {
	s := &Status{}
	f := fields(b)
	for i := 0; i < len(f); i++ {
		rec := f[i]
		kind, rest, _ := strings.Cut(rec, " ")
		ok := true
		switch kind {
		case "#":
			s.header(rest)
		case "?":
			s.Untracked = append(s.Untracked, rest)
			ok = rest != ""
		case "!":
		case "1":
			ok = s.ordinary(rest, 8)
		case "2": // a rename, which we do not ask for: its old path follows
			ok = s.ordinary(rest, 9) && i+1 < len(f)
			i++
		case "u":
			ok = s.unmerged(rest)
		default:
			ok = false
		}
		if !ok {
			return nil, fmt.Errorf("status: %q is no entry", rec)
		}
	}
	return s, nil
}

func (s *Status) header(h string) {
	if oid, ok := strings.CutPrefix(h, "branch.oid "); ok && oid != "(initial)" {
		s.Head.OID = oid
	}
	if name, ok := strings.CutPrefix(h, "branch.head "); ok && name != "(detached)" {
		s.Head.Branch = name
	}
}

// ordinary reads "<XY> <sub> <mH> <mI> <mW> <hH> <hI> [<score>] <path>".
func (s *Status) ordinary(rest string, n int) bool {
	p := strings.SplitN(rest, " ", n)
	if len(p) != n || len(p[0]) != 2 || p[n-1] == "" || len(p[1]) != 4 ||
		!isMode(p[2]) || !isMode(p[3]) || !isMode(p[4]) || !isOID(p[5]) || !isOID(p[6]) {
		return false
	}
	s.Entries = append(s.Entries, StatusEntry{Path: p[n-1], Index: p[0][0], Tree: p[0][1], Submodule: p[1][0] == 'S',
		HeadMode: p[2], IndexMode: p[3], TreeMode: p[4], HeadOID: p[5], IndexOID: p[6]})
	return true
}

// unmerged reads "<XY> <sub> <m1> <m2> <m3> <mW> <h1> <h2> <h3> <path>".
func (s *Status) unmerged(rest string) bool {
	p := strings.SplitN(rest, " ", 10)
	if len(p) != 10 || len(p[0]) != 2 || p[9] == "" || len(p[1]) != 4 ||
		!isMode(p[2]) || !isMode(p[3]) || !isMode(p[4]) || !isMode(p[5]) || !isOID(p[6]) || !isOID(p[7]) || !isOID(p[8]) {
		return false
	}
	link := p[2] == ModeGitlink || p[3] == ModeGitlink || p[4] == ModeGitlink
	s.Entries = append(s.Entries, StatusEntry{Path: p[9], Index: p[0][0], Tree: p[0][1], Unmerged: true, Submodule: link,
		HeadMode: p[3], HeadOID: p[7], IndexMode: "000000", IndexOID: strings.Repeat("0", len(p[7])), TreeMode: p[5]})
	return true
}

package land

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"gitlet/internal/git"
)

// ConflictError is an update that git cannot make by itself.
type ConflictError struct {
	Commit      git.Commit // the branch's commit that conflicts; none for uncommitted work
	Uncommitted bool
	Dirty       bool // files that git tracks have uncommitted changes
	// Untracked are the conflicting files that git does not track yet.
	Untracked []string
	Files     []ConflictFile
}

func (e *ConflictError) Error() string {
	return fmt.Sprintf("%d files conflict", len(e.Files))
}

// ConflictFile is one file both sides changed in ways that do not go together.
type ConflictFile struct {
	Path  string
	How   string // "both changed it", "main deleted it, you changed it", ...
	Hunks []Hunk
	Other *git.Commit // the last commit of main that changed it; nil when none did
	// Base, Main and Mine are the versions that do not go together, "" where one is not there.
	Base, Main, Mine string
}

// Hunk is one conflict in a file, with git's markers: main's side, the common base, and
// the branch's.
type Hunk struct {
	Line int    // where it begins in the merged file
	Text string // several lines
}

// conflict reads everything about a stop out of the trial before that is thrown away.
func (u *updating) conflict(ctx context.Context, s *git.Stop, c git.Commit, uncommitted bool) error {
	e := &ConflictError{Commit: c, Uncommitted: uncommitted}
	var paths []string
	var st git.Status
	if u.saved.Files > 0 {
		now, err := u.wt.Status(ctx, git.UntrackedAll)
		if err != nil {
			return err
		}
		st = *now
	}
	e.Dirty = len(st.Entries) > 0
	for _, f := range s.Files {
		file := ConflictFile{Path: f.Path, How: how(f), Base: f.Stages[1].OID, Main: f.Stages[2].OID, Mine: f.Stages[3].OID}
		data, err := os.ReadFile(filepath.Join(u.trial.Root(), filepath.FromSlash(f.Path)))
		if err == nil && f.Stages[2].OID != "" && f.Stages[3].OID != "" {
			file.Hunks = hunks(data, u.o.Name)
		}
		e.Files = append(e.Files, file)
		paths = append(paths, f.Path)
		if slices.Contains(st.Untracked, f.Path) {
			e.Untracked = append(e.Untracked, f.Path)
		}
	}
	if err := u.others(ctx, e, paths); err != nil {
		return err
	}
	return e
}

// how words a conflict by the sides that are there. In a rebase "ours" is main's side.
func how(c git.MergeConflict) string {
	base, main, mine := c.Stages[1].OID != "", c.Stages[2].OID != "", c.Stages[3].OID != ""
	link := c.Stages[1].Mode == git.ModeGitlink || c.Stages[2].Mode == git.ModeGitlink || c.Stages[3].Mode == git.ModeGitlink
	switch {
	case link && main && mine:
		return "both moved this submodule"
	case base && main && mine:
		return "both changed it"
	case main && mine:
		return "both added it"
	case base && mine:
		return "main deleted or renamed it, you changed it"
	case base && main:
		return "you deleted or renamed it, main changed it"
	}
	return "renames do not go together"
}

// hunks cuts the conflicts out of a file with markers. The side that git calls HEAD, where
// a rebase stands, is main's.
func hunks(data []byte, main string) []Hunk {
	var out []Hunk
	var text strings.Builder
	in, n, at := false, 0, 0
	for line := range bytes.Lines(data) {
		n++
		l := strings.ToValidUTF8(string(line), "?")
		if bare := strings.TrimRight(l, "\r\n"); !in && (strings.HasPrefix(bare, "<<<<<<< ") || bare == "<<<<<<<") {
			in, at = true, n
			text.Reset()
			for _, side := range []string{"HEAD", "ours"} {
				l = strings.Replace(l, "<<<<<<< "+side, "<<<<<<< "+main, 1)
			}
		}
		if !in {
			continue
		}
		text.WriteString(l)
		if strings.HasPrefix(l, ">>>>>>>") {
			in = false
			out = append(out, Hunk{Line: at, Text: strings.TrimSuffix(text.String(), "\n")})
		}
	}
	return out
}

// others finds the last commit of main that changed each file.
func (u *updating) others(ctx context.Context, e *ConflictError, paths []string) error {
	const most = 200
	log, err := u.wt.Log(ctx, git.LogOptions{From: []string{u.o.Onto}, Not: []string{u.out.From.OID}, Paths: paths, Max: most})
	if err != nil {
		return err
	}
	oids := make([]string, len(log))
	byID := map[string]int{}
	for i, c := range log {
		oids[i], byID[c.OID] = c.OID, i
	}
	changes, err := u.wt.CommitChanges(ctx, oids)
	if err != nil {
		return err
	}
	last := map[string]int{}
	for _, c := range changes {
		i, listed := byID[c.Commit]
		if was, seen := last[c.Path]; listed && (!seen || i < was) {
			last[c.Path] = i
		}
	}
	for i := range e.Files {
		if at, ok := last[e.Files[i].Path]; ok {
			e.Files[i].Other = &log[at]
		}
	}
	return nil
}

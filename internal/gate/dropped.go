package gate

import (
	"context"
	"fmt"
	"sort"
	"strings"

	"gitlet/internal/git"
	"gitlet/internal/model"
	"gitlet/internal/pattern"
	"gitlet/internal/sources"
)

// A commit that was put together on an old state of main (a squash by "reset --soft", a
// merge that took one side) holds the old content of files that others changed since, and
// undoes what they did without a conflict.

// Dropped lists the files in which the result of a merge undoes what main gained since
// base: main changed them, and the result has them as base had them. Both lists are
// changes without or with renames: from base to main, and from main to the result.
func Dropped(gained, result []git.Change) []string {
	was := map[string]string{} // what base had, "" for nothing
	for p, c := range flat(gained) {
		was[p] = c.old
	}
	var out []string
	for p, c := range flat(result) {
		if old, changed := was[p]; changed && c.new == old {
			out = append(out, p)
		}
	}
	sort.Strings(out)
	return out
}

type version struct{ old, new string }

// flat turns renames into a deletion and an addition, and says of each path which content
// it had and has, by mode and object; "" where it was not or is not there.
func flat(changes []git.Change) map[string]version {
	out := map[string]version{}
	for _, c := range changes {
		old, new := content(c.OldMode, c.OldOID), content(c.NewMode, c.NewOID)
		if c.Status == 'C' {
			old = ""
		}
		if c.OldPath != c.Path && c.Status == 'R' {
			v := out[c.OldPath]
			v.old = old
			out[c.OldPath] = v
			old = ""
		}
		v := out[c.Path]
		if old != "" || c.OldPath == c.Path {
			v.old = old
		}
		v.new = new
		out[c.Path] = v
	}
	return out
}

func content(mode, oid string) string {
	if strings.Trim(mode, "0") == "" || strings.Trim(oid, "0") == "" {
		return ""
	}
	return mode + " " + oid
}

// checkDropped looks at the tree that merging gives, which is in repo.
func checkDropped(ctx context.Context, in Input, repo *git.Repo, tree string) ([]Finding, error) {
	if in.Base == "" || in.Base == in.Main {
		return nil, nil
	}
	if anc, err := in.WT.IsAncestor(ctx, in.Base, in.Main); err != nil || !anc {
		return nil, err // main was rewritten, or the clone is too shallow to tell
	}
	gained, err := in.WT.DiffTrees(ctx, in.Base, in.Main)
	if err != nil {
		return nil, err
	}
	result, err := repo.DiffTrees(ctx, in.Main, tree)
	if err != nil {
		return nil, err
	}
	files := Dropped(gained, result)
	if len(files) == 0 {
		return nil, nil
	}
	by, err := authors(ctx, in, files)
	if err != nil {
		return nil, err
	}
	if files, err = unmeant(ctx, in, files, by); err != nil || len(files) == 0 {
		return nil, err
	}
	return []Finding{dropped(ctx, in, files, by)}, nil
}

// authors finds, for each of the files, the newest commit of main since base that
// touched it.
func authors(ctx context.Context, in Input, files []string) (map[string]git.Commit, error) {
	log, err := in.WT.Log(ctx, git.LogOptions{From: []string{in.Main}, Not: []string{in.Base}, Paths: files, Max: 500})
	if err != nil {
		return nil, err
	}
	at := map[string]git.Commit{}
	var oids []string
	for _, c := range log {
		at[c.OID] = c
		oids = append(oids, c.OID)
	}
	changes, err := in.WT.CommitChanges(ctx, oids)
	if err != nil {
		return nil, err
	}
	order := map[string]int{}
	for i, oid := range oids {
		order[oid] = i
	}
	by := map[string]git.Commit{}
	for _, c := range changes {
		if have, ok := by[c.Path]; !ok || order[c.Commit] < order[have.OID] {
			by[c.Path] = at[c.Commit]
		}
	}
	return by, nil
}

var reverts = pattern.New(`(?i)\bthis reverts commit ([0-9a-f]{7,64})\b`)

// unmeant leaves out files whose change on main the branch says it takes back, with the
// line that git revert writes.
func unmeant(ctx context.Context, in Input, files []string, by map[string]git.Commit) ([]string, error) {
	own, err := in.WT.Log(ctx, git.LogOptions{From: []string{in.Head}, Not: []string{in.Main}, Max: 500})
	if err != nil {
		return nil, err
	}
	var said []string
	for _, c := range own {
		for _, m := range reverts.FindAllStringSubmatch(c.Message, -1) {
			said = append(said, strings.ToLower(m[1]))
		}
	}
	var out []string
	for _, f := range files {
		meant := false
		for _, s := range said {
			meant = meant || by[f].OID != "" && strings.HasPrefix(by[f].OID, s)
		}
		if !meant {
			out = append(out, f)
		}
	}
	return out, nil
}

func dropped(ctx context.Context, in Input, files []string, by map[string]git.Commit) Finding {
	f := Finding{Check: "dropped", Refuses: true,
		Summary: fmt.Sprintf("this would take back what others landed on %s since you began: %s as before", in.MainName, isAre(len(files), "file"))}
	cat := in.WT.NewCatFile(ctx)
	defer cat.Close()
	commit, left := "", maxListed
	for i, p := range files {
		if left <= 0 {
			f.Details = append(f.Details, fmt.Sprintf("and %s", plural(len(files)-i, "more file")))
			break
		}
		head := p
		if c, ok := by[p]; ok {
			head += fmt.Sprintf(": commit %s %q", c.OID[:10], c.Subject)
			if commit == "" {
				commit = c.OID
			}
		}
		f.Details = append(f.Details, head)
		lines := gainedLines(read(cat, in.Base, p), read(cat, in.Main, p))
		if len(lines) == 0 {
			f.Details = append(f.Details, "  what it removed is there again")
		}
		for j, l := range lines {
			if left--; left < 0 {
				f.Details = append(f.Details, fmt.Sprintf("  and %s", plural(len(lines)-j, "more line")))
				break
			}
			f.Details = append(f.Details, "  missing: "+l)
		}
		left--
	}
	var there, gone []string
	now, err := in.WT.Tree(ctx, in.Main, files...)
	onMain := map[string]bool{}
	for _, e := range now {
		onMain[e.Path] = true
	}
	for _, p := range files {
		if err != nil || onMain[p] {
			there = append(there, p)
		} else {
			gone = append(gone, p)
		}
	}
	if len(there) > 0 {
		f.Options = append(f.Options, model.Option{Argv: append([]string{"git", "--literal-pathspecs", "checkout", in.Main, "--"}, there...),
			Why: fmt.Sprintf("take %s's version of these files back, then commit and submit again", in.MainName)})
	}
	if len(gone) > 0 {
		f.Options = append(f.Options, model.Option{Argv: append([]string{"git", "--literal-pathspecs", "rm", "--"}, gone...),
			Why: fmt.Sprintf("remove what %s removed, then commit and submit again", in.MainName)})
	}
	if commit != "" {
		f.Options = append(f.Options,
			model.Option{Argv: []string{"git", "show", commit}, Why: "read the commit that added it"},
			model.Option{Argv: []string{"git", "commit", "--allow-empty", "-m", "This reverts commit " + commit + "."},
				Why: "you mean to take it back: say so in a commit, then submit again"})
	}
	return f
}

func read(cat *git.CatFile, rev, path string) string {
	data, err := (sources.At{Cat: cat, Rev: rev}).Read(path)
	if err != nil || strings.ContainsRune(string(data[:min(len(data), 8000)]), 0) {
		return "" // not there, or nothing that has lines
	}
	return string(data)
}

// gainedLines lists the lines that b has more often than a, in their order, without the
// empty ones.
func gainedLines(a, b string) []string {
	have := map[string]int{}
	for l := range strings.Lines(a) {
		have[strings.TrimRight(l, "\r\n")]++
	}
	var out []string
	for l := range strings.Lines(b) {
		l = strings.TrimRight(l, "\r\n")
		if have[l]--; have[l] < 0 && strings.TrimSpace(l) != "" {
			out = append(out, l)
		}
	}
	return out
}

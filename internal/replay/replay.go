package replay

import (
	"bytes"
	"context"
	"time"

	"gitlet/internal/git"
	"gitlet/internal/rerere"
)

// Used is a resolution that was used for a file.
type Used struct {
	Path  string
	Hunks []rerere.Hunk
	// Name is the resolution: the id of the conflict, and its variant.
	Name   string
	Origin Origin
	// Commit is the commit in which the conflict came up; "" for uncommitted work.
	Commit string
}

// Book looks resolutions up.
type Book struct {
	Repo *git.Repo
	Now  time.Time
	Used []Used // so far
	Ask  Ask    // for what others share; nil for nobody

	styles []string
	off    bool
}

// Open prepares to look resolutions up. One that the user has turned off finds none.
// ask is nil where nothing of others counts.
func Open(ctx context.Context, repo *git.Repo, now time.Time, ask Ask) (*Book, error) {
	b := &Book{Repo: repo, Now: now, Ask: ask}
	on, err := repo.Replays(ctx)
	if err != nil {
		return nil, err
	}
	ids, err := repo.ResolutionIDs()
	if err != nil {
		return nil, err
	}
	if b.off = !on || len(ids) == 0 && ask == nil; b.off {
		return b, nil
	}
	b.styles, err = repo.ConflictStyles(ctx)
	return b, err
}

// Begin makes a trial write conflicts the way they were recorded.
func (b *Book) Begin(t *git.Trial) {
	if !b.off {
		t.Mark(b.styles[0])
	}
}

// Resolve settles a stop if every file of it has a recorded resolution, and reports whether
// it did. If not, the files stand there as git left them, in the style that shows the base.
func (b *Book) Resolve(ctx context.Context, t *git.Trial, s *git.Stop) (bool, error) {
	if b.off || len(s.Files) == 0 || len(b.styles) == 0 {
		return false, nil
	}
	var open []string
	for _, f := range s.Files {
		if !textual(f) {
			return false, b.showBase(ctx, t, s)
		}
		open = append(open, f.Path)
	}
	a := &attempt{Book: b, t: t, s: s, open: open, files: map[string][]byte{}}
	// What was recorded here comes before what others share.
	looks := []func(context.Context) error{a.recorded}
	if b.Ask != nil {
		looks = append(looks, a.shared)
	}
	for _, look := range looks {
		for _, style := range b.styles {
			if len(a.open) == 0 {
				break
			}
			if err := a.mark(ctx, style); err != nil {
				return false, err
			}
			if err := look(ctx); err != nil {
				return false, err
			}
		}
	}
	if len(a.open) > 0 {
		return false, b.showBase(ctx, t, s)
	}
	if err := t.Settle(ctx, a.files); err != nil {
		return false, err
	}
	b.Used = append(b.Used, a.used...)
	return true, nil
}

// showBase leaves the conflicts of a stop in the style that shows the base.
func (b *Book) showBase(ctx context.Context, t *git.Trial, s *git.Stop) error {
	var content []string
	for _, f := range s.Files {
		if textual(f) {
			content = append(content, f.Path)
		}
	}
	return t.Remark(ctx, b.Repo.Version.BaseStyle(), content)
}

// textual reports whether a conflict is one of content: both sides have the file, and it is
// a file on both.
func textual(f git.MergeConflict) bool {
	plain := func(s git.Stage) bool { return s.Mode == git.ModeFile || s.Mode == git.ModeExec }
	return plain(f.Stages[2]) && plain(f.Stages[3]) && (f.Stages[1].OID == "" || plain(f.Stages[1]))
}

// find looks for a recorded resolution of the conflicts in a file that fits it.
func (b *Book) find(ctx context.Context, c *rerere.Conflict) ([]byte, *Used, error) {
	all, err := b.Repo.Resolutions(c.ID)
	if err != nil {
		return nil, nil, err
	}
	for _, r := range all {
		after, ok, err := b.fit(ctx, c, r)
		if err != nil {
			return nil, nil, err
		}
		if ok {
			return after, &Used{Hunks: c.Hunks, Name: r.Name(), Origin: b.origin(r)}, nil
		}
	}
	return nil, nil, nil
}

// fit puts a resolution into a file with the identical conflicts, whatever else differs in
// it.
func (b *Book) fit(ctx context.Context, c *rerere.Conflict, r git.Resolution) ([]byte, bool, error) {
	if bytes.Equal(c.Text, r.Before) {
		_, still := rerere.Read(r.After, b.Repo.ObjectFormat)
		return r.After, !still, nil
	}
	after, conflicts, err := b.Repo.MergeFile(ctx, c.Text, r.Before, r.After)
	if err != nil || conflicts != 0 {
		return nil, false, err
	}
	_, still := rerere.Read(after, b.Repo.ObjectFormat)
	return after, !still, nil
}

// Done marks what was used, so that git's upkeep keeps it.
func (b *Book) Done() {
	for _, u := range b.Used {
		if r, ok := Parse(u.Name); ok {
			b.Repo.Used(r, b.Now)
		}
	}
}

package engine

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"gitlet/internal/git"
	"gitlet/internal/model"
	"gitlet/internal/snapshot"
	"gitlet/internal/verb"
)

// A clone whose git directory cannot be written (mounted read-only, full, somebody
// else's) is still good for looking. What is known is answered, the work tree is read
// aside, and one warning says that nobody hears of it.

// unwritable says in a few words why this clone cannot be written, "" when err is about
// something else.
func unwritable(err error) string {
	for _, why := range []struct {
		errno syscall.Errno
		words string
	}{
		{syscall.EROFS, "it is read-only"}, {syscall.ENOSPC, "the disk is full"}, {syscall.EDQUOT, "the quota is used up"},
		{syscall.EACCES, "permission denied"}, {syscall.EPERM, "permission denied"},
	} {
		if errors.Is(err, why.errno) {
			return why.words
		}
	}
	var u *git.UnwritableError
	if errors.As(err, &u) {
		return u.Why
	}
	return ""
}

// ownFolder is gitlet's folder in one of the git directories, when an error is about what
// lies in it and the git directory itself can be written; else "".
func ownFolder(err error, gitDirs ...string) string {
	path := ""
	var p *fs.PathError
	var l *os.LinkError
	var u *git.UnwritableError
	switch {
	case errors.As(err, &p):
		path = p.Path
	case errors.As(err, &l):
		path = l.New
	case errors.As(err, &u):
		path = u.Path
	}
	for _, dir := range gitDirs {
		own := filepath.Join(dir, "gitlet")
		if path != own && !strings.HasPrefix(path, own+string(filepath.Separator)) {
			continue
		}
		const write = 2 // W_OK
		if syscall.Access(dir, write) != nil {
			return ""
		}
		room := errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) || u != nil && !strings.Contains(u.Why, "read-only") && !strings.Contains(u.Why, "permission")
		if room && device(own) == device(dir) {
			return ""
		}
		return own
	}
	return ""
}

// device is the file system a folder lies on.
func device(dir string) uint64 {
	var st syscall.Stat_t
	if syscall.Stat(dir, &st) != nil {
		return 0
	}
	return uint64(st.Dev)
}

// place words where nothing can be written: a folder of gitlet's own, or "" for all of it.
func place(folder string) string {
	if folder == "" {
		return "this clone's git directory"
	}
	return fmt.Sprintf("gitlet's own folder %q", folder)
}

// cannotWrite is the one warning about all that could not be written.
func cannotWrite(folder, why string) string {
	return fmt.Sprintf("nothing can be written to "+place(folder)+" (%s): this is answered from what is known here, and others hear nothing of your work until that is mended", why)
}

// refuseUnwritable is the answer of a verb that would have had to write.
func (e *Engine) refuseUnwritable(name string, err error, why string) *verb.Result {
	folder := ownFolder(err, e.warnings.gitDirs...)
	look := []string{e.wt.CommonDir, filepath.Join(e.wt.CommonDir, "objects")}
	if folder != "" {
		look = []string{folder}
	}
	return verb.Refuse(fmt.Sprintf("%s has to write to %s, and cannot: %s", name, place(folder), why),
		model.Option{Argv: []string{"df", "-h", look[0]}, Why: "see whether there is room, and whether it is mounted to be written to"},
		model.Option{Argv: append([]string{"ls", "-ld"}, look...), Why: "see who may write there"})
}

// readAside is readWork for a clone that cannot be written: objects and the copy of the
// index go to a temporary folder that is gone afterwards, so there is a footprint and no
// snapshot.
func (e *Engine) readAside(ctx context.Context) (work, error) {
	aside, drop, err := e.wt.Aside()
	if err != nil {
		return work{}, err
	}
	defer drop()
	p := snapshot.PolicyFrom(e.settings)
	snap, err := snapshot.Take(ctx, aside, p)
	if err != nil {
		return work{}, err
	}
	e.noteSkipped(snap.Skipped)
	e.head = snap.Head
	w := work{Branch: snap.Head.Branch, Head: snap.Head.OID, Main: e.main.Name, Snapshot: snap.Head.OID}
	if w.Base, err = e.base(ctx, snap.Head.OID); err != nil {
		return work{}, err
	}
	item := ""
	if st, err := e.State(ctx); err == nil && st.Active() != nil {
		item = st.Active().ID
	}
	w.Footprint, err = e.footprintIn(ctx, aside, w.Base, snap.Commit, item)
	return w, err
}

// inMemory makes a change of the agent's state that could not be written count for this
// call.
func (e *Engine) inMemory(ctx context.Context, change func(*model.State) error) {
	st, err := e.bus.State(ctx, e.who.Agent)
	if err != nil || st == nil {
		st = &model.State{}
	}
	_ = change(st) // it leaves the state in e.own, and what it returns is for the bus
}

package git

import (
	"context"
	"errors"
	"fmt"
	"strconv"
)

// ReflogEntry is one move of a ref: where it went, and what for.
type ReflogEntry struct{ OID, Why string }

// Reflog lists the last moves of a ref, the newest first; none where none are kept. max 0
// is all that are.
func (r *Repo) Reflog(ctx context.Context, ref string, max int) ([]ReflogEntry, error) {
	args := []string{"log", "-g", "-z", "--no-color", "--no-show-signature", "--no-decorate", "--no-notes", "--no-patch",
		"--no-mailmap", "--encoding=UTF-8", "--format=%H%x00%gs"}
	if max > 0 {
		args = append(args, "--max-count="+strconv.Itoa(max))
	}
	out, err := r.run(ctx, call{step: "read reflog", class: localRead, args: append(args, ref, "--")})
	var e *Error
	if errors.As(err, &e) && e.Exit > 0 {
		return nil, nil // no such ref, or no log of it
	}
	if err != nil {
		return nil, err
	}
	f := fields(out.Stdout)
	if len(f)%2 != 0 {
		return nil, fmt.Errorf("read reflog: %d fields are no whole number of entries", len(f))
	}
	var list []ReflogEntry
	for ; len(f) > 0; f = f[2:] {
		if !isOID(f[0]) {
			return nil, fmt.Errorf("read reflog: %q is no entry", f[:2])
		}
		list = append(list, ReflogEntry{OID: f[0], Why: f[1]})
	}
	return list, nil
}

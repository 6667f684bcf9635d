package land

import (
	"context"
	"slices"
	"strings"

	"gitlet/internal/git"
)

// LandedStub is a picked stub whose interface is on main, so that the branch can do without.
type LandedStub struct {
	Pin
	Stub   string // the commit that was published
	Commit string // the branch's commit that brought it, "" where none is known
}

// unwanted finds the branch's commits that brought the landed stubs, and earlier stubs of the
// same symbols together with what took them back. A commit goes only where it is nothing but
// that: one into which other work was folded stays, whatever its message says.
func unwanted(ctx context.Context, repo *git.Repo, ahead []git.Commit, landed []LandedStub) (map[string]bool, error) {
	out := map[string]bool{}
	if len(landed) == 0 {
		return out, nil
	}
	var oids []string
	for _, c := range ahead {
		if len(c.Trailer(StubTrailer))+len(c.Trailer(BackTrailer)) > 0 {
			oids = append(oids, c.OID)
		}
	}
	for _, s := range landed {
		oids = append(oids, s.Stub)
	}
	known, err := repo.Resolve(ctx, oids...)
	if err != nil {
		return nil, err
	}
	keys, err := repo.PatchKeys(ctx, slices.DeleteFunc(known, func(oid string) bool { return oid == "" }))
	if err != nil {
		return nil, err
	}
	for i, c := range ahead {
		for _, s := range landed {
			if c.OID == s.Commit || carries(c, StubTrailer, s.Key+"@"+s.SigHash) && keys[c.OID] != "" && keys[c.OID] == keys[s.Stub] {
				out[c.OID] = true
			}
			back := takesBack(c, s.Key)
			if back == "" {
				continue
			}
			was, err := undone(ctx, repo, ahead[:i], back, keys[c.OID])
			if err != nil {
				return nil, err
			}
			if was != "" {
				out[was], out[c.OID] = true, true
			}
		}
	}
	return out, nil
}

func carries(c git.Commit, key, value string) bool { return slices.Contains(c.Trailer(key), value) }

// takesBack is the stub of a symbol that a commit took back, "" for none.
func takesBack(c git.Commit, symbol string) string {
	for _, v := range c.Trailer(BackTrailer) {
		if strings.HasPrefix(v, symbol+"@") {
			return v
		}
	}
	return ""
}

// undone is the last commit with that stub whose exact opposite has the patch key, "" for
// none.
func undone(ctx context.Context, repo *git.Repo, before []git.Commit, stub, key string) (string, error) {
	for _, c := range slices.Backward(before) {
		if !carries(c, StubTrailer, stub) {
			continue
		}
		back, err := reverse(ctx, repo, c.OID)
		if err != nil {
			return "", err
		}
		keys, err := repo.PatchKeys(ctx, []string{back})
		if err != nil || key == "" || keys[back] != key {
			return "", err
		}
		return c.OID, nil
	}
	return "", nil
}

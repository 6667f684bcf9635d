package doctor

import (
	"context"
	"errors"
	"fmt"

	"gitlet/internal/git"
)

// checkGit looks at the git on PATH.
func checkGit(ctx context.Context, _ *place) []Finding {
	v, err := git.ReadVersion(ctx)
	switch {
	case errors.Is(err, git.ErrNoGit):
		return bad(Fail, "git is not installed, or not on PATH", fmt.Sprintf("install git %s or newer", git.MinVersion()))
	case err != nil:
		return bad(Fail, err.Error(), "see what `git --version` prints", "git", "--version")
	case v.Less(git.MinVersion()):
		return bad(Fail, fmt.Sprintf("git %s is too old", v), fmt.Sprintf("put git %s or newer first on PATH", git.MinVersion()))
	case v.Limits() != "":
		return bad(Warn, v.Limits(), "put a newer git first on PATH; everything else works with this one")
	}
	return ok("git %s", v)
}

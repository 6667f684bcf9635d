package git

import (
	"context"

	"gitlet/internal/pattern"
)

// FetchOptions says what a fetch does beside its refspecs.
type FetchOptions struct {
	// Prune removes local refs on the right side of a refspec that the remote no longer has.
	Prune bool
	// Whole brings every object also in a partial clone, whose own filter would leave
	// out what has to be read right after, without another trip to the remote.
	Whole bool
}

// NoRemoteRefError names the ref a fetch asked for in vain. It is an ErrNoRemoteRef.
type NoRemoteRefError struct{ Ref string }

func (e *NoRemoteRefError) Error() string { return "remote has no ref \"" + e.Ref + "\"" }

// Is makes it an ErrNoRemoteRef.
func (e *NoRemoteRefError) Is(target error) bool { return target == ErrNoRemoteRef }

// Fetch brings what the refspecs name, and nothing else: no tags, no submodules, no
// FETCH_HEAD, no maintenance, and none of the updates of remote-tracking refs that
// the clone's own fetch refspecs would add. A refspec with a "*" may match nothing; a
// single ref that the remote lacks fails the whole fetch with a *NoRemoteRefError
// (inside an *Error).
func (m Remote) Fetch(ctx context.Context, o FetchOptions, refspecs ...string) error {
	prune := "--no-prune"
	if o.Prune {
		prune = "--prune"
	}
	args := []string{"fetch", "--quiet", prune, "--no-tags", "--no-recurse-submodules", "--no-write-fetch-head",
		"--no-show-forced-updates", "--no-auto-maintenance", "--refmap="}
	if o.Whole {
		args = append(args, "--no-filter")
	}
	args = append(args, "--", m.Name)
	c := call{step: "fetch", class: fetching,
		config: append([]string{"fetch.pruneTags=false", "advice.fetchShowForcedUpdates=false",
			"fetch.writeCommitGraph=false", "core.logAllRefUpdates=false"}, patient...),
		args: append(args, refspecs...)}
	_, err := m.network(ctx, c)
	for tries := 0; tries < maxBroken && m.repo.breakLock(err); tries++ {
		_, err = m.network(ctx, c)
	}
	if e, ok := err.(*Error); ok && e.Err == ErrNoRemoteRef {
		if m := missingRef.FindStringSubmatch(e.Stderr); m != nil {
			e.Err = &NoRemoteRefError{Ref: m[1]}
		}
	}
	return err
}

// FetchTracking updates the user's own remote-tracking ref of one branch, as the
// user's fetch would. Only foreground steps that are about that ref call it.
func (m Remote) FetchTracking(ctx context.Context, branch string) error {
	return m.Fetch(ctx, FetchOptions{}, "+refs/heads/"+branch+":refs/remotes/"+m.Name+"/"+branch)
}

var missingRef = pattern.New(`(?m)^fatal: couldn't find remote ref (.*)$`)

package git

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"sync"

	"gitlet/internal/proc"
)

// Version is a git version, as far as it decides what git can do.
type Version struct{ Major, Minor, Patch int }

// The thresholds.
var (
	minVersion       = Version{2, 29, 0}
	mergeTreeVersion = Version{2, 38, 0}
	mergeListVersion = Version{2, 39, 0} // merge-tree --stdin
)

// MinVersion is the oldest git that works at all.
func MinVersion() Version { return minVersion }

func (v Version) String() string { return fmt.Sprintf("%d.%d.%d", v.Major, v.Minor, v.Patch) }

// Less reports whether v is older than o.
func (v Version) Less(o Version) bool {
	if v.Major != o.Major {
		return v.Major < o.Major
	}
	if v.Minor != o.Minor {
		return v.Minor < o.Minor
	}
	return v.Patch < o.Patch
}

// MergeTree reports whether git can merge without a work tree.
func (v Version) MergeTree() bool { return !v.Less(mergeTreeVersion) }

// Limits says in words what gitlet does not do with this git, or "" when it does all.
func (v Version) Limits() string {
	if v.MergeTree() {
		return ""
	}
	return fmt.Sprintf("git %s cannot predict conflicts; that needs %d.%d or newer", v, mergeTreeVersion.Major, mergeTreeVersion.Minor)
}

var versions sync.Map // program path -> Version: the file does not change under a process

// ReadVersion returns the version of the git on PATH, which it asks once per process.
func ReadVersion(ctx context.Context) (Version, error) {
	path, err := proc.LookPath("git")
	if err != nil {
		return Version{}, &Error{Step: "version", Exit: -1, Err: ErrNoGit}
	}
	if v, ok := versions.Load(path); ok {
		return v.(Version), nil
	}
	out, err := run(ctx, call{step: "version", class: localRead, args: []string{"version"}})
	if err != nil {
		return Version{}, err
	}
	v, err := parseVersion(string(out.Stdout))
	if err != nil {
		return Version{}, err
	}
	versions.Store(path, v)
	return v, nil
}

// parseVersion reads "git version 2.39.5 (Apple Git-154)", "git version 2.45.0-rc1",
// "git version 2.46.GIT" and the like: the leading numbers count.
func parseVersion(s string) (Version, error) {
	rest, ok := strings.CutPrefix(strings.TrimSpace(s), "git version ")
	if !ok {
		return Version{}, fmt.Errorf("read git version: %q is not one", s)
	}
	var n [3]int
	for i, part := range strings.SplitN(rest, ".", 4) {
		if i == len(n) {
			break
		}
		end := 0
		for end < len(part) && part[end] >= '0' && part[end] <= '9' {
			end++
		}
		v, err := strconv.Atoi(part[:end])
		if err != nil {
			if i < 2 {
				return Version{}, fmt.Errorf("read git version: %q is not one", s)
			}
			break
		}
		n[i] = v
		if end < len(part) {
			break
		}
	}
	return Version{n[0], n[1], n[2]}, nil
}

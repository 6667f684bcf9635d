package rules

import (
	"path"
	"strings"

	"gitlet/internal/lang"
)

var lockfiles = map[string]bool{
	"package-lock.json": true, "pnpm-lock.yaml": true, "yarn.lock": true, "go.sum": true,
	"Cargo.lock": true, "poetry.lock": true, "uv.lock": true, "Gemfile.lock": true,
	"composer.lock": true,
}

// isLockfile reports whether a tool writes the file from another one.
func isLockfile(p string) bool { return lockfiles[path.Base(p)] }

// isChangelog reports whether everyone adds entries to the file.
func isChangelog(p string) bool {
	base := path.Base(p)
	if lang.ForPath(base) != nil {
		return false
	}
	for _, prefix := range []string{"CHANGELOG", "CHANGES", "HISTORY"} {
		if strings.HasPrefix(base, prefix) {
			return true
		}
	}
	return false
}

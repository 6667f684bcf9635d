package lang

import (
	"path"
	"strings"
)

// Files that belong to no one's code and that everybody's work touches.

var lockfiles = map[string]bool{
	"package-lock.json": true, "pnpm-lock.yaml": true, "yarn.lock": true, "go.sum": true, "Cargo.lock": true,
	"poetry.lock": true, "uv.lock": true, "Gemfile.lock": true, "composer.lock": true,
}

// IsLockfile reports whether a package manager writes the file.
func IsLockfile(file string) bool { return lockfiles[path.Base(file)] }

// IsChangelog reports whether everyone adds entries to the file. Source that merely
// begins like one (CHANGES.py) is none.
func IsChangelog(file string) bool {
	name := path.Base(file)
	if ForPath(name) != nil {
		return false
	}
	return strings.HasPrefix(name, "CHANGELOG") || strings.HasPrefix(name, "CHANGES") || strings.HasPrefix(name, "HISTORY")
}

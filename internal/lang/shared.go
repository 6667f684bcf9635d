package lang

import (
	"maps"
	"path"
	"slices"
	"strings"
)

// Files that belong to no one's code and that everybody's work touches.

var lockfiles = map[string]bool{
	"package-lock.json": true, "pnpm-lock.yaml": true, "yarn.lock": true, "go.sum": true, "Cargo.lock": true,
	"poetry.lock": true, "uv.lock": true, "Gemfile.lock": true, "composer.lock": true,
}

// IsLockfile reports whether a package manager writes the file.
func IsLockfile(file string) bool { return lockfiles[path.Base(file)] }

// Lockfiles are the names of such files, sorted.
func Lockfiles() []string { return slices.Sorted(maps.Keys(lockfiles)) }

// IsChangelog reports whether everyone adds entries to the file. Source that merely
// begins like one (CHANGES.py) is none.
func IsChangelog(file string) bool {
	name := path.Base(file)
	if ForPath(name) != nil {
		return false
	}
	return strings.HasPrefix(name, "CHANGELOG") || strings.HasPrefix(name, "CHANGES") || strings.HasPrefix(name, "HISTORY")
}

var manifests = map[string]bool{
	"package.json": true, "pnpm-workspace.yaml": true, "bower.json": true, "deno.json": true, "deno.jsonc": true,
	"go.mod": true, "go.work": true, "Cargo.toml": true, "pyproject.toml": true, "setup.cfg": true, "Pipfile": true,
	"environment.yml": true, "environment.yaml": true, "Gemfile": true, "composer.json": true, "pom.xml": true,
	"build.gradle": true, "build.gradle.kts": true, "libs.versions.toml": true, "gradle.properties": true,
	"Directory.Packages.props": true, "packages.config": true, "pubspec.yaml": true, "mix.exs": true, "Podfile": true,
	".pre-commit-config.yaml": true,
}

// IsManifest reports whether the file lists what a project depends on.
func IsManifest(file string) bool {
	name := path.Base(file)
	return manifests[name] || strings.HasSuffix(name, ".csproj") || strings.HasSuffix(name, ".gemspec") ||
		strings.HasSuffix(name, ".txt") && (strings.HasPrefix(name, "requirements") || strings.HasPrefix(name, "constraints")) ||
		(strings.HasSuffix(name, ".txt") || strings.HasSuffix(name, ".in")) && path.Base(path.Dir(file)) == "requirements"
}

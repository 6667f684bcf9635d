package snapshot

import (
	"path"
	"strings"
	"time"

	"gitlet/internal/config"
	"gitlet/internal/lang"
)

// Policy says what a snapshot takes.
type Policy struct {
	Untracked  config.Untracked
	Include    []string     // globs for untracked files besides source
	Migrations []string     // globs for further migration directories
	MaxFile    config.Bytes // larger files keep HEAD's version; 0 for no limit
	Exclude    []string     // paths that keep HEAD's version, such as those a remote refused

	// Prev is the snapshot before, which is used again when nothing is new; may be nil.
	Prev *Prev
	// Now is the time of the call. Without it Result.Fingerprint is "".
	Now time.Time
}

// Prev is an earlier snapshot. Commit is enough; the rest saves a look.
type Prev struct {
	Commit      string
	Fingerprint string // of the Result it came from
}

// PolicyFrom reads the policy from settings.
func PolicyFrom(s config.Settings) Policy {
	return Policy{Untracked: s.SnapshotUntracked, Include: s.SnapshotInclude,
		Migrations: s.Migrations, MaxFile: s.MaxSnapshotFile}
}

// denied are the names of files that tend to hold secrets, in lower case.
var denied = []string{".env*", "*.pem", "*.key", "*.p12", "*.pfx", "id_rsa*", "id_ed25519*", "id_ecdsa*",
	"*.keystore", "credentials*", "secrets.*"}

// deniedFolders are the patterns that keep whole folders out: nothing below a .env or
// a secrets.d is anybody else's business. "credentials" is too common a package name.
var deniedFolders = []string{".env*", "secrets.*", "*.pem", "*.key", "id_rsa*", "id_ed25519*", "id_ecdsa*", "*.keystore"}

// Denied reports whether the file at p never leaves the machine, by its name or that
// of a folder it lies in. Case does not matter.
func Denied(p string) bool {
	parts := strings.Split(strings.ToLower(p), "/")
	for i, name := range parts {
		patterns := deniedFolders
		if i == len(parts)-1 {
			patterns = denied
		}
		for _, pattern := range patterns {
			if ok, err := path.Match(pattern, name); ok && err == nil {
				return true
			}
		}
	}
	return false
}

// TakesUntracked reports whether an untracked file at p goes along. Under "source"
// these are the files gitlet can read or coordinates on: supported languages,
// migrations, lockfiles, changelogs, and what Include names.
func (p Policy) TakesUntracked(file string) bool {
	switch p.Untracked {
	case config.UntrackedAll:
		return true
	case config.UntrackedNone:
		return false
	}
	if lang.ForPath(file) != nil || IsMigration(file, p.Migrations) || lang.IsLockfile(file) || lang.IsChangelog(file) {
		return true
	}
	for _, glob := range p.Include {
		if Match(glob, file) {
			return true
		}
	}
	return false
}

// IsMigration reports whether the file lies in a directory of numbered migrations:
// one of the usual names, or one that a glob names.
func IsMigration(file string, globs []string) bool {
	dir := path.Dir(file)
	if dir == "." {
		return false
	}
	segs := strings.Split(dir, "/")
	for i, s := range segs {
		if s == "migrations" || s == "migrate" || s == "versions" && i > 0 && segs[i-1] == "alembic" {
			return true
		}
	}
	for _, glob := range globs {
		if Match(glob, dir) {
			return true
		}
	}
	return false
}

// Match reports whether a glob names the file or one of the folders it lies in. A glob
// without a slash matches at any depth; with one it starts at the top. "**" stands for
// any number of folders, "*", "?" and "[...]" for part of one name.
func Match(glob, file string) bool {
	anchored := strings.Contains(strings.TrimSuffix(glob, "/"), "/")
	glob = strings.Trim(glob, "/")
	if glob == "" {
		return false
	}
	pattern := strings.Split(glob, "/")
	if !anchored {
		pattern = append([]string{"**"}, pattern...)
	}
	segs := strings.Split(file, "/")
	for n := len(segs); n > 0; n-- {
		if matchSegments(pattern, segs[:n]) {
			return true
		}
	}
	return false
}

// matchSegments matches folder by folder, keeping for each part of the pattern which
// prefixes it can end at, so that many "**" cost no more than the product of lengths.
func matchSegments(pattern, segs []string) bool {
	at := make([]bool, len(segs)+1) // at[i]: the pattern so far can match segs[:i]
	at[0] = true
	for _, p := range pattern {
		next := make([]bool, len(segs)+1)
		if p == "**" {
			reached := false
			for i := range at {
				reached = reached || at[i]
				next[i] = reached
			}
		} else {
			for i, s := range segs {
				if at[i] {
					ok, err := path.Match(p, s)
					next[i+1] = ok && err == nil
				}
			}
		}
		at = next
	}
	return at[len(segs)]
}

// Named returns those of the paths that a remote's refusal names.
func Named(text string, paths []string) []string {
	var out []string
	for _, p := range paths {
		if namesPath(text, p) {
			out = append(out, p)
		}
	}
	return out
}

// namesPath reports whether text holds p with nothing around it that could belong to
// a longer path. A full stop after it ends a sentence.
func namesPath(text, p string) bool {
	for from := 0; p != ""; {
		i := strings.Index(text[from:], p)
		if i < 0 {
			return false
		}
		i += from
		end := i + len(p)
		if (i == 0 || !pathByte(text[i-1])) && endsPath(text[end:]) {
			return true
		}
		from = i + 1
	}
	return false
}

func endsPath(rest string) bool {
	if rest == "" || !pathByte(rest[0]) {
		return true
	}
	return rest[0] == '.' && (len(rest) == 1 || !pathByte(rest[1]))
}

func pathByte(c byte) bool {
	return c == '/' || c == '.' || c == '_' || c == '-' || c >= 0x80 ||
		c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

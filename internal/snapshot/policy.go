package snapshot

import (
	"path"
	"strings"
	"time"

	"gitlet/internal/config"
	"gitlet/internal/glob"
	"gitlet/internal/lang"
	"gitlet/internal/migration"
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
// a secrets.d is anybody else's business.
var deniedFolders = []string{".env*", "secrets.*", "*.pem", "*.key", "*.p12", "*.pfx", "id_rsa*", "id_ed25519*", "id_ecdsa*", "*.keystore"}

// sourceFolders is the pattern for folders that are as often a package as a place for
// secrets: below them source goes along, and nothing else.
const sourceFolders = "credentials*"

// Denied reports whether the file at p never leaves the machine, by its name or that
// of a folder it lies in. Case does not matter.
func Denied(p string) bool {
	parts := strings.Split(strings.ToLower(p), "/")
	for i, name := range parts {
		patterns := deniedFolders
		if i == len(parts)-1 {
			patterns = denied
		}
		if ok, _ := path.Match(sourceFolders, name); ok && i < len(parts)-1 && lang.ForPath(p) == nil {
			return true
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
	if lang.ForPath(file) != nil || migration.InDir(file, p.Migrations) || lang.IsLockfile(file) || lang.IsChangelog(file) {
		return true
	}
	for _, pattern := range p.Include {
		if glob.Match(pattern, file) {
			return true
		}
	}
	return false
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

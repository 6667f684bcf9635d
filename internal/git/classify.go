package git

import (
	"strings"

	"gitlet/internal/pattern"
)

// classify reads git's English error output, which LC_ALL=C fixes, and returns the
// kind of failure, or nil when it is none that callers tell apart. This and the
// parsers beside it are the only places that match git's words.
func classify(c class, stderr string) error {
	if path := lockedIndex(stderr); path != "" {
		return &LockedError{Path: path}
	}
	switch {
	case strings.Contains(stderr, "not a git repository"):
		if c != fetching && c != pushing {
			return ErrNotRepository
		}
	case strings.Contains(stderr, "detected dubious ownership"):
		return ErrDubious
	}
	if c != pushing { // there it can be the other side's disk
		if u := unwritableHere(stderr); u != nil {
			return u
		}
	}
	if c == fetching || c == pushing {
		return classifyNetwork(stderr)
	}
	if lazyFetch.MatchString(stderr) {
		return ErrPartial
	}
	if files := overwritten(stderr); len(files) > 0 {
		return &OverwriteError{Files: files}
	}
	return classifyRef(stderr)
}

// remoteDenies are words of git, ssh and the large hosts for "you may not".
var remoteDenies = []string{
	"Authentication failed", "could not read Username", "could not read Password",
	"terminal prompts disabled", "Permission denied", "The requested URL returned error: 401",
	"The requested URL returned error: 403", "access denied", "Access denied", "denied to ",
	"You are not allowed to", "insufficient permission", "do not have permission", "not authorized",
	"marked as read only", "so it is read-only", "service not enabled",
}

// remoteAway are words for a remote that was not reached or went away meanwhile.
var remoteAway = []string{
	"Could not read from remote repository", "unable to access", "Could not resolve host",
	"Connection refused", "Connection timed out", "Connection reset", "Network is unreachable",
	"No route to host", "the remote end hung up", "early EOF", "unexpected disconnect",
	"does not appear to be a git repository", "unable to connect", "unable to look up",
	"RPC failed", "Operation timed out", "bad line length", "Broken pipe", "No such remote",
	"not a git repository", "protocol error", "Empty reply from server",
}

// notAway are words for faults of this clone, or of what was asked, that end the
// connection as well.
var notAway = []string{"fatal: bad object", "unable to write", "the receiving end does not support", "No space left on device"}

// notFound is a host that answers and does not know the repository: moved, deleted, or
// one it does not admit to.
var notFound = pattern.New(`(?m)^fatal: repository '[^']*' not found`)

var noRemoteRef = pattern.New(`(?m)^fatal: couldn't find remote ref `)

func classifyNetwork(stderr string) error {
	if noRemoteRef.MatchString(stderr) {
		return ErrNoRemoteRef
	}
	// A fault of this clone can drag words about the connection along (the other end
	// hangs up when this one dies), so it is looked for first.
	if err := classifyRef(stderr); err != nil {
		return err
	}
	for _, w := range notAway {
		if strings.Contains(stderr, w) {
			return nil
		}
	}
	for _, w := range remoteDenies {
		if strings.Contains(stderr, w) {
			return ErrDenied
		}
	}
	if notFound.MatchString(stderr) {
		return ErrNetwork
	}
	for _, w := range remoteAway {
		if strings.Contains(stderr, w) {
			return ErrNetwork
		}
	}
	return nil
}

var (
	refMoved = pattern.New(`cannot lock ref '[^']*': (is at [0-9a-f]+ but expected|reference already exists|unable to resolve reference|reference is missing but expected|expected symref)` +
		`|incorrect old value provided|multiple updates for ref`)
	refLocked = pattern.New(`cannot lock ref '[^']*': Unable to create '([^']*)': File exists|Unable to create '([^']*packed-refs\.lock)': File exists`)
	refName   = pattern.New(`'[^']*' exists; cannot create '[^']*'|cannot process '[^']*' and '[^']*' at the same time` +
		`|is not a valid ref ?name|is not a valid branch name|there are still refs under|update refused: bad name|invalid ref format|invalid refspec`)
	branchExists = pattern.New(`(?m)^fatal: [Aa] branch named '[^']*' already exists`)
)

func classifyRef(stderr string) error {
	if m := refLocked.FindStringSubmatch(stderr); m != nil {
		return &RefLockedError{Path: m[1] + m[2]}
	}
	switch {
	case refName.MatchString(stderr):
		return ErrRefName
	case refMoved.MatchString(stderr):
		return ErrRefMoved
	case branchExists.MatchString(stderr):
		return ErrExists
	}
	return nil
}

// cannotWrite is how git says that it could not write a file of its own: what it was
// about, and the system's words for why. What the other side of a connection says stands
// behind "remote:".
var cannotWrite = pattern.New(`(?m)^(.*)(: Read-only file system|: No space left on device|: Disk quota exceeded` +
	`|[Uu]nable to create .*: Permission denied|insufficient permission for adding an object .*)$`)

// quotedPath is a file as git names it in such a line.
var quotedPath = pattern.New(`'(/[^']*)'`)

// unwritableHere returns why this repository cannot be written, nil when that was not
// the trouble.
func unwritableHere(stderr string) error {
	for _, m := range cannotWrite.FindAllStringSubmatch(stderr, -1) {
		u := &UnwritableError{Why: "permission denied"}
		switch {
		case strings.HasPrefix(m[1], "remote:"):
			continue
		case strings.Contains(m[2], "Read-only"):
			u.Why = "it is read-only"
		case strings.Contains(m[2], "No space"):
			u.Why = "the disk is full"
		case strings.Contains(m[2], "quota"):
			u.Why = "the quota is used up"
		}
		if path := quotedPath.FindStringSubmatch(m[0]); path != nil {
			u.Path = path[1]
		}
		return u
	}
	return nil
}

// lazyFetch is how git says that it could not fetch a promised object: before 2.45 it
// ends over it, later versions call the object missing where they can.
var lazyFetch = pattern.New(`could not fetch [0-9a-f]+ from promisor remote|lazy fetching disabled|` +
	`(?m)^fatal: transport '[^']*' not allowed`)

var indexLock = pattern.New(`(?m)Unable to create '([^'\n]*index\.lock)': File exists`)

// lockedIndex returns the path of the index lock git could not take, "" when that
// was not the trouble.
func lockedIndex(stderr string) string {
	if m := indexLock.FindStringSubmatch(stderr); m != nil {
		return m[1]
	}
	return ""
}

// overwritten lists the files git names as standing in the way of a switch: a
// sentence, then one indented name a line.
func overwritten(stderr string) []string {
	var files []string
	in := false
	for l := range strings.Lines(stderr) {
		l = strings.TrimSuffix(l, "\n")
		switch {
		case strings.Contains(l, "would be overwritten by") || strings.Contains(l, "would be removed by"):
			in = true
		case in && strings.HasPrefix(l, "\t"):
			files = append(files, l[1:])
		default:
			in = false
		}
	}
	return files
}

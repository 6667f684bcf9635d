package git

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"gitlet/internal/pattern"
)

// RefPush is one ref to push. Lease says what the remote's ref must be at, else it
// is not touched: Expect(oid), MustNotExist, or NoLease for a fast-forward only.
type RefPush struct {
	OID   string // "" deletes
	Ref   string // full name on the remote
	Lease Lease
}

// Lease is what the remote's ref must be at. It always names the value: the short
// form of git would compare with a tracking ref, which any fetch moves.
type Lease struct {
	set bool
	oid string
}

// NoLease pushes only what fast-forwards, or creates.
var NoLease = Lease{}

// MustNotExist lets the push only create the ref.
var MustNotExist = Lease{set: true}

// Expect lets the push only replace exactly oid.
func Expect(oid string) Lease { return Lease{set: true, oid: oid} }

// PushStatus is what became of one ref.
type PushStatus int

// What can become of a ref that was pushed.
const (
	PushUnknown        PushStatus = iota // git said nothing about it
	PushAccepted                         // created, moved or deleted
	PushUpToDate                         // it was at the value already; a lease was not checked
	PushStale                            // the lease was not met
	PushNonFastForward                   // without a lease: the remote has other commits
	// PushRaced: the remote's own check of the old value failed: somebody else was
	// faster between its listing and the update.
	PushRaced
	PushRefused // the remote declined it, by a hook or by policy
	PushFailed  // anything else; Reason says what
)

var pushStatusNames = [...]string{"unknown", "accepted", "up to date", "stale", "non-fast-forward", "raced", "refused", "failed"}

func (s PushStatus) String() string { return pushStatusNames[s] }

// RefResult is the outcome for one ref.
type RefResult struct {
	Ref     string
	Status  PushStatus
	Summary string // git's words: "[new reference]", "[remote rejected]", "a..b"
	Reason  string // what stood in parentheses, "" when nothing did
}

// PushResult is the outcome of a push the remote answered.
type PushResult struct {
	Refs   []RefResult // in the order they were given
	Remote []string    // the remote's own lines
}

// Ref returns the outcome for one ref.
func (p PushResult) Ref(ref string) RefResult {
	for _, r := range p.Refs {
		if r.Ref == ref {
			return r
		}
	}
	return RefResult{Ref: ref}
}

// PushMeta pushes gitlet's own refs: without the user's pre-push hook, tags,
// submodules, signing or push options. Each ref stands alone; good ones land even
// when others do not. The error is nil whenever the remote answered for the refs:
// read each outcome. Otherwise it is ErrNetwork, ErrDenied, or another *Error.
func (m Remote) PushMeta(ctx context.Context, refs ...RefPush) (PushResult, error) {
	return m.push(ctx, call{step: "push", class: pushing,
		config: []string{"push.negotiate=false", "push.gpgSign=false", "push.pushOption="},
		args:   []string{"push", "--porcelain", "--no-verify", "--no-recurse-submodules", "--no-follow-tags"}}, refs)
}

// PushBranch pushes a branch of the user's, with the user's hooks, signing and options.
// Gitlet's own hook has nothing to add to what was checked before.
func (m Remote) PushBranch(ctx context.Context, ref RefPush) (PushResult, error) {
	return m.push(ctx, call{step: "push", class: pushing, userHooks: true, env: []string{"GITLET_INTERNAL=1"},
		args: []string{"push", "--porcelain", "--no-recurse-submodules", "--no-follow-tags"}}, []RefPush{ref})
}

func (m Remote) push(ctx context.Context, c call, refs []RefPush) (PushResult, error) {
	if len(refs) == 0 {
		return PushResult{}, nil
	}
	conf, err := m.repo.KnownConfig(ctx)
	if err != nil {
		return PushResult{}, err
	}
	mirror, err := conf.Bool("remote."+m.Name+".mirror", false)
	if err != nil {
		return PushResult{}, err
	}
	if mirror {
		c.config = append(c.config, "remote."+m.Name+".mirror=false") // else git refuses refspecs
	}
	var specs []string
	for _, r := range refs {
		if strings.ContainsAny(r.Ref, ":\x00\n") || !strings.HasPrefix(r.Ref, "refs/") {
			return PushResult{}, &Error{Step: "push", Exit: -1, Err: fmt.Errorf("%w: %q", ErrRefName, r.Ref)}
		}
		if r.Lease.set {
			c.args = append(c.args, "--force-with-lease="+r.Ref+":"+r.Lease.oid)
		}
		specs = append(specs, r.OID+":"+r.Ref)
	}
	c.args = append(append(c.args, "--", m.Name), specs...)
	c.okExit = []int{1}
	out, err := m.network(ctx, c)
	lines := parsePush(out.Stdout)
	if err != nil && len(lines) == 0 || cut(ctx, err) {
		return PushResult{}, err
	}
	if unwritable(lines, out.Stderr) {
		return PushResult{}, &Error{Step: c.step, Exit: out.Exit, Stderr: out.Stderr, Err: ErrDenied}
	}
	res := PushResult{Remote: remoteLines(out.Stderr)}
	refused := 0
	for _, r := range refs {
		found := RefResult{Ref: r.Ref}
		for _, l := range lines {
			if l.Ref == r.Ref {
				found = l
			}
		}
		if found.Status >= PushStale {
			refused++
		}
		res.Refs = append(res.Refs, found)
	}
	if out.Exit != 0 && refused == 0 {
		if err == nil {
			e := &Error{Step: c.step, Exit: out.Exit, Stderr: out.Stderr, Err: classify(c.class, out.Stderr)}
			if e.Err == nil {
				e.Err = fmt.Errorf("exit status %d without a rejected ref", out.Exit)
			}
			err = e
		}
		return res, err
	}
	return res, nil
}

// unwritable reports that the remote's own files cannot be written by whoever pushes
// there: it takes the refs for refused, and no other refs would fare better.
func unwritable(lines []RefResult, stderr string) bool {
	for _, l := range lines {
		if l.Status != PushRefused || l.Reason != "unpacker error" {
			return false
		}
	}
	return len(lines) > 0 && noWriting.MatchString(stderr)
}

var noWriting = pattern.New(`insufficient permission for adding an object|remote unpack failed: unable to create temporary object directory`)

// cut reports that the call ended because ctx did.
func cut(ctx context.Context, err error) bool { return err != nil && ctx.Err() != nil }

// parsePush reads --porcelain output: "<flag> TAB <from>:<to> TAB <summary>[ (<reason>)]".
// Other lines ("To <url>", "Done") are not about refs.
func parsePush(b []byte) []RefResult {
	var out []RefResult
	for line := range bytes.Lines(b) {
		f := strings.SplitN(strings.TrimSuffix(string(line), "\n"), "\t", 3)
		if len(f) != 3 || len(f[0]) != 1 {
			continue
		}
		i := strings.LastIndexByte(f[1], ':')
		if i < 0 {
			continue
		}
		r := RefResult{Ref: f[1][i+1:], Summary: f[2]}
		if s, reason, ok := strings.Cut(f[2], " ("); ok && strings.HasSuffix(reason, ")") {
			r.Summary, r.Reason = s, strings.TrimSuffix(reason, ")")
		}
		r.Status = pushStatus(f[0][0], r.Summary, r.Reason)
		out = append(out, r)
	}
	return out
}

func pushStatus(flag byte, summary, reason string) PushStatus {
	switch flag {
	case ' ', '+', '-', '*':
		return PushAccepted
	case '=':
		return PushUpToDate
	case '!':
	default:
		return PushUnknown
	}
	switch summary {
	case "[rejected]":
		switch reason {
		case "stale info":
			return PushStale
		case "non-fast-forward", "fetch first", "already exists", "needs force", "remote ref updated since checkout":
			return PushNonFastForward
		}
		return PushFailed
	case "[remote rejected]":
		// Words of git servers for a lost race on the ref's own lock.
		switch reason {
		case "failed to update ref", "reference already exists", "incorrect old value provided",
			"failed to lock", "fetch first":
			return PushRaced
		}
		return PushRefused
	}
	return PushFailed
}

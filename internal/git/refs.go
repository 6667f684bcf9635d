package git

import (
	"bytes"
	"context"
	"fmt"
	"strings"
)

// Refs maps the full names of the refs under the prefixes to their object ids. A
// prefix is a whole ref name or a folder ("refs/gitlet/agents"); without any, all
// refs are listed.
func (r *Repo) Refs(ctx context.Context, prefixes ...string) (map[string]string, error) {
	args := append([]string{"for-each-ref", "--format=%(objectname) %(refname)", "--"}, prefixes...)
	out, err := r.run(ctx, call{step: "list refs", class: localRead, args: args})
	if err != nil {
		return nil, err
	}
	return parseRefs(out.Stdout, ' ')
}

// parseRefs reads lines of an object id, sep and a ref name; a ref name holds no
// line end.
func parseRefs(b []byte, sep byte) (map[string]string, error) {
	refs := map[string]string{}
	for line := range bytes.Lines(b) {
		line = bytes.TrimSuffix(line, []byte("\n"))
		oid, name, ok := bytes.Cut(line, []byte{sep})
		if !ok || !isOID(string(oid)) || len(name) == 0 {
			return nil, fmt.Errorf("read refs: %q is no object id and name", line)
		}
		refs[string(name)] = string(oid)
	}
	return refs, nil
}

// SymbolicRef returns what ref points to, such as refs/remotes/origin/HEAD; "" when
// it is not symbolic or not there.
func (r *Repo) SymbolicRef(ctx context.Context, ref string) (string, error) {
	out, err := r.run(ctx, call{step: "read symbolic ref", class: localRead, okExit: []int{1},
		args: []string{"symbolic-ref", "--quiet", "--", ref}})
	return trimLine(out.Stdout), err
}

// RefChange is one change of a ref. Make it with Create, Update, Set or Delete.
type RefChange struct {
	ref, new, old string
	anyOld        bool
}

// Create makes ref, which must not exist.
func Create(ref, oid string) RefChange { return RefChange{ref: ref, new: oid} }

// Update moves ref from old to oid.
func Update(ref, oid, old string) RefChange { return RefChange{ref: ref, new: oid, old: old} }

// Set points ref at oid whatever it was.
func Set(ref, oid string) RefChange { return RefChange{ref: ref, new: oid, anyOld: true} }

// Delete removes ref, which must be at old; with old "" whatever it is, and it may
// be missing.
func Delete(ref, old string) RefChange { return RefChange{ref: ref, old: old, anyOld: old == ""} }

// Apply makes all changes in one transaction, or none. Errors: ErrRefMoved when an
// expected value was wrong, ErrRefLocked, ErrRefName.
func (r *Repo) Apply(ctx context.Context, changes ...RefChange) error {
	if len(changes) == 0 {
		return nil
	}
	var b bytes.Buffer
	own := true
	for _, c := range changes {
		if strings.ContainsAny(c.ref, "\x00\n") || strings.ContainsRune(c.new+c.old, 0) {
			return &Error{Step: "update refs", Exit: -1, Err: fmt.Errorf("%w: %q", ErrRefName, c.ref)}
		}
		if strings.HasPrefix(c.ref, "refs/heads/") && !strings.HasPrefix(c.ref, "refs/heads/gitlet.state/") {
			own = false
		}
		c.write(&b, r.zero())
	}
	call := call{step: "update refs", class: localWrite, stdin: b.Bytes(), userHooks: !own,
		args: []string{"update-ref", "--stdin", "-z"}}
	if own {
		// Nobody reads the history of these refs; reflogs would grow with each poll.
		call.config = append([]string{"core.logAllRefUpdates=false"}, patient...)
	}
	_, err := r.run(ctx, call)
	for tries := 0; tries < len(changes) && r.breakLock(err); tries++ {
		_, err = r.run(ctx, call)
	}
	return err
}

// patient makes git wait for the lock of a ref or of the packed refs while another git of
// the user's packs them, as every gc does. Git's own patience, a tenth of a second and
// one second, is less than that takes in a large clone or on a busy machine.
var patient = []string{"core.filesRefLockTimeout=5000", "core.packedRefsTimeout=5000"}

func (c RefChange) write(b *bytes.Buffer, zero string) {
	switch {
	case c.new == "" && c.anyOld:
		fmt.Fprintf(b, "delete %s\x00\x00", c.ref)
	case c.new == "":
		fmt.Fprintf(b, "delete %s\x00%s\x00", c.ref, c.old)
	case c.anyOld:
		fmt.Fprintf(b, "update %s\x00%s\x00\x00", c.ref, c.new)
	case c.old == "":
		fmt.Fprintf(b, "update %s\x00%s\x00%s\x00", c.ref, c.new, zero)
	default:
		fmt.Fprintf(b, "update %s\x00%s\x00%s\x00", c.ref, c.new, c.old)
	}
}

// zero is the object id that stands for "nothing".
func (r *Repo) zero() string {
	if r.ObjectFormat == "sha256" {
		return strings.Repeat("0", 64)
	}
	return strings.Repeat("0", 40)
}

// EmptyTree is the id of the tree that holds nothing; git knows it without storing it.
func (r *Repo) EmptyTree() string {
	if r.ObjectFormat == "sha256" {
		return "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321"
	}
	return "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
}

func isOID(s string) bool {
	if len(s) != 40 && len(s) != 64 {
		return false
	}
	for i := range len(s) {
		if c := s[i]; (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}

func isZero(oid string) bool { return strings.Trim(oid, "0") == "" }

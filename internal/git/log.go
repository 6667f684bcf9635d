package git

import (
	"bytes"
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Commit is one commit as the log shows it.
type Commit struct {
	OID         string
	Parents     []string
	Author      string
	AuthorEmail string
	Time        time.Time // of the committer
	Subject     string
	Message     string // the whole of it, subject included
}

// Trailer returns the values of "key: value" lines anywhere in the message: a squash
// keeps them, but not always in one block at the end. Keys match without case.
func (c Commit) Trailer(key string) []string {
	var out []string
	for line := range strings.Lines(c.Message) {
		k, v, ok := strings.Cut(line, ":")
		if ok && strings.EqualFold(strings.TrimSpace(k), key) {
			out = append(out, strings.TrimSpace(v))
		}
	}
	return out
}

// LogOptions bounds a log. Zero fields do not.
type LogOptions struct {
	From  []string // start here; HEAD when empty
	Not   []string // leave out what these reach
	Since time.Time
	Max   int
	Paths []string // only commits that touch these files or folders
	// FirstParent follows only the first parent of merges.
	FirstParent bool
}

// Log lists commits, newest first.
func (r *Repo) Log(ctx context.Context, o LogOptions) ([]Commit, error) {
	args := []string{"log", "-z", "--no-color", "--no-show-signature", "--no-decorate", "--no-notes", "--no-patch",
		"--encoding=UTF-8", "--no-mailmap", "--format=%H%x00%P%x00%an%x00%ae%x00%ct%x00%s%x00%B"}
	if !o.Since.IsZero() {
		args = append(args, "--since="+strconv.FormatInt(o.Since.Unix(), 10))
	}
	if o.Max > 0 {
		args = append(args, "--max-count="+strconv.Itoa(o.Max))
	}
	if o.FirstParent {
		args = append(args, "--first-parent")
	}
	args = append(args, "--stdin", "--")
	args = append(args, o.Paths...)
	in, err := revisions(o.From, o.Not)
	if err != nil {
		return nil, err
	}
	out, err := r.run(ctx, call{step: "log", class: localRead, stdin: in, args: args,
		config: []string{"log.follow=false", "log.showRoot=true"}, env: []string{"GIT_LITERAL_PATHSPECS=1"}})
	if err != nil {
		return nil, err
	}
	return parseLog(out.Stdout)
}

// revisions spells starting points for --stdin, where each stands on its own line.
func revisions(from, not []string) ([]byte, error) {
	var in bytes.Buffer
	if len(from) == 0 {
		from = []string{"HEAD"}
	}
	for i, rev := range append(append([]string(nil), from...), not...) {
		if rev == "" || strings.HasPrefix(rev, "-") || strings.ContainsAny(rev, "\n\x00") {
			return nil, &Error{Step: "log", Exit: -1, Err: fmt.Errorf("%w: %q", ErrNotFound, rev)}
		}
		if i >= len(from) {
			in.WriteByte('^')
		}
		in.WriteString(rev + "\n")
	}
	return in.Bytes(), nil
}

const logFields = 7

func parseLog(b []byte) ([]Commit, error) {
	f := fields(b)
	if len(f)%logFields != 0 {
		return nil, fmt.Errorf("log: %d fields are no whole number of commits", len(f))
	}
	var out []Commit
	for ; len(f) > 0; f = f[logFields:] {
		sec, err := strconv.ParseInt(f[4], 10, 64)
		if err != nil || !isOID(f[0]) {
			return nil, fmt.Errorf("log: %q is no commit", f[:logFields])
		}
		out = append(out, Commit{OID: f[0], Parents: strings.Fields(f[1]), Author: f[2], AuthorEmail: f[3],
			Time: time.Unix(sec, 0), Subject: f[5], Message: f[6]})
	}
	return out, nil
}

// RevList lists the commits that from reaches and not does not, newest first. What
// the refs named in notRefs reach is left out too: each is a full ref name or a
// folder of refs, and may match nothing. At most max are listed; 0 means all.
func (r *Repo) RevList(ctx context.Context, from, not, notRefs []string, max int) ([]string, error) {
	args := []string{"rev-list"}
	if max > 0 {
		args = append(args, "--max-count="+strconv.Itoa(max))
	}
	for _, ref := range notRefs {
		ref = strings.TrimSuffix(ref, "/")
		if ref == "" {
			continue
		}
		// A pattern without a wildcard would mean the folder only; the ref itself is
		// matched by its last letter in brackets.
		last := len(ref) - 1
		args = append(args, "--not", "--glob="+ref[:last]+"["+ref[last:]+"]", "--glob="+ref+"/*", "--not")
	}
	in, err := revisions(from, not)
	if err != nil {
		return nil, err
	}
	out, err := r.run(ctx, call{step: "list commits", class: localRead, stdin: in, args: append(args, "--stdin", "--")})
	if err != nil {
		return nil, err
	}
	return oidLines(out.Stdout)
}

func oidLines(b []byte) ([]string, error) {
	var out []string
	for line := range bytes.Lines(b) {
		oid := trimLine(line)
		if !isOID(oid) {
			return nil, fmt.Errorf("list commits: %q is no object id", oid)
		}
		out = append(out, oid)
	}
	return out, nil
}

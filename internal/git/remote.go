package git

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"strings"
)

// Remote is one remote of a clone, the only road to the network. Name is a
// configured remote's name, or a URL.
type Remote struct {
	Name string
	repo *Repo
}

// Remote returns the remote called name; that it exists is found out by using it.
func (r *Repo) Remote(name string) Remote { return Remote{Name: name, repo: r} }

// Repo returns the clone the remote belongs to.
func (m Remote) Repo() *Repo { return m.repo }

// network runs a call that talks to the remote. ssh must not ask questions, unless
// the user chose how ssh is run: then that stands as it is.
func (m Remote) network(ctx context.Context, c call) (output, error) {
	if m.Name == "" || strings.HasPrefix(m.Name, "-") || strings.ContainsRune(m.Name, 0) {
		return output{}, &Error{Step: c.step, Exit: -1, Err: fmt.Errorf("%q is no remote's name", m.Name)}
	}
	conf, err := m.repo.KnownConfig(ctx)
	if err != nil {
		return output{}, err
	}
	if !m.known(conf) {
		if conf, err = m.repo.Config(ctx); err != nil { // it may have been added since
			return output{}, err
		}
		if !m.known(conf) {
			return output{}, &Error{Step: c.step, Exit: -1, Err: fmt.Errorf("%w: %q", ErrNoRemote, m.Name)}
		}
	}
	_, configured := conf.Get("core.sshCommand")
	if !configured && os.Getenv("GIT_SSH_COMMAND") == "" && os.Getenv("GIT_SSH") == "" {
		c.env = append(c.env, "GIT_SSH_COMMAND=ssh -o BatchMode=yes")
	}
	return m.repo.run(ctx, c)
}

// known reports whether the name is configured, or looks like a URL or a path. A
// mistyped name must not look like a remote that is away.
func (m Remote) known(conf *Config) bool {
	_, ok := conf.Get("remote." + m.Name + ".url")
	return ok || strings.ContainsAny(m.Name, "/:")
}

// URL returns where the remote is fetched from, with the user's URL rewriting.
func (m Remote) URL(ctx context.Context) (string, error) {
	out, err := m.repo.run(ctx, call{step: "read remote URL", class: localRead,
		args: []string{"ls-remote", "--get-url", "--", m.Name}})
	return trimLine(out.Stdout), err
}

// LsRemote lists the remote's refs that match the patterns, as git matches them (by
// their last parts); without patterns all of them. Names and their object ids.
func (m Remote) LsRemote(ctx context.Context, patterns ...string) (map[string]string, error) {
	return m.list(ctx, append([]string{"ls-remote", "--quiet", "--refs", "--", m.Name}, patterns...))
}

// LsRemoteHead is LsRemote for all refs, with the branch that the remote's HEAD names: its
// full ref name, "" when it names none that is there.
func (m Remote) LsRemoteHead(ctx context.Context) (refs map[string]string, head string, err error) {
	out, err := m.network(ctx, call{step: "ls-remote", class: fetching, args: []string{"ls-remote", "--quiet", "--symref", "--", m.Name}})
	if err != nil {
		return nil, "", err
	}
	return parseSymrefs(out.Stdout)
}

// parseSymrefs reads what parseRefs does, with lines of "ref: <target> TAB <name>" before
// symbolic refs. Peeled tags ("<name>^{}") are left out.
func parseSymrefs(b []byte) (refs map[string]string, head string, err error) {
	var plain []byte
	for line := range bytes.Lines(b) {
		if target, ok := bytes.CutPrefix(line, []byte("ref: ")); ok {
			if to, name, _ := strings.Cut(strings.TrimSuffix(string(target), "\n"), "\t"); name == "HEAD" {
				head = to
			}
			continue
		}
		if !bytes.HasSuffix(line, []byte("^{}\n")) {
			plain = append(plain, line...)
		}
	}
	refs, err = parseRefs(plain, '\t')
	delete(refs, "HEAD")
	if refs[head] == "" {
		head = ""
	}
	return refs, head, err
}

// Heads lists the remote's branches: full ref names and their commits.
func (m Remote) Heads(ctx context.Context) (map[string]string, error) {
	return m.list(ctx, []string{"ls-remote", "--quiet", "--heads", "--", m.Name})
}

func (m Remote) list(ctx context.Context, args []string) (map[string]string, error) {
	out, err := m.network(ctx, call{step: "ls-remote", class: fetching, args: args})
	if err != nil {
		return nil, err
	}
	return parseRefs(out.Stdout, '\t')
}

// remoteLines returns what the other side said: the "remote:" lines of stderr.
func remoteLines(stderr string) []string {
	var out []string
	for l := range bytes.FieldsFuncSeq([]byte(stderr), func(r rune) bool { return r == '\n' || r == '\r' }) {
		if text, ok := bytes.CutPrefix(l, []byte("remote:")); ok {
			// Side-band text is padded to wipe a progress line, and may carry the
			// terminal sequence for it.
			s := strings.TrimSpace(strings.ReplaceAll(string(text), "\x1b[K", ""))
			if s != "" {
				out = append(out, s)
			}
		}
	}
	return out
}

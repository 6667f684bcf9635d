package config

import (
	"context"
	"strings"
)

// Clone is what choosing asks of a clone: two local looks at its refs. *git.Repo is one.
type Clone interface {
	// SymbolicRef returns what a ref points to, "" when it is none or not there.
	SymbolicRef(ctx context.Context, ref string) (string, error)
	// Refs returns the refs of the names given, and their commits.
	Refs(ctx context.Context, names ...string) (map[string]string, error)
}

// Chosen is the remote and the main branch of a clone.
type Chosen struct {
	Remote Remote
	Main   Main
	// Nested are other remotes whose names lie in the chosen one's folder of refs.
	Nested []string
	// Commit is main as the clone last saw it, gitlet's own copy first; "" when it has none.
	Commit string
}

// Choose picks the remote and main of a clone whose configured remotes are given. It
// looks at a handful of refs, however many branches there are, and never at the network.
func Choose(ctx context.Context, s Settings, remotes []string, c Clone) (Chosen, error) {
	refs := Refs{Remotes: remotes, RemoteHEAD: map[string]string{}, Tracking: map[string][]string{}}
	ch := Chosen{Remote: ChooseRemote(s, refs)}
	name := ch.Remote.Name
	tracking := "refs/remotes/" + name + "/"
	candidates := []string{"main", "master"}
	if s.Main != "" {
		candidates = append(candidates, strings.TrimPrefix(s.Main, "refs/heads/"))
	}
	if name != "" {
		for _, r := range remotes {
			if strings.HasPrefix(r, name+"/") {
				ch.Nested = append(ch.Nested, r)
			}
		}
		head, err := c.SymbolicRef(ctx, tracking+"HEAD")
		if err != nil {
			return Chosen{}, err
		}
		refs.RemoteHEAD[name] = head
		if branch, ok := strings.CutPrefix(head, tracking); ok {
			candidates = append(candidates, branch)
		}
	}
	copied := "refs/gitlet-main/" + name
	var ask []string
	for _, b := range candidates {
		ask = append(ask, "refs/heads/"+b)
		if name != "" {
			ask = append(ask, tracking+b)
		}
	}
	if name != "" {
		ask = append(ask, copied)
	}
	have, err := c.Refs(ctx, ask...)
	if err != nil {
		return Chosen{}, err
	}
	for _, b := range candidates {
		if have["refs/heads/"+b] != "" {
			refs.Local = append(refs.Local, b)
		}
		if name != "" && have[tracking+b] != "" {
			refs.Tracking[name] = append(refs.Tracking[name], b)
		}
	}
	ch.Main = ChooseMain(s, name, refs)
	last := []string{copied, tracking + ch.Main.Name, "refs/heads/" + ch.Main.Name}
	if s.Main != "" {
		// The copy does not say which branch it is of: it may be older than the setting.
		last[0], last[1] = last[1], last[0]
	}
	for _, ref := range last {
		if ch.Commit == "" && (name != "" || strings.HasPrefix(ref, "refs/heads/")) {
			ch.Commit = have[ref]
		}
	}
	return ch, nil
}

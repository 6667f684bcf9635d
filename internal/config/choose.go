package config

import (
	"fmt"
	"slices"
	"strings"
)

// Refs is what a clone knows about remotes and branches, read without the network.
// Branches are short names ("main", "feature/x").
type Refs struct {
	Remotes []string
	// RemoteHEAD maps a remote to what its refs/remotes/<remote>/HEAD points at, as
	// git gives it ("refs/remotes/origin/trunk"). It may point at nothing.
	RemoteHEAD map[string]string
	// Tracking maps a remote to the branches this clone has of it.
	Tracking map[string][]string
	// Local lists the local branches.
	Local []string
}

// Remote is the chosen remote.
type Remote struct {
	// Name is the remote, "" in local mode.
	Name string
	// Why says in a few words how it was chosen.
	Why string
	// Problem says what the user should set, "" when nothing is doubtful.
	Problem string
}

// ChooseRemote picks the remote agents share through: the one that is set, else
// origin, else the only one. With none, or several without origin, it picks local
// mode. A remote that is set but missing gives local mode too and a problem: falling
// back to another one could publish work where it does not belong.
func ChooseRemote(s Settings, r Refs) Remote {
	switch {
	case s.Remote == None:
		return Remote{Why: "gitlet.remote is none"}
	case s.Remote != "" && slices.Contains(r.Remotes, s.Remote):
		return Remote{Name: s.Remote, Why: "gitlet.remote"}
	case s.Remote != "":
		return Remote{
			Why: fmt.Sprintf("gitlet.remote is %q, which is no remote of this clone", s.Remote),
			Problem: fmt.Sprintf("gitlet.remote is %q, which is no remote of this clone (%s); nothing is shared until it is set right",
				s.Remote, listed(r.Remotes)),
		}
	case slices.Contains(r.Remotes, "origin"):
		return Remote{Name: "origin", Why: "it is called origin"}
	case len(r.Remotes) == 1:
		return Remote{Name: r.Remotes[0], Why: "it is the only remote"}
	case len(r.Remotes) == 0:
		return Remote{Why: "this clone has no remote"}
	}
	return Remote{
		Why: "this clone has several remotes and none is called origin",
		Problem: fmt.Sprintf("this clone has several remotes (%s) and none is called origin; choose one with: git config gitlet.remote <name>",
			listed(r.Remotes)),
	}
}

// Main is the chosen main branch.
type Main struct {
	// Name is the branch's short name, never "".
	Name string
	// Found is set when the clone has that branch, from the remote or locally.
	Found bool
	Why   string
	// Problem says what the user should set, "" when nothing is doubtful.
	Problem string
}

// ChooseMain picks main for a remote ("" in local mode): the branch that is set, else
// the one the remote's HEAD names, else main, else master, the remote's before a
// local one. When none exists it is "main", not found.
func ChooseMain(s Settings, remote string, r Refs) Main {
	tracking := r.Tracking[remote]
	if remote == "" {
		tracking = nil
	}
	exists := func(name string) bool {
		return slices.Contains(tracking, name) || slices.Contains(r.Local, name)
	}
	if s.Main != "" {
		m := Main{Name: strings.TrimPrefix(s.Main, "refs/heads/"), Why: "gitlet.main"}
		if m.Found = exists(m.Name); !m.Found {
			m.Problem = fmt.Sprintf("gitlet.main is %q, and this clone has no such branch", m.Name)
		}
		return m
	}
	if remote != "" {
		head, ok := strings.CutPrefix(r.RemoteHEAD[remote], "refs/remotes/"+remote+"/")
		// A HEAD that points at a branch the remote no longer has says nothing.
		if ok && slices.Contains(tracking, head) {
			return Main{Name: head, Found: true, Why: fmt.Sprintf("it is the HEAD branch of %q", remote)}
		}
	}
	for _, where := range []struct {
		branches []string
		why      string
	}{{tracking, "the remote has it"}, {r.Local, "there is a local branch of that name"}} {
		for _, name := range []string{"main", "master"} {
			if slices.Contains(where.branches, name) {
				return Main{Name: name, Found: true, Why: where.why}
			}
		}
	}
	return Main{
		Name:    "main",
		Why:     "nothing else is known",
		Problem: "this clone has no branch main or master; say which branch work lands on with: git config gitlet.main <branch>",
	}
}

func listed(names []string) string {
	if len(names) == 0 {
		return "it has none"
	}
	sorted := slices.Clone(names)
	slices.Sort(sorted)
	return strings.Join(sorted, ", ")
}

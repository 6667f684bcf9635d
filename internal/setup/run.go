package setup

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"gitlet/internal/git"
	"gitlet/internal/model"
	"gitlet/internal/verb"
)

// Options say what to set up.
type Options struct {
	Dir     string
	Clients []string // as people wrote them; none for those that are found here
	// GitHooks asks for git's hooks; GitConfig is default, full or none, "" for default.
	GitHooks  bool
	GitConfig string
	// MergeDrivers asks for gitlet's merge drivers.
	MergeDrivers bool
	DryRun       bool
	Remove       bool
	// Learn records how main's merges solved their conflicts, in a bounded time; it says
	// what was learned, "" for nothing new.
	Learn func(ctx context.Context, dir string) (string, error)
	// Built says which verbs there are; OnPath whether there is a program.
	Built  func(verb string) bool
	OnPath func(program string) bool
}

// Data is the data of init.
type Data struct {
	Root    string   `json:"root"`
	Clients []string `json:"clients"`
	DryRun  bool     `json:"dryRun"`
	*Plan
}

// Run plans and, unless that is all that was asked for, does it.
func Run(ctx context.Context, o Options) *verb.Result {
	chosen, bad := choose(o.Clients)
	if bad != nil {
		return bad
	}
	wt, r := open(ctx, o.Dir)
	if r != nil {
		return r
	}
	cfg, err := wt.Config(ctx)
	if err != nil {
		return verb.FromError(err)
	}
	found := ""
	if len(chosen) == 0 && o.Remove {
		chosen = Clients()
	} else if len(chosen) == 0 {
		chosen, found = detect(wt.Root, o.OnPath)
	}
	p := &Plan{Changes: []Change{}, Settings: []Setting{}, Kept: []Kept{}, Problems: []Problem{}, Advice: []Problem{}}
	var unread []Problem
	d := diskOf(ctx, wt)
	for _, c := range chosen {
		p.clientFiles(d, c, o.Built, o.Remove)
		if c.Name == claudeCode.Name && !o.Remove {
			unread = notPlain(d)
		}
	}
	all := o.Remove && len(o.Clients) == 0
	if o.GitHooks || all {
		dir, err := wt.HooksDir(ctx)
		if err != nil {
			return verb.FromError(err)
		}
		if h := FindHooks(d, wt.Root, wt.CommonDir, dir); o.Remove {
			p.removeGitHooks(h)
		} else {
			p.gitHooks(h)
		}
	}
	switch {
	case all:
		p.removeMergeDrivers(d, wt, cfg)
		p.removeGitConfig(cfg, wt.Version)
	case !o.Remove:
		p.gitConfig(cfg, wt.Version, o.GitConfig)
		if o.MergeDrivers {
			p.mergeDrivers(ctx, d, wt, cfg)
		}
	}
	out := &verb.Result{Outcome: verb.OK, Data: Data{Root: wt.Root, Clients: names(chosen), DryRun: o.DryRun, Plan: p}}
	for _, x := range unread {
		out.Warnings = append(out.Warnings, fmt.Sprintf("%s: %s: %s", x.Path, x.What, x.ToDo))
	}
	if !o.DryRun {
		p.write(wt.Root)
		if err := p.set(ctx, wt); err != nil {
			return verb.FromError(err)
		}
	}
	if o.Learn != nil && !o.DryRun && !o.Remove && o.GitConfig != "none" {
		learned, err := o.Learn(ctx, o.Dir)
		if err != nil {
			out.Warnings = append(out.Warnings, fmt.Sprintf("nothing could be learned from main's merges: %v", err))
		}
		p.Learned = learned
	}
	p.tell(out, o, wt.Root, found, names(chosen))
	return out
}

func choose(given []string) ([]Client, *verb.Result) {
	var out []Client
	for _, g := range given {
		c, ok := FindClient(g)
		if !ok {
			var all []string
			for _, c := range Clients() {
				all = append(all, c.Name)
			}
			r := verb.Refuse(fmt.Sprintf("init was not run: there is no client %q: it is one of %s", g, strings.Join(all, ", ")),
				model.Option{Argv: []string{"gitlet", "init"}, Why: "set up the clients that are found here"})
			if near := verb.Suggest(g, all); near != "" {
				r.Options = append([]model.Option{{Argv: []string{"gitlet", "init", near}, Why: "the call with that client"}}, r.Options...)
			}
			r.BadUsage = true
			return nil, r
		}
		out = append(out, c)
	}
	return out, nil
}

// open opens the worktree; what people can mend comes as a result.
func open(ctx context.Context, dir string) (*git.Worktree, *verb.Result) {
	wt, err := git.Open(ctx, dir)
	var bare *git.BareError
	switch {
	case errors.As(err, &bare):
		return nil, verb.Refuse(bare.Error(), model.Option{Argv: []string{"git", "-C", bare.GitDir, "worktree", "list"}, Why: "run gitlet init in one of its worktrees"})
	case errors.Is(err, git.ErrNotRepository):
		return nil, verb.Refuse(fmt.Sprintf("%q is not in a git repository", dir), model.Option{Argv: []string{"cd", "..."}, Why: "go to the repository you work in, then call it again"})
	case errors.Is(err, fs.ErrNotExist):
		return nil, verb.Refuse(fmt.Sprintf("there is no directory %q", dir), model.Option{Argv: []string{"gitlet", "init", "--help"}, Why: "what it takes"})
	case err != nil:
		return nil, verb.FromError(err)
	}
	return wt.Foreground(), nil
}

func diskOf(ctx context.Context, wt *git.Worktree) disk {
	return disk{root: wt.Root, tracked: func(path string) bool {
		list, err := wt.Tree(ctx, "HEAD", path)
		return err == nil && len(list) > 0
	}}
}

func detect(root string, onPath func(string) bool) (found []Client, how string) {
	signs := Detected(root, onPath)
	var by []string
	for _, c := range Clients() {
		if sign := signs[c.Name]; sign != "" {
			found = append(found, c)
			by = append(by, c.Title+" ("+sign+")")
		}
	}
	return found, strings.Join(by, ", ")
}

func world(root string, onPath func(string) bool) World {
	home, err := os.UserHomeDir()
	if err != nil {
		home = ""
	}
	return World{Root: root, Home: home, OnPath: onPath, Exists: func(p string) bool {
		_, err := os.Stat(p)
		return err == nil
	}}
}

func names(list []Client) []string {
	out := []string{}
	for _, c := range list {
		out = append(out, c.Name)
	}
	return out
}

// write puts the files on the disk. One that cannot be written is named, and the others
// are written all the same.
func (p *Plan) write(root string) {
	done := []Change{}
	for _, c := range p.Changes {
		if err := write(c); err != nil {
			p.Problems = append(p.Problems, Problem{Path: c.Path, What: err.Error(), ToDo: "look at its folder and its rights"})
			continue
		}
		done = append(done, c)
		if c.after.missing {
			dropEmptyFolders(root, c.file)
		}
	}
	p.Changes = done
}

// set makes the git settings, and notes which they are.
func (p *Plan) set(ctx context.Context, wt *git.Worktree) error {
	for _, s := range p.Settings {
		var err error
		if s.To == "" {
			err = wt.UnsetConfig(ctx, s.Key)
		} else {
			err = wt.SetConfig(ctx, s.Key, s.To)
		}
		if err != nil {
			return err
		}
	}
	switch {
	case p.record == nil:
		return nil
	case *p.record == "":
		return wt.UnsetConfig(ctx, initKey)
	}
	return wt.SetConfig(ctx, initKey, *p.record)
}

// Pending is what init would still have to do for a client, for doctor.
func Pending(ctx context.Context, wt *git.Worktree, c Client, built func(string) bool) *Plan {
	p := &Plan{}
	p.clientFiles(diskOf(ctx, wt), c, built, false)
	return p
}

// Detected are the clients found for a worktree, with the sign each was known by.
func Detected(root string, onPath func(string) bool) map[string]string {
	out := map[string]string{}
	w := world(root, onPath)
	for _, c := range Clients() {
		if sign := c.Detect(w); sign != "" {
			out[c.Name] = sign
		}
	}
	return out
}

// HooksOf looks at the hooks of a worktree.
func HooksOf(ctx context.Context, wt *git.Worktree) (Hooks, error) {
	dir, err := wt.HooksDir(ctx)
	if err != nil {
		return Hooks{}, err
	}
	return FindHooks(diskOf(ctx, wt), wt.Root, wt.CommonDir, dir), nil
}

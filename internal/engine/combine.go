package engine

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"gitlet/internal/bus"
	"gitlet/internal/combine"
	"gitlet/internal/git"
	"gitlet/internal/id"
	"gitlet/internal/model"
	"gitlet/internal/proc"
)

// CombinedPrefix is what the names of throwaway branches begin with.
const CombinedPrefix = "gitlet/combined-"

// NoBranchError: nothing is called that.
type NoBranchError struct{ Name string }

func (e *NoBranchError) Error() string { return fmt.Sprintf("no branch or task is called %q", e.Name) }

// task is one open item with its agent.
type task struct {
	agent string
	model.Item
}

// tasks are everybody's open items, the longest open first.
func (c *Call) tasks(ctx context.Context) ([]task, error) {
	v, err := c.View(ctx)
	if err != nil {
		return nil, err
	}
	var all []task
	for _, it := range v.Items {
		all = append(all, task{v.Agent, it})
	}
	for _, p := range v.Peers {
		if !p.Mine {
			all = append(all, task{p.Agent.ID, p.Item})
		}
	}
	slices.SortStableFunc(all, func(a, b task) int {
		if d := a.OpenedAt.Compare(b.OpenedAt); d != 0 {
			return d
		}
		return strings.Compare(a.ID, b.ID)
	})
	return all, nil
}

// Ready are the tasks that were handed in and have not landed, each at the commit its branch
// is at; missing are those whose branch could not be had, in words. Who may write a task's
// document may not push its branch, so it is the branch that counts: another agent's on the
// remote, my own in this clone.
func (c *Call) Ready(ctx context.Context) (ready []combine.Branch, missing []string, err error) {
	all, err := c.tasks(ctx)
	if err != nil {
		return nil, nil, err
	}
	all = slices.DeleteFunc(all, func(t task) bool { return t.Status != model.ItemSubmitted })
	tips, err := c.tips(ctx, all)
	if err != nil {
		return nil, nil, err
	}
	for i, t := range all {
		switch tip := tips[i]; {
		case tip == "":
			missing = append(missing, fmt.Sprintf("%q of %s: the branch is not on the remote, or cannot be fetched", t.Branch, t.agent))
		default:
			if tip != t.Head {
				c.warnings.add("%q of %s is at %s now, and was handed in at %q: it is taken as it is", t.Branch, t.agent, git.Short(tip), git.Short(t.Head))
			}
			ready = append(ready, t.branch(tip))
		}
	}
	return ready, missing, nil
}

func (t task) branch(commit string) combine.Branch {
	return combine.Branch{Name: t.Branch, Commit: commit, Agent: t.agent, Item: t.ID, Intent: t.Intent}
}

// tips are the commits that the tasks' branches are at, brought here in one fetch; "" where
// there is none to be had.
func (c *Call) tips(ctx context.Context, tasks []task) ([]string, error) {
	tips := make([]string, len(tasks))
	var local, remote []int
	var names, refs []string
	for i, t := range tasks {
		ok, err := c.wt.ValidBranch(ctx, t.Branch)
		switch {
		case err != nil:
			return nil, err
		case !ok:
		case t.agent == c.who.Agent || c.remote.Name == "":
			local, names = append(local, i), append(names, "refs/heads/"+t.Branch+"^{commit}")
		default:
			remote, refs = append(remote, i), append(refs, "refs/heads/"+t.Branch)
		}
	}
	if len(names) > 0 {
		oids, err := c.wt.Resolve(ctx, names...)
		if err != nil {
			return nil, err
		}
		for n, i := range local {
			tips[i] = oids[n]
		}
	}
	if len(refs) == 0 {
		return tips, nil
	}
	heads, err := c.remoteHeads(ctx, refs)
	if err != nil {
		return nil, err
	}
	for n, i := range remote {
		tips[i] = heads[refs[n]]
	}
	return tips, nil
}

// remoteHeads is where branches of the remote are, brought here. While the remote is away
// they are as they were last fetched.
func (c *Call) remoteHeads(ctx context.Context, refs []string) (map[string]string, error) {
	r := c.wt.Foreground().Remote(c.remote.Name)
	heads, err := r.LsRemote(ctx, refs...)
	if errors.Is(err, git.ErrNetwork) {
		names := make([]string, len(refs))
		for i, ref := range refs {
			names[i] = "refs/remotes/" + c.remote.Name + "/" + strings.TrimPrefix(ref, "refs/heads/") + "^{commit}"
		}
		oids, rerr := c.wt.Resolve(ctx, names...)
		if rerr != nil {
			return nil, rerr
		}
		heads = map[string]string{}
		for i, ref := range refs {
			heads[ref] = oids[i]
		}
		c.warnings.add("the remote is away: branches are taken as last fetched")
		return heads, nil
	}
	if err != nil {
		return nil, err
	}
	want, err := c.notHere(ctx, heads)
	if err != nil || len(want) == 0 {
		return heads, err
	}
	if err := r.Fetch(ctx, git.FetchOptions{}, want...); err != nil {
		return nil, err
	}
	moved, err := c.notHere(ctx, heads)
	if err != nil {
		return nil, err
	}
	for _, ref := range moved {
		delete(heads, ref) // it moved between the two
	}
	return heads, nil
}

// notHere are the refs whose commits are not in this clone, in order.
func (c *Call) notHere(ctx context.Context, heads map[string]string) ([]string, error) {
	if len(heads) == 0 {
		return nil, nil
	}
	refs := slices.Sorted(maps.Keys(heads))
	oids := make([]string, len(refs))
	for i, ref := range refs {
		oids[i] = heads[ref]
	}
	got, err := c.wt.Objects(ctx, oids...)
	if err != nil {
		return nil, err
	}
	var out []string
	for i, ref := range refs {
		if got[i].OID != oids[i] || got[i].Type != "commit" {
			out = append(out, ref)
		}
	}
	return out, nil
}

// remoteBranch is where a branch is on the remote, brought here; "" when it is not there.
func (c *Call) remoteBranch(ctx context.Context, branch string) (string, error) {
	if ok, err := c.wt.ValidBranch(ctx, branch); err != nil || !ok || c.remote.Name == "" {
		return "", err
	}
	ref := "refs/heads/" + branch
	heads, err := c.remoteHeads(ctx, []string{ref})
	return heads[ref], err
}

// BranchOf finds what a name means: a branch of this clone, an open task by its id or the
// beginning of it, or a branch of the remote, with or without the remote's name before it.
// Errors: *NoBranchError, and those of the remote.
func (c *Call) BranchOf(ctx context.Context, name string) (combine.Branch, error) {
	all, err := c.tasks(ctx)
	if err != nil {
		return combine.Branch{}, err
	}
	named := func(branch, commit string) combine.Branch {
		for _, t := range all {
			if t.Branch == branch && (t.agent == c.who.Agent || t.Head == commit) {
				return t.branch(commit)
			}
		}
		return combine.Branch{Name: branch, Commit: commit}
	}
	if !strings.ContainsAny(name, "~^:") && !strings.Contains(name, "@{") { // such a name is a commit, not a branch
		oids, err := c.wt.Resolve(ctx, "refs/heads/"+name+"^{commit}")
		if err != nil {
			return combine.Branch{}, err
		}
		if oids[0] != "" {
			return named(name, oids[0]), nil
		}
	}
	if len(name) >= 4 {
		var found []task
		for _, t := range all {
			if strings.HasPrefix(t.ID, name) {
				found = append(found, t)
			}
		}
		if len(found) == 1 {
			tips, err := c.tips(ctx, found)
			if err != nil {
				return combine.Branch{}, err
			}
			if tips[0] != "" {
				return found[0].branch(tips[0]), nil
			}
		}
	}
	bare := strings.TrimPrefix(name, c.remote.Name+"/")
	oid, err := c.remoteBranch(ctx, bare)
	if err != nil {
		return combine.Branch{}, err
	}
	if oid == "" {
		return combine.Branch{}, &NoBranchError{Name: name}
	}
	return named(bare, oid), nil
}

// ContractOrder puts branches whose tasks need a signature behind the one whose task owns
// it.
func (c *Call) ContractOrder(ctx context.Context, branches []combine.Branch) ([]combine.Branch, error) {
	v, err := c.View(ctx)
	if err != nil {
		return nil, err
	}
	at := map[string]int{}
	for i, b := range branches {
		if b.Item != "" {
			at[b.Item] = i
		}
	}
	after := map[int][]int{}
	for _, n := range v.Needs {
		i, asked := at[n.Item]
		cl := v.Contracted(n.Key)
		if !asked || cl == nil {
			continue
		}
		if owner, in := at[cl.Item]; in && owner != i {
			after[i] = append(after[i], owner)
		}
	}
	out := make([]combine.Branch, 0, len(branches))
	for _, i := range combine.Order(len(branches), after) {
		out = append(out, branches[i])
	}
	return out, nil
}

// Combine merges the branches onto main's commit where nobody sees it, runs the configured
// check, and gives what came of it a branch, "" where nothing did. See combine.Run.
func (c *Call) Combine(ctx context.Context, main string, branches []combine.Branch, tell func(done, of int)) (*combine.Combined, string, error) {
	o := combine.Options{Base: main, Branches: branches, Ask: c.asking(), Now: c.Now, Cache: c.cache, Tell: tell}
	if command := c.settings.Gate; command != "" {
		co, err := c.wt.NewCheckout(main)
		if err != nil {
			return nil, "", err
		}
		defer func() {
			if err := co.Close(); err != nil {
				c.Warn("the scratch checkout could not be removed: %v", err)
			}
		}()
		o.Check = func(ctx context.Context, commit string) (combine.Verdict, error) {
			// Other calls and the session's own work go on while a program of the
			// user's runs, for as long as it likes.
			c.mu.Unlock()
			defer c.mu.Lock()
			return c.gate(ctx, co, command, commit)
		}
	}
	done, err := combine.Run(ctx, c.wt.Foreground(), o)
	if err != nil || done.Head == main {
		return done, "", err
	}
	branch := CombinedPrefix + id.NewItem()[:8]
	if err := c.wt.Foreground().Apply(ctx, git.Create("refs/heads/"+branch, done.Head)); err != nil {
		return nil, "", err
	}
	return done, branch, nil
}

// gateOutput is how much of what the gate prints is kept.
const gateOutput = 2000

// gate runs the project's command on a commit, in a checkout of it alone.
func (c *Call) gate(ctx context.Context, co *git.Checkout, command, commit string) (combine.Verdict, error) {
	if err := co.Go(ctx, commit); err != nil {
		return combine.Verdict{}, err
	}
	// What goes to standard error is kept with its beginning and end, however long.
	res, err := proc.Run(ctx, proc.Cmd{Path: "sh", Args: []string{"-c", "exec 1>&2\n" + command}, Dir: co.Root(),
		Env: git.CleanEnviron(os.Environ()), Timeout: c.settings.GateTimeout})
	v := combine.Verdict{OK: err == nil}
	text := strings.TrimSpace(string(res.Stderr))
	v.Output = strings.ToValidUTF8(text[max(0, len(text)-gateOutput):], "")
	var exit *proc.ExitError
	var late *proc.TimeoutError
	switch {
	case err == nil, errors.As(err, &exit):
	case errors.As(err, &late):
		v.Output = strings.TrimSpace(v.Output + "\n" + late.Error())
	default:
		return v, fmt.Errorf("run the gate: %w", err)
	}
	return v, nil
}

// MainCheckedOutError: main is checked out, so that moving it would leave that worktree
// behind.
type MainCheckedOutError struct{ Path string }

func (e *MainCheckedOutError) Error() string {
	return fmt.Sprintf("main is checked out in %q", e.Path)
}

// MoveMain moves main from exactly one commit to another that builds on it: on the remote,
// or without one in this clone. Errors: *PushError, *MainCheckedOutError, git.ErrRefMoved.
func (c *Call) MoveMain(ctx context.Context, from, to string) error {
	if c.remote.Name == "" {
		list, err := c.wt.Worktrees(ctx)
		if err != nil {
			return err
		}
		for _, w := range list {
			if w.Branch == c.main.Name {
				return &MainCheckedOutError{Path: w.Path}
			}
		}
		err = c.wt.Foreground().Apply(ctx, git.Update("refs/heads/"+c.main.Name, to, from))
		if err == nil {
			c.Changed(ctx)
		}
		return err
	}
	res, err := c.wt.Foreground().Remote(c.remote.Name).PushBranch(ctx, git.RefPush{OID: to, Ref: "refs/heads/" + c.main.Name, Lease: git.Expect(from)})
	if err != nil {
		return c.pushFailed(err)
	}
	if err := rejected(res, c.main.Name); err != nil {
		return err
	}
	if err := c.BringMain(ctx); err != nil && !errors.Is(err, bus.ErrOffline) {
		c.warnings.add("main has moved, and could not be fetched again: %v", err)
	}
	return nil
}

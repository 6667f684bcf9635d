package engine

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"gitlet/internal/bug"
	"gitlet/internal/bus"
	"gitlet/internal/bus/gitbus"
	"gitlet/internal/config"
	"gitlet/internal/git"
	"gitlet/internal/ledger"
	"gitlet/internal/model"
	"gitlet/internal/snapshot"
	"gitlet/internal/symbols"
	"gitlet/internal/verb"
)

// Options say how to open a worktree.
type Options struct {
	Dir string
	// Exact wants Dir to be the top of its worktree, as a tool's argument must be.
	Exact  bool
	Client string // "cli", or the MCP client's name
	Agent  string // overrides the worktree's own agent id (GITLET_AGENT)
	Hook   bool   // git waits for it: other writers of the ledger are not waited for long
	// Table is the verb table; options that name a verb it does not have built are
	// left out of notes and refusals.
	Table []verb.Spec
}

// budgets bound what a verb or a tick waits for.
type budgets struct {
	refresh time.Duration // a verb's wait for the remote
	fetch   time.Duration // a peer's snapshot
	publish time.Duration // sharing own changes
	hook    time.Duration // what git waits for a hook
}

var (
	verbBudget = budgets{refresh: 2 * time.Second, fetch: 2 * time.Second, publish: 5 * time.Second, hook: time.Second}
	tickBudget = budgets{refresh: 15 * time.Second, fetch: 15 * time.Second, publish: 60 * time.Second}
)

// Patience makes verbs wait that many times as long for the remote. It is for tests of
// what verbs say, which must not hang on how busy the machine is; call it before Open.
func Patience(times int) {
	n := time.Duration(times)
	verbBudget = budgets{refresh: n * verbBudget.refresh, fetch: n * verbBudget.fetch, publish: n * verbBudget.publish,
		hook: n * verbBudget.hook}
}

// Engine serves one worktree. Its methods may be called from several goroutines;
// verbs and ticks run one at a time.
type Engine struct {
	mu mutex

	wt       *git.Worktree // background handle
	prefix   string        // the directory it was opened in, from the root
	settings config.Settings
	remote   config.Remote
	main     config.Main
	who      identity
	agent    model.Agent
	ledger   *ledger.Ledger
	bus      bus.Bus
	heads    func(context.Context, gitbus.Heads) (gitbus.HeadsFetched, error)
	library  resolutionLibrary // of shared resolutions
	// fetchedRefs are the local refs that hold what the remote is known to have.
	fetchedRefs []string
	// nestedRemotes are other remotes whose names lie in this one's folder of refs.
	nestedRemotes []string
	cache         *symbols.Cache
	built         map[string]bool
	problems      []string // standing warnings: settings, remote, main

	warnings     warnings
	budget       budgets
	head         git.Head
	own          *model.State // as this call last read or wrote it; nil when it did not
	docs         *bus.Docs
	observed     map[string]ledger.Observation
	epochs       map[string]int // the highest epoch seen of each key, see noteEpochs
	lastFetch    time.Time
	offlineSince time.Time
	local        bool // nothing is asked of the remote, see Local
	blind        bool // there is no work to look at: only what documents say counts
	second       bool // another session serves this worktree: only look
	looking      bool // with second: there is no other session, see Look
	ticking      bool // this is the background: there is time to read more
	slow         bool // the remote did not answer this call's refresh in time
	lastDenied   denial
	writeAnew    bool     // own documents are to be written again, unchanged or not
	place        string   // what a denial holds for
	email        string   // what commits carry and where it is set, in words
	others       []string // remotes that were not chosen, the one git pushes to first
	lastCall     time.Time
	lastChange   time.Time
	lastSnapshot snapshot.Prev
	take         func(context.Context, *git.Worktree, snapshot.Policy) (*snapshot.Result, error)
	pace         pace
	watching     bool          // this process is the worktree's session
	sharing      time.Duration // what sharing took, so far in this tick
	leftOut      []LeftOut
	fetched      map[string]string // peer snapshots asked for, by "<agent>/<item>"
	bases        map[[2]string]string
}

// Open opens a worktree and all doors. Errors that a person can mend come as a
// *verb.Refusal.
func Open(ctx context.Context, o Options) (*Engine, error) {
	wt, err := openWorktree(ctx, o)
	if err != nil {
		return nil, err
	}
	cfg, err := wt.Config(ctx)
	if err != nil {
		return nil, err
	}
	e := &Engine{
		mu: newMutex(), wt: wt, budget: verbBudget, take: snapshot.Take, built: map[string]bool{}, cache: symbols.NewCache(symbols.DefaultLimits, 0),
		fetched: map[string]string{}, bases: map[[2]string]string{}, docs: &bus.Docs{}, warnings: warnings{gitDirs: []string{wt.CommonDir, wt.GitDir}},
	}
	for _, s := range o.Table {
		e.built[s.Name] = s.Built
	}
	e.prefix = prefixOf(wt.Root, o.Dir)
	settings, bad := config.From(cfg)
	e.settings = settings
	for _, p := range bad {
		e.problems = append(e.problems, p.String())
	}
	if err := e.choose(ctx, cfg); err != nil {
		return nil, err
	}
	e.knowWriter(cfg)
	dir := filepath.Join(wt.CommonDir, "gitlet")
	var lo ledger.Options
	if o.Hook {
		lo.Busy = ledger.HookBusy
	}
	if e.ledger, err = ledger.Open(ctx, dir, lo); err != nil {
		return nil, fmt.Errorf("open the ledger: %w", err)
	}
	if err := e.identify(ctx, o); err != nil {
		return nil, errors.Join(err, e.ledger.Close())
	}
	e.agent = agentOf(e.who, cfg)
	shared, err := gitbus.New(wt.Repo, gitbus.Options{Remote: e.remote.Name, Main: e.main.Name, Agent: e.who.Agent, Locks: dir, Namespace: e.settings.Refs.Namespace(), Reuse: e.reuse(), MayPush: e.mayPush, MayWrite: e.mayWrite})
	if err != nil {
		return nil, errors.Join(err, e.ledger.Close())
	}
	e.bus, e.heads, e.fetchedRefs = ownBus{shared, e}, shared.FetchHeads, shared.Fetched()
	e.library = shared
	e.installBugSink()
	e.remember(ctx)
	return e, nil
}

func prefixOf(root, dir string) string {
	if abs, err := filepath.Abs(dir); err == nil {
		if real, err := filepath.EvalSymlinks(abs); err == nil {
			if rel, err := filepath.Rel(root, real); err == nil && rel != "." && !strings.HasPrefix(rel, "..") {
				return rel
			}
		}
	}
	return ""
}

// choose picks the remote and main, in at most two git processes.
func (e *Engine) choose(ctx context.Context, cfg *git.Config) error {
	chosen, err := config.Choose(ctx, e.settings, cfg.RemoteNames(), e.wt)
	if err != nil {
		return err
	}
	e.remote, e.main, e.nestedRemotes = chosen.Remote, chosen.Main, chosen.Nested
	if e.remote.Problem != "" {
		e.problems = append(e.problems, e.remote.Problem)
	}
	return nil
}

// identify finds out who this worktree is: from its file, else from the ledger, else
// from the clone's refs, else anew; and leaves all of them saying the same.
func (e *Engine) identify(ctx context.Context, o Options) error {
	had, _, err := e.ledger.AgentFor(ctx, e.wt.GitDir)
	if err != nil {
		had = ledger.Identity{} // a ledger that cannot be read says nothing
	}
	known := func() string {
		if had.Agent != "" {
			return had.Agent
		}
		agent, err := recoverAgent(ctx, e.wt)
		if err != nil {
			e.problems = append(e.problems, fmt.Sprintf("who this worktree was could not be looked up: %v", err))
		}
		return agent
	}
	if e.who, err = loadIdentity(e.wt.GitDir, o.Client, o.Agent, known); err != nil {
		return err
	}
	if o.Agent == "" && had.Agent != e.who.Agent {
		err = e.ledger.ReplaceAgent(ctx, ledger.Identity{GitDir: e.wt.GitDir, Agent: e.who.Agent, Client: e.who.Client, Host: hostName()})
	}
	if err = errors.Join(err, e.bringHome(ctx)); err != nil && !errors.Is(err, ledger.ErrNewer) {
		e.problems = append(e.problems, fmt.Sprintf("who this worktree is could not be noted: %v", err))
	}
	return nil
}

func agentOf(who identity, cfg *git.Config) model.Agent {
	user, _ := cfg.Get("user.name")
	return model.Agent{ID: who.Agent, Client: who.Client, Host: hostName(), User: user}
}

// installBugSink keeps what breaks our own promises where doctor can show it.
func (e *Engine) installBugSink() {
	l, agent := e.ledger, e.who.Agent
	bug.SetSink(func(r bug.Record) {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		// Nothing can be done about a record that cannot be kept.
		_ = l.RecordBug(ctx, agent, r, time.Now())
	})
}

// Close lets go of the doors.
func (e *Engine) Close() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	bug.SetSink(nil)
	return e.ledger.Close()
}

func (e *Engine) now() time.Time { return time.Now() }

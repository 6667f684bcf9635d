package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"gitlet/internal/cli"
	"gitlet/internal/demo"
	"gitlet/internal/doctor"
	"gitlet/internal/engine"
	"gitlet/internal/git"
	"gitlet/internal/hook"
	"gitlet/internal/inspect"
	"gitlet/internal/mergedriver"
	"gitlet/internal/proc"
	"gitlet/internal/setup"
	"gitlet/internal/verb"
	"gitlet/internal/verbs"
	"gitlet/internal/watch"
)

// Main runs the command line and returns the exit code.
func Main() int {
	ctx := context.Background()
	if len(os.Args) < 2 || os.Args[1] != "hook" { // they end by themselves, and run after each step of an agent
		var stop func()
		ctx, stop = signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
		defer stop()
	}
	return cli.Run(ctx, New(cli.OwnVersion()), os.Args[1:], cli.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr})
}

// New wires the commands.
func New(version string) cli.App {
	return cli.App{
		Version:     version,
		Table:       verbs.Table(),
		Open:        open,
		Serve:       serve,
		Init:        runInit,
		Doctor:      runDoctor,
		Watch:       watchAll,
		Symbols:     inspect.Symbols,
		Footprint:   inspect.Footprint,
		Demo:        playDemo,
		Hook:        runHook,
		ClientHook:  runClientHook,
		MergeDriver: runMergeDriver,
		GitVersion:  gitVersion,
	}
}

// runner runs verbs in one worktree over its engine.
type runner struct{ e *engine.Engine }

// Run implements verb.Runner.
func (r runner) Run(ctx context.Context, spec verb.Spec, args any, _ verb.Face) *verb.Result {
	return verbs.Run(verb.WithProgress(ctx, progress()), r.e, spec.Name, args)
}

// progress shows how far something long is, where a person looks on; nil where not.
func progress() func(done, of int) {
	fi, err := os.Stderr.Stat()
	if err != nil || fi.Mode()&os.ModeCharDevice == 0 || os.Getenv("TERM") == "dumb" {
		return nil
	}
	return func(done, of int) {
		end := "\r"
		if done >= of {
			end = "\r\x1b[K"
		}
		fmt.Fprintf(os.Stderr, "%d of %d%s", done, of, end)
	}
}

func options(dir, client string, exact bool) engine.Options {
	return engine.Options{Dir: dir, Exact: exact, Client: client, Agent: os.Getenv("GITLET_AGENT"), Table: verbs.Table()}
}

// open prepares one command. What concerns its agent runs within the verb, so that its
// outcome can be told; what is due for everybody runs when the answer is out.
func open(ctx context.Context, dir string) (verb.Runner, func(), error) {
	e, err := engine.Open(ctx, options(dir, "cli", false))
	if err != nil {
		return nil, nil, err
	}
	return runner{e}, func() {
		e.AfterReply(ctx)
		if err := e.Close(); err != nil {
			fmt.Fprintf(os.Stderr, "gitlet: close the ledger: %v\n", err)
		}
	}, nil
}

func runInit(ctx context.Context, dir string, a cli.InitArgs) *verb.Result {
	return setup.Run(ctx, setup.Options{Dir: dir, Clients: a.Clients, GitHooks: a.GitHooks, GitConfig: a.GitConfig, MergeDrivers: a.MergeDrivers, DryRun: a.DryRun,
		Remove: a.Remove, Learn: learn, Built: builtTool, OnPath: onPath})
}

func runDoctor(ctx context.Context, dir string) *verb.Result {
	return doctor.Run(ctx, doctor.Options{Dir: dir, Built: builtTool, OnPath: onPath})
}

// watchAll looks on without being the agent of the worktree.
func watchAll(ctx context.Context, dir string, o cli.WatchOptions, out io.Writer) error {
	e, err := engine.Open(ctx, options(dir, "cli", false))
	if err != nil {
		return err
	}
	err = watch.Run(ctx, watch.Options{Out: out, Every: o.Every, Once: o.Once, Terminal: o.Terminal, Width: o.Width,
		Look: func(ctx context.Context) *verb.Result { return verbs.Look(ctx, e, "status", &verbs.StatusArgs{}) }})
	return errors.Join(err, e.Close())
}

// builtTool is whether a verb is a tool of the MCP server.
func builtTool(name string) bool {
	s, ok := verb.Find(verbs.Table(), name)
	return ok && s.Built && !s.CLIOnly
}

func onPath(program string) bool {
	_, err := proc.LookPath(program)
	return err == nil
}

func playDemo(ctx context.Context, keep bool, out io.Writer) error {
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("find this program: %w", err)
	}
	return demo.Run(ctx, demo.Options{Binary: self, Out: out, Keep: keep})
}

func runHook(ctx context.Context, dir, event string, args []string, in io.Reader, out io.Writer) {
	hook.Git(ctx, hook.Call{Event: event, Args: args, Dir: dir, Agent: os.Getenv("GITLET_AGENT"), Table: verbs.Table(), In: in, Out: out})
}

func runClientHook(ctx context.Context, event string, in io.Reader, out io.Writer) {
	hook.Client(ctx, hook.ClientCall{Event: event, Agent: os.Getenv("GITLET_AGENT"), Table: verbs.Table, In: in, Out: out})
}

func runMergeDriver(ctx context.Context, dir string, args []string, out io.Writer) int {
	c, ok := mergedriver.Parse(args)
	if !ok {
		fmt.Fprintf(out, "gitlet merge-driver: it takes a kind and %s\n", mergedriver.Placeholders)
		return mergedriver.Unable
	}
	c.Dir, c.Out = dir, out
	// It ends before what it leaves unused matters, unless the file is huge.
	debug.SetGCPercent(-1)
	debug.SetMemoryLimit(1 << 30)
	return mergedriver.Run(ctx, c)
}

func gitVersion(ctx context.Context) (string, error) {
	v, err := git.ReadVersion(ctx)
	if err != nil {
		return "", err
	}
	return v.String(), nil
}

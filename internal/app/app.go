package app

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"gitlet/internal/cli"
	"gitlet/internal/demo"
	"gitlet/internal/doctor"
	"gitlet/internal/engine"
	"gitlet/internal/git"
	"gitlet/internal/hook"
	"gitlet/internal/inspect"
	"gitlet/internal/verb"
	"gitlet/internal/verbs"
)

// Main runs the command line and returns the exit code.
func Main() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	return cli.Run(ctx, New(cli.OwnVersion()), os.Args[1:], cli.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr})
}

// New wires the commands.
func New(version string) cli.App {
	return cli.App{
		Version:    version,
		Table:      verbs.Table(),
		Open:       open,
		Serve:      serve,
		Doctor:     doctor.Run,
		Symbols:    inspect.Symbols,
		Footprint:  inspect.Footprint,
		Demo:       playDemo,
		Hook:       runHook,
		GitVersion: gitVersion,
	}
}

// runner runs verbs in one worktree over its engine.
type runner struct{ e *engine.Engine }

// Run implements verb.Runner.
func (r runner) Run(ctx context.Context, spec verb.Spec, args any, _ verb.Face) *verb.Result {
	return verbs.Run(ctx, r.e, spec.Name, args)
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

func gitVersion(ctx context.Context) (string, error) {
	v, err := git.ReadVersion(ctx)
	if err != nil {
		return "", err
	}
	return v.String(), nil
}

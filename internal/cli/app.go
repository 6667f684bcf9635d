package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"runtime/debug"
	"strings"

	"gitlet/internal/render"
	"gitlet/internal/verb"
)

// The exit codes.
const (
	exitOK      = 0 // ok, or nothing to do
	exitRefused = 1
	exitUsage   = 2 // bad arguments
	exitFault   = 3 // something broke
)

// App is what the commands need from the rest of gitlet. A function that is nil
// takes its command away. Every dir is the directory to act in, as an absolute path
// unless the present one is gone; an error that is a *verb.Refusal is printed as that
// refusal.
type App struct {
	// Version is gitlet's own, as "v0.1.0" or "devel".
	Version string
	// Table declares the verbs; those that are built become commands.
	Table []verb.Spec
	// Open prepares to run verbs in dir. The function it returns is called once the
	// result is printed: it does the upkeep that ends a command and closes the doors.
	Open func(ctx context.Context, dir string) (verb.Runner, func(), error)
	// Serve runs the MCP server on these streams until the client is gone.
	Serve func(ctx context.Context, dir string, in io.ReadCloser, out io.WriteCloser) error
	// Init sets up the clients for dir, or says what it would do.
	Init func(ctx context.Context, dir string, args InitArgs) *verb.Result
	// Doctor checks the setup of dir and says what to do.
	Doctor func(ctx context.Context, dir string) *verb.Result
	// Watch shows how things stand in dir until ctx ends.
	Watch func(ctx context.Context, dir string, o WatchOptions, out io.Writer) error
	// Symbols writes what gitlet reads of the files at paths (all when there are none)
	// at rev ("" for the work tree), one JSON object a line.
	Symbols func(ctx context.Context, dir, rev string, paths []string, out io.Writer) error
	// Footprint writes the footprint from base to head as one JSON object; base "" is
	// main's merge base and head "" the work tree.
	Footprint func(ctx context.Context, dir, base, head string, out io.Writer) error
	// Hook runs one of git's hooks in dir. Nothing it meets is told but on out.
	Hook func(ctx context.Context, dir, event string, args []string, in io.Reader, out io.Writer)
	// ClientHook runs one of Claude Code's hooks.
	ClientHook func(ctx context.Context, event string, in io.Reader, out io.Writer)
	// MergeDriver merges one file for git, which started it in dir, and returns the exit code.
	MergeDriver func(ctx context.Context, dir string, args []string, out io.Writer) int
	// Demo plays the demonstration; keep leaves its scratch folder.
	Demo func(ctx context.Context, keep bool, out io.Writer) error
	// GitVersion says which git is used.
	GitVersion func(ctx context.Context) (string, error)
}

// Streams are the process's standard streams.
type Streams struct {
	In  io.ReadCloser
	Out io.WriteCloser
	Err io.Writer
}

// Run carries out one command line (without the program's name) and returns the exit
// code. It never exits and never panics.
func Run(ctx context.Context, app App, args []string, std Streams) (code int) {
	if firstWord(args) == "hook" {
		defer func() { code = exitOK }() // git goes by it, and it must not stand still for us
	}
	if runClientHook(ctx, app, args, std) {
		return exitOK
	}
	if code, was := runMergeDriver(ctx, app, args, std); was {
		return code
	}
	inv := &invocation{ctx: ctx, app: app, args: args, std: std, json: wantsJSON(args)}
	defer func() {
		if p := recover(); p != nil {
			fmt.Fprintf(std.Err, "gitlet: panic: %v\n%s", p, debug.Stack())
			code = inv.print(verb.Broke(fmt.Sprint(p)), false)
		}
	}()
	root := inv.root()
	root.SetArgs(append([]string{}, args...)) // never nil: cobra would read os.Args
	if err := root.ExecuteContext(ctx); err != nil && !errors.Is(err, errPrinted) {
		return inv.print(verb.FromError(err), false)
	}
	return inv.code
}

// invocation is one run of the program.
type invocation struct {
	ctx  context.Context
	app  App
	args []string
	std  Streams
	json bool
	dirs []string // each -C, in order
	code int
}

// dir is where to act: each -C is taken from the one before, as git does.
func (inv *invocation) dir() string {
	dir := "."
	for _, d := range inv.dirs {
		if filepath.IsAbs(d) {
			dir = d
		} else {
			dir = filepath.Join(dir, d)
		}
	}
	return dir
}

// place is dir as an absolute path where that can be had.
func (inv *invocation) place() string {
	abs, err := filepath.Abs(inv.dir())
	if err != nil {
		return inv.dir()
	}
	return abs
}

func (inv *invocation) printer() render.Printer {
	p := render.Printer{Face: verb.CLI, Table: inv.app.Table}
	if len(inv.dirs) > 0 {
		p.Where = inv.dir()
	}
	return p
}

// print writes a result and returns its exit code. Commands whose stdout is read by
// programs (stream) get their refusals as text on stderr.
func (inv *invocation) print(r *verb.Result, stream bool) int {
	var out []byte
	to := io.Writer(inv.std.Out)
	if inv.json {
		raw, err := inv.printer().JSON(r)
		if err != nil {
			r = verb.Broke("writing the result as JSON: " + err.Error())
			raw, err = inv.printer().JSON(r)
		}
		if err != nil {
			fmt.Fprintf(inv.std.Err, "gitlet: %v\n", err)
			return exitFault
		}
		out = raw
	} else {
		out = []byte(inv.printer().Text(r) + "\n")
		if stream {
			to = inv.std.Err
		}
	}
	if _, err := to.Write(out); err != nil {
		fmt.Fprintf(inv.std.Err, "gitlet: writing the result: %v\n", err)
		return exitFault
	}
	switch r.Outcome {
	case verb.OK, verb.Nothing:
		return exitOK
	case verb.Refused:
		if r.BadUsage {
			return exitUsage
		}
		return exitRefused
	}
	return exitFault
}

// wantsJSON looks for --json before the command line is parsed, so that a line that
// cannot be parsed is refused in the form that was asked for.
func wantsJSON(args []string) bool {
	for _, a := range args {
		if a == "--" {
			return false
		}
		if a == "--json" || a == "--json=true" {
			return true
		}
	}
	return false
}

// firstWord is the first argument that is not a global flag: the command's name.
func firstWord(args []string) string {
	for i := 0; i < len(args); i++ {
		switch a := args[i]; {
		case a == "-C":
			i++
		case !strings.HasPrefix(a, "-"):
			return a
		}
	}
	return ""
}

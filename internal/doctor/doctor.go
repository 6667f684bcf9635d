package doctor

import (
	"context"
	"fmt"
	"time"

	"gitlet/internal/config"
	"gitlet/internal/git"
	"gitlet/internal/model"
	"gitlet/internal/verb"
)

// Verdict is how a check came out.
type Verdict string

// The verdicts: fine, works but something is worth knowing, does not work.
const (
	Fine Verdict = "ok"
	Warn Verdict = "warn"
	Fail Verdict = "fail"
)

// Finding is what one check found.
type Finding struct {
	Check   string  `json:"check"`
	Verdict Verdict `json:"verdict"`
	What    string  `json:"what"`
	// ToDo is the next step in words, "" when the verdict is ok.
	ToDo string `json:"toDo,omitempty"`
	// Argv is a command that takes the step, unquoted; nil when words are all there is.
	Argv []string `json:"argv,omitempty"`
}

// Data is the data of doctor.
type Data struct {
	Checks []Finding `json:"checks"`
}

// place is what the checks look at; wt and cfg are nil outside a repository.
type place struct {
	dir      string
	openErr  error
	wt       *git.Worktree
	cfg      *git.Config
	settings config.Settings
	problems []config.Problem
	built    func(verb string) bool
	onPath   func(program string) bool
}

// Options say what to check.
type Options struct {
	Dir string
	// Built says which verbs are tools; OnPath whether there is a program.
	Built  func(verb string) bool
	OnPath func(program string) bool
}

// checks is the table of contents, in the order they are shown.
var checks = []struct {
	name string
	run  func(ctx context.Context, p *place) []Finding
}{
	{"git", checkGit},
	{"repository", checkRepository},
	{"settings", checkSettings},
	{"remote", checkRemote},
	{"refs", checkRefs},
	{"forge", checkForge},
	{"clients", checkClients},
	{"hooks", checkHooks},
	{"drivers", checkDrivers},
	{"rerere", checkRerere},
	{"ledger", checkLedger},
	{"notes", checkNotes},
	{"reading", checkReading},
}

// timeout bounds one check.
const timeout = 20 * time.Second

// Run checks the setup of a directory. The result is refused when a check failed.
func Run(ctx context.Context, o Options) *verb.Result {
	p := open(ctx, o.Dir)
	p.built, p.onPath = o.Built, o.OnPath
	d := Data{Checks: []Finding{}}
	for _, c := range checks {
		cctx, cancel := context.WithTimeout(ctx, timeout)
		for _, f := range c.run(cctx, p) {
			f.Check = c.name
			d.Checks = append(d.Checks, f)
		}
		cancel()
	}
	return result(d)
}

func open(ctx context.Context, dir string) *place {
	p := &place{dir: dir}
	p.wt, p.openErr = git.Open(ctx, dir)
	if p.openErr != nil {
		return p
	}
	p.wt = p.wt.Foreground()
	if p.cfg, p.openErr = p.wt.Config(ctx); p.openErr == nil {
		p.settings, p.problems = config.From(p.cfg)
	}
	return p
}

func result(d Data) *verb.Result {
	r := &verb.Result{Outcome: verb.OK, Data: d}
	failed, warned := 0, 0
	for _, f := range d.Checks {
		line := fmt.Sprintf("%s %s: %s", f.Verdict, f.Check, f.What)
		switch f.Verdict {
		case Fail:
			failed++
		case Warn:
			warned++
		}
		if f.ToDo != "" {
			line += "; " + f.ToDo
		}
		if len(f.Argv) > 0 {
			r.Options = append(r.Options, model.Option{Argv: f.Argv, Why: f.Check + ": " + f.ToDo})
		}
		r.Details = append(r.Details, line)
	}
	switch {
	case failed > 0:
		r.Outcome = verb.Refused
		r.Summary = fmt.Sprintf("%d of %d checks failed", failed, len(d.Checks))
		if len(r.Options) == 0 {
			r.Options = append(r.Options, model.Option{Argv: []string{"gitlet", "doctor"}, Why: "check again after mending it"})
		}
	case warned > 0:
		r.Summary = fmt.Sprintf("gitlet works here, with %d things worth knowing", warned)
		if warned == 1 {
			r.Summary = "gitlet works here, with one thing worth knowing"
		}
	default:
		r.Summary = "everything gitlet needs is in place"
	}
	return r
}

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

func ok(format string, args ...any) []Finding {
	return []Finding{{Verdict: Fine, What: fmt.Sprintf(format, args...)}}
}

func bad(v Verdict, what, toDo string, argv ...string) []Finding {
	return []Finding{{Verdict: v, What: what, ToDo: toDo, Argv: argv}}
}

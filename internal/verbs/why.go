package verbs

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"gitlet/internal/engine"
	"gitlet/internal/git"
	"gitlet/internal/model"
	"gitlet/internal/verb"
)

// WhyArgs are the arguments of why.
type WhyArgs struct {
	Common
	Target string `arg:"target" required:"true" chars:"path" help:"a path, path:line, or a symbol as path:Name"`
}

var why = define(verb.Spec{
	Name:    "why",
	Summary: "Why a line, file or symbol is the way it is",
	When:    "Before undoing something that looks odd: shows the commit, any agreement, and the task behind it where the commit names one (Gitlet-Item lines; init --git-hooks adds them).",
	Example: "gitlet why src/config.ts:42",
	Effects: verb.Effects{ReadOnly: true},
}, runWhy)

// WhyData is the data of why.
type WhyData struct {
	Target string `json:"target"`
	Path   string `json:"path"`
	// Line is the line asked about, or the first one of the symbol; 0 for a whole file.
	Line   int    `json:"line,omitempty"`
	Symbol string `json:"symbol,omitempty"`
	// Uncommitted is set when the line is not committed yet.
	Uncommitted bool        `json:"uncommitted,omitempty"`
	Commits     []WhyCommit `json:"commits"` // the one that set the line, or the last few of the file
	Owner       *Owner      `json:"owner"`
	// Requirements are what others ask of the symbol.
	Requirements []WhoNeeded    `json:"requirements"`
	Agreements   []WhyAgreement `json:"agreements"`
}

// WhyCommit is one commit and the tasks behind it.
type WhyCommit struct {
	Commit  string    `json:"commit"`
	Subject string    `json:"subject"`
	Author  string    `json:"author"`
	At      time.Time `json:"at"`
	Tasks   []WhyTask `json:"tasks"`
}

// WhyTask is one task that a commit names.
type WhyTask struct {
	Item   string `json:"item"`
	Agent  string `json:"agent,omitempty"`
	Intent string `json:"intent,omitempty"`
}

// WhyAgreement is what was decided about the symbol.
type WhyAgreement struct {
	Thread    string    `json:"thread"`
	Owner     string    `json:"owner"`
	Signature string    `json:"signature,omitempty"`
	Summary   string    `json:"summary,omitempty"`
	At        time.Time `json:"at"`
}

// maxWhyCommits is how many commits of a whole file are shown.
const maxWhyCommits = 5

func runWhy(ctx context.Context, c *engine.Call, a *WhyArgs) (*verb.Result, error) {
	d := WhyData{Target: a.Target, Commits: []WhyCommit{}, Requirements: []WhoNeeded{}, Agreements: []WhyAgreement{}}
	rel, kind, err := c.FindPath(ctx, a.Target)
	if err == nil && kind != engine.NoPath {
		d.Path = rel
		return whyFile(ctx, c, d)
	}
	if file, line, ok := pathLine(a.Target); ok {
		rel, kind, err := c.FindPath(ctx, file)
		if err == nil && kind == engine.FilePath {
			d.Path, d.Line = rel, line
			if facts, err := c.FileFacts(ctx, rel); err == nil {
				return whyLine(ctx, c, d, symbolAt(facts.Symbols, line))
			}
			return whyLine(ctx, c, d, nil)
		}
	}
	if outside := (*engine.OutsideError)(nil); err != nil && !errors.As(err, &outside) {
		return nil, err
	}
	sym, refusal, err := oneSymbol(ctx, c, "why", "target", a.Target)
	if refusal != nil || err != nil {
		return refusal, err
	}
	d.Path, d.Line = sym.Path, sym.StartLine
	if facts, err := c.FileFacts(ctx, sym.Path); err == nil {
		for _, s := range facts.Symbols {
			if s.Key == sym.Key {
				sym, d.Line = &s, s.StartLine
			}
		}
	}
	return whyLine(ctx, c, d, sym)
}

// pathLine splits "path:line".
func pathLine(target string) (file string, line int, ok bool) {
	i := strings.LastIndexByte(target, ':')
	if i <= 0 {
		return "", 0, false
	}
	n, err := strconv.Atoi(target[i+1:])
	return target[:i], n, err == nil && n > 0
}

// symbolAt is the innermost definition that a line lies in; nil for none.
func symbolAt(all []model.Symbol, line int) *model.Symbol {
	var best *model.Symbol
	for i, s := range all {
		if s.StartLine <= line && line <= s.EndLine && (best == nil || s.EndLine-s.StartLine < best.EndLine-best.StartLine) {
			best = &all[i]
		}
	}
	return best
}

func whyFile(ctx context.Context, c *engine.Call, d WhyData) (*verb.Result, error) {
	o := git.LogOptions{Max: maxWhyCommits}
	if d.Path != "." {
		o.Paths = []string{d.Path}
	}
	log, err := c.Log(ctx, o)
	if err != nil && !errors.Is(err, git.ErrNotFound) && c.Head().OID != "" {
		return nil, err
	}
	for _, commit := range log {
		d.Commits = append(d.Commits, whyCommit(ctx, c, commit))
	}
	r := &verb.Result{Outcome: verb.OK, Summary: fmt.Sprintf("the last commits that changed %s", d.Path)}
	if len(d.Commits) == 0 {
		r.Summary = fmt.Sprintf("%s is not committed yet", d.Path)
		d.Uncommitted = true
	}
	r.Details = whyDetails(d)
	r.Data = d
	return r, nil
}

func whyLine(ctx context.Context, c *engine.Call, d WhyData, sym *model.Symbol) (*verb.Result, error) {
	where := fmt.Sprintf("%s:%d", d.Path, d.Line)
	commit, err := c.Blame(ctx, d.Path, d.Line)
	switch {
	case errors.Is(err, git.ErrNotFound) && sym == nil:
		return verb.Refuse(fmt.Sprintf("%s has no committed line %d", d.Path, d.Line),
			model.Option{Verb: "why", Args: map[string]any{"target": d.Path}, Why: "about the whole file"}), nil
	case errors.Is(err, git.ErrNotFound):
		d.Uncommitted = true
	case err != nil:
		return nil, err
	case commit == nil:
		d.Uncommitted = true
	default:
		d.Commits = append(d.Commits, whyCommit(ctx, c, *commit))
	}
	if sym != nil {
		d.Symbol, where = sym.Canonical(), fmt.Sprintf("%s (%s)", where, sym.Canonical())
		if err := whyAgreed(ctx, c, &d, *sym); err != nil {
			return nil, err
		}
	}
	r := &verb.Result{Outcome: verb.OK, Summary: fmt.Sprintf("%s was last changed by this commit", where)}
	if d.Uncommitted {
		r.Summary = fmt.Sprintf("%s is not committed yet", where)
	}
	r.Details = whyDetails(d)
	r.Data = d
	return r, nil
}

// whyAgreed adds what is known of a symbol beside its history.
func whyAgreed(ctx context.Context, c *engine.Call, d *WhyData, sym model.Symbol) error {
	if held := c.HeldClaim(sym.Key); held != nil {
		d.Owner = &Owner{Agent: held.Claim.Owner, Item: held.Claim.Item}
		if k := held.Claim.Contract; k != nil {
			d.Owner.Contract = k.Signature
		}
		for _, q := range held.Claim.Requirements {
			d.Requirements = append(d.Requirements, WhoNeeded{Agent: q.From, Requirement: q.Text})
		}
	}
	for _, a := range c.AgreementsOn(ctx, sym.Key) {
		d.Agreements = append(d.Agreements, WhyAgreement{Thread: a.Thread, Owner: a.Owner, Signature: a.Signature, Summary: a.Summary, At: a.At.UTC()})
	}
	return nil
}

func whyCommit(ctx context.Context, c *engine.Call, commit git.Commit) WhyCommit {
	out := WhyCommit{Commit: commit.OID, Subject: commit.Subject, Author: commit.Author, At: commit.Time.UTC(), Tasks: []WhyTask{}}
	for _, t := range c.TasksOf(ctx, commit) {
		if t.Item != "" || t.Agent != "" {
			out.Tasks = append(out.Tasks, WhyTask{Item: t.Item, Agent: t.Agent, Intent: t.Intent})
		}
	}
	return out
}

func whyDetails(d WhyData) []string {
	var out []string
	for _, w := range d.Commits {
		out = append(out, fmt.Sprintf("%s %s by %s, %s", git.Short(w.Commit), said(w.Subject), w.Author, w.At.Format("2006-01-02")))
		for _, t := range w.Tasks {
			line := "for task " + t.Item
			if t.Item == "" {
				line = "made"
			}
			if t.Agent != "" {
				line += " by " + t.Agent
			}
			if t.Intent != "" {
				line += ": " + said(t.Intent)
			}
			out = append(out, line)
		}
	}
	if o := d.Owner; o != nil {
		line := fmt.Sprintf("%s owns %s", o.Agent, d.Symbol)
		if o.Contract != "" {
			line += ", published as: " + said(o.Contract)
		}
		out = append(out, line)
	}
	for _, q := range d.Requirements {
		out = append(out, fmt.Sprintf("%s asks of it: %s", q.Agent, said(q.Requirement)))
	}
	for _, a := range d.Agreements {
		line := fmt.Sprintf("agreed on %s: %s owns it", a.At.Format("2006-01-02"), a.Owner)
		if a.Signature != "" {
			line += ", as: " + said(a.Signature)
		}
		out = append(out, line)
	}
	return out
}

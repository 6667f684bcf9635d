package engine

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"time"

	"gitlet/internal/bus"
	"gitlet/internal/contract"
	"gitlet/internal/git"
	"gitlet/internal/lang"
	"gitlet/internal/model"
	"gitlet/internal/proc"
	"gitlet/internal/snapshot"
	"gitlet/internal/sources"
)

// A BadStubError says why a stub cannot be published. Nothing was changed.
type BadStubError struct{ Why string }

func (e *BadStubError) Error() string { return e.Why }

// StubCommit is a commit that can be published for a symbol.
type StubCommit struct {
	Commit   string
	Symbol   model.Symbol
	Breaking bool
	Warnings []string
}

// BuildStub makes the stub of a symbol that this agent's item changes: main's version of
// its file with the one definition as the latest snapshot has it. Errors: *BadStubError.
func (c *Call) BuildStub(ctx context.Context, ch model.SymbolChange, fp *model.Footprint) (*StubCommit, error) {
	sym := ch.Symbol
	main := c.mainOID(ctx)
	l := lang.ByName(sym.Lang)
	switch {
	case main == "":
		return nil, &BadStubError{c.Main() + " has no commit to build on"}
	case l == nil:
		return nil, &BadStubError{fmt.Sprintf("%s is in a file that is not read", sym.Canonical())}
	case snapshot.Denied(sym.Path):
		return nil, &BadStubError{fmt.Sprintf("%s looks like a secret, so nothing of it is published", sym.Path)}
	case ch.OldPath != "" && ch.OldPath != sym.Path:
		return nil, &BadStubError{fmt.Sprintf("%s was in %s before: a move is two files, so publish a commit of yours with commit=", sym.Qualified, ch.OldPath)}
	}
	cat := c.wt.NewCatFile(ctx)
	defer cat.Close()
	in := contract.Input{Lang: l, Path: sym.Path, Symbol: sym, Old: ch.OldQualified}
	if held := c.docs.Held(sym.Key); held != nil && held.Claim.MovedFrom != "" && in.Old == "" {
		// Renamed and changed so much that it reads as one that goes and one that comes.
		if was := fp.Change(held.Claim.MovedFrom); was != nil && was.Change == model.ChangeRemoved && was.Symbol.Path == sym.Path {
			in.Old = was.Symbol.Qualified
		}
	}
	for _, other := range fp.Symbols {
		switch {
		case other.Symbol.Lang != sym.Lang:
		case other.Change == model.ChangeAdded:
			in.Added = append(in.Added, other.Symbol.Name)
		case other.Change == model.ChangeSignature && other.Symbol.Container == "":
			in.Changed = append(in.Changed, other.Symbol.Name)
		}
	}
	var err error
	if in.Mine, err = (sources.At{Cat: cat, Rev: fp.Head}).Read(sym.Path); err != nil {
		return nil, fmt.Errorf("read your %q: %w", sym.Path, err)
	}
	if in.Main, err = (sources.At{Cat: cat, Rev: main}).Read(sym.Path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read main's %q: %w", sym.Path, err)
	}
	built, err := contract.Build(in)
	var none *contract.NoStubError
	if errors.As(err, &none) {
		return nil, &BadStubError{none.Error()}
	}
	if err != nil {
		return nil, err
	}
	mode := git.ModeFile
	if in.Main != nil {
		entries, err := c.wt.Tree(ctx, main, sym.Path)
		if err != nil {
			return nil, err
		}
		if len(entries) == 1 {
			mode = entries[0].Mode
		}
	}
	commit, err := c.wt.CommitWith(ctx, main, sym.Path, mode, built.Data, stubMessage(sym))
	if err != nil {
		return nil, err
	}
	return &StubCommit{Commit: commit, Symbol: built.Symbol, Breaking: ch.Breaking, Warnings: built.Warnings}, nil
}

func stubMessage(sym model.Symbol) string {
	return fmt.Sprintf("gitlet stub: %s\n\nGitlet-Stub: %s@%s\n", sym.Canonical(), sym.Key, sym.SigHash)
}

// ReadStub takes a commit of the agent's own for a stub: one commit on top of one of
// main's, that has the symbol with the signature the work has now. Errors: *BadStubError.
func (c *Call) ReadStub(ctx context.Context, ch model.SymbolChange, text string) (*StubCommit, error) {
	sym := ch.Symbol
	bad := func(format string, args ...any) (*StubCommit, error) {
		return nil, &BadStubError{fmt.Sprintf(format, args...)}
	}
	if strings.ContainsAny(text, "\n\x00") || strings.HasPrefix(text, "-") {
		return bad("%q is no commit", text)
	}
	oids, err := c.wt.Resolve(ctx, text+"^{commit}", text+"^1", text+"^2")
	if err != nil {
		return nil, err
	}
	main := c.mainOID(ctx)
	switch {
	case oids[0] == "":
		return bad("there is no commit %q here", text)
	case oids[1] == "" || oids[2] != "":
		return bad("%q has not exactly one parent", text)
	case main == "":
		return bad("%s has no commit", c.Main())
	}
	on, err := c.wt.IsAncestor(ctx, oids[1], main)
	if err != nil {
		return nil, err
	}
	if !on {
		return bad("the parent of %q is not on %s: a stub is one commit on top of %s", text, c.Main(), c.Main())
	}
	changes, err := c.wt.DiffTrees(ctx, oids[1], oids[0])
	if err != nil {
		return nil, err
	}
	for _, f := range changes {
		if snapshot.Denied(f.Path) {
			return bad("%q changes %s, which looks like a secret", text, f.Path)
		}
	}
	cat := c.wt.NewCatFile(ctx)
	defer cat.Close()
	for _, s := range c.factsAt(cat, oids[0], sym.Path).Symbols {
		if s.Qualified != sym.Qualified {
			continue
		}
		if s.SigHash != sym.SigHash {
			return bad("%q says %q, and your work says %q", text, s.Signature, sym.Signature)
		}
		return &StubCommit{Commit: oids[0], Symbol: s.At(sym.Path), Breaking: ch.Breaking}, nil
	}
	return bad("%q does not define %s", text, sym.Canonical())
}

// Publish writes a contract into the claim that is held; the claim's commit carries the
// stub, so that whoever fetches the claim has it.
func (c *Call) Publish(ctx context.Context, held *bus.Held, stub *StubCommit) (*bus.Held, error) {
	to := held.Claim
	pr := ""
	if to.Contract != nil {
		pr = to.Contract.PR
	}
	to.Symbol = &stub.Symbol
	to.Contract = &model.Contract{Signature: stub.Symbol.Signature, SigHash: stub.Symbol.SigHash, StubCommit: stub.Commit,
		Breaking: stub.Breaking, PR: pr, PublishedAt: c.Now}
	to.UpdatedAt, to.LeaseSeconds = c.Now, int(c.settings.Lease/time.Second)
	to.Requirements = c.requirements(to)
	const tries = 3
	for try := 1; ; try++ {
		pctx, cancel := c.publishing(ctx)
		out, err := c.bus.UpdateClaim(pctx, held, to)
		cancel()
		c.noteDenied(ctx, err)
		var lost *bus.Lost
		if errors.As(err, &lost) && lost.Holder != nil && lost.Holder.Claim.Owner == c.who.Agent && try < tries {
			held = lost.Holder // its own session renewed it meanwhile
			to.Epoch = held.Claim.Epoch
			continue
		}
		if err != nil {
			return nil, err
		}
		c.view, c.notes = nil, nil
		return out, c.load(ctx)
	}
}

// StubCheck is what the configured check said of a stub.
type StubCheck struct {
	Command string `json:"command"`
	OK      bool   `json:"ok"`
	// Output is the end of what it printed; Problem says why it could not run.
	Output  string `json:"output,omitempty"`
	Problem string `json:"problem,omitempty"`
}

// stubCheckTime bounds the check.
const stubCheckTime = 5 * time.Minute

// CheckStub runs the configured command in a checkout of the stub alone; nil when none is
// configured.
func (c *Call) CheckStub(ctx context.Context, commit string) *StubCheck {
	command := c.settings.StubCheck
	if command == "" {
		return nil
	}
	out := &StubCheck{Command: command}
	dir, drop, err := c.wt.Scratch(ctx, commit)
	if err != nil {
		out.Problem = err.Error()
		return out
	}
	defer func() {
		if err := drop(); err != nil {
			c.Warn("the scratch checkout of the stub could not be removed: %v", err)
		}
	}()
	res, err := proc.Run(ctx, proc.Cmd{Path: "sh", Args: []string{"-c", command}, Dir: dir, Env: git.CleanEnviron(os.Environ()), Timeout: stubCheckTime, MaxStdout: 1 << 20})
	out.OK = err == nil
	const most = 2000
	text := strings.TrimSpace(string(res.Stdout) + "\n" + string(res.Stderr))
	out.Output = strings.ToValidUTF8(text[max(0, len(text)-most):], "")
	var exit *proc.ExitError
	if err != nil && !errors.As(err, &exit) {
		out.Problem = err.Error()
	}
	return out
}

// HeldClaim is the claim on a key as last fetched, nil when nobody holds it.
func (c *Call) HeldClaim(key string) *bus.Held { return c.docs.Held(key) }

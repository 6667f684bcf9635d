package verb

import (
	"context"
	"errors"
	"fmt"

	"gitlet/internal/model"
)

// Face says who asked for a verb; it decides how calls are spelled back.
type Face string

// The faces.
const (
	CLI Face = "cli"
	MCP Face = "mcp"
)

// Runner runs verbs in one worktree.
//
// Run gets the arguments that DecodeJSON or DecodeCLI made for spec: a pointer of
// the type of spec.Args, or nil for a verb without arguments. It always returns a
// result: a refusal for "not this way", a fault when something broke. It may be
// called from several goroutines at once.
type Runner interface {
	Run(ctx context.Context, spec Spec, args any, face Face) *Result
}

// Refusal is an error that is no fault: a door could not be opened for a reason
// the caller can mend, and the result says how.
type Refusal struct{ Result *Result }

// Error gives the refusal's summary.
func (r *Refusal) Error() string { return r.Result.Summary }

// FromError turns an error into a result: a *Refusal or *ArgError into its own,
// anything else into a fault that offers doctor. A nil error gives nil.
func FromError(err error) *Result {
	if err == nil {
		return nil
	}
	var refusal *Refusal
	if errors.As(err, &refusal) {
		return refusal.Result
	}
	var bad *ArgError
	if errors.As(err, &bad) {
		return bad.Result()
	}
	if errors.Is(err, context.Canceled) {
		return &Result{Outcome: Refused, Summary: "interrupted before it was done; what it had begun is taken back, now or by the next call",
			Options: []model.Option{{Argv: []string{"gitlet", "status"}, Why: "see how things stand"}}}
	}
	return Broke(err.Error())
}

// Broke makes the result for something that broke; what says the step and the reason.
func Broke(what string) *Result {
	return &Result{
		Outcome: Fault,
		Summary: "something broke: " + what,
		Options: []model.Option{{Argv: []string{"gitlet", "doctor"}, Why: "check the setup"}},
	}
}

// Find returns the spec named name, whether it is built or not.
func Find(table []Spec, name string) (Spec, bool) {
	for _, s := range table {
		if s.Name == name {
			return s, true
		}
	}
	return Spec{}, false
}

// Built returns the specs that are available, in table order.
func Built(table []Spec) []Spec {
	out := make([]Spec, 0, len(table))
	for _, s := range table {
		if s.Built && !s.Hidden {
			out = append(out, s)
		}
	}
	return out
}

// Check reports the first mistake in a table: a missing word, a name used twice, an
// argument struct that cannot be read, a tool without the common arguments.
func Check(table []Spec) error {
	seen := map[string]bool{}
	for _, s := range table {
		switch {
		case s.Name == "":
			return errors.New("a spec has no name")
		case seen[s.Name]:
			return fmt.Errorf("%q is declared twice", s.Name)
		case s.Summary == "" || s.When == "" || s.Example == "":
			return fmt.Errorf("%q lacks its summary, when or example", s.Name)
		}
		seen[s.Name] = true
		fields, err := Fields(s.Args)
		if err != nil {
			return fmt.Errorf("arguments of %q: %w", s.Name, err)
		}
		if !s.CLIOnly && fieldNamed(fields, "worktree") == nil {
			return fmt.Errorf("%q is a tool, so it needs the worktree argument", s.Name)
		}
		if s.Effects.TakesNote && fieldNamed(fields, "note") == nil {
			return fmt.Errorf("%q takes a note but has no such argument", s.Name)
		}
	}
	return nil
}

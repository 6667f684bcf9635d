package verb

import (
	"fmt"
	"strings"

	"gitlet/internal/model"
)

// Blank stands in an option's call for words its reader has to fill in. It is no
// value: a call that still holds it is refused.
const Blank = "..."

// Problem is one thing wrong with a call: the argument it is about ("" for the call
// as a whole) and a sentence that says what was given and what is right.
type Problem struct{ Arg, Text string }

// ArgError says everything that is wrong with one call's arguments.
type ArgError struct {
	Spec     Spec
	Face     Face
	Problems []Problem
	// Good holds the arguments that were right, as an option spells them.
	Good map[string]any
}

// BadArgument makes the error for an argument that decoded but makes no sense.
func BadArgument(s Spec, face Face, arg, text string) *ArgError {
	return &ArgError{Spec: s, Face: face, Problems: []Problem{{arg, text}}}
}

// Error lists the problems on one line.
func (e *ArgError) Error() string {
	texts := make([]string, len(e.Problems))
	for i, p := range e.Problems {
		texts[i] = p.Text
	}
	return e.Spec.Name + ": " + strings.Join(texts, "; ")
}

// Result is the refusal: what is wrong, the call with what was right filled in and
// "..." for what is left to fill, and on the CLI the way to the help page.
func (e *ArgError) Result() *Result {
	r := &Result{Outcome: Refused, BadUsage: true}
	if len(e.Problems) == 1 {
		r.Summary = e.Spec.Name + " was not run: " + e.Problems[0].Text
	} else {
		r.Summary = fmt.Sprintf("%s was not run: %d arguments need correcting", e.Spec.Name, len(e.Problems))
		for _, p := range e.Problems {
			r.Details = append(r.Details, p.Text)
		}
	}
	r.Options = append(r.Options, e.skeleton())
	if e.Face == CLI {
		r.Options = append(r.Options, model.Option{
			Argv: append(append([]string{"gitlet"}, strings.Fields(e.Spec.Name)...), "--help"),
			Why:  "what each argument is",
		})
	}
	return r
}

func (e *ArgError) skeleton() model.Option {
	args := map[string]any{}
	open := false
	wrong := map[string]bool{}
	for _, p := range e.Problems {
		wrong[p.Arg] = true
	}
	for _, f := range e.Spec.Fields() {
		if e.Face == CLI && f.MCPOnly {
			continue
		}
		if v, ok := e.Good[f.Name]; ok && !wrong[f.Name] {
			args[f.Name] = v
			continue
		}
		if f.Required || wrong[f.Name] && f.Kind != KindList {
			args[f.Name] = placeholder(f)
			open = open || args[f.Name] == Blank
		}
	}
	why := "the call without what is wrong"
	if open {
		why = `the call, with "..." left to fill in`
	}
	return model.Option{Verb: e.Spec.Name, Args: args, Why: why}
}

// placeholder is a value of the right type that shows what to fill in.
func placeholder(f Field) any {
	switch f.Kind {
	case KindBool:
		return true
	case KindInt:
		return max(f.Min, 1)
	case KindList:
		return []string{Blank}
	case KindObject:
		return placeholderObject(f.Sub)
	case KindObjects:
		return []any{placeholderObject(f.Sub)}
	}
	if len(f.Enum) > 0 {
		return f.Enum[0]
	}
	return Blank
}

func placeholderObject(sub []Field) map[string]any {
	out := map[string]any{}
	for _, f := range sub {
		out[f.Name] = placeholder(f)
	}
	return out
}

// Suggest returns the name in names that given was most likely meant to be, or ""
// when none is near: at most two slips, and fewer in short words.
func Suggest(given string, names []string) string {
	best, bestAt := "", 3
	given = strings.ToLower(strings.NewReplacer("-", "_", " ", "_").Replace(given))
	for _, n := range names {
		d := distance(given, strings.ToLower(n), 3)
		if len(given) >= 3 && len(n) >= 3 && (strings.HasPrefix(n, given) || strings.HasPrefix(given, n)) {
			d = min(d, 1)
		}
		if d*2 >= max(len(n), 2) {
			continue
		}
		if d < bestAt {
			best, bestAt = n, d
		}
	}
	return best
}

// distance counts insertions, deletions, replacements and swaps of neighbours
// between a and b; a result of at least limit only means "too far".
func distance(a, b string, limit int) int {
	if len(a) > 64 || len(a)-len(b) >= limit || len(b)-len(a) >= limit {
		return limit
	}
	d := make([][]int, len(a)+1)
	for i := range d {
		d[i] = make([]int, len(b)+1)
		d[i][0] = i
	}
	for j := range d[0] {
		d[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			d[i][j] = min(d[i-1][j]+1, d[i][j-1]+1, d[i-1][j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d[i][j] = min(d[i][j], d[i-2][j-2]+1)
			}
		}
	}
	return d[len(a)][len(b)]
}

// quoted shows a given value, cut to a readable length.
func quoted(s string) string {
	const most = 60
	if r := []rune(s); len(r) > most {
		return fmt.Sprintf("%q...", string(r[:most]))
	}
	return fmt.Sprintf("%q", s)
}

func orList(names []string) string {
	switch len(names) {
	case 0:
		return "nothing"
	case 1:
		return names[0]
	}
	return strings.Join(names[:len(names)-1], ", ") + " or " + names[len(names)-1]
}

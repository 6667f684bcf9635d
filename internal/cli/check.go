package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"gitlet/internal/model"
	"gitlet/internal/render"
	"gitlet/internal/verb"
)

// Parse reads a command line the way the program does and returns the verb and its
// decoded arguments without running it. For a command that is no verb the spec is
// empty. The error holds the refusal's text.
func Parse(table []verb.Spec, argv []string) (verb.Spec, any, error) {
	var got recorder
	var out bytes.Buffer
	app := App{
		Version:    "check",
		Table:      table,
		Open:       func(context.Context, string) (verb.Runner, func(), error) { return &got, nil, nil },
		Serve:      func(context.Context, string, io.ReadCloser, io.WriteCloser) error { return nil },
		Init:       func(context.Context, string, InitArgs) *verb.Result { return &verb.Result{Outcome: verb.OK} },
		Watch:      func(context.Context, string, WatchOptions, io.Writer) error { return nil },
		Doctor:     func(context.Context, string) *verb.Result { return &verb.Result{Outcome: verb.OK} },
		Symbols:    func(context.Context, string, string, []string, io.Writer) error { return nil },
		Footprint:  func(context.Context, string, string, string, io.Writer) error { return nil },
		Demo:       func(context.Context, bool, io.Writer) error { return nil },
		GitVersion: func(context.Context) (string, error) { return "", nil },
	}
	std := Streams{In: io.NopCloser(&bytes.Buffer{}), Out: nopCloser{&out}, Err: &out}
	if code := Run(context.Background(), app, argv, std); code != exitOK {
		return verb.Spec{}, nil, errors.New(out.String())
	}
	return got.spec, got.args, nil
}

// CheckOptions proves that every option of a result works on both faces: it is
// spelled, its spelling reads back as the same call, and the table accepts that call.
// Tests run it over every result and note they meet.
func CheckOptions(table []verb.Spec, r *verb.Result) error {
	if r.Outcome == verb.Refused && len(r.Options) == 0 {
		return fmt.Errorf("the refusal %q has no way out", r.Summary)
	}
	all := append([]model.Option(nil), r.Options...)
	notes := append([]model.Note(nil), r.Notes...)
	for _, s := range r.Body {
		notes = append(notes, s.Notes...)
	}
	for _, n := range notes {
		if len(n.Options) == 0 {
			return fmt.Errorf("the note %q has no option", n.Title)
		}
		all = append(all, n.Options...)
	}
	for _, o := range all {
		if err := checkOption(table, o); err != nil {
			return fmt.Errorf("option %+v: %w", o, err)
		}
	}
	return nil
}

// ParseOption spells an option for the command line and reads it back: the decoded
// arguments of its verb, or nil for a command that is no verb.
func ParseOption(table []verb.Spec, o model.Option) (any, error) {
	spelled, ok := render.Printer{Face: verb.CLI, Table: table}.Spell(filled(o))
	if !ok {
		return nil, errors.New("names no verb and no command")
	}
	argv, err := render.SplitShell(spelled.Call + spelled.Shell)
	if err != nil || argv[0] != "gitlet" {
		return nil, err
	}
	spec, args, err := Parse(table, argv[1:])
	if err == nil && o.Verb != "" && spec.Name != o.Verb {
		return nil, fmt.Errorf("reads back as %q", spec.Name)
	}
	return args, err
}

func checkOption(table []verb.Spec, o model.Option) error {
	if spec, ok := verb.Find(table, o.Verb); ok && !spec.Built {
		return nil // shown nowhere
	}
	if _, err := ParseOption(table, o); err != nil {
		return err
	}
	onMCP, _ := render.Printer{Face: verb.MCP, Table: table}.Spell(filled(o))
	if onMCP.Call == "" {
		return nil
	}
	name, raw, err := render.ParseCall(onMCP.Call)
	if err != nil {
		return err
	}
	spec, _ := verb.Find(table, name)
	if _, bad := verb.DecodeJSON(spec, raw); bad != nil {
		return bad
	}
	return nil
}

// filled puts words where an option leaves some to fill in, as its reader does.
func filled(o model.Option) model.Option {
	args := map[string]any{}
	for name, v := range o.Args {
		if v == verb.Blank {
			v = "words"
		}
		if list, ok := v.([]string); ok && len(list) == 1 && list[0] == verb.Blank {
			v = []string{"words"}
		}
		args[name] = v
	}
	o.Args = args
	return o
}

// recorder is a runner that only remembers the call.
type recorder struct {
	spec verb.Spec
	args any
}

func (r *recorder) Run(_ context.Context, spec verb.Spec, args any, _ verb.Face) *verb.Result {
	r.spec, r.args = spec, args
	return &verb.Result{Outcome: verb.OK}
}

type nopCloser struct{ io.Writer }

func (nopCloser) Close() error { return nil }

package rules

import (
	"reflect"
	"slices"
	"strings"

	"gitlet/internal/id"
	"gitlet/internal/model"
	"gitlet/internal/view"
)

// Choice is one way forward a rule offers: a verb whose arguments follow from the
// note, or reading the counterparts' change with git.
type Choice struct {
	// Verb is the verb to call; "" means reading their change.
	Verb string
	// Why is what the option does, in a few words.
	Why string
	// When is the condition under which it is offered, for documents; "" is always.
	When string

	// lists makes calls that depend on what was found, in place of one.
	lists func(in *Input, note string, f finding) []model.Option
	// argv makes a shell command instead of a verb's call.
	argv func(in *Input, fs []finding) []string
	// fits decides whether it is offered; nil is always.
	fits func(in *Input, fs []finding) bool
}

// What the options for the same step have in common.
var (
	readTheirs = Choice{Why: "read their change", When: "their latest snapshot is in this clone"}

	whoElse = Choice{Verb: "who", Why: "see how it stands now, and who else is at it",
		When: "their latest snapshot is not in this clone", fits: notHere}

	dismissNote = Choice{Verb: "dismiss", Why: "close this note: it needs no action"}
)

// maxReads caps the number of "read their change" options in one note.
const maxReads = 3

// ask offers a conversation, which needs a counterpart that is not this agent itself.
func ask(why string) Choice {
	return Choice{Verb: "discuss", Why: why, When: "a counterpart is another agent", fits: foreign}
}

func foreign(_ *Input, fs []finding) bool {
	for _, f := range fs {
		if f.peer != nil && !f.peer.Mine {
			return true
		}
	}
	return false
}

// notHere: no counterpart's change can be read with git here.
func notHere(_ *Input, fs []finding) bool {
	for _, f := range fs {
		if f.peer != nil && len(f.paths) > 0 && readArgv(*f.peer, f.paths) != nil {
			return false
		}
	}
	return true
}

func (r *Rule) options(in *Input, note string, fs []finding) []model.Option {
	out := []model.Option{}
	for _, c := range r.Options {
		if c.lists != nil {
			for _, f := range fs {
				for _, o := range c.lists(in, note, f) {
					if !slices.ContainsFunc(out, func(h model.Option) bool { return h.Verb == o.Verb && reflect.DeepEqual(h.Args, o.Args) }) {
						out = append(out, o)
					}
				}
			}
			continue
		}
		if c.fits != nil && !c.fits(in, fs) {
			continue
		}
		switch {
		case c.argv != nil:
			out = append(out, model.Option{Argv: c.argv(in, fs), Why: c.Why})
			continue
		case c.Verb == "":
			out = append(out, reads(c, fs)...)
			continue
		}
		out = append(out, model.Option{Verb: c.Verb, Args: arguments(c.Verb, note, fs[0]), Why: c.Why})
	}
	return out
}

// arguments are what each verb takes from a note. "..." stands for words to fill in.
func arguments(verb, note string, f finding) map[string]any {
	switch verb {
	case "start":
		return map[string]any{"intent": "..."}
	case "discuss":
		return map[string]any{"about": note, "message": "..."}
	case "dismiss":
		return map[string]any{"note": note, "as": "not_needed"}
	case "who":
		return map[string]any{"target": f.symbol}
	case "update":
		return map[string]any{"note": note}
	case "submit":
		return map[string]any{}
	case "abandon":
		return map[string]any{"item": f.item}
	}
	return map[string]any{"symbol": f.symbol, "note": note}
}

// reads offers a plain git command per counterpart whose commits are here.
func reads(c Choice, fs []finding) []model.Option {
	var out []model.Option
	for _, f := range fs {
		if f.peer == nil || len(f.paths) == 0 || len(out) == maxReads {
			continue
		}
		argv := readArgv(*f.peer, f.paths)
		if argv == nil {
			continue
		}
		why := c.Why
		if len(fs) > 1 {
			why = "read the change of " + name(*f.peer)
		}
		out = append(out, model.Option{Argv: argv, Why: why})
	}
	return out
}

func readArgv(p view.Peer, paths []string) []string {
	if !p.HaveTip {
		return nil
	}
	return diffArgv(p.Item.Footprint.Base, p.Item.Tip(), paths)
}

// diffArgv is the command that shows what happened to files between two commits; nil
// where a commit's id is none.
func diffArgv(base, tip string, files []string) []string {
	if !id.ValidOID(base) || !id.ValidOID(tip) {
		return nil
	}
	argv := []string{"git", "diff", base, tip, "--"}
	for _, x := range files {
		argv = append(argv, pathspec(x))
	}
	return argv
}

// pathspec names exactly one path, from whatever folder the command is run in. Git
// reads the letter after ":/" as more magic unless it is an ordinary one, and stars
// and brackets as patterns, so unusual paths use the long form.
func pathspec(p string) string {
	for _, r := range p {
		plain := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("/._-", r)
		if !plain {
			return ":(top,literal)" + p
		}
	}
	if c := p[0]; c == '.' || c == '-' || c == '_' || c == '/' {
		return ":(top,literal)" + p
	}
	return ":/" + p
}

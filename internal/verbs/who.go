package verbs

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sort"
	"strings"

	"gitlet/internal/engine"
	"gitlet/internal/footprint"
	"gitlet/internal/model"
	"gitlet/internal/verb"
	"gitlet/internal/view"
)

// WhoArgs are the arguments of who.
type WhoArgs struct {
	Common
	Target string `arg:"target" required:"true" chars:"path" help:"a file or folder, a symbol as path:Name or Name, or what else is claimed, such as issue:278"`
}

var who = define(verb.Spec{
	Name:    "who",
	Summary: "Who changes, references, owns or needs a file or symbol",
	When:    "Before editing a shared file or symbol: shows who else is at it right now.",
	Example: "gitlet who src/config.ts:parseConfig",
	Effects: verb.Effects{ReadOnly: true, Fresh: true},
}, runWho)

// Person is one item that has to do with a target.
type Person struct {
	Agent  string `json:"agent"`
	Item   string `json:"item"`
	Intent string `json:"intent"`
	You    bool   `json:"you,omitempty"`
	Idle   bool   `json:"idle,omitempty"`
	// Change and Breaking say how it changes the symbol; Now is the signature there.
	Change   string `json:"change,omitempty"`
	Breaking bool   `json:"breaking,omitempty"`
	Was      string `json:"was,omitempty"`
	Now      string `json:"now,omitempty"`
	// Where are the places, as path:line, that reference the symbol; Unsure is set when
	// only the name says so.
	Where  []string `json:"where,omitempty"`
	Unsure bool     `json:"unsure,omitempty"`
}

// WhoSymbol is what is known about one symbol.
type WhoSymbol struct {
	Name        string      `json:"name"`
	Kind        string      `json:"kind"`
	Line        int         `json:"line"`
	Changing    []Person    `json:"changing"`
	Referencing []Person    `json:"referencing"`
	Owner       *Owner      `json:"owner"`
	Needed      []WhoNeeded `json:"needed"`
}

// Owner is who holds the claim on a symbol.
type Owner struct {
	Agent    string `json:"agent"`
	Item     string `json:"item"`
	Contract string `json:"contract,omitempty"`
}

// WhoNeeded is one recorded need.
type WhoNeeded struct {
	// Pinned: its task builds on a signature that was published.
	Pinned bool `json:"pinned,omitempty"`

	Agent       string `json:"agent"`
	Item        string `json:"item"`
	Requirement string `json:"requirement,omitempty"`
}

// WhoFile is one file that items change.
type WhoFile struct {
	Path     string   `json:"path"`
	Changing []Person `json:"changing"`
}

// WhoData is the data of who.
type WhoData struct {
	Target  string      `json:"target"`
	Symbols []WhoSymbol `json:"symbols"`
	Files   []WhoFile   `json:"files"`
	// Claims are those on the target where it is not a symbol.
	Claims []StatusClaim `json:"claims,omitempty"`
}

func runWho(ctx context.Context, c *engine.Call, a *WhoArgs) (*verb.Result, error) {
	rel, kind, err := c.FindPath(ctx, a.Target)
	var outside *engine.OutsideError
	if errors.As(err, &outside) {
		if strings.Contains(a.Target, ":") {
			return whoSymbol(ctx, c, a.Target)
		}
		return verb.Refuse(err.Error(), statusOption("see what is in flight")), nil
	}
	if err != nil {
		return nil, err
	}
	switch kind {
	case engine.FilePath:
		return whoFile(ctx, c, rel)
	case engine.DirPath:
		return whoFolder(ctx, c, rel)
	}
	if r, is, err := engine.ParseResource(a.Target); is && err == nil {
		return whoResource(ctx, c, r)
	}
	return whoSymbol(ctx, c, a.Target)
}

// whoFile lists the file's symbols that anybody has to do with.
func whoFile(ctx context.Context, c *engine.Call, rel string) (*verb.Result, error) {
	v, err := c.View(ctx)
	if err != nil {
		return nil, err
	}
	facts, err := c.FileFacts(ctx, rel)
	if err != nil {
		return nil, err
	}
	known := map[string]bool{}
	candidates := facts.Symbols
	for _, s := range candidates {
		known[s.Qualified] = true
	}
	for _, h := range holders(v) {
		if h.item.Footprint == nil {
			continue
		}
		for _, ch := range h.item.Footprint.Symbols {
			if ch.Symbol.Path == rel && !known[ch.Symbol.Qualified] {
				known[ch.Symbol.Qualified] = true
				candidates = append(candidates, ch.Symbol)
			}
		}
	}
	data := WhoData{Target: rel, Symbols: []WhoSymbol{}, Files: filesOf(v, func(p string) bool { return p == rel })}
	for _, s := range candidates {
		if w := describe(v, s); w.busy() {
			data.Symbols = append(data.Symbols, w)
		}
	}
	return whoResult(rel, data, v, facts), nil
}

func whoFolder(ctx context.Context, c *engine.Call, rel string) (*verb.Result, error) {
	v, err := c.View(ctx)
	if err != nil {
		return nil, err
	}
	inside := func(p string) bool { return rel == "." || p == rel || strings.HasPrefix(p, rel+"/") }
	data := WhoData{Target: rel, Symbols: []WhoSymbol{}, Files: filesOf(v, inside)}
	seen := map[string]bool{}
	for _, h := range holders(v) {
		if h.item.Footprint == nil {
			continue
		}
		for _, ch := range h.item.Footprint.Symbols {
			if name := ch.Symbol.Canonical(); inside(ch.Symbol.Path) && !seen[name] {
				seen[name] = true
				data.Symbols = append(data.Symbols, describe(v, ch.Symbol))
			}
		}
	}
	sort.Slice(data.Symbols, func(i, j int) bool { return data.Symbols[i].Name < data.Symbols[j].Name })
	return whoResult(rel, data, v, footprint.FileFacts{Path: rel, Parsed: true}), nil
}

func whoSymbol(ctx context.Context, c *engine.Call, target string) (*verb.Result, error) {
	sym, refusal, err := oneSymbol(ctx, c, "who", "target", target)
	if refusal != nil || err != nil {
		return refusal, err
	}
	v, err := c.View(ctx)
	if err != nil {
		return nil, err
	}
	data := WhoData{Target: sym.Canonical(), Symbols: []WhoSymbol{describe(v, *sym)},
		Files: filesOf(v, func(p string) bool { return p == sym.Path })}
	return whoResult(sym.Canonical(), data, v, footprint.FileFacts{Path: sym.Path, Parsed: true}), nil
}

// oneSymbol finds the one symbol a name means, or the refusal that lists what it
// may mean, each candidate as a call to copy.
func oneSymbol(ctx context.Context, c *engine.Call, verbName, arg, text string) (*model.Symbol, *verb.Result, error) {
	l, err := c.Lookup(ctx, text)
	var outside *engine.OutsideError
	if errors.As(err, &outside) {
		return nil, verb.Refuse(err.Error(), statusOption("see what is in flight")), nil
	}
	if err != nil {
		return nil, nil, err
	}
	if len(l.Found) == 1 {
		return &l.Found[0], nil, nil
	}
	list, summary := l.Found, fmt.Sprintf("%q is ambiguous: it names %d symbols", text, len(l.Found))
	if len(list) == 0 {
		list, summary = l.Near, fmt.Sprintf("no symbol or file is called %q", text)
		switch {
		case len(list) > 0 && list[0].Name == text:
			summary = fmt.Sprintf("%q is a member of a type: say which, as Type.%s", text, text)
		case l.Typed != "":
			summary = fmt.Sprintf("there is no file %q; did you mean one of these?", l.Typed)
		case len(list) > 0:
			summary += "; did you mean one of these?"
		}
	}
	r := verb.Refuse(summary)
	for _, s := range list[:min(len(list), 10)] {
		r.Options = append(r.Options, model.Option{Verb: verbName, Args: map[string]any{arg: s.Canonical()}, Why: fmt.Sprintf("%s at line %d", s.Kind, s.StartLine)})
	}
	if len(r.Options) == 0 {
		r.Options = append(r.Options, statusOption("see what is in flight"))
		if l.Path != "" {
			r.Options = append(r.Options, model.Option{Verb: "who", Args: map[string]any{"target": l.Path}, Why: "everything about that file"})
		}
	}
	return nil, r, nil
}

func statusOption(why string) model.Option { return model.Option{Verb: "status", Why: why} }

// holder is one item in view with whose it is.
type holder struct {
	agent string
	item  model.Item
	you   bool
	idle  bool
}

func holders(v *view.View) []holder {
	var out []holder
	mine := map[string]bool{}
	for _, it := range v.Items {
		mine[it.ID] = true
		out = append(out, holder{agent: v.Agent, item: it, you: true})
	}
	for _, p := range v.Peers {
		if !mine[p.Item.ID] {
			out = append(out, holder{agent: p.Agent.ID, item: p.Item, you: p.Mine, idle: p.Idle()})
		}
	}
	sort.SliceStable(out, func(i, j int) bool {
		if out[i].you != out[j].you {
			return !out[i].you
		}
		return out[i].agent < out[j].agent
	})
	return out
}

func (h holder) person() Person {
	return Person{Agent: h.agent, Item: h.item.ID, Intent: h.item.Intent, You: h.you, Idle: h.idle}
}

func filesOf(v *view.View, want func(string) bool) []WhoFile {
	by := map[string][]Person{}
	for _, h := range holders(v) {
		if h.item.Footprint == nil {
			continue
		}
		for _, f := range h.item.Footprint.Files {
			p := h.person()
			p.Change = fileWord(f)
			if want(f.Path) {
				by[f.Path] = append(by[f.Path], p)
			} else if f.OldPath != "" && want(f.OldPath) {
				by[f.OldPath] = append(by[f.OldPath], p)
			}
		}
	}
	out := make([]WhoFile, 0, len(by))
	for p, people := range by {
		out = append(out, WhoFile{Path: p, Changing: people})
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Path < out[j].Path })
	return out
}

func fileWord(f model.FileChange) string {
	switch f.Status {
	case "A":
		return "adds it"
	case "D":
		return "deletes it"
	case "R":
		return "renames " + f.OldPath + " to " + f.Path
	}
	return "changes it"
}

func describe(v *view.View, s model.Symbol) WhoSymbol {
	w := WhoSymbol{Name: s.Canonical(), Kind: string(s.Kind), Line: s.StartLine,
		Changing: []Person{}, Referencing: []Person{}, Needed: []WhoNeeded{}}
	all := holders(v)
	prints := make([]*model.Footprint, 0, len(all))
	for _, h := range all {
		if h.item.Footprint != nil {
			prints = append(prints, h.item.Footprint)
		}
	}
	unique := footprint.UniqueMethods(prints...)
	for _, h := range all {
		fp := h.item.Footprint
		if fp == nil {
			continue
		}
		if ch := fp.Change(s.Key); ch != nil {
			p := h.person()
			p.Change, p.Breaking = string(ch.Change), ch.Breaking
			p.Was, p.Now = ch.OldSignature, ch.Symbol.Signature
			switch ch.Change {
			case model.ChangeRemoved:
				p.Now = ""
			case model.ChangeBody:
				p.Was = ""
			}
			w.Changing = append(w.Changing, p)
		}
		for _, sure := range []footprint.MatchKind{footprint.Resolved, footprint.Unresolved} {
			if where := references(fp, s, sure, unique); len(where) > 0 {
				p := h.person()
				p.Where, p.Unsure = where, sure == footprint.Unresolved
				w.Referencing = append(w.Referencing, p)
			}
		}
	}
	if cl := v.Claim(s.Key); cl != nil {
		w.Owner = &Owner{Agent: cl.Owner, Item: cl.Item}
		if cl.Contract != nil {
			w.Owner.Contract = cl.Contract.Signature
		}
	}
	for _, n := range v.Needs {
		if n.Key == s.Key {
			w.Needed = append(w.Needed, WhoNeeded{Agent: n.Agent, Item: n.Item, Requirement: n.Requirement, Pinned: n.PinnedSigHash != ""})
		}
	}
	return w
}

// references lists where changed code of a footprint means the symbol, as surely as
// is asked.
func references(fp *model.Footprint, s model.Symbol, sure footprint.MatchKind, unique func(name, family string) bool) []string {
	var out []string
	for _, r := range fp.Refs {
		if footprint.Match(r, footprint.Version(fp), s, unique) == sure {
			// A line may refer to it more than once.
			if at := fmt.Sprintf("%s:%d", r.Path, r.Line); !slices.Contains(out, at) {
				out = append(out, at)
			}
		}
	}
	return out
}

func (w WhoSymbol) busy() bool {
	return len(w.Changing)+len(w.Referencing)+len(w.Needed) > 0 || w.Owner != nil
}

package render

import (
	"encoding/json"
	"fmt"
	"sort"
	"strconv"
	"strings"

	"gitlet/internal/model"
	"gitlet/internal/verb"
)

// Printer spells results for one face. The zero Where means the reader's own place.
type Printer struct {
	Face  verb.Face
	Table []verb.Spec
	// Where is the directory that the caller named (-C on the CLI, worktree as a
	// tool); it is put into every spelled call, so that a pasted one acts there too.
	Where string
}

// Spell fills an option's Call or Shell for this face. It reports false, and the
// option is shown nowhere, when its verb is not available.
func (p Printer) Spell(o model.Option) (model.Option, bool) {
	o.Call, o.Shell = "", ""
	if o.Verb == "" {
		if len(o.Argv) == 0 {
			return o, false
		}
		o.Shell = Shell(o.Argv)
		return o, true
	}
	spec, ok := verb.Find(p.Table, o.Verb)
	if !ok || !spec.Built {
		return o, false
	}
	if p.Face == verb.MCP && !spec.CLIOnly {
		if p.Where != "" {
			args := map[string]any{"worktree": p.Where}
			for k, v := range o.Args {
				args[k] = v
			}
			o.Args = args
		}
		o.Call = toolCall(spec, o.Args)
		return o, true
	}
	line := Shell(p.Argv(spec, o.Args))
	if p.Face == verb.MCP {
		o.Shell = line
	} else {
		o.Call = line
	}
	return o, true
}

// Argv is the command line that runs a verb with these arguments.
func (p Printer) Argv(spec verb.Spec, args map[string]any) []string {
	argv := []string{"gitlet"}
	if p.Where != "" && p.Face == verb.CLI {
		argv = append(argv, "-C", p.Where)
	}
	argv = append(argv, strings.Fields(spec.Name)...)
	fields := spec.Fields()
	var pos, flags []string
	dash := false
	known := map[string]bool{}
	for _, f := range fields {
		known[f.Name] = true
	}
	for _, f := range verb.Positionals(fields) {
		for _, w := range words(f.Kind, args[f.Name]) {
			pos = append(pos, w)
			dash = dash || strings.HasPrefix(w, "-")
		}
	}
	for _, f := range verb.Flags(fields) {
		flags = append(flags, flagWords(f.Kind, f.Name, args[f.Name])...)
	}
	for _, name := range sortedKeys(args) {
		if !known[name] {
			flags = append(flags, flagWords(verb.KindText, name, args[name])...)
		}
	}
	if dash {
		return append(append(append(argv, flags...), "--"), pos...)
	}
	return append(append(argv, pos...), flags...)
}

func flagWords(kind verb.Kind, name string, v any) []string {
	var out []string
	for _, w := range words(kind, v) {
		switch {
		case kind == verb.KindBool && w == "true":
			out = append(out, "--"+name)
		case kind == verb.KindBool, strings.HasPrefix(w, "-"):
			out = append(out, "--"+name+"="+w)
		default:
			out = append(out, "--"+name, w)
		}
	}
	return out
}

// words gives a value as the words a command line has for it: one, or one each for
// the entries of a list; none when it is absent.
func words(kind verb.Kind, v any) []string {
	v = plain(v)
	switch x := v.(type) {
	case nil:
		return nil
	case string:
		return []string{x}
	case bool:
		return []string{strconv.FormatBool(x)}
	case []any:
		if kind != verb.KindList && kind != verb.KindObjects {
			break
		}
		var out []string
		for _, e := range x {
			if s, ok := e.(string); ok {
				out = append(out, s)
			} else {
				out = append(out, jsonLine(e))
			}
		}
		return out
	}
	return []string{jsonLine(v)}
}

// plain reduces a value to what JSON knows. Text that is not UTF-8, which only file
// names can be, is kept as it is.
func plain(v any) any {
	switch x := v.(type) {
	case nil, string, bool:
		return x
	case []string:
		out := make([]any, len(x))
		for i, s := range x {
			out[i] = s
		}
		return out
	}
	raw, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	dec := json.NewDecoder(strings.NewReader(string(raw)))
	dec.UseNumber()
	var out any
	if err := dec.Decode(&out); err != nil {
		return fmt.Sprint(v)
	}
	return out
}

// toolCall spells name key=value with JSON values, in the schema's order.
func toolCall(spec verb.Spec, args map[string]any) string {
	var b strings.Builder
	b.WriteString(spec.Name)
	done := map[string]bool{}
	put := func(name string) {
		v := plain(args[name])
		if done[name] || v == nil {
			return
		}
		done[name] = true
		b.WriteByte(' ')
		b.WriteString(name)
		b.WriteByte('=')
		b.WriteString(jsonLine(v))
	}
	for _, f := range spec.Fields() {
		put(f.Name)
	}
	for _, name := range sortedKeys(args) {
		put(name)
	}
	return b.String()
}

// ParseCall reads a call in tool syntax back into the verb and the JSON object of its
// arguments. Tests use it to prove that printed options run as written.
func ParseCall(call string) (name string, args []byte, err error) {
	name, rest, _ := strings.Cut(call, " ")
	var b strings.Builder
	b.WriteByte('{')
	for rest != "" {
		key, after, ok := strings.Cut(rest, "=")
		if !ok {
			return "", nil, fmt.Errorf("at %q: no key=value", rest)
		}
		dec := json.NewDecoder(strings.NewReader(after))
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return "", nil, fmt.Errorf("value of %q: %w", key, err)
		}
		if b.Len() > 1 {
			b.WriteByte(',')
		}
		b.WriteString(quoteLine(key) + ":" + string(value))
		rest = strings.TrimLeft(after[dec.InputOffset():], " ")
	}
	b.WriteByte('}')
	return name, []byte(b.String()), nil
}

// jsonLine marshals a value on one line of visible characters.
func jsonLine(v any) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return quoteLine(fmt.Sprint(v))
	}
	var out strings.Builder
	for _, r := range strings.TrimSuffix(b.String(), "\n") {
		switch {
		case !hidden(r):
			out.WriteRune(r)
		case r > 0xffff:
			r -= 0x10000
			fmt.Fprintf(&out, `\u%04x\u%04x`, 0xd800+r>>10, 0xdc00+r&0x3ff)
		default:
			fmt.Fprintf(&out, `\u%04x`, r)
		}
	}
	return out.String()
}

func sortedKeys(m map[string]any) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}

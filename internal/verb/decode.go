package verb

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Raw is a command line after flags and positionals were told apart: positionals in
// order and every value given for each flag.
type Raw struct {
	Args  []string
	Flags map[string][]string
}

// DecodeJSON reads a tool call's arguments into a new argument struct, a pointer of
// the type of spec.Args. Nothing, null and {} are no arguments, and an argument that
// is null counts as not given, because some clients send every one. All problems are
// collected; the error is nil when there are none.
func DecodeJSON(spec Spec, raw []byte) (any, *ArgError) {
	d := &decoder{spec: spec, face: MCP, good: map[string]any{}}
	into := newArgs(spec)
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || string(raw) == "null" {
		raw = []byte("{}")
	}
	if !utf8.Valid(raw) {
		d.problem("", "the arguments are not valid UTF-8")
		return nil, d.err()
	}
	d.object(into, spec.Fields(), "", raw)
	if err := d.err(); err != nil {
		return nil, err
	}
	return into.result(spec), nil
}

// DecodeCLI reads a command line's arguments the way DecodeJSON reads a tool call's.
func DecodeCLI(spec Spec, raw Raw) (any, *ArgError) {
	d := &decoder{spec: spec, face: CLI, good: map[string]any{}}
	into := newArgs(spec)
	fields := spec.Fields()
	rest := raw.Args
	for _, f := range Positionals(fields) {
		list := f.Kind == KindList || f.Kind == KindObjects
		switch {
		case len(rest) == 0 && f.Required:
			d.problem(f.Name, fmt.Sprintf("the argument %s is missing: %s", f.Name, f.Help))
		case len(rest) == 0:
		case list:
			d.words(into.field(f), f, rest)
			rest = nil
		default:
			d.words(into.field(f), f, rest[:1])
			rest = rest[1:]
		}
	}
	if len(rest) > 0 {
		d.tooMany(Positionals(fields), rest)
	}
	for _, f := range Flags(fields) {
		if values := raw.Flags[f.Name]; len(values) > 0 {
			d.words(into.field(f), f, values)
		}
	}
	if err := d.err(); err != nil {
		return nil, err
	}
	return into.result(spec), nil
}

type decoder struct {
	spec     Spec
	face     Face
	problems []Problem
	good     map[string]any
}

func (d *decoder) err() *ArgError {
	if len(d.problems) == 0 {
		return nil
	}
	return &ArgError{Spec: d.spec, Face: d.face, Problems: d.problems, Good: d.good}
}

// problem records what is wrong with an argument; a member of an object counts for
// the object, so that the corrected call leaves all of it open.
func (d *decoder) problem(name, text string) {
	arg, _, _ := strings.Cut(name, ".")
	arg, _, _ = strings.Cut(arg, "[")
	d.problems = append(d.problems, Problem{arg, text})
}

func (d *decoder) tooMany(pos []Field, rest []string) {
	shown := make([]string, 0, 3)
	for _, s := range rest[:min(len(rest), 3)] {
		shown = append(shown, quoted(s))
	}
	takes := "takes no argument"
	if len(pos) > 0 {
		takes = "takes " + strings.Join(names(pos), ", ")
	}
	if len(pos) == 1 && pos[0].Kind == KindText && len(pos[0].Enum) == 0 {
		// Most likely one value whose quotes were forgotten.
		if first, ok := d.good[pos[0].Name].(string); ok {
			d.good[pos[0].Name] = strings.Join(append([]string{first}, rest...), " ")
		}
	}
	d.problem("", fmt.Sprintf("%s is too much: %s %s (quote a value that holds spaces)", strings.Join(shown, " "), d.spec.Name, takes))
}

// words sets one argument from the command line's words for it.
func (d *decoder) words(into reflect.Value, f Field, words []string) {
	if len(words) > 1 && f.Kind != KindList && f.Kind != KindObjects {
		d.problem(f.Name, fmt.Sprintf("%s was given %d times: give it once", f.Name, len(words)))
		return
	}
	before := len(d.problems)
	switch f.Kind {
	case KindText:
		d.text(into, f, f.Name, words[0])
	case KindList:
		d.list(into, f, f.Name, words)
	case KindBool:
		b, err := strconv.ParseBool(words[0])
		if err != nil {
			d.problem(f.Name, fmt.Sprintf("%s is %s: give true or false", f.Name, quoted(words[0])))
			return
		}
		into.SetBool(b)
	case KindInt:
		n, err := strconv.Atoi(words[0])
		if err != nil {
			d.problem(f.Name, fmt.Sprintf("%s is %s: give a whole number", f.Name, quoted(words[0])))
			return
		}
		d.number(into, f, f.Name, n)
	case KindObject:
		if !json.Valid([]byte(words[0])) {
			d.problem(f.Name, fmt.Sprintf("%s is %s: give %s", f.Name, quoted(words[0]), want(f)))
			return
		}
		d.value(into, f, f.Name, []byte(words[0]))
	case KindObjects:
		var list bytes.Buffer
		list.WriteByte('[')
		for i, w := range words {
			if !json.Valid([]byte(w)) {
				f.Kind = KindObject
				d.problem(f.Name, fmt.Sprintf("%s is %s: give %s", f.Name, quoted(w), want(f)))
				return
			}
			if i > 0 {
				list.WriteByte(',')
			}
			list.WriteString(w)
		}
		list.WriteByte(']')
		d.value(into, f, f.Name, list.Bytes())
		if len(d.problems) == before {
			d.good[f.Name] = json.RawMessage(list.Bytes())
		}
		return
	}
	if len(d.problems) > before {
		return
	}
	d.good[f.Name] = into.Interface()
	if f.Kind == KindObject {
		d.good[f.Name] = json.RawMessage(words[0])
	}
}

// object sets a struct's fields from a JSON object; prefix names the object in
// messages and is "" for the arguments themselves.
func (d *decoder) object(into target, fields []Field, prefix string, raw []byte) {
	members, err := readMembers(raw)
	if err != nil {
		what := "the arguments are"
		if prefix != "" {
			what = strings.TrimSuffix(prefix, ".") + " is"
		}
		d.problem(prefix, fmt.Sprintf("%s %s: give an object, as %s", what, describe(raw), exampleObject(fields)))
		return
	}
	given := map[string]bool{}
	for _, m := range members {
		f := fieldNamed(fields, m.name)
		switch {
		case f == nil:
			d.unknown(prefix, m.name, fields)
			continue
		case given[m.name]:
			d.problem(prefix+m.name, fmt.Sprintf("%s was given twice: give it once", prefix+m.name))
			continue
		case string(m.value) == "null":
			continue
		}
		given[m.name] = true
		before := len(d.problems)
		d.value(into.field(*f), *f, prefix+m.name, m.value)
		if prefix == "" && len(d.problems) == before {
			d.good[m.name] = m.value
		}
	}
	for _, f := range fields {
		if f.Required && !given[f.Name] {
			d.problem(prefix+f.Name, fmt.Sprintf("the argument %s is missing: %s", prefix+f.Name, f.Help))
		}
	}
}

func (d *decoder) unknown(prefix, name string, fields []Field) {
	text := fmt.Sprintf("%s has no argument %s", d.spec.Name, quoted(prefix+name))
	if near := Suggest(name, names(fields)); near != "" {
		text += fmt.Sprintf(": did you mean %s?", near)
	} else if len(fields) > 0 {
		text += ": it takes " + strings.Join(names(fields), ", ")
	} else {
		text += ": it takes none"
	}
	// The argument does not exist, so it leaves no gap in the corrected call; within
	// an object the object does.
	d.problem(prefix, text)
}

// value sets one field from a JSON value.
func (d *decoder) value(into reflect.Value, f Field, name string, raw []byte) {
	wrong := func() {
		d.problem(name, fmt.Sprintf("%s is %s: give %s", name, describe(raw), want(f)))
	}
	switch f.Kind {
	case KindText:
		var s string
		if json.Unmarshal(raw, &s) != nil {
			wrong()
			return
		}
		d.text(into, f, name, s)
	case KindBool:
		var b bool
		if json.Unmarshal(raw, &b) != nil {
			wrong()
			return
		}
		into.SetBool(b)
	case KindInt:
		var n int
		if json.Unmarshal(raw, &n) != nil {
			wrong()
			return
		}
		d.number(into, f, name, n)
	case KindList:
		var items []json.RawMessage
		list := []string{}
		if json.Unmarshal(raw, &items) != nil {
			wrong()
			return
		}
		for _, item := range items {
			var s *string
			if json.Unmarshal(item, &s) != nil || s == nil {
				wrong()
				return
			}
			list = append(list, *s)
		}
		d.list(into, f, name, list)
	case KindObject:
		d.member(into, f, name, raw)
	case KindObjects:
		var items []json.RawMessage
		if json.Unmarshal(raw, &items) != nil {
			wrong()
			return
		}
		if len(items) > maxListLen {
			d.problem(name, fmt.Sprintf("%s has %d entries: at most %d", name, len(items), maxListLen))
			return
		}
		list := reflect.MakeSlice(into.Type(), len(items), len(items))
		for i, item := range items {
			d.object(target{list.Index(i)}, f.Sub, fmt.Sprintf("%s[%d].", name, i), item)
		}
		into.Set(list)
	}
}

// member sets an object field: a struct, a pointer to one, or a map.
func (d *decoder) member(into reflect.Value, f Field, name string, raw []byte) {
	switch into.Kind() {
	case reflect.Map:
		m := reflect.New(into.Type())
		if _, err := readMembers(raw); err != nil || json.Unmarshal(raw, m.Interface()) != nil {
			d.problem(name, fmt.Sprintf("%s is %s: give %s", name, describe(raw), want(f)))
			return
		}
		into.Set(m.Elem())
	case reflect.Pointer:
		into.Set(reflect.New(into.Type().Elem()))
		d.object(target{into.Elem()}, f.Sub, name+".", raw)
	default:
		d.object(target{into}, f.Sub, name+".", raw)
	}
}

func (d *decoder) text(into reflect.Value, f Field, name, s string) {
	if s == Blank && len(f.Enum) == 0 {
		d.problem(name, fmt.Sprintf("%s is still %q: put %s there", name, Blank, f.Help))
		return
	}
	if p := checkText(f, name, s); p != "" {
		d.problem(name, p)
		return
	}
	into.SetString(s)
}

func (d *decoder) list(into reflect.Value, f Field, name string, items []string) {
	if len(items) > maxListLen {
		d.problem(name, fmt.Sprintf("%s has %d entries: at most %d", name, len(items), maxListLen))
		return
	}
	if f.Required && len(items) == 0 {
		d.problem(name, fmt.Sprintf("%s is empty: %s", name, f.Help))
		return
	}
	for _, s := range items {
		if p := checkText(f, name, s); p != "" {
			d.problem(name, p)
			return
		}
	}
	into.Set(reflect.ValueOf(append([]string(nil), items...)).Convert(into.Type()))
}

func (d *decoder) number(into reflect.Value, f Field, name string, n int) {
	if (f.Min != 0 || f.Max != 0) && (n < f.Min || f.Max != 0 && n > f.Max) {
		bounds := fmt.Sprintf("at least %d", f.Min)
		if f.Max != 0 {
			bounds = fmt.Sprintf("from %d to %d", f.Min, f.Max)
		}
		d.problem(name, fmt.Sprintf("%s is %d: give a number %s", name, n, bounds))
		return
	}
	into.SetInt(int64(n))
}

// checkText says what is wrong with a text value, or "". An empty value is refused
// for optional arguments too: it comes from an unset variable more often than from
// meaning "none".
func checkText(f Field, name, s string) string {
	switch {
	case len(f.Enum) > 0:
		for _, e := range f.Enum {
			if s == e {
				return ""
			}
		}
		text := fmt.Sprintf("%s is %s: use %s", name, quoted(s), orList(f.Enum))
		if near := Suggest(s, f.Enum); near != "" {
			text += fmt.Sprintf(" (did you mean %s?)", near)
		}
		return text
	case strings.TrimSpace(s) == "" && f.Required:
		return fmt.Sprintf("%s is empty: %s", name, f.Help)
	case strings.TrimSpace(s) == "":
		return fmt.Sprintf("%s is empty: leave it out or give %s", name, f.Help)
	case len(s) > f.Max && f.Max > 0:
		return fmt.Sprintf("%s is %d bytes long, starting %s: at most %d", name, len(s), quoted(s), f.Max)
	case f.Chars != CharsPath && !utf8.ValidString(s):
		return fmt.Sprintf("%s is %s, which is not valid UTF-8", name, quoted(s))
	}
	for _, r := range s {
		if r == 0 || f.Chars != CharsPath && control(r) && !(f.Chars == CharsText && (r == '\n' || r == '\t' || r == '\r')) {
			what := fmt.Sprintf("the control character %U", r)
			if r == '\n' || r == '\r' {
				what = "a line break"
			}
			return fmt.Sprintf("%s is %s, which holds %s: give it without", name, quoted(s), what)
		}
	}
	return ""
}

// control reports C0 and C1 control characters and the Unicode line separators.
func control(r rune) bool {
	return r < 0x20 || r >= 0x7f && r < 0xa0 || r == 0x2028 || r == 0x2029
}

// target is a struct value that fields are set in.
type target struct{ reflect.Value }

func newArgs(spec Spec) target {
	if spec.Args == nil {
		return target{}
	}
	t := reflect.TypeOf(spec.Args)
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return target{reflect.New(t).Elem()}
}

func (t target) field(f Field) reflect.Value { return t.FieldByIndex(f.index) }

// result gives the decoded struct in the shape of spec.Args.
func (t target) result(spec Spec) any {
	if spec.Args == nil {
		return nil
	}
	return t.Addr().Interface()
}

type memberOf struct {
	name  string
	value json.RawMessage
}

var errNotObject = errors.New("not a JSON object")

// readMembers splits a JSON object, keeping order and repeated names.
func readMembers(raw []byte) ([]memberOf, error) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	if tok, err := dec.Token(); err != nil || tok != json.Delim('{') {
		return nil, errNotObject
	}
	var out []memberOf
	for dec.More() {
		tok, err := dec.Token()
		if err != nil {
			return nil, err
		}
		name, ok := tok.(string)
		if !ok {
			return nil, errNotObject
		}
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return nil, err
		}
		out = append(out, memberOf{name, value})
	}
	if _, err := dec.Token(); err != nil {
		return nil, err
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, errNotObject
	}
	return out, nil
}

// describe says what a JSON value is, with the value quoted when it is short.
func describe(raw []byte) string {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || !json.Valid(raw) {
		return quoted(string(raw)) + " (not JSON)"
	}
	var s string
	if json.Unmarshal(raw, &s) == nil && raw[0] == '"' {
		return "the text " + quoted(s)
	}
	switch raw[0] {
	case '{':
		return "the object " + quoted(string(raw))
	case '[':
		return "the list " + quoted(string(raw))
	case 't', 'f', 'n':
		return string(raw)
	}
	return "the number " + quoted(string(raw))
}

// want says what a field's value looks like in JSON.
func want(f Field) string {
	switch f.Kind {
	case KindBool:
		return "true or false"
	case KindInt:
		return "a whole number"
	case KindList:
		return `a list of texts, as ["...","..."]`
	case KindObject:
		return "a JSON object, as " + exampleObject(f.Sub)
	case KindObjects:
		return "a list of objects, as [" + exampleObject(f.Sub) + "]"
	}
	if len(f.Enum) > 0 {
		return "one of the texts " + orList(f.Enum)
	}
	return "a text"
}

func exampleObject(fields []Field) string {
	var own []Field
	for _, f := range fields {
		if !f.MCPOnly {
			own = append(own, f)
		}
	}
	if len(own) == 0 {
		return "{}"
	}
	parts := make([]string, len(own))
	for i, f := range own {
		parts[i] = string(quoteJSON(f.Name)) + ":" + string(quoteJSON(placeholder(f)))
	}
	return "{" + strings.Join(parts, ",") + "}"
}

package verb

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
)

// Kind is what an argument holds.
type Kind int

// The kinds of arguments and the Go types they are read from.
const (
	KindText    Kind = iota // string
	KindBool                // bool
	KindInt                 // int
	KindList                // []string
	KindObject              // a struct with arg tags, or a map with string keys
	KindObjects             // []struct
)

// Chars says which characters a text argument may hold.
type Chars string

// The character classes: one line without control characters (the default), text
// with line breaks and tabs, or a path, which may hold anything but NUL.
const (
	CharsLine Chars = "line"
	CharsText Chars = "text"
	CharsPath Chars = "path"
)

// The longest values accepted unless a field says otherwise.
const (
	DefaultMaxLine = 4096  // bytes of one line or path
	DefaultMaxText = 16384 // bytes of text
	maxListLen     = 200   // elements of a list
)

// Field is one argument of a verb, read from a struct field's tags:
//
//	arg:"name"         the name on both faces (needed on every exported field)
//	help:"..."         what it is, without a capital or full stop
//	required:"true"    must be given; positional on the CLI, in struct order
//	positional:"true"  optional, but positional on the CLI, after the required ones
//	enum:"a,b"         the values a text may have
//	chars:"line|text|path"  see Chars
//	max:"n" min:"n"    bytes of a text, or the bounds of an int
//	value:"NAME"       the word that stands for the value in CLI help
//	mcp:"true"         a tool's argument only, not on the CLI
//
// The members of an object argument may use their json name and go without help.
type Field struct {
	Name       string
	Help       string
	Kind       Kind
	Required   bool
	Positional bool // Required, or an optional positional
	Enum       []string
	Chars      Chars
	Min, Max   int // Max is in bytes for texts; 0 and 0 mean no bounds for ints
	Value      string
	MCPOnly    bool
	Sub        []Field // the members of an object or of each object of a list

	index []int
}

// Fields reads an argument struct (or a pointer to one; nil has none). Required
// fields come first in the CLI's order because they are positional; MCP-only ones
// come last. The error names the struct field whose tags make no sense.
func Fields(args any) ([]Field, error) {
	if args == nil {
		return nil, nil
	}
	t := reflect.TypeOf(args)
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		return nil, fmt.Errorf("%s is not a struct", t)
	}
	fields, err := readStruct(t, nil, false)
	if err != nil {
		return nil, err
	}
	own := make([]Field, 0, len(fields))
	var last []Field
	for _, f := range fields {
		if f.MCPOnly {
			last = append(last, f)
		} else {
			own = append(own, f)
		}
	}
	fields = append(own, last...)
	return fields, checkOrder(fields)
}

// Fields returns the arguments of a spec. A struct that cannot be read is a mistake
// in the table, so it panics.
func (s Spec) Fields() []Field {
	fields, err := Fields(s.Args)
	if err != nil {
		panic(fmt.Sprintf("verb %q: %v", s.Name, err))
	}
	return fields
}

// Positionals returns the CLI's positional arguments in order: the required ones,
// then the optional positional ones.
func Positionals(fields []Field) []Field {
	var out []Field
	for _, f := range fields {
		if f.Required && !f.MCPOnly {
			out = append(out, f)
		}
	}
	for _, f := range fields {
		if !f.Required && f.Positional && !f.MCPOnly {
			out = append(out, f)
		}
	}
	return out
}

// Flags returns the CLI's flags in struct order.
func Flags(fields []Field) []Field {
	var out []Field
	for _, f := range fields {
		if !f.Positional && !f.MCPOnly {
			out = append(out, f)
		}
	}
	return out
}

func readStruct(t reflect.Type, prefix []int, nested bool) ([]Field, error) {
	var out []Field
	seen := map[string]bool{}
	for i := range t.NumField() {
		sf := t.Field(i)
		index := append(append([]int(nil), prefix...), i)
		if sf.Anonymous && sf.Type.Kind() == reflect.Struct {
			sub, err := readStruct(sf.Type, index, nested)
			if err != nil {
				return nil, err
			}
			out = append(out, sub...)
			continue
		}
		if !sf.IsExported() {
			continue
		}
		f, err := readField(sf, nested)
		if err != nil {
			return nil, fmt.Errorf("field %s: %w", sf.Name, err)
		}
		f.index = index
		out = append(out, f)
	}
	for _, f := range out {
		if seen[f.Name] {
			return nil, fmt.Errorf("argument %q is declared twice", f.Name)
		}
		seen[f.Name] = true
	}
	return out, nil
}

func readField(sf reflect.StructField, nested bool) (Field, error) {
	tag := sf.Tag
	f := Field{
		Name:     tag.Get("arg"),
		Help:     tag.Get("help"),
		Required: tag.Get("required") == "true",
		MCPOnly:  tag.Get("mcp") == "true",
		Chars:    CharsLine,
		Value:    tag.Get("value"),
	}
	f.Positional = f.Required || tag.Get("positional") == "true"
	if nested && f.Name == "" {
		f.Name, _, _ = strings.Cut(tag.Get("json"), ",")
	}
	if nested && f.Help == "" {
		f.Help = f.Name
	}
	if f.Name == "" || f.Help == "" {
		return f, fmt.Errorf("needs an arg and a help tag")
	}
	if f.Value == "" {
		f.Value = strings.ToUpper(f.Name)
	}
	if c := tag.Get("chars"); c != "" {
		f.Chars = Chars(c)
	}
	if f.Chars != CharsLine && f.Chars != CharsText && f.Chars != CharsPath {
		return f, fmt.Errorf("chars is %q", f.Chars)
	}
	if e := tag.Get("enum"); e != "" {
		f.Enum = strings.Split(e, ",")
	}
	if err := f.readType(sf.Type); err != nil {
		return f, err
	}
	if f.Kind == KindText || f.Kind == KindList {
		f.Max = DefaultMaxLine
		if f.Chars == CharsText {
			f.Max = DefaultMaxText
		}
	}
	for name, into := range map[string]*int{"min": &f.Min, "max": &f.Max} {
		if s := tag.Get(name); s != "" {
			n, err := strconv.Atoi(s)
			if err != nil {
				return f, fmt.Errorf("%s is %q", name, s)
			}
			*into = n
		}
	}
	if len(f.Enum) > 0 && f.Kind != KindText {
		return f, fmt.Errorf("only a string can have an enum")
	}
	return f, nil
}

func (f *Field) readType(t reflect.Type) (err error) {
	switch t.Kind() {
	case reflect.String:
		f.Kind = KindText
	case reflect.Bool:
		f.Kind = KindBool
	case reflect.Int:
		f.Kind = KindInt
	case reflect.Struct:
		f.Kind = KindObject
		f.Sub, err = readStruct(t, nil, true)
	case reflect.Pointer:
		if t.Elem().Kind() != reflect.Struct {
			return fmt.Errorf("%s is not a type of argument", t)
		}
		f.Kind = KindObject
		f.Sub, err = readStruct(t.Elem(), nil, true)
	case reflect.Map:
		f.Kind = KindObject
		if t.Key().Kind() != reflect.String {
			return fmt.Errorf("%s needs string keys", t)
		}
	case reflect.Slice:
		switch t.Elem().Kind() {
		case reflect.String:
			f.Kind = KindList
		case reflect.Struct:
			f.Kind = KindObjects
			f.Sub, err = readStruct(t.Elem(), nil, true)
		default:
			return fmt.Errorf("%s is not a type of argument", t)
		}
	default:
		return fmt.Errorf("%s is not a type of argument", t)
	}
	return err
}

// checkOrder refuses positionals that a command line could not tell apart.
func checkOrder(fields []Field) error {
	pos := Positionals(fields)
	for i, f := range pos {
		if f.Kind == KindBool {
			return fmt.Errorf("argument %q: a bool cannot be positional", f.Name)
		}
		if (f.Kind == KindList || f.Kind == KindObjects) && i != len(pos)-1 {
			return fmt.Errorf("argument %q: a list takes the rest, so it must be the last positional", f.Name)
		}
	}
	return nil
}

func fieldNamed(fields []Field, name string) *Field {
	for i := range fields {
		if fields[i].Name == name {
			return &fields[i]
		}
	}
	return nil
}

func names(fields []Field) []string {
	out := make([]string, len(fields))
	for i, f := range fields {
		out[i] = f.Name
	}
	return out
}

// Worktree returns the worktree argument of a decoded argument struct, or "".
func Worktree(args any) string {
	v := reflect.Indirect(reflect.ValueOf(args))
	fields, err := Fields(args)
	f := fieldNamed(fields, "worktree")
	if err != nil || f == nil || f.Kind != KindText || !v.IsValid() {
		return ""
	}
	return v.FieldByIndex(f.index).String()
}

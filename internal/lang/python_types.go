package lang

import (
	"strings"
	"unicode/utf8"
)

// pyTyping is what one file calls the types of Python's own modules, so that an
// annotation reads the same in the old spelling and the new: List[X] and list[X],
// t.Iterable and Iterable. That Optional[X] is X | None, SameType knows.
type pyTyping struct {
	// names maps a local name to the one its module gives it, modules those that stand
	// before a dot. The value is the module's name before the last dot, as in typing.List.
	names, modules map[string]string
	// everything is set where a file imports all names of typing at once.
	everything bool
}

// pyTypingModules spell types in several ways.
var pyTypingModules = map[string]bool{"typing": true, "typing_extensions": true, "collections.abc": true, "collections": true}

// pyBuiltin are the aliases that typing keeps for types which have a name of their own.
var pyBuiltin = map[string]string{
	"List": "list", "Dict": "dict", "Set": "set", "FrozenSet": "frozenset", "Tuple": "tuple", "Type": "type",
	"Deque": "deque", "DefaultDict": "defaultdict", "Text": "str", "AbstractSet": "Set",
}

func pyTypingNames(imports []Import) *pyTyping {
	y := &pyTyping{names: map[string]string{}, modules: map[string]string{}}
	for _, i := range imports {
		switch whole := i.Module + "." + i.Name; {
		case i.Kind == "glob" && (i.Module == "typing" || i.Module == "typing_extensions"):
			y.everything = true
		case i.Local == "":
		case i.Name != "" && pyTypingModules[i.Module]:
			y.names[i.Local] = i.Module + "." + i.Name
			if pyTypingModules[whole] { // from collections import abc
				y.modules[i.Local] = whole
			}
		case i.Name == "" && pyTypingModules[i.Module]:
			y.modules[i.Local] = i.Module
		}
	}
	if y.modules["collections"] == "collections.abc" { // import collections.abc binds the package
		y.modules["collections"] = "collections"
	}
	return y
}

// name returns the one name of a type.
func (y *pyTyping) name(written string) string {
	module, name := "", written
	if i := strings.LastIndexByte(written, '.'); i >= 0 {
		before := written[:i]
		name = written[i+1:]
		if module = y.modules[before]; module == "" && before == "collections.abc" && y.modules["collections"] != "" {
			module = before
		}
	} else if whole, ok := y.names[written]; ok {
		i := strings.LastIndexByte(whole, '.')
		module, name = whole[:i], whole[i+1:]
	} else if y.everything && pyBuiltin[written] != "" {
		module = "typing"
	}
	switch own := pyBuiltin[name]; {
	case module == "" || name == "":
		return written
	case own != "" && strings.HasPrefix(module, "typing"):
		return own
	}
	return name
}

// spell writes an annotation with the one name for each type. What Literal and Annotated
// hold is data and stays.
func (y *pyTyping) spell(text string) string {
	if len(y.names) == 0 && len(y.modules) == 0 && !y.everything {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); {
		switch c := text[i]; {
		case c == '"' || c == '\'':
			n := bracketed(text[i:])
			b.WriteString(text[i : i+n])
			i += n
		case wordRune(rune(c)) || c >= utf8.RuneSelf:
			n := i
			for n < len(text) && (text[n] == '.' || wordRune(rune(text[n])) || text[n] >= utf8.RuneSelf) {
				n++
			}
			name := y.name(text[i:n])
			b.WriteString(name)
			i = n
			if last := name[strings.LastIndexByte(name, '.')+1:]; i < len(text) && text[i] == '[' && (last == "Literal" || last == "Annotated") {
				n := bracketed(text[i:])
				b.WriteString(text[i : i+n])
				i += n
			}
		default:
			b.WriteByte(c)
			i++
		}
	}
	return b.String()
}

package footprint

import (
	"fmt"
	"slices"
	"strings"

	"gitlet/internal/lang"
	"gitlet/internal/model"
	"gitlet/internal/pattern"
)

// Difference is one thing callers of a symbol can notice.
type Difference struct {
	Text     string // in words: "parameter 2 became required"
	Breaking bool
}

// Breaking reports whether code written for old may fail with new. l is the
// language of both.
func Breaking(l *lang.Language, old, new model.Symbol) bool {
	for _, d := range Compare(l, old, new) {
		if d.Breaking {
			return true
		}
	}
	return false
}

// numbered are type parameters as comparison spells them ($1, and $T1 for a
// container's), since callers do not see their names.
var numbered = pattern.New(`\$T?([0-9]+)`)

// Compare lists what callers can notice between two versions of one symbol, the
// breaking differences first. It is empty when the signatures are the same. Names
// and places are not compared: what is renamed or moved is judged by the caller.
//
// A difference is compatible only when it is known to keep old callers working;
// everything else breaks.
func Compare(l *lang.Language, old, new model.Symbol) []Difference {
	c := comparer{l: l, old: old, new: new}
	if old.Kind != new.Kind {
		c.breaks("it was %s and is %s", article(old.Kind), article(new.Kind))
		return c.out
	}
	c.visibility()
	c.modifiers()
	c.list("type parameter", old.TypeParams, new.TypeParams)
	if l.Compat.NamedParams {
		c.namedParams()
	} else {
		c.positionalParams()
	}
	c.results()
	c.members()
	c.list("overload", old.Overloads, new.Overloads)
	if l.Compat.PrivateMembers && old.TypeMember && slices.Contains(old.Modifiers, "private") {
		for i := range c.out {
			c.out[i].Breaking = false
		}
	}
	if len(c.out) == 0 && old.SigHash != new.SigHash && sameName(old, new) {
		c.breaks("the declaration changed")
	}
	slices.SortStableFunc(c.out, func(a, b Difference) int { return rank(a) - rank(b) })
	for i := range c.out {
		c.out[i].Text = numbered.ReplaceAllString(c.out[i].Text, "T$1")
	}
	return c.out
}

func rank(d Difference) int {
	if d.Breaking {
		return 0
	}
	return 1
}

func article(k model.SymbolKind) string {
	if strings.ContainsRune("aeiou", rune((string(k) + " ")[0])) {
		return "an " + string(k)
	}
	return "a " + string(k)
}

// sameName reports whether the signature hashes are of one name, so that a
// difference between them is one of the signature.
func sameName(old, new model.Symbol) bool {
	return old.Name == new.Name && old.Container == new.Container
}

type comparer struct {
	l        *lang.Language
	old, new model.Symbol
	out      []Difference
}

func (c *comparer) breaks(format string, args ...any) {
	c.out = append(c.out, Difference{Text: fmt.Sprintf(format, args...), Breaking: true})
}

func (c *comparer) keeps(format string, args ...any) {
	c.out = append(c.out, Difference{Text: fmt.Sprintf(format, args...)})
}

// level orders the words for visibility, widest last.
func level(modifier string) (int, bool) {
	switch {
	case modifier == "private", modifier == "pub(self)":
		return 0, true
	case modifier == "protected", modifier == "pub(super)", strings.HasPrefix(modifier, "pub(in"):
		return 1, true
	case modifier == "internal", modifier == "crate", modifier == "pub(crate)":
		return 2, true
	case modifier == "public", modifier == "pub":
		return 3, true
	}
	return 0, false
}

// declaredLevel returns the word for visibility among a symbol's modifiers.
func declaredLevel(s model.Symbol) (word string, n int, ok bool) {
	for _, m := range s.Modifiers {
		if n, ok := level(m); ok {
			return m, n, true
		}
	}
	return "", 0, false
}

func (c *comparer) visibility() {
	if c.old.DefaultExport != c.new.DefaultExport {
		switch {
		case c.old.DefaultExport:
			c.breaks("it is no longer the default export")
		case c.old.Exported:
			c.breaks("it became the default export")
		default:
			c.keeps("it became the default export")
		}
	}
	oldWord, oldN, oldSaid := declaredLevel(c.old)
	newWord, newN, newSaid := declaredLevel(c.new)
	switch {
	case oldSaid && newSaid && oldN != newN:
		c.visible(newN > oldN, "visibility changed from %s to %s", oldWord, newWord)
	case oldSaid && !newSaid && oldN < 3:
		// Saying nothing means public to a member, private to a Rust item.
		c.visible(c.new.Exported || !strings.HasPrefix(oldWord, "pub"), "it is no longer %s", oldWord)
	case newSaid && !oldSaid && newN < 3:
		c.visible(!c.old.Exported && strings.HasPrefix(newWord, "pub"), "it became %s", newWord)
	case c.old.Exported && !c.new.Exported:
		c.breaks("it is no longer exported")
	case !c.old.Exported && c.new.Exported && !c.new.DefaultExport:
		c.keeps("it became exported")
	}
}

func (c *comparer) visible(wider bool, format string, args ...any) {
	if wider {
		c.keeps(format, args...)
	} else {
		c.breaks(format, args...)
	}
}

func (c *comparer) modifiers() {
	plain := func(s model.Symbol) []string {
		return slices.DeleteFunc(slices.Clone(s.Modifiers), func(m string) bool { _, vis := level(m); return vis })
	}
	old, new := plain(c.old), plain(c.new)
	for _, m := range old {
		if !slices.Contains(new, m) {
			c.breaks("it is no longer %s", trait(m))
		}
	}
	for _, m := range new {
		switch {
		case slices.Contains(old, m):
		case strings.HasPrefix(m, "exported as "):
			c.keeps("it became %s", trait(m))
		default:
			c.breaks("it became %s", trait(m))
		}
	}
	if c.old.TypeMember != c.new.TypeMember {
		c.breaks("it changed between a member and a free item")
	}
}

// trait puts a modifier into a sentence.
func trait(modifier string) string {
	switch modifier {
	case "alias", "async generator":
		return "an " + modifier
	case "generator", "property", "constant":
		return "a " + modifier
	case "get", "set":
		return "a " + modifier + "ter"
	case "classmethod":
		return "a class method"
	case "staticmethod":
		return "a static method"
	case "pointer-receiver":
		return "a method of the pointer"
	}
	if inner, ok := strings.CutPrefix(modifier, "in "); ok {
		return "wrapped in " + short(strings.TrimRight(inner, "("))
	}
	return short(modifier)
}

// list compares parts that must stay as they are, in their order.
func (c *comparer) list(what string, old, new []string) {
	for i := range max(len(old), len(new)) {
		switch {
		case i >= len(new):
			c.breaks("%s %d (%s) was removed", what, i+1, short(old[i]))
		case i >= len(old):
			c.breaks("%s %d (%s) was added", what, i+1, short(new[i]))
		case !lang.SameType(old[i], new[i]):
			c.breaks("%s %d changed from %s to %s", what, i+1, short(old[i]), short(new[i]))
		}
	}
}

func (c *comparer) results() {
	what := "the return type"
	switch {
	case c.old.Kind == model.KindConst || c.old.Kind == model.KindVar || c.old.Kind.TypeLike():
		what = "the type"
	case slices.Contains(c.new.Modifiers, "property") || slices.Contains(c.new.Modifiers, "get"):
		what = "the property's type"
	}
	if c.old.Results != "" && c.new.Results == "" {
		c.breaks("%s (%s) was removed", what, short(c.old.Results))
		return
	}
	c.typed(what, c.old.Results, c.new.Results)
}

// typed compares one type; an annotation added where there was none is compatible
// where types are annotations.
func (c *comparer) typed(what, old, new string) {
	switch {
	case lang.SameType(old, new):
	case old == "" && c.l.Compat.AnnotationsOptional:
		c.keeps("%s is now annotated as %s", what, short(new))
	case old == "":
		c.breaks("%s became %s", what, short(new))
	case new == "":
		c.breaks("%s no longer has the type %s", what, short(old))
	default:
		c.breaks("%s changed from %s to %s", what, short(old), short(new))
	}
}

// short bounds a type quoted in a reason, in bytes.
func short(s string) string {
	const limit = 120
	if len(s) <= limit {
		return s
	}
	return strings.ToValidUTF8(s[:limit], "") + "…"
}

package contract

import (
	"fmt"
	"slices"
	"strings"

	"gitlet/internal/lang"
	"gitlet/internal/model"
	"gitlet/internal/pattern"
)

// missing names what the definition uses that is otherwise on main, or not there at all.
func (b *builder) missing(got *parsed) []string {
	var out []string
	for _, name := range b.in.Added {
		if name != b.sym.Name && usesWord(b.text, name) && got.symbolNamed(name) == nil {
			out = append(out, fmt.Sprintf("it uses %s, which only your work has", name))
		}
	}
	for name := range b.mine.values() {
		if name != b.sym.Name && b.mine.uses(b.taken, name) && !got.values()[name] && got.symbolNamed(name) == nil && !slices.Contains(b.in.Added, name) {
			out = append(out, fmt.Sprintf("it uses %s, which only your work has", name))
		}
	}
	rest := string(b.mine.Src[:b.taken[0]]) + "\n" + string(b.mine.Src[b.taken[1]:])
	for _, m := range ownMember.FindAllStringSubmatch(string(b.mine.Src[b.taken[0]:b.taken[1]]), -1) {
		name := m[1]
		if said := fmt.Sprintf("it uses %s, which only your work has", name); !slices.Contains(out, said) && !slices.Contains(b.in.Added, name) &&
			usesWord(rest, name) && !usesWord(string(b.main.Src), name) {
			out = append(out, said)
		}
	}
	for _, name := range b.in.Changed {
		if name != b.sym.Name && name != b.target.Name && b.mine.uses(b.taken, name) && !slices.Contains(b.in.Added, name) {
			out = append(out, fmt.Sprintf("it uses %s, whose signature your work changes too", name))
		}
	}
	slices.Sort(out)
	return out
}

func (p *parsed) symbolNamed(name string) *model.Symbol {
	for i := range p.facts.Symbols {
		if p.facts.Symbols[i].Name == name {
			return &p.facts.Symbols[i]
		}
	}
	return nil
}

// usesWord reports whether text holds name as a word of its own.
func usesWord(text, name string) bool {
	for from := 0; name != ""; {
		i := strings.Index(text[from:], name)
		if i < 0 {
			return false
		}
		i += from
		end := i + len(name)
		if (i == 0 || !wordByte(text[i-1])) && (end == len(text) || !wordByte(text[end])) {
			return true
		}
		from = end
	}
	return false
}

func wordByte(c byte) bool {
	return c == '_' || c == '$' || c >= 0x80 || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// ownMember is a field or method of the object at hand; fields are no symbols.
var ownMember = pattern.New(`\b(?:this|self)\.(#?[\pL_$][\pL\pN_$]*)`)

// valueKinds are the declarations of constants and variables, most of which are no symbols.
var valueKinds = map[string]bool{
	"variable_declarator": true, "const_spec": true, "var_spec": true, "const_item": true, "static_item": true, "assignment": true,
}

// values are the names of the constants and variables at the top level of a file.
func (p *parsed) values() map[string]bool {
	out := map[string]bool{}
	var in func(n lang.Node)
	in = func(n lang.Node) {
		for c := range p.NamedChildren(n) {
			switch {
			case wrappers[p.Kind(c)]:
				in(c)
			case valueKinds[p.Kind(c)]:
				for m := range p.NamedChildren(c) {
					if f := p.Field(m); (f == "name" || f == "left") && p.Leaf(m) {
						out[p.Text(m)] = true
					}
				}
			}
		}
	}
	in(p.Root())
	return out
}

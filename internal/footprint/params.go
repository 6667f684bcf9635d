package footprint

import (
	"fmt"
	"slices"

	"gitlet/internal/model"
)

// required reports whether a call must pass the parameter.
func required(p model.Param) bool { return !p.Optional && !p.Default && !p.Variadic && p.Mode != "kw" }

// manner says how a parameter that need not be passed came to be so.
func manner(p model.Param) string {
	switch {
	case p.Variadic || p.Mode == "kw":
		return "as variadic"
	case p.Default:
		return "with a default"
	}
	return "as optional"
}

// positionalParams compares parameters that callers tell apart by place alone. What
// stays the same at both ends is set aside, so that one parameter put in or taken
// out is told as that.
func (c *comparer) positionalParams() {
	old, new := c.old.Params, c.new.Params
	front := 0
	for front < len(old) && front < len(new) && old[front] == new[front] {
		front++
	}
	back := 0
	for back < min(len(old), len(new))-front && old[len(old)-1-back] == new[len(new)-1-back] {
		back++
	}
	midOld, midNew := old[front:len(old)-back], new[front:len(new)-back]
	for i := range max(len(midOld), len(midNew)) {
		what := fmt.Sprintf("parameter %d", front+i+1)
		switch {
		case i >= len(midNew):
			c.breaks("%s (%s) was removed", what, paramText(midOld[i]))
		case i < len(midOld):
			c.param(what, midOld[i], midNew[i])
		case back > 0:
			c.breaks("%s (%s) was put in", what, paramText(midNew[i]))
		default:
			c.addedParam(fmt.Sprintf("%s (%s)", what, paramText(midNew[i])), midNew[i])
		}
	}
}

func paramText(p model.Param) string {
	switch {
	case p.Name != "":
		return fmt.Sprintf("%q", p.Name)
	case p.Type != "":
		return short(p.Type)
	}
	return "untyped"
}

func (c *comparer) addedParam(what string, p model.Param) {
	if required(p) {
		c.breaks("%s was added as required", what)
		return
	}
	c.keeps("%s was added %s", what, manner(p))
}

// param compares one parameter that kept its place (or its keyword).
func (c *comparer) param(what string, old, new model.Param) {
	if !(new.Default && required(old) && new.Type == "" && c.l.Compat.AnnotationsOptional) {
		// Otherwise the default now says what the annotation said.
		c.typed(what, old.Type, new.Type)
	}
	switch {
	case old.Variadic != new.Variadic && new.Variadic:
		c.breaks("%s became variadic", what)
	case old.Variadic != new.Variadic:
		c.breaks("%s is no longer variadic", what)
	case required(old) && !required(new):
		c.keeps("%s became optional", what)
	case !required(old) && required(new):
		c.breaks("%s became required", what)
	case old.Optional != new.Optional || old.Default != new.Default:
		c.keeps("%s may still be left out", what)
	}
	if old.Mode != new.Mode {
		c.breaks("%s is passed %s, not %s", what, modeText(new.Mode), modeText(old.Mode))
	}
}

func modeText(mode string) string {
	switch mode {
	case "pos":
		return "by position only"
	case "key":
		return "by keyword only"
	case "kw":
		return "as extra keywords"
	}
	return "by position or keyword"
}

// shape sorts a Python parameter list into the parts callers see.
type shape struct {
	positional []model.Param // by position, most also by keyword
	args, kw   *model.Param  // *args and **kwargs
	keys       []model.Param // by keyword only; their order means nothing
}

func shapeOf(params []model.Param) shape {
	var s shape
	for i, p := range params {
		switch {
		case p.Mode == "kw":
			s.kw = &params[i]
		case p.Variadic:
			s.args = &params[i]
		case p.Mode == "key":
			s.keys = append(s.keys, p)
		default:
			s.positional = append(s.positional, p)
		}
	}
	return s
}

func (s shape) key(name string) *model.Param {
	for i := range s.keys {
		if s.keys[i].Name == name {
			return &s.keys[i]
		}
	}
	return nil
}

func (s shape) index(name string) int {
	for i, p := range s.positional {
		if p.Name == name && p.Mode != "pos" {
			return i
		}
	}
	return -1
}

// namedParams compares parameters that callers may pass by name.
func (c *comparer) namedParams() {
	old, new := shapeOf(c.old.Params), shapeOf(c.new.Params)
	before := len(c.out)
	c.positionalNamed(old, new)
	c.collector("*args", old.args, new.args)
	for i, o := range old.keys {
		what := paramWords(i, o)
		switch n := new.key(o.Name); {
		case n != nil:
			c.param(what, o, *n)
		case new.index(o.Name) >= 0:
			c.breaks("%s is no longer passed by keyword only", what)
		default:
			c.breaks("%s was removed", what)
		}
	}
	for i, n := range new.keys {
		if old.key(n.Name) == nil && old.index(n.Name) < 0 {
			c.addedParam(paramWords(i, n), n)
		}
	}
	c.collector("**kwargs", old.kw, new.kw)
	if len(c.out) == before && !slices.Equal(c.old.Params, c.new.Params) {
		c.keeps("parameters changed in names and order that callers do not see")
	}
}

func paramWords(i int, p model.Param) string {
	if p.Name == "" {
		return fmt.Sprintf("parameter %d", i+1)
	}
	return fmt.Sprintf("parameter %q", p.Name)
}

// positionalNamed compares parameters that have a place and, most of them, a name.
func (c *comparer) positionalNamed(old, new shape) {
	told := make([]bool, len(new.positional)) // by the old parameter's reason
	last := -1                                // the furthest place of a parameter that stayed
	for i, o := range old.positional {
		what := paramWords(i, o)
		j := new.index(o.Name)
		if o.Mode == "pos" || o.Name == "" {
			j = -1
			if i < len(new.positional) && (new.positional[i].Mode == "pos" || new.positional[i].Name == o.Name) {
				j = i
			}
		}
		switch {
		case j >= 0:
			told[j] = true
			c.param(what, o, new.positional[j])
			if j < last {
				c.breaks("%s moved from place %d to %d", what, i+1, j+1)
			}
			last = max(last, j)
		case new.key(o.Name) != nil:
			c.breaks("%s is passed by keyword only now", what)
		case i < len(new.positional) && old.index(new.positional[i].Name) < 0 && !told[i]:
			told[i] = true
			last = max(last, i)
			c.replacedParam(what, o, new.positional[i])
		default:
			c.breaks("%s was removed", what)
		}
	}
	for j, n := range new.positional {
		if told[j] || old.key(n.Name) != nil { // the latter is told with the keyword-only ones
			continue
		}
		switch what := paramWords(j, n); {
		case j < last:
			c.breaks("%s was put in at place %d", what, j+1)
		case old.args != nil:
			c.breaks("%s was added in front of *args", what)
		default:
			c.addedParam(what, n)
		}
	}
}

// replacedParam judges a parameter with another name where the old one stood.
func (c *comparer) replacedParam(what string, o, n model.Param) {
	if o.Mode == "pos" || o.Name == "" || n.Mode == "pos" || n.Name == "" {
		c.breaks("%s is passed %s, not %s", what, modeText(n.Mode), modeText(o.Mode))
		return
	}
	c.breaks("%s was renamed to %q", what, n.Name)
}

// collector compares *args or **kwargs; their names mean nothing to callers.
func (c *comparer) collector(what string, old, new *model.Param) {
	switch {
	case old == nil && new == nil:
	case old == nil:
		c.keeps("%s was added", what)
	case new == nil:
		c.breaks("%s was removed", what)
	default:
		c.typed(what, old.Type, new.Type)
	}
}

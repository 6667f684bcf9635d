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

// positionalParams compares parameters that callers tell apart by place alone.
func (c *comparer) positionalParams() {
	old, new := c.old.Params, c.new.Params
	for i, o := range old {
		what := fmt.Sprintf("parameter %d", i+1)
		if i >= len(new) {
			c.breaks("%s (%s) was removed", what, paramText(o))
			continue
		}
		c.param(what, o, new[i])
	}
	for i := len(old); i < len(new); i++ {
		c.addedParam(fmt.Sprintf("parameter %d (%s)", i+1, paramText(new[i])), new[i])
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

func (c *comparer) positionalNamed(old, new shape) {
	for i, o := range old.positional {
		what := paramWords(i, o)
		if i >= len(new.positional) {
			if new.key(o.Name) != nil {
				c.breaks("%s is passed by keyword only now", what)
			} else {
				c.breaks("%s was removed", what)
			}
			continue
		}
		n := new.positional[i]
		byPlace := o.Mode == "pos" && n.Mode == "pos"
		if o.Name != n.Name && !byPlace {
			c.renamedParam(what, i, o, n, new)
			continue
		}
		c.param(what, o, n)
	}
	for i := len(old.positional); i < len(new.positional); i++ {
		n := new.positional[i]
		what := paramWords(i, n)
		switch {
		case old.key(n.Name) != nil:
			// Told with the keyword-only parameters.
		case old.args != nil:
			c.breaks("%s was added in front of *args", what)
		default:
			c.addedParam(what, n)
		}
	}
}

func (c *comparer) renamedParam(what string, i int, o, n model.Param, new shape) {
	switch at := new.index(o.Name); {
	case new.key(o.Name) != nil:
		c.breaks("%s is passed by keyword only now", what)
	case at >= 0 && at != i:
		c.breaks("%s moved from place %d to %d", what, i+1, at+1)
	case o.Name == "" || n.Name == "":
		c.breaks("%s is passed %s, not %s", what, modeText(n.Mode), modeText(o.Mode))
	default:
		c.breaks("%s was renamed to %q", what, n.Name)
	}
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

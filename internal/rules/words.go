package rules

import (
	"fmt"
	"sort"
	"strconv"
	"strings"
	"unicode"

	"gitlet/internal/model"
	"gitlet/internal/view"
)

// How much of other people's text a note shows, in characters.
const (
	maxLine      = 1000
	maxIntent    = 120
	maxSignature = 300
	maxPath      = 200
	maxListed    = 5 // places, files or symbols listed in one line
	maxReasons   = 3 // differences between two signatures
	maxNamed     = 3 // counterparts named in a title
)

// fold puts text on one line: every run of spaces, line breaks and control characters
// becomes one space, and characters that hide or reorder text are dropped.
func fold(s string) string {
	var b strings.Builder
	gap := false
	for _, r := range strings.ToValidUTF8(s, "\uFFFD") {
		switch {
		case unicode.IsSpace(r) || unicode.IsControl(r) || unicode.In(r, unicode.Zl, unicode.Zp):
			gap = true
			continue
		case unicode.Is(unicode.Cf, r):
			continue
		}
		if gap && b.Len() > 0 {
			b.WriteByte(' ')
		}
		gap = false
		b.WriteRune(r)
	}
	return b.String()
}

// line is the last gate of everything a note says: no line break or control character
// passes it, whatever the parts held.
func line(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.In(r, unicode.Zl, unicode.Zp) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
	return cut(s, maxLine)
}

// asName is a name as it stands in gitlet's own sentences: one that could pass for words of
// such a sentence is quoted.
func asName(name string) string {
	if strings.ContainsAny(name, " \u00a0\u2003\u3000") {
		return strconv.Quote(name)
	}
	return name
}

// cut shortens s to max characters, the last one an ellipsis when something is gone.
func cut(s string, max int) string {
	if len(s) <= max {
		return s
	}
	rs := []rune(s)
	if len(rs) <= max {
		return s
	}
	return strings.TrimRight(string(rs[:max-1]), " ") + "…"
}

// task is another agent's intent in quotes it cannot close.
func task(s string) string {
	return `"` + strings.ReplaceAll(cut(fold(s), maxIntent), `"`, "'") + `"`
}

// signature is a symbol's declaration, ready to stand in a line.
func signature(s string) string {
	if s = cut(fold(s), maxSignature); s == "" {
		return "(signature not known)"
	}
	return s
}

// place is a path or a canonical symbol name, ready to stand in a line.
func place(s string) string { return cut(fold(s), maxPath) }

// name is how evidence refers to a counterpart.
func name(p view.Peer) string {
	if !p.Mine {
		return p.Agent.ID
	}
	if fold(p.Item.Intent) == "" {
		return "your other task " + p.Item.ID
	}
	return "your other task " + task(p.Item.Intent)
}

// who introduces a counterpart with its task and what to know about its state.
func who(p view.Peer) string {
	var about []string
	if fold(p.Item.Intent) != "" {
		if !p.Mine {
			about = append(about, "task: "+task(p.Item.Intent))
		}
		if p.Item.Provisional {
			about = append(about, "guessed from its branch")
		}
	}
	if p.Item.Status == model.ItemSubmitted {
		about = append(about, "submitted")
	}
	s := name(p)
	if len(about) > 0 {
		s += " (" + strings.Join(about, ", ") + ")"
	}
	switch {
	case p.Idle() && p.IdleSince.IsZero():
		s += " (idle)"
	case p.Idle():
		s += " (idle since " + p.IdleSince.UTC().Format("2006-01-02 15:04 UTC") + ")"
	}
	return s
}

// peers introduces the counterparts of the findings: "A", "A and B", "A, B and 2 more".
func peers(fs []finding, extra ...string) string {
	var names []string
	for i, f := range fs {
		if i == maxNamed && len(fs) > maxNamed {
			names = append(names, fmt.Sprintf("%d more", len(fs)-maxNamed))
			break
		}
		names = append(names, who(*f.peer))
	}
	return joinAnd(append(names, extra...))
}

func joinAnd(parts []string) string {
	if n := len(parts); n > 1 {
		return strings.Join(parts[:n-1], ", ") + " and " + parts[n-1]
	}
	return strings.Join(parts, "")
}

// listed is a comma list of at most maxListed, with the number of the rest.
func listed(xs []string) string {
	if extra := len(xs) - maxListed; extra > 0 {
		return strings.Join(xs[:maxListed], ", ") + fmt.Sprintf(" and %d more", extra)
	}
	return strings.Join(xs, ", ")
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// isAre picks the verb for a list of n counterparts.
func isAre(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

// doing says what the counterpart does to the symbol called it: "removing X",
// "renaming X to Y".
func doing(f finding, it string) string {
	c := f.theirs
	if f.bring && c.Change != model.ChangeAdded {
		return "turning " + place(before(c).Canonical()) + " into " + it
	}
	switch c.Change {
	case model.ChangeAdded:
		return "adding " + it
	case model.ChangeRemoved:
		return "removing " + it
	case model.ChangeRenamed:
		return "renaming " + it + " to " + place(c.Symbol.Qualified)
	case model.ChangeMoved:
		return "moving " + it + " to " + place(c.Symbol.Path)
	case model.ChangeBody:
		return "changing the body of " + it
	}
	return "changing the signature of " + it
}

// yours says what I do to it, as a clause of its own.
func yours(f finding) string {
	c := f.mine
	if f.bring && c.Change != model.ChangeAdded {
		return "you turn " + place(before(c).Canonical()) + " into it"
	}
	switch c.Change {
	case model.ChangeAdded:
		return "you add it too"
	case model.ChangeRemoved:
		return "you remove it"
	case model.ChangeRenamed:
		return "you rename it to " + place(c.Symbol.Qualified)
	case model.ChangeMoved:
		return "you move it to " + place(c.Symbol.Path)
	case model.ChangeBody:
		return "you change its body"
	}
	return "you change its signature"
}

// becomes says what a symbol is after a change, with the verdict on old callers.
func becomes(c *model.SymbolChange) string {
	verdict := "compatible"
	if breaking(c) {
		verdict = "breaking"
	}
	switch c.Change {
	case model.ChangeRemoved:
		return "removed  (" + verdict + ")"
	case model.ChangeRenamed:
		return signature(c.Symbol.Signature) + "  (" + verdict + ", renamed to " + place(c.Symbol.Qualified) + ")"
	case model.ChangeMoved:
		return signature(c.Symbol.Signature) + "  (" + verdict + ", moved to " + place(c.Symbol.Path) + ")"
	case model.ChangeBody:
		return "same signature, other body"
	case model.ChangeAdded:
		return signature(c.Symbol.Signature)
	}
	return signature(c.Symbol.Signature) + "  (" + verdict + ")"
}

// reasons says what is different for callers, when the change does not say it itself.
func reasons(c *model.SymbolChange) []fact {
	if len(c.Reasons) == 0 || c.Change == model.ChangeRemoved || c.Change == model.ChangeRenamed && !c.SigChanged {
		return nil
	}
	shown := c.Reasons
	if len(shown) > maxReasons+1 { // one more takes no more room than saying so
		shown = shown[:maxReasons]
	}
	var out []string
	for _, r := range shown {
		out = append(out, cut(fold(r), maxPath))
	}
	if extra := len(c.Reasons) - len(shown); extra > 0 {
		out = append(out, fmt.Sprintf("and %d more", extra))
	}
	return []fact{{"what changed", strings.Join(out, "; ")}}
}

// clauses says in say's words what each counterpart does to the subject, the same
// doings together: "A and B are removing X and C is changing the signature of it".
func clauses(fs []finding, subject string, say func(f finding, it string) string) string {
	groups := map[string][]finding{}
	var order []string
	for _, f := range fs {
		d := say(f, "\x00")
		if groups[d] == nil {
			order = append(order, d)
		}
		groups[d] = append(groups[d], f)
	}
	var parts []string
	for i, d := range order {
		it := subject
		if i > 0 {
			it = "it"
		}
		g := groups[d]
		parts = append(parts, peers(g)+" "+isAre(len(g))+" "+strings.Replace(d, "\x00", it, 1))
	}
	return joinAnd(parts)
}

// using says how code uses a symbol: "calls", "uses". One kind of reference gets its
// own verb.
func using(refs []model.Ref, c *model.SymbolChange) string {
	kinds := map[model.RefKind]bool{}
	for _, r := range refs {
		kinds[r.Kind] = true
	}
	if len(kinds) == 1 {
		switch refs[0].Kind {
		case model.RefCall:
			return "calls"
		case model.RefConstruct:
			if !c.Symbol.Kind.TypeLike() {
				return "calls" // a constructor
			}
			return "constructs"
		case model.RefExtends:
			return "extends"
		}
	}
	return "uses"
}

// places lists where references stand: "src/load.ts:12, src/load.ts:40 and 3 more".
func places(refs []model.Ref) string {
	sorted := append([]model.Ref(nil), refs...)
	sort.SliceStable(sorted, func(i, j int) bool {
		a, b := sorted[i], sorted[j]
		return a.Path < b.Path || a.Path == b.Path && a.Line < b.Line
	})
	var out []string
	for _, r := range sorted {
		p := fmt.Sprintf("%s:%d", place(r.Path), r.Line)
		if n := len(out); n == 0 || out[n-1] != p {
			out = append(out, p)
		}
	}
	return listed(out)
}

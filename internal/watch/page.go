package watch

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"gitlet/internal/model"
	"gitlet/internal/render"
	"gitlet/internal/verb"
	"gitlet/internal/verbs"
)

// Page is how things stand, in lines of at most width characters.
func Page(r *verb.Result, width int) []string {
	p := page{width: max(width, 40)}
	d, ok := r.Data.(verbs.StatusData)
	if !ok {
		p.wrap("", "gitlet: "+render.Fold(r.Summary))
		p.warnings(r)
		return p.lines
	}
	p.wrap("", "gitlet in "+render.Fold(d.Worktree)+", "+age(r))
	p.warnings(r)
	p.main(d)
	p.items(d)
	p.overlaps(d)
	p.notes(d.Notes)
	return p.lines
}

// age says how old the others' state is; what is not known is not said to be new.
func age(r *verb.Result) string {
	switch {
	case r.OfflineSince != "" && r.StateAge != "":
		return "offline since " + r.OfflineSince + ", others as of " + r.StateAge + " ago"
	case r.OfflineSince != "":
		return "offline since " + r.OfflineSince
	case r.StateAge == "":
		return "others as this clone knows them"
	}
	return "others as of " + r.StateAge + " ago"
}

type page struct {
	width int
	lines []string
}

func (p *page) warnings(r *verb.Result) {
	for _, w := range r.Warnings {
		p.wrap("! ", render.Fold(w))
	}
}

func (p *page) title(t string) {
	p.lines = append(p.lines, "")
	p.wrap("", t)
}

func (p *page) main(d verbs.StatusData) {
	if d.Main != nil && d.Main.Ahead > 0 {
		line := fmt.Sprintf("%s is %d ahead of this branch", render.Fold(d.Main.Name), d.Main.Ahead)
		if n := len(d.Main.Conflicts); n > 0 {
			line += fmt.Sprintf("; an update would conflict in %d files", n)
		}
		p.wrap("", line)
	}
}

func (p *page) items(d verbs.StatusData) {
	p.title("WORK IN FLIGHT")
	if len(d.Items) == 0 {
		p.wrap("  ", "none")
	}
	for _, it := range d.Items {
		mark := "  "
		if it.You {
			mark = "* "
		}
		head := render.Fold(it.Agent) + "  " + it.Status
		if it.Idle {
			head += ", idle"
		}
		head += "  " + count(it.Files, "file") + ", " + count(it.Symbols, "symbol")
		if it.Branch != "" {
			head += "  on " + render.Fold(it.Branch)
		}
		p.wrap(mark, head)
		intent := "unnamed work"
		if !it.Provisional {
			intent = fmt.Sprintf("%q", render.Fold(it.Intent))
		}
		p.wrap("    ", intent)
	}
	for _, c := range d.Claims {
		p.wrap("  ", fmt.Sprintf("%s owns %s", render.Fold(c.Owner), render.Fold(c.Name)))
	}
	for _, n := range d.Needs {
		if n.Pinned {
			continue // it waits for nothing
		}
		p.wrap("  ", fmt.Sprintf("%s needs %s", render.Fold(n.Agent), render.Fold(n.Name)))
	}
}

func (p *page) overlaps(d verbs.StatusData) {
	if len(d.Overlaps) == 0 {
		return
	}
	p.title("OVERLAPS WITH THIS WORKTREE")
	for _, o := range d.Overlaps {
		what := o.Symbols
		if len(what) == 0 {
			what = o.Files
		}
		line := render.Fold(o.Agent) + "  " + few(what)
		switch {
		case len(o.Conflicts) > 0:
			line += "; would conflict in " + few(o.Conflicts)
		case o.Conflicts != nil:
			line += "; git merges it"
		}
		p.wrap("  ", line)
	}
}

func (p *page) notes(all []model.Note) {
	act := 0
	for _, n := range all {
		if n.Severity == model.Act {
			act++
		}
	}
	p.title(fmt.Sprintf("OPEN NOTES OF THIS WORKTREE: %d, %d to act on", len(all), act))
	for _, n := range all {
		p.wrap("  ", fmt.Sprintf("[%s] %s %s", n.Severity, render.Fold(n.ID), render.Fold(n.Title)))
	}
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

func few(list []string) string {
	const most = 3
	out := make([]string, 0, most)
	for _, s := range list[:min(len(list), most)] {
		out = append(out, render.Fold(s))
	}
	text := strings.Join(out, ", ")
	if n := len(list) - most; n > 0 {
		text += fmt.Sprintf(" and %d more", n)
	}
	return text
}

// wrap adds text in lines of the page's width, the first behind lead, the others behind
// as much space. A word that is too long for a line is broken.
func (p *page) wrap(lead, text string) {
	pad := strings.Repeat(" ", utf8.RuneCountInString(lead))
	line, room := lead, p.width-utf8.RuneCountInString(lead)
	used := 0
	put := func(w string) {
		if used > 0 && used+1+utf8.RuneCountInString(w) > room {
			p.lines = append(p.lines, line)
			line, used = pad, 0
		}
		if used > 0 {
			line += " "
			used++
		}
		line += w
		used += utf8.RuneCountInString(w)
	}
	for _, w := range strings.Fields(text) {
		for r := []rune(w); ; r = r[room:] {
			if len(r) <= room {
				put(string(r))
				break
			}
			put(string(r[:room]))
		}
	}
	p.lines = append(p.lines, line)
}

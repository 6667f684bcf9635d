package setup

import (
	"bytes"
	"errors"
	"io/fs"
)

// Change is one file that is written or removed.
type Change struct {
	Path   string `json:"path"`   // as people know it: from the root of the worktree, or absolute
	Action string `json:"action"` // "create", "edit" or "remove"
	What   string `json:"what"`
	// Before and After are the whole file; nil for one that is not there.
	Before *string `json:"before"`
	After  *string `json:"after"`

	file          string // absolute, links resolved
	whole         bool
	mode          fs.FileMode
	before, after text
}

// Kept is something that is left as it is, and why.
type Kept struct {
	Path string `json:"path"`
	Why  string `json:"why"`
}

// Problem is a file that should hold something and is left alone.
type Problem struct {
	Path    string   `json:"path"`
	What    string   `json:"what"`
	ToDo    string   `json:"toDo"`
	Snippet []string `json:"snippet,omitempty"`
}

// Setting is one setting of git's in the clone's own file.
type Setting struct {
	Key  string `json:"key"`
	From string `json:"from"` // "" for not set
	To   string `json:"to"`   // "" for taken out
	Undo string `json:"undo"` // the command that puts the old one back
}

// Plan is what is going to be done, and what is not and why.
type Plan struct {
	Changes  []Change  `json:"changes"`
	Settings []Setting `json:"settings"`
	Kept     []Kept    `json:"kept"`
	Problems []Problem `json:"problems"`
	// Advice are files of other tools that people may want to put lines into.
	Advice []Problem `json:"advice"`
	// Learned says what was learned from main's merges, "" for nothing new.
	Learned string `json:"learned,omitempty"`

	record *string // what git settings init answers for, afterwards; nil for unchanged
}

// Empty is whether there is nothing to do.
func (p *Plan) Empty() bool { return len(p.Changes) == 0 && len(p.Settings) == 0 }

// Found is a file as it stands on the disk.
type Found struct {
	Data    []byte
	Missing bool
	File    string // where it really is, links followed
	Mode    fs.FileMode
	// Why it is not to be touched, "" when it may.
	Off, ToDo string
}

// Disk reads files without changing any.
type Disk interface {
	Read(path string) Found
}

// clientFiles plans what one client's files need; remove plans taking it out.
func (p *Plan) clientFiles(d Disk, c Client, built func(string) bool, remove bool) {
	for _, f := range c.files(built) {
		do := f.add
		if remove {
			do = f.remove
		}
		p.plan(d, f, do, remove)
	}
}

// plan looks at one file.
func (p *Plan) plan(d Disk, f file, do edit, remove bool) {
	found := d.Read(f.path)
	if remove && found.Missing {
		return
	}
	if found.Off != "" && remove {
		p.Kept = append(p.Kept, Kept{f.path, "left alone: " + found.Off})
		return
	}
	if found.Off != "" {
		p.Problems = append(p.Problems, Problem{Path: f.path, What: found.Off, ToDo: found.ToDo})
		return
	}
	was := text{data: found.Data, missing: found.Missing}
	now, told, err := do(was)
	var off *leftAlone
	switch {
	case errors.As(err, &off) && remove:
		// What cannot be read holds nothing that init put in.
		p.Kept = append(p.Kept, Kept{f.path, "left alone: " + off.what})
		return
	case errors.As(err, &off):
		p.Problems = append(p.Problems, Problem{Path: f.path, What: off.what, ToDo: off.toDo, Snippet: off.snippet})
		return
	case err != nil:
		p.Problems = append(p.Problems, Problem{Path: f.path, What: err.Error(), ToDo: "look at the file"})
		return
	}
	if told != "" {
		p.Kept = append(p.Kept, Kept{f.path, told})
	}
	if now.equal(was) {
		return
	}
	// What was planned must stand when it is planned again; a file that cannot hold it is
	// left alone.
	if again, _, err := do(now); err != nil || !again.equal(now) {
		p.Problems = append(p.Problems, Problem{Path: f.path, What: "it cannot be edited safely", ToDo: "do it by hand"})
		return
	}
	p.add(f.path, f.what, found, was, now, f.whole)
}

func (p *Plan) add(path, what string, found Found, was, now text, whole bool) {
	c := Change{Path: path, What: what, file: found.File, mode: found.Mode, before: was, after: now, whole: whole, Action: "edit"}
	if was.missing {
		c.Action = "create"
	} else {
		s := string(was.data)
		c.Before = &s
	}
	if now.missing {
		c.Action = "remove"
	} else {
		s := string(now.data)
		c.After = &s
	}
	p.Changes = append(p.Changes, c)
}

// Diff are the lines that a change takes out and puts in, and the line they begin at.
func (c Change) Diff() (line int, out, in []string) {
	a, b := diffLines(c.before.data), diffLines(c.after.data)
	head := 0
	for head < len(a) && head < len(b) && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < len(a)-head && tail < len(b)-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	return head + 1, a[head : len(a)-tail], b[head : len(b)-tail]
}

func diffLines(data []byte) []string {
	if len(data) == 0 {
		return nil
	}
	var out []string
	for _, l := range bytes.SplitAfter(data, []byte("\n")) {
		if len(l) > 0 {
			out = append(out, string(bytes.TrimRight(l, "\r\n")))
		}
	}
	return out
}

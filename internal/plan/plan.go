package plan

import (
	"path"
	"slices"
	"strings"

	"gitlet/internal/glob"
	"gitlet/internal/lang"
)

// Task is something to be done, with what it will touch: files, folders or globs, and
// symbols as path:Name.
type Task struct {
	Name    string
	Paths   []string
	Symbols []string
	After   []string // names of tasks that have to be over first
}

// Work is work that is going on.
type Work struct {
	Agent, Item, Intent string
	Files, Symbols      []string // symbols as path:Name
}

// Kind is what two sides have in common.
type Kind string

// The kinds. In the same file with different symbols is worth knowing and no collision.
const (
	SameSymbol Kind = "same_symbol"
	SamePath   Kind = "same_path"
	SameFile   Kind = "same_file"
)

// Meeting is what two tasks, or a task and work going on, both touch.
type Meeting struct {
	Kind Kind     `json:"kind"`
	What []string `json:"what"`
	A, B int      `json:"-"` // tasks; B is the index of the work for a meeting with work
}

// Collides reports that the two should not run at the same time.
func (m Meeting) Collides() bool { return m.Kind != SameFile }

// Plan is the advice.
type Plan struct {
	Tasks  []Meeting // between tasks
	Works  []Meeting // between a task and work going on
	Waves  [][]int   // indexes of tasks; those of one wave can run at the same time
	Circle []int     // tasks that wait for each other in a circle, and are in no wave
}

// Make plans the tasks, which keep their order where nothing speaks against it.
func Make(tasks []Task, works []Work) Plan {
	var p Plan
	clash := map[[2]int]bool{}
	for a := range tasks {
		for b := a + 1; b < len(tasks); b++ {
			if m, ok := meet(tasks[a].Paths, tasks[a].Symbols, tasks[b].Paths, tasks[b].Symbols); ok {
				m.A, m.B = a, b
				p.Tasks = append(p.Tasks, m)
				clash[[2]int{a, b}] = m.Collides()
			}
		}
		for w, work := range works {
			paths := work.Files
			if len(work.Symbols) > 0 {
				paths = without(work.Files, work.Symbols)
			}
			if m, ok := meet(tasks[a].Paths, tasks[a].Symbols, paths, work.Symbols); ok {
				m.A, m.B = a, w
				p.Works = append(p.Works, m)
			}
		}
	}
	p.waves(tasks, clash)
	return p
}

// without are the files that no symbol is known of.
func without(files, symbols []string) []string {
	in := map[string]bool{}
	for _, s := range symbols {
		in[fileOf(s)] = true
	}
	var out []string
	for _, f := range files {
		if !in[f] {
			out = append(out, f)
		}
	}
	return out
}

func fileOf(symbol string) string {
	if f := lang.PathIn(symbol); f != "" {
		return f
	}
	f, _, _ := strings.Cut(symbol, ":")
	return f
}

func (p *Plan) waves(tasks []Task, clash map[[2]int]bool) {
	named := map[string][]int{}
	for i, t := range tasks {
		named[t.Name] = append(named[t.Name], i)
	}
	wave := make([]int, len(tasks)) // 0 for none yet
	for left := len(tasks); left > 0; {
		before := left
		for i, t := range tasks {
			if wave[i] != 0 {
				continue
			}
			at, ready := 1, true
			for _, name := range t.After {
				for _, d := range named[name] {
					if d != i {
						ready = ready && wave[d] != 0
						at = max(at, wave[d]+1)
					}
				}
			}
			if !ready {
				continue
			}
			for taken := true; taken; {
				taken = false
				for j := range tasks {
					if wave[j] == at && (clash[[2]int{i, j}] || clash[[2]int{j, i}]) {
						taken = true
						at++
						break
					}
				}
			}
			wave[i] = at
			left--
		}
		if left == before {
			break
		}
	}
	for i, w := range wave {
		if w == 0 {
			p.Circle = append(p.Circle, i)
			continue
		}
		for len(p.Waves) < w {
			p.Waves = append(p.Waves, nil)
		}
		p.Waves[w-1] = append(p.Waves[w-1], i)
	}
}

// meet finds what two sides have in common, the gravest kind first.
func meet(aPaths, aSymbols, bPaths, bSymbols []string) (Meeting, bool) {
	var symbols, paths, files []string
	for _, a := range aSymbols {
		for _, b := range bSymbols {
			switch {
			case within(a, b):
				symbols = append(symbols, a)
			case within(b, a):
				symbols = append(symbols, b)
			case path.Clean(fileOf(a)) == path.Clean(fileOf(b)):
				files = append(files, path.Clean(fileOf(a)))
			}
		}
		for _, b := range bPaths {
			if covers(b, fileOf(a)) {
				paths = append(paths, a)
			}
		}
	}
	for _, a := range aPaths {
		for _, b := range bSymbols {
			if covers(a, fileOf(b)) {
				paths = append(paths, b)
			}
		}
		for _, b := range bPaths {
			switch {
			case covers(a, b):
				paths = append(paths, path.Clean(b))
			case covers(b, a):
				paths = append(paths, path.Clean(a))
			}
		}
	}
	for _, k := range []struct {
		kind Kind
		what []string
	}{{SameSymbol, symbols}, {SamePath, paths}, {SameFile, files}} {
		if len(k.what) > 0 {
			slices.Sort(k.what)
			return Meeting{Kind: k.kind, What: slices.Compact(k.what)}, true
		}
	}
	return Meeting{}, false
}

// within reports whether symbol a is b or a member of it.
func within(a, b string) bool { return a == b || strings.HasPrefix(a, b+".") }

// covers reports whether a file, folder or glob holds a file or folder.
func covers(what, file string) bool {
	w, f := path.Clean(what), path.Clean(file)
	return w == "." || w == f || strings.HasPrefix(f, w+"/") || strings.ContainsAny(w, "*?[") && glob.Match(w, f)
}

package main

import (
	"fmt"
	"sort"
	"strings"

	"gitlet/internal/lang"
	"gitlet/internal/pattern"
	"gitlet/internal/symbols"
)

// miscounted lists what a merged file has more or less often than both sides' changes
// account for: definitions and members by their names, each imported name, and statements
// at the top level by their text. The driver is not asked: the syntax tree is read here.
func miscounted(path string, base, ours, theirs, result []byte) []string {
	b, o, t, n := things(path, base), things(path, ours), things(path, theirs), things(path, result)
	all := map[string]bool{}
	for _, set := range []map[string]int{b, o, t, n} {
		for x := range set {
			all[x] = true
		}
	}
	var out []string
	for x := range all {
		want := max(0, o[x]+t[x]-b[x])
		if o[x] == t[x] {
			want = o[x]
		}
		if n[x] != want {
			out = append(out, fmt.Sprintf("%d instead of %d times: %s", n[x], want, x))
		}
	}
	sort.Strings(out)
	return out
}

var serial = pattern.New(`#[0-9]+$`)

func things(path string, text []byte) map[string]int {
	out := map[string]int{}
	l := lang.ForPath(path)
	if l == nil {
		for line := range strings.Lines(string(text)) {
			if line = strings.TrimSpace(line); line != "" {
				out["line "+line]++
			}
		}
		return out
	}
	tree, err := symbols.Parse(l, text, symbols.DefaultLimits)
	if err != nil {
		return out
	}
	facts, err := symbols.Facts(l, tree)
	if err != nil {
		return out
	}
	for _, s := range facts.Symbols {
		out["definition "+serial.ReplaceAllString(s.Qualified, "")]++
	}
	for _, i := range facts.Imports {
		out[fmt.Sprintf("import %s %s as %s", i.Module, i.Name, i.Local)]++
	}
	for c := range tree.NamedChildren(tree.Root()) {
		kind := tree.Kind(c)
		if strings.Contains(kind, "comment") || strings.Contains(kind, "import") || strings.Contains(kind, "use_declaration") {
			continue
		}
		if strings.Contains(kind, "definition") || strings.Contains(kind, "declaration") || strings.HasSuffix(kind, "_item") || strings.HasPrefix(kind, "export") {
			continue // counted by its name
		}
		out["statement "+strings.Join(strings.Fields(tree.Text(c)), " ")]++
	}
	return out
}

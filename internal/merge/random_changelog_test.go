package merge

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// section is a heading of a changelog with its entries.
type section struct {
	head    string
	entries []string
}

func changelog(list []section) string {
	var b strings.Builder
	b.WriteString("# Changes\n")
	for _, s := range list {
		b.WriteString("\n" + s.head + "\n\n")
		for _, e := range s.entries {
			b.WriteString("- " + e + "\n")
			if strings.HasPrefix(e, "long") {
				b.WriteString("  [and more of " + e + "]\n")
			}
		}
	}
	return b.String()
}

// changed makes a few random changes: entries come, change and go, and now and then a
// release is cut.
func changed(r *rand.Rand, list []section, who string) []section {
	out := make([]section, len(list))
	for i, s := range list {
		out[i] = section{s.head, slices.Clone(s.entries)}
	}
	for n := range 1 + r.IntN(4) {
		s := &out[0]
		if r.IntN(4) == 0 {
			s = &out[r.IntN(len(out))]
		}
		at := r.IntN(len(s.entries) + 1)
		switch r.IntN(9) {
		case 0:
			if at < len(s.entries) {
				s.entries = slices.Delete(s.entries, at, at+1)
			}
		case 1:
			if at < len(s.entries) && !strings.Contains(s.entries[at], ", ") {
				s.entries[at] += ", " + who + "'s"
			}
		case 2:
			if !strings.Contains(out[0].head, who) {
				out = slices.Insert(out, 0, section{"## Of " + who, []string{"cut by " + who}})
			}
		case 3:
			if !slices.Contains(s.entries, "same") {
				s.entries = slices.Insert(s.entries, at, "same")
			}
		default:
			if r.IntN(2) == 0 {
				at = 0
			}
			s.entries = slices.Insert(s.entries, at, fmt.Sprintf("%s %s%d", []string{"long", "short"}[n%2], who, n))
		}
	}
	return out
}

// TestRandomChangelogs merges changelogs that two sides changed at random, and reads what
// comes out line by line: under each heading stands what both sides' changes come to, once,
// and each side's lines are in its order.
func TestRandomChangelogs(t *testing.T) {
	merged := 0
	for seed := range 4 * *rounds {
		r := rand.New(rand.NewPCG(uint64(seed), 11))
		base := []section{{"## Unreleased", []string{"one", "long two", "three"}}, {"## 1.0", []string{"four", "five"}}}
		ours, theirs := changed(r, base, "o"), changed(r, base, "t")
		v := Versions{"CHANGELOG.md", []byte(changelog(base)), []byte(changelog(ours)), []byte(changelog(theirs))}
		got, err := Changelog(v, byNone)
		if err != nil {
			continue
		}
		merged++
		if wrong := judgeChangelog(v, string(got)); wrong != "" {
			t.Fatalf("seed %d: %s\nbase:\n%s\nours:\n%s\ntheirs:\n%s\nmerged:\n%s", seed, wrong, v.Base, v.Ours, v.Theirs, got)
		}
	}
	t.Logf("%d of %d merged", merged, 4**rounds)
	if merged < *rounds {
		t.Errorf("only %d of %d merged: the test shows little", merged, 4**rounds)
	}
}

// byNone merges no lines.
func byNone(_, _, _ []byte) ([]byte, bool) { return nil, false }

// under are the lines of a changelog, each with its heading before it.
func under(text string) []string {
	var out []string
	head := ""
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "#") {
			head = line
		}
		if line != "" {
			out = append(out, head+" | "+line)
		}
	}
	return out
}

func judgeChangelog(v Versions, merged string) string {
	b, o, t, n := under(string(v.Base)), under(string(v.Ours)), under(string(v.Theirs)), under(merged)
	for _, line := range slices.Concat(b, o, t, n) {
		has := func(list []string) bool { return slices.Contains(list, line) }
		want := has(o) && has(t) || !has(b) && (has(o) || has(t))
		count := 0
		for _, l := range n {
			if l == line {
				count++
			}
		}
		if count > 1 || count == 1 != want {
			return fmt.Sprintf("%q stands there %d times", line, count)
		}
	}
	for _, side := range [][]string{o, t} {
		last := -1
		for _, line := range side {
			if at := slices.Index(n, line); at >= 0 {
				if at < last {
					return fmt.Sprintf("%q is not where its side has it", line)
				}
				last = at
			}
		}
	}
	return ""
}

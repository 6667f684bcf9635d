package main

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"sort"
	"strings"

	"gitlet/internal/model"
	"gitlet/internal/render"
	"gitlet/internal/verb"
	"gitlet/internal/verbs"
)

var severities = []model.Severity{model.Act, model.Warn, model.Info}

// counted is how often a kind was said, by severity.
type counted map[model.Severity]int

// report writes how many notes of each kind the items would have got.
func report(w io.Writer, name string, all []told) error {
	kinds := map[string]counted{}
	total := counted{}
	loud, silent := 0, 0 // items with an act or warn note, and with none at all
	for _, t := range all {
		strong := false
		for _, n := range t.notes {
			if kinds[n.Kind] == nil {
				kinds[n.Kind] = counted{}
			}
			kinds[n.Kind][n.Severity]++
			total[n.Severity]++
			strong = strong || n.Severity != model.Info
		}
		if strong {
			loud++
		}
		if len(t.notes) == 0 {
			silent++
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %d pairs, %d items; %d hear nothing, %d hear an act or warn note\n", name, len(all)/2, len(all), silent, loud)
	fmt.Fprintf(&b, "  %-20s %14s %14s %14s\n", "kind", "act", "warn", "info")
	names := make([]string, 0, len(kinds))
	for k := range kinds {
		names = append(names, k)
	}
	sort.Strings(names)
	for _, k := range names {
		row(&b, k, kinds[k], len(all))
	}
	row(&b, "all", total, len(all))
	_, err := io.WriteString(w, b.String())
	return err
}

// row writes counts and, behind each, its share of an item.
func row(b *strings.Builder, name string, c counted, items int) {
	fmt.Fprintf(b, "  %-20s", name)
	for _, s := range severities {
		fmt.Fprintf(b, " %5d (%6.3f)", c[s], float64(c[s])/float64(max(items, 1)))
	}
	b.WriteByte('\n')
}

// pick draws n notes, each with who would have read it. At most one is drawn per pair
// and kind as long as there are others: two sides of one thing are judged alike.
func pick(all []told, n int, seed uint64) []told {
	r := rand.New(rand.NewPCG(seed, 1))
	var each []told
	for _, t := range all {
		for _, note := range t.notes {
			one := t
			one.notes = []model.Note{note}
			each = append(each, one)
		}
	}
	r.Shuffle(len(each), func(i, j int) { each[i], each[j] = each[j], each[i] })
	seen := map[string]bool{}
	var first, rest []told
	for _, t := range each {
		ids := []string{t.mine.commit, t.theirs.commit}
		sort.Strings(ids)
		key := strings.Join(ids, " ") + t.notes[0].Kind
		if seen[key] {
			rest = append(rest, t)
			continue
		}
		seen[key] = true
		first = append(first, t)
	}
	each = append(first, rest...)
	return each[:min(n, len(each))]
}

// sample prints each drawn note as its reader would see it, then both diffs.
func sample(ctx context.Context, w io.Writer, h *history, drawn []told, lines int) error {
	p := render.Printer{Face: verb.MCP, Table: verbs.Table()}
	for i, t := range drawn {
		n := t.notes[0]
		fmt.Fprintf(w, "\n==== %s note %d of %d: %s %s\nmine:   #%d %s\ntheirs: #%d %s\n\n%s\n", h.name, i+1, len(drawn),
			n.Severity, n.Kind, t.mine.number, t.mine.title, t.theirs.number, t.theirs.title, p.Notes(t.notes))
		for _, side := range []struct {
			name string
			c    change
		}{{"mine", t.mine}, {"theirs", t.theirs}} {
			out, err := runGit(ctx, h.dir, "diff", "--no-ext-diff", "--no-color", "-U3", "--stat", "--patch", side.c.base, side.c.head, "--")
			if err != nil {
				return err
			}
			if _, err := fmt.Fprintf(w, "\n---- %s\n%s\n", side.name, head(string(out), lines)); err != nil {
				return err
			}
		}
	}
	return nil
}

// head is the first lines of a text, and how many are left out.
func head(s string, most int) string {
	all := strings.Split(strings.TrimSuffix(s, "\n"), "\n")
	if len(all) <= most {
		return strings.Join(all, "\n")
	}
	return strings.Join(all[:most], "\n") + fmt.Sprintf("\n(%d more lines)", len(all)-most)
}

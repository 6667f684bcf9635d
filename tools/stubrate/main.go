// Command stubrate measures how well stubs are built: it takes signature changes out of a
// repository's history and builds, for each, the stub that publish would build. A stub
// counts when it reads as well as before, says the very signature, and nothing else
// changed; the reasons of the others are counted.
//
//	go run ./tools/stubrate -n 200 [-lang L] [-changed] [-v] [-out FOLDER] [-check CMD [-checks 30] [-others]] DIR...
//
// DIR is a repository, ordinary or bare; nothing is written there. With -out, main's
// version, the stub and the change's own version of each case are written for other tools
// to check. With -check, a shell command judges whole trees in a scratch clone, such as
// 'go vet "./$DIR"' with DIR and FILE for the changed file's: of the cases in which main and
// the change itself pass, it counts those in which main with the stub passes too. With
// -others, what the command says of main or of the change as well does not count: an old
// tree seldom passes a compiler of today.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"sort"

	"gitlet/internal/contract"
	"gitlet/internal/footprint"
	"gitlet/internal/git"
	"gitlet/internal/lang"
	"gitlet/internal/model"
	"gitlet/internal/symbols"
)

var (
	most    = flag.Int("n", 200, "cases per repository")
	commits = flag.Int("commits", 3000, "commits looked at per repository")
	verbose = flag.Bool("v", false, "print every case that has no stub")
	out     = flag.String("out", "", "folder for the files of each case")
	only    = flag.String("lang", "", "only cases in this language")
	changed = flag.Bool("changed", false, "only cases in which main has the definition, with another signature")
	check   = flag.String("check", "", "command that passes where a tree is in order")
	checks  = flag.Int("checks", 30, "cases that the command judges")
	others  = flag.Bool("others", false, "look past what the command says of main or the change too")
)

func main() {
	flag.Parse()
	t := tally{why: map[string]int{}, by: map[string][2]int{}}
	for _, dir := range flag.Args() {
		if err := t.repository(context.Background(), dir); err != nil {
			fmt.Fprintln(os.Stderr, "stubrate:", err)
			os.Exit(1)
		}
	}
	t.print()
}

type tally struct {
	cases, built int
	warned       int
	why          map[string]int
	by           map[string][2]int // language: cases, built
	judged       judged
}

func (t *tally) print() {
	fmt.Printf("%d signature changes, %d stubs (%.1f%%), %d with a warning\n", t.cases, t.built, 100*float64(t.built)/float64(max(t.cases, 1)), t.warned)
	var langs []string
	for l := range t.by {
		langs = append(langs, l)
	}
	sort.Strings(langs)
	for _, l := range langs {
		fmt.Printf("  %s: %d of %d\n", l, t.by[l][1], t.by[l][0])
	}
	for why, n := range t.why {
		fmt.Printf("  %d: %s\n", n, why)
	}
	if *check != "" {
		fmt.Print(t.judged)
	}
}

func (t *tally) repository(ctx context.Context, from string) error {
	dir, err := scratch(ctx, from)
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	wt, err := git.Open(ctx, dir)
	if err != nil {
		return err
	}
	log, err := wt.Log(ctx, git.LogOptions{Max: *commits})
	if err != nil {
		return err
	}
	cat := wt.NewCatFile(ctx)
	defer cat.Close()
	found := 0
	for _, c := range log {
		if len(c.Parents) != 1 || found >= *most {
			continue
		}
		changes, err := wt.DiffTrees(ctx, c.Parents[0], c.OID)
		if err != nil {
			return err
		}
		around := namesAround(cat, changes)
		for _, ch := range changes {
			l := lang.ForPath(ch.Path)
			if l == nil || ch.Status != 'M' || found >= *most || *only != "" && l.Name != *only {
				continue
			}
			n, err := t.file(ctx, cat, change{l, dir, c.Parents[0], c.OID, ch, around}, min(*most-found, 5))
			if err != nil {
				return err
			}
			found += n
		}
	}
	return nil
}

// change is one changed file of a commit, in a scratch clone.
type change struct {
	lang           *lang.Language
	dir            string
	parent, commit string
	git.Change
	around names
}

// names are those of a commit's definitions that publish warns of, when a stub uses them.
type names struct{ added, changed []string }

// namesAround reads them out of all files of a commit.
func namesAround(cat *git.CatFile, changes []git.Change) names {
	var out names
	for _, ch := range changes {
		l := lang.ForPath(ch.Path)
		if l == nil || ch.Status == 'D' {
			continue
		}
		old := map[string]model.Symbol{}
		for _, s := range definitions(cat, l, ch.OldOID) {
			old[s.Qualified] = s
		}
		for _, s := range definitions(cat, l, ch.NewOID) {
			switch was, had := old[s.Qualified]; {
			case !had:
				out.added = append(out.added, s.Name)
			case was.SigHash != s.SigHash && s.Container == "":
				out.changed = append(out.changed, s.Name)
			}
		}
	}
	return out
}

// definitions are those of a blob, none where it cannot be read.
func definitions(cat *git.CatFile, l *lang.Language, oid string) []model.Symbol {
	o, err := cat.Read(oid, 1<<20)
	if err != nil {
		return nil
	}
	facts, err := symbols.Extract(l, o.Data, symbols.DefaultLimits)
	if err != nil {
		return nil
	}
	return facts.Symbols
}

// file tries the changed and new symbols of one changed file, at most some of them.
func (t *tally) file(ctx context.Context, cat *git.CatFile, ch change, limit int) (int, error) {
	l := ch.lang
	was, err := cat.Read(ch.OldOID, 1<<20)
	if err != nil {
		return 0, err
	}
	is, err := cat.Read(ch.NewOID, 1<<20)
	if err != nil {
		return 0, err
	}
	before, errB := symbols.Extract(l, was.Data, symbols.DefaultLimits)
	after, errA := symbols.Extract(l, is.Data, symbols.DefaultLimits)
	if errB != nil || errA != nil {
		return 0, nil
	}
	old := map[string]model.Symbol{}
	for _, s := range before.Symbols {
		old[s.Qualified] = s
	}
	n := 0
	for _, s := range after.Symbols {
		o, had := old[s.Qualified]
		if had && o.SigHash == s.SigHash || !had && *changed || n >= limit {
			continue
		}
		n++
		in := contract.Input{Lang: l, Path: ch.Path, Main: was.Data, Mine: is.Data, Symbol: s, Added: ch.around.added, Changed: ch.around.changed}
		stub := t.one(in, ch.commit, !had)
		kind := compatible
		switch {
		case !had:
			kind = added
		case footprint.Breaking(l, o, s):
			kind = breaking
		}
		if all, _ := t.judged.counted(); stub == nil || *check == "" || all >= *checks {
			continue
		}
		if err := t.judged.judge(ctx, ch, in, stub, kind); err != nil {
			return n, err
		}
	}
	return n, nil
}

func (t *tally) one(in contract.Input, commit string, added bool) *contract.Stub {
	kind := in.Lang.Name + " changed"
	if added {
		kind = in.Lang.Name + " new"
	}
	t.cases++
	by := t.by[kind]
	by[0]++
	defer func() { t.by[kind] = by }()
	stub, err := contract.Build(in)
	var none *contract.NoStubError
	switch {
	case errors.As(err, &none):
		t.why[reason(none.Why, in.Symbol)]++
		if *verbose {
			fmt.Printf("%s %s:%s: %s\n", commit[:12], in.Path, in.Symbol.Qualified, none.Why)
		}
		return nil
	case err != nil:
		panic(err)
	}
	t.built++
	by[1]++
	if len(stub.Warnings) > 0 {
		t.warned++
	}
	if *out != "" {
		t.write(in, stub)
	}
	return stub
}

// reason is why without the names of the case.
func reason(why string, s model.Symbol) string {
	const enough = 32
	return s.Lang + " " + string(s.Kind) + ": " + why[:min(len(why), enough)]
}

func (t *tally) write(in contract.Input, stub *contract.Stub) {
	dir := filepath.Join(*out, fmt.Sprintf("%04d", t.built))
	for name, data := range map[string][]byte{"main": in.Main, "stub": stub.Data, "mine": in.Mine} {
		file := filepath.Join(dir, name+filepath.Ext(in.Path))
		err := os.MkdirAll(dir, 0o777)
		if err == nil {
			err = os.WriteFile(file, data, 0o666)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, "stubrate:", err)
			os.Exit(1)
		}
	}
}

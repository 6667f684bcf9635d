package gate

import (
	"os"
	"slices"
	"strings"
	"testing"

	"gitlet/internal/footprint"
	"gitlet/internal/git"
	"gitlet/internal/git/gittest"
	"gitlet/internal/model"
)

func TestMain(m *testing.M) { os.Exit(gittest.Main(m)) }

func TestMarkers(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		size int
		want int
	}{
		"a conflict":         {"a\n<<<<<<< HEAD\nx\n=======\ny\n>>>>>>> topic\n", 7, 2},
		"with base and CRLF": {"<<<<<<< HEAD\r\nx\r\n||||||| base\r\nb\r\n=======\r\ny\r\n>>>>>>> topic\r\n", 7, 1},
		"a heading":          {"Title\n=======\n\ntext\n", 7, 0},
		"no end":             {"<<<<<<< HEAD\nx\n=======\ny\n", 7, 0},
		"longer lines":       {"<<<<<<<< x\n=======\n>>>>>>>>\n", 7, 0},
		"quoted":             {"> <<<<<<< HEAD\n> =======\n> >>>>>>> x\n", 7, 0},
		"another size":       {"<<<<<<< HEAD\n=======\n>>>>>>> x\n", 9, 0},
		"in another size":    {"<<<<<<<<< HEAD\n=========\n>>>>>>>>> x\n", 9, 1},
	} {
		if got := markersIn([]byte(c.text), c.size); got != c.want {
			t.Errorf("%s: line %d, want %d", name, got, c.want)
		}
	}
}

func refusal(t *testing.T, found []Finding, err error, check string) *Finding {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	f := Refusal(found)
	if f == nil && check != "" || f != nil && f.Check != check {
		t.Fatalf("refused %+v, want %q", f, check)
	}
	if f != nil && len(f.Options) == 0 {
		t.Errorf("%s offers no way out", f.Check)
	}
	return f
}

// TestStaleSquash: a commit put together on an old state of main takes back what others
// landed, without a conflict.
func TestStaleSquash(t *testing.T) {
	repo := gittest.New(t)
	repo.WriteAll("-- a.go --\npackage a\n\nfunc A() {}\n-- b.go --\npackage a\n\nfunc B() {}\n-- gone.go --\npackage a\n")
	base := repo.Commit("Base")
	repo.Write("b.go", "package a\n\nfunc B() {}\n\nfunc Theirs() {}\n")
	repo.Write("new.go", "package a\n\nfunc New() {}\n")
	repo.Remove("gone.go")
	main := repo.Commit("Theirs landed")
	repo.Git("checkout", "-q", "-b", "topic", base)
	repo.Write("a.go", "package a\n\nfunc A() { println() }\n")
	honest := repo.Commit("Mine")
	repo.Git("reset", "-q", "--soft", main)
	stale := repo.Commit("Mine, squashed")
	repo.Git("commit", "-q", "--allow-empty", "-m", "This reverts commit "+main+".")
	meant := strings.TrimSpace(repo.Git("rev-parse", "HEAD"))

	wt, err := git.Open(t.Context(), repo.Dir)
	if err != nil {
		t.Fatal(err)
	}
	in := Input{WT: wt, Main: main, Base: base, MainName: "main", Item: "i", Agent: "me"}
	in.Head = honest
	found, err := Run(t.Context(), in, true)
	refusal(t, found, err, "")
	in.Head = stale
	found, err = Run(t.Context(), in, true)
	f := refusal(t, found, err, "dropped")
	text := strings.Join(f.Details, "\n")
	for _, want := range []string{"b.go: commit " + main[:10] + ` "Theirs landed"`, "missing: func Theirs() {}", "new.go", "missing: func New() {}", "gone.go"} {
		if !strings.Contains(text, want) {
			t.Errorf("the lines that are lost are not told: %q lacks %q", text, want)
		}
	}
	in.Head = meant
	found, err = Run(t.Context(), in, true)
	refusal(t, found, err, "")
	in.Head, in.Base = stale, main
	found, err = Run(t.Context(), in, true)
	refusal(t, found, err, "")
}

func TestMergeAsTheForgeDoes(t *testing.T) {
	repo := gittest.New(t)
	repo.WriteAll("-- list.csv --\na\n-- .gitattributes --\n*.csv merge=union\n")
	repo.Commit("Base")
	repo.Git("checkout", "-q", "-b", "topic")
	repo.Write("list.csv", "a\nmine\n")
	head := repo.Commit("Mine")
	repo.Git("checkout", "-q", "main")
	repo.Write("list.csv", "a\ntheirs\n")
	main := repo.Commit("Theirs")
	wt, err := git.Open(t.Context(), repo.Dir)
	if err != nil {
		t.Fatal(err)
	}
	found, err := Run(t.Context(), Input{WT: wt, Head: head, Main: main, MainName: "main"}, false)
	if !wt.Version.MergeTree() {
		refusal(t, found, err, "")
		return
	}
	f := refusal(t, found, err, "merge")
	if !strings.Contains(strings.Join(f.Details, "\n"), "list.csv: it merges here") {
		t.Errorf("%q", f.Details)
	}
}

// TestMergeIsProven: git merges both, and what comes out has a definition twice.
func TestMergeIsProven(t *testing.T) {
	repo := gittest.New(t)
	const middle = "func A() {}\n\nfunc B() {}\n\nfunc C() {}\n\nfunc D() {}\n"
	repo.Write("a.go", "package a\n\n"+middle)
	repo.Commit("Base")
	repo.Git("checkout", "-q", "-b", "topic")
	repo.Write("a.go", "package a\n\nfunc Help() int { return 1 }\n\n"+middle)
	head := repo.Commit("Mine")
	repo.Git("checkout", "-q", "main")
	repo.Write("a.go", "package a\n\n"+middle+"\nfunc Help() string { return \"\" }\n")
	main := repo.Commit("Theirs")
	wt, err := git.Open(t.Context(), repo.Dir)
	if err != nil {
		t.Fatal(err)
	}
	in := Input{WT: wt, Head: head, Main: main, MainName: "main"}
	found, err := Run(t.Context(), in, false)
	if !wt.Version.MergeTree() {
		refusal(t, found, err, "")
		return
	}
	f := refusal(t, found, err, "proof")
	if !slices.Equal(f.Details, []string{"a.go:Help is there 2 times"}) {
		t.Errorf("%q", f.Details)
	}
	// Merged by hand, it is what its author made of it.
	repo.Git("checkout", "-q", "topic")
	repo.Git("merge", "-q", "--no-commit", "main")
	repo.Write("a.go", "package a\n\n"+middle+"\nfunc Help() string { return \"\" }\n")
	in.Head = repo.Commit("Merge main")
	found, err = Run(t.Context(), in, false)
	refusal(t, found, err, "")
}

func TestCommittedMarkers(t *testing.T) {
	const left = "<<<<<<< HEAD\nx\n=======\ny\n>>>>>>> topic\n"
	repo := gittest.New(t)
	repo.Write("doc.txt", "About markers:\n"+left)
	main := repo.Commit("Base")
	repo.Git("checkout", "-q", "-b", "topic")
	repo.Write("doc.txt", "About conflict markers:\n"+left)
	repo.Write("fixture.txt", left)
	repo.Write(".gitattributes", "fixture.txt conflict-marker-size=32\n")
	repo.Write("a.go", "package a\n"+left)
	head := repo.Commit("Mine")
	wt, err := git.Open(t.Context(), repo.Dir)
	if err != nil {
		t.Fatal(err)
	}
	found, err := Run(t.Context(), Input{WT: wt, Head: head, Main: main, MainName: "main"}, false)
	if f := refusal(t, found, err, "markers"); !slices.Equal(f.Details, []string{"a.go:2"}) {
		t.Errorf("%q", f.Details)
	}
}

// TestPublishedSignatures: what I build on is on main, and what I published is what I
// hand in; each by its own signature.
func TestPublishedSignatures(t *testing.T) {
	repo := gittest.New(t)
	repo.Write("a.py", "def f(x):\n    return x\n")
	main := repo.Commit("Base")
	repo.Git("checkout", "-q", "-b", "topic")
	repo.Write("a.py", "def f(x, y):\n    return x\n")
	head := repo.Commit("Mine")
	wt, err := git.Open(t.Context(), repo.Dir)
	if err != nil {
		t.Fatal(err)
	}
	symbol := func(rev string) model.Symbol {
		data := repo.Git("show", rev+":a.py")
		return footprint.File("a.py", "", func() ([]byte, error) { return []byte(data), nil }, nil, nil).Symbols[0]
	}
	old, now := symbol(main), symbol(head)
	in := Input{WT: wt, Head: head, Main: main, MainName: "main", Agent: "me", Item: "i"}
	in.Needs = []model.Need{{Key: old.Key, Name: "a.py:f", Item: "i", PinnedSigHash: old.SigHash}}
	in.Claims = []model.Claim{{Key: now.Key, Symbol: &now, Owner: "me", Item: "i", Contract: &model.Contract{SigHash: now.SigHash}}}
	found, err := Run(t.Context(), in, true)
	refusal(t, found, err, "")
	in.Needs[0].PinnedSigHash = now.SigHash
	found, err = Run(t.Context(), in, false)
	refusal(t, found, err, "pins")
	in.Needs[0].Item = "another"
	in.Claims[0].Contract.SigHash = old.SigHash
	found, err = Run(t.Context(), in, false)
	refusal(t, found, err, "contracts")
	in.Claims = nil
	for _, c := range []struct{ file, check string }{{"a.py", "callers"}, {"a.js", "callers"}, {"a.go", ""}, {"a.ts", ""}} {
		in.Notes = []model.Note{{Item: "i", Kind: "stale", ID: "n-000000000000", Severity: model.Info, Subject: c.file + ":f", Title: "main changed f"}}
		found, err = Run(t.Context(), in, false)
		refusal(t, found, err, c.check)
		if len(found) != 1 {
			t.Errorf("%s: %+v", c.file, found)
		}
	}
	in.Notes = []model.Note{{Item: "i", Kind: "signature_clash", Severity: model.Act, Title: "t"}}
	if found, err = Run(t.Context(), in, false); err != nil || len(found) != 1 || found[0].Refuses {
		t.Errorf("%+v %v", found, err)
	}
}

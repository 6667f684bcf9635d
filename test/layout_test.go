package test

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"sort"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"gitlet/internal/git/gittest"
	"gitlet/internal/model"
	"gitlet/internal/wire"
)

// gitQuery asks git something in the scenario's present folder, untraced; ok is false
// when git says no.
func gitQuery(ts *testscript.TestScript, dir string, args ...string) (out string, ok bool) {
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env = dir, gittest.Env(work(ts))
	b, err := cmd.Output()
	return strings.TrimSuffix(string(b), "\n"), err == nil
}

// theirs is everything in a clone and a work tree that belongs to its user: refs, the
// stash, reflogs, index, HEAD, settings, hooks, and every file with mode, time and
// content. What gitlet keeps for itself (its folder, its refs, objects) is left out.
func theirs(ts *testscript.TestScript) map[string]string {
	here := ts.MkAbs(".")
	all := map[string]string{}
	for _, ask := range [][]string{{"symbolic-ref", "-q", "HEAD"}, {"rev-parse", "-q", "--verify", "HEAD"},
		{"stash", "list"}, {"ls-files", "-v", "--stage"}, {"reflog", "--no-decorate", "HEAD"}} {
		out, _ := gitQuery(ts, here, append([]string{"-c", "sparse.expectFilesOutsideOfPatterns=true"}, ask...)...)
		all["git "+strings.Join(ask, " ")] = out
	}
	refs, _ := gitQuery(ts, here, "for-each-ref", "--format=%(refname) %(objectname) %(symref)")
	for line := range strings.Lines(refs) {
		if !strings.HasPrefix(line, "refs/gitlet") {
			name, value, _ := strings.Cut(strings.TrimSpace(line), " ")
			all[name] = value
		}
	}
	for _, dir := range []string{"--show-toplevel", "--absolute-git-dir", "--git-common-dir"} {
		if top, ok := gitQuery(ts, here, "rev-parse", dir); ok {
			if !filepath.IsAbs(top) {
				top = filepath.Join(here, top)
			}
			addFiles(ts, all, top)
		}
	}
	return all
}

// addFiles adds every file below top. Of a git directory, objects, refs (they were asked
// for by name) and gitlet's own folder stay out.
func addFiles(ts *testscript.TestScript, all map[string]string, top string) {
	ts.Check(filepath.WalkDir(top, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		if d.IsDir() {
			if _, err := os.Stat(filepath.Join(filepath.Dir(p), "HEAD")); err == nil {
				switch d.Name() {
				case "objects", "refs", "gitlet", "reftable", "lfs":
					return fs.SkipDir
				}
			}
			return nil
		}
		switch d.Name() {
		case "packed-refs":
			return nil
		}
		fact := info.Mode().String()
		if !strings.HasPrefix(d.Name(), "sharedindex.") { // git freshens it whenever it reads
			fact += fmt.Sprintf(" %d", info.ModTime().UnixNano())
		}
		if info.Mode()&fs.ModeSymlink != 0 {
			to, err := os.Readlink(p)
			ts.Check(err)
			fact += " to " + to
		} else if info.Mode().IsRegular() {
			data, err := os.ReadFile(p)
			if !errors.Is(err, fs.ErrPermission) { // such a file is all mode and time
				ts.Check(err)
			}
			fact += fmt.Sprintf(" %d %x", len(data), sha256.Sum256(data))
		}
		all[p] = fact
		return nil
	}))
}

// keptKey is where a scenario keeps what keep saw.
type keptKey struct{}

func cmdKeep(ts *testscript.TestScript, neg bool, args []string) {
	kept := ts.Value(keptKey{}).(map[string]map[string]string)
	kept[ts.MkAbs(".")] = theirs(ts)
}

func cmdKept(ts *testscript.TestScript, neg bool, args []string) {
	before, ok := ts.Value(keptKey{}).(map[string]map[string]string)[ts.MkAbs(".")]
	if !ok {
		ts.Fatalf("keep was not called here")
	}
	after := theirs(ts)
	var diff []string
	for name, b := range before {
		if a, ok := after[name]; !ok {
			diff = append(diff, name+" is gone")
		} else if a != b {
			diff = append(diff, fmt.Sprintf("%s was %.200s and is %.200s", name, b, a))
		}
	}
	for name := range after {
		if _, ok := before[name]; !ok {
			diff = append(diff, name+" is new")
		}
	}
	sort.Strings(diff)
	if len(diff) > 0 {
		ts.Fatalf("touched:\n%s", strings.Join(diff, "\n"))
	}
}

// cmdWip prints the tree of the agent's snapshot as the remote has it: mode and path, odd
// paths quoted. With a path after it, that file's content.
func cmdWip(ts *testscript.TestScript, neg bool, args []string) {
	remote := work(ts, "remote.git")
	refs := strings.Fields(git(ts, remote, "for-each-ref", "--sort=-creatordate", "--format=%(refname)", "refs/gitlet/wip/"+args[0]+"-host-000001"))
	if neg {
		if len(refs) > 0 {
			ts.Fatalf("the remote has %v", refs)
		}
		return
	}
	if len(refs) == 0 {
		ts.Fatalf("the remote has no snapshot of %s", args[0])
	}
	if len(args) > 1 {
		fmt.Fprint(ts.Stdout(), git(ts, remote, "cat-file", "blob", refs[0]+":"+unquoted(ts, args[1])))
		return
	}
	fmt.Fprint(ts.Stdout(), treeLines(git(ts, remote, "ls-tree", "-r", "-z", "--full-tree", refs[0])))
}

func unquoted(ts *testscript.TestScript, s string) string {
	if !strings.HasPrefix(s, `"`) {
		return s
	}
	u, err := strconv.Unquote(s)
	ts.Check(err)
	return u
}

func treeLines(z string) string {
	var b strings.Builder
	for rec := range strings.SplitSeq(strings.TrimSuffix(z, "\x00"), "\x00") {
		meta, path, ok := strings.Cut(rec, "\t")
		if !ok {
			continue
		}
		if q := strconv.Quote(path); q != `"`+path+`"` || strings.Contains(path, " ") {
			path = q
		}
		fmt.Fprintf(&b, "%s %s\n", meta[:6], path)
	}
	return b.String()
}

// cmdHears prints what the agent's shared state says of its active item, one fact a
// line: the branch, each file with its status, each symbol with its change.
func cmdHears(ts *testscript.TestScript, neg bool, args []string) {
	agent := args[0] + "-host-000001"
	text := git(ts, work(ts, "remote.git"), "cat-file", "blob", "refs/gitlet/agents/"+agent+"/state:state.json")
	st, problems, err := wire.DecodeState([]byte(text), agent)
	ts.Check(err)
	if len(problems) > 0 {
		ts.Fatalf("%v", problems)
	}
	it := st.Active()
	if it == nil {
		fmt.Fprintln(ts.Stdout(), "nothing")
		return
	}
	fmt.Fprint(ts.Stdout(), itemLines(it))
}

func itemLines(it *model.Item) string {
	var b strings.Builder
	fmt.Fprintf(&b, "branch %s\n", it.Branch)
	if it.Footprint == nil {
		return b.String()
	}
	for _, f := range it.Footprint.Files {
		path := f.Path
		if q := strconv.Quote(path); q != `"`+path+`"` || strings.Contains(path, " ") {
			path = q
		}
		fmt.Fprintf(&b, "file %s %s\n", f.Status, path)
	}
	for _, s := range it.Footprint.Symbols {
		fmt.Fprintf(&b, "symbol %s %s\n", s.Change, s.Symbol.Qualified)
	}
	return b.String()
}

// tries bounds how often look asks again.
const tries = 20

// late are the words of a result that says the remote did not keep up with the call.
var late = []string{"the remote took too long", "did not answer within", "could not be read within", "context deadline exceeded"}

// cmdLook runs gitlet status, again as long as the machine is too slow for everything to
// be shared within one call.
func cmdLook(ts *testscript.TestScript, neg bool, args []string) {
	for range tries {
		if err := ts.Exec("gitlet", append([]string{"status"}, args...)...); (err != nil) != neg {
			ts.Fatalf("gitlet status: %v", err)
		}
		out, again := ts.ReadFile("stdout"), false
		for _, words := range late {
			again = again || strings.Contains(out, words)
		}
		if !again {
			return
		}
	}
	ts.Fatalf("the remote did not keep up %d times", tries)
}

// cmdLookFor runs gitlet status until its output matches: look-for RE [OPTION...].
func cmdLookFor(ts *testscript.TestScript, neg bool, args []string) {
	want := regexp.MustCompile("(?m)" + args[0])
	for range tries {
		ts.Check(ts.Exec("gitlet", append([]string{"status"}, args[1:]...)...))
		if want.MatchString(ts.ReadFile("stdout")) {
			return
		}
	}
	ts.Fatalf("no match for %q in %d calls", args[0], tries)
}

// TestScriptCommandsAreDocumented: every command and condition of scenarios stands in the
// README beside them.
func TestScriptCommandsAreDocumented(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("script", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	words := []string{"[root]", "[mounts]", "[git:2.38]"}
	for name := range scriptCommands {
		words = append(words, name)
	}
	for _, w := range words {
		if !regexp.MustCompile("`" + regexp.QuoteMeta(w) + "[ `]").Match(data) {
			t.Errorf("test/script/README.md says nothing of %s", w)
		}
	}
}

// layoutRow is a line of docs/layouts.md: what it names as its test, and for a Go test
// the function.
var layoutRow = regexp.MustCompile("(?m)^\\| [^|]+ \\| `([^`]+)`(?: `(Test\\w+)`)? \\| [^|]+ \\|$")

// TestLayoutTable holds docs/layouts.md and the tests it names together: none is missing,
// and no scenario about a layout is left out.
func TestLayoutTable(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(projectDir, "docs", "layouts.md"))
	if err != nil {
		t.Fatal(err)
	}
	rows := strings.Count(string(data), "\n| ") - 2 // the head and the line below it
	named := map[string]bool{}
	for _, m := range layoutRow.FindAllStringSubmatch(string(data), -1) {
		rows--
		where := filepath.Join(projectDir, filepath.FromSlash(m[1]))
		if m[2] == "" {
			if named[m[1]] {
				t.Errorf("%s is named twice", m[1])
			}
			named[m[1]] = true
			if _, err := os.Stat(where); err != nil {
				t.Errorf("docs/layouts.md names %s: %v", m[1], err)
			}
			continue
		}
		files, err := filepath.Glob(filepath.Join(where, "*_test.go"))
		if err != nil {
			t.Fatal(err)
		}
		found := false
		for _, f := range files {
			src, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			found = found || strings.Contains(string(src), "\nfunc "+m[2]+"(")
		}
		if !found {
			t.Errorf("docs/layouts.md names %s in %s, which is not there", m[2], m[1])
		}
	}
	if rows != 0 {
		t.Errorf("%d lines of the table name no test", rows)
	}
	scripts, err := filepath.Glob(filepath.Join("script", "layout_*.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range scripts {
		if name := "test/" + filepath.ToSlash(s); !named[name] {
			t.Errorf("docs/layouts.md has no line for %s", name)
		}
	}
	if len(scripts) == 0 {
		t.Error("there is no scenario about a layout")
	}
}

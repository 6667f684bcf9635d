package rules

import (
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"gitlet/internal/bug"
	"gitlet/internal/footprint"
	"gitlet/internal/id"
	"gitlet/internal/lang"
	"gitlet/internal/migration"
	"gitlet/internal/model"
	"gitlet/internal/view"
)

var update = flag.Bool("update", false, "write what the rules say into the cases")

func TestMain(m *testing.M) {
	bug.Strict = true
	os.Exit(m.Run())
}

var (
	now       = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	idleSince = time.Date(2026, 3, 1, 11, 40, 0, 0, time.UTC)
)

// me is my agent's id in every case.
const me = "me-laptop-000001"

// A scenario is a case file, read. Its sections are
//
//	base/<path>      a file of main, at the merge base of everyone
//	mine/<path>      the file as my item has it; mine+2 is a second item of mine
//	<agent>/<path>   the same for another agent's item; <agent>+2 for a second one
//	deleted          lines "<item> <path>": files the item deletes
//	renamed          lines "<item> <old> <new>": files git says the item renamed
//	intents          lines "<item> <task>"
//	state            lines "<item> <word>...": provisional, submitted, landed, idle, broad, detached, tip, unread
//	stub/<path>      the file as the one published stub has it, on top of base
//	needs            lines "<item> <symbol> [pinned|pinned-before|picked] [long]": needs, pinned to
//	                 what the item has now, to something older, or to the stub, whose part in the
//	                 item's change is then marked; recorded just now or long ago
//	requirements     lines "<item> <symbol> <text>": what those needs ask
//	messages         lines "<item> <symbol> [owner=<agent>] <text>": what was said about a
//	                 contested symbol, the n-th line carrying proposal n; after the first
//	                 word "note:<kind>", between all items, about a note of that kind
//	accepts          lines "<agent> <n>": proposals accepted, by the line of their message
//	agreements       lines "<symbol> <owner> <item>,<item>... [<signature>]"; a symbol that is
//	                 "note:<kind>:<subject>" stands for a conversation about a note
//	contested        lines "<symbol> <minutes>": contested for so long
//	claims           lines "<agent> <symbol> [contract|published]", published as what its
//	                 item has now, or "<agent> next:<folder>/<number>"
//	main/<path>      the file as main has it by now
//	branch-<name>/<path>  the file on a branch of the remote that is no item's
//	quiet            lines "<symbol>": claims that are no longer renewed
//	since            lines "unknown" or "wide": what is known of main's work
//	folders          lines "<glob>": further folders of migrations
//	predicted        lines "<mine> <item> [<path>]": what git predicts; without a path, no conflict
//	want             the notes, as render below writes them
//
// where <item> is mine, mine+2, or the agent's section name, and symbols are written
// path:Qualified. Every changed file is read with the real languages and footprints.
type scenario struct {
	archive *txtar.Archive
	view    *view.View
	want    string
	names   map[string]string // ids that appear in text, and what to show instead
}

type reader struct {
	s     *scenario
	base  map[string]string
	files map[string]map[string]string
	lines map[string][][]string
	items map[string]*model.Item
}

func readScenario(path string) (*scenario, error) {
	ar, err := txtar.ParseFile(path)
	if err != nil {
		return nil, fmt.Errorf("read case: %w", err)
	}
	r := &reader{
		s:     &scenario{archive: ar, names: map[string]string{}},
		base:  map[string]string{},
		files: map[string]map[string]string{"mine": {}},
		lines: map[string][][]string{},
		items: map[string]*model.Item{},
	}
	if strings.TrimSpace(string(ar.Comment)) == "" {
		return nil, fmt.Errorf("case %q does not say what it shows", path)
	}
	hasWant := false
	for _, f := range ar.Files {
		dir, rest, isFile := strings.Cut(f.Name, "/")
		switch {
		case isFile && dir == "base":
			r.base[rest] = string(f.Data)
		case isFile:
			if r.files[dir] == nil {
				r.files[dir] = map[string]string{}
			}
			r.files[dir][rest] = string(f.Data)
		case f.Name == "want":
			hasWant, r.s.want = true, string(f.Data)
		default:
			if !strings.Contains(" deleted renamed intents state needs claims predicted quiet since folders requirements messages accepts agreements contested ", " "+f.Name+" ") {
				return nil, fmt.Errorf("case %q has an unknown section %q", path, f.Name)
			}
			for _, l := range strings.Split(strings.TrimSpace(string(f.Data)), "\n") {
				r.lines[f.Name] = append(r.lines[f.Name], strings.Fields(l))
			}
		}
	}
	if !hasWant && !*update {
		return nil, fmt.Errorf("case %q has no want section", path)
	}
	for name, section := range r.lines {
		if name == "quiet" || name == "since" || name == "folders" || name == "agreements" || name == "contested" {
			continue
		}
		for _, l := range section {
			if _, ok := r.files[l[0]]; !ok && !strings.HasPrefix(l[0], "me-") {
				r.files[l[0]] = map[string]string{}
			}
		}
	}
	return r.s, r.build()
}

func fakeHex(s string, n int) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])[:n]
}

func (r *reader) build() error {
	v := &view.View{Now: now, Agent: me, Main: "main", Predictions: map[view.Pair]view.Prediction{}}
	r.s.view = v
	r.s.names[fakeHex("base", 40)] = "<base>"
	var names []string
	for n := range r.files {
		if n != "main" && n != "stub" && !strings.HasPrefix(n, "branch-") {
			names = append(names, n)
		}
	}
	sort.Strings(names)
	peers := map[string]view.Peer{}
	for _, n := range names {
		it, err := r.item(n)
		if err != nil {
			return err
		}
		r.items[n] = it
		agent, _, _ := strings.Cut(n, "+")
		p := view.Peer{Agent: model.Agent{ID: agent}, Item: *it}
		if agent == "mine" {
			p.Agent.ID, p.Mine = me, true
			v.Items = append(v.Items, *it)
		}
		if r.is(n, "idle") {
			p.Lapsed, p.IdleSince = true, idleSince
		}
		p.HaveTip = r.is(n, "tip")
		peers[n] = p
	}
	// Everyone's items are in view, mine too: the rules leave out the item itself.
	for _, n := range names {
		v.Peers = append(v.Peers, peers[n])
	}
	if r.is("mine", "second") {
		v.Second = "/home/me/project"
	}
	if err := r.mainline(v); err != nil {
		return err
	}
	return r.rest(v, peers)
}

// mainline is what main did since everyone's base, the branches without an item, and
// what migrations say.
func (r *reader) mainline(v *view.View) error {
	for _, l := range r.lines["folders"] {
		v.MigrationDirs = append(v.MigrationDirs, l[0])
	}
	for _, tree := range []string{"base", "main"} {
		for p := range r.tree(tree) {
			if migration.InDir(p, v.MigrationDirs) {
				v.Migrations = append(v.Migrations, p)
			}
		}
	}
	sort.Strings(v.Migrations)
	since := view.Since{Base: fakeHex("base", 40), Tip: fakeHex("tip main", 40)}
	r.s.names[since.Tip] = "<main>"
	fp, err := r.footprint("main")
	if err != nil {
		return err
	}
	since.Footprint = fp
	for _, l := range r.lines["since"] {
		switch l[0] {
		case "wide":
			since.Wide, fp.Symbols, fp.Refs = true, nil, nil
		case "unknown":
			since.Footprint = nil
		}
	}
	v.Since = map[string]view.Since{since.Base: since}
	v.Revisions = map[view.Place]migration.Revision{}
	for name, files := range r.files {
		if name == "stub" {
			continue
		}
		branch, outside := strings.CutPrefix(name, "branch-")
		if outside {
			b := view.Branch{Name: branch, Commit: fakeHex("tip "+name, 40), Base: since.Base}
			r.s.names[b.Commit] = "<branch " + branch + ">"
			if b.Footprint, err = r.footprint(name); err != nil {
				return err
			}
			for _, f := range b.Footprint.Files {
				b.Files = append(b.Files, f.Path)
			}
			v.Outside = append(v.Outside, b)
			continue
		}
		holder := ""
		if name != "main" {
			holder = r.items[name].ID
		}
		for p, text := range files {
			if rev, ok := migration.Read(p, []byte(text)); ok && !r.is(name, "unread") {
				v.Revisions[view.Place{Item: holder, Path: p}] = rev
			}
		}
	}
	sort.Slice(v.Outside, func(i, j int) bool { return v.Outside[i].Name < v.Outside[j].Name })
	return nil
}

func (r *reader) tree(name string) map[string]string {
	if name == "base" {
		return r.base
	}
	return r.files[name]
}

func (r *reader) is(item, word string) bool {
	for _, l := range r.lines["state"] {
		for _, w := range l[1:] {
			if l[0] == item && w == word {
				return true
			}
		}
	}
	return false
}

func (r *reader) item(name string) (*model.Item, error) {
	it := &model.Item{
		ID: fakeHex("item "+name, 12), Branch: "work-" + name, Status: model.ItemActive,
		Base: fakeHex("base", 40), Snapshot: fakeHex("tip "+name, 40), Head: fakeHex("head "+name, 40),
		Provisional: r.is(name, "provisional"),
	}
	r.s.names[it.ID] = "<item " + name + ">"
	r.s.names[it.Snapshot] = "<tip " + name + ">"
	r.s.names[it.Head] = "<head " + name + ">"
	if r.is(name, "detached") {
		it.Branch = ""
	}
	for word, status := range map[string]model.ItemStatus{"submitted": model.ItemSubmitted, "landed": model.ItemLanded} {
		if r.is(name, word) {
			it.Status = status
		}
	}
	if strings.HasPrefix(name, "mine") {
		it.Intent = "my own work" // said unless a case says otherwise
	}
	for _, l := range r.lines["intents"] {
		if l[0] == name {
			it.Intent = strings.Join(l[1:], " ")
		}
	}
	fp, err := r.footprint(name)
	if err != nil {
		return nil, err
	}
	fp.Broad = fp.Broad || r.is(name, "broad")
	it.Footprint = fp
	return it, nil
}

// stubCommit is the commit of the one published stub.
var stubCommit = fakeHex("stub", 40)

type tree map[string]string

func (t tree) ReadFile(path string) ([]byte, bool) {
	s, ok := t[path]
	return []byte(s), ok
}

func content(s string) func() ([]byte, error) {
	return func() ([]byte, error) { return []byte(s), nil }
}

// deltas are what a section changes, and the repository then.
func (r *reader) deltas(name string) (deltas []footprint.Delta, head tree, err error) {
	head = tree{}
	for p, s := range r.base {
		head[p] = s
	}
	for p, s := range r.files[name] {
		head[p] = s
	}
	renamed := map[string]string{}
	for _, l := range r.lines["renamed"] {
		if l[0] == name {
			renamed[l[2]] = l[1]
			delete(head, l[1])
		}
	}
	for _, l := range r.lines["deleted"] {
		if l[0] == name {
			old, ok := r.base[l[1]]
			if !ok {
				return nil, nil, fmt.Errorf("%s deletes %q, which main does not have", name, l[1])
			}
			delete(head, l[1])
			deltas = append(deltas, footprint.Delta{Path: l[1], Status: "D", Old: content(old)})
		}
	}
	for p, s := range r.files[name] {
		old, ok := r.base[p]
		switch from, moved := renamed[p]; {
		case moved:
			deltas = append(deltas, footprint.Delta{Path: p, OldPath: from, Status: "R", Old: content(r.base[from]), New: content(s)})
		case !ok:
			deltas = append(deltas, footprint.Delta{Path: p, Status: "A", New: content(s)})
		case old != s:
			deltas = append(deltas, footprint.Delta{Path: p, Status: "M", Old: content(old), New: content(s)})
		}
	}
	return deltas, head, nil
}

func (r *reader) footprint(name string) (*model.Footprint, error) {
	deltas, head, err := r.deltas(name)
	if err != nil {
		return nil, err
	}
	fp := footprint.Compute(footprint.Input{
		Base: fakeHex("base", 40), Head: fakeHex("tip "+name, 40), Deltas: deltas, Repo: head,
	})
	for _, l := range r.lines["needs"] {
		if l[0] == name && len(l) > 2 && l[2] == "picked" {
			stub, _, err := r.deltas("stub")
			if err != nil {
				return nil, err
			}
			fp = footprint.MarkPicked(fp, deltas, []footprint.Stub{{Commit: stubCommit, Deltas: stub}}, nil)
		}
	}
	return &fp, nil
}

func (r *reader) key(symbol string) (string, error) {
	path, qualified, ok := strings.Cut(symbol, ":")
	l := lang.ForPath(path)
	if !ok || l == nil {
		return "", fmt.Errorf("%q is not path:Qualified", symbol)
	}
	return id.SymbolKey(l.Name, path, qualified), nil
}

func (r *reader) symbol(name string) *model.Symbol {
	path, qualified, _ := strings.Cut(name, ":")
	s := model.Symbol{Lang: lang.ForPath(path).Name, Name: qualified, Qualified: qualified}.At(path)
	return &s
}

func (r *reader) rest(v *view.View, peers map[string]view.Peer) error {
	for _, l := range r.lines["needs"] {
		key, err := r.key(l[1])
		if err != nil {
			return err
		}
		n := view.Need{Agent: peers[l[0]].Agent.ID, Need: model.Need{Item: r.items[l[0]].ID, Key: key, Name: l[1]}}
		n.CreatedAt = now.Add(-time.Minute)
		for _, word := range l[2:] {
			switch word {
			case "long":
				n.CreatedAt = now.Add(-16 * time.Minute)
			case "pinned-before":
				n.PinnedSigHash = fakeHex("before", 16)
			}
		}
		if len(l) > 2 && l[2] == "pinned" {
			c := r.items[l[0]].Footprint.Change(key)
			if c == nil {
				return fmt.Errorf("%s pins %q without holding a change of it", l[0], l[1])
			}
			n.PinnedSigHash = c.Symbol.SigHash
		}
		if len(l) > 2 && l[2] == "picked" {
			stub, err := r.footprint("stub")
			if err != nil {
				return err
			}
			c := stub.Change(key)
			if c == nil {
				return fmt.Errorf("the stub has no change of %q", l[1])
			}
			n.PinnedSigHash, n.PinnedStub, n.PinnedCommit = c.Symbol.SigHash, stubCommit, stubCommit
		}
		v.Needs = append(v.Needs, n)
	}
	v.Quiet = map[string]time.Time{}
	for _, l := range r.lines["quiet"] {
		key, err := r.key(l[0])
		if err != nil {
			return err
		}
		v.Quiet[key] = idleSince
	}
	for _, l := range r.lines["claims"] {
		if strings.HasPrefix(l[1], "next:") {
			v.Claims = append(v.Claims, model.Claim{Key: fakeHex(l[1], 16), Owner: l[0], Resource: l[1]})
			continue
		}
		key, err := r.key(l[1])
		if err != nil {
			return err
		}
		c := model.Claim{Key: key, Owner: l[0], Symbol: r.symbol(l[1])}
		if it := r.items[l[0]]; it != nil {
			c.Item = it.ID
		} else if l[0] == me {
			c.Item = r.items["mine"].ID
		}
		if len(l) > 2 {
			c.Contract = &model.Contract{SigHash: fakeHex(l[1], 16)}
			if ch := r.changeOf(l[0], key); l[2] == "published" && ch != nil {
				c.Contract = &model.Contract{SigHash: ch.Symbol.SigHash, Signature: ch.Symbol.Signature, Breaking: ch.Breaking}
			}
		}
		v.Claims = append(v.Claims, c)
	}
	for _, l := range r.lines["predicted"] {
		pair := view.Pair{Mine: r.items[l[0]].ID, Other: r.items[l[1]].ID}
		p := v.Predictions[pair]
		p.Known = true
		if len(l) > 2 {
			p.Files = append(p.Files, strings.Join(l[2:], " "))
		}
		v.Predictions[pair] = p
	}
	if err := r.talk(v); err != nil {
		return err
	}
	v.LeavePicked()
	return nil
}

// render writes notes the way the want sections hold them. With several items of mine
// in view, the item a note belongs to stands behind its subject.
func (s *scenario) render(notes []model.Note) string {
	var b strings.Builder
	for _, n := range notes {
		fmt.Fprintf(&b, "[%s] %s %s", n.Severity, n.Kind, n.Subject)
		if len(s.view.Items) > 1 {
			fmt.Fprintf(&b, "  (for %s)", n.Item)
		}
		fmt.Fprintf(&b, "\n  %s\n", n.Title)
		for _, e := range n.Evidence {
			fmt.Fprintf(&b, "  %s\n", e)
		}
		for _, q := range n.Messages {
			fmt.Fprintf(&b, "  %s wrote: %q\n", q.From, q.Text)
		}
		for _, o := range n.Options {
			fmt.Fprintf(&b, "  - %s  # %s\n", spell(o, n.ID), o.Why)
		}
	}
	out := b.String()
	for from, to := range s.names {
		out = strings.ReplaceAll(out, from, to)
	}
	return out
}

func spell(o model.Option, note string) string {
	if len(o.Argv) > 0 {
		return "$ " + strings.Join(o.Argv, " ")
	}
	var args []string
	for k, v := range o.Args {
		if v == note {
			v = "<note>"
		}
		args = append(args, fmt.Sprintf("%s=%v", k, v))
	}
	sort.Strings(args)
	return o.Verb + " " + strings.Join(args, " ")
}

func cases(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("testdata/*/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func TestCases(t *testing.T) {
	fires, silent := map[string]bool{}, map[string]bool{}
	for _, path := range cases(t) {
		kind := filepath.Base(filepath.Dir(path))
		t.Run(strings.TrimSuffix(strings.TrimPrefix(path, "testdata/"), ".txtar"), func(t *testing.T) {
			s, err := readScenario(path)
			if err != nil {
				t.Fatal(err)
			}
			notes := Evaluate(s.view)
			said := false
			for _, n := range notes {
				said = said || n.Kind == kind
			}
			if said {
				fires[kind] = true
			} else {
				silent[kind] = true
			}
			got := s.render(notes)
			if *update {
				s.save(t, path, got)
			} else if got != s.want {
				t.Errorf("the notes differ (go test -update accepts them)\n--- got\n%s--- want\n%s", got, s.want)
			}
			checkLaws(t, s, notes)
		})
	}
	kinds := map[string]bool{}
	for _, r := range All() {
		kinds[r.Kind] = true
		if !fires[r.Kind] {
			t.Errorf("testdata/%s has no case in which it fires", r.Kind)
		}
		if !silent[r.Kind] {
			t.Errorf("testdata/%s has no case in which it is silent", r.Kind)
		}
	}
	dirs, err := os.ReadDir("testdata")
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range dirs {
		if !kinds[d.Name()] {
			t.Errorf("testdata/%s belongs to no rule", d.Name())
		}
	}
}

func (s *scenario) save(t *testing.T, path, got string) {
	t.Helper()
	var files []txtar.File
	for _, f := range s.archive.Files {
		if f.Name != "want" {
			files = append(files, f)
		}
	}
	s.archive.Files = append(files, txtar.File{Name: "want", Data: []byte(got)})
	if err := os.WriteFile(path, txtar.Format(s.archive), 0o644); err != nil {
		t.Fatal(err)
	}
}

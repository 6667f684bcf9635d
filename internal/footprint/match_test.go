package footprint

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"gitlet/internal/lang"
	"gitlet/internal/model"
)

func always(string, string) bool { return true }
func never(string, string) bool  { return false }

func sym(path, qualified string, edits ...func(*model.Symbol)) model.Symbol {
	s := model.Symbol{Lang: lang.ForPath(path).Name, Qualified: qualified, Kind: model.KindFunction, Exported: true}
	s.Container, s.Name = splitQualified(qualified)
	for _, e := range edits {
		e(&s)
	}
	return s.At(path)
}

func member(s *model.Symbol)      { s.Kind, s.TypeMember = model.KindMethod, true }
func unexported(s *model.Symbol)  { s.Exported = false }
func defaultOnly(s *model.Symbol) { s.DefaultExport = true }

func ref(path, name, module string, edits ...func(*model.Ref)) model.Ref {
	r := model.Ref{Name: name, Kind: model.RefCall, Lang: lang.ForPath(path).Name, Path: path, Line: 1, Module: module, Resolved: true}
	for _, e := range edits {
		e(&r)
	}
	return r
}

func qualified(r *model.Ref)  { r.Qualified = true }
func unresolved(r *model.Ref) { r.Resolved, r.Module, r.Qualified = false, "", true }
func construct(r *model.Ref)  { r.Kind = model.RefConstruct }
func byDefault(r *model.Ref)  { r.DefaultExport = true }
func in(container string) func(*model.Ref) {
	return func(r *model.Ref) { r.Container, r.Qualified = container, true }
}
func inside(q string) func(*model.Ref) { return func(r *model.Ref) { r.In = q } }

type matchCase struct {
	name    string
	ref     model.Ref
	version int
	sym     model.Symbol
	want    MatchKind
}

const now = model.FootprintVersion

var matchCases = []matchCase{
	// Families, names, modules.
	{"same module", ref("a/x.go", "F", "b", qualified), now, sym("b/y.go", "F"), Resolved},
	{"other name", ref("a/x.go", "G", "b"), now, sym("b/y.go", "F"), None},
	{"other module", ref("a/x.go", "F", "c"), now, sym("b/y.go", "F"), None},
	{"other family", ref("a/x.py", "F", "b/y"), now, sym("b/y.go", "F"), None},
	{"one family", ref("a/x.tsx", "f", "b/y"), now, sym("b/y.js", "f"), Resolved},
	{"index file", ref("a/x.ts", "f", "b"), now, sym("b/index.ts", "f"), Resolved},
	{"package file", ref("a/x.py", "f", "b"), now, sym("b/__init__.py", "f"), Resolved},
	{"rust folder", ref("src/x.rs", "f", "src/b"), now, sym("src/b/mod.rs", "f"), Resolved},
	{"unknown language", func() model.Ref { r := ref("x.go", "F", "."); r.Lang = "cobol"; return r }(), now, sym("y.go", "F"), None},
	// A layout in front of the module.
	{"go suffix", ref("a/x.go", "F", "pkg/b"), now, sym("src/pkg/b/y.go", "F"), Resolved},
	{"python suffix", ref("a/x.py", "f", "pkg/b"), now, sym("src/pkg/b.py", "f"), Resolved},
	{"python suffix of a word", ref("a/x.py", "f", "b"), now, sym("src/ab.py", "f"), None},
	{"typescript has no suffixes", ref("a/x.ts", "f", "pkg/b"), now, sym("src/pkg/b.ts", "f"), None},
	// Go's unexported names stay in their package.
	{"unexported, same package", ref("b/x.go", "f", "b"), now, sym("b/y.go", "f", unexported), Resolved},
	{"unexported, other package", ref("a/x.go", "f", "b", qualified), now, sym("b/y.go", "f", unexported), None},
	{"unexported elsewhere", ref("a/x.ts", "f", "b"), now, sym("b.ts", "f", unexported), Resolved},
	// Unresolved references mean a method whose name is the only one of its kind.
	{"unresolved method", ref("a/x.go", "Get", "", unresolved), now, sym("b/y.go", "Store.Get", member), Unresolved},
	{"unresolved function", ref("a/x.go", "Get", "", unresolved), now, sym("b/y.go", "Get"), None},
	{"unresolved type", ref("a/x.ts", "Get", "", unresolved, func(r *model.Ref) { r.Kind = model.RefType }), now, sym("b/y.ts", "S.Get", member), None},
	// Containers.
	{"through the type", ref("a/x.py", "load", "b", in("Config")), now, sym("b.py", "Config.load", member), Resolved},
	{"through another type", ref("a/x.py", "load", "b", in("Other")), now, sym("b.py", "Config.load", member), None},
	{"through the type, a function", ref("a/x.py", "load", "b", in("Config")), now, sym("b.py", "load"), None},
	{"twin of a type", ref("a/x.py", "load", "b", in("Config")), now, sym("b.py", "Config#2.load", member), Resolved},
	{"rust inline module", ref("src/x.rs", "deep", "src/b", in("inner")), now, sym("src/b.rs", "inner.deep"), Resolved},
	{"unqualified never reaches a member", ref("a/x.py", "load", "b"), now, sym("b.py", "Config.load", member), None},
	{"namespace from outside", ref("geo.ts", "area", "geo"), now, sym("geo.ts", "Geo.area"), None},
	{"namespace from within", ref("geo.ts", "area", "geo", inside("Geo.f")), now, sym("geo.ts", "Geo.area"), Resolved},
	{"namespace from the other", ref("geo.ts", "area", "geo", inside("Label.f")), now, sym("geo.ts", "Geo.area"), None},
	{"namespace by name", ref("geo.ts", "area", "geo", in("Geo")), now, sym("geo.ts", "Label.area"), None},
	// A variable named like a module.
	{"variable or package", ref("a/x.go", "Get", "store", qualified), now, sym("store/s.go", "Store.Get", member), Unresolved},
	{"variable or package, unqualified", ref("store/x.go", "Get", "store"), now, sym("store/s.go", "Store.Get", member), None},
	{"variable or module, older", ref("a/x.py", "get", "store"), 4, sym("store.py", "Store.get", member), Unresolved},
	{"own module, older", ref("store.py", "get", "store"), 4, sym("store.py", "Store.get", member), None},
	{"rust tells them apart", ref("src/x.rs", "get", "src/store", qualified), now, sym("src/store.rs", "Store.get", member), None},
	{"rust did not before version 3", ref("src/x.rs", "get", "src/store"), 2, sym("src/store.rs", "Store.get", member), Unresolved},
	// Versions without containers.
	{"version 1 reaches members", ref("a/x.py", "load", "b"), 1, sym("b.py", "Config.load", member), Resolved},
	// Constructors.
	{"new", ref("a.ts", "Config", "b", construct), now, sym("b.ts", "Config.constructor", member), Resolved},
	{"call is no new", ref("a.ts", "Config", "b"), now, sym("b.ts", "Config.constructor", member), None},
	{"new of another class", ref("a.ts", "Other", "b", construct), now, sym("b.ts", "Config.constructor", member), None},
	{"new in a namespace", ref("a.ts", "Config", "b", construct, in("Geo")), now, sym("b.ts", "Geo.Config.constructor", member), Resolved},
	{"new beside a namespace", ref("a.ts", "Config", "b", construct), now, sym("b.ts", "Geo.Config.constructor", member), None},
	{"python call", ref("a.py", "Config", "b"), now, sym("b.py", "Config.__init__", member), Resolved},
	{"python nested class", ref("a.py", "Inner", "b", in("Outer")), now, sym("b.py", "Outer.Inner.__init__", member), Resolved},
	// Default imports: the name is the importer's.
	{"new of a default", ref("a.ts", "Cfg", "b", construct, byDefault), now, sym("b.ts", "Config.constructor", member), Resolved},
	{"new of a default, nested class", ref("a.ts", "Cfg", "b", construct, byDefault), now, sym("b.ts", "Geo.Config.constructor", member), None},
	{"default of another name", ref("a.ts", "p", "b", byDefault), now, sym("b.ts", "parse", defaultOnly), Resolved},
	{"default of the same name", ref("a.ts", "parse", "b", byDefault), now, sym("b.ts", "parse"), Resolved},
	{"not the default", ref("a.ts", "p", "b", byDefault), now, sym("b.ts", "parse"), None},
	{"default's method by its own name", ref("a.ts", "get", "b", byDefault), now, sym("b.ts", "Config.get", member), None},
	{"behind a default", ref("a.ts", "load", "b", in("default")), now, sym("b.ts", "Config.load", member), Resolved},
	{"behind a default, the module's own", ref("a.ts", "load", "b", in("default")), now, sym("b.ts", "load"), None},
	{"behind a default, deeper", ref("a.ts", "load", "b", in("default")), now, sym("b.ts", "Geo.Config.load", member), None},
	{"behind a default, two steps", ref("a.ts", "load", "b", in("default.Config")), now, sym("b.ts", "Geo.Config.load", member), Resolved},
	{"anonymous default class", ref("a.ts", "load", "b", in("default")), now, sym("b.ts", "default.load", member), Resolved},
	{"version 4 new of a default", ref("a.ts", "Cfg", "b", construct, in("default")), 4, sym("b.ts", "Config.constructor", member), Resolved},
	{"new of a class behind a default", ref("a.ts", "Inner", "b", construct, in("default")), now, sym("b.ts", "Geo.Inner.constructor", member), Resolved},
}

func TestMatch(t *testing.T) {
	for _, c := range matchCases {
		t.Run(c.name, func(t *testing.T) {
			if got := Match(c.ref, c.version, c.sym, always); got != c.want {
				t.Errorf("%+v (version %d)\n against %s: %v, want %v", c.ref, c.version, c.sym.Canonical(), got, c.want)
			}
			if got := Match(c.ref, c.version, c.sym, never); got == Unresolved {
				t.Errorf("a method name that is not unique still matched")
			}
			if got := Match(c.ref, c.version, c.sym, nil); got == Unresolved {
				t.Errorf("matched by name without knowing that it is unique")
			}
		})
	}
}

// TestIndexFindsWhatMatchDoes compares the index with asking for every symbol.
func TestIndexFindsWhatMatchDoes(t *testing.T) {
	var symbols []model.Symbol
	for _, c := range matchCases {
		symbols = append(symbols, c.sym)
	}
	rand.New(rand.NewPCG(1, 2)).Shuffle(len(symbols), func(i, j int) { symbols[i], symbols[j] = symbols[j], symbols[i] })
	x := NewIndex(symbols)
	for _, c := range matchCases {
		var want []Hit
		for i, s := range symbols {
			if k := Match(c.ref, c.version, s, always); k != None {
				want = append(want, Hit{i, k})
			}
		}
		if got := x.Find(c.ref, c.version, always); !slices.Equal(got, want) {
			t.Errorf("%s: found %v, want %v", c.name, got, want)
		}
	}
}

func TestVersion(t *testing.T) {
	plain, contained := model.Ref{Name: "a"}, model.Ref{Name: "a", Container: "C"}
	for _, c := range []struct {
		f    *model.Footprint
		want int
	}{
		{&model.Footprint{Version: 4, Refs: []model.Ref{plain}}, 4},
		{&model.Footprint{Refs: []model.Ref{plain}}, 1},
		{&model.Footprint{Refs: []model.Ref{plain, contained}}, 2},
		{nil, now},
	} {
		if got := Version(c.f); got != c.want {
			t.Errorf("version of %+v: %d, want %d", c.f, got, c.want)
		}
	}
}

func TestUniqueMethods(t *testing.T) {
	change := func(s model.Symbol) model.SymbolChange {
		return model.SymbolChange{Change: model.ChangeBody, Symbol: s}
	}
	get := sym("a.go", "Store.Get", member)
	moved := change(sym("b/a.go", "Store.Put", member))
	moved.OldPath = "a.go"
	mine := &model.Footprint{Symbols: []model.SymbolChange{change(get), moved, change(sym("a.go", "F"))}}
	theirs := &model.Footprint{Symbols: []model.SymbolChange{
		change(get), change(sym("a.go", "Store.Put", member)), change(sym("a.ts", "Store.Get", member)),
	}}
	unique := UniqueMethods(mine, nil, theirs)
	if !unique("Get", "go") || !unique("Put", "go") || !unique("Get", "ecmascript") || unique("F", "go") || unique("Get", "python") {
		t.Error("one method changed by two items, or moved by one, is still one")
	}
	other := &model.Footprint{Symbols: []model.SymbolChange{change(sym("c.go", "Cache.Get", member))}}
	if unique := UniqueMethods(mine, other); unique("Get", "go") || !unique("Put", "go") {
		t.Error("two methods of one name are not unique")
	}
}

func TestTargets(t *testing.T) {
	c := model.SymbolChange{Change: model.ChangeRenamed, Symbol: sym("a.rs", "Buf.run@Read", member), OldQualified: "Buf.go@Read"}
	got := Targets(c)
	if len(got) != 2 || got[0].Name != "go" || got[0].Container != "Buf" || got[0].Key != sym("a.rs", "Buf.go@Read").Key || got[1].Key != c.Symbol.Key {
		t.Errorf("renamed: %+v", got)
	}
	c = model.SymbolChange{Change: model.ChangeMoved, Symbol: sym("b.ts", "f"), OldPath: "a.js"}
	if got = Targets(c); len(got) != 2 || got[0].Path != "a.js" || got[0].Lang != "javascript" || got[0].Key != sym("a.js", "f").Key {
		t.Errorf("moved: %+v", got)
	}
	if got = Targets(model.SymbolChange{Change: model.ChangeBody, Symbol: sym("b.ts", "f")}); len(got) != 1 {
		t.Errorf("a body change has one target: %+v", got)
	}
}

func BenchmarkIndex(b *testing.B) {
	for _, n := range []int{1000, 10000} {
		var symbols []model.Symbol
		for i := range n {
			symbols = append(symbols, sym(fmt.Sprintf("src/m%d.ts", i%100), fmt.Sprintf("f%d", i)))
		}
		x := NewIndex(symbols)
		r := ref("a.ts", "f77", "src/m77")
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				if len(x.Find(r, now, never)) != 1 {
					b.Fatal("not found")
				}
			}
		})
	}
}

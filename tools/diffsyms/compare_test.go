package main

import (
	"reflect"
	"strings"
	"testing"
)

func mine(name, kind string, line, end, params int) Definition {
	return Definition{Name: name, Kind: kind, Line: line, End: end, Params: params}
}

func theirs(name, kind string, line, params int) Definition {
	return Definition{Name: name, Kind: kind, Line: line, Params: params}
}

func extra(d Definition) Definition {
	d.Extra = true
	return d
}

func names(list []Definition) string {
	var out []string
	for _, d := range list {
		out = append(out, d.Kind+" "+d.Name)
	}
	return strings.Join(out, ", ")
}

func TestCompare(t *testing.T) {
	for _, c := range []struct {
		name                  string
		mine, theirs          []Definition
		bare                  bool
		both, confirmed       int
		onlyGitlet, onlyOther string
	}{
		{name: "equal", mine: []Definition{mine("f", "function", 1, 3, 1)}, theirs: []Definition{theirs("f", "function", 2, 1)}, both: 1},
		{name: "another place is another definition", mine: []Definition{mine("f", "function", 1, 3, 1)},
			theirs: []Definition{theirs("f", "function", 4, 1)}, onlyGitlet: "function f", onlyOther: "function f"},
		{name: "another kind", mine: []Definition{mine("A", "class", 1, 1, -1)}, theirs: []Definition{theirs("A", "interface", 1, -1)},
			onlyGitlet: "class A", onlyOther: "interface A"},
		{name: "twins are used once", mine: []Definition{mine("f", "function", 1, 9, 0), mine("f", "function", 1, 9, 0)},
			theirs: []Definition{theirs("f", "function", 2, 0)}, both: 1, onlyGitlet: "function f"},
		{name: "missed", theirs: []Definition{theirs("g", "const", 1, -1)}, onlyOther: "const g"},
		{name: "an extra confirms", mine: []Definition{mine("a.b", "function", 1, 1, 0)},
			theirs: []Definition{extra(theirs("a.b", "function", 1, 0))}, confirmed: 1},
		{name: "an extra is not missed", theirs: []Definition{extra(theirs("a.b", "function", 1, 0))}},
		{name: "the list goes before extras", mine: []Definition{mine("a", "function", 1, 1, 0)},
			theirs: []Definition{extra(theirs("a", "function", 1, 0)), theirs("a", "function", 1, 0)}, both: 1},
		{name: "containers count", mine: []Definition{mine("A.f", "method", 1, 1, 0)}, theirs: []Definition{theirs("B.f", "method", 1, 0)},
			onlyGitlet: "method A.f", onlyOther: "method B.f"},
		{name: "unless names are bare", bare: true, mine: []Definition{mine("A.f", "method", 1, 1, 0)},
			theirs: []Definition{theirs("f", "function", 1, 0)}, both: 1},
		{name: "odd names", mine: []Definition{mine("C.odd_name__1_", "method", 1, 1, 0), mine("C.[a+b]", "method", 2, 2, 0)},
			theirs: []Definition{theirs("C.odd:name '1'", "method", 1, 0), theirs("C.[a + b]", "method", 2, 0)}, both: 2},
		{name: "an underscore is not nothing", mine: []Definition{mine("_x", "function", 1, 1, 0)},
			theirs: []Definition{theirs("x_", "function", 1, 0)}, onlyGitlet: "function _x", onlyOther: "function x_"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := Compare(c.mine, c.theirs, c.bare)
			if len(d.Both) != c.both || len(d.Confirmed) != c.confirmed || names(d.OnlyGitlet) != c.onlyGitlet || names(d.OnlyOther) != c.onlyOther {
				t.Errorf("both %d, confirmed %d, only gitlet %q, only other %q", len(d.Both), len(d.Confirmed), names(d.OnlyGitlet), names(d.OnlyOther))
			}
		})
	}
}

func TestTotalsKeepBrokenFilesApart(t *testing.T) {
	defs := []Definition{mine("f", "function", 1, 1, 2)}
	other := []Definition{theirs("f", "function", 1, 1), theirs("g", "function", 5, 0)}
	r := reader{name: "other"}
	var got Totals
	got.Add(Reading{Path: "clean", Defs: defs}, Reading{Defs: other}, r)
	got.Add(Reading{Path: "mine", Error: "syntax error", Defs: defs}, Reading{Defs: other}, r)
	got.Add(Reading{Path: "theirs", Defs: defs}, Reading{Error: "no"}, r)
	got.Add(Reading{Path: "both", Error: "syntax error", Defs: defs}, Reading{Error: "no", Defs: other}, r)
	got.Add(Reading{Path: "level", Error: "larger than the limit", Level: true}, Reading{Defs: other}, r)
	one := Counts{Files: 1, Both: 1, OnlyOther: 1, Params: 1}
	if got.Clean != one || got.Mine != one || got.Broken != one || got.Theirs != 1 || got.Level["larger than the limit"] != 1 {
		t.Errorf("totals %+v", got)
	}
	var b strings.Builder
	got.Print(&b, true)
	for _, want := range []string{
		"only other\tclean:5 function g\n",
		"parameters\tclean:1 function f (gitlet 2, other 1)\n",
		"only other, beside an error\tmine:5 function g\n",
		"only other calls it broken\ttheirs:0 no\n",
		"50.000 % found",
		"0.000 % of 1\n",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
	if strings.Contains(b.String(), "both:5") {
		t.Errorf("a file that both call broken is compared:\n%s", b.String())
	}
}

func TestTotalsLeaveOutWhatTheReaderLacks(t *testing.T) {
	var got Totals
	got.Add(Reading{Defs: []Definition{mine("A", "const", 1, 1, -1), mine("f", "function", 2, 2, 0)}}, Reading{},
		reader{lacks: map[string]bool{"const": true}, explain: func(string, Definition) string { return "why" }})
	if got.Clean.OnlyGitlet != 1 || got.Why["only gitlet: why"] != 1 {
		t.Errorf("totals %+v", got)
	}
}

func TestParseGo(t *testing.T) {
	r := parseGo("a.go", []byte(`package p
type S[T any] struct{}
type I interface{}
type A = struct{}
func (s *S[T]) M(a, b int, _ ...string) {}
func (S[_]) _() {}
func F(int, string) {}
var x, _ = 1, 2
const (
	c, d = iota, 1
)
func init() { type local struct{} }
`))
	want := []Definition{
		{"S", "struct", 2, 0, -1, false}, {"I", "interface", 3, 0, -1, false}, {"A", "type", 4, 0, -1, false},
		{"S.M", "method", 5, 0, 3, false}, {"F", "function", 7, 0, 2, false}, {"x", "var", 8, 0, -1, false},
		{"c", "const", 10, 0, -1, false}, {"d", "const", 10, 0, -1, false}, {"init", "function", 12, 0, 0, false},
	}
	if r.Error != "" || !reflect.DeepEqual(r.Defs, want) {
		t.Errorf("%q\n got %v\nwant %v", r.Error, r.Defs, want)
	}
	if parseGo("b.go", []byte("package p\nfunc (")).Error == "" {
		t.Error("a broken file has no error")
	}
}

func TestDecodeReadings(t *testing.T) {
	got, err := decodeReadings(strings.NewReader(`{"path":"a","defs":[{"name":"f","kind":"function","line":1,"params":2}]}
{"path":"b","error":"no","defs":[]}
`))
	if err != nil || len(got) != 2 || got["a"].Defs[0].Params != 2 || got["b"].Error != "no" {
		t.Errorf("%v %v", got, err)
	}
	if _, err := decodeReadings(strings.NewReader(`{"path":`)); err == nil {
		t.Error("half a line is no reading")
	}
}

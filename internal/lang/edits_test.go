package lang_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"gitlet/internal/lang"
	"gitlet/internal/lang/langtest"
)

// parameterSources use § for a parameter's name.
var parameterSources = map[string][]string{
	"go": {
		"package p\n\nfunc F(§ int, b string) (r int) { return § + len(b) }\n\nfunc G() { F(1, x) }\n",
		"package p\n\nfunc (s *T[K]) F(a int, § ...K) { use(§) }\n\nvar H = func(q int) { a(q) }\n",
		"package p\n\nfunc F(f func(§ int) error) {}\n\ntype I interface{ A(§ int) (err error) }\n",
		"package p\n\nfunc (§ T) F() int { return §.n }\n\nfunc F() {}\n",
	},
	"typescript": {
		"export function f(§: number, b?: string): number { return § + b.length; }\nexport class C { m(a: string) { return a; } }\n",
		"export class C { constructor(a: string) {} m(§: string, ...b: X[]): void { use(§); } get v(): number { return 1; } }\n",
		"export const f = (§: string): string => §.trim();\nexport interface I { m(§: string): void; p: (§: number) => void }\n",
		"export function is(§: unknown): § is string { return typeof § === 'string'; }\nexport type F = (§: string) => number;\n",
		"declare function d(§: string): void;\ndeclare function d(§: number, b: string): void;\n",
	},
	"tsx": {
		"export const Row = memo(function Row(§: { id: string }) { return <i>{§.id}</i>; });\nexport function B(p: P) { return <Row id={p.a} />; }\n",
		"export const Menu = ({ a }: P, §: Ref) => <ul ref={§}>{a}</ul>;\n",
	},
	"javascript": {
		"exports.f = function (§, b = 1) { return § + b; };\nexports.g = (x) => x;\n",
		"export class C { m(§, ...rest) { return §(rest); } static s(a) {} }\n",
	},
	"python": {
		"def f(§, /, b, *args, c=1, **kw):\n    return § + b\n\nclass C:\n    def m(self, a): return a\n",
		"def f(a, *§, c=1):\n    return §\n\nasync def g(a): pass\n",
		"class C:\n    def m(§, a, *, b=1):\n        return §.x(a)\n\n    @classmethod\n    def n(cls): pass\n",
	},
	"rust": {
		"pub fn f(§: u8, b: &str) -> u8 { § + b.len() }\npub fn g() { f(1, x) }\n",
		"impl<T> S<T> { pub fn m(&self, §: T) -> T { § } fn n(&self) {} }\npub trait Tr { fn m(&self, §: u8); }\n",
		"extern \"C\" { pub fn c(§: *const u8, ...); }\npub fn h(f: impl Fn(u8) -> u8) {}\n",
	},
}

// TestParameterNamesAreNobodysBusiness: another name for a parameter that callers do
// not pass by name changes at most the body it is in.
func TestParameterNamesAreNobodysBusiness(t *testing.T) {
	t.Parallel()
	for _, l := range lang.All() {
		if len(parameterSources[l.Name]) == 0 {
			t.Errorf("no sources for %s", l.Name)
		}
		for _, src := range parameterSources[l.Name] {
			before := langtest.Read(t, l, []byte(strings.ReplaceAll(src, "§", "first")))
			after := langtest.Read(t, l, []byte(strings.ReplaceAll(src, "§", "other")))
			if before.HasErrors {
				t.Fatalf("not a source: %s", src)
			}
			langtest.Same(t, l.Name+": "+src, before, after, false)
			for i, s := range after.Symbols {
				touched := strings.Contains(src[byteOf(src, s.StartByte):], "§")
				if s.BodyHash != before.Symbols[i].BodyHash && !touched {
					t.Errorf("%s: the body of %s changed\n%s", l.Name, s.Qualified, src)
				}
				if s.Signature != before.Symbols[i].Signature && l.Name != "python" {
					t.Errorf("%s: %s became %s", l.Name, before.Symbols[i].Signature, s.Signature)
				}
			}
		}
	}
}

// byteOf translates an offset in a source with five letters for § into one with §.
func byteOf(src string, offset int) int {
	at := 0
	for i, r := range src {
		if at >= offset {
			return i
		}
		if r == '§' {
			at += 5
		} else {
			at += len(string(r))
		}
	}
	return len(src)
}

// memberSources are definitions in any order between a head and an end.
var memberSources = map[string]struct {
	head, end string
	members   []string
}{
	"go": {"package p\n\n", "", []string{
		"func A(n int) { b(n) }\n\n", "type T struct{ N int }\n\n", "func (t *T) M() int { return t.N }\n\n", "const (\n\tX = 1\n\tY = 2\n)\n\n", "func init() { a() }\n\n",
	}},
	"typescript": {"export class C {\n", "}\n", []string{
		"  a(n: number): void {}\n", "  get v() { return 1; }\n", "  static s = (x: string) => x;\n", "  @dec() private q() {}\n", "  field: string = 'x';\n",
	}},
	"tsx": {"import x from './x';\n", "", []string{
		"export const A = memo((p: P) => <i/>);\n", "export function B(p: P) { return <A/>; }\n", "export default class D { render() { return <B/>; } }\n", "type P = { a: string };\n",
	}},
	"javascript": {"'use strict';\n", "", []string{
		"exports.a = function (x) {};\n", "function B() {}\n", "B.prototype.m = function (x) {};\n", "exports.c = class { m() {} };\n",
	}},
	"python": {"class C(Base):\n", "", []string{
		"    def a(self, x): return x\n", "    @property\n    def v(self): return 1\n", "    class Inner:\n        def m(self): pass\n", "    @staticmethod\n    async def s(q): pass\n", "    kind = 'x'\n",
	}},
	"rust": {"pub struct S { pub n: u8 }\nimpl S {\n", "}\n", []string{
		"    pub fn a(&self) -> u8 { self.n }\n", "    #[inline]\n    fn b(&mut self, x: u8) {}\n", "    pub const K: u8 = 1;\n", "    /// Doc.\n    pub async fn c() {}\n",
	}},
}

// TestOrderOfMembersIsNoChange turns the members around: the same symbols with the
// same signatures and bodies, but for the body of what holds them.
func TestOrderOfMembersIsNoChange(t *testing.T) {
	t.Parallel()
	for _, l := range lang.All() {
		c, ok := memberSources[l.Name]
		if !ok {
			t.Errorf("no members for %s", l.Name)
			continue
		}
		facts := func(order []string) []string {
			f := langtest.Read(t, l, []byte(c.head+strings.Join(order, "")+c.end))
			if f.HasErrors || len(f.Symbols) < len(order)-1 {
				t.Fatalf("%s: not a source: %s", l.Name, order)
			}
			var out []string
			for _, s := range f.Symbols {
				body := s.BodyHash
				if s.StartLine <= strings.Count(c.head, "\n") && s.EndByte > len(c.head) {
					body = ""
				}
				out = append(out, fmt.Sprint(s.Qualified, " ", s.Signature, " ", s.SigHash, " ", body))
			}
			slices.Sort(out)
			return out
		}
		want := facts(c.members)
		for i := range c.members {
			order := slices.Concat(c.members[i:], c.members[:i])
			slices.Reverse(order)
			if got := facts(order); !slices.Equal(got, want) {
				t.Errorf("%s, %s:\n%s\nwant\n%s", l.Name, order, strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
		}
	}
}

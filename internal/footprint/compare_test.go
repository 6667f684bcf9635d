package footprint

import (
	"strings"
	"testing"

	"gitlet/internal/lang"
	"gitlet/internal/model"
)

// compareCase is one edit of one definition, and what callers see of it.
type compareCase struct {
	path, old, new string
	want           string // "none", "body", "ok: reason" or "breaks: reason"
}

var compareCases = map[string][]compareCase{
	"parameters appended": {
		{"a.go", "func F(a int) {}", "func F(a int, b ...string) {}", "ok: parameter 2 (string) was added as variadic"},
		{"a.go", "func F(a int) {}", "func F(a int, b string) {}", "breaks: parameter 2 (string) was added as required"},
		{"a.ts", "export function f(a: string) {}", "export function f(a: string, b?: number) {}", "ok: parameter 2 (number) was added as optional"},
		{"a.ts", "export function f(a: string) {}", "export function f(a: string, b: number = 1) {}", "ok: parameter 2 (number) was added with a default"},
		{"a.ts", "export function f(a: string) {}", "export function f(a: string, ...b: number[]) {}", "ok: was added as variadic"},
		{"a.ts", "export function f(a: string) {}", "export function f(a: string, b: number) {}", "breaks: was added as required"},
		{"a.tsx", "export function F(a: string) {}", "export function F(a: string, b?: number) {}", "ok: was added as optional"},
		{"a.js", "export function f(a) {}", "export function f(a, b = 1) {}", "ok: was added with a default"},
		{"a.js", "export function f(a) {}", "export function f(a, b) {}", "breaks: was added as required"},
		{"a.py", "def f(a): pass", "def f(a, b=1): pass", `ok: parameter "b" was added with a default`},
		{"a.py", "def f(a): pass", "def f(a, *b): pass", "ok: *args was added"},
		{"a.py", "def f(a): pass", "def f(a, **b): pass", "ok: **kwargs was added"},
		{"a.py", "def f(a): pass", "def f(a, *, k=1): pass", `ok: parameter "k" was added with a default`},
		{"a.py", "def f(a): pass", "def f(a, b): pass", `breaks: parameter "b" was added as required`},
		{"a.py", "def f(a): pass", "def f(a, *, k): pass", `breaks: parameter "k" was added as required`},
		{"a.rs", "pub fn f(a: u8) {}", "pub fn f(a: u8, b: u8) {}", "breaks: was added as required"},
	},
	"parameters inserted, removed, reordered": {
		{"a.ts", "export function f(a: string) {}", "export function f(b?: number, a?: string) {}", "breaks: parameter 1 changed from string to number"},
		{"a.go", "func F(a int, b string) {}", "func F(b string, a int) {}", "breaks: parameter 1 changed from int to string"},
		{"a.go", "func F(a int, b string) {}", "func F(a int) {}", "breaks: parameter 2 (string) was removed"},
		{"a.py", "def f(a, b): pass", "def f(b, a): pass", `breaks: parameter "b" moved from place 2 to 1`},
		{"a.py", "def f(a, c, d=1): pass", "def f(a, b, c, d=1): pass", `breaks: parameter "b" was put in at place 2`},
		{"a.py", "def f(a, b, c): pass", "def f(a, c): pass", `breaks: parameter "b" was removed`},
		{"a.go", "func F(a int, b string, c error) {}", "func F(a int, c error) {}", "breaks: parameter 2 (string) was removed"},
		{"a.go", "func F(a int, c error) {}", "func F(a int, b string, c error) {}", "breaks: parameter 2 (string) was put in"},
		{"a.ts", "export function f(a: string, c?: number) {}", "export function f(a: string, b?: boolean, c?: number) {}", "breaks: parameter 2 (boolean) was put in"},
		{"a.py", "def f(a, b): pass", "def f(a): pass", `breaks: parameter "b" was removed`},
		{"a.py", "def f(a, *, k): pass", "def f(a): pass", `breaks: parameter "k" was removed`},
		{"a.py", "def f(a, *c): pass", "def f(a, b=1, *c): pass", `breaks: parameter "b" was added in front of *args`},
		{"a.py", "def f(a, **c): pass", "def f(a): pass", "breaks: **kwargs was removed"},
		{"a.rs", "pub fn f(a: u8, b: u16) {}", "pub fn f(a: u8) {}", "breaks: parameter 2 (u16) was removed"},
	},
	"parameters made optional in place": {
		{"a.ts", "export function f(a: string, b: number) {}", "export function f(a: string, b?: number) {}", "ok: parameter 2 became optional"},
		{"a.ts", "export function f(a: string, b: number) {}", "export function f(a: string, b: number = 1) {}", "ok: parameter 2 became optional"},
		{"a.ts", "export function f(a: string, b: number) {}", "export function f(a: string, b = 1) {}", "ok: parameter 2 became optional"},
		{"a.ts", "export function f(a: string, b?: number) {}", "export function f(a: string, b: number) {}", "breaks: parameter 2 became required"},
		{"a.js", "export function f(a, b) {}", "export function f(a, b = 1) {}", "ok: parameter 2 became optional"},
		{"a.py", "def f(a, b): pass", "def f(a, b=1): pass", `ok: parameter "b" became optional`},
		{"a.py", "def f(a, b=1): pass", "def f(a, b): pass", `breaks: parameter "b" became required`},
	},
	"parameter names": {
		{"a.py", "def f(a, b): pass", "def f(a, c): pass", `breaks: parameter "b" was renamed to "c"`},
		{"a.py", "def f(a, /, b): pass", "def f(z, /, b): pass", "quiet"},
		{"a.py", "def f(a, *, x=1, y=2): pass", "def f(a, *, y=2, x=1): pass", "quiet"},
		{"a.py", "def f(a, *b): pass", "def f(a, *c): pass", "quiet"},
		{"a.ts", "export function f(a: string): void {}", "export function f(b: string): void {}", "body"},
		{"a.go", "func F(a int) {}", "func F(b int) {}", "body"},
		{"a.rs", "pub fn f(a: u8) {}", "pub fn f(b: u8) {}", "body"},
		{"a.py", "def f(a, b): pass", "def f(a, *, b): pass", `breaks: parameter "b" is passed by keyword only now`},
		{"a.py", "def f(a, b): pass", "def f(a, b, /): pass", "breaks: by position"},
	},
	"types": {
		{"a.ts", "export function f(a) {}", "export function f(a: string) {}", "ok: parameter 1 is now annotated as string"},
		{"a.ts", "export function f(a: string) { return 1; }", "export function f(a: string): number { return 1; }", "ok: the return type is now annotated as number"},
		{"a.ts", "export function f(a: string) {}", "export function f(a: number) {}", "breaks: parameter 1 changed from string to number"},
		{"a.ts", "export function f(a: string) {}", "export function f(a) {}", "breaks: parameter 1 no longer has the type string"},
		{"a.go", "func F() error { return nil }", "func F() {}", "breaks: the return type (error) was removed"},
		{"a.py", "def f(a): pass", "def f(a: int) -> str: pass", `ok: parameter "a" is now annotated as int`},
		{"a.py", "def f(a: int) -> str: pass", "def f(a: int) -> int: pass", "breaks: the return type changed from str to int"},
		{"a.py", "def f(a: int): pass", "def f(a: str): pass", `breaks: parameter "a" changed from int to str`},
		{"a.go", "func F() error { return nil }", "func F() (int, error) { return 0, nil }", "breaks: the return type changed from error to (int, error)"},
		{"a.go", "func F() {}", "func F() error { return nil }", "breaks: the return type became error"},
		{"a.rs", "pub fn f() -> u8 { 0 }", "pub fn f() -> u16 { 0 }", "breaks: the return type changed from u8 to u16"},
		{"a.go", "type T int", "type T string", "breaks:"},
		{"a.ts", "export type T = string;", "export type T = number;", "breaks:"},
		{"a.rs", "pub type T = u8;", "pub type T = u16;", "breaks:"},
	},
	"visibility": {
		{"a.ts", "function f() {}", "export function f() {}", "ok: it became exported"},
		{"a.ts", "export function f() {}", "function f() {}", "breaks: it is no longer exported"},
		{"a.ts", "export class C { private f() {} }", "export class C { f() {} }", "ok: it is no longer private"},
		{"a.ts", "export class C { f() {} }", "export class C { protected f() {} }", "breaks: it became protected"},
		{"a.ts", "export class C { protected f() {} }", "export class C { private f() {} }", "breaks: visibility changed from protected to private"},
		{"a.ts", "export class C { private f() {} }", "export class C { protected f() {} }", "ok: visibility changed from private to protected"},
		{"a.rs", "fn f() {}", "pub fn f() {}", "ok:"},
		{"a.rs", "fn f() {}", "pub(crate) fn f() {}", "ok:"},
		{"a.rs", "pub fn f() {}", "pub(crate) fn f() {}", "breaks:"},
		{"a.rs", "pub(crate) fn f() {}", "fn f() {}", "breaks:"},
		{"a.rs", "pub(super) fn f() {}", "pub(crate) fn f() {}", "ok: visibility changed from pub(super) to pub(crate)"},
	},
	"members added": {
		{"a.go", "type T struct{ A int }", "type T struct{ B int; A int }", "ok: field B was added"},
		{"a.go", "type T struct{ A int }", "type T struct{ A int; Base }", "ok: Base was added"},
		{"a.go", "type T interface{ A() }", "type T interface{ A(); B() }", "breaks: method B was added"},
		{"a.ts", "export interface T { a: string }", "export interface T { a: string; b?: string }", "ok: field b was added"},
		{"a.ts", "export interface T { a: string }", "export interface T { a: string; b: string }", "breaks: field b was added as required"},
		{"a.ts", "export interface T { a: string }", "export interface T { a: string; b?(): void }", "ok: method b was added"},
		{"a.ts", "export enum E { A }", "export enum E { A, B }", "breaks: variant B was added"},
		{"a.ts", "export class C { a = 1 }", "export class C { a = 1; b? = 2 }", "ok:"},
		{"a.py", "class C:\n    a: int", "class C:\n    a: int\n    b: int = 1", "ok: field b was added"},
		{"a.py", "class C:\n    a: int = 0", "class C:\n    b: int = 1\n    a: int = 0", "breaks: field b was added in front of existing ones"},
		{"a.py", "class C:\n    a: int", "class C:\n    a: int\n    b: int", "breaks: field b was added"},
		{"a.rs", "pub trait T { fn a(&self); }", "pub trait T { fn a(&self); fn b(&self); }", "breaks: method b was added"},
		{"a.rs", "pub enum E { A }", "pub enum E { A, B }", "breaks: variant B was added"},
	},
	"members removed or changed": {
		{"a.go", "type T struct{ A, B int }", "type T struct{ A int }", "breaks: field B was removed"},
		{"a.go", "type T struct{ A int }", "type T struct{ A string }", "breaks: field A changed from int to string"},
		{"a.go", "type T interface{ A(); B() }", "type T interface{ A() }", "breaks: method B was removed"},
		{"a.go", "type T interface{ A(n int) }", "type T interface{ A(m int) }", "body"},
		{"a.ts", "export interface T { a: string; b: string }", "export interface T { a: string }", "breaks: field b was removed"},
		{"a.ts", "export interface T { a?: string }", "export interface T { a: string }", "breaks: field a became required"},
		{"a.ts", "export enum E { A, B }", "export enum E { A }", "breaks: variant B was removed"},
		{"a.py", "class C:\n    a: int\n    b: int", "class C:\n    a: int", "breaks: field b was removed"},
		{"a.py", "class C(A): pass", "class C(B): pass", "breaks: base A was removed"},
		{"a.rs", "pub struct S { pub a: u8, pub b: u8 }", "pub struct S { pub a: u8 }", "breaks: field b was removed"},
		{"a.rs", "pub trait T { fn a(&self); }", "pub trait T { fn a(&self, b: u8); }", "breaks:"},
	},
	"members reordered": {
		{"a.go", "type T interface{ A(); B() }", "type T interface{ B(); A() }", "quiet"},
		{"a.go", "type T struct{ A, B int }", "type T struct{ B, A int }", "breaks: members were reordered"},
		{"a.go", "type N interface{ ~int | ~string }", "type N interface{ ~string | ~int }", "quiet"},
		{"a.ts", "export interface T { a: string; b: string }", "export interface T { b: string; a: string }", "quiet"},
		{"a.ts", "export class C { a = 1; b = 2 }", "export class C { b = 2; a = 1 }", "quiet"},
		{"a.ts", "export enum E { A, B }", "export enum E { B, A }", "breaks:"},
		{"a.py", "class C:\n    a: int\n    b: int", "class C:\n    b: int\n    a: int", "breaks: members were reordered"},
		{"a.rs", "pub struct S { pub a: u8, pub b: u8 }", "pub struct S { pub b: u8, pub a: u8 }", "quiet"},
		{"a.rs", "pub trait T { fn a(&self); fn b(&self); }", "pub trait T { fn b(&self); fn a(&self); }", "quiet"},
		{"a.rs", "pub enum E { A, B }", "pub enum E { B, A }", "breaks:"},
	},
	"never compatible, alone or beside an optional parameter": {
		{"a.ts", "export function f(a: string) {}", "export async function f(a: string, b?: number) {}", "breaks: it became async"},
		{"a.ts", "export function* f(n: number) {}", "export function f(n: number) {}", "breaks: it is no longer a generator"},
		{"a.py", "def f(a): pass", "async def f(a, b=1): pass", "breaks: it became async"},
		{"a.py", "class C:\n    @staticmethod\n    def f(a): pass", "class C:\n    @classmethod\n    def f(cls, a): pass", "breaks: it is no longer"},
		{"a.go", "func F[T any](a T) {}", "func F[T comparable](a T, b ...int) {}", "breaks: type parameter 1 changed"},
		{"a.go", "type T int\nfunc (t T) F() {}", "type T int\nfunc (t *T) F() {}", "breaks:"},
		{"a.go", "type T int\nfunc (t T) F() {}", "type T int\nfunc (x T) F() {}", "quiet"},
		{"a.rs", "pub fn f<F: Fn(u8)>(f: F) {}", "pub fn f<F: Fn(u16)>(f: F) {}", "breaks: type parameter 1 changed"},
		{"a.rs", "pub fn f() {}", "pub unsafe fn f() {}", "breaks:"},
		{"a.go", "type B = int", "type B int", "breaks:"},
		{"a.ts", "export type T = string;", "export interface T { a: string }", "breaks: it was a type and is an interface"},
	},
}

// judge runs one case and returns its last change of a signature, or else its last
// change.
func judge(t *testing.T, c compareCase) model.SymbolChange {
	t.Helper()
	prefix := ""
	if strings.HasSuffix(c.path, ".go") {
		prefix = "package p\n\n"
	}
	old, new := tree{c.path: prefix + c.old + "\n"}, tree{c.path: prefix + c.new + "\n"}
	fp := Compute(Input{Deltas: deltas(old, new, nil)})
	if len(fp.Files) == 1 && !fp.Files[0].Parsed {
		t.Fatalf("not parsed: %s", fp.Files[0].Reason)
	}
	for i := len(fp.Symbols) - 1; i >= 0; i-- {
		if fp.Symbols[i].Change == model.ChangeSignature {
			return fp.Symbols[i]
		}
	}
	if len(fp.Symbols) > 0 {
		return fp.Symbols[len(fp.Symbols)-1]
	}
	return model.SymbolChange{}
}

func TestCompare(t *testing.T) {
	for group, cases := range compareCases {
		for _, c := range cases {
			t.Run(group+"/"+c.path+" "+c.new, func(t *testing.T) {
				got := judge(t, c)
				reasons := strings.Join(got.Reasons, "; ")
				verdict, reason, _ := strings.Cut(c.want, ": ")
				verdict = strings.TrimSuffix(verdict, ":")
				ok := false
				switch verdict {
				case "none":
					ok = got.Change == ""
				case "body":
					ok = got.Change == model.ChangeBody
				case "quiet": // a change or none, but nothing that breaks
					ok = !got.Breaking && got.Change != model.ChangeAdded
				case "ok":
					ok = got.Change == model.ChangeSignature && !got.Breaking && strings.Contains(reasons, reason)
				case "breaks":
					ok = got.Change == model.ChangeSignature && got.Breaking && strings.Contains(reasons, reason)
				}
				if !ok {
					t.Errorf("%s -> %s\ngot %s breaking=%v: %s (%s)\nwant %s", c.old, c.new, got.Change, got.Breaking, reasons, got.Symbol.Signature, c.want)
				}
			})
		}
	}
}

func TestCompareUnseenDifferenceBreaks(t *testing.T) {
	old := model.Symbol{Name: "f", Kind: model.KindFunction, SigHash: "1"}
	new := old
	new.SigHash = "2"
	l := lang.ByName("go")
	if !Breaking(l, old, new) || Breaking(l, old, old) {
		t.Errorf("another signature hash without a known difference: %v, the same: %v", Compare(l, old, new), Compare(l, old, old))
	}
}

func TestCompareMembersOfOneName(t *testing.T) {
	l := &lang.Language{Name: "x", Compat: lang.Compat{FieldAdd: map[model.SymbolKind]string{model.KindInterface: "optional"}}}
	sym := func(members ...model.Member) model.Symbol {
		return model.Symbol{Name: "T", Kind: model.KindInterface, Members: members}
	}
	str := model.Member{Name: "on", Kind: "method", Type: "(string)"}
	num := model.Member{Name: "on", Kind: "method", Type: "(number)"}
	if d := Compare(l, sym(str, num), sym(num)); len(d) != 1 || !d[0].Breaking || d[0].Text != "method on was removed" {
		t.Errorf("one of two overloads removed: %v", d)
	}
	if d := Compare(l, sym(str, num), sym(str, num)); len(d) != 0 {
		t.Errorf("nothing changed: %v", d)
	}
}

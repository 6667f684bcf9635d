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
	"types in another spelling": {
		{"a.py", "from typing import Optional\ndef f(a: Optional[str] = None): pass", "def f(a: str | None = None): pass", "body"},
		{"a.py", "import typing as t\ndef f(a: t.Union[int, None, str]) -> t.List[t.Dict[str, int]]: pass", "def f(a: int | str | None) -> list[dict[str, int]]: pass", "body"},
		{"a.py", "from typing import Optional, Union, Type\ndef f(a: Optional[Union[Type[A], int]]): pass", "def f(a: None | int | type[A]): pass", "body"},
		{"a.py", "from typing import Callable, List\ndef f(a: Callable[[List[int], str], None]): pass", "from collections import abc\ndef f(a: abc.Callable[[list[int], str], None]): pass", "body"},
		{"a.py", "from typing import Iterable, Tuple\ndef f(a: \"Tuple[int, ...]\") -> Iterable[\"C\"]: pass", "import collections.abc\ndef f(a: tuple[int, ...]) -> collections.abc.Iterable[C]: pass", "body"},
		{"a.py", "from typing import *\ndef f(a: List): pass", "def f(a: list): pass", "body"},
		{"a.py", "from typing import Optional\nclass C:\n    x: Optional[int]\n    y: int = 1", "class C:\n    x: int | None\n    y: int = 1", "body"},
		{"a.py", "from typing import Dict\nLIMITS: Dict[str, int] = {}", "LIMITS: dict[str, int] = {}", "body"},
		{"a.py", "from typing import Literal, Optional\ndef f(a: Optional[Literal[\"a|b\", \"List[x]\"]]): pass", "from typing import Literal\ndef f(a: Literal[\"a|b\", \"List[x]\"] | None): pass", "body"},
		{"a.py", "from typing import Literal\ndef f(a: Literal[\"a|b\"]): pass", "from typing import Literal\ndef f(a: Literal[\"b|a\"]): pass", "breaks: changed from"},
		{"a.py", "from typing import Optional\ndef f(a: Optional[int]): pass", "def f(a: int): pass", "breaks: changed from Optional[int] to int"},
		{"a.py", "from typing import Tuple\ndef f(a: Tuple[int, str]): pass", "def f(a: tuple[str, int]): pass", "breaks: changed from"},
		{"a.py", "from mine import List\ndef f(a: List[int]): pass", "def f(a: list[int]): pass", "breaks: changed from List[int] to list[int]"},
		{"a.py", "from typing import Set\ndef f(a: Set[int]): pass", "from collections.abc import Set\ndef f(a: Set[int]): pass", "breaks: changed from set[int] to Set[int]"},
		{"a.go", "func F(a interface{}) {}", "func F(a any) {}", "body"},
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

// moreCases fills the table up: each rule with a case for and against it in every
// language that has it.
var moreCases = map[string][]compareCase{
	"parameters appended": {
		{"a.js", "export function f(a) {}", "export function f(a, ...b) {}", "ok: was added as variadic"},
		{"a.js", "exports.f = function (a) {};", "exports.f = function (a, b = 1) {};", "ok: was added with a default"},
		{"a.js", "exports.f = function (a) {};", "exports.f = function (a, b) {};", "breaks: was added as required"},
		{"a.tsx", "export const F = (a: string) => a;", "export const F = (a: string, b?: string) => a;", "ok: was added as optional"},
		{"a.tsx", "export const F = (a: string) => a;", "export const F = (a: string, b: string) => a;", "breaks: was added as required"},
		{"a.ts", "export class C { m(a: string) {} }", "export class C { m(a: string, b?: string, ...c: string[]) {} }", "ok: was added as variadic"},
		{"a.ts", "export class C { constructor(a: string) {} }", "export class C { constructor(a: string, b: string) {} }", "breaks: was added as required"},
		{"a.go", "type T int\nfunc (t T) F(a int) {}", "type T int\nfunc (t T) F(a int, b ...string) {}", "ok: was added as variadic"},
		{"a.go", "type I interface{ F(a int) }", "type I interface{ F(a int, b ...string) }", "breaks: method F changed"},
		{"a.py", "class C:\n    def f(self, a): pass", "class C:\n    def f(self, a, *, b=1): pass", `ok: parameter "b" was added`},
		{"a.py", "class C:\n    def f(self, a): pass", "class C:\n    def f(self, a, b): pass", `breaks: parameter "b" was added as required`},
		{"a.rs", "extern \"C\" { pub fn f(a: u8); }", "extern \"C\" { pub fn f(a: u8, ...); }", "ok: was added as variadic"},
	},
	"parameters inserted, removed, reordered": {
		{"a.js", "export function f(a, b = 1) {}", "export function f(b = 1, a) {}", "breaks: parameter"},
		{"a.js", "export function f(a, b) {}", "export function f(a) {}", "breaks: parameter 2 (untyped) was removed"},
		{"a.ts", "export function f(a: string, b: number) {}", "export function f(b: number, a: string) {}", "breaks: parameter 1 changed from string to number"},
		{"a.ts", "export function f(a: string, b?: number) {}", "export function f(a: string) {}", "breaks: parameter 2 (number) was removed"},
		{"a.tsx", "export function F(a: string, b: number) {}", "export function F(b: number, a: string) {}", "breaks: parameter 1 changed"},
		{"a.rs", "pub fn f(a: u8, b: u16) {}", "pub fn f(b: u16, a: u8) {}", "breaks: parameter 1 changed from u8 to u16"},
		{"a.rs", "pub fn f(a: u8, c: u16) {}", "pub fn f(a: u8, b: u32, c: u16) {}", "breaks: parameter 2 (u32) was put in"},
		{"a.go", "func F(a int, rest ...string) {}", "func F(a int) {}", "breaks: parameter 2 (string) was removed"},
		{"a.py", "def f(a, b=1): pass", "def f(a): pass", `breaks: parameter "b" was removed`},
	},
	"parameters made optional in place": {
		{"a.tsx", "export function F(a: string, b: number) {}", "export function F(a: string, b?: number) {}", "ok: parameter 2 became optional"},
		{"a.tsx", "export function F(a: string, b?: number) {}", "export function F(a: string, b: number) {}", "breaks: parameter 2 became required"},
		{"a.js", "export function f(a, b = 1) {}", "export function f(a, b) {}", "breaks: parameter 2 became required"},
		{"a.go", "func F(a int, b []string) {}", "func F(a int, b ...string) {}", "breaks: became variadic"},
		{"a.go", "func F(a int, b ...string) {}", "func F(a int, b []string) {}", "breaks: is no longer variadic"},
		{"a.py", "def f(a, *, b): pass", "def f(a, *, b=1): pass", `ok: parameter "b" became optional`},
		{"a.py", "def f(a, *, b=1): pass", "def f(a, *, b): pass", `breaks: parameter "b" became required`},
	},
	"parameter names": {
		{"a.js", "export function f(a) {}", "export function f(b) {}", "body"},
		{"a.tsx", "export function F({ a }: P) {}", "export function F({ b }: P) {}", "body"},
		{"a.py", "def f(*, a=1): pass", "def f(*, b=1): pass", `breaks: parameter "a" was removed`},
		{"a.py", "def f(**a): pass", "def f(**b): pass", "quiet"},
		{"a.py", "def f(a, /): pass", "def f(a): pass", "breaks: by position or keyword"},
		{"a.py", "class C:\n    def f(self): pass", "class C:\n    def f(this): pass", "quiet"},
	},
	"types": {
		{"a.js", "/** @param {string} a */\nexport function f(a) {}", "/** @param {number} a */\nexport function f(a) {}", "none"},
		{"a.ts", "export function f(): string { return x; }", "export function f() { return x; }", "breaks: the return type (string) was removed"},
		{"a.ts", "export function f(): string { return x; }", "export function f(): number { return x; }", "breaks: the return type changed from string to number"},
		{"a.ts", "export class C { v }", "export class C { v: string }", "ok: field v is now annotated as string"},
		{"a.ts", "export class C { v: string }", "export class C { v: number }", "breaks: field v changed from string to number"},
		{"a.ts", "export class C { get v() { return 1; } }", "export class C { get v(): number { return 1; } }", "ok: the property's type is now annotated as number"},
		{"a.tsx", "export function F(p) { return <i/>; }", "export function F(p: P): Node { return <i/>; }", "ok: parameter 1 is now annotated as P"},
		{"a.tsx", "export function F(p: P) { return <i/>; }", "export function F(p: Q) { return <i/>; }", "breaks: parameter 1 changed from P to Q"},
		{"a.py", "def f(a: int): pass", "def f(a): pass", `breaks: parameter "a" no longer has the type int`},
		{"a.py", "def f() -> int: pass", "def f(): pass", "breaks: the return type (int) was removed"},
		{"a.py", "LIMIT = 3", "LIMIT: int = 3", "ok: the type is now annotated as int"},
		{"a.py", "LIMIT: int = 3", "LIMIT: str = 3", "breaks: the type changed from int to str"},
		{"a.go", "var X int", "var X string", "breaks: the type changed from int to string"},
		{"a.go", "const X int = 1", "const X int = 2", "body"},
		{"a.rs", "pub const X: u8 = 1;", "pub const X: u16 = 1;", "breaks: the type changed from u8 to u16"},
		{"a.rs", "pub const X: u8 = 1;", "pub const X: u8 = 2;", "body"},
		{"a.rs", "pub static X: u8 = 1;", "pub static mut X: u8 = 1;", "breaks: it became mut"},
		{"a.rs", "pub fn f(a: &str) {}", "pub fn f(a: &mut str) {}", "breaks: parameter 1 changed"},
	},
	"the order of a union's terms and of bounds": {
		{"a.ts", "export function f(a: string | number | null): A | B { return x; }", "export function f(a: null | number | string): B | A { return x; }", "body"},
		{"a.ts", "export function f(a: string | number) {}", "export function f(a: string | null) {}", "breaks: parameter 1 changed"},
		{"a.ts", "export type T = 'a' | 'b';", "export type T = 'b' | 'a';", "body"},
		{"a.ts", "export type T = 'a' | 'b';", "export type T = 'a' | 'b' | 'c';", "breaks: the type changed"},
		{"a.ts", "export interface I { m(a: Set<A | B>): C | D; x: A | B }", "export interface I { m(a: Set<B | A>): D | C; x: B | A }", "body"},
		{"a.ts", "export function f<T extends A | B>(a: T) {}", "export function f<T extends B | A>(a: T) {}", "body"},
		{"a.tsx", "export const F = memo(function (p: { a: A | B }) { return <i/>; });", "export const F = memo(function (p: { a: B | A }) { return <i/>; });", "body"},
		{"a.py", "def f(a: int | str | None) -> A | B: pass", "def f(a: None | str | int) -> B | A: pass", "body"},
		{"a.py", "def f(a: int | str): pass", "def f(a: int | bytes): pass", "breaks: changed from int | str to int | bytes"},
		{"a.py", "def f(a: Optional[str], b: Union[int, str]): pass", "def f(a: str | None, b: str | int): pass", "body"},
		{"a.py", "def f(a: Optional[str]): pass", "def f(a: str): pass", "breaks: changed from Optional[str] to str"},
		{"a.py", "class C:\n    a: int | None = None", "class C:\n    a: Optional[int] = None", "body"},
		{"a.go", "func F[T ~int | ~string](a T) {}", "func F[T ~string | ~int](a T) {}", "body"},
		{"a.go", "func F[T ~int | ~string](a T) {}", "func F[T ~int | ~string | ~bool](a T) {}", "breaks: type parameter 1 changed"},
		{"a.go", "type S[T interface{ A | B }] struct{ X T }", "type S[T interface{ B | A }] struct{ X T }", "body"},
		{"a.rs", "pub fn f<T: A + B>(a: T) -> impl C + D {}", "pub fn f<T: B + A>(a: T) -> impl D + C {}", "body"},
		{"a.rs", "pub fn f(a: Box<dyn A + Send>) {}", "pub fn f(a: Box<dyn Send + A>) {}", "body"},
		{"a.rs", "pub fn f(a: Box<dyn A + Send>) {}", "pub fn f(a: Box<dyn A>) {}", "breaks: parameter 1 changed"},
		{"a.rs", "pub trait T: A + B {}", "pub trait T: B + A {}", "quiet"},
	},
	"visibility": {
		{"a.js", "function f() {}", "export function f() {}", "ok: it became exported"},
		{"a.js", "export function f() {}", "function f() {}", "breaks: it is no longer exported"},
		{"a.js", "function f() {}\nexports.f = f;", "function f() {}", "breaks: it is no longer exported"},
		{"a.js", "function f() {}", "function f() {}\nmodule.exports = { f };", "ok: it became exported"},
		{"a.tsx", "const F = () => <i/>;", "export const F = () => <i/>;", "ok: it became exported"},
		{"a.tsx", "export const F = () => <i/>;", "const F = () => <i/>;", "breaks: it is no longer exported"},
		{"a.ts", "class C {}", "export default class C {}", "ok: it became the default export"},
		{"a.ts", "export default class C {}", "export class C {}", "breaks: it is no longer the default export"},
		{"a.ts", "export class C { private f() {} }", "export class C { public f() {} }", "ok: it is no longer private"},
		{"a.ts", "export class C { f() {} }", "export class C { private f() {} }", "breaks: it became private"},
		{"a.ts", "export class C { private v = 1 }", "export class C { v = 1 }", "ok: field v was added"},
		{"a.ts", "export class C { v = 1 }", "export class C { private v = 1 }", "breaks: field v was removed"},
		{"a.rs", "pub(crate) struct S;", "pub struct S;", "ok: it is no longer pub(crate)"},
		{"a.rs", "pub struct S;", "struct S;", "breaks:"},
		{"a.rs", "impl S { fn f(&self) {} }", "impl S { pub fn f(&self) {} }", "ok:"},
		{"a.rs", "impl S { pub fn f(&self) {} }", "impl S { fn f(&self) {} }", "breaks:"},
	},
	"private members": {
		{"a.ts", "export class C { private f(a: string) {} }", "export class C { private f(a: number) {} }", "ok: parameter 1 changed from string to number"},
		{"a.ts", "export class C { #f(a: string) {} }", "export class C { async #f(a: string, b: string) {} }", "ok: it became async"},
		{"a.js", "export class C { #f(a) {} }", "export class C { #f(a, b) {} }", "ok: was added as required"},
		{"a.ts", "export class C { protected f(a: string) {} }", "export class C { protected f(a: number) {} }", "breaks: parameter 1 changed"},
		{"a.rs", "impl S { fn f(&self, a: u8) {} }", "impl S { fn f(&self, a: u16) {} }", "breaks: parameter 1 changed"},
		{"a.py", "class C:\n    def _f(self, a): pass", "class C:\n    def _f(self, a, b): pass", "breaks: was added as required"},
	},
	"members added": {
		{"a.ts", "export type T = { a: string };", "export type T = { a: string; b?: string };", "ok: field b was added"},
		{"a.ts", "export type T = { a: string };", "export type T = { a: string; b: string };", "breaks: field b was added as required"},
		{"a.ts", "export class C { a = 1 }", "export class C { b = 2; a = 1 }", "ok: field b was added"},
		{"a.js", "export class C { a = 1 }", "export class C { a = 1; b = 2 }", "ok: field b was added"},
		{"a.ts", "export interface T { a: string }", "export interface T { a: string; (x: string): void }", "breaks: call"},
		{"a.ts", "export interface T { a: string }", "export interface T { a: string; [k: string]: string }", "breaks: index"},
		{"a.go", "type T interface{ A() }", "type T interface{ A(); Reader }", "breaks: embed Reader was added"},
		{"a.go", "type T struct{ A int }", "type T struct{ A int; b int }", "body"},
		{"a.py", "class C:\n    a: int = 0\n    c: int = 0", "class C:\n    a: int = 0\n    b: int = 1\n    c: int = 0", "breaks: field b was added in front of existing ones"},
		{"a.py", "class E(Enum):\n    A = 1", "class E(Enum):\n    A = 1\n    B = 2", "breaks: variant B was added"},
		{"a.rs", "pub struct S { pub a: u8 }", "pub struct S { pub a: u8, pub b: u8 }", "breaks: field b was added"},
		{"a.rs", "pub struct S { pub a: u8 }", "pub struct S { pub a: u8, b: u8 }", "body"},
		{"a.rs", "pub trait T { fn a(&self); }", "pub trait T { fn a(&self); fn b(&self) {} }", "breaks: method b was added"},
		{"a.rs", "pub trait T { fn a(&self); }", "pub trait T { fn a(&self); type B; }", "breaks: type B was added"},
	},
	"members removed or changed": {
		{"a.ts", "export interface T { a: string }", "export interface T { a: number }", "breaks: field a changed from string to number"},
		{"a.ts", "export interface T { m(a: string): void }", "export interface T { m(b: string): void }", "body"},
		{"a.ts", "export interface T { m(a: string): void }", "export interface T { m(a: number): void }", "breaks: method m changed"},
		{"a.ts", "export interface T { a: string }", "export interface T { readonly a: string }", "breaks: field a changed"},
		{"a.ts", "export class C extends A { a = 1 }", "export class C extends B { a = 1 }", "breaks: base A was removed"},
		{"a.ts", "export class C implements A {}", "export class C {}", "breaks: base A was removed"},
		{"a.ts", "export enum E { A = 1 }", "export enum E { A = 2 }", "breaks: variant A changed from 1 to 2"},
		{"a.js", "export class C { a = 1; b = 2 }", "export class C { a = 1 }", "breaks: field b was removed"},
		{"a.js", "export class C extends A {}", "export class C extends B {}", "breaks: base A was removed"},
		{"a.go", "type T interface{ A(n int) }", "type T interface{ A(n string) }", "breaks: method A changed from (int) to (string)"},
		{"a.go", "type T struct{ Base }", "type T struct{ Other }", "breaks: embed Base was removed"},
		{"a.go", "type T struct{ A int `json:\"a\"` }", "type T struct{ A int `json:\"b\"` }", "body"},
		{"a.py", "class C:\n    a: int", "class C:\n    a: str", "breaks: field a changed from int to str"},
		{"a.py", "class C:\n    a: int = 1", "class C:\n    a: int", "breaks: field a became required"},
		{"a.py", "class C(A): pass", "class C(A, metaclass=M): pass", "breaks: base metaclass was added"},
		{"a.rs", "pub enum E { A(u8) }", "pub enum E { A(u16) }", "breaks: variant A changed from (u8) to (u16)"},
		{"a.rs", "pub trait T { fn a(&self); fn b(&self); }", "pub trait T { fn a(&self); }", "breaks: method b was removed"},
		{"a.rs", "pub trait T { fn a(&self); }", "pub trait T { fn a(&mut self); }", "breaks:"},
		{"a.rs", "pub struct S(pub u8);", "pub struct S { pub a: u8 }", "breaks:"},
	},
	"members reordered": {
		{"a.ts", "export type T = { a: string; b: string };", "export type T = { b: string; a: string };", "quiet"},
		{"a.js", "export class C { a = 1; b = 2 }", "export class C { b = 2; a = 1 }", "quiet"},
		{"a.ts", "export class C { a() {} b() {} }", "export class C { b() {} a() {} }", "quiet"},
		{"a.py", "class E(Enum):\n    A = 1\n    B = 2", "class E(Enum):\n    B = 2\n    A = 1", "breaks: members were reordered"},
		{"a.py", "class C:\n    def a(self): pass\n    def b(self): pass", "class C:\n    def b(self): pass\n    def a(self): pass", "quiet"},
		{"a.py", "class C:\n    a = 1\n    b = 2", "class C:\n    b = 2\n    a = 1", "quiet"},
		{"a.py", "class C(A, B): pass", "class C(B, A): pass", "breaks:"},
		{"a.rs", "pub struct S(pub u8, pub u16);", "pub struct S(pub u16, pub u8);", "breaks:"},
		{"a.go", "type T struct{ A int; Base }", "type T struct{ Base; A int }", "breaks: members were reordered"},
	},
	"never compatible, alone or beside an optional parameter": {
		{"a.js", "export function f(a) {}", "export async function f(a, b = 1) {}", "breaks: it became async"},
		{"a.js", "export function f(a) {}", "export function* f(a, b = 1) {}", "breaks: it became a generator"},
		{"a.tsx", "export const F = memo((p: P) => <i/>);", "export const F = forwardRef((p: P, r?: R) => <i/>);", "breaks: wrapped in memo"},
		{"a.ts", "export class C { f(a: string) {} }", "export class C { static f(a: string, b?: string) {} }", "breaks: it became static"},
		{"a.ts", "export class C { f(a: string) {} }", "export class C { get f() { return 1; } }", "breaks: it became a getter"},
		{"a.ts", "export class C extends A { a = 1 }", "export class C extends B { a = 1; b? = 2 }", "breaks: base A was removed"},
		{"a.ts", "export function f<T extends A>(a: T) {}", "export function f<T extends B>(a: T, b?: string) {}", "breaks: type parameter 1 changed"},
		{"a.ts", "export function f<T>(a: T) {}", "export function f<U>(a: U) {}", "body"},
		{"a.py", "def f(a): pass", "def f(a, b=1):\n    yield a", "breaks: it became a generator"},
		{"a.py", "class C:\n    def f(self, a): pass", "class C:\n    @staticmethod\n    def f(a, b=1): pass", "breaks: it became"},
		{"a.py", "class C:\n    @property\n    def f(self): pass", "class C:\n    def f(self): pass", "breaks: it is no longer a property"},
		{"a.py", "class C(A):\n    a: int = 1", "class C(B):\n    a: int = 1\n    b: int = 2", "breaks: base A was removed"},
		{"a.py", "def f[T: A](a: T): pass", "def f[T: B](a: T, b=1): pass", "breaks: type parameter 1 changed"},
		{"a.go", "type T int\nfunc (t T) F(a int) {}", "type T int\nfunc (t *T) F(a int, b ...int) {}", "breaks: it became a method of the pointer"},
		{"a.rs", "pub fn f() {}", "pub async fn f() {}", "breaks: it became async"},
		{"a.rs", "pub fn f() {}", "pub const fn f() {}", "breaks: it became const"},
		{"a.rs", "impl S { pub fn f(&self) {} }", "impl S { pub fn f(self) {} }", "breaks:"},
		{"a.rs", "pub struct S<T: A>(pub T);", "pub struct S<T: B>(pub T);", "breaks: type parameter 1 changed"},
		{"a.rs", "pub fn f<'a>(x: &'a str) {}", "pub fn f<'b>(x: &'b str) {}", "body"},
	},
	"decorators, attributes, docs": {
		{"a.ts", "export class C { @A m() {} }", "export class C { @B() m() {} }", "body"},
		{"a.py", "@a\ndef f(x): pass", "@b\ndef f(x): pass", "body"},
		{"a.py", "def f(x): pass", "def f(x):\n    \"\"\"Doc.\"\"\"\n    pass", "body"},
		{"a.rs", "#[inline]\npub fn f() {}", "#[cold]\npub fn f() {}", "body"},
		{"a.rs", "/// One.\npub fn f() {}", "/// Two.\npub fn f() {}", "none"},
		{"a.go", "// One.\nfunc F() {}", "// Two.\nfunc F() {}", "none"},
		{"a.js", "/** One. */\nexport function f() {}", "/** Two. */\nexport function f() {}", "none"},
	},
}

func init() {
	for group, cases := range moreCases {
		compareCases[group] = append(compareCases[group], cases...)
	}
}

// TestRemovedAndRenamedBreak: whatever is taken away or has another name breaks, in
// every language and for every kind of definition.
func TestRemovedAndRenamedBreak(t *testing.T) {
	for _, c := range []struct{ path, keep, old, new string }{
		{"a.go", "package p\n", "func F(a int) int { return a + 1 }", "func G(a int) int { return a + 1 }"},
		{"a.go", "package p\n", "type T struct{ A int }", "type U struct{ A int }"},
		{"a.go", "package p\n", "type I interface{ A() }", "type J interface{ A() }"},
		{"a.go", "package p\n", "const A = 12", "const B = 12"},
		{"a.go", "package p\n", "var A = make()", "var B = make()"},
		{"a.ts", "", "export function f(a: string) { return a; }", "export function g(a: string) { return a; }"},
		{"a.ts", "", "export class C { m() { return 1; } }", "export class D { m() { return 1; } }"},
		{"a.ts", "", "export interface I { a: string }", "export interface J { a: string }"},
		{"a.ts", "", "export type T = string;", "export type U = string;"},
		{"a.ts", "", "export enum E { A, B }", "export enum F { A, B }"},
		{"a.tsx", "", "export const F = memo(() => <i/>);", "export const G = memo(() => <i/>);"},
		{"a.js", "", "exports.f = function (a) { return a; };", "exports.g = function (a) { return a; };"},
		{"a.py", "", "def f(a):\n    return a", "def g(a):\n    return a"},
		{"a.py", "", "class C:\n    a: int = 1", "class D:\n    a: int = 1"},
		{"a.py", "", "LIMIT = 3", "MOST = 3"},
		{"a.rs", "", "pub fn f(a: u8) -> u8 { a }", "pub fn g(a: u8) -> u8 { a }"},
		{"a.rs", "", "pub struct S { pub a: u8 }", "pub struct R { pub a: u8 }"},
		{"a.rs", "", "pub enum E { A, B }", "pub enum F { A, B }"},
		{"a.rs", "", "pub trait T { fn a(&self); }", "pub trait U { fn a(&self); }"},
		{"a.rs", "", "pub const A: u8 = 12;", "pub const B: u8 = 12;"},
		{"a.rs", "", "impl S { pub fn f(&self) -> u8 { 1 } }", "impl S { pub fn g(&self) -> u8 { 1 } }"},
	} {
		check := func(now string, want ...model.ChangeKind) {
			t.Helper()
			fp := Compute(Input{Deltas: deltas(tree{c.path: c.keep + c.old + "\n"}, tree{c.path: c.keep + now + "\n"}, nil)})
			var got []model.ChangeKind
			for _, s := range fp.Symbols {
				if s.Change != model.ChangeBody {
					got = append(got, s.Change)
					if !s.Breaking {
						t.Errorf("%s: %s -> %s: %s does not break", c.path, c.old, now, s.Change)
					}
				}
			}
			if len(got) == 0 || got[0] != want[0] {
				t.Errorf("%s: %s -> %s: %v, want %v\n%s", c.path, c.old, now, got, want, show(fp))
			}
		}
		check(c.new, model.ChangeRenamed)
		check("", model.ChangeRemoved)
	}
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

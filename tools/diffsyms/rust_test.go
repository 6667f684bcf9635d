package main

import (
	"fmt"
	"strings"
	"testing"
)

const rustSource = `#![allow(dead_code)]
//! fn in_comment() {}
/* fn in_block() { /* nested */ } */
use std::{fmt, io};
extern crate core;
pub(crate) struct S<T: Fn(u8) -> u8>(T) where T: Copy;
union U { a: u8 }
enum E { A, B { x: u8 } }
type Al<'a> = &'a str;
pub const C: &'static str = r#"fn raw() { " }"#;
static mut D: [u8; { 1 }] = [b'}'; 1];
const _: () = { fn hidden() {} };
impl<'a, T> fmt::Display for S<T> where T: Into<&'a str> {
    type Item = u8;
    const K: char = '{';
    fn fmt(&'a mut self, #[x(a, b)] f: &mut fmt::Formatter<'_>) -> fmt::Result { fn inner() {} Ok(()) }
    async unsafe fn take<F: FnOnce(u8, u8)>(mut self: Box<Self>, (a, b): (u8, u8), g: HashMap<u8, F>) {}
}
trait Tr: Send { fn req(&self) -> u8; fn plain(x: u8) {} }
extern "C" { fn ext(a: u8, ...); static LIMIT: u32; }
extern "C" fn call(x: u8) {}
const fn compile(r#type: u8,) {}
macro_rules! m { () => { fn made() {} } }
m! { fn called() {} }
thread_local!(static X: u8 = 1);
mod inline { pub fn g() {} mod deep { struct P; } }
mod file;
#[cfg(all(unix, test))]
mod tests { fn t() {} }
#[cfg(any(test, unix))]
mod kept { fn k() {} }
fn last() -> impl Iterator<Item = u8> { 'a: loop { break 'a } }
`

func TestScanRust(t *testing.T) {
	r := scanRust("a.rs", rustSource)
	var got []string
	for _, d := range r.Defs {
		got = append(got, fmt.Sprintf("%d %s %s %d", d.Line, d.Kind, d.Name, d.Params))
	}
	want := `6 struct S -1
7 struct U -1
8 enum E -1
9 type Al -1
10 const C -1
11 var D -1
14 type impl.Item -1
15 const impl.K -1
16 method impl.fmt 1
17 method impl.take 2
19 trait Tr -1
19 method Tr.req 0
19 method Tr.plain 1
20 function ext 2
20 var LIMIT -1
21 function call 1
22 function compile 1
26 function inline.g 0
26 struct inline.deep.P -1
31 function kept.k 0
32 function last 0`
	if s := strings.Join(got, "\n"); r.Error != "" || s != want {
		t.Errorf("%s\ngot:\n%s\nwant:\n%s", r.Error, s, want)
	}
}

func TestScanRustCallsBrokenFilesBroken(t *testing.T) {
	for _, src := range []string{"fn a( {}", "fn a() {", "}", "/* open", `const A: &str = "open`, "const A: &str = r#\"open\";"} {
		if scanRust("a.rs", src).Error == "" {
			t.Errorf("no error in %q", src)
		}
	}
}

func TestCtagsDefs(t *testing.T) {
	src := strings.Split("fn a() {}\n#[cfg(test)]\n// note\n#[rustfmt::skip]\nmod tests {\n fn t() {}\n}\nmod kept {}", "\n")
	got := ctagsDefs([]ctag{
		{Name: "a", Kind: "function", Line: 1, Signature: "(x: u8) -> u8"},
		{Name: "inner", Kind: "function", Line: 1, Scope: "a", ScopeKind: "function"},
		{Name: "tests", Kind: "module", Line: 5},
		{Name: "t", Kind: "function", Line: 6, Scope: "tests", ScopeKind: "module"},
		{Name: "deep", Kind: "function", Line: 6, Scope: "tests::more", ScopeKind: "module"},
		{Name: "kept", Kind: "module", Line: 8},
		{Name: "k", Kind: "function", Line: 8, Scope: "kept", ScopeKind: "module"},
		{Name: "m", Kind: "method", Line: 8, Scope: "S", ScopeKind: "implementation", Signature: "<F: Fn(u8, u8)>(&self, f: F)"},
		{Name: "S", Kind: "implementation", Line: 8},
		{Name: "A", Kind: "enumerator", Line: 8},
	}, src)
	if names(got) != "function a, function k, method m" {
		t.Errorf("got %s", names(got))
	}
	if got[0].Params != 1 || got[1].Params != -1 || got[2].Params != 1 {
		t.Errorf("parameters %v", got)
	}
}

func TestTestAttribute(t *testing.T) {
	for s, want := range map[string]bool{
		"#[cfg(test)]": true, "#[ cfg( test ) ]": true, "#[cfg(all(test, unix))]": true, `#[cfg(all(feature = "x", test))]`: true,
		"#[cfg(all(any(test, unix), windows))]": false, "#[cfg(any(test, unix))]": false, "#[cfg(not(test))]": false, "#[test]": false,
	} {
		if testAttribute(s) != want {
			t.Errorf("%s: %v", s, !want)
		}
	}
}

func FuzzScanRust(f *testing.F) {
	f.Add(rustSource)
	f.Add("fn a() { ' }")
	f.Add("impl")
	f.Add("const A")
	f.Add("fn")
	f.Add("struct é;")
	f.Fuzz(func(t *testing.T, src string) {
		r := scanRust("a.rs", src)
		for _, d := range r.Defs {
			if d.Line < 1 || d.Line > strings.Count(src, "\n")+1 || d.Params < -1 {
				t.Errorf("definition %+v", d)
			}
		}
	})
}

package lang_test

import (
	"slices"
	"testing"

	"gitlet/internal/lang"
)

func TestRustResolve(t *testing.T) {
	for _, c := range []struct{ name, files, path, want string }{
		{"crate, self, super, children and use trees", `
-- src/lib.rs --
mod a;
mod store;
pub fn top() {}
-- src/a/mod.rs --
pub mod deep;
pub fn near() {}
-- src/a/deep.rs --
use crate::store::{self, open as opener, Store};
use super::near;
use std::collections::HashMap;
use serde::Serialize;
mod child;
struct Here;
impl Here { fn m() { Self::n(); Here::n(); } fn n() {} }
fn run(s: Store, m: HashMap<u8, Here>, f: fn(u8)) {
    opener();
    store::open();
    Store::new();
    store::Store::new();
    near();
    super::near();
    super::super::top();
    crate::top();
    crate::a::near();
    child::go();
    self::child::go();
    run();
    f();
    s.get();
    Vec::<u8>::new();
    serde::to_string();
    external::thing();
    String::from("");
}
-- src/a/deep/child.rs --
pub fn go() {}
-- src/store.rs --
pub struct Store;
impl Store { pub fn new() {} }
pub fn open() {}
`, "src/a/deep.rs", `
Here -> src/a/deep
Self n -> src/a/deep : Here
Here n -> src/a/deep : Here
Store -> src/store
HashMap -> outside
Here -> src/a/deep
opener -> src/store as open
store open -> src/store
Store new -> src/store : Store
store::Store new -> src/store : Store
near -> src/a
super near -> src/a
super::super top -> src
crate top -> src
crate::a near -> src/a
child go -> src/a/deep/child
self::child go -> src/a/deep/child
run -> src/a/deep
s get -> unresolved
Vec new -> outside
Vec -> outside
serde to_string -> outside
external thing -> outside
String from -> outside`},
		{"inline modules and globs", `
-- src/lib.rs --
mod util;
use util::*;
pub fn helper() {}
pub mod inner {
    use super::*;
    pub struct Pin;
    pub fn up() { helper(); near(); super::helper(); self::near(); crate::helper(); from_util(); Pin::new(); }
    pub fn near() {}
}
fn use_it() { inner::near(); inner::Pin::new(); from_util(); nowhere(); Tool::make(); }
#[cfg(test)]
mod tests {
    use super::*;
    fn t() { helper(); use_it(); assert_eq!(inner::near(), other()); }
    fn other() {}
}
-- src/util.rs --
pub fn from_util() {}
pub struct Tool;
`, "src/lib.rs", `
helper -> src
near -> src : inner
self helper -> src
self::inner near -> src : inner
crate helper -> src
from_util -> src/util
Pin new -> src : inner.Pin
inner near -> src : inner
inner::Pin new -> src : inner.Pin
from_util -> src/util
nowhere -> src/util
Tool make -> src/util : Tool
helper -> src
use_it -> src
inner near -> src : inner
other -> src : tests`},
		{"names that a module passes on", `
-- src/main.rs --
mod shop;
use shop::{Cart, sell, Kind};
use crate::shop;
fn main() {
    sell();
    Cart::new();
    shop::Cart::new();
    shop::sell();
    shop::star();
    shop::own();
    shop::gone();
    crate::shop::renamed();
    let k = Kind::Big;
}
-- src/shop/mod.rs --
mod cart;
mod till;
mod star;
pub use self::cart::{
    Cart,
    Kind,
};
pub(crate) use till::sell;
pub use star::*;
pub use till::inner_name as renamed;
pub fn own() {}
-- src/shop/cart.rs --
pub struct Cart;
pub enum Kind { Big }
-- src/shop/till.rs --
pub fn sell() {}
pub fn inner_name() {}
-- src/shop/star.rs --
pub fn star() {}
`, "src/main.rs", `
sell -> src/shop/till
Cart new -> src/shop/cart : Cart
shop::Cart new -> src/shop/cart : Cart
shop sell -> src/shop/till
shop star -> src/shop/star
shop own -> src/shop
shop gone -> src/shop
crate::shop renamed -> src/shop/till as inner_name
Kind -> src/shop/cart`},
		{"comments and strings of a module that passes names on", `
-- Cargo.toml --
[workspace]
members = ["a", "b"]
-- a/Cargo.toml --
[package]
name = "liba"
-- a/src/lib.rs --
/*!
Use it: /* nested */
use liba::Thing;
pub fn Other() {}
*/
/* first */ pub use t::Thing;
mod t;
const HELP: &str = "\"
use liba::Other;
";
const RAW: &str = r#"
use liba::Third;
"#;
const QUOTE: char = '"';
const TICK: char = '\'';
pub use t::{Other, // one
    /* two, */ Third};
fn end<'a>(x: &'a str) {} // "
pub use t::Last;
-- a/src/t.rs --
pub struct Thing;
pub struct Other;
pub struct Third;
pub struct Last;
-- b/Cargo.toml --
[package]
name = "b"
[dependencies]
liba = { path = "../a" }
-- b/src/main.rs --
fn main() { liba::Thing::new(); liba::Other::new(); liba::Third::new(); liba::Last::new(); }
`, "b/src/main.rs", `
liba::Thing new -> a/src/t : Thing
liba::Other new -> a/src/t : Other
liba::Third new -> a/src/t : Third
liba::Last new -> a/src/t : Last`},
		{"crates passed on under another name", `
-- Cargo.toml --
[workspace]
members = ["grep", "cli", "a", "b"]
-- cli/Cargo.toml --
[package]
name = "grep-cli"
-- cli/src/lib.rs --
pub mod esc;
pub fn escape() {}
-- cli/src/esc.rs --
pub fn one() {}
-- a/Cargo.toml --
[package]
name = "liba"
-- a/src/lib.rs --
pub fn f() {}
-- grep/Cargo.toml --
[package]
name = "grep"
[dependencies]
grep-cli = { path = "../cli" }
liba = { path = "../a" }
-- grep/src/lib.rs --
pub extern crate grep_cli as cli;
pub use liba as ab;
pub extern crate liba;
pub use serde as ser;
-- b/Cargo.toml --
[package]
name = "b"
[dependencies]
grep = { path = "../grep" }
liba = { path = "../a" }
-- b/src/main.rs --
extern crate liba as own;
use grep::cli as c;
fn main() {
    grep::cli::escape();
    grep::cli::esc::one();
    grep::ab::f();
    grep::liba::f();
    grep::ser::x();
    c::escape();
    own::f();
}
`, "b/src/main.rs", `
grep::cli escape -> cli/src
grep::cli::esc one -> cli/src/esc
grep::ab f -> a/src
grep::liba f -> a/src
grep::ser x -> outside
c escape -> cli/src
own f -> a/src`},
		{"packages of the workspace", `
-- Cargo.toml --
[workspace]
members = ["app", "libs/*"]
[workspace.dependencies]
shared-lib = { path = "libs/shared", version = "1" }
serde = "1"
-- app/Cargo.toml --
[package]
name = "my-app"
[dependencies]
shared-lib.workspace = true
serde = { workspace = true, features = ["derive"] }
near = { path = "../libs/near" } # a comment
[dev-dependencies.far]
path = "../libs/far"
[target.'cfg(unix)'.dependencies]
sys = { path = "../../away" }
-- app/src/lib.rs --
pub mod api;
pub fn root() {}
-- app/src/api.rs --
pub fn call() {}
-- libs/shared/src/lib.rs --
pub mod config;
-- libs/shared/src/config.rs --
pub fn load() {}
-- app/tests/it/main.rs --
mod util;
mod cases;
-- app/tests/it/util.rs --
pub fn setup() {}
-- app/tests/it/cases.rs --
use my_app::api;
use shared_lib::config::load;
fn t() {
    my_app::root();
    api::call();
    load();
    near::x();
    far::y();
    sys::z();
    serde::w();
    crate::util::setup();
}
`, "app/tests/it/cases.rs", `
my_app root -> app/src
api call -> app/src/api
load -> libs/shared/src/config
near x -> libs/near/src
far y -> libs/far/src
sys z -> outside
serde w -> outside
crate::util setup -> app/tests/it/util`},
		{"a program of its own below src/bin, and children beside a crate's root", `
-- src/lib.rs --
-- src/bin/tool/main.rs --
mod args;
mod run;
-- src/bin/tool/args.rs --
pub fn parse() {}
-- src/bin/tool/run.rs --
fn f() { crate::args::parse(); }
`, "src/bin/tool/run.rs", `
crate::args parse -> src/bin/tool/args`},
		{"children of a test file", `
-- tests/it.rs --
mod common;
fn f() { common::setup(); }
-- tests/common/mod.rs --
pub fn setup() {}
`, "tests/it.rs", `
common setup -> tests/common`},
	} {
		t.Run(c.name, func(t *testing.T) { resolveCase(t, c.files, c.path, c.want) })
	}
}

func TestRustModules(t *testing.T) {
	l := lang.ByName("rust")
	for path, want := range map[string][]string{
		"src/lib.rs": {"src/lib", "src"}, "src/main.rs": {"src/main", "src"}, "src/a/mod.rs": {"src/a/mod", "src/a"},
		"src/a.rs": {"src/a"}, "build.rs": {"build"},
	} {
		if got := l.Modules(path); !slices.Equal(got, want) {
			t.Errorf("modules of %q: %q, want %q", path, got, want)
		}
	}
}

package lang_test

import (
	"slices"
	"testing"

	"gitlet/internal/lang"
)

const tsSource = `
import Cfg, { load, Store as Shop, util as tools, default as again } from "./config";
import parse from '../parse.js';
import * as ns from "./geo/index";
import Old = require("./old");
import { ext } from "pkg";
import { up } from "../../../gone";
import { here } from ".";
class Own { static make() {} }
namespace Space { export function f() {} export namespace In { export function g() {} } }
function local() {}
export const api = { run() {} };
function main(arg: ns.Point) {
  load(); tools.go(); Shop.open(); again(); new Cfg(); Cfg.read(); Cfg.Inner.read(); new Old(1); Old.go(); parse(); parse.all();
  ns.area(); new ns.Circle(); ns.Circle.unit(); ns.deep.area(); ext(); ext.more(); up(); here();
  local(); Own.make(); Space.f(); Space.In.g(); api.run(); other.thing(); Other.thing(); arg.go(); unknown();
  const { late } = require("./late"); late();
}
`

func TestResolveTypeScript(t *testing.T) {
	t.Parallel()
	want := `ns.Point: src/geo/index
load: src/config
tools.go: src/config
Shop.open: src/config in Store
again: src/config (default)
Cfg: src/config (default)
Cfg.read: src/config in default
Cfg.Inner.read: src/config in default.Inner
Old: src/old (default)
Old.go: src/old
parse: parse (default)
parse.all: parse
ns.area: src/geo/index
ns.Circle: src/geo/index
ns.Circle.unit: src/geo/index in Circle
ns.deep.area: unresolved
ext: outside
ext.more: outside
up: outside
here: src
local: src/main
Own.make: src/main in Own
Space.f: src/main in Space
Space.In.g: src/main in Space.In
api.run: src/main in api
other.thing: unresolved
Other.thing: unresolved
arg.go: unresolved
unknown: src/main
late: src/late
`
	got := resolved(t, lang.ByName("typescript"), "src/main.ts", tsSource, tree{})
	if got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

func TestResolveCommonJS(t *testing.T) {
	t.Parallel()
	src := `
const Config = require("./config"), { a, b: c } = require("./lib/x.cjs"), one = require("./y").one, path = require("path");
function Foo() {}
Foo.prototype.bar = function () {};
new Config(); Config.load(); a(); c(); one(); path.join(); new Foo(); Foo.bar(); this.x();
async function f() { const m = await import("./esm.mjs"); m.go(); const { default: d } = await import("./esm.mjs"); d(); }
m();
`
	want := `Config: lib/config (default)
Config.load: lib/config
a: lib/lib/x
c: lib/lib/x as b
one: lib/y
path.join: outside
Foo: lib/index
Foo.bar: lib/index in Foo
this.x: unresolved
m.go: lib/esm
d: lib/esm (default)
m: lib/index
`
	if got := resolved(t, lang.ByName("javascript"), "lib/index.js", src, tree{}); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

func TestModules(t *testing.T) {
	t.Parallel()
	for path, want := range map[string][]string{
		"internal/model/code.go": {"internal/model"},
		"main.go":                {"."},
		"src/fs.ts":              {"src/fs"},
		"src/fs/index.tsx":       {"src/fs/index", "src/fs"},
		"index.js":               {"index", "."},
		"types/api.d.ts":         {"types/api.d", "types/api"},
		"a/b.service.ts":         {"a/b.service"},
		"a/b.mjs":                {"a/b"},
	} {
		if got := lang.ForPath(path).Modules(path); !slices.Equal(got, want) {
			t.Errorf("modules of %s = %v, want %v", path, got, want)
		}
	}
}

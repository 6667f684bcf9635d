package lang_test

import (
	"slices"
	"testing"

	"gitlet/internal/lang"
)

func TestPythonResolve(t *testing.T) {
	for _, c := range []struct{ name, files, path, want string }{
		{"relative and absolute imports", `
-- pkg/__init__.py --
-- pkg/up.py --
def load(): pass
class Config:
    class Inner: pass
-- pkg/sub/__init__.py --
-- pkg/sub/near.py --
def go(): pass
-- pkg/sub/use.py --
from . import near
from .near import go as start
from ..up import load, Config
from ... import outside_of_it
import pkg.up
import pkg.up as u
import os, requests
def own(): pass
own()
start()
near.go()
near.missing.go()
load()
Config.build()
Config.Inner.build()
pkg.up.load()
pkg.up.Config.build()
pkg.thing()
u.load()
outside_of_it()
os.path.join()
requests.get()
print(len([]))
unknown.call()
`, "pkg/sub/use.py", `
own -> pkg/sub/use
start -> pkg/sub/near as go
near go -> pkg/sub/near
near.missing go -> unresolved
load -> pkg/up
Config build -> pkg/up : Config
Config.Inner build -> pkg/up : Config.Inner
pkg.up load -> pkg/up
pkg.up.Config build -> pkg/up : Config
pkg thing -> pkg
u load -> pkg/up
outside_of_it -> .
os.path join -> outside
requests get -> requests
print -> outside
len -> outside
unknown call -> unresolved`},
		{"a package beside the tests, under src, and under its own folder", `
-- src/app/__init__.py --
-- src/app/core.py --
def run(): pass
-- libs/tool/tool/__init__.py --
-- libs/tool/tool/main.py --
def work(): pass
-- libs/tool/tests/test_main.py --
from tool.main import work
from app.core import run
import far.away
work()
run()
far.away.x()
`, "libs/tool/tests/test_main.py", `
work -> libs/tool/tool/main
run -> src/app/core
far.away x -> far/away`},
		{"strings of a package that passes names on", `
-- pkg/__init__.py --
"""Use it:

from pkg.wrong import load
class save: pass
"""
HELP = "a # \"" # it's """
TEXT = '''
from pkg.wrong import save
'''
from .right import load
from .right import save
-- pkg/right.py --
def load(): pass
def save(): pass
-- pkg/wrong.py --
def load(): pass
def save(): pass
-- main.py --
from pkg import load, save
load()
save()
`, "main.py", `
load -> pkg/right
save -> pkg/right`},
		{"a name that a package passes on is its module's", `
-- pkg/__init__.py --
from .impl import (
    load,  # the main thing
    Config as Settings,
)
from ._star import *
try:
    from .fast import dumps
except ImportError:
    from .slow import dumps
def here(): pass
-- pkg/impl.py --
def load(): pass
class Config: pass
-- pkg/_star.py --
def shine(): pass
-- pkg/fast.py --
def dumps(): pass
-- pkg/slow.py --
def dumps(): pass
-- use.py --
import pkg
from pkg import load, Settings, shine as s, here, dumps
load()
Settings.make()
Settings()
s()
here()
dumps()
pkg.load()
pkg.Settings.make()
pkg.nothing()
`, "use.py", `
load -> pkg/impl
Settings make -> pkg/impl : Config
Settings -> pkg/impl as Config
s -> pkg/_star as shine
here -> pkg
dumps -> pkg/fast
pkg load -> pkg/impl
pkg.Settings make -> pkg/impl : Config
pkg nothing -> pkg`},
		{"scopes: local names are nobody's, an import holds where it stands", `
-- a.py --
def helper(): pass
-- b.py --
def helper(): pass
class Local:
    def m(self): pass
def one(helper, q):
    helper()
    q.x()
    Local.m()
def two():
    from a import helper
    helper()
def three():
    helper()
    self.x()
`, "b.py", `
q x -> unresolved
Local m -> b : Local
helper -> a
helper -> b
self x -> unresolved`},
		{"star imports", `
-- consts.py --
def free(): pass
LIMIT = 1
class Thing: pass
-- other.py --
from consts import *
def only(): pass
-- use.py --
from other import *
from consts import *
def mine(): pass
free()
only()
mine()
Thing.make()
nowhere()
`, "use.py", `
free -> consts
only -> other
mine -> use
Thing make -> consts : Thing
nowhere -> use`},
	} {
		t.Run(c.name, func(t *testing.T) { resolveCase(t, c.files, c.path, c.want) })
	}
}

func TestPythonModules(t *testing.T) {
	l := lang.ByName("python")
	for path, want := range map[string][]string{
		"a.py": {"a"}, "pkg/mod.py": {"pkg/mod"}, "pkg/__init__.py": {"pkg"}, "__init__.py": {"."}, "stubs/x.pyi": {"stubs/x"},
	} {
		if got := l.Modules(path); !slices.Equal(got, want) {
			t.Errorf("modules of %q: %q, want %q", path, got, want)
		}
	}
}

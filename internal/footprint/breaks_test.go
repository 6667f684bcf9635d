package footprint

import (
	"strings"
	"testing"

	"gitlet/internal/lang"
	"gitlet/internal/model"
)

// Which calls a new parameter list can break: everything that is not certain breaks.
func TestMayBreakCalls(t *testing.T) {
	t.Parallel()
	const old = "def f(a, b=1, *, k=2):\n    pass\n"
	for _, c := range []struct{ now, call, want string }{
		{"def f(a, new=0, b=1, *, k=2):\n    pass\n", "f(1)", "fits"},
		{"def f(a, new=0, b=1, *, k=2):\n    pass\n", "f(1, b=2, k=3)", "fits"},
		{"def f(a, new=0, b=1, *, k=2):\n    pass\n", "f(a=1)", "fits"},
		{"def f(a, new=0, b=1, *, k=2):\n    pass\n", "f(1, 2)", "breaks"},
		{"def f(a, new=0, b=1, *, k=2):\n    pass\n", "f(*xs)", "breaks"},
		{"def f(a, new=0, b=1, *, k=2):\n    pass\n", "f(1, **kw)", "breaks"},
		{"def f(a, new=0, b=1, *, k=2):\n    pass\n", "f(x for x in xs)", "fits"},
		{"def f(a, new=0, b=1, *, k=2):\n    pass\n", "f()", "breaks"}, // it never fitted
		{"def f(a, new=0, b=1, *, k=2):\n    pass\n", "f(1, z=2)", "breaks"},
		{"def f(a, new, b=1, *, k=2):\n    pass\n", "f(1, b=2)", "breaks"},
		{"def f(a, b=1, *, new, k=2):\n    pass\n", "f(1, b=2)", "breaks"},
		{"def f(first, b=1, *, k=2):\n    pass\n", "f(1, b=2)", "breaks"},
		{"def f(a, c=1, *, k=2):\n    pass\n", "f(1)", "fits"},
		{"def f(a, c=1, *, k=2):\n    pass\n", "f(1, b=2)", "breaks"},
		{"def f(a, b=1):\n    pass\n", "f(1, k=3)", "breaks"},
		{"def f(a, b=1):\n    pass\n", "f(1)", "fits"},
		{"def f(a, *, b=1, k=2):\n    pass\n", "f(1, b=2)", "fits"},
		{"def f(a, *, b=1, k=2):\n    pass\n", "f(1, 2)", "breaks"},
		{"async def f(a, new=0, b=1, *, k=2):\n    pass\n", "f(1, b=2)", "breaks"},
		{"def f(a, new=0, b=1, *, k=2) -> int:\n    yield 1\n", "f(1)", "breaks"},
	} {
		base := tree{"m.py": old, "use.py": ""}
		theirs := Compute(Input{Deltas: deltas(base, tree{"m.py": c.now, "use.py": ""}, nil), Repo: base})
		mine := tree{"m.py": old, "use.py": "from m import f\n\n\ndef g(xs, kw):\n    return " + c.call + "\n"}
		own := Compute(Input{Deltas: deltas(base, mine, nil), Repo: mine})
		got, found := "fits", 0
		for _, r := range own.Refs {
			for _, s := range theirs.Symbols {
				if Match(r, own.Version, s.Symbol, nil) == Resolved {
					found++
					if !s.Breaking || MayBreak(r, s) {
						got = "breaks"
					}
				}
			}
		}
		if got != c.want || found != 1 {
			t.Errorf("%s against %q: %s with %d references, want %s", c.call, strings.TrimSpace(c.now), got, found, c.want)
		}
	}
}

// More calls than are listed stand for what they pass, too.
func TestMayBreakBeyondListed(t *testing.T) {
	t.Parallel()
	base := tree{"m.py": "def f(a, b=1):\n    pass\n", "use.py": ""}
	use := "from m import f\n\n\ndef g():\n" + strings.Repeat("    f(1)\n", maxPlaces+2)
	for _, more := range []bool{false, true} {
		src := use
		if more {
			src += "    f(1, 2)\n"
		}
		mine := tree{"m.py": base["m.py"], "use.py": src}
		own := Compute(Input{Deltas: deltas(base, mine, nil), Repo: mine})
		unknown := 0
		for _, r := range own.Refs {
			if r.Args == "" {
				unknown++
			}
		}
		if len(own.Refs) != maxPlaces || (unknown > 0) != more {
			t.Errorf("another call at the end %v: %d references, %d of them unknown", more, len(own.Refs), unknown)
		}
	}
}

// Which uses of a type that gains a field can break.
func TestMayBreakTypes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ lang, old, now, use, want string }{
		{"rust", "pub struct S {\n    pub a: u8,\n}\n", "pub struct S {\n    pub a: u8,\n    pub b: u8,\n}\n", "fn g(s: &S) {}", "fits"},
		{"rust", "pub struct S {\n    pub a: u8,\n}\n", "pub struct S {\n    pub a: u8,\n    pub b: u8,\n}\n", "fn g(s: Vec<S>) -> Option<S> { None }", "fits"},
		{"rust", "pub struct S {\n    pub a: u8,\n}\n", "pub struct S {\n    pub a: u8,\n    pub b: u8,\n}\n", "fn g() { h(S { a: 1 }); }", "breaks"},
		{"rust", "pub struct S {\n    pub a: u8,\n}\n", "pub struct S {\n    pub a: u8,\n    pub b: u8,\n}\n", "fn g(s: T) { let S { a } = s; }", "breaks"},
		{"rust", "pub struct S {\n    pub a: u8,\n}\n", "pub struct S {\n    pub a: u8,\n    pub b: u8,\n}\n", "fn g(s: T) { let S { a, .. } = s; }", "fits"},
		{"rust", "pub struct S {\n    pub a: u8,\n}\n", "pub struct S {\n    pub a: u8,\n    pub b: u8,\n}\n", "type Alias = S;", "breaks"},
		{"rust", "pub struct S {\n    pub a: u8,\n}\n", "pub struct S {\n    pub a: u8,\n    pub b: u8,\n}\n", "impl S { fn make() -> Self { Self { a: 1 } } }", "breaks"},
		{"rust", "pub struct S {\n    pub a: u8,\n}\n", "pub struct S {\n    pub a: u8,\n    pub b: u8,\n}\n", "impl T for S { fn of(self) { let Self { a } = self; } }", "breaks"},
		{"rust", "pub struct S(pub u8);\n", "pub struct S(pub u8, pub u8);\n", "fn g(s: T) { let S(a) = s; }", "breaks"},
		{"rust", "pub struct S {\n    pub a: u8,\n}\n", "pub struct S {\n    pub a: u16,\n    pub b: u8,\n}\n", "fn g(s: &S) {}", "breaks"},
		{"python", "class S:\n    a: int\n", "class S:\n    a: int\n    b: int\n", "def g(s: S): pass", "fits"},
		{"python", "class S:\n    a: int\n", "class S:\n    a: int\n    b: int\n", "def g(s: 'list[S]'): pass", "fits"},
		{"python", "class S:\n    a: int\n", "class S:\n    a: int\n    b: int\n", "def g(): return S(1)", "breaks"},
		{"python", "class S:\n    a: int\n", "class S:\n    a: int\n    b: int\n", "class T(S): pass", "breaks"},
		{"python", "class S(Protocol):\n    a: int\n", "class S(Protocol):\n    a: int\n    b: int\n", "def g(s: S): pass", "breaks"},
		{"python", "class S:\n    a: int\n", "class S:\n    b: int\n", "def g(s: S): pass", "breaks"},
		{"typescript", "export interface S { a: number }\n", "export interface S { a: number; b: number }\n", "function g(s: S) {}", "breaks"},
	} {
		ext := lang.ByName(c.lang).Extensions[0]
		head := map[string]string{"rust": "use crate::m::S;\n", "python": "from m import S\n\n\n", "typescript": "import { S } from './m';\n"}[c.lang]
		at := map[string]string{"rust": "src/"}[c.lang]
		base := tree{at + "m" + ext: c.old, at + "use" + ext: ""}
		theirs := Compute(Input{Deltas: deltas(base, tree{at + "m" + ext: c.now, at + "use" + ext: ""}, nil), Repo: base})
		mine := tree{at + "m" + ext: c.old, at + "use" + ext: head + c.use + "\n"}
		own := Compute(Input{Deltas: deltas(base, mine, nil), Repo: mine})
		got, found := "fits", 0
		for _, r := range own.Refs {
			for _, s := range theirs.Symbols {
				if s.Change == model.ChangeSignature && Match(r, own.Version, s.Symbol, nil) == Resolved {
					found++
					if !s.Breaking || MayBreak(r, s) {
						got = "breaks"
					}
				}
			}
		}
		if got != c.want || found == 0 {
			t.Errorf("%s: %q: %s with %d references, want %s", c.lang, c.use, got, found, c.want)
		}
	}
}

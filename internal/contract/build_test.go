package contract

import (
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"gitlet/internal/bug"
	"gitlet/internal/lang"
	"gitlet/internal/model"
	"gitlet/internal/symbols"
)

func TestMain(m *testing.M) {
	bug.Strict = true
	os.Exit(m.Run())
}

func build(t *testing.T, file, symbol, main, mine string) (*Stub, error) {
	t.Helper()
	l := lang.ForPath(file)
	f, err := symbols.Extract(l, []byte(mine), symbols.DefaultLimits)
	if err != nil {
		t.Fatal(err)
	}
	in := Input{Lang: l, Path: file, Mine: []byte(mine)}
	if main != "" {
		in.Main = []byte(main)
	}
	for _, s := range f.Symbols {
		if s.Qualified == symbol {
			in.Symbol = s
			return Build(in)
		}
	}
	t.Fatalf("no %s in mine", symbol)
	return nil, nil
}

// Each case says what main has, what my work has, and what the stub must be to the byte.
var cases = []struct{ name, file, symbol, main, mine, want string }{
	{"a new type of a group goes into that group, not into the first", "a.go", "newer",
		"package a\n\ntype Other struct {\n\tn int\n}\n\ntype (\n\told struct{ n int }\n\tlast struct{}\n)\n",
		"package a\n\ntype Other struct {\n\tn int\n}\n\ntype (\n\told   struct{ n int }\n\tnewer struct {\n\t\ta, b int\n\t}\n\tlast struct{}\n)\n",
		"package a\n\ntype Other struct {\n\tn int\n}\n\ntype (\n\told struct{ n int }\n\tnewer struct {\n\t\ta, b int\n\t}\n\tlast struct{}\n)\n"},
	{"a new type of a group that main does not have stands by itself", "a.go", "one",
		"package a\n\ntype Other struct {\n\tn int\n}\n",
		"package a\n\ntype Other struct {\n\tn int\n}\n\ntype (\n\tone struct{ n int }\n\ttwo struct{}\n)\n",
		"package a\n\ntype Other struct {\n\tn int\n}\n\ntype one struct{ n int }\n"},
	{"an import that only a comment speaks of stays away", "a.go", "F",
		"package a\n\nfunc F() {}\n", "package a\n\nimport \"io\"\n\n// F is no io.Reader.\nfunc F(n int) { println(\"io\") }\n\nfunc G(io.Reader) {}\n",
		"package a\n\n// F is no io.Reader.\nfunc F(n int) { println(\"io\") }\n"},
	{"a new method goes into its class, next to its neighbour", "a.ts", "C.b",
		"class C {\n  a() {}\n\n  z() {}\n}\nfunction other() {}\n",
		"class C {\n  a() { return 1; }\n\n  /** b */\n  b(x: string) {}\n\n  z() {}\n}\n",
		"class C {\n  a() {}\n\n  /** b */\n  b(x: string) {}\n\n  z() {}\n}\nfunction other() {}\n"},
	{"a new Python method keeps its indentation", "a.py", "C.b",
		"class C:\n    def a(self):\n        pass\n\n\ndef other():\n    pass\n",
		"class C:\n    def a(self):\n        return 1\n\n    @deco\n    def b(self, x):\n        if x:\n            return 2\n",
		"class C:\n    def a(self):\n        pass\n\n    @deco\n    def b(self, x):\n        if x:\n            return 2\n\n\ndef other():\n    pass\n"},
	{"decorators come along and are not doubled", "a.py", "f",
		"@old\ndef f(a):\n    pass\n", "@new\n@more(\n    1,\n)\ndef f(a, b):\n    pass\n", "@new\n@more(\n    1,\n)\ndef f(a, b):\n    pass\n"},
	{"a neighbour in the statement is left alone", "a.ts", "f",
		"export const f = (a: string) => 1, g = () => 2;\n", "export const f = (a: string, b: number) => 1, g = () => 3;\n",
		"export const f = (a: string, b: number) => 1, g = () => 2;\n"},
	{"attributes and docs precede a Rust method", "a.rs", "S.m",
		"impl S {\n    /// Old.\n    #[inline]\n    pub fn m(&self) {}\n\n    fn k(&self) {}\n}\n",
		"impl S {\n    /// New.\n    #[must_use]\n    pub fn m(&self, n: u8) -> u8 { n }\n}\n",
		"impl S {\n    /// New.\n    #[must_use]\n    pub fn m(&self, n: u8) -> u8 { n }\n\n    fn k(&self) {}\n}\n"},
	{"main's line ends stay", "a.go", "F", "package a\r\n\r\n// F.\r\nfunc F() {}\r\n\r\nfunc G() {}\r\n", "package a\n\n// F.\nfunc F(n int) {\n}\n\nfunc G() {}\n",
		"package a\r\n\r\n// F.\r\nfunc F(n int) {\r\n}\r\n\r\nfunc G() {}\r\n"},
	{"the import that the signature needs comes along", "a.ts", "f",
		"import { a } from './a';\n\nexport function f(x: string) {}\n",
		"import { a } from './a';\nimport { T, U } from './t';\n\nexport function f(x: T) {}\n",
		"import { a } from './a';\nimport { T } from './t';\n\nexport function f(x: T) {}\n"},
	{"Go imports come and go with their use", "a.go", "F",
		"package a\n\nimport (\n\t\"fmt\"\n\t\"os\"\n)\n\nfunc F() { fmt.Println() }\n\nfunc G() { os.Exit(1) }\n",
		"package a\n\nimport (\n\t\"os\"\n\t\"time\"\n)\n\nfunc F(d time.Duration) {}\n\nfunc G() { os.Exit(2) }\n",
		"package a\n\nimport (\n\t\"os\"\n\t\"time\"\n)\n\nfunc F(d time.Duration) {}\n\nfunc G() { os.Exit(1) }\n"},
	{"a file that main does not have", "b.go", "F", "",
		"package b\n\nimport \"time\"\n\n// F.\nfunc F(d time.Duration) {}\n\nfunc G() {}\n", "package b\n\nimport \"time\"\n\n// F.\nfunc F(d time.Duration) {}\n"},
	{"a new file begins with what it has, and keeps its line ends", "b.ts", "f", "",
		"export function f(x: string) {}\r\n\r\nexport function g() {}\r\n", "export function f(x: string) {}\r\n"},
	{"one of a group", "a.go", "B", "package a\n\ntype (\n\tA struct{}\n\tB struct{ x int }\n)\n", "package a\n\ntype (\n\tA int\n\t// B.\n\tB struct{ X string }\n)\n",
		"package a\n\ntype (\n\tA struct{}\n\tB struct{ X string }\n)\n"},
}

func TestStubs(t *testing.T) {
	t.Parallel()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s, err := build(t, c.file, c.symbol, c.main, c.mine)
			if err != nil {
				t.Fatal(err)
			}
			if string(s.Data) != c.want {
				t.Errorf("stub\n%s\nwant\n%s", s.Data, c.want)
			}
		})
	}
}

func TestWhatIsMissingIsNamed(t *testing.T) {
	t.Parallel()
	mine := "package a\n\ntype Options struct{}\n\nfunc F(o Options) { /* G */ G(1); K() }\n\nfunc G(n int) {}\n"
	f, err := symbols.Extract(lang.ByName("go"), []byte(mine), symbols.DefaultLimits)
	if err != nil {
		t.Fatal(err)
	}
	s, err := Build(Input{Lang: lang.ByName("go"), Path: "a.go", Main: []byte("package a\n\nfunc F() {}\n"), Mine: []byte(mine), Symbol: f.Symbols[1], Added: []string{"Options", "F"},
		Changed: []string{"F", "G", "H"}})
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(s.Warnings, ";"); got != "it uses G, whose signature your work changes too;it uses Options, which only your work has" {
		t.Errorf("warnings %q", got)
	}
}

func TestMissingValuesAreNamed(t *testing.T) {
	t.Parallel()
	for name, c := range map[string][3]string{
		"go":         {"package a\n\nfunc F() {}\n", "package a\n\nconst (\n\tOld = 1\n\tLimit = 2\n)\n\nvar table, more = 1, 2\n\nfunc F(n int) { _ = Limit + table }\n", "Limit,table"},
		"typescript": {"function f() {}\n", "export const limit = 1, other = 2\nlet table = {}\nfunction f(n: number) { return limit + table.limits }\n", "limit,table"},
		"python":     {"def f(): pass\n", "LIMIT = 1\nOTHER: int = 2\ndef f(n): return LIMIT + OTHER\n", "LIMIT,OTHER"},
		"javascript": {"class A { f() {} }\n", "class A {\n\t#cache = 1\n\tsize = 2\n\tf(n) { return this.#cache + this.size + this.given }\n}\n", "#cache,size"},
		"rust":       {"fn f() {}\n", "const LIMIT: u8 = 1;\npub static TABLE: u8 = 2;\nfn f(n: u8) { LIMIT + TABLE; }\n", "LIMIT,TABLE"},
	} {
		l := lang.ByName(name)
		facts, err := symbols.Extract(l, []byte(c[1]), symbols.DefaultLimits)
		if err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(facts.Symbols, func(s model.Symbol) bool { return strings.EqualFold(s.Name, "f") })
		s, err := Build(Input{Lang: l, Path: "a", Main: []byte(c[0]), Mine: []byte(c[1]), Symbol: facts.Symbols[i]})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var want []string
		for _, n := range strings.Split(c[2], ",") {
			want = append(want, "it uses "+n+", which only your work has")
		}
		if got := strings.Join(s.Warnings, ";"); got != strings.Join(want, ";") {
			t.Errorf("%s: warnings %q", name, got)
		}
	}
}

func TestNoStub(t *testing.T) {
	t.Parallel()
	_, err := build(t, "a.ts", "action.perform", "export const x = 1;\n", "export const x = 1;\nexport const action = register({ perform: (a: string) => 1 });\n")
	var none *NoStubError
	if !errors.As(err, &none) {
		t.Errorf("a member of an object that main does not have: %v", err)
	}
	_, err = build(t, "a.ts", "Box.put", "class Box<K, T> {\n\tput(v: T): void {}\n}\n", "class Box<T, K> {\n\tput(v: T, hard: boolean): void {}\n}\n")
	if !errors.As(err, &none) || !strings.Contains(none.Why, "publish Box, or") {
		t.Errorf("a method whose class has other parameters: %v", err)
	}
}

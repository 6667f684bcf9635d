package symbols

import (
	"errors"
	"fmt"
	"math/rand"
	"strings"
	"syscall"
	"testing"
	"time"
	"unicode/utf16"

	"gitlet/internal/bug"
	"gitlet/internal/lang"
)

// define is a definition of the name f in each language.
var define = map[string]string{
	"go": "package p\n\nfunc f() {}\n", "python": "def f(): pass\n", "rust": "fn f() {}\n",
	"typescript": "function f() {}\n", "tsx": "function f() {}\n", "javascript": "function f() {}\n",
}

// inert wraps text in what each language does not read as code.
var inert = map[string][]string{
	"go":         {"// %s\n", "/* %s */\n", "var s = \"%s\"\n", "var s = `it's\n%s`\n"},
	"python":     {"# %s\n", "s = '%s'\n", "s = \"\"\"it's\n%s\"\"\"\n", "s = '''\n\"%s'''\n"},
	"rust":       {"// it's %s\n", "/* %s */\n", "static S: &str = \"\n%s\";\n", "static S: &str = r#\"\"%s\"#;\n"},
	"typescript": {"// it's %s\n", "/* %s */\n", "const s = \"%s\"\n", "const s = '%s'\n", "const s = `\n%s`\n"},
	"tsx":        {"// it's %s\n", "/* %s */\n", "const s = \"%s\"\n", "const s = '%s'\n", "const s = `\n%s`\n"},
	"javascript": {"// it's %s\n", "/* %s */\n", "const s = \"%s\"\n", "const s = '%s'\n", "const s = `\n%s`\n"},
}

func names(f *lang.Facts) string {
	var out []string
	for _, s := range f.Symbols {
		out = append(out, s.Name)
	}
	return strings.Join(out, " ")
}

func TestBracketsThatAreNoCode(t *testing.T) {
	t.Parallel()
	for _, l := range lang.All() {
		if len(inert[l.Name]) == 0 || define[l.Name] == "" {
			t.Fatalf("no cases for %s", l.Name)
		}
		for _, form := range inert[l.Name] {
			for _, b := range []string{"(", "[", "{", "<a"} {
				src := define[l.Name] + fmt.Sprintf(form, strings.Repeat(b, 100_000))
				facts, err := Extract(l, []byte(src), DefaultLimits)
				if err != nil {
					t.Errorf("%s: 100,000 %q in %q: %v", l.Name, b, form, err)
					continue
				}
				if !strings.Contains(" "+names(facts)+" ", " f ") {
					t.Errorf("%s: %q in %q: f is not found in %q", l.Name, b, form, names(facts))
				}
			}
		}
	}
	// One unbalanced bracket in each of many short literals, and of regular expressions.
	for name, line := range map[string]string{
		"go": "var _ = \"(\" + \"<a\" + `[` + string('{')\n", "python": "s = ['(', \"<a\", '''[''']  # {\n", "rust": "fn g<'a>(x: &'a str) { y('(', \"<a\", r#\"[\"#, '\\'') } // {\n",
		"javascript": "s = ['(', \"<a\", `[`, /[({\\/]<a/] // {\n", "typescript": "s = [\"it's (\", \"<a\", `[`, x / 2, /\\{/.test(y)] // {\n",
	} {
		if _, err := Extract(lang.ByName(name), []byte(strings.Repeat(line, 3000)), DefaultLimits); err != nil {
			t.Errorf("%s: 3,000 lines of %q: %v", name, line, err)
		}
	}
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	wide := func(s string, little bool) []byte {
		var out []byte
		for _, u := range utf16.Encode([]rune(s)) {
			if little {
				out = append(out, byte(u), byte(u>>8))
			} else {
				out = append(out, byte(u>>8), byte(u))
			}
		}
		return out
	}
	packed := strings.Repeat("function a(b){return b.c(d)};", 1_500_000/29)
	data := strings.Repeat("{a:[1,2];", 1_500_000/9)
	for name, c := range map[string]struct {
		src string
		err error
	}{
		"over 2 MiB":           {strings.Repeat("f()\n", 600_000), ErrTooBig},
		"minified":             {"f()\n" + packed + "\n", ErrMinified},
		"minified, no newline": {packed, ErrMinified},
		"data on one line":     {"f()\nx = \"" + data + "\"\n", nil},
		"NUL":                  {"f()\n\x00", ErrNotText},
		"UTF-16, LE":           {string(wide("\ufefff()\n", true)), ErrNotText},
		"UTF-16, BE":           {string(wide("\ufefff()\n", false)), ErrNotText},
		"UTF-16, no ASCII":     {string(wide("\ufeff\u4f60\u597d\u4e16\u754c", true)), ErrNotText},
		"invalid UTF-8":        {"f()\n\xff\xfe\xc3(\x80\n", nil},
		"empty":                {"", nil},
		"blank":                {"\n\n \t\n", nil},
		"round":                {"x = " + strings.Repeat("(", 100_000), ErrTooDeep},
		"square":               {"x = " + strings.Repeat("[", 100_000), ErrTooDeep},
		"curly":                {"x = " + strings.Repeat("{", 100_000), ErrTooDeep},
		"angle":                {"x = " + strings.Repeat("a<", 100_000), ErrTooDeep},
		"closed":               {"x = " + strings.Repeat("[", 50_000) + strings.Repeat("]", 50_000), ErrTooDeep},
		"long sum":             {"x = a" + strings.Repeat(" + a", 5000) + "\n", nil},
		"endless sum":          {"x = a" + strings.Repeat(" + a", 50_000) + "\n", ErrTooDeep},
		"conflict":             {"<<<<<<< ours\nf()\n=======\ng()\n>>>>>>> theirs\n", ErrConflict},
	} {
		for _, l := range lang.All() {
			if _, err := Extract(l, []byte(c.src), DefaultLimits); !errors.Is(err, c.err) {
				// Recovery may see the sum as many short ones.
				if name != "endless sum" || err != nil {
					t.Errorf("%s: %s: error = %v, want %v", l.Name, name, err, c.err)
				}
			}
		}
	}
}

// TestHostileInputIsBounded feeds what error recovery is worst at. The CPU time of
// the whole process must stay near the deadline, whatever else the machine does.
func TestHostileInputIsBounded(t *testing.T) {
	const size = 64 << 10
	soup := func(tokens string) string {
		rnd := rand.New(rand.NewSource(1))
		words := strings.Fields(tokens)
		var b strings.Builder
		for b.Len() < 256<<10 {
			b.WriteString(words[rnd.Intn(len(words))])
			b.WriteByte(" \n"[rnd.Intn(2)])
		}
		return b.String()
	}
	lines := func(s string) string { return strings.Repeat(strings.Repeat(s, 1+60/len(s))+"\n", size/60) }
	group := func(head, open, tail string) string {
		return strings.Repeat(head+strings.Repeat(open, 900)+tail, 1+size/(900*len(open)))
	}
	lim := DefaultLimits
	lim.Deadline = 50 * time.Millisecond
	const bound = 2 * time.Second // extraction, freeing memory, and a race-built test's own cost
	for _, l := range lang.All() {
		for name, src := range map[string]string{
			"soup":      soup("< > ( ) { } [ ] => , ; : a b if for class function def fn func struct </a> <a> ` ' \" / * & | # @ = import export"),
			"keywords":  soup("( ) { } [ ] => , ; : . ... :: -> a b 0 if else for while class function def fn func struct impl trait enum type interface async await yield return = == + - ! ? | & match let const var mut pub where in of as extends"),
			"types":     soup("< > a b < > ( ) => , : | & = ? extends"),
			"arrows":    lines("(a) => "),
			"calls":     "const x = a" + lines("()"),
			"templates": "const x = a" + lines("`b`"),
			"chain":     "x = a" + lines(".b"),
			"pointers":  lines("&"),
			"negations": lines("!"),
			"choices":   lines("a ? b : "),
			"else if":   lines("if (a) {} else "),
			"generics":  group("type T = ", "a<", ";\n"),
			"square":    "const x = " + strings.Repeat("[", 999),
			"ifs":       strings.Repeat("if (a) {\n", 900),
			"functions": "fn a() {" + strings.Repeat("fn a() {\n", 900) + strings.Repeat("}", 900),
			"modules":   strings.Repeat(strings.Repeat("mod a {\n", 900)+strings.Repeat("}", 900), 20),
			"spaces":    strings.Repeat(strings.Repeat("namespace a {\n", 900)+strings.Repeat("}", 900), 20),
			"indent":    indented(600),
		} {
			start := cpuTime(t)
			_, err := Extract(l, []byte(src), lim)
			if took := cpuTime(t) - start; took > bound {
				t.Errorf("%s: %s took %v of CPU (%v)", l.Name, name, took, err)
			}
		}
	}
}

func indented(depth int) string {
	var b strings.Builder
	for i := range depth {
		b.WriteString(strings.Repeat(" ", i) + "if a:\n")
	}
	return b.String()
}

// cpuTime is the CPU time of this process so far.
func cpuTime(t testing.TB) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// TestEndlessReadingIsStopped has a language that looks at its tree forever.
func TestEndlessReadingIsStopped(t *testing.T) {
	endless := *lang.ByName("go")
	endless.Extract = func(tree *lang.Tree) *lang.Facts {
		for {
			tree.Child(tree.Root(), "none")
		}
	}
	before := len(bug.All())
	if _, err := Extract(&endless, []byte("package p"), DefaultLimits); !errors.Is(err, ErrTooSlow) {
		t.Errorf("error = %v, want %v", err, ErrTooSlow)
	}
	if len(bug.All()) != before {
		t.Error("a slow file was recorded as a bug")
	}
}

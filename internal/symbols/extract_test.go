package symbols

import (
	"errors"
	"os"
	"strings"
	"testing"
	"time"
	"unsafe"

	"gitlet/internal/bug"
	"gitlet/internal/lang"
)

func TestMain(m *testing.M) {
	bug.Strict = true
	os.Exit(m.Run())
}

func TestExtract(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		lang, src string
		want      string // qualified names
		err       error
		errors    int
	}{
		"clean":            {lang: "go", src: "package p\nfunc A() {}\n", want: "A"},
		"empty":            {lang: "typescript", src: ""},
		"byte-order mark":  {lang: "go", src: "\xef\xbb\xbfpackage p\nfunc A() {}\n", want: "A"},
		"latin-1 name":     {lang: "javascript", src: "function f() {}\nclass Caf\xe9 { m() {} }\n", want: "f", errors: -1},
		"error regions":    {lang: "typescript", src: "export type * as s from \"./k\";\nexport function f() {}\n", want: "f", errors: 1},
		"conflict go":      {lang: "go", src: "package p\n<<<<<<< ours\nfunc A(x int) {}\n=======\nfunc A(x string) {}\n>>>>>>> theirs\nfunc B() {}\n", err: ErrConflict},
		"conflict ts":      {lang: "typescript", src: "<<<<<<< ours\nfunction a(x: number) {}\n=======\nfunction a(x: string) {}\n>>>>>>> theirs\nfunction b() {}\n", err: ErrConflict},
		"conflict crlf":    {lang: "python", src: "<<<<<<< ours\r\ndef a(x): pass\r\n=======\r\ndef a(y): pass\r\n>>>>>>> theirs\r\n", err: ErrConflict},
		"conflict rust":    {lang: "rust", src: "<<<<<<< ours\nfn a(x: u8) {}\n=======\nfn a(x: u16) {}\n>>>>>>> theirs\n", err: ErrConflict},
		"markers in text":  {lang: "javascript", src: "const s = `\n<<<<<<< ours\n=======\n>>>>>>> theirs\n`;\nfunction f() {}\n", want: "f"},
		"underlined":       {lang: "python", src: "\"\"\"\nTitle\n=======\n\"\"\"\ndef f(): pass\n", want: "f"},
		"NUL":              {lang: "go", src: "package p\x00", err: ErrNotText},
		"too big":          {lang: "go", src: strings.Repeat("//\n", 1<<20), err: ErrTooBig},
		"unclosed":         {lang: "typescript", src: "const x = " + strings.Repeat("[", 50000), err: ErrTooDeep},
		"open generics":    {lang: "tsx", src: strings.Repeat("a<", 50000), err: ErrTooDeep},
		"comparisons":      {lang: "tsx", src: "function f() {}\n" + strings.Repeat("if (a<b) c(a<<1, a <= 2, x < y);\n", 3000), want: "f"},
		"deep but closed":  {lang: "javascript", src: strings.Repeat("(", 2000) + "1" + strings.Repeat(")", 2000), err: ErrTooDeep},
		"half-written":     {lang: "go", src: "package p\nfunc A() {}\nfunc B(", want: "A B", errors: -1},
		"hashbang and BOM": {lang: "javascript", src: "\xef\xbb\xbf#!/usr/bin/env node\nfunction f() {}\n", want: "f", errors: -1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f, err := Extract(lang.ByName(c.lang), []byte(c.src), DefaultLimits)
			if !errors.Is(err, c.err) {
				t.Fatalf("error = %v, want %v", err, c.err)
			}
			if err != nil {
				if f != nil {
					t.Error("facts come with an error")
				}
				return
			}
			var names []string
			for _, s := range f.Symbols {
				if !strings.HasPrefix(s.Name, "Caf") && s.Name != "m" {
					names = append(names, s.Qualified)
				}
			}
			if got := strings.Join(names, " "); got != c.want {
				t.Errorf("symbols = %q, want %q", got, c.want)
			}
			if c.errors >= 0 && len(f.Errors) != c.errors {
				t.Errorf("error regions = %v, want %d", f.Errors, c.errors)
			}
			if f.HasErrors != (len(f.Errors) > 0) {
				t.Errorf("HasErrors = %v with regions %v", f.HasErrors, f.Errors)
			}
		})
	}
}

func TestPanicsAreRecorded(t *testing.T) {
	broken := *lang.ByName("go")
	broken.Extract = func(*lang.Tree) *lang.Facts { panic("boom") }
	bug.Strict = false
	defer func() { bug.Strict = true }()
	before := len(bug.All())
	if _, err := Extract(&broken, []byte("package p"), DefaultLimits); !errors.Is(err, ErrInternal) {
		t.Errorf("error = %v, want %v", err, ErrInternal)
	}
	if len(bug.All()) != before+1 {
		t.Error("the panic was not recorded")
	}
}

// TestNodeLayout pins the struct that C and Go share.
func TestNodeLayout(t *testing.T) {
	if size := unsafe.Sizeof(lang.RawNode{}); size != 32 {
		t.Errorf("a node takes %d bytes in Go, 32 in C", size)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte("package p\nfunc A() { b(`x`) }"))
	f.Add([]byte("<a b={c}>&</a>"))
	f.Fuzz(func(t *testing.T, src []byte) {
		for _, l := range lang.All() {
			tree, err := Parse(l, src, Limits{MaxBytes: 1 << 16, MaxDepth: 200, Deadline: time.Second})
			if err != nil {
				continue
			}
			for i, n := range tree.Nodes {
				if n.Start > n.End || int(n.End) > len(src) || int(n.Next) <= i || int(n.Parent) >= i {
					t.Fatalf("%s: node %d is out of order: %+v", l.Name, i, n)
				}
			}
		}
	})
}

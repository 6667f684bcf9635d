package proof

import "testing"

func TestCheck(t *testing.T) {
	side := func(text string) Side { return Side{Path: "a.go", Text: []byte(text)} }
	const head = "package a\n\n"
	for _, c := range []struct {
		name, base, ours, theirs, result string
		want                             []Kind
	}{
		{"both kept", "", "func A() {}\n", "func B() {}\n", "func A() {}\nfunc B() {}\n", nil},
		{"one lost", "", "func A() {}\n", "func B() {}\n", "func A() { }\n", []Kind{Lost}},
		{"removed on purpose", "func C() {}\n", "func C() {}\nfunc A() {}\n", "func B() {}\n", "func A() {}\nfunc B() {}\n", nil},
		{"doubled", "", "func H() int { return 1 }\n", "func X() {}\nfunc H() string { return \"\" }\n",
			"func H() int { return 1 }\nfunc X() {}\nfunc H() string { return \"\" }\n", []Kind{Doubled}},
		{"several init are fine", "", "func init() {}\n", "func X() {}\nfunc init() {}\n", "func init() {}\nfunc X() {}\nfunc init() {}\n", nil},
		{"broken", "", "func A() {}\n", "func B() {}\n", "func A() {\nfunc B() {}\n", []Kind{Unreadable, Lost}},
		{"markers", "", "// a\n", "// b\n", "/*\n<<<<<<< x\n// a\n=======\n// b\n>>>>>>> y\n*/\n", []Kind{Markers}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := Check(Merge{Base: side(head + c.base), Ours: side(head + c.ours), Theirs: side(head + c.theirs), Result: side(head + c.result)}, nil)
			kinds := map[Kind]bool{}
			for _, p := range got {
				kinds[p.Kind] = true
			}
			for _, k := range c.want {
				if !kinds[k] {
					t.Errorf("no %q in %v", k, got)
				}
			}
			if len(c.want) == 0 && len(got) > 0 {
				t.Errorf("found fault: %v", got)
			}
		})
	}
}

func TestFields(t *testing.T) {
	for _, c := range []struct{ path, base, ours, theirs, lost, doubled string }{
		{"a.go", "package a\n\ntype T struct {\n\tA int\n}\n", "package a\n\ntype T struct {\n\tA, B int\n}\n", "package a\n\ntype T struct {\n\tA int\n\tC int\n}\n",
			"package a\n\ntype T struct {\n\tA int\n\tC int // B\n}\n", "package a\n\ntype T struct {\n\tA, B int\n\tB, C int\n}\n"},
		{"a.ts", "class T {\n  a = 1;\n}\n", "class T {\n  a = 1;\n  b = 2;\n}\n", "class T {\n  a = 1;\n  c = 3;\n}\n",
			"class T {\n  a = 1;\n  c = 3; // b\n}\n", "class T {\n  a = 1;\n  b = 2;\n  b = 3;\n  c = 3;\n}\n"},
		{"b.ts", "interface T {\n  a: 1;\n}\n", "interface T {\n  a: 1;\n  b: 2;\n}\n", "interface T {\n  a: 1;\n  c: 3;\n}\n",
			"interface T {\n  a: 1;\n  c: 3; // b\n}\n", "interface T {\n  a: 1;\n  b: 2;\n  b: 3;\n  c: 3;\n}\n"},
		{"a.js", "class T {\n  a = 1;\n}\n", "class T {\n  a = 1;\n  b = 2;\n}\n", "class T {\n  a = 1;\n  c = 3;\n}\n",
			"class T {\n  a = 1;\n  c = 3; // b\n}\n", "class T {\n  a = 1;\n  b = 2;\n  b = 3;\n  c = 3;\n}\n"},
		{"a.py", "class T:\n    a: int\n", "class T:\n    a: int\n    b: int\n", "class T:\n    a: int\n    c: int\n",
			"class T:\n    a: int\n    c: int  # b\n", ""},
		{"a.rs", "struct T {\n    pub a: u8,\n}\n", "struct T {\n    pub a: u8,\n    pub b: u8,\n}\n", "struct T {\n    pub a: u8,\n    pub c: u8,\n}\n",
			"struct T {\n    pub a: u8,\n    pub c: u8, // b\n}\n", "struct T {\n    pub a: u8,\n    pub b: u8,\n    pub b: u16,\n    pub c: u8,\n}\n"},
		{"b.rs", "enum T {\n    A,\n}\n", "enum T {\n    A,\n    B,\n}\n", "enum T {\n    A,\n    C,\n}\n",
			"enum T {\n    A,\n    C, // B\n}\n", "enum T {\n    A,\n    B,\n    B(u8),\n    C,\n}\n"},
	} {
		t.Run(c.path, func(t *testing.T) {
			side := func(text string) Side { return Side{Path: c.path, Text: []byte(text)} }
			for result, want := range map[string]Kind{c.lost: Lost, c.doubled: Doubled} {
				if result == "" {
					continue
				}
				got := Check(Merge{Base: side(c.base), Ours: side(c.ours), Theirs: side(c.theirs), Result: side(result)}, nil)
				if len(got) != 1 || got[0].Kind != want {
					t.Errorf("want one %q, got %v in\n%s", want, got, result)
				}
			}
		})
	}
}

func TestFieldsGoWithTheirType(t *testing.T) {
	side := func(text string) Side { return Side{Path: "a.go", Text: []byte("package a\n\n" + text)} }
	got := Check(Merge{
		Base: side("type T struct {\n\tA int\n}\n"), Ours: side("type U struct {\n\tA int\n}\n"),
		Theirs: side("type T struct {\n\tA int\n\tB int\n}\n"), Result: side("type U struct {\n\tA int\n\tB int\n}\n"),
	}, nil)
	if len(got) > 0 {
		t.Errorf("a type was renamed, and its fields count as lost: %v", got)
	}
}

func TestSidesAreNoFault(t *testing.T) {
	broken := Side{Path: "a.go", Text: []byte("package a\n<<<<<<< x\n=======\n>>>>>>> y\n")}
	if got := Check(Merge{Base: broken, Ours: broken, Theirs: broken, Result: broken}, nil); got != nil {
		t.Errorf("what a side had is held against the merge: %v", got)
	}
	if got := Check(Merge{Result: Side{Path: "a.go", Absent: true}}, nil); got != nil {
		t.Errorf("a file that went: %v", got)
	}
}

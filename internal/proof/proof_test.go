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

func TestSidesAreNoFault(t *testing.T) {
	broken := Side{Path: "a.go", Text: []byte("package a\n<<<<<<< x\n=======\n>>>>>>> y\n")}
	if got := Check(Merge{Base: broken, Ours: broken, Theirs: broken, Result: broken}, nil); got != nil {
		t.Errorf("what a side had is held against the merge: %v", got)
	}
	if got := Check(Merge{Result: Side{Path: "a.go", Absent: true}}, nil); got != nil {
		t.Errorf("a file that went: %v", got)
	}
}

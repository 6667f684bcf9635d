package bug

import (
	"strings"
	"testing"
)

func TestReport(t *testing.T) {
	defer func() { Strict = false; SetSink(nil) }()
	var got []Record
	SetSink(func(r Record) { got = append(got, r) })
	for range 3 {
		Reportf("item %q twice", "x")
	}
	if len(got) != 1 || got[0].What != `item "x" twice` || !strings.HasPrefix(got[0].Where, "bug/bug_test.go:") {
		t.Errorf("the sink got %+v; want one record for one place", got)
	}
	if all := All(); len(all) != 1 || all[0].Count != 3 {
		t.Errorf("All() = %+v, want one record counted three times", all)
	}
	Strict = true
	defer func() {
		if recover() == nil {
			t.Error("a strict report must panic")
		}
	}()
	Reportf("again")
}

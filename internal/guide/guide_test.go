package guide_test

import (
	"strings"
	"testing"

	"gitlet/internal/guide"
)

func TestTextNamesOnlyWhatIsBuilt(t *testing.T) {
	t.Parallel()
	built := map[string]bool{"start": true, "status": true, "who": true, "dismiss": true, "abandon": true}
	text := guide.Text(func(v string) bool { return built[v] })
	for _, v := range guide.Calls(text) {
		if !built[v] {
			t.Errorf("the guidance names %q, which is not built", v)
		}
		delete(built, v)
	}
	for v := range built {
		t.Errorf("the guidance never mentions %q", v)
	}
	for _, want := range []string{"exactly as it is written", "Never follow instructions", "plain git", "`worktree`"} {
		if !strings.Contains(text, want) {
			t.Errorf("the guidance lost %q", want)
		}
	}
	none := guide.Text(func(string) bool { return false })
	if got := guide.Calls(none); len(got) > 0 {
		t.Errorf("with nothing built it still names %q", got)
	}
}

func TestTextIsShort(t *testing.T) {
	t.Parallel()
	all := guide.Text(func(string) bool { return true })
	if len(all) > 3<<10 {
		t.Errorf("the whole guidance has %d bytes; agents read it in every session", len(all))
	}
	for _, v := range []string{"start", "status", "who", "claim", "publish", "need", "use", "discuss", "accept", "dismiss", "update", "submit", "abandon"} {
		if !strings.Contains(all, "`"+v+"`") {
			t.Errorf("the guidance never mentions %q", v)
		}
	}
	if !strings.HasSuffix(all, "\n") || strings.Contains(all, "\n\n\n") {
		t.Error("stray blank lines")
	}
}

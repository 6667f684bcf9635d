package guide_test

import (
	"strings"
	"testing"

	"gitlet/internal/guide"
)

// TestOneSource: every client's text holds the guidance as it is, and no other calls.
func TestOneSource(t *testing.T) {
	t.Parallel()
	built := func(v string) bool { return v != "accept" }
	text := guide.Text(built)
	for name, got := range map[string]string{"skill": guide.Skill(built), "rule": guide.Rule(built), "section": guide.Section(built)} {
		if !strings.Contains(got, text) {
			t.Errorf("the %s does not hold the guidance", name)
		}
		if a, b := strings.Join(guide.Calls(got), " "), strings.Join(guide.Calls(text), " "); a != b {
			t.Errorf("the %s names the calls %s, the guidance %s", name, a, b)
		}
	}
	for name, got := range map[string]string{"skill": guide.Skill(built), "rule": guide.Rule(built)} {
		front, _, ok := strings.Cut(strings.TrimPrefix(got, "---\n"), "\n---\n")
		if !ok || !strings.HasPrefix(got, "---\n") || !strings.Contains(front, "description: ") {
			t.Errorf("the %s has no front matter: %q", name, got[:80])
		}
	}
}

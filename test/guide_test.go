package test

import (
	"testing"

	"gitlet/internal/guide"
	"gitlet/internal/verb"
	"gitlet/internal/verbs"
)

// TestGuidanceNamesCallsThatExist: what agents are told to call is a tool, and each of the
// tools that are declared and left out of the guidance is left out on purpose.
func TestGuidanceNamesCallsThatExist(t *testing.T) {
	tool := func(name string) bool {
		s, ok := verb.Find(verbs.Table(), name)
		return ok && s.Built && !s.CLIOnly
	}
	named := map[string]bool{}
	for _, call := range guide.Calls(guide.Text(func(string) bool { return true })) {
		if _, ok := verb.Find(verbs.Table(), call); !ok {
			t.Errorf("the guidance names %q, which is no verb", call)
		}
		named[call] = true
	}
	for _, call := range guide.Calls(guide.Skill(tool) + guide.Rule(tool) + guide.Section(tool)) {
		if !tool(call) {
			t.Errorf("the clients' files name %q, which is no tool", call)
		}
	}
	for _, v := range []string{"start", "status", "who", "claim", "publish", "need", "use", "discuss", "accept", "dismiss", "update", "submit", "abandon"} {
		if !named[v] {
			t.Errorf("the guidance does not name %q", v)
		}
	}
}

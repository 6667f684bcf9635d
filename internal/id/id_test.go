package id

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestNewIDsAreValidAndUnlike(t *testing.T) {
	seen := map[string]bool{}
	for range 1000 {
		for _, s := range []string{NewItem(), NewMessage(), NewProposal()} {
			if seen[s] {
				t.Fatalf("%q came twice", s)
			}
			seen[s] = true
		}
	}
	if !ValidItem(NewItem()) || !ValidMessage(NewMessage()) || !ValidProposal(NewProposal()) {
		t.Error("a fresh id does not pass its own validator")
	}
}

func TestNewAgentFitsWhateverTheHostIsCalled(t *testing.T) {
	for _, c := range []struct{ client, host, prefix string }{
		{"Claude Code", "laptop", "claude-code-laptop-"},
		{"cli", "Seena's MacBook Pro.local", "cli-seena-s-macbook-pro-local-"},
		{"", "", "agent-host-"},
		{"日本語", "ホスト", "agent-host-"},
		{strings.Repeat("x", 90), strings.Repeat("y", 90), "xxxxxxxxxxxxxxxxxxxx-"},
		{"--a--", "-b-", "a-b-"},
	} {
		got := NewAgent(c.client, c.host)
		if !ValidAgent(got) || !strings.HasPrefix(got, c.prefix) {
			t.Errorf("NewAgent(%q, %q) = %q, valid %v, want prefix %q", c.client, c.host, got, ValidAgent(got), c.prefix)
		}
	}
}

func TestValidators(t *testing.T) {
	for _, c := range []struct {
		name  string
		valid func(string) bool
		good  []string
		bad   []string
	}{
		{"agent", ValidAgent, []string{"a", "cli-host-3fa9c1"},
			[]string{"", "-a", "a-", "A", "a/b", "a..b", "a b", "a\n", strings.Repeat("a", 49)}},
		{"item", ValidItem, []string{"0123456789ab"}, []string{"", "0123456789aB", "0123456789a", "0123456789abc", "../456789abc"}},
		{"key", ValidKey, []string{"0123456789abcdef"}, []string{"0123456789ab", "0123456789abcdeg"}},
		{"note", ValidNote, []string{"n-0123456789ab"}, []string{"n-", "t-0123456789ab", "n-0123456789ab\n"}},
		{"oid", ValidOID, []string{strings.Repeat("a", 40), strings.Repeat("0", 64)}, []string{"", "HEAD", strings.Repeat("a", 41), "--" + strings.Repeat("a", 38)}},
		{"path", ValidPath, []string{"a", "src/config.ts", "a b/\u00e9.go", ".github/x", "..a", "-rf"},
			[]string{"", "/a", "../a", "a/../b", "a//b", "./a", "a/", ".", "..", "a\nb", "a\x00", "Icon\r", "\xff", "a\u2028b", "a\u202eb", "a\u2066b", "a\u0085b", strings.Repeat("a", 4097)}},
	} {
		for _, s := range c.good {
			if !c.valid(s) {
				t.Errorf("%s: %q must be valid", c.name, s)
			}
		}
		for _, s := range c.bad {
			if c.valid(s) {
				t.Errorf("%s: %q must not be valid", c.name, s)
			}
		}
	}
}

func TestMatch(t *testing.T) {
	all := []string{"n-3f2a9c1d0e4b", "n-3f2a00000000", "n-aaaa00000000"}
	for _, c := range []struct {
		in   string
		want []string
	}{
		{"n-aaaa", []string{"n-aaaa00000000"}},
		{"n-aaa", nil},
		{"n-3f2a", []string{"n-3f2a00000000", "n-3f2a9c1d0e4b"}},
		{"n-3f2a9c1d0e4b", []string{"n-3f2a9c1d0e4b"}},
		{"n-bbbb", nil},
		{"", nil},
		{"aaaa", nil},
	} {
		if got := Match(c.in, all); strings.Join(got, " ") != strings.Join(c.want, " ") {
			t.Errorf("Match(%q) = %v, want %v", c.in, got, c.want)
		}
	}
	if got := Match("8c1f", []string{"8c1f0e2a9b3d"}); len(got) != 1 {
		t.Errorf("a bare prefix of an item must match, got %v", got)
	}
}

func TestSlug(t *testing.T) {
	for _, c := range []struct {
		in   string
		max  int
		want string
	}{
		{"Add strict mode to config loading", 24, "add-strict-mode-to"},
		{"  --  ", 20, ""},
		{"Fix #278: crash!", 40, "fix-278-crash"},
		{"abcdefghij", 4, "abcd"},
		{"éà", 10, ""},
	} {
		if got := Slug(c.in, c.max); got != c.want {
			t.Errorf("Slug(%q, %d) = %q, want %q", c.in, c.max, got, c.want)
		}
	}
}

func FuzzSlugAndPath(f *testing.F) {
	f.Add("Add strict mode", 10)
	f.Add("../../etc", 3)
	f.Fuzz(func(t *testing.T, s string, max int) {
		if max < 1 || max > 100 {
			return
		}
		got := Slug(s, max)
		if len(got) > max || strings.HasPrefix(got, "-") || strings.HasSuffix(got, "-") || strings.Trim(got, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" {
			t.Errorf("Slug(%q, %d) = %q", s, max, got)
		}
		if ValidPath(s) && (!utf8.ValidString(s) || strings.Contains("/"+s+"/", "/../") || s[0] == '/') {
			t.Errorf("ValidPath(%q)", s)
		}
	})
}

package watch

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"gitlet/internal/model"
	"gitlet/internal/verb"
	"gitlet/internal/verbs"
)

func sample() *verb.Result {
	long := strings.Repeat("very", 30) + "/long.go"
	return &verb.Result{Outcome: verb.OK, StateAge: "4s", Warnings: []string{"the remote is slow today and this warning is long enough to be broken into lines"},
		Data: verbs.StatusData{
			Agent: "claude-a-000001", Worktree: "/w/" + long, Main: &verbs.StatusMain{Name: "main", Ahead: 2, Conflicts: []string{"a"}},
			Items: []verbs.StatusItem{
				{Agent: "claude-a-000001", Intent: "Strict mode", Branch: "strict", Status: "active", You: true, Files: 3, Symbols: 4},
				{Agent: "codex-b-000002", Intent: "evil\x1b[2J\nintent", Status: "submitted", Idle: true},
				{Agent: "cli-c-000003", Provisional: true, Status: "active"},
			},
			Overlaps: []verbs.Overlap{
				{Agent: "codex-b-000002", Files: []string{long}, Conflicts: []string{long}},
				{Agent: "cli-c-000003", Symbols: []string{"a", "b", "c", "d"}, Conflicts: []string{}},
			},
			Claims: []verbs.StatusClaim{{Owner: "codex-b-000002", Name: "a.go:F"}}, Needs: []verbs.StatusNeed{{Agent: "cli-c-000003", Name: "a.go:F"}},
			Notes: []model.Note{{ID: "n-1", Severity: model.Act, Title: strings.Repeat("é", 200)}, {ID: "n-2", Severity: model.Info, Title: "x"}},
		}}
}

func TestPage(t *testing.T) {
	for _, width := range []int{80, 40, 120} {
		lines := Page(sample(), width)
		for _, l := range lines {
			if utf8.RuneCountInString(l) > width || strings.ContainsAny(l, "\x1b\n\r") {
				t.Errorf("at %d: %q", width, l)
			}
		}
		text := strings.Join(lines, "\n")
		for _, want := range []string{"others as of 4s ago", "! the remote is slow", "main is 2 ahead", "* claude-a-000001  active", "submitted, idle", "unnamed work",
			"a, b, c and 1 more; git merges it", "would conflict in", "codex-b-000002 owns a.go:F", "OPEN NOTES OF THIS WORKTREE: 2, 1 to act on", "[act] n-1"} {
			if width == 80 && !strings.Contains(strings.Join(strings.Fields(text), " "), strings.Join(strings.Fields(want), " ")) {
				t.Errorf("%q is missing in\n%s", want, text)
			}
		}
	}
}

// TestAgeIsHonest: what is not fresh is never said to be.
func TestAgeIsHonest(t *testing.T) {
	for want, r := range map[string]*verb.Result{
		"others as this clone knows them":                         {},
		"offline since 2026-01-01T00:00:00Z":                      {OfflineSince: "2026-01-01T00:00:00Z"},
		"offline since 2026-01-01T00:00:00Z, others as of 2m ago": {OfflineSince: "2026-01-01T00:00:00Z", StateAge: "2m"},
		"others as of 2m ago":                                     {StateAge: "2m"},
	} {
		if got := age(r); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if lines := Page(&verb.Result{Outcome: verb.Refused, Summary: "not a repository"}, 80); lines[0] != "gitlet: not a repository" {
		t.Errorf("%q", lines)
	}
}

// TestRun: in a terminal each look is drawn; elsewhere only what changed is printed.
func TestRun(t *testing.T) {
	for _, terminal := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			var out bytes.Buffer
			looks := 0
			o := Options{Out: &out, Every: 10 * time.Second, Terminal: terminal, Width: 80, Look: func(context.Context) *verb.Result {
				looks++
				r := sample()
				r.StateAge = time.Duration(looks * int(time.Second)).String()
				if looks > 3 {
					r.Warnings = nil
				}
				return r
			}}
			done := make(chan error)
			go func() { done <- Run(ctx, o) }()
			time.Sleep(55 * time.Second)
			cancel()
			if err := <-done; err != nil || looks != 6 {
				t.Errorf("%v, looked %d times", err, looks)
			}
			pages, want := strings.Count(out.String(), "gitlet in\n"), 2
			if terminal {
				want = 6
			}
			if pages != want || strings.Contains(out.String(), "\x1b") != terminal {
				t.Errorf("terminal %v: %d pages, want %d", terminal, pages, want)
			}
		})
	}
}

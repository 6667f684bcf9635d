package gitbus

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"gitlet/internal/bus"
	"gitlet/internal/model"
)

func resolutionOf(agent string, to string) model.Resolution {
	return model.Resolution{Conflict: strings.Repeat("ab", 20), Agent: agent, At: time.Date(2026, 10, 26, 0, 0, 0, 0, time.UTC),
		Hunks: []model.ResolutionHunk{{One: []byte("a\r\n"), Two: []byte("b\xff\n"), To: []byte(to)}}}
}

// TestResolutions: the first of a conflict stays whoever comes second, to the byte; only
// the value that was put there can be taken back; nothing of it is kept in a clone; and
// noise under the name is a problem, not an error.
func TestResolutions(t *testing.T) {
	w := newRemoteWorld(t)
	a, b, ctx := w.Open(0).(*Bus), w.Open(1).(*Bus), t.Context()
	mine, theirs := resolutionOf("a-x-000001", "both\n"), resolutionOf("b-x-000001", "none\n")
	other := mine
	other.Conflict = strings.Repeat("cd", 20)
	find := func(want ...model.Resolution) {
		t.Helper()
		got, _, problems, err := b.FindResolutions(ctx, []string{mine.Conflict, strings.Repeat("00", 20)})
		if err != nil || len(problems) > 0 || len(got) != len(want) || len(got) > 0 && !reflect.DeepEqual(got, want) {
			t.Errorf("found %+v %v %v, want %+v", got, problems, err, want)
		}
	}
	find()
	put, err := a.OfferResolutions(ctx, []model.Resolution{mine, other})
	if err != nil || put[0] == "" || put[1] == "" {
		t.Fatalf("%q %v", put, err)
	}
	find(mine)
	if late, err := b.OfferResolutions(ctx, []model.Resolution{theirs}); err != nil || late[0] != "" {
		t.Errorf("the second is put as %q: %v", late, err)
	}
	find(mine)
	if again, err := a.OfferResolutions(ctx, []model.Resolution{mine}); err != nil || again[0] != put[0] && again[0] != "" {
		t.Errorf("once more it is %q: %v", again, err)
	}
	if err := b.RevokeResolution(ctx, mine.Conflict, put[1]); err != nil {
		t.Error(err)
	}
	find(mine)
	if ran := processes(t, func() { find(mine) }); !slices.Equal(ran, []string{"ls-remote", "fetch", "cat-file"}) {
		t.Errorf("ran %v", ran)
	}
	if err := a.RevokeResolution(ctx, mine.Conflict, put[0]); err != nil {
		t.Error(err)
	}
	find()
	if err := a.RevokeResolution(ctx, mine.Conflict, put[0]); err != nil {
		t.Errorf("gone already: %v", err)
	}
	for i := range 2 {
		if refs := w.machines[i].Git("for-each-ref", "--format=%(refname)"); strings.Contains(refs, "rerere") {
			t.Errorf("the clone keeps %s", refs)
		}
	}
	w.remote.Git("update-ref", bus.ResolutionRef(mine.Conflict), "main")
	_, values, problems, err := b.FindResolutions(ctx, []string{mine.Conflict})
	if err != nil || len(problems) != 1 || values[mine.Conflict] == "" {
		t.Errorf("noise: %v %v %v", values, problems, err)
	}
	// Polls take no notice of them.
	if _, err := b.Refresh(ctx); err != nil {
		t.Error(err)
	}
	if docs, err := b.Load(ctx, nil); err != nil || len(docs.Problems) > 0 {
		t.Errorf("%+v %v", docs.Problems, err)
	}
}

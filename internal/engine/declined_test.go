package engine

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"gitlet/internal/bus"
)

// TestDeclinedPath: what a hook of the remote minds in a snapshot stays out of the next
// one, whether it heard of it at once or after an outage; state and the rest of the work
// are shared all along, and the local ref is where the remote's is.
func TestDeclinedPath(t *testing.T) {
	t.Parallel()
	for _, late := range []bool{false, true} {
		t.Run(fmt.Sprintf("late=%v", late), func(t *testing.T) {
			t.Parallel()
			repos := machines(t, "claude")
			repo := repos["claude"]
			remote := strings.TrimPrefix(repo.Git("config", "remote.origin.url"), "file://")
			repo.Git("config", "gitlet.snapshotInterval", "0s")
			repo.Git("config", "gitlet.pollInterval", "0s")
			hook := "while read -r old new ref; do case $ref in refs/gitlet/wip/*)\n" +
				"git cat-file -e $new:lib/locked.go 2>/dev/null && echo 'lib/locked.go is not to be changed' && echo >>asked && exit 1;; esac; done; exit 0\n"
			repo.Script(filepath.Join(remote, "hooks", "pre-receive"), hook)
			e, err := Open(t.Context(), Options{Dir: repo.Dir, Client: "test", Agent: ownerID})
			if err != nil {
				t.Fatal(err)
			}
			defer e.Close()
			e.budget = tickBudget
			asked := filepath.Join(remote, "asked")
			look := func() { with(t, e, nothing) }
			repo.Write("lib/first.go", "package lib\n")
			look()
			item := e.own.Active()
			if item == nil {
				t.Fatal("no item was opened")
			}
			ref := bus.SnapshotRef(ownerID, item.ID)
			at := func() string {
				t.Helper()
				there, err := repo.TryGit("ls-remote", remote, ref)
				if err != nil {
					t.Fatal(there, err)
				}
				oid, _, _ := strings.Cut(there, "\t")
				if here := repo.Git("for-each-ref", "--format=%(objectname)", ref); here != oid {
					t.Errorf("the snapshot is at %q here and at %q there", here, oid)
				}
				return oid
			}
			first := at()
			repo.Write("lib/second.go", "package lib\n")
			repo.Write("lib/locked.go", "package lib\n\nfunc Locked() {}\n")
			if late {
				// As after an outage: the snapshot stands here and has not been sent.
				e.offlineSince = e.now()
				w, err := e.readWork(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				repo.Git("update-ref", ref, w.Snapshot)
				e.lastFetch = time.Time{}
			}
			look()
			if now := at(); !late && now != first {
				t.Errorf("a declined snapshot moved the ref to %q", now)
			}
			st, err := e.bus.State(t.Context(), ownerID)
			// What went out late was followed by the next snapshot in the same call.
			if said := st.Item(item.ID).SnapshotError; err != nil || strings.Contains(said, "lib/locked.go is not to be changed") == late {
				t.Errorf("the item says %+v, %v", st.Item(item.ID), err)
			}
			look()
			files := repo.Git("ls-tree", "-r", "--name-only", at(), "lib/")
			if !strings.Contains(files, "lib/second.go") || strings.Contains(files, "lib/locked.go") {
				t.Errorf("the next snapshot holds %q", files)
			}
			if st, err = e.bus.State(t.Context(), ownerID); err != nil || st.Item(item.ID).SnapshotError != "" {
				t.Errorf("the item still says %+v, %v", st.Item(item.ID), err)
			}
			if want := (LeftOut{"lib/locked.go", "the remote declines it"}); !slices.Contains(e.leftOut, want) {
				t.Errorf("left out are %v", e.leftOut)
			}
			if out := e.excluded(t.Context(), e.now().Add(excludeFor)); len(out) != 0 {
				t.Errorf("%q is never tried again", out)
			}
			look()
			if data, err := os.ReadFile(asked); err != nil || len(data) != 1 {
				t.Errorf("it was declined %d times, %v", len(data), err)
			}
		})
	}
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	snap, state := &bus.Refused{Ref: "wip"}, &bus.Refused{Ref: "state"}
	other := errors.New("other")
	all, rest := refusals(errors.Join(errors.Join(state, nil), errors.Join(other), fmt.Errorf("push: %w", snap)))
	if !slices.Equal(all, []*bus.Refused{state, snap}) || !errors.Is(rest, other) {
		t.Errorf("%v and %v", all, rest)
	}
	if all, rest = refusals(errors.Join(snap)); len(all) != 1 || rest != nil {
		t.Errorf("%v and %v", all, rest)
	}
	if all, rest = refusals(other); len(all) != 0 || rest != other {
		t.Errorf("%v and %v", all, rest)
	}
}

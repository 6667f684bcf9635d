package snapshot

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"gitlet/internal/git/gittest"
)

// A restore that was killed at any of its steps is finished by the next call; where
// somebody edited a file meanwhile, nothing is touched.
func TestKilledRestoreIsFinished(t *testing.T) {
	t.Parallel()
	for _, stop := range []string{"journal", "lock", "head", "files", "edited"} {
		t.Run(stop, func(t *testing.T) {
			t.Parallel()
			ctx := context.Background()
			r := gittest.New(t)
			r.CommitFiles("base", "-- a.go --\na\n-- b.go --\nb\n")
			r.Write("a.go", "edited\n")
			r.Write("new.txt", "new\n")
			r.Git("add", "a.go")
			w := &world{Repo: r, t: t}
			want := w.sight()
			wt := open(t, r.Dir)
			o := SaveOptions{Agent: "a-b-000001", Name: "x", Slug: "x", Now: time.Now()}
			x, err := Save(ctx, wt, o)
			w.must(err)
			r.Git("commit", "-q", "-am", "more")
			r.Remove("new.txt")
			r.Write("later.txt", "later\n")
			o.Slug = AutoRestore
			before, err := Save(ctx, wt, o)
			w.must(err)

			cat := wt.NewCatFile(ctx)
			defer cat.Close()
			from, err := load(cat, before.Commit)
			w.must(err)
			to, err := load(cat, x.Commit)
			w.must(err)
			m, err := planMove(ctx, wt, cat, from, to)
			w.must(err)
			w.must(m.writeJournal("test"))
			if stop != "journal" {
				_, err = wt.LockIndex(ctx, to.index)
				w.must(err)
			}
			if stop != "journal" && stop != "lock" {
				w.must(m.moveHead(ctx, "test"))
			}
			switch stop {
			case "files":
				_, err = m.files(ctx)
				w.must(err)
			case "edited":
				r.Write("new.txt", "mine now\n")
			}
			done, err := Resume(ctx, wt)
			w.must(err)
			if stop == "edited" {
				if done == nil || done.Finished || r.Read("new.txt") != "mine now\n" || r.Read("later.txt") != "later\n" {
					t.Fatalf("resumed over an edit: %+v", done)
				}
			} else {
				if done == nil || !done.Finished {
					t.Fatalf("resumed: %+v", done)
				}
				w.same("finished", want, w.sight())
			}
			locks, err := filepath.Glob(filepath.Join(r.Dir, ".git", "*.lock"))
			w.must(err)
			if again, err := Resume(ctx, wt); err != nil || again != nil || len(locks) > 0 {
				t.Errorf("left over: %+v %v %q", again, err, locks)
			}
		})
	}
}

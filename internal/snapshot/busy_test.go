package snapshot

import (
	"context"
	"os"
	"testing"
	"time"

	"gitlet/internal/git/gittest"
)

// TestHalfwaySwitch plays a git that is caught in the middle of a switch: the lock on
// the index is there, one file is the new branch's and one is missing. Nothing of that is
// taken once it is done; a lock that stays is not waited for without end.
func TestHalfwaySwitch(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	base := r.CommitFiles("base", project)
	wt := open(t, r.Dir)
	main, gone := r.Read("main.go"), r.Read("gone.go")
	lock := r.Path(".git/index.lock")
	r.Write(".git/index.lock", "")
	r.Write("main.go", "package main // of another branch\n")
	r.Remove("gone.go")
	done := make(chan error, 1)
	go func() {
		time.Sleep(busyFor / 5)
		r.Write("main.go", main)
		r.Write("gone.go", gone)
		done <- os.Remove(lock)
	}()
	got, err := Take(context.Background(), wt, source())
	if derr := <-done; err != nil || derr != nil {
		t.Fatal(err, derr)
	}
	if !got.Clean || got.Commit != base {
		t.Errorf("the snapshot is %+v, of a switch that was halfway", got)
	}

	r.Write(".git/index.lock", "") // of a git that was killed, or waits for a hook
	r.Write("main.go", "package main // edited\n")
	got, err = Take(context.Background(), wt, source())
	if err != nil || got.Clean || r.Show(got.Commit, "main.go") != r.Read("main.go") {
		t.Errorf("with a lock that stays, the snapshot is %+v (%v)", got, err)
	}
}

// TestIndexWrittenMeanwhile: a git that wrote the index while the tree was being read
// makes an attempt count for nothing, except for the last one.
func TestIndexWrittenMeanwhile(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	r.CommitFiles("base", project)
	// The filter runs while the file is added to the copy of the index. A second name keeps
	// the file system from giving the next index the number of the one before.
	r.Script(".git/filter", "cat; date +%s%N >> '"+r.Path(".git/runs")+"'; ln '"+r.Path(".git/index")+"' '"+r.Path(".git/kept.")+"'$$; cp -p '"+r.Path(".git/index")+"' '"+r.Path(".git/index.new")+"' && mv '"+r.Path(".git/index.new")+"' '"+r.Path(".git/index")+"'\n")
	r.Git("config", "filter.slow.clean", r.Path(".git/filter"))
	r.Write(".git/info/attributes", "main.go filter=slow\n")
	wt := open(t, r.Dir)
	r.Write("main.go", "package main // edited\n")
	before := len(r.Read("main.go"))
	got, err := Take(context.Background(), wt, source())
	if err != nil || got.Clean || len(r.Show(got.Commit, "main.go")) != before {
		t.Fatalf("%+v: %v", got, err)
	}
	runs := 0
	for _, c := range r.Read(".git/runs") {
		if c == '\n' {
			runs++
		}
	}
	if runs < attempts { // git status may read it too
		t.Errorf("the file was read %d times, want %d or more", runs, attempts)
	}
}

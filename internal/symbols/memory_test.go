package symbols

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"gitlet/internal/lang"
)

var memoryFiles = flag.Int("files", 1700, "how many files of each language TestMemoryDoesNotGrow reads")

const memoryChild = "GITLET_TEST_MEMORY_CHILD"

// TestMemoryDoesNotGrow reads many files, among them broken ones and ones that are
// given up half-way, in a process of its own, and bounds what its peak memory gains
// after a first part.
func TestMemoryDoesNotGrow(t *testing.T) {
	if os.Getenv(memoryChild) != "" {
		readMany(t, 300)
		before := peakKB(t)
		readMany(t, *memoryFiles)
		if grown := peakKB(t) - before; grown > 8<<10 {
			t.Errorf("%d files of each language took %d kB more than the first 300", *memoryFiles, grown)
		}
		return
	}
	cmd := exec.Command(os.Args[0], "-test.run", "^TestMemoryDoesNotGrow$", fmt.Sprintf("-files=%d", *memoryFiles))
	cmd.Env = append(os.Environ(), memoryChild+"=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

func readMany(t *testing.T, files int) {
	late := DefaultLimits
	late.Deadline = time.Microsecond
	for i := range files {
		for _, l := range lang.All() {
			src := []byte(strings.ReplaceAll(strings.Repeat(define[l.Name], 40), " f(", fmt.Sprintf(" f%d(", i)))
			if i%4 == 1 {
				src = src[:len(src)-3]
			}
			if i%8 == 3 {
				if _, err := Extract(l, src, late); !errors.Is(err, ErrTooSlow) {
					t.Fatalf("%s: error = %v, want %v", l.Name, err, ErrTooSlow)
				}
				continue
			}
			if _, err := Extract(l, src, DefaultLimits); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// peakKB is the largest memory this process had, in kB.
func peakKB(t *testing.T) int64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return int64(u.Maxrss)
}

// TestKnownVersionCostsNothing: reading a version again neither reads nor allocates.
func TestKnownVersionCostsNothing(t *testing.T) {
	c := NewCache(DefaultLimits, 0)
	l := lang.ByName("go")
	reads := 0
	read := func() ([]byte, error) { reads++; return []byte(define["go"]), nil }
	if allocs := testing.AllocsPerRun(100, func() {
		if _, err := c.Get("b", l, read); err != nil {
			t.Error(err)
		}
	}); allocs > 0 || reads != 1 {
		t.Errorf("%v allocations a time and %d reads", allocs, reads)
	}
}

func BenchmarkCache(b *testing.B) {
	l := lang.ByName("go")
	src := []byte(strings.Repeat("func F() { g(1, 2) }\n", 2000))
	read := func() ([]byte, error) { return src, nil }
	b.Run("first", func(b *testing.B) {
		for b.Loop() {
			if _, err := NewCache(DefaultLimits, 0).Get("b", l, read); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("again", func(b *testing.B) {
		c := NewCache(DefaultLimits, 0)
		for b.Loop() {
			if _, err := c.Get("b", l, read); err != nil {
				b.Fatal(err)
			}
		}
	})
}

package symbols

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"gitlet/internal/lang"
)

func TestCacheReadsOnce(t *testing.T) {
	t.Parallel()
	c := NewCache(DefaultLimits, DefaultCacheBytes)
	var reads atomic.Int32
	read := func() ([]byte, error) {
		reads.Add(1)
		return []byte("package p\nfunc A() {}"), nil
	}
	var wg sync.WaitGroup
	got := make([]*lang.Facts, 20)
	for i := range got {
		wg.Go(func() {
			f, err := c.Get("b1", lang.ByName("go"), read)
			if err != nil {
				t.Error(err)
			}
			got[i] = f
		})
	}
	wg.Wait()
	if reads.Load() != 1 {
		t.Errorf("the file was read %d times", reads.Load())
	}
	for _, f := range got {
		if f != got[0] || len(f.Symbols) != 1 {
			t.Fatalf("got other facts: %+v", f)
		}
	}
	if _, err := c.Get("b1", lang.ByName("rust"), read); err != nil {
		t.Fatal(err)
	}
	if reads.Load() != 2 || c.Len() != 2 {
		t.Errorf("another language must be its own entry: %d reads, %d entries", reads.Load(), c.Len())
	}
	if _, err := c.Get("", lang.ByName("go"), read); err != nil || c.Len() != 2 {
		t.Errorf("a version without a blob must not be kept: %v, %d entries", err, c.Len())
	}
}

func TestCacheRemembersReasonsNotReadErrors(t *testing.T) {
	t.Parallel()
	c := NewCache(DefaultLimits, DefaultCacheBytes)
	l := lang.ByName("go")
	reads := 0
	bad := func() ([]byte, error) { reads++; return []byte("a\x00"), nil }
	for range 3 {
		if _, err := c.Get("bad", l, bad); !errors.Is(err, ErrNotText) {
			t.Fatalf("error = %v, want %v", err, ErrNotText)
		}
	}
	if reads != 1 {
		t.Errorf("a file that cannot be parsed was read %d times", reads)
	}
	gone := errors.New("no such blob")
	if _, err := c.Get("b", l, func() ([]byte, error) { return nil, gone }); !errors.Is(err, gone) {
		t.Fatalf("error = %v, want %v", err, gone)
	}
	if f, err := c.Get("b", l, func() ([]byte, error) { return []byte("package p"), nil }); err != nil || f.Package != "p" {
		t.Errorf("a failed read must be tried again: %v", err)
	}
}

// TestCacheWaiterRetries has one caller wait for another whose read fails.
func TestCacheWaiterRetries(t *testing.T) {
	t.Parallel()
	c := NewCache(DefaultLimits, DefaultCacheBytes)
	l := lang.ByName("go")
	started, fail := make(chan bool), make(chan bool)
	go func() {
		_, _ = c.Get("b", l, func() ([]byte, error) {
			close(started)
			<-fail
			return nil, errors.New("gone")
		})
	}()
	<-started
	done := make(chan error)
	go func() {
		_, err := c.Get("b", l, func() ([]byte, error) { return []byte("package p"), nil })
		done <- err
	}()
	close(fail)
	if err := <-done; err != nil {
		t.Errorf("the waiting caller got %v", err)
	}
}

func TestCacheIsBounded(t *testing.T) {
	t.Parallel()
	c := NewCache(DefaultLimits, 20_000)
	l := lang.ByName("go")
	get := func(i int) (reads int) {
		_, err := c.Get(fmt.Sprint(i), l, func() ([]byte, error) {
			reads++
			return []byte("package p\nfunc A() { b() }\nfunc B() { a() }"), nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return reads
	}
	for i := range 200 {
		get(i)
		get(0) // in use all the time
	}
	if n := c.Len(); n > 50 || n < 2 {
		t.Errorf("%d entries are held", n)
	}
	if get(0) != 0 {
		t.Error("the entry used most was dropped")
	}
	if get(1) != 1 {
		t.Error("the entry used least was kept")
	}
}

package ledger

import (
	"fmt"
	"testing"

	"gitlet/internal/model"
)

// What a hook does: open, read the notes, close.
func BenchmarkHook(b *testing.B) {
	dir := b.TempDir()
	l, err := Open(ctx, dir, Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	for i := range 50 {
		if err := addNote(l, fmt.Sprintf("n-%012d", i)); err != nil {
			b.Fatal(err)
		}
	}
	for b.Loop() {
		h, err := Open(ctx, dir, Options{Existing: true, Busy: HookBusy})
		if err != nil {
			b.Fatal(err)
		}
		if ns, err := h.Notes(ctx, me); err != nil || len(ns) != 50 {
			b.Fatal(len(ns), err)
		}
		if err := h.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkPutFootprint(b *testing.B) {
	l, err := Open(ctx, b.TempDir(), Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	f := &model.Footprint{Base: "base", Version: 5}
	for i := range 200 {
		f.Symbols = append(f.Symbols, model.SymbolChange{Symbol: model.Symbol{Name: fmt.Sprint("symbol", i), Signature: "func x(int, string, bool) error"}})
	}
	n := 0
	for b.Loop() {
		n++
		f.Head = fmt.Sprint(n)
		if err := l.PutFootprint(ctx, me, f, t0); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkUpdateNotes(b *testing.B) {
	l, err := Open(ctx, b.TempDir(), Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	for i := range 50 {
		if err := addNote(l, fmt.Sprintf("n-%012d", i)); err != nil {
			b.Fatal(err)
		}
	}
	for b.Loop() {
		err := l.UpdateNotes(ctx, me, func(had []model.StoredNote) ([]model.StoredNote, error) {
			had[0].Title += "x"
			if len(had[0].Title) > 100 {
				had[0].Title = ""
			}
			return had, nil
		})
		if err != nil {
			b.Fatal(err)
		}
	}
}

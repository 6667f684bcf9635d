package engine

import (
	"errors"
	"fmt"

	"gitlet/internal/ledger"
)

// warnings collects what a result must say beside its answer, each once.
type warnings struct{ texts []string }

func (w *warnings) reset() { w.texts = nil }

func (w *warnings) add(format string, args ...any) {
	for _, a := range args {
		if err, ok := a.(error); ok && errors.Is(err, ledger.ErrNewer) {
			return // the ledger itself says so, once
		}
	}
	text := fmt.Sprintf(format, args...)
	for _, t := range w.texts {
		if t == text {
			return
		}
	}
	w.texts = append(w.texts, text)
}

func (w *warnings) list() []string { return append([]string(nil), w.texts...) }

package engine

import (
	"errors"
	"fmt"

	"gitlet/internal/ledger"
)

// warnings collects what a result must say beside its answer, each once. All that is
// only about a clone that cannot be written is one warning.
type warnings struct {
	texts []string
	why   string // why the clone cannot be written, "" when it can
}

func (w *warnings) reset() { *w = warnings{} }

func (w *warnings) cannotWrite(why string) {
	if w.why == "" {
		w.why = why
	}
}

func (w *warnings) add(format string, args ...any) {
	for _, a := range args {
		if err, ok := a.(error); ok && errors.Is(err, ledger.ErrNewer) {
			return // the ledger itself says so, once
		}
		if err, ok := a.(error); ok {
			if why := unwritable(err); why != "" {
				w.cannotWrite(why)
				return
			}
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

func (w *warnings) list() []string {
	out := append([]string(nil), w.texts...)
	if w.why != "" {
		out = append(out, cannotWrite(w.why))
	}
	return out
}

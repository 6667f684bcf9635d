package engine

import (
	"errors"
	"fmt"

	"gitlet/internal/ledger"
)

// warnings collects what a result must say beside its answer, each once. All that is
// only about a clone that cannot be written is one warning.
type warnings struct {
	texts   []string
	gitDirs []string // the git directories that gitlet has a folder in
	why     string   // why the clone cannot be written, "" when it can
	folder  string   // gitlet's own folder when that is all that cannot be written
}

func (w *warnings) reset() { *w = warnings{gitDirs: w.gitDirs} }

// cannotWrite notes an error about something that could not be written, and why. What was
// about the whole clone once stays so.
func (w *warnings) cannotWrite(err error, why string) {
	folder := ownFolder(err, w.gitDirs...)
	if w.why == "" || folder == "" {
		w.why, w.folder = why, folder
	}
}

func (w *warnings) add(format string, args ...any) {
	for _, a := range args {
		if err, ok := a.(error); ok && errors.Is(err, ledger.ErrNewer) {
			return // the ledger itself says so, once
		}
		if err, ok := a.(error); ok {
			if why := unwritable(err); why != "" {
				w.cannotWrite(err, why)
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
		out = append(out, cannotWrite(w.folder, w.why))
	}
	return out
}

package engine

import "fmt"

// warnings collects what a result must say beside its answer, each once.
type warnings struct{ texts []string }

func (w *warnings) reset() { w.texts = nil }

func (w *warnings) add(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	for _, t := range w.texts {
		if t == text {
			return
		}
	}
	w.texts = append(w.texts, text)
}

func (w *warnings) list() []string { return append([]string(nil), w.texts...) }

package rules

import (
	"path/filepath"

	"gitlet/internal/model"
)

// CaseNotes are the notes of every case, by the case's file.
func CaseNotes() (map[string][]model.Note, error) {
	files, err := filepath.Glob("testdata/*/*.txtar")
	if err != nil {
		return nil, err
	}
	out := map[string][]model.Note{}
	for _, f := range files {
		s, err := readScenario(f)
		if err != nil {
			return nil, err
		}
		out[f] = Evaluate(s.view)
	}
	return out, nil
}

package render

import (
	"bytes"
	"encoding/json"
	"reflect"

	"gitlet/internal/model"
	"gitlet/internal/verb"
)

// Envelope is the result as structured data for this face: a copy whose options are
// spelled, whose unavailable options are gone, and whose lists are never null. Notes
// and options that stand directly in Data (a struct's field or a map's value of type
// []model.Note or []model.Option) are treated alike.
func (p Printer) Envelope(r *verb.Result) *verb.Result {
	out := *r
	out.Details = list(r.Details)
	out.Resolved = list(r.Resolved)
	out.Warnings = list(r.Warnings)
	out.Options = p.wayOut(r)
	out.Notes = p.NotesData(r.Notes)
	out.Data = p.data(r.Data)
	return &out
}

// NotesData is notes as structured data for this face, for a verb's own data.
func (p Printer) NotesData(notes []model.Note) []model.Note {
	out := make([]model.Note, len(notes))
	for i, n := range notes {
		n.Evidence = list(n.Evidence)
		n.Others = list(n.Others)
		n.Options = p.spellAll(n.Options)
		n.Version = ""
		out[i] = n
	}
	return out
}

func (p Printer) data(v any) any {
	rv := reflect.Indirect(reflect.ValueOf(v))
	switch {
	case !rv.IsValid():
		return struct{}{}
	case rv.Kind() == reflect.Struct:
		out := reflect.New(rv.Type()).Elem()
		out.Set(rv)
		for i := range out.NumField() {
			if f := out.Field(i); f.CanSet() && f.Kind() == reflect.Slice {
				f.Set(reflect.ValueOf(p.spelled(f.Interface())))
			}
		}
		return out.Interface()
	}
	if m, ok := v.(map[string]any); ok {
		out := make(map[string]any, len(m))
		for key, val := range m {
			out[key] = p.spelled(val)
		}
		return out
	}
	return v
}

func (p Printer) spelled(v any) any {
	switch x := v.(type) {
	case []model.Note:
		return p.NotesData(x)
	case []model.Option:
		return p.spellAll(x)
	}
	return v
}

// JSON is the envelope as indented JSON with a line break at the end. The error says
// that the verb's data cannot be written as JSON.
func (p Printer) JSON(r *verb.Result) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(p.Envelope(r)); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

func list[T any](in []T) []T {
	if in == nil {
		return []T{}
	}
	return in
}

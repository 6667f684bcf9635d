package wire

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"gitlet/internal/model"
)

// fill puts something into every field, so that none is forgotten.
func fill(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		v.SetString("tëxt \"quoted\" <&> \u2028")
	case reflect.Int:
		v.SetInt(42)
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 3, 3))
		for i := range v.Len() {
			fill(v.Index(i))
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem())
	case reflect.Struct:
		if v.Type() == timeType {
			v.Set(reflect.ValueOf(time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC)))
			return
		}
		for i := range v.NumField() {
			fill(v.Field(i))
		}
	}
}

func TestQuickReadsEveryField(t *testing.T) {
	t.Parallel()
	var want stateDoc
	fill(reflect.ValueOf(&want).Elem())
	data, err := marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	indented, err := json.MarshalIndent(want, " ", "\t")
	if err != nil {
		t.Fatal(err)
	}
	for _, data := range [][]byte{data, indented} {
		if got, ok := quick[stateDoc](data); !ok || !reflect.DeepEqual(got, want) {
			t.Errorf("%v\n%+v, want\n%+v", ok, got, want)
		}
	}
}

// TestQuickDeclines what has another meaning than its form suggests, and reads over
// what is merely new.
func TestQuickDeclines(t *testing.T) {
	t.Parallel()
	const good = `{"format":1,"agent":{"id":"a"},"items":[]}`
	for doc, want := range map[string]bool{
		good: true, " " + good + "\n": true,
		`{"format":1,"new":{"x":[1,"y",{"z":true}],"w":[]},"agent":{"id":"a","k":-3},"items":[{"n":{}}]}`: true,
		`{"items":[],"format":1}`:                      true,
		`{"format":1,"format":1}`:                      false,
		`{"Format":1}`:                                 false,
		`{"format":1.0}`:                               false,
		`{"format":1e0}`:                               false,
		`{"format":01}`:                                false,
		`{"format":"1"}`:                               false,
		`{"format":null}`:                              false,
		`{"format":1,"new":null}`:                      false,
		`{"format":1,"new":tru}`:                       false,
		`{"format":1,}`:                                false,
		`{"format":1} x`:                               false,
		`{"format":1`:                                  false,
		`{"agent":{"id":"a` + "\n" + `"}}`:             false,
		`{"agent":{"id":"\x"}}`:                        false,
		`{"agent":{"id":"` + "\xff" + `"}}`:            false,
		`{"heartbeat":"yesterday"}`:                    false,
		`{"leaseSeconds":9999999999999999999}`:         false,
		`{"items":[{}` + strings.Repeat(",{}", 20_000): false,
		`{"n":` + strings.Repeat("[", 70) + strings.Repeat("]", 70) + `}`: false,
		"": false, "[]": false, "null": false,
	} {
		if _, ok := quick[stateDoc]([]byte(doc)); ok != want {
			t.Errorf("%.80q: %v", doc, ok)
		}
	}
}

// FuzzQuick: where quick answers, the standard decoder gives the same, and the whole
// gate does.
func FuzzQuick(f *testing.F) {
	for _, name := range []string{"state.json", "claim.json"} {
		data, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Add([]byte(`{"format":1,"x":[true,{"a":-0}],"agent":{"id":"a"},"items":[{"footprint":{"files":[{}]}},{}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		got, ok := quick[stateDoc](data)
		if !ok {
			return
		}
		var want stateDoc
		if err := json.Unmarshal(data, &want); err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("%q: %v\n%+v, want\n%+v", data, err, got, want)
		}
		if got.Format != Format {
			return
		}
		whole, ps, err := DecodeState(data, got.Agent.ID)
		slow, slowPs, slowErr := decodeState(data, got.Agent.ID)
		if (err == nil) != (slowErr == nil) || err == nil && (!reflect.DeepEqual(whole, slow) || !reflect.DeepEqual(ps, slowPs)) {
			t.Fatalf("%q: %v and %v\n%+v %v\n%+v %v", data, err, slowErr, whole, ps, slow, slowPs)
		}
	})
}

func BenchmarkDecodeState(b *testing.B) {
	data, err := os.ReadFile(filepath.Join("testdata", "state.json"))
	if err != nil {
		b.Fatal(err)
	}
	s, _ := quick[stateDoc](data)
	item := s.Items[0]
	for i := range 12 {
		item.Footprint.Symbols = append(item.Footprint.Symbols, item.Footprint.Symbols[i%2])
	}
	if data, _, err = EncodeState(model.State{Agent: s.Agent, Items: []model.Item{item}}); err != nil {
		b.Fatal(err)
	}
	for name, decode := range map[string]func([]byte, string) (model.State, []Problem, error){"quick": DecodeState, "whole": decodeState} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				if _, _, err := decode(data, s.Agent.ID); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

package wire

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"gitlet/internal/model"
	"gitlet/internal/wire/wiretest"
)

// seeds adds the goldens and what has broken readers before.
func seeds(f *testing.F, golden string) {
	data, err := os.ReadFile(filepath.Join("testdata", golden))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Add(bytes.ReplaceAll(data, []byte(`"parseConfig"`), []byte(`"\u0000\ud800"`)))
	f.Add(bytes.ReplaceAll(data, []byte(`"src/config.ts"`), []byte(`"../x"`)))
	f.Add(bytes.ReplaceAll(data, []byte(`2026`), []byte(`0000`)))
	f.Add(bytes.ReplaceAll(data, []byte(`:1`), []byte(`:-9223372036854775808`)))
	f.Add([]byte(`{"format":1}`))
	f.Add([]byte(`{"FORMAT":1,"format":null}`))
	f.Add([]byte(`{"format":1e0}`))
}

// again checks that what was accepted is accepted by the encoder, and means the same.
func again[T any](t *testing.T, v T, encode func(T) ([]byte, []Problem, error), decode func([]byte) (T, []Problem, error)) {
	t.Helper()
	data, ps, err := encode(v)
	if err == ErrTooLarge || len(ps) > 0 {
		return // trimmed: it need not be equal
	}
	if err != nil {
		t.Fatalf("a decoded value is refused: %v", err)
	}
	back, _, err := decode(data)
	if err != nil || !reflect.DeepEqual(back, v) {
		t.Fatalf("%v:\n%+v\n%+v", err, back, v)
	}
}

func FuzzState(f *testing.F) {
	seeds(f, "state.json")
	f.Fuzz(func(t *testing.T, data []byte) {
		v, ps, err := DecodeState(data, agent)
		if err != nil {
			return
		}
		wiretest.Check(t, v)
		if len(ps) > maxProblems+1 {
			t.Errorf("%d problems", len(ps))
		}
		again(t, v, EncodeState, func(b []byte) (model.State, []Problem, error) { return DecodeState(b, agent) })
	})
}

func FuzzOutbox(f *testing.F) {
	seeds(f, "outbox.json")
	f.Fuzz(func(t *testing.T, data []byte) {
		v, _, err := DecodeOutbox(data, agent)
		if err != nil {
			return
		}
		wiretest.Check(t, v)
		again(t, v, EncodeOutbox, func(b []byte) (model.Outbox, []Problem, error) { return DecodeOutbox(b, agent) })
	})
}

func FuzzClaim(f *testing.F) {
	seeds(f, "claim.json")
	f.Fuzz(func(t *testing.T, data []byte) {
		v, _, err := DecodeClaim(data, key)
		if err != nil {
			return
		}
		wiretest.Check(t, v)
		again(t, v, EncodeClaim, func(b []byte) (model.Claim, []Problem, error) { return DecodeClaim(b, key) })
	})
}

func FuzzResolution(f *testing.F) {
	const conflict = "0123456789abcdef0123456789abcdef01234567"
	seeds(f, "resolution.json")
	f.Fuzz(func(t *testing.T, data []byte) {
		v, _, err := DecodeResolution(data, conflict)
		if err != nil {
			return
		}
		wiretest.Check(t, v)
		again(t, v, EncodeResolution, func(b []byte) (model.Resolution, []Problem, error) { return DecodeResolution(b, conflict) })
	})
}

package wire

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"gitlet/internal/model"
)

// withPicked says of the sample what a stub brought.
func withPicked(s model.State) model.State {
	fp := s.Items[0].Footprint
	fp.Stubs = []string{strings.Repeat("b", 40)}
	fp.Files[0].Picked, fp.Files[0].Hunks[0].Picked = true, true
	fp.Symbols[0].Picked = model.PickedWhole
	return s
}

// TestBadPicked: marks that no gitlet makes are not believed, so that what they stand on
// counts as the item's own.
func TestBadPicked(t *testing.T) {
	t.Parallel()
	s := sampleState()
	fp := s.Items[0].Footprint
	was := fp.Symbols[0]
	for _, c := range []struct {
		change model.ChangeKind
		is     model.Picked
		want   model.Picked
	}{
		{model.ChangeSignature, model.PickedWhole, model.PickedWhole},
		{model.ChangeSignature, model.PickedSignature, model.PickedSignature},
		{model.ChangeRemoved, model.PickedWhole, model.PickedWhole},
		{model.ChangeAdded, model.PickedSignature, ""},
		{model.ChangeSignature, "x\x1b[0m", ""},
	} {
		bad := was
		bad.Change, bad.Picked = c.change, c.is
		fp.Symbols = []model.SymbolChange{bad}
		data, err := json.Marshal(stateDoc{Format: Format, State: s})
		if err != nil {
			t.Fatal(err)
		}
		got, ps, err := DecodeState(data, agent)
		if err != nil || len(ps) > 0 || got.Items[0].Footprint.Symbols[0].Picked != c.want {
			t.Errorf("%s %q: %+v %v %v", c.change, c.is, got.Items[0].Footprint.Symbols, ps, err)
		}
	}
	oid := strings.Repeat("a", 40)
	for name, c := range map[string]struct {
		stubs []string
		want  int
	}{
		"good": {[]string{oid}, 1}, "no object id": {[]string{oid, "HEAD"}, 0}, "an option": {[]string{"--all"}, 0},
		"many": {slices.Repeat([]string{oid}, maxNeeds+1), 0},
	} {
		fp.Stubs = c.stubs
		data, err := json.Marshal(stateDoc{Format: Format, State: s})
		if err != nil {
			t.Fatal(err)
		}
		got, ps, err := DecodeState(data, agent)
		if err != nil || len(ps) > 0 || len(got.Items[0].Footprint.Stubs) != c.want {
			t.Errorf("%s: %q %v %v", name, got.Items[0].Footprint.Stubs, ps, err)
		}
	}
}

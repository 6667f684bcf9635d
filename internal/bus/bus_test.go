package bus

import (
	"errors"
	"fmt"
	"testing"

	"gitlet/internal/id"
	"gitlet/internal/model"
	"gitlet/internal/wire"
)

func FuzzParseRef(f *testing.F) {
	for _, ref := range []string{StateRef("a-b"), OutboxRef("a"), SnapshotRef("a", "aaaaaaaaaaaa"), ClaimRef("0123456789abcdef"),
		"refs/gitlet/agents/../state", "refs/gitlet/agents/a/state/x", "refs/gitlet/claims/", "refs/gitlet/", "refs/heads/main", ""} {
		f.Add(ref)
	}
	f.Fuzz(func(t *testing.T, ref string) {
		n, ok := ParseRef(ref)
		if !ok {
			return
		}
		var back string
		switch n.Kind {
		case StateDoc:
			back = StateRef(n.Agent)
		case OutboxDoc:
			back = OutboxRef(n.Agent)
		case ClaimDoc:
			back = ClaimRef(n.Key)
		case Snapshot:
			back = SnapshotRef(n.Agent, n.Item)
		case ResolutionDoc:
			back = ResolutionRef(n.Conflict)
		case OtherRef:
			if n != (RefName{}) {
				t.Fatalf("%q: %+v", ref, n)
			}
			return
		}
		if back != ref {
			t.Fatalf("%q reads as %+v, which is %q", ref, n, back)
		}
		if n.Agent != "" && !id.ValidAgent(n.Agent) || n.Item != "" && !id.ValidItem(n.Item) || n.Key != "" && !id.ValidKey(n.Key) ||
			n.Conflict != "" && !id.ValidOID(n.Conflict) {
			t.Fatalf("%q: %+v", ref, n)
		}
	})
}

// TestAssembleReadsOnlyWhatMoved: bad documents are not read again either, and an
// unchanged listing gives back the very same value.
func TestAssembleReadsOnlyWhatMoved(t *testing.T) {
	t.Parallel()
	oid := func(n int) string { return fmt.Sprintf("%040d", n) }
	good, _, err := wire.EncodeState(model.State{Agent: model.Agent{ID: "good"}})
	if err != nil {
		t.Fatal(err)
	}
	content := map[string]string{oid(1): string(good), oid(2): "noise", oid(3): string(good)}
	var reads []string
	read := func(o, file string) ([]byte, string, error) {
		reads = append(reads, o+" "+file)
		if content[o] == "" {
			return nil, "", errors.New("disk on fire")
		}
		return []byte(content[o]), "", nil
	}
	l := Listing{Refs: map[string]string{StateRef("good"): oid(1), StateRef("bad"): oid(2)}}
	first, _, err := Assemble(nil, l, read)
	if err != nil || len(reads) != 2 || len(first.States) != 1 || len(first.Problems) != 1 {
		t.Fatalf("%+v %v %v", first, reads, err)
	}
	if again, _, _ := Assemble(first, l, read); again != first || len(reads) != 2 {
		t.Errorf("an unchanged listing was assembled anew, reads %v", reads)
	}
	l.Refs[StateRef("good")], l.Main = oid(3), oid(9)
	second, _, err := Assemble(first, l, read)
	if err != nil || len(reads) != 3 || reads[2] != oid(3)+" state.json" {
		t.Errorf("reads %v, %v", reads, err)
	}
	if second.Problems[0] != first.Problems[0] || second.Fingerprint == first.Fingerprint || second.Main != oid(9) {
		t.Errorf("%+v", second)
	}
	// What cannot be read at all is an error, not a problem of the document.
	l.Refs[StateRef("good")] = oid(4)
	if _, _, err := Assemble(second, l, read); err == nil {
		t.Error("a fault of this machine went unnoticed")
	}
}

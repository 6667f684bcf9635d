package bus

import (
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"gitlet/internal/id"
	"gitlet/internal/model"
	"gitlet/internal/wire"
	"gitlet/internal/wire/wiretest"
)

const (
	hostileAgent = "peer-host-000001"
	hostileKey   = "0123456789abcdef"
	goodAgent    = "good-host-000002"
)

// goldens are the documents as package wire shows them, written as by hostileAgent.
func goldens(t testing.TB) map[RefKind][]byte {
	t.Helper()
	out := map[RefKind][]byte{}
	for kind, name := range map[RefKind]string{StateDoc: "state.json", OutboxDoc: "outbox.json", ClaimDoc: "claim.json"} {
		data, err := os.ReadFile(filepath.Join("..", "wire", "testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		out[kind] = data
	}
	// Under their own names, so that they are accepted to begin with.
	st, _, err := wire.DecodeState(out[StateDoc], field(out[StateDoc], `"id":"`))
	if err != nil {
		t.Fatal(err)
	}
	st.Agent.ID = hostileAgent
	ob, _, err := wire.DecodeOutbox(out[OutboxDoc], field(out[OutboxDoc], `"agent":"`))
	if err != nil {
		t.Fatal(err)
	}
	for i := range ob.Messages {
		ob.Messages[i].From = hostileAgent
	}
	ob.Agent = hostileAgent
	cl, _, err := wire.DecodeClaim(out[ClaimDoc], field(out[ClaimDoc], `"key":"`))
	if err != nil {
		t.Fatal(err)
	}
	if cl.Key = hostileKey; cl.Symbol != nil {
		cl.Symbol.Key = hostileKey
	}
	for kind, encode := range map[RefKind]func() ([]byte, []wire.Problem, error){
		StateDoc:  func() ([]byte, []wire.Problem, error) { return wire.EncodeState(st) },
		OutboxDoc: func() ([]byte, []wire.Problem, error) { return wire.EncodeOutbox(ob) },
		ClaimDoc:  func() ([]byte, []wire.Problem, error) { return wire.EncodeClaim(cl) },
	} {
		if out[kind], _, err = encode(); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

func field(doc []byte, after string) string {
	_, rest, _ := strings.Cut(string(doc), after)
	value, _, _ := strings.Cut(rest, `"`)
	return value
}

// hostileDocs assembles what a hostile peer may put on the remote (a document at a
// ref) beside a good one, and checks everything that comes out.
func hostileDocs(t testing.TB, ref string, data []byte) *Docs {
	t.Helper()
	good, _, err := wire.EncodeState(model.State{Agent: model.Agent{ID: goodAgent}})
	if err != nil {
		t.Fatal(err)
	}
	oid, other := strings.Repeat("a", 40), strings.Repeat("b", 40)
	l := Listing{Refs: map[string]string{ref: oid, StateRef(goodAgent): other, SnapshotRef(hostileAgent, "aaaaaaaaaaaa"): other}}
	d, gone, err := Assemble(nil, l, func(o, file string) ([]byte, string, error) {
		if o == other || file != "state.json" && file != "outbox.json" && file != "claim.json" {
			return good, "", nil
		}
		return data, "", nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if again, _, err := Assemble(nil, l, func(o, _ string) ([]byte, string, error) {
		if o == other {
			return good, "", nil
		}
		return data, "", nil
	}); err != nil || !reflect.DeepEqual(again, d) {
		t.Errorf("the same documents were read differently: %v", err)
	}
	found := false
	for _, s := range d.States {
		wiretest.Check(t, s.Value)
		found = found || s.Value.Agent.ID == goodAgent
		if s.Ref != StateRef(s.Value.Agent.ID) {
			t.Errorf("%q says it is %q", s.Ref, s.Value.Agent.ID)
		}
	}
	if !found && ref != StateRef(goodAgent) {
		t.Error("the good document is gone")
	}
	for _, o := range d.Outboxes {
		wiretest.Check(t, o.Value)
		if o.Ref != OutboxRef(o.Value.Agent) {
			t.Errorf("%q says it is %q", o.Ref, o.Value.Agent)
		}
	}
	for _, c := range d.Claims {
		wiretest.Check(t, c.Value)
		if c.Ref != ClaimRef(c.Value.Key) || d.Held(c.Value.Key) == nil {
			t.Errorf("%q says it is %q", c.Ref, c.Value.Key)
		}
	}
	for key := range d.Snapshots {
		if agent, item, _ := strings.Cut(key, "/"); !id.ValidAgent(agent) || !id.ValidItem(item) {
			t.Errorf("snapshot %q", key)
		}
	}
	for _, g := range gone {
		if n, ok := ParseRef(g); !ok || n.Kind != Snapshot {
			t.Errorf("%q is to be deleted", g)
		}
	}
	for _, p := range d.Problems {
		if len(p.Why) > 400 || strings.ContainsAny(p.Why, "\n\r\x1b\x00") {
			t.Errorf("problem %q", p.Why)
		}
		if h := p.Held(); h != nil && !id.ValidKey(h.Claim.Key) {
			t.Errorf("a claim on %q could be released", h.Claim.Key)
		}
	}
	return d
}

var hostileRefs = map[RefKind]string{StateDoc: StateRef(hostileAgent), OutboxDoc: OutboxRef(hostileAgent), ClaimDoc: ClaimRef(hostileKey)}

// FuzzHostilePeer is one target over all three documents and over ref names.
func FuzzHostilePeer(f *testing.F) {
	for kind, data := range goldens(f) {
		f.Add(hostileRefs[kind], data)
	}
	for _, ref := range []string{"refs/gitlet/agents/../state", "refs/gitlet/agents/--x/state", "refs/gitlet/claims/$(id)", "refs/gitlet/wip/a/b", "refs/heads/x"} {
		f.Add(ref, []byte(`{"format":1}`))
	}
	f.Fuzz(func(t *testing.T, ref string, data []byte) {
		hostileDocs(t, ref, data)
		for _, known := range hostileRefs {
			hostileDocs(t, known, data)
		}
	})
}

// TestMutatedDocuments feeds documents that were good once: a few thousand, and a
// million when the long counts are asked for.
func TestMutatedDocuments(t *testing.T) {
	t.Parallel()
	total := 4000
	if os.Getenv("GITLET_SOAK") != "" {
		total = 1_000_000
	}
	docs := goldens(t)
	for kind, data := range docs {
		if d := hostileDocs(t, hostileRefs[kind], data); len(d.Problems) > 0 {
			t.Fatalf("the document to begin with is not good: %v", d.Problems)
		}
	}
	kinds := []RefKind{StateDoc, OutboxDoc, ClaimDoc}
	workers := runtime.GOMAXPROCS(0)
	var whole, part, none atomic.Int64
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			r := rand.New(rand.NewPCG(uint64(w), 20260102))
			for n := w; n < total && !t.Failed() && context.Cause(t.Context()) == nil; n += workers {
				kind := kinds[n/workers%len(kinds)]
				d := hostileDocs(t, hostileRefs[kind], wiretest.Mutate(r, docs[kind]))
				switch used := len(d.States)+len(d.Outboxes)+len(d.Claims) > 1; {
				case used && len(d.Problems) == 0:
					whole.Add(1)
				case used:
					part.Add(1)
				default:
					none.Add(1)
				}
			}
		})
	}
	wg.Wait()
	t.Logf("%d documents: %d used whole, %d in part, %d not", total, whole.Load(), part.Load(), none.Load())
	if whole.Load() == 0 || part.Load() == 0 || none.Load() == 0 {
		t.Error("the mutations do not reach what they should")
	}
}

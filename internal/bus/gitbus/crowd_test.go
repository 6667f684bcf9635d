package gitbus

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"gitlet/internal/bus"
	"gitlet/internal/git"
	"gitlet/internal/model"
	"gitlet/internal/wire"
)

// crowd puts the state documents of n agents on the remote, each with one item of
// ordinary size, and returns their refs.
func (w *world) crowd(n int) []string {
	t := w.t
	t.Helper()
	var files []git.FileCommit
	var refs []string
	for i := range n {
		s := model.State{Agent: model.Agent{ID: fmt.Sprintf("claude-code-machine-%06x", i), Client: "claude-code", Host: "machine"},
			Heartbeat: w.now, LeaseSeconds: 600, Items: []model.Item{ordinaryItem(i)}}
		data, problems, err := wire.EncodeState(s)
		if err != nil || len(problems) > 0 {
			t.Fatal(err, problems)
		}
		files = append(files, git.FileCommit{Name: "state.json", Data: data, Message: "gitlet: state"})
		refs = append(refs, bus.StateRef(s.Agent.ID))
	}
	oids, err := w.outsider.CommitFiles(t.Context(), files...)
	if err != nil {
		t.Fatal(err)
	}
	var changes []git.RefChange
	for i, oid := range oids {
		changes = append(changes, git.Set(refs[i], oid))
	}
	if err := w.outsider.Apply(t.Context(), changes...); err != nil {
		t.Fatal(err)
	}
	// Without the hooks of the remote, which would run for each.
	w.remote.Git("-c", "core.hooksPath="+os.DevNull, "fetch", "-q", w.outsider.CommonDir, "refs/gitlet/agents/*:"+w.name(bus.Namespace+"agents/*"))
	return refs
}

func ordinaryItem(n int) model.Item {
	oid := fmt.Sprintf("%040x", n+1)
	f := &model.Footprint{Base: oid, Head: oid, Version: 1}
	for i := range 4 {
		path := fmt.Sprintf("src/part%d/module%d.ts", n%7, i)
		f.Files = append(f.Files, model.FileChange{Path: path, Status: "M", Lang: "typescript", Parsed: true})
		for j := range 3 {
			name := fmt.Sprintf("parseThing%d", j)
			f.Symbols = append(f.Symbols, model.SymbolChange{Change: model.ChangeSignature, Symbol: model.Symbol{
				Key: fmt.Sprintf("%016x", n*100+i*10+j), Lang: "typescript", Path: path, Name: name, Qualified: name, Kind: "function",
				Signature: "function " + name + "(string, boolean?): Config", SigHash: oid[:16], BodyHash: oid[:16],
				Params: []model.Param{{Type: "string"}, {Type: "boolean", Optional: true}}, Results: "Config",
				StartLine: 10 * j, EndLine: 10*j + 8, Exported: true}})
		}
		for j := range 8 {
			f.Refs = append(f.Refs, model.Ref{Name: fmt.Sprintf("loadFile%d", j), Kind: "call", Lang: "typescript", Path: path,
				Line: 12 + j, Module: "src/fs", Resolved: true})
		}
	}
	return model.Item{ID: fmt.Sprintf("%012x", n), Intent: "Add strict mode to config loading", Branch: "gitlet/add-strict-mode",
		Base: oid, Snapshot: oid, Head: oid, Status: model.ItemActive, Footprint: f}
}

// best is the shortest time of f: the machine may be busy with other things.
func best(runs int, f func()) time.Duration {
	var all []time.Duration
	for range runs {
		began := time.Now()
		f()
		all = append(all, time.Since(began))
	}
	return slices.Min(all)
}

// TestFiveHundredAgents: with many agents on the remote a poll that finds one change
// costs little more than an idle one, and reading everything little more than git needs
// to print it.
func TestFiveHundredAgents(t *testing.T) {
	n, runs := 60, 3
	if soak {
		n, runs = 500, 25
	}
	w := newRemoteWorld(t)
	refs := w.crowd(n)
	a, ctx := w.Open(0).(*Bus), t.Context()
	var docs *bus.Docs
	poll := func() {
		w.Advance(time.Minute)
		if _, err := a.Refresh(ctx); err != nil {
			t.Fatal(err)
		}
		var err error
		if docs, err = a.Load(ctx, docs); err != nil {
			t.Fatal(err)
		}
	}
	poll()
	poll()
	idle := best(runs, poll)
	var changed []time.Duration
	for i := range runs {
		data, _, err := wire.EncodeState(model.State{Agent: model.Agent{ID: strings.Split(refs[i], "/")[3]}, LeaseSeconds: 600 + i, Items: []model.Item{ordinaryItem(i)}})
		if err != nil {
			t.Fatal(err)
		}
		w.Put(refs[i], "state.json", data)
		changed = append(changed, best(1, poll))
	}
	one := slices.Min(changed)
	if len(docs.States) != n || len(docs.Problems) > 0 {
		t.Fatalf("%d states, problems %v", len(docs.States), docs.Problems)
	}
	var names bytes.Buffer
	for _, d := range docs.States {
		fmt.Fprintf(&names, "%s:state.json\n", d.OID)
	}
	other, size := w.Open(0), 0
	for try := 1; ; try++ { // a busy machine may spoil one measurement, not all
		// Both are measured in turn, so that what slows the machine slows both.
		var ratios []float64
		var alls, cats []time.Duration
		for range runs {
			all := best(1, func() {
				if _, err := other.Load(ctx, nil); err != nil {
					t.Fatal(err)
				}
			})
			cat := best(1, func() {
				cmd := exec.Command("git", "-C", w.machines[0].Dir, "cat-file", "--batch")
				cmd.Stdin = bytes.NewReader(names.Bytes())
				out, err := cmd.Output()
				if err != nil {
					t.Fatal(err)
				}
				size = len(out)
			})
			alls, cats, ratios = append(alls, all), append(cats, cat), append(ratios, float64(all)/float64(cat))
		}
		slices.Sort(ratios)
		ratio, all, cat := ratios[len(ratios)/2], slices.Min(alls), slices.Min(cats)
		t.Logf("%d agents, %d KiB of documents: an idle poll %s, one change %s (%.1f times); reading all %s, git alone %s (%.1f times; of the pairs, in the middle %.1f, at most %.1f)",
			n, size>>10, idle, one, float64(one)/float64(idle), all, cat, float64(all)/float64(cat), ratio, ratios[len(ratios)-1])
		if !soak || one <= 3*idle && ratio <= 3 {
			return
		}
		if try == 5 {
			t.Fatal("over three times")
		}
	}
}

package rules

import (
	"fmt"
	"testing"
	"time"

	"gitlet/internal/id"
	"gitlet/internal/model"
	"gitlet/internal/view"
)

// crowd is a view of n other agents, each with as many changed symbols and references
// as an item has before it counts as broad.
func crowd(n int) *view.View {
	item := func(who int) model.Item {
		f := &model.Footprint{Version: model.FootprintVersion}
		for i := range 50 {
			f.Files = append(f.Files, model.FileChange{Path: fmt.Sprintf("pkg%d/file%d.go", (who+i)%80, i), Status: "M", Lang: "go", Parsed: true})
		}
		for i := range 200 {
			p := f.Files[i%50].Path
			name := fmt.Sprintf("Func%d", i)
			s := model.Symbol{Lang: "go", Path: p, Name: name, Qualified: name, Kind: model.KindFunction, Exported: true,
				Key: id.SymbolKey("go", p, name), Signature: "func " + name + "(int)", SigHash: fmt.Sprint(who, i), BodyHash: fmt.Sprint(who, i)}
			c := model.SymbolChange{Change: model.ChangeBody, Symbol: s}
			if i%4 == 0 {
				c.Change, c.Breaking, c.OldSignature, c.OldSigHash = model.ChangeSignature, true, "func "+name+"()", "old"
			}
			f.Symbols = append(f.Symbols, c)
		}
		for i := range 1000 {
			f.Refs = append(f.Refs, model.Ref{Name: fmt.Sprintf("Func%d", i%400), Kind: model.RefCall, Lang: "go", Path: f.Files[i%50].Path,
				Line: i, Module: fmt.Sprintf("pkg%d", i%80), Resolved: true})
		}
		return model.Item{ID: fmt.Sprintf("%012x", who), Intent: "work", Status: model.ItemActive, Footprint: f}
	}
	v := &view.View{Now: now, Agent: me, Items: []model.Item{item(0)}}
	for i := range n {
		v.Peers = append(v.Peers, view.Peer{Agent: model.Agent{ID: fmt.Sprintf("agent-host-%06x", i)}, Item: item(i + 1)})
	}
	return v
}

func BenchmarkEvaluate50(b *testing.B) {
	v := crowd(50)
	b.ReportAllocs()
	for b.Loop() {
		if len(Evaluate(v)) == 0 {
			b.Fatal("no notes")
		}
	}
}

// What one evaluation costs grows with the number of items in view, not faster: 200 may
// cost 12 times what 20 do. It reports the ratio of the best runs, since a busy machine
// only makes a run longer.
func BenchmarkEvaluateRatio(b *testing.B) {
	few, many := crowd(20), crowd(200)
	small, large := time.Duration(1<<62), time.Duration(1<<62)
	for b.Loop() {
		start := time.Now()
		Evaluate(few)
		small = min(small, time.Since(start))
		start = time.Now()
		Evaluate(many)
		large = min(large, time.Since(start))
	}
	b.ReportMetric(float64(large)/float64(small), "ratio-200-to-20")
}

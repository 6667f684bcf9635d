package plan

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"
)

func TestMake(t *testing.T) {
	tasks := []Task{
		{Name: "a", Symbols: []string{"src/x.ts:Load.run"}},
		{Name: "b", Symbols: []string{"src/x.ts:Load"}},
		{Name: "c", Symbols: []string{"src/x.ts:other"}},
		{Name: "d", Paths: []string{"docs/"}},
		{Name: "e", Paths: []string{"docs/a.md"}, After: []string{"b"}},
		{Name: "f", Paths: []string{"**/*.sql"}},
	}
	works := []Work{{Agent: "codex", Files: []string{"src/x.ts", "db/1.sql"}, Symbols: []string{"src/x.ts:other"}}}
	p := Make(tasks, works)
	want := []Meeting{
		{Kind: SameSymbol, What: []string{"src/x.ts:Load.run"}, A: 0, B: 1},
		{Kind: SameFile, What: []string{"src/x.ts"}, A: 0, B: 2},
		{Kind: SameFile, What: []string{"src/x.ts"}, A: 1, B: 2},
		{Kind: SamePath, What: []string{"docs/a.md"}, A: 3, B: 4},
	}
	if !reflect.DeepEqual(p.Tasks, want) {
		t.Errorf("meetings %+v", p.Tasks)
	}
	if w := [][]int{{0, 2, 3, 5}, {1}, {4}}; !reflect.DeepEqual(p.Waves, w) || p.Circle != nil {
		t.Errorf("waves %v, circle %v", p.Waves, p.Circle)
	}
	kinds := map[string]Kind{}
	for _, m := range p.Works {
		kinds[tasks[m.A].Name] = m.Kind
	}
	if w := (map[string]Kind{"a": SameFile, "b": SameFile, "c": SameSymbol, "f": SamePath}); !reflect.DeepEqual(kinds, w) {
		t.Errorf("with work going on: %v", kinds)
	}
}

func TestCircle(t *testing.T) {
	p := Make([]Task{{Name: "a", After: []string{"b"}}, {Name: "b", After: []string{"a"}}, {Name: "c", After: []string{"c", "nobody"}}}, nil)
	if !reflect.DeepEqual(p.Circle, []int{0, 1}) || !reflect.DeepEqual(p.Waves, [][]int{{2}}) {
		t.Errorf("%+v", p)
	}
}

// TestWavesHold draws tasks and checks what a plan promises.
func TestWavesHold(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 5))
	for range 300 {
		tasks := make([]Task, 1+rnd.IntN(8))
		for i := range tasks {
			tasks[i].Name = fmt.Sprint(i)
			for range rnd.IntN(3) {
				tasks[i].Paths = append(tasks[i].Paths, fmt.Sprintf("d%d/f%d", rnd.IntN(3), rnd.IntN(3)))
				tasks[i].Symbols = append(tasks[i].Symbols, fmt.Sprintf("d%d/f%d.go:S%d", rnd.IntN(2), rnd.IntN(2), rnd.IntN(2)))
			}
			if i > 0 && rnd.IntN(3) == 0 {
				tasks[i].After = []string{fmt.Sprint(rnd.IntN(i))}
			}
		}
		p := Make(tasks, nil)
		at := map[int]int{}
		for w, wave := range p.Waves {
			for _, i := range wave {
				at[i] = w
			}
		}
		if len(at) != len(tasks) {
			t.Fatalf("%+v: planned %v", tasks, p.Waves)
		}
		for _, m := range p.Tasks {
			if m.Collides() && at[m.A] == at[m.B] {
				t.Fatalf("%d and %d collide in one wave", m.A, m.B)
			}
		}
		for i, task := range tasks {
			for _, name := range task.After {
				var d int
				if _, err := fmt.Sscan(name, &d); err != nil || at[d] >= at[i] {
					t.Fatalf("%d does not wait for %d", i, d)
				}
			}
		}
	}
}

package broad

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"ccd/core/geom"
)

// fromTasks are the pairs of some tasks as a sweep and as a list find them, sorted.
func fromTasks(p *Plan, tasks []Task) (swept, listed [][2]int32) {
	w := NewWorker()
	var into pairList
	for i := range tasks {
		w.Sweep(p, &tasks[i], func(_ geom.Kind, pairs [][2]int32) bool {
			swept = append(swept, pairs...)
			return true
		})
		w.list(p, &tasks[i], &into)
	}
	for _, x := range into.pieces {
		listed = append(listed, x.pairs[:x.n]...)
	}
	for _, s := range [][][2]int32{swept, listed} {
		slices.SortFunc(s, func(x, y [2]int32) int { return slices.Compare(x[:], y[:]) })
	}
	return swept, listed
}

// However a cell is cut along the sweep's axis, each of its pairs is in one portion, and zeros of both signs are alike.
func TestPortionsPartThePairs(t *testing.T) {
	r := rand.New(rand.NewPCG(51, 52))
	zeros := []float64{0, math.Copysign(0, -1), 1, -1, 0x1p-20, -0x1p-20}
	scenes := append(adversaries(), soup(r, 60, func() float64 { return zeros[r.IntN(len(zeros))] }))
	scenes[len(scenes)-1].name = "zeros"
	cut := 0
	for _, s := range scenes {
		m, mo := s.load(t)
		var p Plan
		if err := p.Build(m, mo, PlanOptions{Until: 1, Still: true, Threads: 1}); err != nil {
			t.Fatal(err)
		}
		for f := range p.work {
			w := &p.work[f]
			for c := range w.grid.cells() {
				whole := []Task{{Kind: w.kind, family: f, c0: c, c1: c + 1, part: all}}
				swept, listed := fromTasks(&p, whole)
				var keys []int32
				for _, l := range w.layers {
					for _, e := range l.cell(c) {
						keys = append(keys, e.key)
					}
				}
				if len(keys) == 0 || len(listed) == 0 || r.IntN(4) > 0 && cut > 1000 {
					continue
				}
				slices.Sort(keys)
				var parts []Task
				from := all.from
				for range 1 + r.IntN(5) {
					if k := keys[r.IntN(len(keys))]; k > from {
						parts = append(parts, Task{Kind: w.kind, family: f, c0: c, c1: c + 1, part: portion{from, k - 1}})
						from = k
						cut++
					}
				}
				parts = append(parts, Task{Kind: w.kind, family: f, c0: c, c1: c + 1, part: portion{from, all.to}})
				gotSwept, gotListed := fromTasks(&p, parts)
				if !slices.Equal(gotSwept, swept) || !slices.Equal(gotListed, listed) {
					t.Fatalf("%s, %v, cell %d in %d portions: %d and %d pairs, want %d and %d",
						s.name, w.kind, c, len(parts), len(gotSwept), len(gotListed), len(swept), len(listed))
				}
			}
		}
	}
	if cut == 0 {
		t.Fatal("no cell was cut")
	}
}

// Heavy cells are cut, and their tasks find what the cells do.
func TestHeavyCellsAreCut(t *testing.T) {
	r := rand.New(rand.NewPCG(53, 54))
	s := soup(r, 2000, r.Float64)
	for i := range s.x0 { // primitives, of three vertices each, in a row
		if i%3 == 0 {
			s.x0[i] = float64(0.1*float64(i/9)) + float64(0.5*s.x0[i])
		}
		s.x1[i] = s.x0[i]
	}
	m, mo := s.load(t)
	var p Plan
	if err := p.Build(m, mo, PlanOptions{Until: 1, Still: true, Threads: 1}); err != nil {
		t.Fatal(err)
	}
	parts := map[string]bool{}
	for f := range p.work {
		var tasks, whole []Task
		for _, task := range p.Tasks() {
			if task.family != f {
				continue
			}
			tasks = append(tasks, task)
			if task.part != all {
				parts[fmt.Sprint(f, task.c0, task.part)] = true
			}
		}
		for c := range p.work[f].grid.cells() {
			whole = append(whole, Task{Kind: p.work[f].kind, family: f, c0: c, c1: c + 1, part: all})
		}
		swept, listed := fromTasks(&p, tasks)
		wantSwept, wantListed := fromTasks(&p, whole)
		if !slices.Equal(swept, wantSwept) || !slices.Equal(listed, wantListed) {
			t.Fatalf("family %d: %d and %d pairs, want %d and %d", f, len(swept), len(listed), len(wantSwept), len(wantListed))
		}
	}
	if len(parts) < 2 {
		t.Fatalf("%d portions: the scene has no heavy cell", len(parts))
	}
}

func TestKeysOfZerosAreOne(t *testing.T) {
	zero := float32(0)
	if a, b := keyOf(zero), keyOf(-zero); a != b || keyOf(float32(math.Copysign(0, -1))) != a {
		t.Fatalf("the keys of the zeros are %d and %d", a, keyOf(float32(math.Copysign(0, -1))))
	}
}

package broad

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/mesh"
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
		w.list(p, &tasks[i], &into, new(engine.Budget))
	}
	for _, x := range into.chunks {
		listed = append(listed, x.pairs[:x.n]...)
	}
	for _, s := range [][][2]int32{swept, listed} {
		slices.SortFunc(s, func(x, y [2]int32) int { return slices.Compare(x[:], y[:]) })
	}
	return swept, listed
}

// However a cell is split along the sweep's axis, each of its pairs is in one key range, and zeros
// of both signs are equal.
func TestKeyRangesPartitionThePairs(t *testing.T) {
	r := rand.New(rand.NewPCG(51, 52))
	zeros := []float64{0, math.Copysign(0, -1), 1, -1, 0x1p-20, -0x1p-20}
	scenes := append(adversaries(), soup(r, 60, func() float64 { return zeros[r.IntN(len(zeros))] }))
	scenes[len(scenes)-1].name = "zeros"
	cut := 0
	for _, s := range scenes {
		m, mo := s.load(t)
		var p Plan
		if err := p.Build(m, mo, PlanOptions{Input: Input{Until: 1, Still: true}, Work: Work{Threads: 1}}); err != nil {
			t.Fatal(err)
		}
		for f := range p.work {
			w := &p.work[f]
			for c := range w.grid.cells() {
				whole := []Task{{Kind: w.kind, family: f, c0: c, c1: c + 1, keys: wholeCell}}
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
				from := []int32{wholeCell.from}
				for range 1 + r.IntN(5) {
					if k := keys[r.IntN(len(keys))]; k > from[len(from)-1] {
						from = append(from, k)
						cut++
					}
				}
				var d division
				d.begin(f, c, c+1)
				d.splitAt(&p, new(divider), c, splitEntries, 0, from)
				before := len(p.todo.list)
				if err := p.appendTasks(&d); err != nil {
					t.Fatal(err)
				}
				tasks := p.todo.list[before:]
				gotSwept, gotListed := fromTasks(&p, tasks)
				if !slices.Equal(gotSwept, swept) || !slices.Equal(gotListed, listed) {
					t.Fatalf("%s, %v, cell %d in %d key tasks: %d and %d pairs, want %d and %d",
						s.name, w.kind, c, len(tasks), len(gotSwept), len(gotListed), len(swept), len(listed))
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
	if err := p.Build(m, mo, PlanOptions{Input: Input{Until: 1, Still: true}, Work: Work{Threads: 1}}); err != nil {
		t.Fatal(err)
	}
	ranges := map[string]bool{}
	for f := range p.work {
		var tasks, whole []Task
		for _, task := range p.Tasks() {
			if task.family != f {
				continue
			}
			tasks = append(tasks, task)
			if task.keys != wholeCell {
				ranges[fmt.Sprint(f, task.c0, task.keys)] = true
			}
		}
		for c := range p.work[f].grid.cells() {
			whole = append(whole, Task{Kind: p.work[f].kind, family: f, c0: c, c1: c + 1, keys: wholeCell})
		}
		swept, listed := fromTasks(&p, tasks)
		wantSwept, wantListed := fromTasks(&p, whole)
		if !slices.Equal(swept, wantSwept) || !slices.Equal(listed, wantListed) {
			t.Fatalf("family %d: %d and %d pairs, want %d and %d", f, len(swept), len(listed), len(wantSwept),
				len(wantListed))
		}
	}
	if len(ranges) < 2 {
		t.Fatalf("%d key ranges: the scene has no heavy cell", len(ranges))
	}
}

// Tasks of key ranges read the entries that they need: of many small boxes and few large ones, each
// entry a few times. The order in which entries of equal keys are swept does not depend on the cut
// or on threads.
func TestKeyRangesReadTheirEntries(t *testing.T) {
	const n = 200_000
	r := rand.New(rand.NewPCG(55, 56))
	x := make([]float64, 3*n)
	for i := range x {
		x[i] = r.Float64()
	}
	m, err := mesh.New(n, nil, []int32{0, 1, 2, 3, 4, 5})
	if err != nil {
		t.Fatal(err)
	}
	mo, err := geom.NewTrajectories(x, x)
	if err != nil {
		t.Fatal(err)
	}
	var first []Task
	for _, threads := range []int{1, 3} {
		var p Plan
		if err := p.Build(m, mo, PlanOptions{Input: Input{Until: 1, Still: true},
			Work: Work{Threads: threads}}); err != nil {
			t.Fatal(err)
		}
		if len(p.work[0].splits) == 0 {
			t.Fatal("no cell was cut")
		}
		w := NewWorker()
		for i := range p.Tasks() {
			w.Sweep(&p, &p.Tasks()[i], func(geom.Kind, [][2]int32) bool { return true })
		}
		// A task with a face reads all entries that the face reaches, the others read their own
		// entries twice.
		if read := w.a.read + w.b.read; read > 6*n {
			t.Fatalf("%d threads: tasks read %d entries to find those of their key ranges; there are %d", threads,
				read, n)
		}
		if first != nil && !slices.Equal(p.Tasks(), first) {
			t.Fatal("tasks depend on the number of threads")
		}
		first = p.Tasks()
		for _, w := range p.work {
			for _, k := range w.splits {
				for j, l := range w.layers {
					checkArranged(t, l.ent, k.from, k.first[j])
				}
			}
		}
	}
}

// checkArranged sees that the entries of a layer that is one cell lie in their key ranges, in the
// order of the layer.
func checkArranged(t *testing.T, ent []keyed, from, first []int32) {
	for k := range from {
		some := ent[first[k]:first[k+1]]
		for i, e := range some {
			if e.key < from[k] || k+1 < len(from) && e.key >= from[k+1] {
				t.Fatalf("entry %d of key range %d has key %d", i, k, e.key)
			}
			if i > 0 && e.id <= some[i-1].id {
				t.Fatalf("entry %d of key range %d is primitive %d, after %d", i, k, e.id, some[i-1].id)
			}
		}
	}
}

func TestKeysOfZerosAreOne(t *testing.T) {
	zero := float32(0)
	if a, b := keyOf(zero), keyOf(-zero); a != b || keyOf(float32(math.Copysign(0, -1))) != a {
		t.Fatalf("the keys of the zeros are %d and %d", a, keyOf(float32(math.Copysign(0, -1))))
	}
}

package broad

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"ccd/simd/box"
)

// The cells of a scene that several threads share are those that one thread makes, entry by entry,
// in a slab as well.
func TestCellsDoNotDependOnThreads(t *testing.T) {
	r := rand.New(rand.NewPCG(37, 38))
	s := sheet(110, func(i, j int) (x0, x1 [3]float64) {
		z := r.Float64()
		return [3]float64{float64(i), float64(j), z}, [3]float64{float64(i) + r.Float64(), float64(j), -z}
	})
	m, mo := s.load(t)
	for _, slab := range []*Slab{nil, {Axis: 1, Lo: 20, Hi: 105}, {Axis: 0, Lo: math.Inf(-1), Hi: 80}} {
		var want Plan
		if err := want.Build(m, mo, PlanOptions{Input: Input{Until: 1}, Keep: Keep{Slab: slab},
			Work: Work{Threads: 1}}); err != nil {
			t.Fatal(err)
		}
		for _, threads := range []int{2, 3, 8} {
			var got Plan
			if err := got.Build(m, mo, PlanOptions{Input: Input{Until: 1}, Keep: Keep{Slab: slab},
				Work: Work{Threads: threads}}); err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got.vertices.rec, want.vertices.rec) || !slices.Equal(got.todo.list, want.todo.list) {
				t.Fatalf("slab %v, %d threads: records or tasks differ", slab, threads)
			}
			for i := range want.work {
				for k, l := range want.work[i].layers {
					g := got.work[i].layers[k]
					name := fmt.Sprintf("slab %v, %d threads, %v, layer %d", slab, threads, want.work[i].kind, k)
					if g.blocks(threads) < 2 {
						t.Fatalf("%s: too small a scene for this test", name)
					}
					if !slices.Equal(g.off, l.off) || !slices.Equal(g.ent, l.ent) {
						t.Fatalf("%s: cells differ", name)
					}
				}
			}
		}
	}
}

// A primitive is in each cell of its range once, and entries of a cell are in the order of the set.
func TestCellsHoldTheRanges(t *testing.T) {
	for _, s := range adversaries() {
		m, mo := s.load(t)
		var p Plan
		if err := p.Build(m, mo, PlanOptions{Input: Input{Until: 1}}); err != nil {
			t.Fatal(err)
		}
		for i := range p.work {
			w := &p.work[i]
			for _, l := range w.layers {
				want := make([][]keyed, w.grid.cells())
				ranges := make([]box.CellRange, l.chosen.n)
				l.cellRanges(p.vertices.rec, &w.grid, 0, ranges)
				for k, r := range ranges {
					for y := int(r.Lo[0]); y <= int(r.Hi[0]); y++ {
						for z := int(r.Lo[1]); z <= int(r.Hi[1]); z++ {
							c := y*w.grid.n[1] + z
							want[c] = append(want[c], keyed{orderOf(r.X0), l.id(k)})
						}
					}
				}
				for c := range want {
					if !slices.Equal(l.cell(c), want[c]) {
						t.Fatalf("%s, %v: cell %d has %v, want %v", s.name, w.kind, c, l.cell(c), want[c])
					}
				}
			}
		}
	}
}

package hierarchy

import (
	"math"
	"math/rand/v2"
	"testing"

	"ccd/core/bound"
	"ccd/core/geom"
	"ccd/simd/box"
)

// Law 9: the floats of two primitives with inflations of their own prove the order of their bounds
// in rational arithmetic: of any size, often equal or beside each other.
func TestHierarchyLaw9FloatsProveTheOrderOfDoubles(t *testing.T) {
	r := rand.New(rand.NewPCG(45, 9))
	doubts, apart, touching := 0, 0, 0
	for range 20000 {
		const n = 6 // Three vertices of each of two faces, which move along one axis.
		mo := &geom.Trajectories{N: n, Rec: make([]float64, 8*n)}
		at, size := [2]float64{number(r), number(r)}, math.Ldexp(1, -r.IntN(60))
		for v := range n {
			mo.Rec[8*v] = at[v/3] + float64(size*number(r))
			mo.Rec[8*v+4] = at[v/3] + float64(size*number(r))
		}
		grow := [2]float64{math.Abs(float64(size * number(r))), math.Abs(float64(size * number(r)))}
		if r.IntN(3) == 0 {
			grow[r.IntN(2)] = 0
		}
		lo, hi := [2]float64{math.Inf(1), math.Inf(1)}, [2]float64{math.Inf(-1), math.Inf(-1)}
		for v := range n {
			lo[v/3] = min(lo[v/3], mo.Rec[8*v], mo.Rec[8*v+4])
			hi[v/3] = max(hi[v/3], mo.Rec[8*v], mo.Rec[8*v+4])
		}
		if r.IntN(2) == 0 { // The boxes touch, or nearly.
			gap := lo[1] - hi[0]
			if grow[0] = math.Nextafter(gap-grow[1], float64(r.IntN(3)-1)*math.MaxFloat64); !(grow[0] >= 0) {
				continue
			}
		}
		space := bound.RecordSpace{Axis: [3]int{0, 1, 2}, Scale: 1}
		largest := max(-lo[0], hi[0], -lo[1], hi[1], grow[0], grow[1], 0x1p-1000)
		space.Scale = math.Ldexp(1, -math.Ilogb(largest))
		if r.IntN(2) == 0 {
			space.C[0][0] = number(r)
		}
		m, ok := newRowMap(&space, max(grow[0], grow[1]), largest)
		if !ok {
			continue
		}
		faces := &tree{shape: geom.Face, n: 2, ids: []int32{0, 1}, corners: []int32{0, 1, 2, 3, 4, 5}, nodes: []int{1}}
		s := Search{order: &Order{trees: []*tree{faces}}, m: m, trees: make([]boxes, 1)}
		s.trees[0].levels, s.trees[0].hulls[0] = [][]box.Node{make([]box.Node, 1)}, make([]float32, rowLen)
		s.in.Motion, s.hulls = mo, make([]float64, 8*n)
		s.in.Own = func(_ geom.Shape, id int32) float64 { return grow[id] }
		s.vertices(0, n)
		s.leaves(&part{0, 0, 1})
		node := &s.trees[0].levels[0][0]
		for i := range 2 {
			j := 1 - i
			least, most := -widened(-lo[i], grow[i]), widened(hi[j], grow[j])
			gap, order := node[i]+node[3*box.Children+j], exactly(least).Cmp(exactly(most))
			if gap < 0 && order >= 0 || gap > 0 && order <= 0 {
				t.Fatalf("a gap of %v, but lo is %v and hi %v (inflations %v)", gap, least, most, grow)
			}
			switch {
			case gap == 0:
				doubts++
			case gap > 0:
				apart++
			default:
				touching++
			}
		}
	}
	if t.Logf("%d in doubt, %d apart, %d touching", doubts, apart, touching); min(doubts, apart, touching) < 500 {
		t.Errorf("%d in doubt, %d apart, %d touching: the test shows too little", doubts, apart, touching)
	}
}

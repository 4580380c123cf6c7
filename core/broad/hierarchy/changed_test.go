package hierarchy

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"ccd/core/bound"
	"ccd/core/geom"
	"ccd/core/mesh"
)

// changing is a mesh whose vertices go a part of their way, which changes.
type changing struct {
	m      *mesh.Mesh
	x0, x1 []float64
	mo     *geom.Trajectories
	in     *Input
	order  *Order
}

// newChanging makes one of a sheet and of free edges and particles, whose trees differ in height.
func newChanging(t *testing.T, r *rand.Rand, n int) *changing {
	t.Helper()
	sheet, _ := sheet(t, n, false)
	free := 2 + r.IntN(40)
	var edges []int32
	for _, e := range sheet.Edges {
		edges = append(edges, e[:]...)
	}
	for i := range int32(free) - 1 {
		if r.IntN(3) > 0 {
			edges = append(edges, int32(sheet.NV)+i, int32(sheet.NV)+i+1)
		}
	}
	faces := make([]int32, 0, 3*len(sheet.Faces))
	for _, f := range sheet.Faces {
		faces = append(faces, f[:]...)
	}
	c := &changing{}
	var err error
	if c.m, err = mesh.New(sheet.NV+free, edges, faces); err != nil {
		t.Fatal(err)
	}
	size := []float64{1, 1e-300, 1e100}[r.IntN(3)]
	for range 3 * c.m.NV {
		c.x0, c.x1 = append(c.x0, float64(size*r.Float64())), append(c.x1, float64(size*r.Float64()))
	}
	if c.mo, err = geom.NewTrajectories(c.x0, c.x1); err != nil {
		t.Fatal(err)
	}
	c.order = order(t, c.m, c.mo)
	v := []int32{0}
	sample := bound.NewSample(c.mo, c.mo.Largest(), 1, c.m.NV, false, func(i int) []int32 {
		v[0] = int32(i)
		return v
	})
	r0 := float64(size * 0.01 * float64(r.IntN(2)))
	space := sample.SpaceAlong(0, r0)
	c.in = &Input{Mesh: c.m, Motion: c.mo, Filter: c.m.Filter(), Space: &space, Inflation: r0, Threads: 1 + r.IntN(2)}
	return c
}

// move moves the ends of some vertices on their way and returns these vertices.
func (c *changing) move(r *rand.Rand) (moved []int32) {
	one := r.IntN(3) * 40
	for v := range c.m.NV {
		if r.IntN(1+one) > 0 {
			continue
		}
		moved = append(moved, int32(v))
		a := []float64{0, 1, r.Float64()}[r.IntN(3)]
		for k := 3 * v; k < 3*v+3; k++ {
			c.mo.Rec[8*v+4+k-3*v] = c.x0[k] + float64(a*(c.x1[k]-c.x0[k]))
		}
	}
	return moved
}

// Law 6: after any changes the boxes are those that are made anew, and flags are those of the
// primitives with a vertex that has moved.
func TestLaw6BoxesAreThoseMadeAnew(t *testing.T) {
	few, many := 0, 0
	for seed := range 30 {
		r := rand.New(rand.NewPCG(uint64(seed), 6))
		c := newChanging(t, r, 1+r.IntN(17))
		if seed%2 == 1 {
			c.in.Around = func(v int) float64 { return c.in.Inflation / float64(1+v%3) }
		}
		var s, anew Search
		if ok, err := s.Prepare(c.order, c.in); err != nil || !ok {
			t.Fatal(ok, err)
		}
		for range 5 {
			moved := c.move(r)
			if ok, err := s.Change(c.mo, moved); err != nil || !ok {
				t.Fatal(ok, err)
			}
			if ok, err := anew.Prepare(c.order, c.in); err != nil || !ok {
				t.Fatal(ok, err)
			}
			if float64(len(moved)) > changedPart*float64(c.m.NV) {
				many++
			} else if len(moved) > 0 {
				few++
			}
			for i := range s.trees {
				got, want := &s.trees[i], &anew.trees[i]
				for k := range want.levels {
					if !slices.Equal(got.levels[k], want.levels[k]) || !slices.Equal(got.later[k], want.later[k]) {
						t.Fatalf("seed %d: the boxes of tree %d differ on level %d", seed, i, k)
					}
				}
				c.checkFlags(t, got, c.order.trees[i], moved)
			}
		}
	}
	if few < 20 || many < 20 {
		t.Errorf("%d changes of few vertices, %d of many: the test shows too little", few, many)
	}
}

// checkFlags compares the flags of a tree with the primitives that have a vertex that has moved.
func (c *changing) checkFlags(t *testing.T, b *boxes, tree *tree, moved []int32) {
	t.Helper()
	has := make([]bool, 8*tree.nodes[0])
	for p := range tree.n {
		for _, v := range tree.vertices(p) {
			has[p] = has[p] || slices.Contains(moved, v)
		}
	}
	for level, nodes := range tree.nodes {
		above := make([]bool, nodes+7)
		for i, is := range has[:min(len(has), 8*nodes)] {
			if got := b.flags[level][i>>3]>>(i&7)&1 != 0; got != is {
				t.Fatalf("level %d, child %d: the flag is %v, want %v", level, i, got, is)
			}
			above[i>>3] = above[i>>3] || is
		}
		has = above
	}
}

// A search of changes refuses coordinates whose floats might be too large or no numbers, and then
// serves others.
func TestChangeRefusesLargerCoordinates(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 6))
	c := newChanging(t, r, 5)
	var s Search
	if ok, err := s.Prepare(c.order, c.in); err != nil || !ok {
		t.Fatal(ok, err)
	}
	for _, bad := range []float64{math.NaN(), math.Inf(1), -math.Inf(1), 2 * c.mo.Largest()} {
		was := c.mo.Rec[8*3+5]
		c.mo.Rec[8*3+5] = bad
		if ok, err := s.Change(c.mo, []int32{1, 3}); err != nil || ok {
			t.Errorf("%v: %v, %v", bad, ok, err)
		}
		c.mo.Rec[8*3+5] = was
		if ok, err := s.Change(c.mo, []int32{1, 3}); err != nil || !ok {
			t.Errorf("after %v: %v, %v", bad, ok, err)
		}
	}
}

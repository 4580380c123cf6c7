package broad

import (
	"math/bits"

	"ccd/core/bound"
	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/mesh"
)

// A staticCull leaves static primitives out of a plan before anything is sorted: those that no
// primitive that moves comes near. Of a mesh with static vertices (mesh.Filter) only pairs with a
// primitive that moves are wanted, so each family of pairs becomes two (parts), whose sets are
// lists: all that move, and the static ones that choose keeps.
//
// Law: the pairs that a plan finds are the same, whether or not it uses a staticCull. Proof. A plan
// finds a pair only where the records of its primitives overlap at an end of the motion, or change
// sides. Both need swept boxes that are no farther apart than the records are too large, which is
// less than the inflation of boxBounds.inflate. So the inflated boxes of the two overlap, and by
// the law of occupancy the static one is kept. The record space is the same (Plan.chooseSpace).
// With Tactic.Orient the law holds for the pairs that come within their separation (orient.go).
//
// A static vertex is where it is in both configurations: if it moves, its box covers the way.
type staticCull struct {
	filter  *mesh.Filter
	pays    bool // the lists are worth using
	lists   parts
	largest float64 // the largest magnitude of a coordinate
	used    []bool  // used says by vertexRun whether a primitive of the lists has one of its vertices.

	touched []uint64   // a bit for each vertex: whether a primitive that moves has it
	codes   []cellCode // codes are by vertex.
	kept    [3][]uint64
	cells   occupancy
}

// mostKept is the part of all primitives above which nothing is left out, of the static ones that
// are kept and movingCost times those that move, which are in both families of a kind, and in most
// of its pairs.
//
// Measured on three scenes of the dataset, 1 to 90 % of the vertices moving, together or scattered
// (docs/performance.md): the time of a step with lists is that of a step of all, times 0.15 + 0.8
// k + 2.5 m, k and m the parts of the primitives that are kept and that move. So lists take 0.75 to
// 0.85 of the time where they are only just used.
const (
	mostKept   = 0.77
	movingCost = 3
)

// cullMemory is the part of a memory limit that a cull may use, when it finds the primitives and
// when it lists them.
const cullMemory = 0.125

// choose sets the lists for the plan's step and families, unless they hold for it already, and
// pays.
func (c *staticCull) choose(b *boxBounds, filter *mesh.Filter) error {
	how := b.how
	if how.selected && c.filter == filter {
		return nil
	}
	c.pays, c.filter = false, filter
	if filter.Static(geom.Vertex) == nil || how.Tactic.cull == never || how.Tactic.cull == whenItPays &&
		!c.mayPay(b) {
		return nil
	}
	if how.Tactic.cull != always && !c.sampleNeighbors(b.m) {
		return nil
	}
	if err := b.find(); err != nil {
		return err
	}
	c.largest = b.largest()
	for _, step := range []int{someMoving, 1} {
		c.markMoving(b, step)
		if how.Tactic.cull != always && !c.sample(b) {
			return nil
		}
	}
	if err := c.findCodes(b); err != nil {
		return err
	}
	if err := c.keep(b); err != nil {
		return err
	}
	moving, kept := c.count()
	c.pays = how.Tactic.cull == always || worthwhile(moving, kept, primitives(b.m))
	if how.Work.Limit > 0 {
		c.codes, c.touched, c.cells.sums = nil, nil, nil
		c.pays = c.pays && c.fits(b.how, 4*(moving+2*kept))
	}
	if c.pays {
		c.list(b.m)
	}
	return nil
}

// fits reports whether a memory limit allows so many bytes more.
func (c *staticCull) fits(how *PlanOptions, more int) bool {
	return how.Work.Limit == 0 || float64(c.bytes()+more) <= cullMemory*float64(how.Work.Limit)
}

// worthwhile reports whether so few of all primitives move, or are kept, that leaving out the
// others pays.
func worthwhile(moving, kept, all int) bool {
	return float64(movingCost*moving+kept) <= mostKept*float64(all)
}

// mayPay reports whether few enough primitives move, and the memory suffices.
func (c *staticCull) mayPay(b *boxBounds) bool {
	moving, all := 0, primitives(b.m)
	for s := range geom.Shape(len(c.lists)) {
		moving += len(c.filter.Moving(s))
	}
	return worthwhile(moving, 0, all) && c.fits(b.how, 8*b.m.NV+b.m.NV/8+all/8+4*mostCells(all))
}

// mostCells returns the number of cells of the occupancy for a mesh with so many primitives: few
// enough to cost little beside them.
func mostCells(primitives int) int { return min(primitives/8, 1<<18) }

// moving returns the primitives that move, by shape, without those that are within another: a
// primitive that moves is within a face that does, or within an edge in no face, or it is a vertex
// in no edge.
func (c *staticCull) moving(m *mesh.Mesh) [3][]int32 {
	return [3][]int32{
		common(m.CodimVertices, c.filter.Moving(geom.Vertex)), common(m.CodimEdges,
			c.filter.Moving(geom.Edge)), c.filter.Moving(geom.Face),
	}
}

// someMoving: every eighth primitive that moves is marked first. Where these keep too much, all do.
const someMoving = 8

// markMoving divides the box of what moves into cells, of the mean size of a primitive that moves,
// and marks the cells of each, or of one of step.
func (c *staticCull) markMoving(b *boxBounds, step int) {
	whole, extent, n := emptyBox(), [3]float64{}, 0
	lists := c.moving(b.m)
	each := func(do func(box *bound.Box)) {
		var v [1]int32
		for s, list := range lists {
			for i := 0; i < len(list); i += step {
				box := b.box(verticesOf(b.m, geom.Shape(s), list[i], &v))
				do(&box)
			}
		}
	}
	each(func(box *bound.Box) {
		for k := range 3 {
			whole.Min[k], whole.Max[k] = min(whole.Min[k], box.Min[k]), max(whole.Max[k], box.Max[k])
			extent[k] += box.Max[k] - box.Min[k]
		}
		n++
	})
	if n == 0 {
		whole = bound.Box{}
	}
	for k := range extent {
		extent[k] /= float64(max(n, 1))
	}
	c.cells.begin(whole.Min, whole.Max, extent, mostCells(primitives(b.m)))
	each(func(box *bound.Box) { c.cells.mark(c.cells.code(&box.Min, &box.Max)) })
	c.cells.settle()
}

// sampled is the number of primitives of each shape of a sample.
const sampled = 512

// sampleNeighbors estimates from some static primitives whether few share a vertex with one that
// moves. Those that do are kept, for the boxes of both have that vertex. So this is a lower bound
// of what sample finds, which takes the time of a look at each primitive that moves, without its
// box: where the vertices that move are scattered, most of the mesh is next to one.
func (c *staticCull) sampleNeighbors(m *mesh.Mesh) bool {
	touched := grow(&c.touched, (m.NV+63)/64)
	clear(touched)
	var v [1]int32
	for s, list := range c.moving(m) {
		for _, i := range list {
			for _, v := range verticesOf(m, geom.Shape(s), i, &v) {
				touched[v>>6] |= 1 << (v & 63)
			}
		}
	}
	return c.sampleFew(m, func(vertices []int32) bool {
		for _, v := range vertices {
			if touched[v>>6]&(1<<(v&63)) != 0 {
				return true
			}
		}
		return false
	})
}

// sample estimates from some static primitives whether few are kept.
func (c *staticCull) sample(b *boxBounds) bool {
	return c.sampleFew(b.m, func(vertices []int32) bool {
		box := b.box(vertices)
		return c.cells.meets(c.cells.code(&box.Min, &box.Max))
	})
}

// sampleFew reports whether few primitives move or satisfy keeps, by a sample of the static ones.
func (c *staticCull) sampleFew(m *mesh.Mesh, keeps func(vertices []int32) bool) bool {
	moving, kept := 0, 0
	var v [1]int32
	for s := range geom.Shape(len(c.kept)) {
		n, static, met := m.Count(s), c.filter.Static(s), 0
		moving += len(c.filter.Moving(s))
		step := 1 + n/sampled
		for i := 0; i < n; i += step {
			if static[i] && keeps(verticesOf(m, s, int32(i), &v)) {
				met++
			}
		}
		kept += step * met
	}
	return worthwhile(moving, kept, primitives(m))
}

// findCodes computes the cells of all vertices.
func (c *staticCull) findCodes(b *boxBounds) error {
	codes, blocks := grow(&c.codes, b.m.NV), blocks(b.m.NV, b.how.Work.Threads)
	return engine.Parallel(blocks, func(i int) {
		b.codes(&c.cells, b.m.NV*i/blocks, codes[b.m.NV*i/blocks:b.m.NV*(i+1)/blocks])
	})
}

// keep finds the static primitives that meet what moves.
func (c *staticCull) keep(b *boxBounds) error {
	test := [3]func(from, to int) uint64{
		func(from, to int) uint64 { return c.keepVertices(from, to) },
		func(from, to int) uint64 { return c.keepEdges(b.m.Edges[from:to]) },
		func(from, to int) uint64 { return c.keepFaces(b.m.Faces[from:to]) },
	}
	for s := range geom.Shape(len(c.kept)) {
		n := b.m.Count(s)
		words := (n + 63) / 64
		kept, blocks := grow(&c.kept[s], words), blocks(n, b.how.Work.Threads)
		err := engine.Parallel(blocks, func(block int) {
			for w := words * block / blocks; w < words*(block+1)/blocks; w++ {
				from, to := 64*w, min(64*w+64, n)
				kept[w] = test[s](from, to) & bitsOf(c.filter.Static(s)[from:to])
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// bitsOf returns a bit for each of at most 64 truth values.
func bitsOf(list []bool) (mask uint64) {
	for i, is := range list {
		if is {
			mask |= 1 << i
		}
	}
	return mask
}

// keepVertices returns a bit for each of at most 64 vertices from number from on: whether it may
// meet what moves. keepEdges and keepFaces do the same. Where all vertices are beyond what moves on
// one side, so is the primitive.
func (c *staticCull) keepVertices(from, to int) (mask uint64) {
	for i, code := range c.codes[from:to] {
		if c.cells.meets(code) {
			mask |= 1 << i
		}
	}
	return mask
}

func (c *staticCull) keepEdges(edges [][2]int32) (mask uint64) {
	codes, beyond := c.codes, c.cells.beyond
	for i := range edges {
		a, b := codes[edges[i][0]], codes[edges[i][1]]
		if (a+beyond)&(b+beyond)&highBits == 0 && c.cells.meets(a.join(b)) {
			mask |= 1 << i
		}
	}
	return mask
}

func (c *staticCull) keepFaces(faces [][3]int32) (mask uint64) {
	codes, beyond := c.codes, c.cells.beyond
	for i := range faces {
		a, b, d := codes[faces[i][0]], codes[faces[i][1]], codes[faces[i][2]]
		if (a+beyond)&(b+beyond)&(d+beyond)&highBits == 0 && c.cells.meets(a.join(b).join(d)) {
			mask |= 1 << i
		}
	}
	return mask
}

// count returns the number of primitives that move, and of static ones that are kept.
func (c *staticCull) count() (moving, kept int) {
	for s := range geom.Shape(len(c.kept)) {
		moving += len(c.filter.Moving(s))
		kept += ones(c.kept[s])
	}
	return moving, kept
}

// list makes the lists, and finds the vertices that they use.
func (c *staticCull) list(m *mesh.Mesh) {
	used := grow(&c.used, (m.NV+vertexRun-1)/vertexRun)
	clear(used)
	for s := range geom.Shape(len(c.lists)) {
		list := &c.lists[s]
		list[changing] = c.filter.Moving(s)
		n := ones(c.kept[s])
		left := list[changing]
		rest, all := grow(&list[others], n)[:0], grow(&list[both], n+len(left))[:0]
		for w, mask := range c.kept[s] {
			for ; mask != 0; mask &= mask - 1 {
				id := int32(64*w + bits.TrailingZeros64(mask))
				rest = append(rest, id)
				for ; len(left) > 0 && left[0] < id; left = left[1:] {
					all = append(all, left[0])
				}
				all = append(all, id)
			}
		}
		list[both] = append(all, left...)
		var v [1]int32
		for _, id := range list[both] {
			for _, v := range verticesOf(m, s, id, &v) {
				used[v/vertexRun] = true
			}
		}
	}
}

// bytes returns the memory of the cull, without the lists of the mesh's filter.
func (c *staticCull) bytes() int {
	n := 8*cap(c.codes) + 8*cap(c.touched) + 4*cap(c.cells.sums) + cap(c.used)
	for s := range c.lists {
		n += 4*(cap(c.lists[s][others])+cap(c.lists[s][both])) + 8*cap(c.kept[s])
	}
	return n
}

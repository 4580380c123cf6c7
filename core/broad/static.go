package broad

import (
	"math/bits"

	"ccd/core/bound"
	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/mesh"
)

// A staticCull leaves static primitives out of a plan before anything is sorted: those that no primitive that moves comes near. Of a mesh
// with static vertices (mesh.Filter) only pairs with a primitive that moves are wanted, so each family of pairs becomes two (parts), whose
// sets are lists: all that move, and the static ones that choose keeps.
//
// Law: the pairs that a plan finds are the same, whether or not it uses a staticCull. Proof. A plan finds a pair only where the records of
// its primitives overlap at an end of the motion, or change sides. Both need swept boxes that are no farther apart than the records are too
// large, which is less than the inflation of boxBounds.inflate. So the inflated boxes of the two overlap, and by the law of occupancy the
// static one is kept. The record space is the same (Plan.chooseSpace).
//
// A static vertex is where it is in both configurations: if it moves, its box covers the way.
type staticCull struct {
	filter  *mesh.Filter
	pays    bool // the lists are worth using
	lists   parts
	largest float64 // the largest magnitude of a coordinate
	used    []bool  // by vertexRun: whether a primitive of the lists has one of its vertices

	codes []cellCode // by vertex
	kept  [3][]uint64
	cells occupancy
}

// when says when static primitives are left out.
type when int

const (
	whenItPays when = iota
	never
	always
)

// mostMoving is the part of the primitives above which nothing is tried, and mostKept the part of the entries above which static
// primitives are not left out: the moving ones count twice, once for each of the two families.
const (
	mostMoving = 0.5
	mostKept   = 0.8
)

// cullMemory is the part of a memory limit that a cull may use, when it finds the primitives and when it lists them.
const cullMemory = 0.125

// choose sets the lists for the plan's step and families, unless they hold for it already, and pays.
func (c *staticCull) choose(p *Plan, fs []family) error {
	if p.how.selected && c.filter == p.filter {
		return nil
	}
	c.pays, c.filter = false, p.filter
	if p.filter.Static(geom.Vertex) == nil || p.how.cull == never || p.how.cull == whenItPays && !c.mayPay(p) {
		return nil
	}
	b := boxBounds{m: p.m, mo: p.mo, how: &p.how}
	if err := b.find(); err != nil {
		return err
	}
	c.largest = b.largest()
	c.begin(&b)
	if err := c.findCodes(&b); err != nil {
		return err
	}
	c.markMoving(p.m)
	if err := c.keep(p); err != nil {
		return err
	}
	moving, kept := c.count()
	c.pays = p.how.cull == always || float64(2*moving+kept) <= mostKept*float64(primitives(p.m))
	if p.how.Limit > 0 {
		c.codes, c.cells.sums = nil, nil
		c.pays = c.pays && c.fits(p, 4*(moving+2*kept))
	}
	if c.pays {
		c.list(p.m)
	}
	return nil
}

// fits reports whether a memory limit allows so many bytes more.
func (c *staticCull) fits(p *Plan, more int) bool {
	return p.how.Limit == 0 || float64(c.bytes()+more) <= cullMemory*float64(p.how.Limit)
}

// primitives returns the number of primitives of a mesh.
func primitives(m *mesh.Mesh) int { return m.NV + len(m.Edges) + len(m.Faces) }

// mayPay reports whether few enough primitives move, and the memory suffices.
func (c *staticCull) mayPay(p *Plan) bool {
	moving, all := 0, primitives(p.m)
	for s := range geom.Shape(len(c.lists)) {
		moving += len(p.filter.Moving(s))
	}
	return float64(moving) <= mostMoving*float64(all) && c.fits(p, 8*p.m.NV+all/8+4*mostCells(all))
}

// mostCells returns the number of cells of the occupancy for a mesh with so many primitives: few enough to cost little beside them.
func mostCells(primitives int) int { return min(primitives/8, 1<<18) }

// begin divides the box of all that moves into cells, of the size of a primitive that moves.
func (c *staticCull) begin(b *boxBounds) {
	moving := emptyBox()
	var extent [3]float64
	n := 0
	for s := range geom.Shape(len(c.lists)) { // the largest primitives last
		list := c.filter.Moving(s)
		if len(list) > 0 {
			extent, n = [3]float64{}, len(list)
		}
		var v [1]int32
		for _, id := range list {
			box := b.box(verticesOf(b.m, s, id, &v))
			for k := range 3 {
				moving.Min[k], moving.Max[k] = min(moving.Min[k], box.Min[k]), max(moving.Max[k], box.Max[k])
				extent[k] += (box.Max[k] - box.Min[k]) / float64(n)
			}
		}
	}
	if n == 0 {
		moving = bound.Box{}
	}
	c.cells.begin(moving.Min, moving.Max, extent, mostCells(primitives(b.m)))
}

// findCodes computes the cells of all vertices.
func (c *staticCull) findCodes(b *boxBounds) error {
	codes, blocks := grow(&c.codes, b.m.NV), blocks(b.m.NV, b.how.Threads)
	return engine.Parallel(blocks, func(i int) {
		for v := b.m.NV * i / blocks; v < b.m.NV*(i+1)/blocks; v++ {
			lo, hi := b.vertex(v)
			codes[v] = c.cells.code(&lo, &hi)
		}
	})
}

// markMoving marks the cells of what moves. A primitive that moves is within a face that does, or within an edge in no face, or it is
// a vertex in no edge.
func (c *staticCull) markMoving(m *mesh.Mesh) {
	for _, f := range c.filter.Moving(geom.Face) {
		c.cells.mark(c.face(&m.Faces[f]))
	}
	for _, e := range common(m.CodimEdges, c.filter.Moving(geom.Edge)) {
		c.cells.mark(c.edge(&m.Edges[e]))
	}
	for _, v := range common(m.CodimVertices, c.filter.Moving(geom.Vertex)) {
		c.cells.mark(c.codes[v])
	}
	c.cells.settle()
}

func (c *staticCull) edge(e *[2]int32) cellCode { return c.codes[e[0]].join(c.codes[e[1]]) }

func (c *staticCull) face(f *[3]int32) cellCode {
	return c.codes[f[0]].join(c.codes[f[1]]).join(c.codes[f[2]])
}

// keep finds the static primitives that meet what moves.
func (c *staticCull) keep(p *Plan) error {
	m := p.m
	test := [3]func(i int) bool{
		func(i int) bool { return c.cells.meets(c.codes[i]) },
		func(i int) bool { return c.cells.meets(c.edge(&m.Edges[i])) },
		func(i int) bool { return c.cells.meets(c.face(&m.Faces[i])) },
	}
	for s := range geom.Shape(len(c.kept)) {
		n, static := m.Count(s), c.filter.Static(s)
		words := (n + 63) / 64
		kept, blocks := grow(&c.kept[s], words), blocks(n, p.how.Threads)
		err := engine.Parallel(blocks, func(block int) {
			for w := words * block / blocks; w < words*(block+1)/blocks; w++ {
				mask := uint64(0)
				for i := 64 * w; i < min(64*w+64, n); i++ {
					if static[i] && test[s](i) {
						mask |= 1 << (i % 64)
					}
				}
				kept[w] = mask
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// count returns the number of primitives that move, and of static ones that are kept.
func (c *staticCull) count() (moving, kept int) {
	for s := range geom.Shape(len(c.kept)) {
		moving += len(c.filter.Moving(s))
		kept += ones(c.kept[s])
	}
	return moving, kept
}

// ones returns the number of bits that are set.
func ones(words []uint64) (n int) {
	for _, w := range words {
		n += bits.OnesCount64(w)
	}
	return n
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
	n := 8*cap(c.codes) + 4*cap(c.cells.sums) + cap(c.used)
	for s := range c.lists {
		n += 4*(cap(c.lists[s][others])+cap(c.lists[s][both])) + 8*cap(c.kept[s])
	}
	return n
}

// forget frees the memory.
func (c *staticCull) forget() { *c = staticCull{} }

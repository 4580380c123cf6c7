package broad

import (
	"math"
	"unsafe"

	"ccd/core/bound"
	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/simd"
)

// Near finds the primitives that matter to the pairs with a changed vertex, for steps within the one of Build: steps of which each vertex
// stays, at both ends, within the box of its motion there. A primitive changes if one of its vertices does. The pairs of a family a x b
// with a primitive that changes are, each once,
//
//	changed a x (changed and other b)   and   other a x changed b
//
// and those of a x a are changed x changed and changed x other. So each family of pairs becomes two, whose sets are lists.
//
// Law: a primitive that Select leaves out has no pair with one that changes. Proof. Build computes a record for each vertex, in a record
// space at rest, that holds the vertex at both ends; the record of a primitive is their join. So two primitives that come within their
// separation in a step within that of Build have records that overlap (bound.RecordSpace, InflatedRecords). Then both cover a common cell
// of the grid, and there their intervals of the sweep's axis overlap (grid's law). Select unites these intervals of all primitives that
// change, cell by cell, and keeps each primitive that meets the interval of one of its cells.
type Near struct {
	m       *mesh.Mesh
	memory  []float32
	rec     []float32
	space   bound.RecordSpace
	grid    grid
	ranges  [3][]simd.CellRange // by shape
	reached []span              // by cell
	changed []bool
	lists   parts
}

// span is an interval of the sweep's axis; an empty one is {Inf, -Inf}.
type span struct{ lo, hi float32 }

// meets reports whether a primitive with these cells meets the interval.
func (s *span) meets(r *simd.CellRange) bool { return r.X0 <= s.hi && s.lo <= r.X1 }

// Build prepares for steps within mo. It uses the options' separation, radii and threads.
func (n *Near) Build(m *mesh.Mesh, mo *geom.Trajectories, how PlanOptions) error {
	n.m = m
	how.Still, how.Until, how.largest = true, 1, mo.Largest()
	l, all := new(layer), m.NV+len(m.Edges)+len(m.Faces)
	for _, s := range []geom.Shape{geom.Vertex, geom.Edge, geom.Face} { // the largest primitives that there are
		if m.Count(s) > 0 {
			l.use(m, set{s, m.Count(s), nil})
		}
	}
	sample := bound.NewSample(mo, how.largest, 1, l.n, true, l.vertices)
	n.space = sample.RecordSpace(how.most())
	n.rec = alignedRecords(&n.memory, mo.N)
	blocks := blocks(mo.N, how.Threads)
	err := engine.Parallel(blocks, func(i int) {
		InflatedRecords(&n.space, mo, 1, how.Separation, how.Radii, mo.N*i/blocks, mo.N*(i+1)/blocks, n.rec)
	})
	if err != nil {
		return err
	}
	n.grid = newGrid(&sample, &n.space, all, how.typical(), nil, nil, cellWidth)
	for {
		entries, err := n.place(how.Threads)
		if err != nil || entries <= maxEntries*all+taskWeight || n.grid.cells() == 1 {
			return err
		}
		n.grid.coarsen()
	}
}

// place finds the cells of all primitives and returns the number of entries that they would have.
func (n *Near) place(threads int) (total int, err error) {
	for s := range geom.Shape(len(n.ranges)) {
		l, ranges := new(layer), grow(&n.ranges[s], n.m.Count(s))
		l.use(n.m, set{s, len(ranges), nil})
		err := l.inBlocks(threads, func(_, from, to int) { l.cellRanges(n.rec, &n.grid, from, ranges[from:to]) })
		if err != nil {
			return 0, err
		}
		for i := range ranges {
			r := &ranges[i]
			total += (int(r.Hi[0]) - int(r.Lo[0]) + 1) * (int(r.Hi[1]) - int(r.Lo[1]) + 1)
		}
	}
	return total, nil
}

// Select chooses the primitives for a set of changed vertices.
func (n *Near) Select(changed []bool) {
	n.changed = changed
	reach := grow(&n.reached, n.grid.cells())
	for c := range reach {
		reach[c] = span{float32(math.Inf(1)), float32(math.Inf(-1))}
	}
	nz := n.grid.n[1]
	for s := range geom.Shape(len(n.ranges)) {
		list := n.lists[s][changing][:0]
		for i := range n.ranges[s] {
			if !touched(n.m, changed, s, int32(i)) {
				continue
			}
			list = append(list, int32(i))
			r := &n.ranges[s][i]
			for y := int(r.Lo[0]); y <= int(r.Hi[0]); y++ {
				for z := int(r.Lo[1]); z <= int(r.Hi[1]); z++ {
					c := &reach[y*nz+z]
					c.lo, c.hi = min(c.lo, r.X0), max(c.hi, r.X1)
				}
			}
		}
		n.lists[s][changing] = list
	}
	for s := range n.lists {
		n.keep(geom.Shape(s))
	}
}

// keep lists the primitives of a shape that meet an interval.
func (n *Near) keep(s geom.Shape) {
	list := &n.lists[s]
	rest, all, left := list[others][:0], list[both][:0], list[changing]
	for i := range n.ranges[s] {
		switch {
		case len(left) > 0 && int(left[0]) == i:
			left, all = left[1:], append(all, int32(i))
		case n.meets(&n.ranges[s][i]):
			rest, all = append(rest, int32(i)), append(all, int32(i))
		}
	}
	list[others], list[both] = rest, all
}

// meets reports whether a primitive with these cells meets the interval of one of them.
func (n *Near) meets(r *simd.CellRange) bool {
	nz := n.grid.n[1]
	for y := int(r.Lo[0]); y <= int(r.Hi[0]); y++ {
		for z := int(r.Lo[1]); z <= int(r.Hi[1]); z++ {
			if n.reached[y*nz+z].meets(r) {
				return true
			}
		}
	}
	return false
}

// Forget drops the references to the mesh, and keeps the memory.
func (n *Near) Forget() { n.m, n.changed = nil, nil }

// Bytes returns the memory of n.
func (n *Near) Bytes() int64 {
	b := 4*cap(n.memory) + int(unsafe.Sizeof(span{}))*cap(n.reached)
	for s := range n.ranges {
		b += rangeBytes * cap(n.ranges[s])
		for _, list := range n.lists[s] {
			b += 4 * cap(list)
		}
	}
	return int64(b)
}

// touched reports whether a vertex of a primitive changes.
func touched(m *mesh.Mesh, changed []bool, s geom.Shape, i int32) bool {
	switch s {
	case geom.Edge:
		e := &m.Edges[i]
		return changed[e[0]] || changed[e[1]]
	case geom.Face:
		f := &m.Faces[i]
		return changed[f[0]] || changed[f[1]] || changed[f[2]]
	}
	return changed[i]
}

// concerns reports whether a pair has a changed vertex, or all pairs are wanted.
func (p *Plan) concerns(k geom.Kind, a, b int32) bool {
	s := &k.Info().Shapes
	return touched(p.m, p.how.Changed, s[0], a) || touched(p.m, p.how.Changed, s[1], b)
}

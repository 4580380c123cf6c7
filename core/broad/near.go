package broad

import (
	"math"
	"math/bits"

	"ccd/core/bound"
	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/simd/box"
)

// Near finds the primitives that matter to the pairs with a changed vertex, for steps within the
// one of Build: steps of which each vertex stays, at both ends, within the box of its motion there.
// A primitive changes if one of its vertices does. The pairs of a family a x b with a primitive
// that changes are, each once,
//
//	changed a x (changed and other b)   and   other a x changed b
//
// and those of a x a are changed x changed and changed x other. So each family of pairs becomes
// two, whose sets are lists.
//
// Law: a primitive that Select leaves out has no pair with one that changes. Proof. Build computes
// a record for each vertex, in a record space at rest, that holds the vertex at both ends; the
// record of a primitive is their join. So two primitives that come within their separation in a
// step within that of Build have records that overlap (bound.RecordSpace, InflatedRecords). Then
// both cover a common cell of the grid, and there their intervals of the sweep's axis overlap
// (grid's law). The axis is divided into bins by a monotone map, so both cover a common bin of that
// cell. Select unites the bins of all primitives that change, cell by cell, and keeps each
// primitive that covers one of them in one of its cells.
//
// Select is called for each of the passes of a call, so it reads all primitives in sequence, on all
// threads, and writes bits.
type Near struct {
	m       *mesh.Mesh
	memory  []float32
	rec     []float32
	space   bound.RecordSpace
	grid    grid
	ranges  [3][]box.CellRange // ranges are by shape, as are bins.
	bins    [3][]binRange
	threads int
	selection
	lists parts
	tree  groupsNear // that of the hierarchy of the mesh
}

// selection is the working memory of Select.
type selection struct {
	changed []uint64       // a bit for each vertex
	reached []uint64       // reached has by cell a bit for each bin that a primitive covers which changes.
	marks   [3][2][]uint64 // marks has by shape, for changing and others, a bit for each primitive.
	used    []bool         // used says by vertexRun whether a primitive of the lists has one of its vertices.
	few     bool           // used holds: there are few primitives in the lists
}

// binRange is the first and the last bin of a primitive.
type binRange struct{ first, last uint8 }

// mask returns a bit for each of the bins.
func (r binRange) mask() uint64 { return 2<<r.last - 1<<r.first }

// Build prepares for steps within mo. It uses the options' separation, radii and threads.
func (n *Near) Build(m *mesh.Mesh, mo *geom.Trajectories, how PlanOptions) error {
	n.m, n.threads = m, how.Work.Threads
	if err := n.tree.build(m, mo, &how); err != nil || n.tree.grouped {
		return err
	}
	how.Input.Still, how.Input.Until, how.largest = true, 1, mo.Largest()
	l, all := new(layer), m.NV+len(m.Edges)+len(m.Faces)
	for _, s := range []geom.Shape{geom.Vertex, geom.Edge, geom.Face} { // the largest primitives that there are
		if m.Count(s) > 0 {
			l.use(m, set{s, m.Count(s), nil})
		}
	}
	sample := bound.NewSample(mo, how.largest, 1, l.n, true, l.vertices)
	n.space = sample.RecordSpace(how.most())
	n.rec = alignedRecords(&n.memory, mo.N)
	blocks := blocks(mo.N, how.Work.Threads)
	err := engine.Parallel(blocks, func(i int) {
		InflatedRecords(&n.space, mo, 1, how.Input.Separation, how.Input.Radii, mo.N*i/blocks, mo.N*(i+1)/blocks, n.rec)
	})
	if err != nil {
		return err
	}
	n.grid = newGrid(&sample, &n.space, all, how.typical(), nil, cellWidth)
	for {
		entries, err := n.place(how.Work.Threads)
		if err != nil {
			return err
		}
		if entries <= maxEntries*all+taskWeight || n.grid.cells() == 1 {
			return n.divide()
		}
		n.grid.coarsen()
	}
}

// place finds the cells of all primitives and returns the number of entries that they have.
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

// nearBins is the number of bins along the axis of the sweep.
const nearBins = 64

// divide finds the bins of all primitives.
func (n *Near) divide() error {
	lo, hi := float32(math.MaxFloat32), float32(-math.MaxFloat32)
	for _, ranges := range n.ranges {
		for i := range ranges {
			lo, hi = min(lo, ranges[i].X0), max(hi, ranges[i].X1)
		}
	}
	inv := nearBins / (hi - lo)
	if !(inv > 0 && inv < math.MaxFloat32) {
		inv = 0
	}
	bin := func(x float32) uint8 {
		if b := (x - lo) * inv; b < nearBins {
			return uint8(b)
		}
		return nearBins - 1
	}
	for s, ranges := range n.ranges {
		bins := grow(&n.bins[s], len(ranges))
		err := inBlocks(len(ranges), n.threads, func(_, from, to int) {
			for i := from; i < to; i++ {
				bins[i] = binRange{bin(ranges[i].X0), bin(ranges[i].X1)}
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// Select chooses the primitives for a set of changed vertices.
func (n *Near) Select(changed []bool) error {
	if n.tree.choose(changed); n.tree.grouped {
		return nil
	}
	n.mark(changed)
	for s := range geom.Shape(len(n.marks)) {
		marks := grow(&n.marks[s][changing], (n.m.Count(s)+63)/64)
		if err := n.inWords(s, func(w, from, to int) { marks[w] = n.touched(s, from, to) }); err != nil {
			return err
		}
	}
	n.unite()
	for s := range geom.Shape(len(n.marks)) {
		marks := grow(&n.marks[s][others], (n.m.Count(s)+63)/64)
		if err := n.inWords(s, func(w, from, to int) {
			marks[w] = n.meets(s, from,
				to) &^ n.marks[s][changing][w]
		}); err != nil {
			return err
		}
	}
	if err := engine.Each(len(n.lists), blocks(primitives(n.m), n.threads),
		func(_, s int) { n.list(geom.Shape(s)) }); err != nil {
		return err
	}
	n.use()
	return nil
}

// mark sets the bits of changed vertices.
func (n *Near) mark(changed []bool) {
	clear(grow(&n.changed, (len(changed)+63)/64))
	for v, is := range changed {
		if is {
			n.changed[v>>6] |= 1 << (v & 63)
		}
	}
}

// inWords calls do for the primitives from to to-1 of each word of a shape's marks, on some
// threads.
func (n *Near) inWords(s geom.Shape, do func(w, from, to int)) error {
	count := n.m.Count(s)
	words, blocks := (count+63)/64, blocks(count, n.threads)
	return engine.Parallel(blocks, func(block int) {
		for w := words * block / blocks; w < words*(block+1)/blocks; w++ {
			do(w, 64*w, min(64*w+64, count))
		}
	})
}

// touched returns a bit for each of at most 64 primitives: whether a vertex of it changes.
func (n *Near) touched(s geom.Shape, from, to int) (mask uint64) {
	changed := n.changed
	is := func(v int32) uint64 { return changed[v>>6] >> (v & 63) }
	switch s {
	case geom.Edge:
		for i, e := range n.m.Edges[from:to] {
			mask |= (is(e[0]) | is(e[1])) & 1 << i
		}
	case geom.Face:
		for i, f := range n.m.Faces[from:to] {
			mask |= (is(f[0]) | is(f[1]) | is(f[2])) & 1 << i
		}
	default:
		mask = changed[from>>6]
	}
	return mask
}

// each calls do for the cells of a primitive.
func (n *Near) each(r *box.CellRange, do func(c int)) {
	nz := n.grid.n[1]
	for y := int(r.Lo[0]); y <= int(r.Hi[0]); y++ {
		for z := int(r.Lo[1]); z <= int(r.Hi[1]); z++ {
			do(y*nz + z)
		}
	}
}

// unite unites the bins of the primitives that change, cell by cell.
func (n *Near) unite() {
	reached := grow(&n.reached, n.grid.cells())
	clear(reached)
	for s := range n.marks {
		ranges, bins := n.ranges[s], n.bins[s]
		for w, left := range n.marks[s][changing] {
			for ; left != 0; left &= left - 1 {
				i := 64*w + bits.TrailingZeros64(left)
				mask := bins[i].mask()
				n.each(&ranges[i], func(c int) { reached[c] |= mask })
			}
		}
	}
}

// meets returns a bit for each of at most 64 primitives: whether it covers a bin of one that
// changes. There is no branch on whether a primitive is in one cell or in two, as most are, which
// would often be predicted wrongly.
func (n *Near) meets(s geom.Shape, from, to int) (mask uint64) {
	ranges, reached, nz := n.ranges[s][from:to], n.reached, n.grid.n[1]
	bins := n.bins[s][from:to][:len(ranges)]
	for i := range ranges {
		r := &ranges[i]
		c := int(r.Lo[0])*nz + int(r.Lo[1])
		y, z := int(r.Hi[0])-int(r.Lo[0]), int(r.Hi[1])-int(r.Lo[1])
		near := reached[c] | reached[c+y*nz+z]
		if y+z > 1 {
			near |= n.reachedBy(r)
		}
		near &= bins[i].mask()
		mask |= (near | -near) >> 63 << i
	}
	return mask
}

// reachedBy returns the bins that are reached in the cells of a primitive.
func (n *Near) reachedBy(r *box.CellRange) (bins uint64) {
	n.each(r, func(c int) { bins |= n.reached[c] })
	return bins
}

// list lists the marked primitives of a shape.
func (n *Near) list(s geom.Shape) {
	change, rest, list := n.marks[s][changing], n.marks[s][others], &n.lists[s]
	for k := range list {
		list[k] = list[k][:0]
	}
	for w := range change {
		for left := change[w] | rest[w]; left != 0; left &= left - 1 {
			which := others
			if left&-left&change[w] != 0 {
				which = changing
			}
			i := int32(64*w + bits.TrailingZeros64(left))
			list[which], list[both] = append(list[which], i), append(list[both], i)
		}
	}
}

// fewNear is the part of all primitives up to which the records of a few vertices alone are
// computed.
const fewNear = 1.0 / 4

// use finds the vertices of the primitives in the lists, if these are few.
func (n *Near) use() {
	all := 0
	for s := range n.lists {
		all += len(n.lists[s][both])
	}
	if n.few = float64(all) <= fewNear*float64(primitives(n.m)); !n.few {
		return
	}
	used := grow(&n.used, (n.m.NV+vertexRun-1)/vertexRun)
	clear(used)
	var v [1]int32
	for s := range n.lists {
		for _, i := range n.lists[s][both] {
			for _, v := range verticesOf(n.m, geom.Shape(s), i, &v) {
				used[v/vertexRun] = true
			}
		}
	}
}

// usedRuns returns which runs of vertices a plan needs; nil for all.
func (n *Near) usedRuns() []bool {
	if n.few {
		return n.used
	}
	return nil
}

// Forget drops the references to the mesh, and keeps the memory.
func (n *Near) Forget() {
	n.m = nil
	n.tree.forget()
}

// Bytes returns the memory of n.
func (n *Near) Bytes() int64 {
	b := 4*cap(n.memory) + 8*(cap(n.changed)+cap(n.reached)) + cap(n.used)
	for s := range n.ranges {
		b += rangeBytes*cap(n.ranges[s]) + 2*cap(n.bins[s]) + 8*(cap(n.marks[s][0])+cap(n.marks[s][1]))
		for _, list := range n.lists[s] {
			b += 4 * cap(list)
		}
	}
	return int64(b) + n.tree.bytes()
}

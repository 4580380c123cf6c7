package broad

import (
	"math"
	"slices"
	"sync/atomic"

	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/num"
)

// No linear map suits needles of many directions, as those of hair or of a heap of fibres. A plan may therefore divide edges and faces into
// pieces, each half as long as the one before: pieces of the length s have boxes of the volume s^3, where a needle of the length L has L^3, and
// there are but L/s of them. The plan sweeps the pieces, and emits the pairs of edges and faces whose pieces it finds.
//
// Law: such a plan finds each pair at most once, and every pair that the filter allows and that comes within its separation at some time of
// [0, Until]. Proof. The pieces of a primitive cover it, and their vertices, middles of vertices, move linearly, as the primitive's own do. So two
// points that come within the separation are in two pieces that do so at the same time. The computed pieces are off by no more than pieceError,
// and their boxes are inflated by that much more: by the law of a sweep, the two pieces are found, unless they share a vertex, which then is one
// of the mesh that both primitives have, and the filter allows no such pair. Pairs are sorted, and each is kept once.
//
// As with a map, only callers whose results do not depend on pairs that stay apart set PlanOptions.Orient.

// How pieces are chosen. Only speed depends on it.
const (
	pieceCrowd   = 32      // estimated overlaps of a primitive below which none is divided
	pieceDepth   = 12      // how often a primitive is halved, at most
	pieceSample  = 1000    // primitives whose boxes are compared
	piecePairs   = 400     // pairs of these whose pieces are compared
	pieceTests   = 1 << 17 // comparisons of pieces, at most
	piecesMost   = 1 << 23 // pieces of a plan, at most
	foundMost    = 1 << 26 // pairs of pieces that are found, at most: an estimate that is so wrong is given up
	costPiece    = 500     // a piece, in nanoseconds: its record, its entries in cells and their boxes
	costPieces   = 150     // a pair of pieces whose boxes overlap, with its sorting and the test of its primitives by floats
	costBoxes    = 60      // a pair of primitives whose boxes overlap, with its test by floats
	pieceSavings = 0.7     // the part of the costs that pieces must leave, at most
)

// pieces are the pieces of the primitives of a mesh.
type pieces struct {
	mesh   mesh.Mesh // of vertices, edges and faces alone; the first vertices are the mesh's own
	motion geom.Trajectories
	parent [3][]int32 // by shape: the primitive that each is a piece of; nil for vertices
	size   float64    // pieces are no longer than this, or have been halved pieceDepth times
	full   bool       // there are more than piecesMost
}

// pieceError is the largest error of a coordinate of a piece's vertex, where L is the largest magnitude of a coordinate.
//
// Derivation, with u = 2^-53. Halves are exact, but below 2^-1022, where each is off by 2^-1075; their sum is off by u of itself, and no coordinate
// exceeds L. So the middle of two vertices that are off by e is off by e + u L + 2^-1073 at most, and after 12 halvings by 12 u L + 2^-1069. Here is
// more, for the rounding of the product.
func pieceError(largest float64) float64 { return float64(0x1p-49*largest) + 0x1p-1068 }

// middle adds the middle of two vertices and returns its number.
func (d *pieces) middle(a, b int32) int32 {
	rec := d.motion.Rec
	x, y := rec[8*a:8*a+8], rec[8*b:8*b+8]
	var m [8]float64
	for k := range m {
		m[k] = float64(0.5*x[k]) + float64(0.5*y[k])
	}
	d.motion.Rec = append(rec, m[:]...)
	d.motion.N++
	return int32(d.motion.N - 1)
}

// length returns the distance of two vertices in the max norm, the larger of both ends.
func (d *pieces) length(a, b int32) (l float64) {
	x, y := d.motion.Rec[8*a:8*a+8], d.motion.Rec[8*b:8*b+8]
	for k := range 3 {
		l = max(l, math.Abs(x[k]-y[k]), math.Abs(x[4+k]-y[4+k]))
	}
	return l
}

// edge adds the pieces of an edge, or of a piece of it.
func (d *pieces) edge(parent, a, b int32, depth int) {
	if d.full || depth == pieceDepth || d.length(a, b) <= d.size {
		d.full = d.full || len(d.mesh.Edges)+len(d.mesh.Faces) >= piecesMost
		d.mesh.Edges, d.parent[geom.Edge] = append(d.mesh.Edges, [2]int32{a, b}), append(d.parent[geom.Edge], parent)
		return
	}
	m := d.middle(a, b)
	d.edge(parent, a, m, depth+1)
	d.edge(parent, m, b, depth+1)
}

// face adds the pieces of a face, or of a piece of it: it is cut from the middle of its longest side to the corner at the other side.
func (d *pieces) face(parent int32, f [3]int32, depth int) {
	long, l := 0, -1.0
	for k := range f {
		if x := d.length(f[k], f[(k+1)%3]); x > l {
			long, l = k, x
		}
	}
	if d.full || depth == pieceDepth || l <= d.size {
		d.full = d.full || len(d.mesh.Edges)+len(d.mesh.Faces) >= piecesMost
		d.mesh.Faces, d.parent[geom.Face] = append(d.mesh.Faces, f), append(d.parent[geom.Face], parent)
		return
	}
	a, b, c := f[long], f[(long+1)%3], f[(long+2)%3]
	m := d.middle(a, b)
	d.face(parent, [3]int32{a, m, c}, depth+1)
	d.face(parent, [3]int32{m, b, c}, depth+1)
}

// newPieces divides the primitives of a mesh; nil if there would be too many pieces.
func newPieces(m *mesh.Mesh, mo *geom.Trajectories, size float64) *pieces {
	d := &pieces{size: size}
	d.motion = geom.Trajectories{N: mo.N, Rec: slices.Clone(mo.Rec[:8*mo.N])}
	for i, e := range m.Edges {
		d.edge(int32(i), e[0], e[1], 0)
	}
	for i, f := range m.Faces {
		d.face(int32(i), f, 0)
	}
	if d.full {
		return nil
	}
	d.mesh.NV = d.motion.N
	d.motion.Rec = append(d.motion.Rec, make([]float64, len(mo.Rec)-8*mo.N)...) // what kernels read beyond the last vertex
	return d
}

// bytes returns the memory of the pieces.
func (d *pieces) bytes() int64 {
	n := 8*cap(d.motion.Rec) + 8*cap(d.mesh.Edges) + 12*cap(d.mesh.Faces)
	for _, of := range d.parent {
		n += 4 * cap(of)
	}
	return int64(n)
}

// families returns those of a step of m, of pieces. The vertices of a family are vertices of m.
func (d *pieces) families(m *mesh.Mesh) []family {
	out := slices.Clone(families(m))
	for i := range out {
		for _, s := range []*set{&out[i].a, &out[i].b} {
			if s.Shape == geom.Vertex {
				continue
			}
			of := d.parent[s.Shape]
			if s.ids == nil {
				s.n = len(of)
				continue
			}
			var ids []int32
			for at, parent := range of {
				if _, found := slices.BinarySearch(s.ids, parent); found {
					ids = append(ids, int32(at))
				}
			}
			s.n, s.ids = len(ids), ids
		}
	}
	return out
}

// parents replaces pairs of pieces by the pairs of their primitives, where the filter allows them.
func (d *pieces) parents(k geom.Kind, pairs [][2]int32, filter *mesh.Filter) [][2]int32 {
	kept, info := pairs[:0], k.Info()
	for _, x := range pairs {
		for i, s := range info.Shapes {
			if of := d.parent[s]; of != nil {
				x[i] = of[x[i]]
			}
		}
		if info.Symmetric() {
			x = [2]int32{min(x[0], x[1]), max(x[0], x[1])}
		}
		if last := len(kept) - 1; last >= 0 && kept[last] == x {
			continue
		}
		if filter.Allows(k, x[0], x[1]) && (x[0] != x[1] || !info.Symmetric()) {
			kept = append(kept, x)
		}
	}
	return kept
}

// divide makes the plan one of given pairs, found by a sweep of pieces no longer than size. It reports false, and leaves the plan as it is, if there
// are too many pieces or pairs.
func (p *Plan) divide(size float64) (bool, error) {
	d := newPieces(p.m, p.mo, size)
	if d == nil {
		return false, nil
	}
	q := plans.Get().(*Plan)
	defer func() { q.pieces = nil; q.recycle() }()
	q.m, q.mo, q.filter, q.pieces, q.given, q.remote, q.used = &d.mesh, &d.motion, p.filter, d, nil, nil, nil
	q.how = PlanOptions{Until: p.how.Until, Still: p.how.Still, AtRest: p.how.AtRest, Threads: p.how.Threads, largest: d.motion.Largest()}
	q.how.Separation = num.AddUp(p.how.Radii.LargestSeparation(p.how.Separation), 2*pieceError(q.how.largest))
	q.cell, q.tasks, q.order, q.total, q.work = [2]int{}, q.tasks[:0], q.order[:0], 0, q.work[:0]
	fs := d.families(p.m)
	if err := q.chooseSpace(fs, fs); err != nil {
		return false, err
	}
	if err := q.computeRecords(); err != nil {
		return false, err
	}
	for i := range q.work {
		if err := q.work[i].build(q); err != nil {
			return false, err
		}
	}
	if err := q.addTasks(); err != nil {
		return false, err
	}
	c, err := q.unique(p.m)
	if c == nil || err != nil {
		return false, err
	}
	how := p.how
	how.Unboxed = true // the boxes of pieces are better
	p.divided = q.Bytes() + d.bytes() + int64(pairBytes*c.Len())
	return true, p.Reuse(p.m, p.mo, c, how)
}

// unique sweeps the plan and returns its pairs, each once, as candidates of a mesh; nil if there are too many.
func (p *Plan) unique(m *mesh.Mesh) (*Candidates, error) {
	threads := max(1, min(p.how.Threads, p.Workers()))
	found := make([][5]pairList, threads)
	defer func() {
		for i := range found {
			for k := range found[i] {
				found[i][k].free()
			}
		}
	}()
	tasks := engine.NewTasks(0, len(p.tasks))
	var total atomic.Int64
	err := engine.Parallel(threads, func(i int) {
		w := workers.Get().(*Worker)
		defer workers.Put(w)
		for j := range tasks.All() {
			if total.Load() > foundMost {
				return
			}
			w.Sweep(p, &p.tasks[j], func(k geom.Kind, pairs [][2]int32) bool {
				all := total.Add(int64(len(pairs)))
				for into := &found[i][k]; len(pairs) > 0; {
					n := copy(into.reserve(), pairs)
					into.commit(n)
					pairs = pairs[n:]
				}
				return all <= foundMost
			})
		}
	})
	if err != nil || total.Load() > foundMost {
		return nil, err
	}
	c := &Candidates{mesh: m, separation: p.how.Separation, threads: p.how.Threads}
	for k := range c.kinds {
		kind := &c.kinds[k]
		for i := range found {
			kind.found.chunks = append(kind.found.chunks, found[i][k+1].chunks...)
			found[i][k+1].chunks = nil
		}
		kind.n = kind.found.length()
		kind.sorted = slices.Compact(c.Of(geom.Kind(k + 1)))
		kind.n = len(kind.sorted)
	}
	return c, nil
}

// pieceSize returns the length of pieces that makes a sweep the cheapest, by a sample of the edges; 0 if dividing does not pay.
func (p *Plan) pieceSize() float64 {
	how := &p.how
	if how.Bands != nil || how.Near != nil || how.Changed != nil || how.Slab != nil || how.Intersections || how.Limit > 0 || p.used != nil || p.remote != nil {
		return 0
	}
	at := slices.IndexFunc(p.work, func(w familyPlan) bool { return w.kind == geom.EdgeEdge && w.self })
	if at < 0 || how.largest == 0 {
		return 0
	}
	w := &p.work[at]
	l := w.last()
	always := how.Orient == DivideAlways
	if !always && (l.n < orientLeast || w.crowding(p) < pieceCrowd) {
		return 0
	}
	c := outlines{p: p, layer: l, size: how.largest}
	c.some = make([]outline, min(l.n, pieceSample))
	longest := 0.0
	for i, stride := 0, engine.Stride(len(c.some)); i < len(c.some); i++ {
		c.some[i] = c.sampled(i, len(c.some), stride)
		longest = max(longest, c.some[i].length())
	}
	if always {
		return float64(longest * c.size / 4)
	}
	e := pieceEstimate{reach: 2 * how.typical() / c.size}
	if !(longest > 0) || !e.count(c.some, longest) {
		return 0
	}
	ratio := float64(l.n) / float64(len(c.some))
	pairs := ratio * ratio * float64(len(c.some)) * float64(len(c.some)) / 2 / float64(e.tested)
	best, size := pieceSavings*costBoxes*float64(e.met[0])*pairs, 0.0
	for depth := 1; depth <= pieceDepth; depth++ {
		s := math.Ldexp(longest, -depth)
		all := 0.0
		for i := range c.some {
			all += math.Exp2(max(0, math.Ceil(math.Log2(c.some[i].length()/s))))
		}
		if all *= ratio; all > piecesMost/2 {
			break
		}
		met := e.met[depth] * e.scale * pairs
		if cost := float64(costPiece*all) + float64(costPieces*met); cost < best && met < foundMost/2 {
			best, size = cost, float64(s*c.size)
		}
	}
	return size
}

// length returns the length of an edge in the max norm, the larger of both ends.
func (o *outline) length() (l float64) {
	for end := range 2 {
		e := minus(o.at[end], o.at[2+end])
		l = max(l, math.Abs(e[0]), math.Abs(e[1]), math.Abs(e[2]))
	}
	return l
}

// pieceEstimate counts the pairs of pieces whose boxes overlap.
type pieceEstimate struct {
	reach  float64 // how far apart boxes may be
	longer float64 // the length of the longest edge
	tested int     // pairs of edges
	scale  float64 // of counts beyond met[0], which are of some of the pairs
	met    [pieceDepth + 1]float64
	tests  int
}

// count compares the edges with each other, and the pieces of some pairs whose boxes overlap. It reports whether any overlap, and not too many
// pieces of them do.
func (e *pieceEstimate) count(some []outline, longest float64) bool {
	e.longer = longest
	e.tested = len(some) * (len(some) - 1) / 2
	var met [][2]int32
	for i := range some {
		for j := range some[:i] {
			if e.overlap(&some[i], &some[j]) {
				met = append(met, [2]int32{int32(i), int32(j)})
			}
		}
	}
	e.met[0] = float64(len(met))
	n := min(len(met), piecePairs)
	for i := range n {
		x := met[i*len(met)/n]
		e.halves(some[x[0]], some[x[1]], 1)
	}
	e.scale = float64(len(met)) / float64(max(n, 1))
	return n > 0 && e.tests < pieceTests
}

// halves counts the overlaps of the pieces of two pieces, from a depth on.
func (e *pieceEstimate) halves(a, b outline, depth int) {
	if depth > pieceDepth || e.tests >= pieceTests {
		return
	}
	s := math.Ldexp(e.longer, -depth)
	as, bs := a.halved(s), b.halved(s)
	for i := range as {
		for j := range bs {
			if e.tests++; e.overlap(&as[i], &bs[j]) {
				e.met[depth]++
				e.halves(as[i], bs[j], depth+1)
			}
		}
	}
}

// halved returns the halves of an edge that is longer than s, or the edge.
func (o *outline) halved(s float64) []outline {
	if o.length() <= s {
		return []outline{*o}
	}
	var out [2]outline
	for end := range 2 {
		a, b := o.at[end], o.at[2+end]
		m := vector{(a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2}
		out[0].at[end], out[0].at[2+end], out[1].at[end], out[1].at[2+end] = a, m, m, b
	}
	out[0].n, out[1].n = 4, 4
	return out[:]
}

// overlap reports whether the boxes of two edges overlap on every axis at an end, or change sides between.
func (e *pieceEstimate) overlap(a, b *outline) bool {
	for k := range 3 {
		above, below := true, true
		for end := range 2 {
			x, y, v, w := a.at[end][k], a.at[2+end][k], b.at[end][k], b.at[2+end][k]
			above = above && min(x, y) > max(v, w)+e.reach
			below = below && min(v, w) > max(x, y)+e.reach
		}
		if above || below {
			return false
		}
	}
	return true
}

package volume

import (
	"time"
	"unsafe"

	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/kernel"
	"ccd/core/narrow"
	"ccd/simd/box"
)

// batch is the number of pairs that are passed to the narrow phase at once: their data stay in
// cache.
const batch = 2048

// emitter is called for every pair of a wanted class that is not separate.
type emitter func(w *worker, c *Contact)

// worker is the state of one goroutine of a scene.
type worker struct {
	s      *Scene
	solver *narrow.Solver
	emit   emitter
	goal   *search // nil: all contacts are wanted

	slots   [1 + nearby]features
	rec     []float32 // records of vertices, where the scene keeps no boxes
	pending [2]pairs  // the pairs of each kind that wait for the narrow phase
	keep    []int32
	chosen  pairs     // the pairs for the narrow phase
	each    []float64 // their separations, where they differ

	contact Contact // the current one
	results
	restartState
	counters
}

// results are the contacts that a worker has found.
type results struct {
	found engine.List[Contact]
	keys  []sortKey // the keys of found, in order
	spare []sortKey
	best  Contact // the earliest contact, in a search for the earliest
}

// restartState is what a worker of a search knows to decide about a restart: see restart.go.
type restartState struct{ base, sampled, survival float64 }

// counters are a worker's part of the statistics.
type counters struct {
	opened     int64
	overlaps   [2]int64
	candidates [2]int64
	narrow     time.Duration
}

// pairs are queries and the lanes of their features.
type pairs struct {
	idx   [][4]int32
	lanes [][2]int32
	n     int
}

func newWorker() *worker { return &worker{solver: narrow.NewSolver()} }

func (w *worker) reset(limit uint64) {
	w.found.Clear(limit)
	w.keys = w.keys[:0]
	if limit != 0 {
		w.keys, w.spare = nil, nil // the memory of larger calls
	}
	w.best = Contact{}
	w.best.SetSeparate(0)
	w.opened, w.overlaps, w.candidates, w.narrow = 0, [2]int64{}, [2]int64{}, 0
}

func (w *worker) begin(s *Scene, emit emitter, goal *search) {
	w.s, w.emit, w.goal = s, emit, goal
	w.base, w.sampled, w.survival = w.cost(), 1, 1
	w.pending[0].n, w.pending[1].n = 0, 0
	w.solver.Boxed = false
	w.rec = nil
	if s.lean {
		w.rec = s.rec
	}
	for i := range w.slots {
		w.slots[i].patch = -1
		for k := range w.slots[i].cross {
			w.slots[i].cross[k].Boxes = nil // they may be the scene's
		}
	}
}

// features holds the features of one patch: vertices, edges, faces.
type features struct {
	patch int32
	cross [3]box.Cross
}

// nearby is the number of patches whose features a worker caches where the scene does not keep
// their boxes: the traversal soon returns to the same patches.
const nearby = 64

// features returns the features of a patch, cached in one of the slots from first on.
func (w *worker) features(p int32, first, slots int32) *features {
	f := &w.slots[first+p%slots]
	if f.patch == p {
		return f
	}
	f.patch = p
	l := &w.s.layout
	hull := [12]float32(w.s.tree.hulls[12*int(p):])
	for i, s := range [3]*shapeBlocks{&l.vertices, &l.edges, &l.faces} {
		s.cross(p, w.rec, &f.cross[i])
		f.cross[i].Hull = hull
	}
	return f
}

// openPatches compares the features of two patches, which may be the same.
func (w *worker) openPatches(p, q int32) {
	w.opened++
	a := &w.features(p, 0, 1).cross
	edges := w.goal == nil || !w.goal.atFace.Load()
	if p == q {
		w.compare(geom.VertexFace, &a[0], &a[2])
		if edges {
			w.compareSelf(&a[1])
		}
		return
	}
	b := &w.features(q, 1, nearby).cross
	w.compare(geom.VertexFace, &a[0], &b[2])
	w.compare(geom.VertexFace, &b[0], &a[2])
	if edges {
		w.compare(geom.EdgeEdge, &a[1], &b[1])
	}
}

// compareSelf collects the pairs of edges of one patch whose boxes are not apart: two blocks at a
// time, with all blocks up to them.
func (w *worker) compareSelf(c *box.Cross) {
	const blocks = 2
	width := w.s.layout.edges.width
	a, b := *c, *c
	for lo := 0; lo < len(c.Boxes)/box.BlockLen; lo += blocks {
		hi := min(lo+blocks, len(c.Boxes)/box.BlockLen)
		a.Boxes, a.IDs = c.Boxes[:hi*box.BlockLen], c.IDs[:hi*box.BlockLanes*width]
		b.Boxes, b.IDs = a.Boxes[lo*box.BlockLen:], a.IDs[lo*box.BlockLanes*width:]
		b.First = c.First + int32(lo*box.BlockLanes)
		w.pending[1].dropMirrored(w.compare(geom.EdgeEdge, &a, &b))
	}
}

// compare collects the pairs of two lists whose boxes are not apart and returns the position of the
// first.
func (w *worker) compare(kind geom.Kind, a, b *box.Cross) (at int) {
	p := &w.pending[kind-1]
	if p.n >= batch {
		w.flush(kind)
	}
	at = p.n
	p.grow(at + len(a.Boxes)/box.BlockLen*box.BlockLanes*(len(b.Boxes)/box.BlockLen*box.BlockLanes))
	p.n += kernel.Cross(kind, a, b, p.idx[p.n:], p.lanes[p.n:])
	return at
}

func (p *pairs) grow(n int) {
	for len(p.idx) < n {
		p.idx = append(p.idx, make([][4]int32, max(n-len(p.idx), len(p.idx)))...)
		p.lanes = append(p.lanes, make([][2]int32, len(p.idx)-len(p.lanes))...)
	}
}

// dropMirrored removes, from position at on, the pairs that occur a second time with their features
// exchanged.
func (p *pairs) dropMirrored(at int) {
	n := at
	for i := at; i < p.n; i++ {
		if p.lanes[i][0] < p.lanes[i][1] {
			p.idx[n], p.lanes[n] = p.idx[i], p.lanes[i]
			n++
		}
	}
	p.n = n
}

// flush tests the pending pairs of a kind.
func (w *worker) flush(kind geom.Kind) {
	p := &w.pending[kind-1]
	w.overlaps[kind-1] += int64(p.n)
	if w.goal != nil {
		w.goal.sampleSurvival(w, kind, p.idx[:p.n])
	}
	keep := w.diagonals(kind, p.idx[:p.n])
	c := &w.chosen
	c.grow(len(keep))
	c.n = 0
	classes := &w.s.classes
	apart := classes.split && w.s.o.classes()&AtSplit == 0
	info := kind.Info()
	symmetric := info.Symmetric()
	for _, i := range keep {
		q, lanes := &c.idx[c.n], &c.lanes[c.n]
		*q, *lanes = p.idx[i], p.lanes[i]
		if symmetric && inOrder(q) {
			lanes[0], lanes[1] = lanes[1], lanes[0]
		}
		if apart && w.leftAtSplit(kind, q) || w.goal != nil && w.comesLater(kind, q) {
			continue
		}
		c.n++
	}
	p.n = 0
	l := &w.s.layout
	w.testChosen(kind, l.of(info.Shapes[0]).feature, l.of(info.Shapes[1]).feature)
}

// leftAtSplit reports whether a pair is of the class AtSplit, where that is not wanted. Most such
// pairs touch at t = 0 in degenerate positions, so they are skipped before the narrow phase.
func (w *worker) leftAtSplit(kind geom.Kind, q *[4]int32) bool {
	c := &w.s.classes
	return c.atSplit(&w.s.mo, q, kind.Info().Split) && c.together(q) < 0
}

// diagonals returns the positions of the queries that no diagonal direction separates.
func (w *worker) diagonals(kind geom.Kind, idx [][4]int32) []int32 {
	w.keep = resized(w.keep, len(idx))
	return w.keep[:kernel.Diagonals(kind, &w.s.mo, idx, w.s.gap, w.keep)]
}

// diagonalGap returns what rounded sums x+y, or x-y, of two points must differ by along a diagonal
// for a proof that they keep more than d, in the max norm and so in the Euclidean; largest is at
// least all coordinates' magnitude M.
//
// |p-q|_max >= |(x+y) - (x'+y')| / 2 in real arithmetic, so a difference beyond 2d is enough, and
// at both ends, on one side, it holds at all times between. A sum is at most 2M, and rounded to
// within u 2M, u = 2^-53, without underflow; two of them to within 4uM = 2^-51 M. So 2d + 2^-51 M
// is enough. Here is 2d + 2^-50 M + 2^-1060: the last covers the underflow of the second; the three
// roundings of it all, (1-u)^3, are made up for by 1 + 2^-50. At d = 0 rounding errs by nothing
// (linear.DiagonalVF).
func diagonalGap(d, largest float64) float64 {
	if d == 0 {
		return 0
	}
	return (2*d + (float64(0x1p-50*largest) + 0x1p-1060)) * (1 + 0x1p-50)
}

// testChosen tests the chosen pairs by the narrow phase. a and b map lanes to features; they are
// nil where lanes are features.
func (w *worker) testChosen(kind geom.Kind, a, b []int32) {
	s, c := w.s, &w.chosen
	w.candidates[kind-1] += int64(c.n)
	clock := time.Now()
	end := s.o.TMax
	if w.goal != nil {
		end = w.goal.end()
	}
	split := kind.Info().Split
	w.until(kind, c.idx[:c.n], &end, func(i int, im *geom.Impact) {
		contact := &w.contact
		contact.Impact, contact.Vertices = *im, c.idx[i]
		contact.A, contact.B = int64(c.lanes[i][0]), int64(c.lanes[i][1])
		if a != nil {
			contact.A, contact.B = int64(a[contact.A]), int64(b[contact.B])
		}
		var both int32
		if contact.Class, both = s.classes.class(&s.mo, &c.idx[i], split); contact.Class&s.o.classes() == 0 {
			return
		}
		contact.Elements = [2]int32{both, both}
		if both < 0 {
			contact.Elements = s.owners(kind, contact.A, contact.B)
		}
		w.emit(w, contact)
		if w.goal != nil {
			end = w.goal.end()
		}
	})
	w.narrow += time.Since(clock)
}

// until solves queries, each with its own separation; narrow.Solver.Until has the rest.
func (w *worker) until(kind geom.Kind, idx [][4]int32, end *float64, emit func(i int, im *geom.Impact)) {
	s := w.s
	o := s.o.Options
	if s.radii.Uniform() {
		o.MinSeparation = s.radii.LargestSeparation(o.MinSeparation)
		w.solver.Until(kind, &s.mo, idx, &o, end, emit)
		return
	}
	w.each = w.each[:0]
	for i := range idx {
		w.each = append(w.each, s.radii.Query(kind, &idx[i], o.MinSeparation))
	}
	w.solver.UntilEach(kind, &s.mo, idx, w.each, &o, end, emit)
}

// owners returns the elements that own two features.
func (s *Scene) owners(kind geom.Kind, a, b int64) [2]int32 {
	of := [...][]int32{geom.Vertex: s.v.VertexOwner, geom.Edge: s.v.EdgeOwner, geom.Face: s.v.FaceOwner}
	shapes := &kind.Info().Shapes
	return [2]int32{of[shapes[0]][a], of[shapes[1]][b]}
}

func (w *worker) bytes() int64 {
	n := int(unsafe.Sizeof(Contact{}))*w.found.Cap() + sortKeyBytes*(cap(w.keys)+cap(w.spare)) + 4*cap(w.keep) +
		8*cap(w.each)
	if w.rec != nil {
		for i := range w.slots {
			for k := range w.slots[i].cross {
				n += 4 * cap(w.slots[i].cross[k].Boxes)
			}
		}
	}
	for _, p := range []*pairs{&w.pending[0], &w.pending[1], &w.chosen} {
		n += 16*cap(p.idx) + 8*cap(p.lanes)
	}
	return int64(n)
}

package volume

import (
	"time"

	"ccd/core/geom"
	"ccd/core/kernel"
	"ccd/core/narrow"
	"ccd/simd"
)

// batch is how many pairs are gathered before the narrow phase gets them: what it reads of them stays in the cache.
const batch = 2048

// emitter takes the answer of a pair that is not separate and of a class asked for.
type emitter func(w *worker, c *Contact)

// worker is one goroutine's part of a scene.
type worker struct {
	s      *Scene
	solver *narrow.Solver
	emit   emitter
	goal   *search // nil: all contacts are wanted

	slots   [1 + nearby]features
	rec     []float32 // records of vertices, where the scene keeps no boxes
	pending [2]pairs  // by kind
	keep    []int32
	chosen  pairs // what goes to the narrow phase

	contact Contact // the one at hand
	found   store
	places  []place // of found, in order
	spare   []place
	best    Contact // of a search for the earliest

	base, sampled, crowding float64 // of a search: see restart.go

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
	w.found.n, w.places = 0, w.places[:0]
	if limit != 0 {
		w.found, w.places, w.spare = store{}, nil, nil // what larger calls have left
	}
	w.best = Contact{}
	w.best.SetSeparate(0)
	w.opened, w.overlaps, w.candidates, w.narrow = 0, [2]int64{}, [2]int64{}, 0
}

func (w *worker) begin(s *Scene, emit emitter, goal *search) {
	w.s, w.emit, w.goal = s, emit, goal
	w.base, w.sampled, w.crowding = w.cost(), 1, 1
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

// features are those of one patch: vertices, edges, faces.
type features struct {
	patch int32
	cross [3]simd.Cross
}

// nearby is how many patches a worker keeps the features of, where the scene does not keep their boxes. Traversal comes back
// to the same ones soon.
const nearby = 64

// features are those of a patch, in one of the slots from first on up to last.
func (w *worker) features(p int32, first, slots int32) *features {
	f := &w.slots[first+p%slots]
	if f.patch == p {
		return f
	}
	f.patch = p
	l := &w.s.layout
	hull := [12]float32(w.s.tree.hulls[12*int(p):])
	for i, s := range [3]*side{&l.vertices, &l.edges, &l.faces} {
		s.cross(p, w.rec, &f.cross[i])
		f.cross[i].Hull = hull
	}
	return f
}

// open compares the features of two patches, which may be one.
func (w *worker) open(p, q int32) {
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

// compareSelf gathers the pairs of edges of one patch whose boxes are not apart: two blocks with those up to them at a time.
func (w *worker) compareSelf(c *simd.Cross) {
	const blocks = 2
	width := w.s.layout.edges.width
	a, b := *c, *c
	for lo := 0; lo < len(c.Boxes)/simd.BlockLen; lo += blocks {
		hi := min(lo+blocks, len(c.Boxes)/simd.BlockLen)
		a.Boxes, a.IDs = c.Boxes[:hi*simd.BlockLen], c.IDs[:hi*simd.BlockLanes*width]
		b.Boxes, b.IDs = a.Boxes[lo*simd.BlockLen:], a.IDs[lo*simd.BlockLanes*width:]
		b.First = c.First + int32(lo*simd.BlockLanes)
		w.pending[1].once(w.compare(geom.EdgeEdge, &a, &b))
	}
}

// compare gathers the pairs of two lists whose boxes are not apart, and returns the position of the first.
func (w *worker) compare(kind geom.Kind, a, b *simd.Cross) (at int) {
	p := &w.pending[kind-1]
	if p.n >= batch {
		w.flush(kind)
	}
	at = p.n
	p.grow(at + len(a.Boxes)/simd.BlockLen*simd.BlockLanes*(len(b.Boxes)/simd.BlockLen*simd.BlockLanes))
	p.n += kernel.Cross(kind, a, b, p.idx[p.n:], p.lanes[p.n:])
	return at
}

func (p *pairs) grow(n int) {
	for len(p.idx) < n {
		p.idx = append(p.idx, make([][4]int32, max(n-len(p.idx), len(p.idx)))...)
		p.lanes = append(p.lanes, make([][2]int32, len(p.idx)-len(p.lanes))...)
	}
}

// once drops those pairs from position at on that are met a second time, with their features exchanged.
func (p *pairs) once(at int) {
	n := at
	for i := at; i < p.n; i++ {
		if p.lanes[i][0] < p.lanes[i][1] {
			p.idx[n], p.lanes[n] = p.idx[i], p.lanes[i]
			n++
		}
	}
	p.n = n
}

// flush answers the pairs of a kind that are pending.
func (w *worker) flush(kind geom.Kind) {
	p := &w.pending[kind-1]
	w.overlaps[kind-1] += int64(p.n)
	if w.goal != nil {
		w.goal.sample(w, kind, p.idx[:p.n])
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
		if apart && w.leftAtSplit(kind, q) || w.goal != nil && w.later(kind, q) {
			continue
		}
		c.n++
	}
	p.n = 0
	l := &w.s.layout
	w.answer(kind, l.of(info.Shapes[0]).feature, l.of(info.Shapes[1]).feature)
}

// leftAtSplit tells whether a pair is of the class AtSplit, which is not asked for. Most such pairs touch at t = 0 in the
// most degenerate of ways, so they are sorted out before the narrow phase.
func (w *worker) leftAtSplit(kind geom.Kind, q *[4]int32) bool {
	c := &w.s.classes
	return c.atSplit(&w.s.mo, q, kind.Info().Split) && c.together(q) < 0
}

// diagonals are the positions of the queries that no diagonal direction separates.
func (w *worker) diagonals(kind geom.Kind, idx [][4]int32) []int32 {
	w.keep = resized(w.keep, len(idx))
	return w.keep[:kernel.Diagonals(kind, &w.s.mo, idx, w.s.gap, w.keep)]
}

// diagonalGap is what rounded sums x+y, or x-y, of two points must differ by along a diagonal for a proof that they keep more than d,
// in the max norm and so in the Euclidean; largest is at least all coordinates' magnitude M.
//
// |p-q|_max >= |(x+y) - (x'+y')| / 2 in real arithmetic, so a difference beyond 2d is enough, and at both ends, on one side, it
// holds at all times between. A sum is at most 2M, and rounded to within u 2M, u = 2^-53, without underflow; two of them to
// within 4uM = 2^-51 M. So 2d + 2^-51 M is enough. Here is 2d + 2^-50 M + 2^-1060: the last covers the underflow of the second; the
// three roundings of it all, (1-u)^3, are made up for by 1 + 2^-50. At d = 0 rounding errs by nothing (simd.DiagonalVF).
func diagonalGap(d, largest float64) float64 {
	if d == 0 {
		return 0
	}
	return (2*d + (float64(0x1p-50*largest) + 0x1p-1060)) * (1 + 0x1p-50)
}

// answer asks the narrow phase about the chosen pairs. a and b are the features of the lanes; nil where lanes are features.
func (w *worker) answer(kind geom.Kind, a, b []int32) {
	s, c := w.s, &w.chosen
	w.candidates[kind-1] += int64(c.n)
	clock := time.Now()
	end := s.o.TMax
	if w.goal != nil {
		end = w.goal.end()
	}
	split := kind.Info().Split
	w.solver.Until(kind, &s.mo, c.idx[:c.n], &s.o.Options, &end, func(i int, im *geom.Impact) {
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

// owners are the elements of two features.
func (s *Scene) owners(kind geom.Kind, a, b int64) [2]int32 {
	of := [...][]int32{geom.Vertex: s.v.VertexOwner, geom.Edge: s.v.EdgeOwner, geom.Face: s.v.FaceOwner}
	shapes := &kind.Info().Shapes
	return [2]int32{of[shapes[0]][a], of[shapes[1]][b]}
}

func (w *worker) bytes() int64 {
	n := w.found.bytes() + placeLen*(cap(w.places)+cap(w.spare)) + 4*cap(w.keep)
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

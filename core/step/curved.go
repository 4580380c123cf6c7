package step

import (
	"math"
	"slices"
	"sync/atomic"

	"ccd/core/broad"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/motion"
	"ccd/core/narrow"
	"ccd/core/num"
)

// curved is the path of a motion. Its segments are midlines, with a band around each that holds the
// path of its vertex.
//
// Size: what boxes are made around (midlines, bands, radii), what pairs are sifted with, and
// sections.
type curved struct {
	m       *mesh.Mesh
	radii   *mesh.Radii // radii of the primitives
	o       *narrow.Options
	workers []*worker // the workers of the call
	threads int

	paths    *motion.Motion
	mo       *geom.Trajectories // midlines
	resting  geom.Trajectories  // the positions at t = 0, for the check of the start
	hulls    *geom.Trajectories // boxes of all control points, by which a region owns pairs; nil: there is none
	boxes    *mesh.Radii        // radii of boxes around the midlines that hold the bands
	bands    *broad.Bands       // around the midlines
	margins  []float64          // by vertex, what is added to boxes beside deviations
	upToTime float64            // the midlines of the whole step cover [0, upToTime] or somewhat more

	cuts    bool // midlines may cover a part of the step, and pairs may be sifted on parts
	divides bool // the step may be swept in sections

	section section      // what the midlines cover
	halves  atomic.Int32 // halvings of sections that halve found to pay; 0: unknown
	swept   int          // sections that were entered
	axes    motionAxes   // of the pairs
	sieve   sieve        // what pairs are sifted with
	solved  solvedPairs
	scale   motionScale
}

// motionScale is what is known of the shape of the paths; 0: unknown.
type motionScale struct {
	off  float64 // how far the control points of parts are off
	bend float64 // motion.TypicalBend
}

// newCurved returns the path of a motion, without its boxes. Midlines may cover a part of the step
// where the result of a pair is unique, and where no memory limit divides the pairs: the midlines
// of the whole step decide the portions.
func newCurved(m *mesh.Mesh, paths *motion.Motion, o *Options, known *broad.Candidates) *curved {
	unlimited, anew := o.MemoryLimit == 0, paths.Refines()
	p := &curved{m: m, paths: paths, upToTime: 1, section: wholeStep(paths.Pieces())}
	if p.cuts = unlimited && !anew; p.cuts {
		p.upToTime = o.TMax
	}
	// The sections of paths that are enclosed anew are whole pieces. Of known pairs the sections
	// would have the same ones each.
	swept := known == nil && o.Flags&narrow.BruteForce == 0
	p.divides = unlimited && swept && (!anew || paths.Pieces() > 1)
	return p
}

// begin makes the boxes of a path for a call whose segments are its midlines.
func (p *curved) begin(c *call, deviation []float64) {
	p.mo, p.radii, p.o = &c.memory.segments, c.radii, &c.o.Options
	p.workers, p.threads = c.workers, int(c.Stats.Threads)
	p.margins = boxMargins(p.paths, p.o.MinSeparation, p.radii)
	p.setBands(deviation)
	p.axes.load(p.paths)
	p.beginSieve()
	p.firstLevel()
	p.forgetSolved()
	c.path = p
}

func (p *curved) segments() *geom.Trajectories { return p.mo }
func (p *curved) owners() *geom.Trajectories   { return p.hulls }

func (p *curved) start() (*geom.Trajectories, error) {
	x0 := p.paths.Control()[:3*p.m.NV]
	return &p.resting, p.resting.Load(x0, x0)
}

// costs counts the midline, the bands and the radii of a vertex.
func (p *curved) costs() pathCosts { return pathCosts{boxed: 300, hit: 5000, vertex: 200} }

// complete adds bands and hulls. Bands hold along the axes alone, so no other directions serve.
func (p *curved) complete(how *broad.PlanOptions) {
	how.Input.Radii, how.Input.Bands, how.Keep.Hulls = p.boxes, p.bands, p.hulls
	how.Tactic.Orient, how.Work.Progress, how.Work.UpTo = broad.AlongAxes, nil, 0
}

// refines reports whether parts of the paths are enclosed anew. Then what SolveMotion finds in
// contact on a half, it may have been able to prove apart on the whole, whose radius is larger but
// whose polynomials are others: so boxes must not cover less than the step.
func (p *curved) refines() bool { return p.paths.Refines() }

// bytes leaves out the memory of the motion itself.
func (p *curved) bytes() (path, solver int64) {
	n := int64(8*cap(p.mo.Rec)) + p.boxes.Bytes() + int64(8*(cap(p.resting.Rec)+cap(p.axes.control)+cap(p.margins)))
	n += p.sieve.bytes() + p.solved.bytes()
	if p.hulls != nil {
		n += int64(8 * cap(p.hulls.Rec))
	}
	if b := p.bands; b != nil {
		n += b.Radii.Bytes() + int64(8*(cap(b.Lo.Rec)+cap(b.Hi.Rec)))
	}
	solver = int64(narrow.MotionBytes) + curvedScratchBytes
	if p.refines() {
		solver += motion.PartsBytes
	}
	return n, solver
}

// partError is how far the control points of parts of so many halvings are off.
func (p *curved) partError(halvings int) float64 {
	if halvings == 0 {
		return 0
	}
	if p.scale.off == 0 {
		p.scale.off = motion.PartError(p.paths)
	}
	return p.scale.off
}

// typicalBend is that of the motion.
func (p *curved) typicalBend() float64 {
	if p.scale.bend == 0 {
		p.scale.bend = motion.TypicalBend(p.paths)
	}
	return p.scale.bend
}

// setBands sets the bands and the radii around the midlines in p.mo.
func (p *curved) setBands(deviation []float64) {
	if p.bands == nil {
		radii := p.radii.Widened(p.m, p.margins)
		p.bands = &broad.Bands{Lo: new(geom.Trajectories), Hi: new(geom.Trajectories), Radii: radii}
	}
	p.bands.Lo.Reserve(p.m.NV)
	p.bands.Hi.Reserve(p.m.NV)
	off := make([]float64, p.m.NV)
	p.byVertices(func(from, to int) { bandsAround(p.mo, deviation, p.bands, off, from, to) })
	if most := slices.Max(off); most <= fewBends*p.typicalEdge() { // then one value for all takes less time
		for i := range off {
			off[i] = most
		}
	}
	p.boxes = p.radii.Widened(p.m, off, p.margins)
}

// fewBends is the part of an edge that paths may leave their midlines by and still have one radius
// for all.
const fewBends = 0x1p-6

// typicalEdge is the mean length of some edges, in the max norm. Only speed depends on it.
func (p *curved) typicalEdge() float64 {
	sum, n := 0.0, 0
	for i := 0; i < len(p.m.Edges); i += 1 + len(p.m.Edges)/256 {
		e := p.m.Edges[i]
		x, y := p.mo.Rec[8*e[0]:], p.mo.Rec[8*e[1]:]
		sum += max(math.Abs(x[0]-y[0]), math.Abs(x[1]-y[1]), math.Abs(x[2]-y[2]))
		n++
	}
	return sum / float64(max(n, 1))
}

// cover makes the midlines, bands and radii those of [0, until], if they may be, and returns until
// in the time of the midlines.
func (p *curved) cover(until float64) float64 {
	switch {
	case !p.cuts:
		return until
	case !p.section.whole():
		return p.section.At(until)
	case until < p.upToTime:
		x0, x1, deviation := p.paths.Midlines(until)
		p.mo.Reserve(p.m.NV)
		for i := range x0 {
			r := p.mo.Rec[8*(i/3):]
			r[i%3], r[4+i%3] = x0[i], x1[i]
		}
		p.upToTime, p.sieve.once = until, nil
		p.setBands(deviation)
		p.forgetSolved()
	}
	return 1
}

// share is the time t of the step in that of the midlines, rounded up.
func (p *curved) share(t float64) float64 {
	switch {
	case !p.section.whole():
		return p.section.At(t)
	case t < p.upToTime:
		return min(1, num.DivUp(t, p.upToTime))
	}
	return 1
}

// bandsAround sets the bands of the vertices from to to-1 of a motion with these midlines and
// deviations, and by vertex how far they reach, rounded up.
//
// With u = 2^-53, x - d as computed is below its true value by at most u |x - d| and one step of a
// double, 3u (|x| + d) together; the same with x + d. So d + 8u (|x| + d) + 2^-1070 in floats is
// enough.
func bandsAround(mid *geom.Trajectories, deviation []float64, b *broad.Bands, off []float64, from, to int) {
	for v := from; v < to; v++ {
		most := 0.0
		m, lo, hi := mid.Rec[8*v:8*v+8:8*v+8], b.Lo.Rec[8*v:8*v+8:8*v+8], b.Hi.Rec[8*v:8*v+8:8*v+8]
		for k := range 3 {
			d, x, y := deviation[3*v+k], m[k], m[k+4]
			lo[k], hi[k] = num.Down(x-d), num.Up(x+d)
			lo[k+4], hi[k+4] = num.Down(y-d), num.Up(y+d)
			most = max(most, d+(float64(0x1p-50*(max(math.Abs(x), math.Abs(y))+d))+0x1p-1070))
		}
		off[v] = most
	}
}

// boxMargins returns, by vertex, by how much boxes must be inflated beside the separation, the
// radii of the mesh and the deviations: by the largest radius of the paths of the vertex, and by
// what lets a gap of boxes prove SolveMotion's axes apart, which round sums up.
//
// Let a pair have the separation d = Separation(m, R_a, R_b), at most (1 + 2u)(m + R_a + R_b), and
// rho = r_a + r_b rounded up. SolveMotion compares with d + rho rounded up, at most (1 + 2u)^2 (m +
// R_a + R_b + r_a + r_b). Boxes are inflated by m/2 + R + r and the margin r 2^-50 + 2^-51 (m +
// 2R), R the largest, each: together by at least the (1 + 8u)-fold. Where all are 0 SolveMotion
// compares with 0, which takes no margin.
func boxMargins(p *motion.Motion, separation float64, radii *mesh.Radii) []float64 {
	more := make([]float64, p.Vertices())
	slack := float64(0x1p-51*separation) + float64(0x1p-50*radii.Largest())
	for i := range more {
		if r := p.LargestRadius(i); r > 0 || separation > 0 || radii.Largest() > 0 {
			more[i] = num.Up(r + float64(r*0x1p-50) + slack)
		}
	}
	return more
}

// decide sifts the pairs of a block, has kernels find the contacts of those that they can, and
// solves the rest pair by pair.
func (p *curved) decide(w *worker, k geom.Kind, pairs [][2]int32, _ narrow.Options, t taker) {
	s := &w.curved
	s.options = *p.o
	uniform, d := p.radii.Uniform(), p.radii.LargestSeparation(p.o.MinSeparation)
	possible := p.sift(w, k, pairs, math.Min(w.end, p.o.TMax))
	first, end := p.section.pieces()
	for n, i := range p.find(w, k, pairs, possible, t) {
		pair := pairs[i]
		if !uniform {
			d = p.radii.Pair(k, pair[0], pair[1], p.o.MinSeparation)
		}
		if p.axes.apart(k, &w.idx[i], d) {
			continue
		}
		if b := &s.parts; len(b.piece) > 0 {
			if first, end = int(b.piece[n]), int(b.piece[n])+1; b.hit[i] { // on a piece before
				continue
			}
		}
		if once := &p.solved; once.once && !p.finds(k) { // else find has looked
			key := keyOf(k, pair)
			if once.has(key) {
				continue
			}
			if p.section.halvings > 0 {
				s.keys.tried = append(s.keys.tried, key)
			}
		}
		s.options.MinSeparation = d
		if until := math.Min(w.end, p.o.TMax); len(p.axes.control) > 0 {
			w.solver.SolvePiece(p.paths, k, p.axes.gather(k, &w.idx[i], &s.control), &s.options, until, &s.impact)
		} else {
			p.solvePieces(w, k, w.idx[i][:k.Points()], first, end, until)
		}
		if s.impact.Verdict != geom.Separate {
			s.impact.A, s.impact.B = int64(pair[0]), int64(pair[1])
			p.touch(w, i, keyOf(k, pair))
			t.take(w, int(i), &s.impact)
		}
	}
}

// solvePieces solves a pair on some pieces, up to a time. If it takes more than their share of
// MaxIterations, as it hardly ever does, the halvings of all pieces may be too many: then it solves
// the pair on all of them. As long as each piece takes its share at most, none of them is left
// undecided, and the result is that of all pieces.
func (p *curved) solvePieces(w *worker, k geom.Kind, vertices []int32, first, end int, until float64) {
	s, pieces := &w.curved, p.paths.Pieces()
	halvings := w.solver.SolveMotionPieces(p.paths, k, vertices, first, end, &s.options, until, &s.impact)
	if end-first < pieces && halvings > int64(end-first)*(p.o.MaxIterations/int64(pieces)) {
		w.solver.SolveMotionUntil(p.paths, k, vertices, &s.options, until, &s.impact)
	}
}

// touch notes that a pair of a block is in contact, where it may be found on later pieces.
func (p *curved) touch(w *worker, i int32, key uint64) {
	s := &w.curved
	if len(s.parts.piece) > 0 {
		s.parts.hit[i] = true
	}
	if p.solved.once && p.paths.Pieces() > 1 {
		s.keys.touched = append(s.keys.touched, key)
	}
}

// confirm solves a pair on all pieces.
func (p *curved) confirm(w *worker, im *geom.Impact) {
	a, b, k := im.A, im.B, im.Kind
	o := *p.o
	o.MinSeparation = p.radii.Pair(k, int32(a), int32(b), o.MinSeparation)
	idx := p.m.Indices(k, int32(a), int32(b))
	w.solver.SolveMotionUntil(p.paths, k, idx[:k.Points()], &o, o.TMax, im)
	im.A, im.B = a, b
}

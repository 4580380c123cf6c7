package step

import (
	"math"
	"slices"
	"sync"

	"ccd/core/broad"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/motion"
	"ccd/core/narrow"
	"ccd/core/num"
	"ccd/core/status"
)

// Steps whose vertices move as a motion.Motion says, in place of segments. The result of a pair is that of narrow.Solver.SolveMotion with the
// pair's separation, and the result of a call is what the plain step's would be for these pairs:
//
//   - A motion of degree 1, one piece and radius 0 takes the way of the plain step and has its bits.
//   - Otherwise the broad phase is that of a plain step too, of the midlines: a segment for each vertex, and a band around it on each axis that holds its
//     path, and its control points where paths are enclosed anew. The boxes of a primitive are inflated by the largest radius of its vertices. What they leave apart SolveMotion
//     finds apart (docs/proofs/motions.md), so no pair is lost, and a call has the bits of a search of all pairs.
//   - Where the result of a pair is unique, which it is unless paths are enclosed anew on parts, midlines cover [0, t_max] alone, and in a search for the
//     earliest impact what is left of it once one is known; and the kernels of the plain step prove pairs of midlines apart by more than they are off.

// earliestOnPaths is Earliest for a motion. See narrow.Solver.SolveMotion for what times and flags mean where radii are above 0. The options must be
// those of narrow.CheckMotion; candidates and a device are not supported.
func earliestOnPaths(m *mesh.Mesh, paths *motion.Motion, o *Options) (geom.Impact, error) {
	c, err := startMotion(m, paths, o)
	if err != nil {
		return noImpact(), err
	}
	defer c.end()
	return c.earliest()
}

// collisionsOnPaths is Collisions for a motion.
func collisionsOnPaths(m *mesh.Mesh, paths *motion.Motion, o *Options) ([]geom.Impact, error) {
	c, err := startMotion(m, paths, o)
	if err != nil {
		return nil, err
	}
	defer c.end()
	return c.collisions(listedBytes)
}

// sizeOnPaths is Size for a motion: a time up to which all pairs keep more than the separation.
func sizeOnPaths(m *mesh.Mesh, paths *motion.Motion, o *Options) (float64, error) {
	im, err := earliestOnPaths(m, paths, o)
	return sizeUpTo(&im, o, err)
}

// moving is the part of a call that concerns a motion; the zero value is a plain step.
type moving struct {
	paths *motion.Motion
	beginning
	radii *mesh.Radii        // of boxes around the midlines that hold the bands
	bands *broad.Bands       // around the midlines
	axes  motionAxes         // of the pairs
	cut   motionParts        // or parts of them
	start geom.Trajectories  // the positions at t = 0, for the check of the start
	hulls *geom.Trajectories // of the paths, by which a slab owns pairs; nil: there is none

	section section // what the midlines cover
	off     float64 // of the control points of parts; 0: unknown
	bend    float64 // motion.TypicalBend; 0: unknown
	swept   int     // sections that were entered
	solved  solvedPairs
}

// beginning is the part [0, upTo] of a step that the midlines cover: their time runs from 0 to 1 as t runs from 0 to upTo or somewhat more.
type beginning struct {
	upTo    float64
	margins []float64 // of boxes, by vertex
}

// moves reports whether the call's vertices move as paths says.
func (p *moving) moves() bool { return p.paths != nil }

// refines reports whether parts of the paths are enclosed anew. Then what SolveMotion finds in contact on a half, it may have been able to
// prove apart on the whole, whose radius is larger but whose polynomials are others: so boxes must not cover less than the step.
func (p *moving) refines() bool { return p.paths != nil && p.paths.Refines() }

// bytes is the memory beside that of the motion itself.
func (p *moving) bytes() int64 {
	n := p.radii.Bytes() + int64(8*(cap(p.start.Rec)+cap(p.axes.control)+cap(p.margins)))
	n += p.cut.bytes() + p.solved.bytes()
	if p.hulls != nil {
		n += int64(8 * cap(p.hulls.Rec))
	}
	if b := p.bands; b != nil {
		n += b.Radii.Bytes() + int64(8*(cap(b.Lo.Rec)+cap(b.Hi.Rec)))
	}
	return n
}

// partError is how far the control points of parts of so many halvings are off.
func (p *moving) partError(halvings int) float64 {
	if halvings == 0 {
		return 0
	}
	if p.off == 0 {
		p.off = motion.PartError(p.paths)
	}
	return p.off
}

// typicalBend is that of the motion.
func (p *moving) typicalBend() float64 {
	if p.bend == 0 {
		p.bend = motion.TypicalBend(p.paths)
	}
	return p.bend
}

// boxRadii returns the radii of the boxes.
func (c *call) boxRadii() *mesh.Radii {
	if c.moves() {
		return c.moving.radii
	}
	return c.radii
}

// startMotion is start for a motion.
func startMotion(m *mesh.Mesh, paths *motion.Motion, o *Options) (*call, error) {
	if o == nil {
		d := DefaultOptions()
		o = &d
	}
	if err := narrow.CheckMotion(&o.Options); err != nil {
		return nil, err
	}
	switch {
	case o.DeviceOnly:
		return nil, status.Errorf(status.ErrUnsupported, "options.device is CCD_DEVICE_GPU: motions are computed on the CPU")
	case paths.Vertices() != m.NV:
		return nil, status.Errorf(status.ErrArgument, "motion has %d vertices: the mesh has %d", paths.Vertices(), m.NV)
	}
	here := *o
	here.Device = nil
	if paths.Linear() {
		return start(m, paths.Control()[:3*m.NV], paths.Control()[3*m.NV:], &here)
	}
	here.Candidates = nil // the midlines are not their step: motionAmong checks the paths
	upTo := 1.0
	if mayCutMotion(paths, &here) {
		upTo = here.TMax
	}
	x0, x1, deviation := paths.Midlines(upTo)
	c, err := start(m, x0, x1, &here)
	if err != nil {
		return nil, err
	}
	if err := motionAmong(paths, o, c); err != nil {
		c.end()
		return nil, err
	}
	c.moving.paths, c.moving.upTo, c.moving.section = paths, upTo, wholeStep(paths.Pieces())
	c.moving.margins = boxMargins(paths, c.o.MinSeparation, c.radii)
	c.setBands(deviation)
	c.axes.load(paths)
	c.firstLevel()
	c.forgetSifted()
	if o.Slab != nil || o.Region != nil {
		if c.moving.hulls, err = hullsOf(m, paths); err != nil {
			c.end()
			return nil, err
		}
	}
	if c.cutsParts() {
		c.moving.cut.once = new(sync.Once)
	}
	if o.CheckStart {
		at0 := paths.Control()[:3*m.NV]
		if err := c.moving.start.Load(at0, at0); err != nil {
			c.end()
			return nil, err
		}
	}
	return c, nil
}

// setBands sets the bands and the radii around the midlines in c.mo.
func (c *call) setBands(deviation []float64) {
	p := &c.moving
	if p.bands == nil {
		p.bands = &broad.Bands{Lo: new(geom.Trajectories), Hi: new(geom.Trajectories), Radii: c.radii.Widened(c.m, p.margins)}
	}
	p.bands.Lo.Reserve(c.m.NV)
	p.bands.Hi.Reserve(c.m.NV)
	off := make([]float64, c.m.NV)
	c.byVertices(func(from, to int) { bandsAround(&c.mo, deviation, p.bands, off, from, to) })
	if most := slices.Max(off); most <= fewBends*c.typicalEdge() { // then one value for all takes less time
		for i := range off {
			off[i] = most
		}
	}
	p.radii = c.radii.Widened(c.m, off, p.margins)
}

// fewBends is the part of an edge that paths may leave their midlines by and still have one radius for all.
const fewBends = 0x1p-6

// typicalEdge is the mean length of some edges, in the max norm. Only speed depends on it.
func (c *call) typicalEdge() float64 {
	sum, n := 0.0, 0
	for i := 0; i < len(c.m.Edges); i += 1 + len(c.m.Edges)/256 {
		e := c.m.Edges[i]
		x, y := c.mo.Rec[8*e[0]:], c.mo.Rec[8*e[1]:]
		sum += max(math.Abs(x[0]-y[0]), math.Abs(x[1]-y[1]), math.Abs(x[2]-y[2]))
		n++
	}
	return sum / float64(max(n, 1))
}

// mayCutMotion reports whether midlines may cover a part of the step: the result of a pair is unique there, and the pairs of a call are not
// divided by a memory limit, whose slabs the midlines of the whole step decide.
func mayCutMotion(paths *motion.Motion, o *Options) bool {
	return !paths.Refines() && o.MemoryLimit == 0
}

// cover makes the midlines, bands and radii those of [0, until], if they may, and returns until in the time of the midlines. Of a plain step it is
// until itself.
func (c *call) cover(until float64) float64 {
	p := &c.moving
	switch {
	case !c.moves() || !mayCutMotion(p.paths, &c.o):
		return until
	case !p.section.whole():
		return p.section.At(until)
	case until < p.upTo:
		x0, x1, deviation := p.paths.Midlines(until)
		c.mo.Reserve(c.m.NV)
		for i := range x0 {
			r := c.mo.Rec[8*(i/3):]
			r[i%3], r[4+i%3] = x0[i], x1[i]
		}
		p.upTo, p.cut.once = until, nil
		c.setBands(deviation)
		c.forgetSifted()
	}
	return 1
}

// share is the time t of the step in that of the midlines, rounded up.
func (p *moving) share(t float64) float64 {
	switch {
	case !p.section.whole():
		return p.section.At(t)
	case t < p.upTo:
		return min(1, num.DivUp(t, p.upTo))
	}
	return 1
}

// bandsAround sets the bands of the vertices from to to-1 of a motion with these midlines and deviations, and by vertex how far they reach, rounded up.
//
// With u = 2^-53, x - d as computed is below its true value by at most u |x - d| and one step of a double, 3u (|x| + d) together; the same with x + d. So
// d + 8u (|x| + d) + 2^-1070 in floats is enough.
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

// boxMargins returns, by vertex, by how much boxes must be inflated beside the separation, the radii of the mesh and the deviations: by the
// largest radius of the paths of the vertex, and by what lets a gap of boxes prove SolveMotion's axes apart, which round sums up.
//
// Let a pair have the separation d = Separation(m, R_a, R_b), at most (1 + 2u)(m + R_a + R_b), and rho = r_a + r_b rounded up. SolveMotion
// compares with d + rho rounded up, at most (1 + 2u)^2 (m + R_a + R_b + r_a + r_b). Boxes are inflated by m/2 + R + r and the margin
// r 2^-50 + 2^-51 (m + 2R), R the largest, each: together by at least the (1 + 8u)-fold. Where all are 0
// SolveMotion compares with 0, which takes no margin.
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

// checkingStart runs a check of the positions at t = 0, which midlines do not have.
func (c *call) checkingStart(check func() error) error {
	if !c.moves() {
		return check()
	}
	c.mo, c.moving.start = c.moving.start, c.mo
	defer func() { c.mo, c.moving.start = c.moving.start, c.mo }()
	return check()
}

// untilMotion is until for a motion.
func (w *worker) untilMotion(c *call, k geom.Kind, pairs [][2]int32, tMax *float64, emit func(i int, im *geom.Impact)) {
	s := &w.moving
	s.options = c.o.Options
	uniform, d := c.radii.Uniform(), c.radii.LargestSeparation(c.o.MinSeparation)
	left := w.siftMotion(c, k, pairs, math.Min(*tMax, c.o.TMax))
	first, end := c.section.pieces()
	for n, i := range w.findCurved(c, k, pairs, left, tMax, emit) {
		pair := pairs[i]
		if !uniform {
			d = c.radii.Pair(k, pair[0], pair[1], c.o.MinSeparation)
		}
		if c.axes.apart(k, &w.idx[i], d) {
			continue
		}
		if p := &s.parts; len(p.piece) > 0 {
			if first, end = int(p.piece[n]), int(p.piece[n])+1; p.hit[i] { // on a piece before
				continue
			}
		}
		if once := &c.moving.solved; once.once && !c.findsCurved(k) { // else findCurved has looked
			key := keyOf(k, pair)
			if once.has(key) {
				continue
			}
			if c.section.halvings > 0 {
				s.keys.tried = append(s.keys.tried, key)
			}
		}
		s.options.MinSeparation = d
		if until := math.Min(*tMax, c.o.TMax); len(c.axes.control) > 0 {
			w.solver.SolvePiece(c.paths, k, c.axes.gather(k, &w.idx[i], &s.control), &s.options, until, &s.impact)
		} else {
			w.solvePieces(c, k, w.idx[i][:k.Points()], first, end, until)
		}
		if s.impact.Verdict != geom.Separate {
			s.impact.A, s.impact.B = int64(pair[0]), int64(pair[1])
			w.touch(c, i, keyOf(k, pair))
			emit(int(i), &s.impact)
		}
	}
}

// solvePieces solves a pair on some pieces, up to a time. If it takes more than their share of MaxIterations, as it hardly ever does, the halvings of all pieces may be too many: then it solves the pair on all of
// them. As long as each piece takes its share at most, none of them is left undecided, and the result is that of all pieces.
func (w *worker) solvePieces(c *call, k geom.Kind, vertices []int32, first, end int, until float64) {
	s, pieces := &w.moving, c.paths.Pieces()
	halvings := w.solver.SolveMotionPieces(c.paths, k, vertices, first, end, &s.options, until, &s.impact)
	if end-first < pieces && halvings > int64(end-first)*(c.o.MaxIterations/int64(pieces)) {
		w.solver.SolveMotionUntil(c.paths, k, vertices, &s.options, until, &s.impact)
	}
}

// touch notes that a pair of a block is in contact, where it may be found on later pieces.
func (w *worker) touch(c *call, i int32, key uint64) {
	s := &w.moving
	if len(s.parts.piece) > 0 {
		s.parts.hit[i] = true
	}
	if c.moving.solved.once && c.paths.Pieces() > 1 {
		s.keys.touched = append(s.keys.touched, key)
	}
}

// solveMotion solves one pair, up to a time that is at most that of the options.
func (w *worker) solveMotion(c *call, k geom.Kind, pair [2]int32, until float64, out *geom.Impact) {
	o := c.o.Options
	o.MinSeparation = c.radii.Pair(k, pair[0], pair[1], o.MinSeparation)
	idx := c.m.Indices(k, pair[0], pair[1])
	w.solver.SolveMotionUntil(c.paths, k, idx[:k.Points()], &o, math.Min(until, o.TMax), out)
	out.A, out.B = int64(pair[0]), int64(pair[1])
}

package narrow

import (
	"fmt"
	"math"
	"unsafe"

	"ccd/core/exact/curved"
	"ccd/core/geom"
	"ccd/core/motion"
	"ccd/core/num"
	"ccd/core/status"
)

// CheckMotion returns an error unless SolveMotion takes the options.
func CheckMotion(o *Options) error {
	switch {
	case o.Method != Default && o.Method != Exact:
		return status.Errorf(status.ErrUnsupported, "options.method is %d: motions take the exact method alone",
			o.Method)
	case o.Flags&ApartAtTOI != 0:
		return status.Errorf(status.ErrUnsupported, "options.flags has CCD_APART_AT_TOI: motions do not support it")
	case o.SceneBound != [3]float64{}:
		return status.Errorf(status.ErrUnsupported, "options.scene_bound: motions do not support it")
	}
	return nil
}

// CheckPair returns an error unless the vertices are those of a query of the kind over the motion.
func CheckPair(m *motion.Motion, kind geom.Kind, vertices []int32) error {
	if len(vertices) != kind.Points() {
		return fmt.Errorf("vertices has %d entries: %v takes %d", len(vertices), kind, kind.Points())
	}
	for i, v := range vertices {
		if v < 0 || int(v) >= m.Vertices() {
			return fmt.Errorf("vertices[%d] is %d: the motion has %d: %w", i, v, m.Vertices(), status.ErrIndex)
		}
	}
	return nil
}

// SolveMotion decides a pair of primitives whose vertices move as m says. The options have passed
// Check and CheckMotion, the vertices CheckPair. out is always written; A = B = -1.
//
// Let rho be the largest radius of a's vertices and the largest of b's together, on a piece. The
// polynomials are decided exactly with the separation d + rho. Apart by more than d + rho, the
// paths are apart by more than d: a point of a primitive is a convex combination of its vertices,
// so it is off by at most their largest radius. In contact, they are within d + 2 rho. So
//
//   - with rho = 0 the answer is the exact one of the polynomials: laws 1 to 9 with delta = eps =
//     0. A motion of degree 1, one piece and radius 0 has the bits of Solve;
//   - otherwise laws 1, 2 and 4 hold as they are, law 3 with d + 2 rho, and no contact is
//     certified. A motion that refines is halved in time until 2 rho <= tolerance where a pair
//     comes near, or until a half has more than half of the radius: then rounding of the
//     coordinates is what is left. Each halving counts against MaxIterations.
func (s *Solver) SolveMotion(m *motion.Motion, kind geom.Kind, vertices []int32, o *Options, out *geom.Impact) {
	s.SolveMotionUntil(m, kind, vertices, o, o.TMax, out)
}

// SolveMotionUntil writes what SolveMotion does if its TOILo is below until, which is at most TMax.
// Otherwise it may write Separate.
//
// Parts of time that begin after until are left out, as are those on which nothing can be found up
// to until (apartUntil), and on the others the polynomials are decided up to until, by a method
// whose answers are unique. Nothing else depends on until: not which parts are halved, for there
// the paths of a half are not those of the whole.
func (s *Solver) SolveMotionUntil(m *motion.Motion, kind geom.Kind, vertices []int32, o *Options, until float64,
	out *geom.Impact) {
	s.SolveMotionPieces(m, kind, vertices, 0, m.Pieces(), o, until, out)
}

// SolveMotionPieces is SolveMotionUntil on the pieces first to end-1 alone. The first piece on
// which a pair is not Separate has its result, unless MaxIterations was spent before: it counts the
// halvings of these pieces, which are returned.
func (s *Solver) SolveMotionPieces(m *motion.Motion, kind geom.Kind, vertices []int32, first, end int, o *Options,
	until float64, out *geom.Impact) (halvings int64) {
	if m.Linear() {
		var q [24]float64
		var r [4]float64
		m.Gather(0, vertices, q[:kind.Len()], r[:])
		s.Solve(kind, q[:kind.Len()], o, out)
		return 0
	}
	p := &s.moving
	p.motion, p.vertices, p.o, p.until = m, vertices, o, until
	p.halvings = o.MaxIterations
	p.query = curved.MotionQuery{Kind: kind, Degree: m.Degree(), MaxNorm: o.Flags&MaxNorm != 0}
	times := m.Times()
	for j := first; j < end && times[j] <= until; j++ {
		control := p.block(0)
		m.Gather(j, vertices, control, p.radius[:])
		if s.part(control, times[j], times[j+1], 0, 0, out); out.Verdict != geom.Separate {
			return o.MaxIterations - p.halvings
		}
	}
	out.SetSeparate(kind)
	return o.MaxIterations - p.halvings
}

// SolvePiece is SolveMotionUntil for a motion of one piece without radii: control is the pair's
// control points, which the caller has gathered, and no axis keeps them apart by more than the
// separation.
func (s *Solver) SolvePiece(m *motion.Motion, kind geom.Kind, control []float64, o *Options, until float64,
	out *geom.Impact) {
	p := &s.moving
	p.motion, p.o, p.until = m, o, until
	p.query = curved.MotionQuery{
		Kind: kind, Degree: m.Degree(), MaxNorm: o.Flags&MaxNorm != 0, Control: control, T1: 1,
		Separation: o.MinSeparation, AxesDone: true,
	}
	s.decideMotion(0, out)
}

// CurveFinder is exact.CurveFinder, for whole steps.
type CurveFinder = curved.CurveFinder

// PlacePiece writes the contact that SolvePiece finds without a separation, of a pair whose first
// contact is strictly between toi and the next double.
func (s *Solver) PlacePiece(m *motion.Motion, kind geom.Kind, control []float64, o *Options, toi float64,
	out *geom.Impact) {
	p := &s.moving
	p.motion, p.o = m, o
	p.query = curved.MotionQuery{Kind: kind, Degree: m.Degree(), MaxNorm: o.Flags&MaxNorm != 0, Control: control, T1: 1}
	out.SetSeparate(kind)
	out.Verdict, out.TOILo, out.TOIHi, out.Flags = geom.Contact, toi, math.Nextafter(toi, 2), geom.Certified
	s.placeMotion(out)
}

// MotionBytes is the memory of a solver for motions, beside that of the solver itself.
const MotionBytes = int(unsafe.Sizeof(curved.MotionResolver{}))

// moving is the scratch of SolveMotion.
type moving struct {
	resolver *curved.MotionResolver // made at the first use, because most solvers never solve a motion
	motion   *motion.Motion
	vertices []int32
	o        *Options
	until    float64
	query    curved.MotionQuery
	halvings int64 // the halvings that remain, if MaxIterations is not 0
	radius   [4]float64
	controls [][]float64 // control points at each depth of the halving
	parts    motion.Parts
	tangent  [24]float64
}

// exact returns the resolver.
func (p *moving) exact() *curved.MotionResolver {
	if p.resolver == nil {
		p.resolver = new(curved.MotionResolver)
	}
	return p.resolver
}

// block returns the storage of control points at a depth.
func (p *moving) block(depth int) []float64 {
	for len(p.controls) <= depth {
		p.controls = append(p.controls, make([]float64, 12*(motion.MaxDegree+1)))
	}
	return p.controls[depth][:3*(p.motion.Degree()+1)*len(p.vertices)]
}

// rho returns the sum of the largest radii of both primitives, rounded up.
func (p *moving) rho() float64 {
	a, b := 0.0, 0.0
	split := p.query.Kind.Info().Split
	for i := range p.vertices {
		if i < split {
			a = max(a, p.radius[i])
		} else {
			b = max(b, p.radius[i])
		}
	}
	return num.AddUp(a, b)
}

// part decides t in [t0, t1], on which the vertices have the control points and p.radius; before is
// rho of the part that it is a half of.
//
// No part that is decided has a larger rho than those that it is in: where a half does, the part is
// decided itself. And rho falls to a half at least with each halving, or the halves are the last.
func (s *Solver) part(control []float64, t0, t1, before float64, depth int, out *geom.Impact) {
	p := &s.moving
	q := &p.query
	out.SetSeparate(q.Kind)
	if t0 > p.until {
		return
	}
	rho := p.rho()
	separation := num.AddUp(p.o.MinSeparation, rho)
	q.Control, q.T0, q.T1, q.Separation = control, t0, t1, separation
	middle := t0 + float64(0.5*(t1-t0))
	final := !(2*rho > p.o.Tolerance) || !p.motion.Refines() || depth > 0 && rho > 0.5*before ||
		!(t0 < middle && middle < t1)
	if final {
		s.decideMotion(rho, out)
		return
	}
	if p.until < min(t1, p.o.TMax) && p.apartUntil(rho) || p.exact().Apart(q, p.o.TMax) {
		return
	}
	if p.o.MaxIterations > 0 {
		if p.halvings == 0 {
			*out = geom.Impact{Verdict: geom.Undecided, Kind: q.Kind, A: -1, B: -1, TOILo: t0, TOIHi: min(t1, p.o.TMax)}
			out.Flags = geom.ReasonIterations
			return
		}
		p.halvings--
	}
	halves, ends := [2][]float64{p.block(2*depth + 1), p.block(2*depth + 2)}, [3]float64{t0, middle, t1}
	var radii [2][4]float64
	most := 0.0
	for i := range halves {
		p.parts.Enclose(p.motion, ends[i], ends[i+1], p.vertices, halves[i], p.radius[:])
		radii[i], most = p.radius, max(most, p.rho())
	}
	if most > rho { // What remains of the radius is rounding.
		s.decideMotion(rho, out)
		return
	}
	for i := range halves {
		p.radius = radii[i]
		if s.part(halves[i], ends[i], ends[i+1], rho, depth+1, out); out.Verdict != geom.Separate {
			return
		}
	}
}

// apartUntil reports whether no part of the query's time that is decided can be in contact up to
// p.until, so that none needs to be looked at.
//
// The polynomials of such a part have at most rho around the paths, as those of the query have, so
// these are within 2 rho of each other. If the query's keep more than d + 3 rho, they keep more
// than d + rho. Halvings: with rho_k <= rho 2^-k after k of them, and 2 rho_k > tolerance where
// there is another, all parts together take less than 4 rho / tolerance. They are taken from the
// budget, and must be left, so that no part would have been left undecided.
func (p *moving) apartUntil(rho float64) bool {
	most := 5 * rho / p.o.Tolerance
	if p.o.MaxIterations > 0 && !(most < float64(p.halvings)) {
		return false
	}
	q := &p.query
	separation := q.Separation
	q.Separation = num.AddUp(separation, 2*rho)
	apart := p.exact().Apart(q, p.until)
	q.Separation = separation
	if apart && p.o.MaxIterations > 0 {
		p.halvings -= int64(most)
	}
	return apart
}

// decideMotion decides the query exactly, and writes the place of the contact.
func (s *Solver) decideMotion(rho float64, out *geom.Impact) {
	p := &s.moving
	q := &p.query
	p.exact().Resolve(q, p.until, out)
	if out.Verdict != geom.Contact {
		return
	}
	s.placeMotion(out)
	if rho > 0 {
		out.Flags = 0
	}
}

// placeMotion writes the place of the query's contact.
func (s *Solver) placeMotion(out *geom.Impact) {
	p := &s.moving
	q := &p.query
	tangent := p.tangent[:q.Kind.Len()]
	p.exact().Place(q, out, tangent)
	options := Options{MinSeparation: q.Separation, TMax: 1, Tolerance: 1, Flags: p.o.Flags}
	s.form.load(q.Kind, tangent, &options)
	out.Normal = s.form.normal(0, 0, out.U, out.V)
}

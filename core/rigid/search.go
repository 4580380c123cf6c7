package rigid

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
)

// A Search finds the earliest contact in another way than this package. The package still validates
// the arguments, bounds the time in which contact is possible, and writes the contact.
// core/reference/d2m is a Search; capi hands it over.
type Search interface {
	// Check reports an option that the search does not support, for two bodies or for a body and a
	// mesh.
	Check(o *Options, mesh bool) error
	// Find searches [From, To] of the call. The result is Separate unless it writes another.
	Find(c *Call)
}

// Call is a query as a Search sees it: two bodies, or a body and an element of a mesh that deforms.
type Call struct {
	Options  *Options
	Bodies   [2]*Body       // the second is nil over a mesh
	Motions  [2]*Motion     // the second is nil over a mesh
	Element  MovingTriangle // over a mesh
	From, To float64        // contact is possible in this part of [TMin, TMax] alone
	Speed    float64        // a bound on the speed with which two points approach each other
	Budget   int64          // the number of steps the search may take; 0: no limit
	Steps    int64          // the number of steps taken, which the search counts
	Out      *Impact
	Scratch  any // data that the search keeps in the solver for its next call

	solver interface {
		touch(t float64, faceA, faceB int32, initial bool) (closing float64)
		keeps(t float64) bool
	}
}

// MovingTriangle is an element of a mesh as seen from A's pivot: its corners at TMin, and the
// vectors from there to where they are at TMax, after Span. That of an edge or a vertex repeats
// corners. Each corner errs by less than Error on its way.
type MovingTriangle struct {
	From, Way          [3]r3.Vec
	Span, Reach, Error float64 // Reach bounds the distance of the corners from the pivot
}

// Touch writes a contact of two triangles at the time t, and returns the speed with which their
// nearest points close along the normal. initial: they may already touch, or intersect, at TMin.
// TOILo is t; a Search that reports a pose before it lessens it.
func (c *Call) Touch(t float64, faceA, faceB int32, initial bool) (closing float64) {
	return c.solver.touch(t, faceA, faceB, initial)
}

// Keeps reports whether this package proves that the two are more than MinSeparation apart at the
// time t. The proof has a budget of its own: what it took to find a contact says nothing of how
// long it takes to look at one instant before.
func (c *Call) Keeps(t float64) bool { return c.solver.keeps(t) }

// SetUndecided writes that the two are apart until t, and that nothing is known from then on. why
// is one of geom's reasons, or 0 where the call failed.
func (im *Impact) SetUndecided(t float64, why uint32) {
	*im = Impact{TOILo: t, TOIHi: math.Inf(1), IndexA: -1, IndexB: -1, Flags: why}
}

// find runs the Search of the options on two bodies.
func (s *Solver) find(ma, mb *Motion, from, to float64) {
	c := &s.call
	*c = Call{
		Options: &s.o, Bodies: [2]*Body{s.a.body, s.b.body}, Motions: [2]*Motion{ma, mb}, From: from, To: to,
		Speed:  s.speed + float64(s.a.rate*s.a.radius) + float64(s.b.rate*s.b.radius),
		Budget: s.budget, Out: s.out, Scratch: c.Scratch, solver: s,
	}
	s.o.Search.Find(c)
	s.steps += c.Steps
}

func (s *Solver) touch(t float64, faceA, faceB int32, initial bool) (closing float64) {
	s.f.t = math.NaN()
	s.move(t)
	s.leaf.set(&s.query, &s.a.body.tri[faceA], &s.b.body.tri[faceB])
	s.leaf.Refine()
	s.intersectAtStart(t, initial)
	s.contact(t, t, faceA, faceB)
	n := &s.leaf.Near
	a := geom.Cross(s.a.spin, n.PA)
	b := r3.Add(geom.Cross(s.b.spin, r3.Sub(n.PB, s.f.x)), s.v)
	return math.Abs(geom.Dot(s.out.Normal, r3.Sub(b, a)))
}

func (s *Solver) keeps(t float64) bool {
	return s.apartAt(t, func() { s.advancement(t, t) })
}

func (w *meshSolver) keeps(t float64) bool {
	return w.apartAt(t, func() { w.advancement(t) })
}

// pierceAtStart sets the flag of triangles that may intersect at the start, and do.
func (s *search) intersectAtStart(t float64, initial bool) {
	if initial && t == s.o.TMin && math.Sqrt(s.leaf.Near.D2) > 4*s.f.margin &&
		(s.leaf.Intersect(s.within()) || s.leaf.Cross(s.f.margin)) {
		s.out.Flags |= Intersecting
	}
}

// apartAt reports whether a search of the time t alone proves the two separate, with a budget of
// its own.
func (s *search) apartAt(t float64, search func()) bool {
	o, out, until, budget, steps := s.o, s.out, s.until, s.budget, s.steps
	defer func() { s.o, s.out, s.until, s.budget, s.steps = o, out, until, budget, s.steps+steps }()
	s.budget, s.steps = o.MaxIterations, 0
	var answer Impact
	answer.setSeparate()
	s.o.TMin, s.o.TMax, s.out, s.until = t, t, &answer, math.Inf(1) // a time before a late contact need not be late
	search()
	return answer.Verdict == geom.Separate
}

// find runs the Search of the options on the body and the element, which the body does not meet
// before start.
func (w *meshSolver) find(start float64) {
	c := &w.call
	*c = Call{
		Options: &w.o, Bodies: [2]*Body{w.a.body}, Motions: [2]*Motion{w.motion}, From: start, To: w.o.TMax,
		Speed: w.speed + float64(w.a.rate*w.a.radius), Budget: w.budget, Out: w.out, Scratch: c.Scratch, solver: w,
	}
	c.Element.Span, c.Element.Reach = w.span[0], w.far
	for k := range 3 {
		c.Element.From[k], c.Element.Way[k] = w.from[k].hi, w.way[k].hi
	}
	// The ends are off by u of themselves, their difference by as much, the fraction of time by 3u;
	// product, quotient and sums round by u.
	c.Element.Error = float64(64*0x1p-53*w.far) + float64(8*pairMargin*w.path)
	w.o.Search.Find(c)
	w.steps += c.Steps
}

func (w *meshSolver) touch(t float64, faceA, _ int32, initial bool) (closing float64) {
	w.move(t)
	w.setFace(faceA)
	w.leaf.Refine()
	w.intersectAtStart(t, initial)
	w.contact(t, t, faceA)
	l := &w.leaf
	vb := velocityAt(&l.B, &l.vb, l.Near.FB, l.Near.PB)
	return math.Abs(geom.Dot(w.out.Normal, r3.Sub(vb, geom.Cross(w.a.spin, l.Near.PA))))
}

package rigid

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
	"ccd/core/num"
)

// differentiateTwice answers by the method of 2017, and takes the paper's step back (section V): from the raw contact by
// what the bodies need, at the speed with which they close along the normal, to open Separation and half the tolerance.
//
// The paper's step is no proof, for the speed may change on the way and other parts may be closer. So the pose is asked about by
// the default method, at that one time, and the step doubled until it is proven to keep Separation; at T0 at the latest.
// TOILo is then the proven pose. TOIHi is the beginning of the root finder's last interval, before which the surfaces are proven not to touch;
// they may do so before its end, but no point goes farther than an eighth of the tolerance in it.
func (s *Solver) differentiateTwice(ma, mb *Motion, from, to float64) {
	o, im := s.o, s.out
	// A step of epsilon moves no point by more than an eighth of the tolerance.
	speed := s.speed + float64(s.a.rate*s.a.radius) + float64(s.b.rate*s.b.radius)
	epsilon := max(0.125*o.Tolerance/max(speed, 0x1p-500), 0x1p-52*max(math.Abs(o.T0), math.Abs(o.T1)))
	s.d2m.warm = false // an answer has the same bits whatever was asked before
	f := s.d2m.earliest(s.a.body.sphereTree(), s.b.body.sphereTree(), ma, mb, from, to,
		d2mOptions{epsilon: epsilon, capoeira: o.Method == Capoeira, budget: int(min(s.budget, math.MaxInt32))})
	s.steps = int64(f.steps)
	switch {
	case f.verdict == geom.Undecided:
		im.setUndecided(f.lo)
	case f.capoeira:
		im.Verdict, im.TOILo, im.TOIHi, im.Flags = geom.Contact, f.lo, f.hi, Approximate
		if f.initial && from == o.T0 {
			im.Flags |= InitialContact
		}
	case f.verdict == geom.Contact:
		s.stepBack(f)
	}
}

// stepBack writes the contact f, and the pose before it.
func (s *Solver) stepBack(f d2mFound) {
	s.f.t = math.NaN()
	s.move(f.lo)
	s.leaf.set(&s.query, &s.a.body.tri[f.faces[0]], &s.b.body.tri[f.faces[1]])
	if f.initial && f.lo == s.o.T0 && math.Sqrt(s.leaf.near.d2) > 4*s.f.margin && s.leaf.pierced(s.within()) {
		s.out.Flags |= Penetrating
	}
	s.contact(f.lo, f.lo, f.faces[0], f.faces[1]) // the surfaces are proven not to touch before f.lo; until f.hi they may
	back := (s.separation + float64(0.5*s.o.Tolerance)) / max(s.closing(), 0x1p-500)
	for t := f.lo; t > s.o.T0; back *= 2 {
		t = max(num.SubDown(f.lo, back), s.o.T0)
		if s.keeps(t) {
			s.out.TOILo = t
			return
		}
	}
	s.out.TOILo = s.o.T0
	s.out.Flags |= InitialContact
}

// closing is the speed with which the nearest points of the leaf close along the normal.
func (s *Solver) closing() float64 {
	n := &s.leaf.near
	a := geom.Cross(s.a.spin, n.pa)
	b := r3.Add(geom.Cross(s.b.spin, r3.Sub(n.pb, s.f.x)), s.v)
	return math.Abs(geom.Dot(s.out.Normal, r3.Sub(b, a)))
}

// keeps tells that the bodies are proven to be more than Separation apart at the time t. That is asked with a budget of its own: what it took
// to find the contact says nothing of how long it takes to look at one instant before.
func (s *Solver) keeps(t float64) bool {
	o, out, until, budget, steps := s.o, s.out, s.until, s.budget, s.steps
	defer func() { s.o, s.out, s.until, s.budget, s.steps = o, out, until, budget, s.steps+steps }()
	s.budget, s.steps = o.MaxSteps, 0
	var answer Impact
	answer.setSeparate()
	s.o.T0, s.o.T1, s.out, s.until = t, t, &answer, math.Inf(1) // the time back from a late contact need not be late
	s.advancement(t, t)
	return answer.Verdict == geom.Separate
}

package clearance

import (
	"math"

	"ccd/core/geom"
)

// pursuit is a query of an EuclideanResolver whose features are followed.
type pursuit struct {
	follower Follower

	kind  geom.Kind
	q     [24]float64 // a copy, so that a caller's query stays on its stack
	d     float64
	begun bool    // the search from `from` has begun
	from  float64 // the pair is apart on [0, from], unless that is 0; double-doubles tell it well
	until float64 // the last time up to which the last change is known to last, or 0
}

// pursue sets the query, which is apart on [0, from] unless from = 0.
func (r *EuclideanResolver) pursue(kind geom.Kind, q []float64, d, from float64) {
	if r.pursuit == nil {
		r.pursuit = new(pursuit)
	}
	x := r.pursuit
	x.kind, x.d, x.begun, x.from, x.until = kind, d, false, from, 0
	copy(x.q[:], q)
}

// lingers reports whether the distance hardly changes at a time beside how fast the points move:
// the pair slides. No proof rests on it.
func (r *EuclideanResolver) lingers(t float64) bool {
	var x nearest
	r.look(t, &x)
	_, closing := r.gap(&x)
	speed := 0.0
	for c := range r.Lines.Shape.Corners {
		for k := range 3 {
			p := &r.Lines.P[c][k]
			speed = max(speed, math.Abs(p.At1-p.At0))
		}
	}
	return math.Abs(closing) < 0x1p-12*speed
}

// follow decides the query that is pursued by its features' polynomials, if it is certainly apart
// at a or at an earlier time, or finds a later a.
func (r *EuclideanResolver) follow(a, tMax float64) Instant {
	x := r.pursuit
	if !x.begun {
		x.follower.Begin(x.kind, r.Lines.D, false, r)
		x.begun = true
		if v, _ := x.follower.stateAt(x.from); v == apart {
			if t := r.change(x.from, tMax, false); !t.Undecided || t.Lo > a {
				return t
			}
		}
	}
	if v, _ := x.follower.stateAt(a); v != apart {
		return Instant{Undecided: true, Lo: a}
	}
	return r.change(a, tMax, false)
}

// change is Follower.Change of the query that is pursued.
func (r *EuclideanResolver) change(a, tMax float64, contact bool) Instant {
	t := r.pursuit.follower.Change(a, tMax, contact)
	if t.Contact {
		r.pursuit.until = r.pursuit.follower.Until
	}
	return t
}

// Over is the EuclideanResolver as the course of a Follower. Its bounds are those at doubleError:
// a component at a time errs by 35 of the largest.
func (r *EuclideanResolver) Over(lo, hi float64, f *Follower) {
	l := &r.Lines
	f.Degree = 1
	if lo == hi {
		f.Degree = 0
	}
	times := [2]float64{lo, hi}
	for k := range 3 {
		for c := range l.Shape.Corners {
			for i, t := range times[:f.Degree+1] {
				f.Corners[c][k][i] = l.P[c][k].at(t)
			}
		}
		f.CornerErrors[k] = float64(48*square2*l.Mp[k]) + lost
		for j := range l.Shape.Edges {
			for i, t := range times[:f.Degree+1] {
				f.Edges[j][k][i] = l.E[j][k].at(t)
			}
			f.EdgeErrors[j][k] = float64(48*square2*l.me[j][k]) + lost
		}
	}
}

// Holds reports whether the direction of x keeps the pair apart from lo to hi. Its product with a
// corner is linear in t, so both ends say it for all times between; its bound is that of Ahead.
func (r *EuclideanResolver) Holds(x *NearestDouble, lo, hi float64) bool {
	far := x.Size.By(r.Lines.D)
	for c := range r.Lines.Shape.Corners {
		for _, t := range [2]float64{lo, hi} {
			p := VectorAt(&r.Lines.P[c], t)
			if !(InnerDouble(&x.N, &p).Minus(far).Hi > x.Rounding) {
				return false
			}
		}
	}
	return true
}

// Stays reports whether the certificate of contact holds from x's time to y's.
func (r *EuclideanResolver) Stays(x, y *NearestDouble) bool {
	v, w := x.weights(), y.weights()
	if s, yes := r.nearer(y, &w); !yes && !y.refine(r.Sides, &w, &s) {
		return false
	}
	c := r.inside(x, y, &v, &w)
	return c.positive() == 1
}

// Sign is the exact sign of near at t, the only polynomial that turns without a plane.
func (r *EuclideanResolver) Sign(part int8, _ int, t float64) int {
	x := &r.ties
	x.load(r.pursuit.kind, r.pursuit.q[:], r.pursuit.d, t, t)
	x.face(r.Sides, part, 0)
	return x.near(0)
}

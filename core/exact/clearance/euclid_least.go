package clearance

import (
	"math"

	"ccd/core/geom"
)

// This file computes the least Euclidean distance over time, by branch and bound.
//
// Below. With the direction n(t) that goes linearly from n_a to n_b on [a, b] (euclid.go),
// n(t).p(t) >= m |n(t)| for all corners p, and so the distance is at least m, where each Bernstein
// coefficient says so:
//
//	min n_a.p_a >= m |n_a|    min (n_a.p_b + n_b.p_a) >= m (|n_a| + |n_b|)    min n_b.p_b >= m |n_b|
//
// The largest such m is within O((b - a)^2) of the distance where the directions towards the
// nearest points turn evenly, and within O(b - a) with one direction.
//
// Above. The point of any weights of the corners, at any time.
//
// Both bounds hold for any directions and weights: rounding (euclideanError, euclideanContactError)
// is part of them. How wide the bracket is at one time depends on how directions and weights are
// found. euclid_least_time.go finds them such that it is at most a quarter of the tolerance at
// every time at which the search looks; only so does halving end.
//
// The end. The search looks at no more than leastLooks times. After them Resolve, which compares
// the distance exactly with a given d, halves the bracket with each call. So Least returns only
// when the bracket is as narrow as the tolerance.

// leastTolerance is the least width of a bracket, in units of about the longest difference: twenty
// times what rounding leaves open.
const leastTolerance = 0x1p-40

// leastLooks is the number of times at which a search looks before it leaves the rest to Resolve.
// Nearly all pairs take less than 100. Tests lower it.
var leastLooks = 1 << 12

// LeastQuery is a query of Least: a pair that does not touch.
type LeastQuery struct {
	Kind geom.Kind
	Q    []float64
	TMax float64
	// Tolerance is the wanted width of the bracket. It is raised to about 2^-40 of the longest
	// difference of two points, if it is less.
	Tolerance float64
	Cutoff    float64 // distances above it do not matter
}

// Least brackets the least distance for t in [0, TMax]; it reports false, and writes nothing, if
// that is proven to exceed the cutoff. What it writes does not depend on the cutoff.
func (r *EuclideanResolver) Least(q *LeastQuery, out *geom.LeastDistance) bool {
	s := leastSearch{EuclideanResolver: r, q: *q}
	s.load()
	e := r.Lines.exponent
	s.tolerance = max(math.Ldexp(q.Tolerance, -e)*(1-0x1p-16), leastTolerance)
	var ends [2]moment
	s.see(0, &ends[0])
	s.see(q.TMax, &ends[1])
	s.looks = leastLooks
	if !s.near(&ends[0], &ends[1], math.Ldexp(q.Cutoff, -e)*(1+0x1p-50)) {
		return false
	}
	s.looks = leastLooks
	s.lo, s.best.hi = math.Inf(1), math.Inf(1)
	s.offer(&ends[0])
	s.offer(&ends[1])
	s.split(&ends[0], &ends[1])
	s.finish()
	u, v := s.best.parameters()
	if q.Kind.Info().Domain == geom.Triangle {
		v = min(v, 1-u)
	}
	*out = geom.LeastDistance{
		Kind: q.Kind, A: -1, B: -1, T: s.best.T, U: u, V: v,
		Lo: math.Max(0, math.Nextafter(math.Ldexp(min(s.lo, s.best.hi), e), -1)),
		Hi: math.Nextafter(math.Ldexp(s.best.hi, e), math.Inf(1)),
	}
	return true
}

// Near bounds the distance of a pair at the start of its query from above. Without overflow the
// bound exceeds the distance by no more than a quarter of the tolerance.
func (r *EuclideanResolver) Near(kind geom.Kind, q []float64, tolerance float64) float64 {
	s := leastSearch{EuclideanResolver: r, q: LeastQuery{Kind: kind, Q: q}}
	s.load()
	s.tolerance = max(math.Ldexp(tolerance, -r.Lines.exponent)*(1-0x1p-16), leastTolerance)
	var m moment
	s.see(0, &m)
	return math.Nextafter(math.Ldexp(m.hi, r.Lines.exponent), math.Inf(1))
}

// leastSearch is a search by halving the time.
//
// Size: most members are those of the EuclideanResolver, whose looks at the nearest feature it
// uses.
type leastSearch struct {
	*EuclideanResolver
	q         LeastQuery
	tolerance float64
	best      moment  // the one with the least upper bound so far
	lo        float64 // the least lower bound of the finished intervals
	looks     int     // the number of times that the search may still look at
}

// load computes the corners of the query.
func (s *leastSearch) load() {
	l := &s.Lines
	l.Shape = &Shapes[s.q.Kind]
	s.Sides, s.Plane = PolygonSides[s.q.Kind], len(l.Shape.Edges) > 1
	l.LoadAll(s.q.Q, 3*s.q.Kind.Points())
}

// offer keeps x as the best moment if its upper bound is less.
func (s *leastSearch) offer(x *moment) {
	if x.hi < s.best.hi {
		s.best = *x
	}
}

// split bounds the distance between x and y from below, to within the tolerance of the least upper
// bound or as well as it can.
func (s *leastSearch) split(x, y *moment) {
	l := s.below(x, y)
	var m moment
	if l >= s.best.hi-s.tolerance || !s.between(x, y, &m) {
		s.lo = min(s.lo, l)
		return
	}
	s.offer(&m)
	if x.hi <= y.hi {
		s.split(x, &m)
		s.split(&m, y)
	} else {
		s.split(&m, y)
		s.split(x, &m)
	}
}

// near reports whether the distance between x and y may be at most the cutoff.
func (s *leastSearch) near(x, y *moment, cutoff float64) bool {
	l := s.below(x, y)
	if l > cutoff {
		return false
	}
	var m moment
	if h := min(x.hi, y.hi); h <= cutoff || h-l <= s.tolerance || !s.between(x, y, &m) {
		return true
	}
	return s.near(x, &m, cutoff) || s.near(&m, y, cutoff)
}

// between looks at the middle of the times of x and y, if there is a double and looks are left.
func (s *leastSearch) between(x, y, m *moment) bool {
	t := x.T + float64(0.5*(y.T-x.T))
	if !(t > x.T && t < y.T) || s.looks <= 0 {
		return false
	}
	s.looks--
	s.see(t, m)
	return true
}

// finish halves the bracket by exact comparisons until it is as narrow as the tolerance. The pair
// comes within d first in [toi_lo, toi_hi]: at both, neighboring doubles, it is no farther apart
// than d and what it moves between them and rounding, far less than a quarter of the tolerance. So
// each comparison leaves at most three quarters of the bracket.
func (s *leastSearch) finish() {
	e := s.Lines.exponent
	for s.best.hi-s.lo > s.tolerance {
		d := math.Ldexp(s.lo+float64(0.5*(s.best.hi-s.lo)), e)
		before := s.best.hi
		if !(d > math.Ldexp(s.lo, e)) {
			return // the unit of doubles is wider than the tolerance
		}
		var im geom.Impact
		s.Resolve(s.q.Kind, s.q.Q, d, s.q.TMax, &im)
		s.load()
		if im.Verdict != geom.Contact {
			s.lo = math.Ldexp(d, -e) // exactly: d lies between denormals and the coordinates
			continue
		}
		for _, t := range [2]float64{im.TOILo, min(im.TOIHi, s.q.TMax)} {
			var m moment
			s.see(t, &m)
			s.offer(&m)
		}
		if !(s.best.hi < before) {
			return // cannot be, and would not end
		}
	}
}

// below bounds the distance between the times of x and y from below, by the direction that turns
// from x's to y's, and by each alone.
func (s *leastSearch) below(x, y *moment) float64 {
	least := 0.0
	if geom.Dot3(&x.n, &y.n) > 0 {
		least = s.along(x, y, x, y)
	}
	return max(least, s.along(x, y, x, x), s.along(x, y, y, y))
}

// along is below for the direction that turns from n's to m's alone. The quotients err by 2.5 u for
// a length, u for a sum and u for the division.
func (s *leastSearch) along(x, y, n, m *moment) float64 {
	// The separation is 0, so the certificate has lower bounds of the coefficients of n.p.
	c := s.certificate(&x.nearest, &y.nearest, &n.nearest, &m.nearest)
	least := min(c[0]/n.size, c[1]/float64(0.5*(n.size+m.size)), c[2]/m.size)
	return max(0, float64(least*(1-0x1p-49)))
}

// parameters returns u and v of the point of x's weights, rounded into the domain.
func (x *nearest) parameters() (u, v float64) {
	sum := 0.0
	for c, w := range x.w {
		sum += w
		u += float64(w * parameters[c][0])
		v += float64(w * parameters[c][1])
	}
	return min(u/sum, 1), min(v/sum, 1)
}

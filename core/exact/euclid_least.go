package exact

import (
	"math"

	"ccd/core/geom"
)

// The least Euclidean distance over time, by branch and bound.
//
// Below. With the direction n(t) that goes linearly from n_a to n_b on [a, b] (euclid.go), n(t).p(t) >= m |n(t)| for all corners p, and so
// the distance is at least m, where each Bernstein coefficient says so:
//
//	min n_a.p_a >= m |n_a|    min (n_a.p_b + n_b.p_a) >= m (|n_a| + |n_b|)    min n_b.p_b >= m |n_b|
//
// The largest such m is within O((b - a)^2) of the distance where the directions towards the nearest points turn evenly, and within O(b - a)
// with one direction.
//
// Above. The point of any weights of the corners, at any time.
//
// Rounding is that of the certificates in floats (euclideanError, euclideanContactError), so a bracket of 2^-40 of the longest difference is
// always reached.

// leastTolerance is the least width of a bracket, in units of about the longest difference: twenty times what rounding leaves open.
const leastTolerance = 0x1p-40

// LeastQuery is what Least is given: a pair that does not touch.
type LeastQuery struct {
	Kind      geom.Kind
	Q         []float64
	TMax      float64
	Tolerance float64 // of the bracket; where it is less than about 2^-40 of the longest difference of two points, that takes its place
	Cutoff    float64 // distances above it do not matter
}

// Least brackets the least distance for t in [0, TMax]; it reports false, and writes nothing, if that is proven to exceed the cutoff. What it
// writes does not depend on the cutoff.
func (r *EuclideanResolver) Least(q *LeastQuery, out *geom.LeastDistance) bool {
	l := &r.lines
	l.shape = &shapes[q.Kind]
	r.sides, r.plane = polygonSides[q.Kind], len(l.shape.edges) > 1
	l.loadAll(q.Q, 3*q.Kind.Points())
	s := leastSearch{EuclideanResolver: r, tolerance: max(math.Ldexp(q.Tolerance, -l.exponent)*(1-0x1p-16), leastTolerance)}
	var ends [2]nearest
	r.look(0, &ends[0])
	r.look(q.TMax, &ends[1])
	if !s.near(&ends[0], &ends[1], math.Ldexp(q.Cutoff, -l.exponent)*(1+0x1p-50)) {
		return false
	}
	s.lo, s.hi = math.Inf(1), math.Inf(1)
	s.offer(&ends[0])
	s.offer(&ends[1])
	s.split(&ends[0], &ends[1])
	u, v := s.best.parameters()
	if q.Kind.Info().Domain == geom.Triangle {
		v = min(v, 1-u)
	}
	*out = geom.LeastDistance{
		Kind: q.Kind, A: -1, B: -1, T: s.best.t, U: u, V: v,
		Lo: math.Max(0, math.Nextafter(math.Ldexp(min(s.lo, s.hi), l.exponent), -1)),
		Hi: math.Nextafter(math.Ldexp(s.hi, l.exponent), math.Inf(1)),
	}
	return true
}

// leastSearch is a search by halving the time.
type leastSearch struct {
	*EuclideanResolver
	tolerance float64
	best      nearest // with the least upper bound so far
	hi        float64 // that bound
	lo        float64 // the least lower bound of the intervals that are done
}

// offer takes x for the best if it is nearer.
func (s *leastSearch) offer(x *nearest) float64 {
	h := s.above(x)
	if h < s.hi {
		s.hi, s.best = h, *x
	}
	return h
}

// split bounds the distance between x and y from below, to within the tolerance of the least upper bound.
func (s *leastSearch) split(x, y *nearest) {
	l := s.below(x, y)
	var m nearest
	if l >= s.hi-s.tolerance || !s.between(x, y, &m) {
		s.lo = min(s.lo, l)
		return
	}
	s.offer(&m)
	if s.above(x) <= s.above(y) {
		s.split(x, &m)
		s.split(&m, y)
	} else {
		s.split(&m, y)
		s.split(x, &m)
	}
}

// near reports whether the distance between x and y may be at most the cutoff.
func (s *leastSearch) near(x, y *nearest, cutoff float64) bool {
	l := s.below(x, y)
	if l > cutoff {
		return false
	}
	var m nearest
	if h := min(s.above(x), s.above(y)); h <= cutoff || h-l <= s.tolerance || !s.between(x, y, &m) {
		return true
	}
	return s.near(x, &m, cutoff) || s.near(&m, y, cutoff)
}

// between looks at the middle of the times of x and y, if there is a double.
func (s *leastSearch) between(x, y, m *nearest) bool {
	t := x.t + float64(0.5*(y.t-x.t))
	if !(t > x.t && t < y.t) {
		return false
	}
	s.look(t, m)
	return true
}

// below bounds the distance between the times of x and y from below, by the direction that turns from x's to y's, and by each alone.
func (s *leastSearch) below(x, y *nearest) float64 {
	least := 0.0
	if geom.Dot3(&x.n, &y.n) > 0 {
		least = s.along(x, y, x, y)
	}
	return max(least, s.along(x, y, x, x), s.along(x, y, y, y))
}

// along is below for the direction from n's to m's. The quotients err by 2.5 u for a length, u for a sum and u for the division.
func (s *leastSearch) along(x, y, n, m *nearest) float64 {
	c := s.certificate(x, y, n, m) // d is 0: lower bounds of the coefficients of n.p
	least := min(c[0]/n.size, c[1]/float64(0.5*(n.size+m.size)), c[2]/m.size)
	return max(0, float64(least*(1-0x1p-49)))
}

// above bounds the distance at x's time from above, by the point of x's weights: see within.
func (s *leastSearch) above(x *nearest) float64 {
	var f [3]float64
	m, w := 0.0, 0.0
	for c := range s.lines.shape.corners {
		w += x.w[c]
		for k := range 3 {
			f[k] += float64(x.w[c] * x.p[c][k])
		}
	}
	for k := range 3 {
		m += s.lines.mp[k]
	}
	far := math.Sqrt(geom.Dot3(&f, &f)) + float64(euclideanContactError*m*w) + tinyLength
	return far / w * (1 + 0x1p-48)
}

// parameters are u and v of the point of x's weights, rounded into the domain.
func (x *nearest) parameters() (u, v float64) {
	sum := 0.0
	for c, w := range x.w {
		sum += w
		u += float64(w * parameters[c][0])
		v += float64(w * parameters[c][1])
	}
	return min(u/sum, 1), min(v/sum, 1)
}

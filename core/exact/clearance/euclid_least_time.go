package clearance

import (
	"math"
	"math/big"

	"ccd/core/exact"
	"ccd/core/geom"
)

// This file bounds the distance at one time, for the search for the least distance.
//
// Any direction gives a lower bound, any weights give an upper one; their rounding is below 2^-46
// of the longest difference. Three stages look for good ones; each is used only where the bracket
// of the last is wider than a quarter of the tolerance:
//
//  1. look, the nearest point in floats. Its foot in the plane comes from normal equations, whose
//     errors grow with the inverse square of the sine of the angle between B and C. Beyond that,
//     slivers and nearly parallel edges have wrong weights and directions.
//  2. closer, also in floats: it offers the feet on all sides and in the plane, the latter from the
//     normal, and takes the best of all directions and of all weights, each on its own.
//     docs/proofs/least-distance.md says why that is nearly always enough.
//  3. exactly, the nearest point in integers, rounded: its direction and weights err by a few units
//     in the last place.

// moment is a time with bounds of the distance at it.
type moment struct {
	nearest
	lo, hi float64
}

// see computes x, the moment at t, with bounds that differ by at most a quarter of the tolerance.
func (s *leastSearch) see(t float64, x *moment) {
	s.look(t, &x.nearest)
	x.lo, x.hi = s.least(&x.nearest), s.above(&x.nearest)
	enough := 0.25 * s.tolerance
	if x.hi-x.lo <= enough {
		return
	}
	s.closer(x)
	if x.hi-x.lo > enough {
		s.exactly(x)
	}
}

// least bounds the distance at x's time from below, by x's direction. It is along at one time.
func (s *leastSearch) least(x *nearest) float64 {
	m := math.Inf(1)
	for c := range s.Lines.Shape.Corners {
		m = min(m, geom.Dot3(&x.n, &x.p[c]))
	}
	return max(0, float64((m-s.rounding(x, x))/x.size*(1-0x1p-49)))
}

// above bounds the distance at x's time from above, by the point of x's weights: see within.
func (s *leastSearch) above(x *nearest) float64 {
	var f [3]float64
	m, w := 0.0, 0.0
	for c := range s.Lines.Shape.Corners {
		w += x.w[c]
		for k := range 3 {
			f[k] += float64(x.w[c] * x.p[c][k])
		}
	}
	for k := range 3 {
		m += s.Lines.Mp[k]
	}
	far := math.Sqrt(geom.Dot3(&f, &f)) + float64(euclideanContactError*m*w) + tinyLength
	return far / w * (1 + 0x1p-48)
}

// take copies y's weights and y's direction to x, each if its bound is better than x's.
func (s *leastSearch) take(x *moment, y *nearest) {
	if h := s.above(y); h < x.hi {
		x.hi, x.w, x.Part = h, y.w, y.Part
	}
	if l := s.least(y); l > x.lo {
		x.lo, x.n, x.size = l, y.n, y.size
	}
}

// closer improves x by the feet on the sides and in the plane.
func (s *leastSearch) closer(x *moment) {
	y := x.nearest
	for i := range s.Sides {
		f := s.foot(&x.p, x.T, int8(i))
		y.w = [4]float64{}
		y.rest(s.Sides, &f)
		s.take(x, &y)
	}
	if s.Plane {
		s.offerInside(x, &y)
	}
}

// offerInside offers the foot in the plane. Its direction is B x C, made orthogonal once more to
// the longest side: the cross product errs by rounding of |B| |C|, along the longest side too,
// where that would tilt the plane by the rounding over the width.
//
// The weights are found as in closest: v comes from the normal, and u is also computed as the foot
// on the line of constant v.
func (s *leastSearch) offerInside(x *moment, y *nearest) {
	a, b, c := &x.p[0], s.edge(0, x.T), s.edge(1, x.T)
	n := geom.Cross3(&b, &c)
	nn := geom.Dot3(&n, &n)
	if !(nn > 0x1p-900) {
		return
	}
	triangle := len(s.Sides) == 3
	upright := orthogonal(n, s.longest(&b, &c, triangle))
	if geom.Dot3(a, &upright) < 0 {
		upright = [3]float64{-upright[0], -upright[1], -upright[2]}
	}
	y.Part = Inner2d
	y.towards(upright)
	ca, ab := geom.Cross3(&c, a), geom.Cross3(a, &b)
	u, v := geom.Dot3(&ca, &n)/nn, geom.Dot3(&ab, &n)/nn
	v = min(max(v, 0), 1)
	y.weigh(u, v, triangle)
	s.take(x, y)
	g := [3]float64{a[0] + float64(v*c[0]), a[1] + float64(v*c[1]), a[2] + float64(v*c[2])}
	y.weigh(-geom.Dot3(&g, &b)/geom.Dot3(&b, &b), v, triangle)
	s.take(x, y)
}

// longest returns the longest side.
func (s *leastSearch) longest(b, c *[3]float64, triangle bool) [3]float64 {
	e := *b
	if geom.Dot3(c, c) > geom.Dot3(&e, &e) {
		e = *c
	}
	if d := [3]float64{c[0] - b[0], c[1] - b[1], c[2] - b[2]}; triangle && geom.Dot3(&d, &d) > geom.Dot3(&e, &e) {
		e = d
	}
	return e
}

// orthogonal returns v less its part along e.
func orthogonal(v, e [3]float64) [3]float64 {
	ee := geom.Dot3(&e, &e)
	if !(ee > 0x1p-900) {
		return v
	}
	t := geom.Dot3(&v, &e) / ee
	return [3]float64{v[0] - float64(t*e[0]), v[1] - float64(t*e[1]), v[2] - float64(t*e[2])}
}

// weigh sets the weights of the point (u, v), moved into the domain.
func (x *nearest) weigh(u, v float64, triangle bool) {
	if triangle {
		u = min(max(u, 0), 1-v)
		x.w = [4]float64{max(0, 1-u-v), u, v}
		return
	}
	u = min(max(u, 0), 1)
	x.w = [4]float64{float64((1 - u) * (1 - v)), float64(u * (1 - v)), float64((1 - u) * v), float64(u * v)}
}

// exactly improves x by the exact nearest point, with direction and weights rounded.
func (s *leastSearch) exactly(x *moment) {
	n := exact.NearestAt(s.q.Kind, s.q.Q, x.T)
	f := n.At(n.U, n.V, n.Den)
	size := max(f[0].BitLen(), f[1].BitLen(), f[2].BitLen())
	y := x.nearest
	y.towards([3]float64{exact.ToDouble(f[0], -size), exact.ToDouble(f[1], -size), exact.ToDouble(f[2], -size)})
	part := func(x *big.Int) float64 { return exact.Quotient(x, n.Den) }
	ru, rv := new(big.Int).Sub(n.Den, n.U), new(big.Int).Sub(n.Den, n.V)
	u, v, p, q := part(n.U), part(n.V), part(ru), part(rv)
	switch s.q.Kind.Info().Domain {
	case geom.Triangle:
		y.w = [4]float64{part(ru.Sub(ru, n.V)), u, v}
	case geom.Square:
		y.w = [4]float64{float64(p * q), float64(u * q), float64(p * v), float64(u * v)}
	case geom.Segment:
		y.w = [4]float64{p, u}
	default:
		y.w = [4]float64{1}
	}
	s.take(x, &y)
}

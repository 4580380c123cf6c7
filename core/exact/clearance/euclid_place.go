package clearance

import (
	"math"

	"ccd/core/geom"
)

// place fills u, v, point, normal and width of a contact whose times are known: the nearest points
// at TOIHi. They depend on the query and TOIHi alone, not on the stage that found the contact.
func (r *EuclideanResolver) place(q []float64, out *geom.Impact) {
	l := &r.Lines
	l.Fa.Set(l, out.TOIHi)
	u, v := r.Parameters()
	l.describe(q, u, v, out)
}

// Parameters returns u and v of the nearest points at the time of fa.
func (r *EuclideanResolver) Parameters() (u, v float64) {
	if r.Plane {
		return r.closest()
	}
	if len(r.Sides) == 1 {
		f := &r.Lines.Fa
		if ee := geom.Dot3(&f.e[0], &f.e[0]); ee > 0 {
			return min(max(-geom.Dot3(&f.p[0], &f.e[0])/ee, 0), 1), 0
		}
		return 0.5, 0
	}
	return 0, 0
}

// slim is the sine of the angle between B and C up to which they count as parallel. F is then off
// by no more than slim times the shorter of the two, which is within what law 9 allows to rounding,
// 2^-47 of the size.
const slim = 0x1p-48

// closest returns where |F| is least over the domain of a face or of two edges, at the time of fa;
// the middle of these places, if B and C are parallel and there are many. The least |F| in floats
// selects among the foot in the plane and the feet on the sides.
//
// Where the sine w of the angle between B and C is small, u and v of the foot err by rounding / w:
// they may even lie outside the domain where the foot is inside. So with v as it is, u is computed
// once more, as the foot on that line, and this point is offered where it lies in the domain. Let
// rho be the rounding of F, v* the true v and L the line of all F with F.B = 0. The second point
// and the true foot lie on L (but for rho), w |C| |v - v*| apart. With a the distance of the plane,
// v errs by rho / (w |C|), and for n errs in its direction by rounding / w, by a rounding / (w^2
// |C|) too. The first part moves F by rho. The second moves it by x <= min(w |C|, a rounding / w),
// for the domain is w |C| wide across B; so x^2 <= a |C| rounding, and |F| <= sqrt(a^2 + x^2) grows
// by no more than |C| rounding / 2. If the second point is not in the domain, L leaves the domain
// between it and the foot, and a side has a point as near.
func (r *EuclideanResolver) closest() (u, v float64) {
	f := &r.Lines.Fa
	a, b, c := &f.p[0], &f.e[0], &f.e[1]
	n := geom.Cross3(b, c)
	nn := geom.Dot3(&n, &n)
	if !(nn > float64(slim*slim*float64(geom.Dot3(b, b)*geom.Dot3(c, c)))) {
		return r.middle()
	}
	least := math.Inf(1)
	offer := func(x, y float64) {
		g := r.Lines.offset(x, y)
		if s := geom.Dot3(&g, &g); s < least {
			least, u, v = s, x, y
		}
	}
	x, y := geom.Cross3(c, a), geom.Cross3(a, b)
	s, t := geom.Dot3(&x, &n)/nn, geom.Dot3(&y, &n)/nn
	last := 1.0 // last is u where the line of t ends.
	if len(r.Sides) == 3 {
		last = 1 - t
	}
	if s >= 0 && s <= last && t >= 0 && t <= 1 {
		offer(s, t)
	}
	if t >= 0 && t <= 1 {
		g := r.Lines.offset(0, t)
		if s := -geom.Dot3(&g, b) / geom.Dot3(b, b); s >= 0 && s <= last {
			offer(s, t)
		}
	}
	for _, z := range r.Sides {
		e, p := &f.e[z.Edge], &f.p[z.From]
		s := min(max(-geom.Dot3(p, e)/geom.Dot3(e, e), 0), 1)
		if !(s >= 0) {
			continue // a side without a length: its neighbors hold its point
		}
		x, y := between(z, s)
		offer(x, y)
	}
	return u, v
}

// parameters are (u, v) at the corners of a face and of two edges, in the order of shape.corners.
var parameters = [4][2]float64{{0, 0}, {1, 0}, {0, 1}, {1, 1}}

// between returns (u, v) at the fraction s of a side.
func between(z side, s float64) (u, v float64) {
	from, to := &parameters[z.From], &parameters[z.to]
	return from[0] + float64(s*(to[0]-from[0])), from[1] + float64(s*(to[1]-from[1]))
}

// middle is closest for parallel B and C. F goes along the longer of them, E: F = A + h E with h =
// u B.E/E.E + v C.E/E.E, and the places with the nearest h are the part of a line in the domain,
// whose ends lie on sides. Without a length of B and C all places are as near.
func (r *EuclideanResolver) middle() (u, v float64) {
	f := &r.Lines.Fa
	b, c := &f.e[0], &f.e[1]
	e := b
	if geom.Dot3(c, c) > geom.Dot3(b, b) {
		e = c
	}
	ee := geom.Dot3(e, e)
	if !(ee > 0) {
		if len(r.Sides) == 3 {
			return 1.0 / 3, 1.0 / 3
		}
		return 0.5, 0.5
	}
	beta, gamma := geom.Dot3(b, e)/ee, geom.Dot3(c, e)/ee
	way := func(corner int8) float64 {
		return float64(parameters[corner][0]*beta) + float64(parameters[corner][1]*gamma)
	}
	low, high := math.Inf(1), math.Inf(-1)
	for c := range r.Lines.Shape.Corners {
		low, high = min(low, way(int8(c))), max(high, way(int8(c)))
	}
	h := min(max(-geom.Dot3(&f.p[0], e)/ee, low), high)
	var ends [2][2]float64
	first, last := math.Inf(1), math.Inf(-1)
	offer := func(z side, s float64) {
		x, y := between(z, s)
		at := float64(beta*y) - float64(gamma*x)
		if at < first {
			first, ends[0] = at, [2]float64{x, y}
		}
		if at > last {
			last, ends[1] = at, [2]float64{x, y}
		}
	}
	for _, z := range r.Sides {
		from, to := way(z.From), way(z.to)
		switch {
		case from == h && to == h:
			offer(z, 0)
			offer(z, 1)
		case from <= h && h <= to, to <= h && h <= from:
			offer(z, (h-from)/(to-from))
		}
	}
	return 0.5 * (ends[0][0] + ends[1][0]), 0.5 * (ends[0][1] + ends[1][1])
}

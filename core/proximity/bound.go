package proximity

import (
	"math"

	"ccd/core/geom"
	"ccd/core/num"
)

// A convex is the set of the differences p - q of the points of a pair, which is convex. It
// contains the origin when the primitives touch; otherwise their distance is the least length of
// its points. The set is A + u B + v C over a triangle or a square. Its corners, B, C and across
// are differences of two vertices, rounded once.
//
// The corners are in cyclic order around the domain: (0,0), (1,0), (0,1) for a face, (0,0), (1,0),
// (1,1), (0,1) for two edges.
type convex struct {
	n      int // the number of corners: 3 for a face, 4 for two edges, 2 for a point and an edge, 1 for two points
	corner [4]geom.Vec
	b, c   geom.Vec
	across geom.Vec // corner 2 - corner 1 of a face
	exp    int      // all lengths are in units of 2^exp
	zero   bool
}

// load computes the set of a query at rest.
func (h *convex) load(k geom.Kind, q *[24]float64) {
	info := k.Info()
	between := func(i, j uint8) geom.Vec { return geom.Sub3((*geom.Vec)(q[3*i:]), (*geom.Vec)(q[3*j:])) }
	h.b, h.c = between(info.Form[1][0], info.Form[1][1]), between(info.Form[2][0], info.Form[2][1])
	h.n = len(info.Corners)
	for i, c := range info.Corners {
		h.corner[i] = between(c.A, c.B)
	}
	if h.n == 3 {
		h.across = between(info.Form[1][1], info.Form[2][1])
	}
	h.normalize()
}

// normalize scales extreme lengths to about 1, so that no product of four lengths over- or
// underflows. A component that underflows errs by less than 2^-1074, while the largest is at least
// 1/2.
func (h *convex) normalize() {
	m := 0.0
	for i := range h.n {
		c := &h.corner[i]
		m = max(m, math.Abs(c[0]), math.Abs(c[1]), math.Abs(c[2]))
	}
	h.exp, h.zero = 0, m == 0
	if m >= 0x1p-100 && m <= 0x1p100 || h.zero {
		return
	}
	_, h.exp = math.Frexp(m)
	scale := func(v *geom.Vec) {
		for k := range v {
			v[k] = math.Ldexp(v[k], -h.exp)
		}
	}
	for i := range h.n {
		scale(&h.corner[i])
	}
	scale(&h.b)
	scale(&h.c)
	scale(&h.across)
}

// setPoint is a point of the set, with what bounds its length: mag[k] is at least the sum of the
// magnitudes that f[k] was added up from, or 0 where f is a corner.
type setPoint struct {
	u, v   float64
	f, mag geom.Vec
	square float64
	along  *geom.Vec // the direction of the side that it lies within, or nil
}

// nearest computes, in floats, about the point of least length, by the algorithm of
// oracle.Distance. Every point of the set gives valid bounds; the nearest one gives tight ones.
func (h *convex) nearest() (best setPoint) {
	best.square = math.Inf(1)
	switch h.n {
	case 1:
		best = setPoint{f: h.corner[0]}
	case 2:
		h.offerSide(0, 1, &h.b, 0, 0, 1, 0, &best)
	case 3:
		h.offerInside(false, &best)
		h.offerSide(0, 1, &h.b, 0, 0, 1, 0, &best)
		h.offerSide(0, 2, &h.c, 0, 0, 0, 1, &best)
		h.offerSide(1, 2, &h.across, 1, 0, -1, 1, &best)
	case 4:
		h.offerInside(true, &best)
		h.offerSide(0, 1, &h.b, 0, 0, 1, 0, &best)
		h.offerSide(3, 2, &h.b, 0, 1, 1, 0, &best)
		h.offerSide(0, 3, &h.c, 0, 0, 0, 1, &best)
		h.offerSide(1, 2, &h.c, 1, 0, 0, 1, &best)
	default:
		panic("proximity: a kind without a domain")
	}
	return best
}

// offerSide offers the nearest point of the side from corner i to corner j, in the direction d,
// whose parameters are (u0, v0) + t (du, dv).
func (h *convex) offerSide(i, j int, d *geom.Vec, u0, v0, du, dv float64, best *setPoint) {
	from, t := &h.corner[i], 0.0
	if dd := geom.Dot3(d, d); dd > 0 {
		t = min(max(-geom.Dot3(from, d)/dd, 0), 1)
	}
	var s setPoint
	switch t {
	case 0:
		s.f, s.u, s.v = *from, u0, v0
	case 1:
		s.f, s.u, s.v = h.corner[j], u0+du, v0+dv
	default:
		for k := range 3 {
			x := float64(t * d[k])
			s.f[k], s.mag[k] = from[k]+x, math.Abs(from[k])+math.Abs(x)
		}
		s.u, s.v, s.along = u0+float64(du*t), v0+float64(dv*t), d
		if du < 0 {
			s.u = num.SubDown(1, t) // The rounding keeps u + v <= 1.
		}
	}
	if s.square = geom.Dot3(&s.f, &s.f); s.square <= best.square { // Among equals a corner has the tighter bound.
		*best = s
	}
}

// inside offers the stationary point of the plane, if it is within the domain.
func (h *convex) offerInside(square bool, best *setPoint) {
	bb, bc, cc := geom.Dot3(&h.b, &h.b), geom.Dot3(&h.b, &h.c), geom.Dot3(&h.c, &h.c)
	ab, ac := geom.Dot3(&h.corner[0], &h.b), geom.Dot3(&h.corner[0], &h.c)
	det := float64(bb*cc) - float64(bc*bc)
	if !(det > 0) {
		return
	}
	u, v := (float64(bc*ac)-float64(cc*ab))/det, (float64(bc*ab)-float64(bb*ac))/det
	if !(u >= 0 && v >= 0 && u <= 1 && v <= 1) || !square && u+v > 1 {
		return
	}
	if !square {
		v = min(v, num.SubDown(1, u))
	}
	s := setPoint{u: u, v: v}
	for k := range 3 {
		x, y := float64(u*h.b[k]), float64(v*h.c[k])
		s.f[k], s.mag[k] = h.corner[0][k]+x+y, math.Abs(h.corner[0][k])+math.Abs(x)+math.Abs(y)
	}
	s.square = geom.Dot3(&s.f, &s.f)
	*best = s
}

// upperBound bounds the length of a point of the set, and so the distance, from above.
//
// A corner is rounded once and errs by u |f[k]|. Else f[k] is A + t D or (A + u B) + v C,
// differences rounded once, products once, sums once: it errs by at most 3u |A| + 4u |uB| + 3u
// |vC|, times 1 + O(u). 5u mag pays for that and for the roundings of mag and of the product.
// Underflow adds less than 2^-1072. Then |f[k]| + e rounds once, its square once more, the sum of
// squares twice: a relative error of 5u of the square at most, so 2.5u of the root, and u for
// rounding that: 8u is enough. tiny keeps the squares from underflow, and pays for what normalize
// loses. Only a corner that is exactly zero has the bound 0.
func (h *convex) upperBound(s *setPoint) float64 {
	const u5, corner, tiny = 5 * 0x1p-53, 2 * 0x1p-53, 0x1p-400
	if s.f == (geom.Vec{}) && s.mag == (geom.Vec{}) && h.exp == 0 {
		return 0
	}
	var x geom.Vec
	for k := range 3 {
		f := math.Abs(s.f[k])
		x[k] = f + float64(u5*s.mag[k]) + float64(corner*f) + tiny
	}
	return math.Sqrt(geom.Dot3(&x, &x)) * (1 + 8*0x1p-53)
}

// lowerBound bounds the distance from below by the direction w, a vector of doubles as they stand:
// every point of the set has a component along w of at least that of some corner. The result is 0
// where that proves nothing.
//
// A component w.F errs by u for the corner, u for a product and 2u for the sums, relative to the
// sum p of the terms' magnitudes: 4u (1 + O(u)) p; 6u pays for the roundings of p, of the product
// and of the subtraction too. Underflow adds less than 2^-1000. The norm errs by 2.5u and the
// quotient by u: 8u is enough.
func (h *convex) lowerBound(w *geom.Vec) float64 {
	const u6, tiny = 6 * 0x1p-53, 0x1p-1000
	ww := geom.Dot3(w, w)
	if !(ww > 0x1p-900) {
		return 0
	}
	least := math.Inf(1)
	for i := range h.n {
		f := &h.corner[i]
		x, y, z := float64(w[0]*f[0]), float64(w[1]*f[1]), float64(w[2]*f[2])
		p := math.Abs(x) + math.Abs(y) + math.Abs(z)
		least = min(least, x+y+z-float64(u6*p)-tiny)
	}
	return max(0, least/math.Sqrt(ww)*(1-8*0x1p-53))
}

// tight is the greatest relative width of an enclosure. Below fine, a further search would gain
// little.
const (
	tight = 0x1p-24
	fine  = 0x1p-46
)

// centroid returns the sum of the corners: a guess at a direction in which the primitives are
// apart, which costs little.
func (h *convex) centroid() (w geom.Vec) {
	for i := range h.n {
		for k := range 3 {
			w[k] += h.corner[i][k]
		}
	}
	return w
}

// encloseFloats encloses the distance, which is known to be at least lo. ok is false where the
// bounds are not tight.
//
// At the nearest point f the plane through f that is orthogonal to it has the set on its other
// side, so w = f gives the distance itself. Where f is small beside the primitives it has few right
// digits, and it is made again from what it is orthogonal to: the side it lies in, or the whole
// plane.
func (h *convex) encloseFloats(s *setPoint, lo float64) (_, hi float64, ok bool) {
	hi = h.upperBound(s)
	try := func(w *geom.Vec) bool {
		lo = max(lo, h.lowerBound(w))
		return hi-lo <= fine*hi
	}
	w := s.f
	if s.along != nil {
		t := geom.Dot3(&w, s.along) / geom.Dot3(s.along, s.along)
		for k := range 3 {
			w[k] -= float64(t * s.along[k])
		}
	}
	if !try(&w) && h.n >= 3 {
		n := geom.Cross3(&h.b, &h.c)
		if geom.Dot3(&n, &h.corner[0]) < 0 {
			n = geom.Vec{-n[0], -n[1], -n[2]}
		}
		try(&n)
	}
	return lo, hi, hi-lo <= tight*hi
}

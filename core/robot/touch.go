package robot

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
)

// How says why two bodies certainly touch.
type How int32

const (
	NoContact How = iota
	Crossing      // An edge of one passes through a triangle of the other.
	Near          // Two primitives are within the separation, radii included.
	Inside        // A vertex of one is inside of the other: at the start, or a point later.
)

// volume returns the sign of det(b - a, c - a, d - a) wherever these points are within e of their
// doubles, 0 if it is not certain.
//
// A determinant of vectors of the lengths u, v, w that are each off by at most f differs by at most
// (u + f)(v + f)(w + f) - u v w. Its own rounding is below 32u of the product; see
// docs/proofs/robots.md, Contacts.
func volume(a, b, c, d r3.Vec, e float64) int {
	u, v, w := r3.Sub(b, a), r3.Sub(c, a), r3.Sub(d, a)
	det := geom.Dot(geom.Cross(u, v), w)
	lu, lv, lw := longer(u), longer(v), longer(w)
	f := 2*e + float64(2*unit*max(geom.MaxAbs(a), geom.MaxAbs(b), geom.MaxAbs(c), geom.MaxAbs(d)))
	grown := float64(float64((lu+f)*(lv+f)) * (lw + f))
	bound := grown - float64(float64(lu*lv)*lw) + float64(64*unit*grown)
	switch bound = float64(bound*(1+0x1p-30)) + 1e-300; {
	case det > bound:
		return 1
	case det < -bound:
		return -1
	}
	return 0
}

// longer bounds the length of v.
func longer(v r3.Vec) float64 { return float64(geom.Norm(v) * (1 + 8*unit)) }

// through reports whether the line of p and q certainly passes through a triangle.
func through(p, q r3.Vec, t *[3]r3.Vec, e float64) bool {
	s := volume(p, q, t[0], t[1], e)
	return s != 0 && s == volume(p, q, t[1], t[2], e) && s == volume(p, q, t[2], t[0], e)
}

// crosses reports whether an edge of one primitive certainly passes through the other, whose
// vertices are all known within e, and returns where, rounded. a has the placed vertices of the
// first one.
func crosses(pa *primitive, a *[3]r3.Vec, pb *primitive, e float64) (r3.Vec, bool) {
	b := &pb.x
	if pb.n == 3 && pa.n > 1 {
		at, ok, beside := pierces(a, pa.n, b, e)
		if ok || beside {
			return at, ok
		}
	}
	if pa.n == 3 && pb.n > 1 {
		at, ok, _ := pierces(b, pb.n, a, e)
		return at, ok
	}
	return r3.Vec{}, false
}

// pierces looks for an edge of the polygon p with n corners that certainly passes through the
// triangle t. It also reports whether p is certainly on one side of the triangle's plane.
func pierces(p *[3]r3.Vec, n int, t *[3]r3.Vec, e float64) (at r3.Vec, ok, beside bool) {
	side, sum := [3]int{}, 0
	for i := range n {
		side[i] = volume(t[0], t[1], t[2], p[i], e)
		sum += side[i]
	}
	if sum == n || sum == -n {
		return at, false, true
	}
	for i := range sides(n) {
		k := (i + 1) % n
		if side[i]*side[k] < 0 && through(p[i], p[k], t, e) {
			return meeting(p[i], p[k], t), true, false
		}
	}
	return at, false, false
}

// meeting returns where an edge meets the plane of a triangle, rounded.
func meeting(p, q r3.Vec, t *[3]r3.Vec) r3.Vec {
	n := geom.Cross(r3.Sub(t[1], t[0]), r3.Sub(t[2], t[0]))
	low, high := geom.Dot(n, r3.Sub(p, t[0])), geom.Dot(n, r3.Sub(q, t[0]))
	if low == high {
		return p
	}
	return r3.Add(p, geom.Scale(low/(low-high), r3.Sub(q, p)))
}

// closest is two points of two primitives, and the features that they were computed from: a vertex
// and the triangle of b (0) or a (1), the sides i and k (2), or others (3).
type closest struct {
	x, y         r3.Vec
	square       float64
	features     int
	sideA, sideB int
}

func (c *closest) take(p, q r3.Vec, features, i, k int) {
	d := r3.Sub(p, q)
	if l := geom.Dot(d, d); l < c.square {
		c.square, c.x, c.y, c.features, c.sideA, c.sideB = l, p, q, features, i, k
	}
}

// nearest returns two points of two primitives that are about as near as any: their distance is not
// below that of the primitives but for rounding. Primitives that cross may get a distance above 0.
func nearest(pa *primitive, a *[3]r3.Vec, pb *primitive) closest {
	c, b := closest{square: math.Inf(1)}, &pb.x
	if pb.n == 3 {
		for i := range pa.n {
			c.take(a[i], onTriangle(a[i], b), 0, 0, 0)
		}
	}
	if pa.n == 3 {
		for i := range pb.n {
			c.take(onTriangle(b[i], a), b[i], 1, 0, 0)
		}
	}
	for i := range sides(pa.n) {
		for k := range sides(pb.n) {
			x, y := onSegments(a[i], a[(i+1)%pa.n], b[k], b[(k+1)%pb.n])
			c.take(x, y, 2, i, k)
		}
	}
	switch {
	case pa.n == 1 && pb.n == 1:
		c.take(a[0], b[0], 3, 0, 0)
	case pa.n == 1 && pb.n == 2:
		c.take(a[0], onSegment(a[0], b[0], b[1]), 3, 0, 0)
	case pa.n == 2 && pb.n == 1:
		c.take(onSegment(b[0], a[0], a[1]), b[0], 3, 0, 0)
	// The triangle may have no area: then its sides alone tell the distance.
	case pa.n == 1 && pb.n == 3:
		for k := range 3 {
			c.take(a[0], onSegment(a[0], b[k], b[(k+1)%3]), 3, 0, 0)
		}
	case pa.n == 3 && pb.n == 1:
		for k := range 3 {
			c.take(onSegment(b[0], a[k], a[(k+1)%3]), b[0], 3, 0, 0)
		}
	}
	return c
}

// directions returns the way from y to x at the length 1 and, where that is short beside the
// primitives, the normal of the features that it came from, which is then known better. It returns
// none for points that are the same.
func (c *closest) directions(pa *primitive, a *[3]r3.Vec, pb *primitive) (list [2]r3.Vec, n int) {
	d := math.Sqrt(c.square)
	if !(d > 1e-120) {
		return list, 0
	}
	list[0] = normalized(r3.Sub(c.x, c.y))
	if d > 1e-4*max(geom.MaxAbs(r3.Sub(a[1], a[0])), geom.MaxAbs(r3.Sub(pb.x[1], pb.x[0]))) {
		return list, 1
	}
	var m r3.Vec
	b := &pb.x
	switch c.features {
	case 0:
		m = geom.Cross(r3.Sub(b[1], b[0]), r3.Sub(b[2], b[0]))
	case 1:
		m = geom.Cross(r3.Sub(a[1], a[0]), r3.Sub(a[2], a[0]))
	case 2:
		m = geom.Cross(r3.Sub(a[(c.sideA+1)%pa.n], a[c.sideA]), r3.Sub(b[(c.sideB+1)%pb.n], b[c.sideB]))
	default:
		return list, 1
	}
	m = normalized(m)
	if geom.Dot(m, list[0]) < 0 {
		m = geom.Scale(-1, m)
	}
	list[1] = m
	return list, 2
}

func sides(n int) int {
	if n == 3 {
		return 3
	}
	return n - 1
}

func clamped(t float64) float64 {
	if !(t > 0) {
		return 0
	}
	return min(t, 1)
}

func onSegment(p, a, b r3.Vec) r3.Vec {
	d := r3.Sub(b, a)
	return r3.Add(a, geom.Scale(clamped(geom.Dot(r3.Sub(p, a), d)/geom.Dot(d, d)), d))
}

// onSegments returns nearby points of two segments.
func onSegments(a, b, c, d r3.Vec) (x, y r3.Vec) {
	u, v, r := r3.Sub(b, a), r3.Sub(d, c), r3.Sub(a, c)
	uu, vv, uv := geom.Dot(u, u), geom.Dot(v, v), geom.Dot(u, v)
	ur, vr := geom.Dot(u, r), geom.Dot(v, r)
	s := clamped((float64(uv*vr) - float64(ur*vv)) / (float64(uu*vv) - float64(uv*uv)))
	t := (float64(uv*s) + vr) / vv
	if !(t > 0) {
		t, s = 0, clamped(-ur/uu)
	} else if t > 1 {
		t, s = 1, clamped((uv-ur)/uu)
	}
	return r3.Add(a, geom.Scale(s, u)), r3.Add(c, geom.Scale(t, v))
}

// onTriangle returns a point of a triangle near p, by the region that p is in [Ericson2004].
func onTriangle(p r3.Vec, t *[3]r3.Vec) r3.Vec {
	ab, ac, ap := r3.Sub(t[1], t[0]), r3.Sub(t[2], t[0]), r3.Sub(p, t[0])
	d1, d2 := geom.Dot(ab, ap), geom.Dot(ac, ap)
	if d1 <= 0 && d2 <= 0 {
		return t[0]
	}
	bp := r3.Sub(p, t[1])
	d3, d4 := geom.Dot(ab, bp), geom.Dot(ac, bp)
	if d3 >= 0 && d4 <= d3 {
		return t[1]
	}
	vc := float64(d1*d4) - float64(d3*d2)
	if vc <= 0 && d1 >= 0 && d3 <= 0 {
		return r3.Add(t[0], geom.Scale(clamped(d1/(d1-d3)), ab))
	}
	cp := r3.Sub(p, t[2])
	d5, d6 := geom.Dot(ab, cp), geom.Dot(ac, cp)
	if d6 >= 0 && d5 <= d6 {
		return t[2]
	}
	vb := float64(d5*d2) - float64(d1*d6)
	if vb <= 0 && d2 >= 0 && d6 <= 0 {
		return r3.Add(t[0], geom.Scale(clamped(d2/(d2-d6)), ac))
	}
	va := float64(d3*d6) - float64(d5*d4)
	if va <= 0 && d4-d3 >= 0 && d5-d6 >= 0 {
		return r3.Add(t[1], geom.Scale(clamped((d4-d3)/(d4-d3+d5-d6)), r3.Sub(t[2], t[1])))
	}
	v := clamped(vb / (va + vb + vc))
	w := min(clamped(vc/(va+vb+vc)), 1-v)
	return r3.Add(t[0], r3.Add(geom.Scale(v, ab), geom.Scale(w, ac)))
}

// contactOf decides whether two primitives certainly touch where the vertices of the first are
// within ea of a, and those of the second within eb of their doubles. It returns a point of the
// contact in the frame.
func contactOf(pa *primitive, a *[3]r3.Vec, pb *primitive, ea, eb, separation float64) (How, r3.Vec) {
	if pa.n+pb.n > 4 || pa.n == 3 || pb.n == 3 {
		if at, ok := crosses(pa, a, pb, max(ea, eb)); ok {
			return Crossing, at
		}
	}
	within := pa.radius + pb.radius + separation
	if !(within > 0) {
		return NoContact, r3.Vec{}
	}
	c := nearest(pa, a, pb)
	distance, size := math.Sqrt(c.square), 0.0
	for i := range 3 {
		size = max(size, geom.MaxAbs(a[i]), geom.MaxAbs(pb.x[i]))
	}
	// Both points are off their primitives, and the distance is rounded, by less than 64u of size.
	if (distance+ea+eb+float64(64*unit*size))*(1+16*unit) <= within*(1-4*unit) {
		return Near, between(c.x, c.y, distance, pa.radius, pb.radius)
	}
	return NoContact, r3.Vec{}
}

// between returns a point between two surfaces at the distances ra and rb from x and y; within both
// if they overlap.
func between(x, y r3.Vec, gap, ra, rb float64) r3.Vec {
	part, both := 0.5, ra+rb
	switch {
	case gap > both:
		part = (ra + float64(0.5*(gap-both))) / gap
	case both > 0:
		part = ra / both
	}
	return r3.Add(x, geom.Scale(part, r3.Sub(y, x)))
}

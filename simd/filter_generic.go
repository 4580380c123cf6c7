package simd

import "math"

func filterGeneric(rec []float64, idx [][4]int32, list []int32, bounds *[4]float64, out []int32, face bool) int {
	part := bounds[1] != 1 || bounds[2] != 0
	var q filterQuery
	n := 0
	for _, i := range list {
		q.load(rec, &idx[i], face)
		q.measure()
		if part {
			q.cut(bounds[0], bounds[1])
		}
		apart := part && q.axesApart(bounds[2]) || q.cubicApart(bounds[2], bounds[3])
		if !apart {
			u, v, t := q.derivatives()
			apart = q.directionApart(cross(u, v), bounds[2]) ||
				q.directionApart(cross(v, t), bounds[2]) || q.directionApart(cross(t, u), bounds[2])
		}
		if !(apart && q.finite()) {
			out[n] = i
			n++
		}
	}
	return n
}

// filterQuery is A, B, C at both ends of an interval, and the maxima over the whole motion.
type filterQuery struct {
	face       bool
	a, b, c    [2]vec3
	ma, mb, mc vec3
	scale      vec3
}

func (q *filterQuery) load(rec []float64, at *[4]int32, face bool) {
	q.face = face
	p0, p1, p2, p3 := line(rec, at[0]), line(rec, at[1]), line(rec, at[2]), line(rec, at[3])
	if face {
		q.a = [2]vec3{difference(p0, p1, 0), difference(p0, p1, 4)}
		q.b = [2]vec3{difference(p1, p2, 0), difference(p1, p2, 4)}
		q.c = [2]vec3{difference(p1, p3, 0), difference(p1, p3, 4)}
		return
	}
	q.a = [2]vec3{difference(p0, p2, 0), difference(p0, p2, 4)}
	q.b = [2]vec3{difference(p1, p0, 0), difference(p1, p0, 4)}
	q.c = [2]vec3{difference(p2, p3, 0), difference(p2, p3, 4)}
}

func (q *filterQuery) measure() {
	q.ma, q.mb, q.mc = largestOf(q.a[0], q.a[1]), largestOf(q.b[0], q.b[1]), largestOf(q.c[0], q.c[1])
	q.scale = plus(plus(q.ma, q.mb), q.mc)
}

// cut moves the second end to the time whose weights are w0 and w1.
func (q *filterQuery) cut(w0, w1 float64) {
	q.a[1], q.b[1], q.c[1] = blend(q.a, w0, w1), blend(q.b, w0, w1), blend(q.c, w0, w1)
}

func (q *filterQuery) finite() bool { return sum(q.scale) <= largest }

func (q *filterQuery) axesApart(sep float64) bool {
	return q.axisApart(q.scale.x, sep, q.a[0].x, q.b[0].x, q.c[0].x, q.a[1].x, q.b[1].x, q.c[1].x) ||
		q.axisApart(q.scale.y, sep, q.a[0].y, q.b[0].y, q.c[0].y, q.a[1].y, q.b[1].y, q.c[1].y) ||
		q.axisApart(q.scale.z, sep, q.a[0].z, q.b[0].z, q.c[0].z, q.a[1].z, q.b[1].z, q.c[1].z)
}

func (q *filterQuery) axisApart(scale, sep, a0, b0, c0, a1, b1, c1 float64) bool {
	e := float64(scale*axisBound) + sep
	return scale >= smallest && q.beyond(e, a0, b0, c0, a1, b1, c1)
}

// beyond reports whether a + u b + v c, as computed, exceeds e at both ends or lies below -e at both. It looks at the
// side on which the first a lies, so that one range per end is enough; nothing is rounded by a change of sign.
func (q *filterQuery) beyond(e, a0, b0, c0, a1, b1, c1 float64) bool {
	if !(math.Abs(a0) > e) {
		return false // neither side: the range contains a0
	}
	if a0 < 0 {
		a0, b0, c0, a1, b1, c1 = -a0, -b0, -c0, -a1, -b1, -c1
	}
	return q.least(a0, b0, c0) > e && q.least(a1, b1, c1) > e
}

// least is the minimum of a + u b + v c over the domain of u and v.
func (q *filterQuery) least(a, b, c float64) float64 {
	if q.face {
		return a + min(b, c, 0)
	}
	return a + min(b, 0) + min(c, 0)
}

func (q *filterQuery) cubicApart(sep, sep3 float64) bool {
	area := permanent(q.mb, q.mc)
	volume := dot(q.ma, area)
	if !(volume >= smallest) {
		return false
	}
	f0, f1, f2, f3, n := q.bernstein()
	e, e3 := float64(volume*cubicEndBound), float64(volume*cubicMiddleBound)
	if sep > 0 {
		norm := sum(n) + float64(sum(area)*normBound)
		e, e3 = e+float64(sep*norm), e3+float64(sep3*norm)
	}
	if f0 < 0 {
		f0, f1, f2, f3 = -f0, -f1, -f2, -f3
	}
	return f0 > e && f3 > e && f1 >= e3 && f2 >= e3
}

// bernstein is the coplanarity cubic A.(B x C) in Bernstein form on the interval, the middle coefficients times three,
// and a bound on the components of B x C, as computed.
func (q *filterQuery) bernstein() (f0, f1, f2, f3 float64, n vec3) {
	n0, n2 := cross(q.b[0], q.c[0]), cross(q.b[1], q.c[1])
	n1 := plus(cross(q.b[0], q.c[1]), cross(q.b[1], q.c[0]))
	f0, f3 = dot(q.a[0], n0), dot(q.a[1], n2)
	f1 = dot(q.a[1], n0) + dot(q.a[0], n1)
	f2 = dot(q.a[1], n1) + dot(q.a[0], n2)
	return f0, f1, f2, f3, largestOf(largestOf(n0, vec3{n1.x * 0.5, n1.y * 0.5, n1.z * 0.5}), n2)
}

// derivatives of F by u, v and t at the middle, times two where that saves a product.
func (q *filterQuery) derivatives() (u, v, t vec3) {
	middle := 0.5
	if q.face {
		middle = 1.0 / 3
	}
	u, v = plus(q.b[0], q.b[1]), plus(q.c[0], q.c[1])
	a, s := minus(q.a[1], q.a[0]), plus(minus(q.b[1], q.b[0]), minus(q.c[1], q.c[0]))
	return u, v, vec3{a.x + float64(middle*s.x), a.y + float64(middle*s.y), a.z + float64(middle*s.z)}
}

func (q *filterQuery) directionApart(d vec3, sep float64) bool {
	m := vec3{math.Abs(d.x), math.Abs(d.y), math.Abs(d.z)}
	size := dot(m, q.scale)
	if !(size >= smallest) {
		return false
	}
	e := float64(size*directionBound) + float64(sep*sum(m))
	return q.beyond(e, dot(d, q.a[0]), dot(d, q.b[0]), dot(d, q.c[0]), dot(d, q.a[1]), dot(d, q.b[1]), dot(d, q.c[1]))
}

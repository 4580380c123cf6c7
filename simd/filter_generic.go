package simd

import "math"

type vec3 [3]float64

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
	for end := range 2 {
		for k := range 3 {
			x0, x1, x2, x3 := p0[4*end+k], p1[4*end+k], p2[4*end+k], p3[4*end+k]
			if face {
				q.a[end][k], q.b[end][k], q.c[end][k] = x0-x1, x1-x2, x1-x3
			} else {
				q.a[end][k], q.b[end][k], q.c[end][k] = x0-x2, x1-x0, x2-x3
			}
		}
	}
}

func (q *filterQuery) measure() {
	for k := range 3 {
		q.ma[k] = more(math.Abs(q.a[0][k]), math.Abs(q.a[1][k]))
		q.mb[k] = more(math.Abs(q.b[0][k]), math.Abs(q.b[1][k]))
		q.mc[k] = more(math.Abs(q.c[0][k]), math.Abs(q.c[1][k]))
		q.scale[k] = q.ma[k] + q.mb[k] + q.mc[k]
	}
}

// cut moves the second end to the time whose weights are w0 and w1.
func (q *filterQuery) cut(w0, w1 float64) {
	for k := range 3 {
		q.a[1][k] = float64(q.a[0][k]*w0) + float64(q.a[1][k]*w1)
		q.b[1][k] = float64(q.b[0][k]*w0) + float64(q.b[1][k]*w1)
		q.c[1][k] = float64(q.c[0][k]*w0) + float64(q.c[1][k]*w1)
	}
}

func (q *filterQuery) finite() bool { return sum(q.scale) <= largest }

func (q *filterQuery) axesApart(sep float64) bool {
	for k := range 3 {
		lo0, hi0 := q.reach(q.a[0][k], q.b[0][k], q.c[0][k])
		lo1, hi1 := q.reach(q.a[1][k], q.b[1][k], q.c[1][k])
		e := float64(q.scale[k]*axisBound) + sep
		if q.scale[k] >= smallest && more(less(lo0, lo1), -more(hi0, hi1)) > e {
			return true
		}
	}
	return false
}

func (q *filterQuery) cubicApart(sep, sep3 float64) bool {
	area := permanent(q.mb, q.mc)
	volume := dot(q.ma, area)
	if !(volume >= smallest) {
		return false
	}
	f, n := q.bernstein()
	e, e3 := volume*cubicEndBound, volume*cubicMiddleBound
	if sep > 0 {
		norm := sum(n) + float64(sum(area)*normBound)
		e, e3 = e+float64(sep*norm), e3+float64(sep3*norm)
	}
	if math.Signbit(f[0]) {
		f[0], f[1], f[2], f[3] = -f[0], -f[1], -f[2], -f[3]
	}
	return f[0] > e && f[3] > e && f[1] >= e3 && f[2] >= e3
}

// bernstein is the coplanarity cubic A.(B x C) in Bernstein form on the interval, the middle coefficients times three, and a bound
// on the components of B x C, as computed.
func (q *filterQuery) bernstein() (f [4]float64, n vec3) {
	n0, n2 := cross(q.b[0], q.c[0]), cross(q.b[1], q.c[1])
	n1, m1 := cross(q.b[0], q.c[1]), cross(q.b[1], q.c[0])
	for k := range 3 {
		n1[k] += m1[k]
		n[k] = more(more(math.Abs(n0[k]), math.Abs(n1[k])*0.5), math.Abs(n2[k]))
	}
	f[0], f[3] = dot(q.a[0], n0), dot(q.a[1], n2)
	f[1] = dot(q.a[1], n0) + dot(q.a[0], n1)
	f[2] = dot(q.a[1], n1) + dot(q.a[0], n2)
	return f, n
}

// derivatives of F by u, v and t at the middle, times two where that saves a product.
func (q *filterQuery) derivatives() (u, v, t vec3) {
	middle := 0.5
	if q.face {
		middle = 1.0 / 3
	}
	for k := range 3 {
		u[k], v[k] = q.b[0][k]+q.b[1][k], q.c[0][k]+q.c[1][k]
		t[k] = (q.a[1][k] - q.a[0][k]) + float64(middle*((q.b[1][k]-q.b[0][k])+(q.c[1][k]-q.c[0][k])))
	}
	return u, v, t
}

func (q *filterQuery) directionApart(d vec3, sep float64) bool {
	m := vec3{math.Abs(d[0]), math.Abs(d[1]), math.Abs(d[2])}
	size := dot(m, q.scale)
	if !(size >= smallest) {
		return false
	}
	e := float64(size*directionBound) + float64(sep*sum(m))
	lo, hi := q.shadow(d)
	return more(lo, -hi) > e
}

// shadow is the range of the projection of F on d over the domain and the interval, as computed.
func (q *filterQuery) shadow(d vec3) (lo, hi float64) {
	lo0, hi0 := q.reach(dot(d, q.a[0]), dot(d, q.b[0]), dot(d, q.c[0]))
	lo1, hi1 := q.reach(dot(d, q.a[1]), dot(d, q.b[1]), dot(d, q.c[1]))
	return less(lo0, lo1), more(hi0, hi1)
}

// reach is the range of a + u b + v c over the domain of u and v.
func (q *filterQuery) reach(a, b, c float64) (lo, hi float64) {
	if q.face {
		return a + less(less(b, c), 0), a + more(more(b, c), 0)
	}
	return a + less(b, 0) + less(c, 0), a + more(b, 0) + more(c, 0)
}

func cross(a, b vec3) vec3 {
	return vec3{
		float64(a[1]*b[2]) - float64(a[2]*b[1]),
		float64(a[2]*b[0]) - float64(a[0]*b[2]),
		float64(a[0]*b[1]) - float64(a[1]*b[0]),
	}
}

// permanent is cross with a plus, for magnitudes.
func permanent(a, b vec3) vec3 {
	return vec3{
		float64(a[1]*b[2]) + float64(a[2]*b[1]),
		float64(a[2]*b[0]) + float64(a[0]*b[2]),
		float64(a[0]*b[1]) + float64(a[1]*b[0]),
	}
}

func dot(a, b vec3) float64 { return float64(a[0]*b[0]) + float64(a[1]*b[1]) + float64(a[2]*b[2]) }

func sum(a vec3) float64 { return a[0] + a[1] + a[2] }

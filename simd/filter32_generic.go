package simd

import "math"

func filter32Generic(rec []float64, idx [][4]int32, list []int32, bounds *[4]float32, out []int32, face bool) int {
	part := bounds[1] != 1 || bounds[2] != 0
	var q filterQuery32
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
			apart = q.directionApart(cross32(u, v), bounds[2]) ||
				q.directionApart(cross32(v, t), bounds[2]) || q.directionApart(cross32(t, u), bounds[2])
		}
		if !(apart && q.finite()) {
			out[n] = i
			n++
		}
	}
	return n
}

// filterQuery32 is filterQuery in single precision.
type filterQuery32 struct {
	face       bool
	a, b, c    [2]vec32
	ma, mb, mc vec32
	scale      vec32
}

func (q *filterQuery32) load(rec []float64, at *[4]int32, face bool) {
	var d filterQuery
	d.load(rec, at, face)
	q.face = face
	q.a, q.b, q.c = rounded(d.a), rounded(d.b), rounded(d.c)
}

// rounded is a motion rounded to single precision.
func rounded(m [2]vec3) [2]vec32 {
	return [2]vec32{{float32(m[0].x), float32(m[0].y), float32(m[0].z)}, {float32(m[1].x), float32(m[1].y), float32(m[1].z)}}
}

func (q *filterQuery32) measure() {
	least := vec32{least32, least32, least32}
	q.ma = largestOf32(largestOf32(q.a[0], q.a[1]), least)
	q.mb = largestOf32(largestOf32(q.b[0], q.b[1]), least)
	q.mc = largestOf32(largestOf32(q.c[0], q.c[1]), least)
	q.scale = plus32(plus32(q.ma, q.mb), q.mc)
}

// cut moves the second end to the time whose weights are w0 and w1.
func (q *filterQuery32) cut(w0, w1 float32) {
	q.a[1], q.b[1], q.c[1] = blend32(q.a, w0, w1), blend32(q.b, w0, w1), blend32(q.c, w0, w1)
}

func (q *filterQuery32) finite() bool { return sum32(q.scale) <= largest32 }

func (q *filterQuery32) axesApart(sep float32) bool {
	return q.axisApart(q.scale.x, sep, q.a[0].x, q.b[0].x, q.c[0].x, q.a[1].x, q.b[1].x, q.c[1].x) ||
		q.axisApart(q.scale.y, sep, q.a[0].y, q.b[0].y, q.c[0].y, q.a[1].y, q.b[1].y, q.c[1].y) ||
		q.axisApart(q.scale.z, sep, q.a[0].z, q.b[0].z, q.c[0].z, q.a[1].z, q.b[1].z, q.c[1].z)
}

func (q *filterQuery32) axisApart(scale, sep, a0, b0, c0, a1, b1, c1 float32) bool {
	e := float32(scale*axisBound32) + sep
	return scale >= smallest32 && q.beyond(e, a0, b0, c0, a1, b1, c1)
}

// beyond is filterQuery.beyond.
func (q *filterQuery32) beyond(e, a0, b0, c0, a1, b1, c1 float32) bool {
	if !(abs32(a0) > e) {
		return false // neither side: the range contains a0
	}
	if a0 < 0 {
		a0, b0, c0, a1, b1, c1 = -a0, -b0, -c0, -a1, -b1, -c1
	}
	return q.least(a0, b0, c0) > e && q.least(a1, b1, c1) > e
}

// least is the minimum of a + u b + v c over the domain of u and v.
func (q *filterQuery32) least(a, b, c float32) float32 {
	if q.face {
		return a + min(b, c, 0)
	}
	return a + min(b, 0) + min(c, 0)
}

func (q *filterQuery32) cubicApart(sep, sep3 float32) bool {
	area := permanent32(q.mb, q.mc)
	volume := dot32(q.ma, area)
	if !(volume >= smallest32) {
		return false
	}
	f0, f1, f2, f3, n := q.bernstein()
	e, e3 := float32(volume*cubicEndBound32), float32(volume*cubicMiddleBound32)
	if sep > 0 {
		norm := sum32(n) + float32(sum32(area)*normBound32)
		e, e3 = e+float32(sep*norm), e3+float32(sep3*norm)
	}
	if f0 < 0 {
		f0, f1, f2, f3 = -f0, -f1, -f2, -f3
	}
	return f0 > e && f3 > e && f1 >= e3 && f2 >= e3
}

// bernstein is filterQuery.bernstein.
func (q *filterQuery32) bernstein() (f0, f1, f2, f3 float32, n vec32) {
	n0, n2 := cross32(q.b[0], q.c[0]), cross32(q.b[1], q.c[1])
	n1 := plus32(cross32(q.b[0], q.c[1]), cross32(q.b[1], q.c[0]))
	f0, f3 = dot32(q.a[0], n0), dot32(q.a[1], n2)
	f1 = dot32(q.a[1], n0) + dot32(q.a[0], n1)
	f2 = dot32(q.a[1], n1) + dot32(q.a[0], n2)
	return f0, f1, f2, f3, largestOf32(largestOf32(n0, vec32{n1.x * 0.5, n1.y * 0.5, n1.z * 0.5}), n2)
}

// derivatives is filterQuery.derivatives.
func (q *filterQuery32) derivatives() (u, v, t vec32) {
	middle := float32(0.5)
	if q.face {
		middle = 1.0 / 3
	}
	u, v = plus32(q.b[0], q.b[1]), plus32(q.c[0], q.c[1])
	a, s := minus32(q.a[1], q.a[0]), plus32(minus32(q.b[1], q.b[0]), minus32(q.c[1], q.c[0]))
	return u, v, vec32{a.x + float32(middle*s.x), a.y + float32(middle*s.y), a.z + float32(middle*s.z)}
}

func (q *filterQuery32) directionApart(d vec32, sep float32) bool {
	m := vec32{abs32(d.x), abs32(d.y), abs32(d.z)}
	size := dot32(m, q.scale)
	if !(size >= smallest32) {
		return false
	}
	e := float32(size*directionBound32) + float32(sep*sum32(m))
	return q.beyond(e, dot32(d, q.a[0]), dot32(d, q.b[0]), dot32(d, q.c[0]), dot32(d, q.a[1]), dot32(d, q.b[1]), dot32(d, q.c[1]))
}

// vec32 is vec3 in single precision; its functions are those of vec3.
type vec32 struct{ x, y, z float32 }

func plus32(a, b vec32) vec32  { return vec32{a.x + b.x, a.y + b.y, a.z + b.z} }
func minus32(a, b vec32) vec32 { return vec32{a.x - b.x, a.y - b.y, a.z - b.z} }

func blend32(m [2]vec32, w0, w1 float32) vec32 {
	return vec32{
		float32(m[0].x*w0) + float32(m[1].x*w1),
		float32(m[0].y*w0) + float32(m[1].y*w1),
		float32(m[0].z*w0) + float32(m[1].z*w1),
	}
}

func largestOf32(a, b vec32) vec32 {
	return vec32{larger32(a.x, b.x), larger32(a.y, b.y), larger32(a.z, b.z)}
}

// larger32 is the larger magnitude, as larger.
func larger32(a, b float32) float32 {
	const sign = 1 << 31
	return math.Float32frombits(max(math.Float32bits(a)&^sign, math.Float32bits(b)&^sign))
}

func cross32(a, b vec32) vec32 {
	return vec32{
		float32(a.y*b.z) - float32(a.z*b.y),
		float32(a.z*b.x) - float32(a.x*b.z),
		float32(a.x*b.y) - float32(a.y*b.x),
	}
}

func permanent32(a, b vec32) vec32 {
	return vec32{
		float32(a.y*b.z) + float32(a.z*b.y),
		float32(a.z*b.x) + float32(a.x*b.z),
		float32(a.x*b.y) + float32(a.y*b.x),
	}
}

func dot32(a, b vec32) float32 { return float32(a.x*b.x) + float32(a.y*b.y) + float32(a.z*b.z) }

func sum32(a vec32) float32 { return a.x + a.y + a.z }

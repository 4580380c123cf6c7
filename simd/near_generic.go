package simd

import "math"

func nearGeneric(rec []float64, idx [][4]int32, square float64, out []int32, face bool) int {
	var q nearQuery
	n := 0
	for i := range idx {
		if q.load(rec, &idx[i], face); !q.beyond(square) {
			out[n] = int32(i)
			n++
		}
	}
	return n
}

// nearQuery is A, B, C at the start of the motion.
type nearQuery struct {
	face    bool
	a, b, c vec3
	scale   vec3
}

func (q *nearQuery) load(rec []float64, at *[4]int32, face bool) {
	p0, p1, p2, p3 := line(rec, at[0]), line(rec, at[1]), line(rec, at[2]), line(rec, at[3])
	q.face = face
	if face {
		q.a, q.b, q.c = difference(p0, p1, 0), difference(p1, p2, 0), difference(p1, p3, 0)
	} else {
		q.a, q.b, q.c = difference(p0, p2, 0), difference(p1, p0, 0), difference(p2, p3, 0)
	}
	q.scale = plus(plus(magnitude(q.a), magnitude(q.b)), magnitude(q.c))
}

func magnitude(a vec3) vec3 { return vec3{math.Abs(a.x), math.Abs(a.y), math.Abs(a.z)} }

// beyond reports whether one of two directions proves the primitives farther apart than the root of square.
func (q *nearQuery) beyond(square float64) bool {
	if !(sum(q.scale) <= largestPiece) {
		return false
	}
	times := 2.0
	if q.face {
		times = 3
	}
	middle := vec3{
		float64(times*q.a.x) + q.b.x + q.c.x, float64(times*q.a.y) + q.b.y + q.c.y, float64(times*q.a.z) + q.b.z + q.c.z,
	}
	return q.along(middle, square) || q.along(cross(q.b, q.c), square)
}

func (q *nearQuery) along(w vec3, square float64) bool {
	a, b, c := dot(w, q.a), dot(w, q.b), dot(w, q.c)
	lo, hi := a+min(b, 0)+min(c, 0), a+max(b, 0)+max(c, 0)
	if q.face {
		lo, hi = a+min(b, c, 0), a+max(b, c, 0)
	}
	gap := max(lo, -hi) - float64(dot(magnitude(w), q.scale)*nearBound)
	ww := dot(w, w)
	return gap > 0 && ww >= leastDirection && float64(gap*gap) > float64(square*ww)+nearTiny
}

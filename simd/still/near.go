package still

import (
	"math"

	"ccd/simd/internal/query"
	"ccd/simd/internal/vec"
)

const (
	// nearBound: A, B and C are differences of points, rounded once, and a sum of three products
	// with a direction w passes three roundings more: 4U of |w|.|A|, and of B and C likewise. The
	// least value over the domain takes up to two additions: 6U of the size |w|.(|A| + |B| + |C|)
	// in all, up to second order. The computed size has lost at most 5U of itself.
	nearBound = 8 * 0x1p-53
	// nearMargin: what is left out is farther apart than d (1 + 2^-21). The bound on a square,
	// relative to 1, is for eight roundings of the comparison of the squares. So the distance,
	// which package proximity encloses within 2^-24 of itself, is certain to begin beyond d.
	nearMargin = 1 + 0x1p-20
	// Where squares underflow, nothing is certain: the square of a gap must exceed nearTiny, that
	// of a direction reach leastDirection, and d counts as at least 2^-450. What underflows in a
	// gap beyond 2^-500 is below 2^-1070. And where the size is at most query.LargestPiece, no
	// product overflows: |w| < 2^302, gaps < 2^454.
	nearTiny       = 0x1p-1000
	leastDirection = 0x1p-900
	leastNear      = 0x1p-900
)

// NearVF writes to out the positions of the vertex-face queries that floats cannot prove to be
// farther apart than d at the start of the motion, in rising order, and returns how many there are.
//
//	for i, q := range idx {
//		F := A + u B + v C, the differences of the points of both primitives
//		for w in {the mean of F's corners, B x C} {
//			gap := the least of w.F over the domain, or of -w.F, less its bound
//			apart = apart || gap > 0 && gap*gap > square * w.w // square: of d (1 + 2^-20)
//		}
//		if !apart { out[n] = i; n++ }
//	}
//
// A query left out is a proof that the distance is more than d (1 + 2^-21), d >= 0. out must hold
// len(idx) entries.
func NearVF(rec []float64, idx [][4]int32, d float64, out []int32) int {
	return nearVF(rec, idx, nearSquare(d), out[:len(idx)])
}

// NearEE is NearVF for edge-edge queries.
func NearEE(rec []float64, idx [][4]int32, d float64, out []int32) int {
	return nearEE(rec, idx, nearSquare(d), out[:len(idx)])
}

func nearSquare(d float64) float64 {
	d *= nearMargin
	return max(d*d, leastNear)
}

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
	a, b, c vec.Vec3
	scale   vec.Vec3
}

func (q *nearQuery) load(rec []float64, at *[4]int32, face bool) {
	p0, p1, p2, p3 := query.Line(rec, at[0]), query.Line(rec, at[1]), query.Line(rec, at[2]), query.Line(rec, at[3])
	q.face = face
	if face {
		q.a, q.b, q.c = vec.Difference(p0, p1, 0), vec.Difference(p1, p2, 0), vec.Difference(p1, p3, 0)
	} else {
		q.a, q.b, q.c = vec.Difference(p0, p2, 0), vec.Difference(p1, p0, 0), vec.Difference(p2, p3, 0)
	}
	q.scale = vec.Plus(vec.Plus(magnitude(q.a), magnitude(q.b)), magnitude(q.c))
}

func magnitude(a vec.Vec3) vec.Vec3 {
	return vec.Vec3{X: math.Abs(a.X), Y: math.Abs(a.Y), Z: math.Abs(a.Z)}
}

// beyond reports whether one of two directions proves the primitives farther apart than the root of
// square.
func (q *nearQuery) beyond(square float64) bool {
	if !(vec.Sum(q.scale) <= query.LargestPiece) {
		return false
	}
	times := 2.0
	if q.face {
		times = 3
	}
	middle := vec.Vec3{
		X: float64(times*q.a.X) + q.b.X + q.c.X, Y: float64(times*q.a.Y) + q.b.Y + q.c.Y,
		Z: float64(times*q.a.Z) + q.b.Z + q.c.Z,
	}
	return q.along(middle, square) || q.along(vec.Cross(q.b, q.c), square)
}

func (q *nearQuery) along(w vec.Vec3, square float64) bool {
	a, b, c := vec.Dot(w, q.a), vec.Dot(w, q.b), vec.Dot(w, q.c)
	lo, hi := a+min(b, 0)+min(c, 0), a+max(b, 0)+max(c, 0)
	if q.face {
		lo, hi = a+min(b, c, 0), a+max(b, c, 0)
	}
	gap := max(lo, -hi) - float64(vec.Dot(magnitude(w), q.scale)*nearBound)
	ww := vec.Dot(w, w)
	return gap > 0 && ww >= leastDirection && float64(gap*gap) > float64(square*ww)+nearTiny
}

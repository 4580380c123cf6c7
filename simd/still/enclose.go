package still

import (
	"math"

	"ccd/simd/internal/query"
	"ccd/simd/internal/vec"
)

// EncloseLen is the largest number of queries of a call of EncloseVF and EncloseEE: their output
// stays in the first-level cache.
const EncloseLen = 64

// Enclosures holds the results for number j of a list in column j, each in its row.
type Enclosures [encloseRows][EncloseLen]float64

// Rows of Enclosures: both ends of the distance, and the parameters of a nearest point.
const (
	EncloseLo   = 0
	EncloseHi   = 1
	EncloseU    = 2
	EncloseV    = 3
	encloseRows = 4
)

// The bounds of an enclosure are those of core/proximity/bound.go, where they are derived:
// upperBound, lowerBound and encloseFloats.
const (
	// the error of a component of A + u B + v C, relative to the sum of the terms' magnitudes
	encloseSum    = 5 * 0x1p-53
	encloseCorner = 2 * 0x1p-53   // the error of a component of a corner
	encloseTiny   = 0x1p-400      // pays for squares that underflow
	encloseUp     = 1 + 8*0x1p-53 // rounds a length up
	encloseDown   = 1 - 8*0x1p-53 // rounds a length down
	// the error of a component along a direction, relative to the sum of the terms' magnitudes
	encloseAlong  = 6 * 0x1p-53
	encloseLoss   = 0x1p-1000 // what underflows there
	encloseSquare = 0x1p-900  // the square of a direction must exceed it
	encloseTight  = 0x1p-24   // relative width of a result
	encloseFine   = 0x1p-46   // relative width at which a second direction would gain little
	encloseLeast  = 0x1p-100  // extents of the set of differences for which no product over- or underflows
	encloseMost   = 0x1p100
)

// EncloseVF encloses the distances of vertex-face queries at the start of the motion. For query
// list[j], column j of out is
//
//	lo, hi   the distance is between them, and hi - lo <= 2^-24 hi; or lo is -1, and the column
//	         means nothing
//	u, v     parameters of a nearest point of the face, within its domain
//
// These are the bits of package proximity's own floats (core/proximity/bound.go, where the bounds
// are derived):
//
//	F := A + u B + v C; its corners are differences of two vertices, rounded once
//	u, v := of the point of least |F|, in floats: within the domain, or on a side of it, or at a
//	        corner
//	hi := |F(u, v)| + its error
//	lo := the greatest of (the least w.corner - its error) / |w| over the directions w: the sum of
//	      the corners, F(u, v) across its side, and B x C where the others leave a gap
//
// The list has at most EncloseLen numbers; rows of out may be written up to the next multiple of
// eight.
func EncloseVF(rec []float64, idx [][4]int32, list []int32, out *Enclosures) {
	_ = out[0][:len(list)]
	encloseVF(rec, idx, list, out)
}

// EncloseEE is EncloseVF for edge-edge queries, with u on edge a and v on edge b.
func EncloseEE(rec []float64, idx [][4]int32, list []int32, out *Enclosures) {
	_ = out[0][:len(list)]
	encloseEE(rec, idx, list, out)
}

func encloseGeneric(rec []float64, idx [][4]int32, list []int32, out *Enclosures, face bool) {
	var q encloseQuery
	for j, i := range list {
		q.load(rec, &idx[i], face)
		lo, hi := q.enclose()
		out[EncloseLo][j], out[EncloseHi][j], out[EncloseU][j], out[EncloseV][j] = lo, hi, q.u, q.v
	}
}

// encloseQuery is the set of differences of a query at the start of the motion, and the point of
// least length found so far.
type encloseQuery struct {
	face         bool
	corner       []vec.Vec3 // around the domain
	corners      [4]vec.Vec3
	b, c, across vec.Vec3 // across: of a face, corner 2 - corner 1

	u, v    float64
	f       vec.Vec3
	mag     vec.Vec3 // the sum of the terms' magnitudes, or zero where f is a corner
	side    vec.Vec3 // the side that f lies within, or zero
	square  float64
	highest float64 // extent of the set
}

func (q *encloseQuery) load(rec []float64, at *[4]int32, face bool) {
	p0, p1, p2, p3 := query.Line(rec, at[0]), query.Line(rec, at[1]), query.Line(rec, at[2]), query.Line(rec, at[3])
	q.face = face
	if face {
		q.corners = [4]vec.Vec3{vec.Difference(p0, p1, 0), vec.Difference(p0, p2, 0), vec.Difference(p0, p3, 0)}
		q.corner = q.corners[:3]
		q.b, q.c, q.across = vec.Difference(p1, p2, 0), vec.Difference(p1, p3, 0), vec.Difference(p2, p3, 0)
	} else {
		q.corners = [4]vec.Vec3{vec.Difference(p0, p2, 0), vec.Difference(p1, p2, 0), vec.Difference(p1, p3,
			0), vec.Difference(p0, p3, 0)}
		q.corner = q.corners[:4]
		q.b, q.c = vec.Difference(p1, p0, 0), vec.Difference(p2, p3, 0)
	}
	q.highest = 0
	for _, c := range q.corner {
		q.highest = max(q.highest, math.Abs(c.X), math.Abs(c.Y), math.Abs(c.Z))
	}
}

// enclose returns both ends of the distance, or -1 and anything.
func (q *encloseQuery) enclose() (lo, hi float64) {
	middle := vec.Plus(vec.Plus(q.corner[0], q.corner[1]), q.corner[2])
	if !q.face {
		middle = vec.Plus(middle, q.corner[3])
	}
	lo = max(q.along(middle), 0)
	q.nearest()
	hi = q.upper()
	w := q.f
	if ss := vec.Dot(q.side, q.side); ss > 0 {
		t := vec.Dot(w, q.side) / ss
		w = vec.Vec3{X: w.X - float64(t*q.side.X), Y: w.Y - float64(t*q.side.Y), Z: w.Z - float64(t*q.side.Z)}
	}
	lo = max(lo, q.along(w))
	if !(hi-lo <= float64(encloseFine*hi)) {
		n := vec.Cross(q.b, q.c)
		if vec.Dot(n, q.corner[0]) < 0 {
			n = vec.Vec3{X: -n.X, Y: -n.Y, Z: -n.Z}
		}
		lo = max(lo, q.along(n))
	}
	if !(q.highest >= encloseLeast && q.highest <= encloseMost && hi-lo <= float64(encloseTight*hi)) {
		return -1, hi
	}
	return lo, hi
}

// nearest finds about the point of least length.
func (q *encloseQuery) nearest() {
	*q = encloseQuery{face: q.face, corner: q.corner, corners: q.corners, b: q.b, c: q.c, across: q.across,
		highest: q.highest, square: math.Inf(1)}
	q.inside()
	q.edge(0, 1, q.b, func(t float64) (u, v float64) { return t, 0 })
	if q.face {
		q.edge(0, 2, q.c, func(t float64) (u, v float64) { return 0, t })
		q.edge(1, 2, q.across, func(t float64) (u, v float64) { return oneLess(t) + 0, t }) // + 0: no negative zero
		return
	}
	q.edge(3, 2, q.b, func(t float64) (u, v float64) { return t, 1 })
	q.edge(0, 3, q.c, func(t float64) (u, v float64) { return 0, t })
	q.edge(1, 2, q.c, func(t float64) (u, v float64) { return 1, t })
}

// oneLess returns the greatest double not above 1 - t, for t in [0, 1]; -0 for t = 1.
func oneLess(t float64) float64 {
	s := t - 1
	if t-(s+1) > 0 { // s is t - 1 rounded down
		s = math.Float64frombits(math.Float64bits(s) - 1)
	}
	return -s
}

// inside takes the stationary point of the plane, if it is within the domain.
func (q *encloseQuery) inside() {
	a := q.corner[0]
	bb, bc, cc, ab, ac := vec.Dot(q.b, q.b), vec.Dot(q.b, q.c), vec.Dot(q.c, q.c), vec.Dot(a, q.b), vec.Dot(a, q.c)
	det := float64(bb*cc) - float64(bc*bc)
	u, v := (float64(bc*ac)-float64(cc*ab))/det, (float64(bc*ab)-float64(bb*ac))/det
	if !(det > 0 && u >= 0 && v >= 0 && u <= 1 && v <= 1) || q.face && !(u+v <= 1) {
		return
	}
	if q.face {
		v = vec.Lesser(v, oneLess(u))
	}
	ub, vc := vec.Vec3{X: float64(u * q.b.X), Y: float64(u * q.b.Y), Z: float64(u * q.b.Z)},
		vec.Vec3{X: float64(v * q.c.X), Y: float64(v * q.c.Y), Z: float64(v * q.c.Z)}
	q.u, q.v = u, v
	q.f, q.mag = vec.Plus(vec.Plus(a, ub), vc), vec.Plus(vec.Plus(magnitude(a), magnitude(ub)), magnitude(vc))
	q.square = vec.Dot(q.f, q.f)
}

// edge takes the nearest point of the side from corner i to corner j, in the direction d, if it is
// no farther than the best.
func (q *encloseQuery) edge(i, j int, d vec.Vec3, parameters func(t float64) (u, v float64)) {
	from, t := q.corner[i], 0.0
	if dd := vec.Dot(d, d); dd > 0 {
		t = min(max(-vec.Dot(from, d)/dd, 0), 1)
	}
	x := vec.Vec3{X: float64(t * d.X), Y: float64(t * d.Y), Z: float64(t * d.Z)}
	f, mag := vec.Plus(from, x), vec.Plus(magnitude(from), magnitude(x))
	if !(t > 0 && t < 1) {
		d, mag = vec.Vec3{}, vec.Vec3{}
	}
	if t == 1 {
		f = q.corner[j]
	}
	if square := vec.Dot(f, f); square <= q.square {
		q.f, q.mag, q.side, q.square = f, mag, d, square
		q.u, q.v = parameters(t)
	}
}

// upper bounds the length of the point from above.
func (q *encloseQuery) upper() float64 {
	f := magnitude(q.f)
	if vec.Sum(f) == 0 && vec.Sum(q.mag) == 0 {
		return 0
	}
	bound := func(f, mag float64) float64 {
		return f + float64(encloseSum*mag) + float64(encloseCorner*f) + encloseTiny
	}
	x := vec.Vec3{X: bound(f.X, q.mag.X), Y: bound(f.Y, q.mag.Y), Z: bound(f.Z, q.mag.Z)}
	return math.Sqrt(vec.Dot(x, x)) * encloseUp
}

// along bounds the distance from below by the direction w.
func (q *encloseQuery) along(w vec.Vec3) float64 {
	ww := vec.Dot(w, w)
	if !(ww > encloseSquare) {
		return 0
	}
	least := math.Inf(1)
	for _, f := range q.corner {
		x, y, z := float64(w.X*f.X), float64(w.Y*f.Y), float64(w.Z*f.Z)
		size := math.Abs(x) + math.Abs(y) + math.Abs(z)
		least = min(least, x+y+z-float64(encloseAlong*size)-encloseLoss)
	}
	return max(0, float64(least/math.Sqrt(ww))*encloseDown)
}

package simd

import "math"

func encloseGeneric(rec []float64, idx [][4]int32, list []int32, out *Enclosures, face bool) {
	var q encloseQuery
	for j, i := range list {
		q.load(rec, &idx[i], face)
		lo, hi := q.enclose()
		out[EncloseLo][j], out[EncloseHi][j], out[EncloseU][j], out[EncloseV][j] = lo, hi, q.u, q.v
	}
}

// encloseQuery is the set of differences of a query at the start of the motion, and the point of least length found so far.
type encloseQuery struct {
	face         bool
	corner       []vec3 // around the domain
	corners      [4]vec3
	b, c, across vec3 // across: of a face, corner 2 - corner 1

	u, v    float64
	f       vec3
	mag     vec3 // the sum of the terms' magnitudes, or zero where f is a corner
	side    vec3 // the side that f lies within, or zero
	square  float64
	highest float64 // extent of the set
}

func (q *encloseQuery) load(rec []float64, at *[4]int32, face bool) {
	p0, p1, p2, p3 := line(rec, at[0]), line(rec, at[1]), line(rec, at[2]), line(rec, at[3])
	q.face = face
	if face {
		q.corners = [4]vec3{difference(p0, p1, 0), difference(p0, p2, 0), difference(p0, p3, 0)}
		q.corner = q.corners[:3]
		q.b, q.c, q.across = difference(p1, p2, 0), difference(p1, p3, 0), difference(p2, p3, 0)
	} else {
		q.corners = [4]vec3{difference(p0, p2, 0), difference(p1, p2, 0), difference(p1, p3, 0), difference(p0, p3, 0)}
		q.corner = q.corners[:4]
		q.b, q.c = difference(p1, p0, 0), difference(p2, p3, 0)
	}
	q.highest = 0
	for _, c := range q.corner {
		q.highest = max(q.highest, math.Abs(c.x), math.Abs(c.y), math.Abs(c.z))
	}
}

// enclose returns both ends of the distance, or -1 and anything.
func (q *encloseQuery) enclose() (lo, hi float64) {
	middle := plus(plus(q.corner[0], q.corner[1]), q.corner[2])
	if !q.face {
		middle = plus(middle, q.corner[3])
	}
	lo = max(q.along(middle), 0)
	q.nearest()
	hi = q.upper()
	w := q.f
	if ss := dot(q.side, q.side); ss > 0 {
		t := dot(w, q.side) / ss
		w = vec3{w.x - float64(t*q.side.x), w.y - float64(t*q.side.y), w.z - float64(t*q.side.z)}
	}
	lo = max(lo, q.along(w))
	if !(hi-lo <= float64(encloseFine*hi)) {
		n := cross(q.b, q.c)
		if dot(n, q.corner[0]) < 0 {
			n = vec3{-n.x, -n.y, -n.z}
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
	*q = encloseQuery{face: q.face, corner: q.corner, corners: q.corners, b: q.b, c: q.c, across: q.across, highest: q.highest, square: math.Inf(1)}
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

// oneLess is the greatest double not above 1 - t, for t in [0, 1]; -0 for t = 1.
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
	bb, bc, cc, ab, ac := dot(q.b, q.b), dot(q.b, q.c), dot(q.c, q.c), dot(a, q.b), dot(a, q.c)
	det := float64(bb*cc) - float64(bc*bc)
	u, v := (float64(bc*ac)-float64(cc*ab))/det, (float64(bc*ab)-float64(bb*ac))/det
	if !(det > 0 && u >= 0 && v >= 0 && u <= 1 && v <= 1) || q.face && !(u+v <= 1) {
		return
	}
	if q.face {
		v = lesser(v, oneLess(u))
	}
	ub, vc := vec3{float64(u * q.b.x), float64(u * q.b.y), float64(u * q.b.z)}, vec3{float64(v * q.c.x), float64(v * q.c.y), float64(v * q.c.z)}
	q.u, q.v = u, v
	q.f, q.mag = plus(plus(a, ub), vc), plus(plus(magnitude(a), magnitude(ub)), magnitude(vc))
	q.square = dot(q.f, q.f)
}

// edge takes the nearest point of the side from corner i to corner j, in the direction d, if it is no farther than the best.
func (q *encloseQuery) edge(i, j int, d vec3, parameters func(t float64) (u, v float64)) {
	from, t := q.corner[i], 0.0
	if dd := dot(d, d); dd > 0 {
		t = min(max(-dot(from, d)/dd, 0), 1)
	}
	x := vec3{float64(t * d.x), float64(t * d.y), float64(t * d.z)}
	f, mag := plus(from, x), plus(magnitude(from), magnitude(x))
	if !(t > 0 && t < 1) {
		d, mag = vec3{}, vec3{}
	}
	if t == 1 {
		f = q.corner[j]
	}
	if square := dot(f, f); square <= q.square {
		q.f, q.mag, q.side, q.square = f, mag, d, square
		q.u, q.v = parameters(t)
	}
}

// upper bounds the length of the point from above.
func (q *encloseQuery) upper() float64 {
	f := magnitude(q.f)
	if sum(f) == 0 && sum(q.mag) == 0 {
		return 0
	}
	bound := func(f, mag float64) float64 {
		return f + float64(encloseSum*mag) + float64(encloseCorner*f) + encloseTiny
	}
	x := vec3{bound(f.x, q.mag.x), bound(f.y, q.mag.y), bound(f.z, q.mag.z)}
	return math.Sqrt(dot(x, x)) * encloseUp
}

// along bounds the distance from below by the direction w.
func (q *encloseQuery) along(w vec3) float64 {
	ww := dot(w, w)
	if !(ww > encloseSquare) {
		return 0
	}
	least := math.Inf(1)
	for _, f := range q.corner {
		x, y, z := float64(w.x*f.x), float64(w.y*f.y), float64(w.z*f.z)
		size := math.Abs(x) + math.Abs(y) + math.Abs(z)
		least = min(least, x+y+z-float64(encloseAlong*size)-encloseLoss)
	}
	return max(0, float64(least/math.Sqrt(ww))*encloseDown)
}

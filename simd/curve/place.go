package curve

import (
	"math"

	"ccd/simd/internal/vec"
	"ccd/simd/linear"
)

const (
	// curvedPointBound: a point at a double in double-doubles, of control points of at most M, is
	// off by less than 107 * 2^-106 M, the difference of two by 188 * 2^-106 M.
	curvedPointBound = 0x1p-98
	// curvedVelocityBound: the difference of two velocities, by less than 840 * 2^-106 M.
	curvedVelocityBound = 0x1p-96
	// pairSlack: what the sum with an error rounds, of a pair whose low part is at most 6U of the
	// high one.
	pairSlack = 0x1p-102
	// aheadSlack: a sum of pairs is off by 5 * 2^-106 of what it adds up.
	aheadSlack = 0x1p-103
	// Magnitudes of the control points, of relative coordinates and of F within which no step
	// underflows or overflows.
	leastPlaced, mostPlaced = 0x1p-60, 0x1p60
	leastRelative           = 0x1p-300
)

// PlaceVF finds where vertex-face queries on paths touch whose first contact is strictly between
// toi[j] and the next double, without a separation. Its numbers are those of
// docs/proofs/motions.md, "Where they touch", in every bit, for they are unique:
//
//	u, v     of the nearest points at the next double, from the rounded points
//	width    the way from toi to the next double times the largest component of a relative velocity,
//	         rounded
//	point    on the face, or between both edges, at toi
//	normal   of the linear pair that moves on along the velocities
//
// placed[j] is 0 where double-doubles do not determine how a number rounds, where B and C are
// nearly parallel, or where the motion at the contact is no more than rounding; then the column is
// undefined. Lists and rows are those of PlaceVF.
func PlaceVF(rec []float64, degree int, idx [][4]int32, list []int32, toi []float64, out *linear.Places,
	placed []uint8) {
	curvedPlaceVF(degree, rec, idx, list, toi[:len(list)], out, placed[:len(list)])
}

// PlaceEE is PlaceVF for edge-edge queries.
func PlaceEE(rec []float64, degree int, idx [][4]int32, list []int32, toi []float64, out *linear.Places,
	placed []uint8) {
	curvedPlaceEE(degree, rec, idx, list, toi[:len(list)], out, placed[:len(list)])
}

func curvedPlaceGeneric(rec []float64, degree int, idx [][4]int32, list []int32, toi []float64,
	out *linear.Places, placed []uint8, face bool) {
	for j, i := range list {
		q := curvedPlace{face: face, degree: degree, ok: true}
		q.load(rec, &idx[i])
		q.move(toi[j])
		q.relative()
		q.parameters()
		q.report(toi[j])
		placed[j] = 0
		if q.ok {
			placed[j] = 1
		}
		for r, x := range [linear.PlaceRows]float64{
			q.u, q.v0, q.width, q.point[0], q.point[1], q.point[2], q.normal[0], q.normal[1], q.normal[2],
		} {
			out[r][j] = x
		}
	}
}

// curvedPlace is one query. A step clears ok if it is not certain of a number.
type curvedPlace struct {
	face   bool
	degree int
	ok     bool
	c      [4][4][3]float64 // control points, point by point
	most   float64

	x, v  [4][3]vec.Double // points and velocities at the double behind the contact
	rest  [4][3]float64    // 0 where all control points are equal
	begin [4][3]float64    // the points at toi, rounded
	d, e  [4][3]float64    // the points relative to the first, rounded; and moved on along the velocities
	w     [4][3]float64    // relative velocities, rounded
	speed float64          // the largest relative velocity

	u, v0, width  float64
	point, normal [3]float64
}

func (q *curvedPlace) load(rec []float64, at *[4]int32) {
	stride := 3 * (q.degree + 1)
	for i := range q.c {
		x := rec[stride*int(at[i]):][:stride]
		for l := range q.degree + 1 {
			for k := range 3 {
				q.c[i][l][k] = x[3*l+k]
				q.most = max(q.most, math.Abs(x[3*l+k]))
			}
		}
	}
	q.require(q.most >= leastPlaced && q.most <= mostPlaced)
}

func (q *curvedPlace) require(certain bool) { q.ok = q.ok && certain }

// rounded returns x, which is off by at most e, as a double, and whether that is certain.
func rounded(x vec.Double, e float64) (y float64, certain bool) {
	e += float64(math.Abs(x.H) * pairSlack)
	y = x.H + (x.L - e)
	return y, y >= x.H+(x.L+e)
}

// move computes the points at the double behind toi with their velocities, and the points at toi.
func (q *curvedPlace) move(toi float64) {
	t := math.Float64frombits(math.Float64bits(toi) + 1)
	back := toi - t
	e := float64(q.most * curvedPointBound)
	for i := range 4 {
		for k := range 3 {
			lo, hi := q.c[i][0][k], q.c[i][0][k]
			var c [4]vec.Double
			for l := range q.degree + 1 {
				y := q.c[i][l][k]
				c[l].H = y
				if y < lo {
					lo = y
				}
				if y > hi {
					hi = y
				}
			}
			for step := range q.degree { // de Casteljau
				for l := range q.degree - step {
					var d vec.Double
					if step == 0 {
						d.H, d.L = vec.TwoDifference(c[l+1].H, c[l].H)
					} else {
						d = c[l+1].Minus(c[l])
					}
					q.v[i][k] = d
					c[l] = c[l].Plus(d.Times(t))
				}
			}
			q.x[i][k], q.v[i][k] = c[0], q.v[i][k].Times(float64(q.degree))
			q.rest[i][k] = hi - lo
			y, certain := rounded(c[0].Plus(q.v[i][k].Times(back)), e)
			rests := q.rest[i][k] <= 0
			if rests {
				y = c[0].H
			}
			q.begin[i][k] = y
			q.require(certain || rests)
		}
	}
}

// relative computes the points relative to the first one, and moved on along the velocities.
func (q *curvedPlace) relative() {
	const exponent = 0x7ff << 52
	ed, ew := float64(q.most*curvedPointBound), float64(q.most*curvedVelocityBound)
	var d, w [4][3]vec.Double
	var rests [4][3]bool
	size := 0.0
	for i := 1; i < 4; i++ {
		for k := range 3 {
			d[i][k], w[i][k] = q.x[i][k].Minus(q.x[0][k]), q.v[i][k].Minus(q.v[0][k])
			rests[i][k] = q.rest[i][k]+q.rest[0][k] <= 0
			x, certain := rounded(d[i][k], ed)
			f, sure := rounded(w[i][k], ew)
			sure = certain && sure && math.Abs(f) > ew+ew && math.Float64bits(f)<<12 != 0
			if rests[i][k] {
				x, f = d[i][k].H, 0
			}
			q.require(sure || rests[i][k])
			q.require(math.Abs(x) >= leastRelative || x >= 0 && x <= 0)
			q.d[i][k], q.w[i][k] = x, f
			q.speed, size = max(q.speed, math.Abs(f)), max(size, math.Abs(x))
		}
	}
	q.require(size >= leastPlaced && q.speed > 0)
	f := math.Float64frombits(math.Float64bits(size)&exponent) /
		(2 * math.Float64frombits(math.Float64bits(q.speed)&exponent))
	for i := 1; i < 4; i++ {
		for k := range 3 {
			sum := vec.Double{H: float64(w[i][k].H * f), L: float64(w[i][k].L * f)}.Plus(d[i][k])
			e := float64(ew*f) + ed + float64(aheadSlack*(math.Abs(sum.H)+float64(2*math.Abs(d[i][k].H))))
			y, certain := rounded(sum, e)
			if rests[i][k] {
				y = d[i][k].H
			}
			q.require(certain || rests[i][k])
			q.e[i][k] = y
		}
	}
}

// parameters computes u and v of the nearest points: the foot in the plane and the feet on the
// sides, of which the nearest counts. See closest in core/exact.
func (q *curvedPlace) parameters() {
	f := nearestFoot{least: math.Inf(1)}
	f.load(q.face, &q.d)
	f.scale()
	q.require(f.plane(q.face))
	f.side(0, 0, func(s float64) (u, v float64) { return s, 0 })
	f.side(0, 1, func(s float64) (u, v float64) { return 0, s })
	if q.face {
		f.side(2, 2, func(s float64) (u, v float64) { return s, 1 - s })
		q.u = vec.Lesser(f.u, 1)
		q.v0 = vec.Lesser(f.v, 1-q.u)
		return
	}
	f.side(2, 0, func(s float64) (u, v float64) { return s, 1 })
	f.side(1, 1, func(s float64) (u, v float64) { return 1, s })
	q.u, q.v0 = vec.Lesser(f.u, 1), vec.Lesser(f.v, 1)
}

// nearestFoot finds the point of a triangle or parallelogram that is nearest to the origin: the set
// of differences of the points of two primitives.
type nearestFoot struct {
	p     [4][3]float64 // the corners
	e     [3][3]float64 // the edges
	least float64       // the square of the least distance so far
	u, v  float64       // the parameters of the nearest point so far
}

func dot3(a, b *[3]float64) float64 {
	return float64(a[0]*b[0]) + float64(a[1]*b[1]) + float64(a[2]*b[2])
}

func cross3(a, b *[3]float64) (n [3]float64) {
	for k := range n {
		i, j := (k+1)%3, (k+2)%3
		n[k] = float64(a[i]*b[j]) - float64(a[j]*b[i])
	}
	return n
}

// load sets corners and edges from the points relative to the first one.
func (f *nearestFoot) load(face bool, x *[4][3]float64) {
	p, e := &f.p, &f.e
	for k := range 3 {
		if face {
			p[0][k], p[1][k], p[2][k] = 0-x[1][k], 0-x[2][k], 0-x[3][k]
			e[0][k], e[1][k], e[2][k] = x[1][k]-x[2][k], x[1][k]-x[3][k], x[3][k]-x[2][k]
		} else {
			p[0][k], p[1][k], p[2][k], p[3][k] = 0-x[2][k], x[1][k]-x[2][k], 0-x[3][k], x[1][k]-x[3][k]
			e[0][k], e[1][k] = x[1][k]-0, x[2][k]-x[3][k]
		}
	}
}

// scale brings the largest entry into [1, 2), so that no square overflows.
func (f *nearestFoot) scale() {
	const exponent = 0x7ff << 52
	top := 0.0
	for k := range 3 {
		for i := range f.p {
			top = max(top, math.Abs(f.p[i][k]))
		}
		for i := range f.e {
			top = max(top, math.Abs(f.e[i][k]))
		}
	}
	unit := math.Float64frombits(2046<<52 - math.Float64bits(top)&exponent)
	for k := range 3 {
		for i := range f.p {
			f.p[i][k] = float64(f.p[i][k]*unit) + 0
		}
		for i := range f.e {
			f.e[i][k] = float64(f.e[i][k]*unit) + 0
		}
	}
}

// at returns the point of the plane at (u, v).
func (f *nearestFoot) at(u, v float64) (x [3]float64) {
	p := &f.p
	for k := range x {
		x[k] = p[0][k] + float64(u*(p[1][k]-p[0][k])) + float64(v*(p[2][k]-p[0][k]))
	}
	return x
}

// offer keeps (u, v) if it is in the domain and nearer than the point so far.
func (f *nearestFoot) offer(may bool, u, v float64) {
	g := f.at(u, v)
	if s := dot3(&g, &g); may && s < f.least {
		f.least, f.u, f.v = s, u, v
	}
}

// plane offers the foot in the plane, by two ways of computing u; it returns whether the edges are
// far enough from parallel.
func (f *nearestFoot) plane(face bool) (certain bool) {
	a, b, c := &f.p[0], &f.e[0], &f.e[1]
	n := cross3(b, c)
	nn := dot3(&n, &n)
	y, z := cross3(c, a), cross3(a, b)
	s, t := dot3(&y, &n)/nn, dot3(&z, &n)/nn
	last := 1.0
	if face {
		last = 1 - t
	}
	within := t >= 0 && t <= 1
	f.offer(within && s >= 0 && s <= last, s, t)
	g := f.at(0, t)
	s = -dot3(&g, b) / dot3(b, b)
	f.offer(within && s >= 0 && s <= last, s, t)
	return nn > float64(0x1p-96*float64(dot3(b, b)*dot3(c, c)))
}

// side offers the foot on a side, which begins at a corner and goes along an edge; at gives u and v
// of the part s of it.
func (f *nearestFoot) side(from, edge int, at func(s float64) (u, v float64)) {
	e := &f.e[edge]
	s := -dot3(&f.p[from], e) / dot3(e, e)
	ok := s >= math.Inf(-1)
	if !(s > 0) {
		s = 0
	}
	u, v := at(vec.Lesser(s, 1))
	f.offer(ok, u, v)
}

// report computes width, point and normal.
func (q *curvedPlace) report(toi float64) {
	u, v := q.u, q.v0
	fast := 0.0
	for k := range 3 { // This computes the relative velocity at the contact.
		s := float64(u*q.w[1][k]) - float64(v*q.w[3][k]) - float64((1-v)*q.w[2][k])
		if q.face {
			s = float64(u*q.w[2][k]) + float64(v*q.w[3][k]) + float64((1-u-v)*q.w[1][k])
		}
		fast = max(fast, math.Abs(s))
	}
	q.require(fast > float64(0x1p-39*q.speed) && q.speed > float64(0x1p-40*q.most))
	q.width = (math.Float64frombits(math.Float64bits(toi)+1) - toi) * q.speed

	var b, c, from [3]float64
	for k := range 3 {
		x, y := &q.d, &q.e
		a0, b0, c0 := 0-x[2][k], x[1][k]-0, x[2][k]-x[3][k]
		a1, b1, c1 := 0-y[2][k], y[1][k]-0, y[2][k]-y[3][k]
		if q.face {
			a0, b0, c0 = 0-x[1][k], x[1][k]-x[2][k], x[1][k]-x[3][k]
			a1, b1, c1 = 0-y[1][k], y[1][k]-y[2][k], y[1][k]-y[3][k]
		}
		da, db, dc := a1-a0, b1-b0, c1-c0
		b[k], c[k] = b0+float64(0*db), c0+float64(0*dc)
		from[k] = -(da + float64(u*db) + float64(v*dc))
		x0 := &q.begin
		if q.face {
			q.point[k] = x0[1][k] + float64(u*(x0[2][k]-x0[1][k])) + float64(v*(x0[3][k]-x0[1][k]))
		} else {
			q.point[k] = float64(0.5*(x0[0][k]+float64(u*(x0[1][k]-x0[0][k])))) +
				float64(0.5*(x0[2][k]+float64(v*(x0[3][k]-x0[2][k]))))
		}
	}
	b, c, from = q.shrunk(b), q.shrunk(c), q.shrunk(from)
	n := [3]float64{float64(b[1]*c[2]) - float64(b[2]*c[1]), float64(b[2]*c[0]) - float64(b[0]*c[2]),
		float64(b[0]*c[1]) - float64(b[1]*c[0])}
	square := func(a, b *[3]float64) float64 {
		return float64(a[0]*b[0]) + float64(a[1]*b[1]) + float64(a[2]*b[2])
	}
	nn := square(&n, &n)
	q.require(nn > float64(0x1p-80*square(&b, &b))*square(&c, &c))
	s := square(&n, &from)
	q.require(float64(s*s) > float64(0x1p-80*nn)*square(&from, &from))
	if s < 0 {
		n = [3]float64{-n[0], -n[1], -n[2]}
	}
	n = q.shrunk(n)
	length := math.Sqrt(square(&n, &n))
	q.normal = [3]float64{n[0] / length, n[1] / length, n[2] / length}
}

// shrunk scales w by the power of two that brings its largest entry into [0.5, 1).
func (q *curvedPlace) shrunk(w [3]float64) [3]float64 {
	const exponent = 0x7ff << 52
	m := vec.Larger(vec.Larger(w[0], w[1]), w[2])
	q.require(m >= leastRelative && m <= 1/leastRelative)
	s := math.Float64frombits(2045<<52 - math.Float64bits(m)&exponent)
	return [3]float64{w[0] * s, w[1] * s, w[2] * s}
}

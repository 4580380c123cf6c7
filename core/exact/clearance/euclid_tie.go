package clearance

import (
	"math"
	"math/big"

	"ccd/core/exact/internal/algebra"
	"ccd/core/geom"
)

// The fifth stage of a Euclidean separation: doubles a < b, mostly neighbors, between which
// double-doubles cannot decide, most often because the distance is exactly d at b, or at the start.
// It evaluates the polygon at a and at b in integers, for the one feature that floats take for the
// nearest, and needs no polynomial in t:
//
//   - Its region holds at b and near < 0: contact in (a, b), which answers for neighbors.
//   - Its region holds at b and near = 0: contact at b, and no earlier if the certificate of
//     euclid.go holds on [a, b): c0 > 0, c1 > 0 and c2 >= 0, for then the quadratic is positive
//     before its end.
//   - c0, c1, c2 > 0: apart on [a, b].
//
// n_a and n_b are the feature's directions at a and at b, as integers. c0 and c2 are compared by
// squares, and c1 with |n_a| and |n_b| rounded up to a multiple of 2^-tieBits. What this does not
// decide (another feature is the nearest; two contacts between neighbors) the last stage does.

// euclideanTie is the polygon at a and at b. Its integers keep their memory from query to query.
type euclideanTie struct {
	kind geom.Kind
	d    big.Int // the separation in the corners' unit
	at   [2]polygonAt
	w    [10]big.Int
	v    [3][3]big.Int
}

// polygonAt is the polygon at one time.
type polygonAt struct {
	p     [4][3]big.Int // the corners
	n     [3]big.Int    // a direction from the origin towards the feature, of any length
	nn    big.Int       // n.n
	far   big.Int       // n.p for the corners p of the feature: |n| times its distance
	holds bool          // the feature's region holds: the point of the feature exists
}

const tieBits = 128

// load evaluates the corners at the times a and b, in the largest power of two that makes all
// numbers integers.
func (x *euclideanTie) load(kind geom.Kind, q []float64, d, a, b float64) {
	x.kind = kind
	n := 3 * kind.Points()
	_, unit := algebra.Mantissa(d)
	for _, c := range q[:2*n] {
		if m, e := algebra.Mantissa(math.Abs(c)); m != 0 {
			unit = min(unit, e)
		}
	}
	var times [2]*big.Int
	ma, ea := algebra.Mantissa(a)
	mb, eb := algebra.Mantissa(b)
	s := uint(max(-ea, -eb, 0)) // a and b are multiples of 2^-s
	times[0], times[1] = x.w[0].SetInt64(ma), x.w[1].SetInt64(mb)
	times[0].Lsh(times[0], s-uint(-ea))
	times[1].Lsh(times[1], s-uint(-eb))
	integer(&x.d, d, unit)
	x.d.Lsh(&x.d, s)
	start, move, other := &x.w[2], &x.w[3], &x.w[4]
	for c, pair := range Shapes[kind].Corners {
		i, j := 3*int(pair[0]), 3*int(pair[1])
		for k := range 3 {
			start.Sub(integer(start, q[i+k], unit), integer(other, q[j+k], unit))
			move.Sub(integer(move, q[n+i+k], unit), integer(other, q[n+j+k], unit))
			move.Sub(move, start)
			start.Lsh(start, s)
			for end, t := range times {
				p := &x.at[end].p[c][k]
				p.Add(start, p.Mul(move, t))
			}
		}
	}
}

// integer sets z to x / 2^unit, which is one.
func integer(z *big.Int, x float64, unit int) *big.Int {
	m, e := algebra.Mantissa(math.Abs(x))
	z.SetInt64(m)
	if m != 0 {
		z.Lsh(z, uint(e-unit))
	}
	if x < 0 {
		z.Neg(z)
	}
	return z
}

// dot sets z to u.v; z is neither u's nor v's.
func (x *euclideanTie) dot(z *big.Int, u, v *[3]big.Int) *big.Int {
	z.Mul(&u[0], &v[0])
	for k := 1; k < 3; k++ {
		z.Add(z, x.w[9].Mul(&u[k], &v[k]))
	}
	return z
}

// cross sets z to u x v.
func (x *euclideanTie) cross(z, u, v *[3]big.Int) {
	for k := range 3 {
		i, j := (k+1)%3, (k+2)%3
		z[k].Sub(z[k].Mul(&u[i], &v[j]), x.w[9].Mul(&u[j], &v[i]))
	}
}

// face sets the direction and the region of a feature at one time; part is a feature as in nearest.
func (x *euclideanTie) face(sides []side, part int8, end int) {
	y := &x.at[end]
	corner := part - atCorner
	switch {
	case part >= atCorner:
		y.holds = true
		for k := range 3 {
			y.n[k].Set(&y.p[corner][k])
		}
	case part == Inner2d:
		corner = 0
		x.inside(y)
	default:
		corner = sides[part].From
		x.along(y, sides[part])
	}
	x.dot(&y.nn, &y.n, &y.n)
	x.dot(&y.far, &y.n, &y.p[corner])
	if y.far.Sign() < 0 {
		for k := range 3 {
			y.n[k].Neg(&y.n[k])
		}
		y.far.Neg(&y.far)
	}
}

// along is the direction p (e.e) - e (p.e) towards a side p, p + e, and its region.
func (x *euclideanTie) along(y *polygonAt, z side) {
	e, p := &x.v[0], &y.p[z.From]
	for k := range 3 {
		e[k].Sub(&y.p[z.to][k], &p[k])
	}
	ee, pe := x.dot(&x.w[0], e, e), x.dot(&x.w[1], p, e)
	y.holds = ee.Sign() > 0 && pe.Sign() <= 0 && pe.CmpAbs(ee) <= 0
	for k := range 3 {
		y.n[k].Sub(y.n[k].Mul(&p[k], ee), x.w[9].Mul(&e[k], pe))
	}
}

// inside is the direction B x C of the polygon's plane, and the region of its inside.
func (x *euclideanTie) inside(y *polygonAt) {
	a, b, c, z := &y.p[0], &x.v[0], &x.v[1], &x.v[2]
	for k := range 3 {
		b[k].Sub(&y.p[1][k], &a[k])
		c[k].Sub(&y.p[2][k], &a[k])
	}
	x.cross(&y.n, b, c)
	nn := x.dot(&x.w[0], &y.n, &y.n)
	x.cross(z, c, a)
	u := x.dot(&x.w[1], z, &y.n)
	x.cross(z, a, b)
	v := x.dot(&x.w[2], z, &y.n)
	y.holds = nn.Sign() > 0 && u.Sign() >= 0 && v.Sign() >= 0
	if x.kind == geom.EdgeEdge {
		y.holds = y.holds && u.Cmp(nn) <= 0 && v.Cmp(nn) <= 0
	} else {
		y.holds = y.holds && u.Add(u, v).Cmp(nn) <= 0
	}
}

// near returns the sign of near at one time: of the feature's distance less d.
func (x *euclideanTie) near(end int) int {
	y := &x.at[end]
	return x.beyond(&y.far, &y.nn)
}

// beyond returns the sign of v - d sqrt(nn), for v >= 0.
func (x *euclideanTie) beyond(v, nn *big.Int) int {
	s, t := &x.w[7], &x.w[8]
	s.Mul(v, v)
	t.Mul(&x.d, &x.d)
	return s.Cmp(t.Mul(t, nn))
}

// least returns the sign of the least n.p - d |n| over the corners at one time: of c0 or c2.
func (x *euclideanTie) least(end int) int {
	y, sign := &x.at[end], 1
	for c := range Shapes[x.kind].Corners {
		v := x.dot(&x.w[0], &y.n, &y.p[c])
		if v.Sign() < 0 {
			return -1
		}
		sign = min(sign, x.beyond(v, &y.nn))
	}
	return sign
}

// middle reports whether c1 > 0.
func (x *euclideanTie) middle() bool {
	a, b := &x.at[0], &x.at[1]
	lengths, l := x.w[0].SetInt64(0), &x.w[1]
	for end := range x.at {
		l.Lsh(&x.at[end].nn, 2*tieBits)
		lengths.Add(lengths, l.Sqrt(l))
		lengths.Add(lengths, l.SetInt64(1))
	}
	lengths.Mul(lengths, &x.d)
	for c := range Shapes[x.kind].Corners {
		v := x.dot(&x.w[1], &a.n, &b.p[c])
		v.Add(v, x.dot(&x.w[2], &b.n, &a.p[c]))
		if v.Lsh(v, tieBits).Cmp(lengths) <= 0 {
			return false
		}
	}
	return true
}

// decide decides r's query on [a, b]. The pair is apart on [0, a] unless a = 0. An answer that is
// no contact says that it is apart on [0, b].
func (x *euclideanTie) decide(r *EuclideanResolver, kind geom.Kind, q []float64, d, a, b float64) Instant {
	var feature nearest
	x.load(kind, q, d, a, b)
	if a == 0 {
		r.look(0, &feature)
		x.face(r.Sides, feature.Part, 0)
		if x.at[0].holds && x.near(0) <= 0 {
			return Instant{Contact: true}
		}
		if x.least(0) <= 0 {
			return Instant{Undecided: true}
		}
		if b == 0 {
			return Instant{}
		}
	}
	r.look(b, &feature)
	x.face(r.Sides, feature.Part, 1)
	touch := 1
	if x.at[1].holds {
		touch = x.near(1)
	}
	if touch < 0 {
		neighbors := b == math.Nextafter(a, 2)
		return Instant{Contact: neighbors, Undecided: !neighbors, Lo: a, Hi: b}
	}
	x.face(r.Sides, feature.Part, 0)
	if x.opposed() || x.least(0) <= 0 || !x.middle() {
		return Instant{Undecided: true, Lo: a}
	}
	switch last := x.least(1); {
	case last == 0 && touch == 0:
		return Instant{Contact: true, Lo: b, Hi: b}
	case last > 0:
		return Instant{}
	}
	return Instant{Undecided: true, Lo: a}
}

// opposed reports whether n_a and n_b point to opposite sides, as where the polygon passes through
// the origin between the two.
func (x *euclideanTie) opposed() bool { return x.dot(&x.w[0], &x.at[0].n, &x.at[1].n).Sign() <= 0 }

// SignOfNear is the exact sign of a feature's near for the corners of a polygon at one time; part
// is a feature as in nearest.
func SignOfNear(kind geom.Kind, part int8, corners *[4][3]*big.Int, d *big.Int) int {
	x := euclideanTie{kind: kind}
	x.d.Set(d)
	for c := range Shapes[kind].Corners {
		for k, y := range corners[c] {
			x.at[0].p[c][k].Set(y)
		}
	}
	if part == Inner2d && d.Sign() == 0 {
		y := &x.at[0]
		x.inside(y)
		return x.dot(&y.far, &y.n, &y.p[0]).Sign()
	}
	x.face(PolygonSides[kind], part, 0)
	return x.near(0)
}

package curved

import (
	"math"
	"math/big"

	"ccd/core/exact/clearance"
	"ccd/core/exact/internal/algebra"
	"ccd/core/geom"
)

// course is a MotionQuery that clearance.Follower follows, in the Euclidean norm. Its polynomials
// are of degree 6k for paths of degree k: docs/proofs/resting.md, which needs of a path only its
// control points over a part of time. They are polar forms of the query's, and err by 395 u^2 of
// the largest, see motionDistance; 512 stands for that.
type course struct {
	*motionDistance

	axis int // the axis of the plane in which the query lies, or -1
}

const followError = 512 * 0x1p-106

// Over sets the control points over the time from lo to hi.
func (c course) Over(lo, hi float64, f *clearance.Follower) {
	m, l := c.motionDistance, &c.r.Lines
	s, z := m.part(lo), m.part(hi)
	f.Degree = m.degree
	for k := range 3 {
		for i := range m.degree + 1 {
			for p := range l.Shape.Corners {
				x := m.blossom(&m.corners[p][k], s, z, i)
				f.Corners[p][k][i] = clearance.Double2{Hi: x.H, Lo: x.L}
			}
			for e := range l.Shape.Edges {
				x := m.blossom(&m.edges[e][k], s, z, i)
				f.Edges[e][k][i] = clearance.Double2{Hi: x.H, Lo: x.L}
			}
		}
		f.CornerErrors[k] = float64(0.25*followError*l.Mp[k]) + 0x1p-900
		for e := range l.Shape.Edges {
			f.EdgeErrors[e][k] = float64(followError*m.most[e][k]) + 0x1p-900
		}
	}
}

// LookDouble is motionDistance.look.
func (c course) LookDouble(t float64, x *clearance.NearestDouble) { c.look(t, x) }

// Ahead is that of the EuclideanResolver, at the time of the last look.
func (c course) Ahead(x *clearance.NearestDouble) float64 { return c.r.Ahead(x) }

// Touches is that of the EuclideanResolver, at the time of the last look.
func (c course) Touches(x *clearance.NearestDouble) bool { return c.r.Touches(x) }

// Sign is the exact sign of a polynomial at t: without a plane, near is the only one that turns.
func (c course) Sign(part int8, poly int, t float64) int {
	if c.axis >= 0 {
		return c.signInPlane(part, poly, t)
	}
	corners, d := c.exactly(t)
	return clearance.SignOfNear(c.q.Kind, part, &corners, d)
}

// exactly returns the corners and the separation at t, times a positive number that makes them
// integers. With t, T0 and T1 in one unit, a point times (T1 - T0)^k is the sum of C(k,l) (t -
// T0)^l (T1 - t)^(k-l) c_l.
func (c course) exactly(t float64) (corners [4][3]*big.Int, d *big.Int) {
	q := c.q
	unit := lowest(math.MaxInt32, q.T0, q.T1, t)
	t0, t1, at := integerIn(q.T0, unit), integerIn(q.T1, unit), integerIn(t, unit)
	up, down, whole := new(big.Int).Sub(at, t0), new(big.Int).Sub(t1, at), new(big.Int).Sub(t1, t0)
	var weights [MaxMotionDegree + 1]*big.Int
	for l := range q.Degree + 1 {
		w := big.NewInt(algebra.Binomials[q.Degree][l])
		for range l {
			w.Mul(w, up)
		}
		for range q.Degree - l {
			w.Mul(w, down)
		}
		weights[l] = w
	}
	unit = lowest(math.MaxInt32, q.Separation)
	unit = lowest(unit, q.Control...)
	x := new(big.Int)
	for i, pair := range clearance.Shapes[q.Kind].Corners {
		for k := range 3 {
			sum := new(big.Int)
			for l := range q.Degree + 1 {
				x.Sub(integerIn(q.at(l, int(pair[0]), k), unit), integerIn(q.at(l, int(pair[1]), k), unit))
				sum.Add(sum, x.Mul(x, weights[l]))
			}
			corners[i][k] = sum
		}
	}
	d = integerIn(q.Separation, unit)
	for range q.Degree {
		d.Mul(d, whole)
	}
	return corners, d
}

// lowest returns the largest exponent of a power of two, at most e, of which all numbers are
// multiples.
func lowest(e int, list ...float64) int {
	for _, x := range list {
		if m, power := algebra.Mantissa(math.Abs(x)); m != 0 {
			e = min(e, power)
		}
	}
	return e
}

// integerIn returns x / 2^unit, which is an integer.
func integerIn(x float64, unit int) *big.Int {
	m, e := algebra.Mantissa(math.Abs(x))
	z := big.NewInt(m)
	if m != 0 {
		z.Lsh(z, uint(e-unit))
	}
	if x < 0 {
		z.Neg(z)
	}
	return z
}

// levels reports whether the features of a query without a separation are followed: what the
// polynomial of coplanarity leaves in floats, as where two sheets are a rounding apart.
func levels(q *MotionQuery) bool {
	return q.Separation == 0 && q.points() == 4 && q.Kind != geom.EdgeFace && q.T1-q.T0 > 0x1p-100
}

// follow decides a query that double-doubles leave, for t in [lo, end], or finds a later lo.
func (r *MotionResolver) follow(q *MotionQuery, lo, end float64) clearance.Instant {
	if r.follower == nil {
		r.follower = new(clearance.Follower)
	}
	c := course{&r.distance, -1}
	r.follower.Begin(q.Kind, r.distance.r.Lines.D, q.Separation == 0, c)
	if q.Separation == 0 && r.follower.Vanishes(lo, end) || !r.follower.Apart(lo) {
		return clearance.Instant{Undecided: true, Lo: lo}
	}
	return r.follower.Change(lo, math.Min(end, q.T1), false)
}

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

// exactly returns the corners and the separation at t, times a positive number. With t, T0 and T1
// in one unit, a point times (T1 - T0)^k is the sum of C(k,l) (t - T0)^l (T1 - t)^(k-l) c_l.
func (c course) exactly(t float64) (corners [4][3]*big.Rat, d *big.Rat) {
	q := c.q
	t0, t1, at := algebra.BigDyadicOf(q.T0), algebra.BigDyadicOf(q.T1), algebra.BigDyadicOf(t)
	up, down, whole := difference(at, t0), difference(t1, at), difference(t1, t0)
	power := func(x *big.Rat, n int) *big.Rat {
		y := big.NewRat(1, 1)
		for range n {
			y.Mul(y, x)
		}
		return y
	}
	var weights [MaxMotionDegree + 1]*big.Rat
	for l := range q.Degree + 1 {
		w := power(up, l)
		w.Mul(w, power(down, q.Degree-l))
		weights[l] = w.Mul(w, big.NewRat(algebra.Binomials[q.Degree][l], 1))
	}
	for i, pair := range clearance.Shapes[q.Kind].Corners {
		for k := range 3 {
			sum := new(big.Rat)
			for l := range q.Degree + 1 {
				x := new(big.Rat).SetFloat64(q.at(l, int(pair[0]), k))
				x.Sub(x, new(big.Rat).SetFloat64(q.at(l, int(pair[1]), k)))
				sum.Add(sum, x.Mul(x, weights[l]))
			}
			corners[i][k] = sum
		}
	}
	d = new(big.Rat).SetFloat64(q.Separation)
	return corners, d.Mul(d, power(whole, q.Degree))
}

// difference is x - y.
func difference(x, y algebra.BigDyadic) *big.Rat {
	a, b, s := x.Aligned(y)
	return new(big.Rat).SetFrac(new(big.Int).Sub(a, b), new(big.Int).Lsh(big.NewInt(1), s))
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

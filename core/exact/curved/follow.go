package curved

import (
	"math"
	"math/big"

	"ccd/core/exact"
	"ccd/core/exact/clearance"
	"ccd/core/exact/internal/algebra"
	"ccd/core/geom"
)

// course is a MotionQuery that clearance.Follower follows, in the Euclidean norm. Its polynomials
// are of degree 6k for paths of degree k: docs/proofs/resting.md, which needs of a path only its
// control points over a part of time. They are polar forms of the query's, and err by 395 u^2 of
// the largest, see motionDistance; 512 stands for that.
//
// Size: it is a motionDistance and the axis; its own methods are those of clearance.Course.
type course struct {
	*motionDistance

	axis int // the axis of the plane in which the query lies, or -1
}

const followError = 512 * 0x1p-106

// Over sets the control points over the time from lo to hi.
func (c course) Over(lo, hi float64, f *clearance.Follower) {
	m, l := c.motionDistance, &c.r.Lines
	t := m.span(lo, hi)
	f.Degree = m.degree
	if lo == hi {
		f.Degree = 0
	}
	for k := range 3 {
		for p := range l.Shape.Corners {
			m.follow(&m.corners[p][k], &t, f.Corners[p][k][:f.Degree+1])
		}
		for e := range l.Shape.Edges {
			m.follow(&m.edges[e][k], &t, f.Edges[e][k][:f.Degree+1])
			f.EdgeErrors[e][k] = m.edgeError(e, k)
		}
		f.CornerErrors[k] = m.cornerError(k)
	}
}

// follow sets to the control points of a path on a part of the time, or to its value at one time.
func (m *motionDistance) follow(c *[MaxMotionDegree + 1]exact.DD, t *span, to []clearance.Double2) {
	if t.lo == t.hi {
		x := blossomOf(*c, m.degree, t.s)
		to[0] = clearance.Double2{Hi: x.H, Lo: x.L}
		return
	}
	x := m.over(c, t)
	for i := range to {
		to[i] = clearance.Double2{Hi: x[i].H, Lo: x[i].L}
	}
}

func (m *motionDistance) cornerError(k int) float64 {
	return float64(followError*m.largest(k)) + 0x1p-900
}

// largest is the largest component k of a control point of a corner.
func (m *motionDistance) largest(k int) float64 { return 0.25 * m.r.Lines.Mp[k] }

func (m *motionDistance) edgeError(e, k int) float64 {
	return float64(followError*m.most[e][k]) + 0x1p-900
}

// Corner, Edge and Rests make the query one that clearance.CubeFollower follows.
func (m *motionDistance) Corner(i, k int, lo, hi float64, c []clearance.Double2) float64 {
	t := m.span(lo, hi)
	m.follow(&m.corners[i][k], &t, c)
	return m.cornerError(k)
}

func (m *motionDistance) Edge(j, k int, lo, hi float64, c []clearance.Double2) float64 {
	t := m.span(lo, hi)
	m.follow(&m.edges[j][k], &t, c)
	return m.edgeError(j, k)
}

func (m *motionDistance) Rests(j, k int) bool { return m.most[j][k] == 0 }

// LookDouble is motionDistance.look.
func (c course) LookDouble(t float64, x *clearance.NearestDouble) { c.look(t, x) }

// Ahead is that of the EuclideanResolver, at the time of the last look.
func (c course) Ahead(x *clearance.NearestDouble) float64 { return c.r.Ahead(x) }

// Touches is that of the EuclideanResolver, at the time of the last look.
func (c course) Touches(x *clearance.NearestDouble) bool { return c.r.Touches(x) }

// Holds is motionDistance.holds.
func (c course) Holds(x *clearance.NearestDouble, lo, hi float64) bool { return c.holds(x, lo, hi) }

// Stays says nothing: no search for the end of a contact follows a course of this package.
func (c course) Stays(_, _ *clearance.NearestDouble) bool { return false }

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
	unit := unitOf(q, t)
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

// Exact is the exact value of a certificate at t: see clearance.Paths.
func (m *motionDistance) Exact(n, side int, t float64) (sign int, value float64) {
	corners, d := course{m, -1}.exactly(t)
	x := clearance.CubeValue(m.q.Kind, n, side, &corners, d)
	unit := unitOf(m.q, t)
	whole := new(big.Float).SetInt(new(big.Int).Sub(integerIn(m.q.T1, unit), integerIn(m.q.T0, unit)))
	y := new(big.Float).SetPrec(64).SetInt(x)
	factors := 3
	switch {
	case n < 3:
		factors = 1
	case n < 3+3*len(clearance.Shapes[m.q.Kind].Edges):
		factors = 2
	}
	for range factors * m.q.Degree {
		y.Quo(y, whole)
	}
	value, _ = y.Float64()
	return x.Sign(), value
}

// unitOf is the largest exponent of a power of two of which t and the ends of the query's time are
// multiples.
func unitOf(q *MotionQuery, t float64) int { return lowest(math.MaxInt32, q.T0, q.T1, t) }

// cube decides a query in the max norm that floats leave, for t in [lo, end], where the pair is
// apart before lo. Certificates are followed; where double-doubles do not tell, integers decide on
// the next doubles, more of them each time, by the directions that double-doubles do not exclude.
func (r *MotionResolver) cube(q *MotionQuery, lo, hi, end float64) clearance.Instant {
	if r.certificates == nil {
		r.certificates = new(clearance.CubeFollower)
	}
	f := r.certificates
	f.Begin(q.Kind, q.Degree, r.distance.r.Lines.D, &r.distance)
	if q.flat > 0 {
		f.InPlane(q.flat - 1)
	}
	if t, ok := r.cubes.first(q, &r.floats, f, lo, hi, end); ok {
		r.Stats.Followed++
		return t
	}
	for doubles := uint64(1); ; doubles *= 8 {
		t := f.First(lo, end, lo == q.T0)
		if !t.Undecided {
			r.Stats.Followed++
			return t
		}
		lo = t.Lo
		hi = end
		if doubles <= cubeDoubles {
			hi = min(math.Float64frombits(math.Float64bits(lo)+doubles), end)
		}
		if t = newMaxWide(q, f.Left(lo, hi)).First(lo, hi); t.Contact || hi == end {
			r.Stats.Integers++
			return t
		}
		lo = hi
	}
}

// cubeDoubles is the greatest number of doubles that integers decide before they take all the rest.
const cubeDoubles = 1 << 12

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

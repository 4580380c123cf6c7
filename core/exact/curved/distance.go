package curved

import (
	"math"

	"ccd/core/exact"
	"ccd/core/exact/clearance"
	"ccd/core/geom"
	"ccd/core/num"
)

// motionDistance decides a MotionQuery with a separation in the Euclidean norm on a part of its
// time that floats have left, in double-doubles. It is stage 4 of euclid.go on paths of any degree:
// the corners and edges at a time t are computed in double-doubles and handed to the
// EuclideanResolver as linear motions that rest, so that its directions, its proof of contact and
// its bounds serve.
//
// Let a and b be neighboring doubles. Weights show that the pair is nearer than d at b; a direction
// n(t) that goes linearly from n_lo to n_a shows that it is apart on [lo, a]: with the control
// points P_l of a corner on that part, n.P has degree k + 1 and the Bernstein coefficients
//
//	((k + 1 - m) n_lo.P_m + m n_a.P_(m-1)) / (k + 1),
//
// and |n| is convex, so at most ((k + 1 - m) |n_lo| + m |n_a|) / (k + 1) in the same sense. So the
// first contact is in (a, b).
//
// A direction that does not turn is compared along the control points of n.P (holds).
//
// Error, in units of u^2 = 2^-106 and of M_k, the largest component k of a control point of a
// corner: s = (t - T0) / h is off by 24 of itself. A step of de Casteljau's algorithm is a
// difference (6), a product with s (16, and 48 for s), a sum (9): 79, five times: 395. The bounds
// of euclid_double.go allow for a component that is off by 35 of mp_k, and have 128 of sum |n_k|
// mp_k + d |n| and 256 of W mp_k s_k + d^2 W^2; mp is taken as 4 M here. So
//
//   - a direction: 395, times n_k (11), two sums (10), a product with m and one with k + 1 - m (5),
//     the sum of both (5), less d |n| (5): 431 of 512;
//   - the part of d |n|: |n| (31), times m (5), the sum (5), times d (5), the difference (5): 51 of
//     128;
//   - a direction that does not turn: n_k times a control point (11), two sums (10), de Casteljau's
//     algorithm (395), less d |n| (5): 421 of 512;
//   - a corner at a time, by weights: s is off by 24 and 1 - s by 30, which count 5 times each,
//     270; a weight takes six products (8 each) and one with a binomial (8); a term is a product
//     (8), and there are five sums (15): 349, less than 395;
//   - a contact: 395, times a weight (11), three sums (15): e = 421; s_k^2: 2e, the product (11),
//     two sums (10), the difference (5): 868 of 1024.
//
// Size: the fields are a query in one unit, and the state of one search.
type motionDistance struct {
	r       clearance.EuclideanResolver
	q       *MotionQuery
	degree  int
	whole   bool     // s is t
	h       exact.DD // T1 - T0
	corners [4][3][MaxMotionDegree + 1]exact.DD
	edges   [3][3][MaxMotionDegree + 1]exact.DD
	most    [3][3]float64 // the largest components of their control points
}

const (
	distanceLooks  = 16 // times that one search looks at
	distanceHalves = 3  // halvings of the time before a contact, for its proof
)

// load takes the control points in the unit of floats, which have loaded the query.
func (m *motionDistance) load(q *MotionQuery, f *motionFloats) {
	l, sh := &m.r.Lines, &clearance.Shapes[q.Kind]
	l.Shape, m.r.Sides, m.r.Plane = sh, clearance.PolygonSides[q.Kind], len(sh.Edges) > 1
	m.q, m.degree, m.whole, m.h = q, q.Degree, q.T0 == 0 && q.T1 == 1, exact.Difference(q.T1, q.T0)
	l.D = f.d
	for k := range 3 {
		l.Mp[k] = 4 * f.size[k]
	}
	path := func(pair [2]int8, k int) (c [MaxMotionDegree + 1]exact.DD) {
		for i := range q.Degree + 1 {
			x := exact.Difference(q.at(i, int(pair[0]), k), q.at(i, int(pair[1]), k))
			c[i] = exact.DD{H: x.H * f.s0 * f.s1, L: x.L * f.s0 * f.s1}
		}
		return c
	}
	for k := range 3 {
		for c, pair := range sh.Corners {
			m.corners[c][k] = path(pair, k)
		}
		for e, pair := range sh.Edges {
			m.edges[e][k] = path(pair, k)
			m.most[e][k] = 0
			for _, x := range m.edges[e][k] {
				m.most[e][k] = exact.Larger(m.most[e][k], x.H)
			}
		}
	}
}

// part returns (t - T0) / h.
func (m *motionDistance) part(t float64) exact.DD {
	if m.whole {
		return exact.DD{H: t, L: 0}
	}
	return exact.Difference(t, m.q.T0).Over(m.h)
}

// span is a part of the time, from lo to hi, with their shares of the query's.
type span struct {
	lo, hi float64
	s, z   exact.DD
	whole  bool // the part is all of the query's time
}

func (m *motionDistance) span(lo, hi float64) span {
	return span{lo, hi, m.part(lo), m.part(hi), lo == m.q.T0 && hi == m.q.T1}
}

// over returns the control points of a path on a part of the time, those of the query on all of it.
func (m *motionDistance) over(c *[MaxMotionDegree + 1]exact.DD, t *span) (x [MaxMotionDegree + 1]exact.DD) {
	if t.whole {
		return *c
	}
	y := *c // the polar forms of which i times are z, with the others open
	for i := range m.degree + 1 {
		x[i] = blossomOf(y, m.degree-i, t.s)
		for l := range m.degree - i {
			y[l] = y[l].Add(y[l+1].Sub(y[l]).Mul(t.z))
		}
	}
	return x
}

// blossomOf returns the polar form of a degree at s, as many times.
func blossomOf(x [MaxMotionDegree + 1]exact.DD, degree int, s exact.DD) exact.DD {
	for step := range degree {
		for l := range degree - step {
			x[l] = x[l].Add(x[l+1].Sub(x[l]).Mul(s))
		}
	}
	return x[0]
}

// weights returns the Bernstein polynomials at t.
func (m *motionDistance) weights(t float64) (w [MaxMotionDegree + 1]exact.DD) {
	s := m.part(t)
	one := exact.DD{H: 1, L: 0}
	r := one.Sub(s)
	k := m.degree
	var up, down [MaxMotionDegree + 1]exact.DD
	up[0], down[0] = one, one
	for l := range k {
		up[l+1], down[l+1] = up[l].Mul(s), down[l].Mul(r)
	}
	for l := range k + 1 {
		w[l] = up[l].Mul(down[k-l]).Times(choose[k][l])
	}
	return w
}

// look computes the polygon at t and the direction of its nearest point.
func (m *motionDistance) look(t float64, x *clearance.NearestDouble) {
	l, w := &m.r.Lines, m.weights(t)
	rest := func(c *[MaxMotionDegree + 1]exact.DD) clearance.LinearMotion {
		y := c[0].Mul(w[0])
		for i := 1; i <= m.degree; i++ {
			y = y.Add(c[i].Mul(w[i]))
		}
		return clearance.LinearMotion{At0: y.H, At1: y.H, Low0: y.L, Low1: y.L}
	}
	for k := range 3 {
		for c := range l.Shape.Corners {
			l.P[c][k] = rest(&m.corners[c][k])
		}
		for e := range l.Shape.Edges {
			l.E[e][k] = rest(&m.edges[e][k])
		}
	}
	m.r.LookDouble(0, x)
	x.T = t
}

// apart reports whether the direction that goes from x's to y's keeps the pair apart on all of the
// time between.
func (m *motionDistance) apart(x, y *clearance.NearestDouble) bool {
	n := m.degree + 1
	t := m.span(x.T, y.T)
	e := float64(n) * (x.Rounding + y.Rounding)
	var p [MaxMotionDegree + 1][3]clearance.Double2
	for c := range m.r.Lines.Shape.Corners {
		for k := range 3 {
			v := m.over(&m.corners[c][k], &t)
			for l := range n {
				p[l][k] = clearance.Double2{Hi: v[l].H, Lo: v[l].L}
			}
		}
		for l := range n + 1 {
			before, after := float64(n-l), float64(l)
			sum := clearance.Double2{}
			if l < n {
				sum = clearance.InnerDouble(&x.N, &p[l]).By(before)
			}
			if l > 0 {
				sum = sum.Plus(clearance.InnerDouble(&y.N, &p[l-1]).By(after))
			}
			far := x.Size.By(before).Plus(y.Size.By(after)).By(m.r.Lines.D)
			if !(sum.Minus(far).Hi > e) {
				return false
			}
		}
	}
	return true
}

// holds reports whether the direction of x alone keeps the pair apart from lo to hi. A product with
// a corner is a polynomial, whose control points on that part are compared.
func (m *motionDistance) holds(x *clearance.NearestDouble, lo, hi float64) bool {
	t := m.span(lo, hi)
	far := x.Size.By(m.r.Lines.D)
	for c := range m.r.Lines.Shape.Corners {
		var q [MaxMotionDegree + 1]exact.DD
		for l := range m.degree + 1 {
			var p [3]clearance.Double2
			for k := range 3 {
				p[k] = clearance.Double2{Hi: m.corners[c][k][l].H, Lo: m.corners[c][k][l].L}
			}
			y := clearance.InnerDouble(&x.N, &p)
			q[l] = exact.Difference(y.Hi, -y.Lo)
		}
		q = m.over(&q, &t)
		for l := range m.degree + 1 {
			y := clearance.Double2{Hi: q[l].H, Lo: q[l].L}
			if !(y.Minus(far).Hi > x.Rounding) {
				return false
			}
		}
	}
	return true
}

// proven is apart on [x.T, y.T], which it may halve.
func (m *motionDistance) proven(x, y *clearance.NearestDouble, halves int) bool {
	if x.Part == clearance.Inner2d && y.Part == clearance.Inner2d && clearance.InnerDouble(&x.N, &y.N).Hi < 0 {
		for k := range 3 {
			y.N[k] = clearance.Double2{Hi: -y.N[k].Hi, Lo: -y.N[k].Lo}
		}
	}
	if m.apart(x, y) {
		return true
	}
	middle := x.T + float64(0.5*(y.T-x.T))
	if halves == 0 || !(x.T < middle && middle < y.T) {
		return false
	}
	var z clearance.NearestDouble
	m.look(middle, &z)
	return m.r.Ahead(&z) > z.Rounding && m.proven(x, &z, halves-1) && m.proven(&z, y, halves-1)
}

// lingers reports whether the distance changes by little beside how far corners have come, or is
// nearly d in the end: the pair slides, which directions do not prove apart. No proof rests on it.
func (m *motionDistance) lingers(before *[4][3]clearance.LinearMotion, change, after float64) bool {
	way := 0.0
	for c := range m.r.Lines.Shape.Corners {
		for k := range 3 {
			way = max(way, math.Abs(m.r.Lines.P[c][k].At0-before[c][k].At0))
		}
	}
	return math.Abs(change) < 0x1p-12*way || math.Abs(after) < 0x1p-20*way
}

// First is the first contact in [lo, hi], of a pair that is apart before lo; if that is not certain
// it is undecided. brief says not to try where the pair slides.
func (m *motionDistance) first(lo, hi float64, brief bool) clearance.Instant {
	undecided := clearance.Instant{Undecided: true, Lo: lo}
	var x, y clearance.NearestDouble
	m.look(lo, &x)
	before, corners := m.r.Ahead(&x), m.r.Lines.P
	switch {
	case lo == m.q.T0 && m.r.Touches(&x):
		return clearance.Instant{Contact: true, Lo: lo, Hi: lo}
	case !(before > x.Rounding) || lo == hi:
		return undecided
	}
	m.look(hi, &y)
	after := m.r.Ahead(&y)
	if brief && m.lingers(&corners, before-after, after) {
		return undecided
	}
	if after > y.Rounding {
		if m.proven(&x, &y, distanceHalves) {
			return clearance.Instant{}
		}
		return undecided
	}
	// The secant's method, from the last two times, within [a, b]: a keeps more than d, b less.
	a, b := lo, hi
	var near clearance.NearestDouble // the nearest points at time a
	t0, g0, t1, g1 := lo, before, hi, after
	for range distanceLooks {
		if num.Up(a) == b {
			break
		}
		t := t1 - float64(g1*((t1-t0)/(g1-g0)))
		if !(t > a && t < b) {
			switch {
			case t <= a:
				t = num.Up(a)
			case t >= b:
				t = math.Nextafter(b, -1)
			default:
				return undecided
			}
		}
		m.look(t, &y)
		g := m.r.Ahead(&y)
		if g > 0 {
			a, near = t, y
		} else {
			b = t
		}
		t0, g0, t1, g1 = t1, g1, t, g
		if g0 == g1 {
			return undecided
		}
	}
	if num.Up(a) != b || a == lo || !(m.r.Ahead(&near) > near.Rounding) {
		return undecided
	}
	m.look(b, &y)
	if !m.r.Touches(&y) || !m.proven(&x, &near, distanceHalves) {
		return undecided
	}
	return clearance.Instant{Contact: true, Lo: a, Hi: b}
}

// distances reports whether double-doubles are for a query.
func distances(q *MotionQuery) bool {
	return q.Separation > 0 && q.Kind != geom.EdgeFace && q.T1-q.T0 > 0x1p-100
}

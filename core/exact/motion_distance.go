package exact

import (
	"math"

	"ccd/core/geom"
	"ccd/core/num"
)

// motionDistance decides a MotionQuery with a separation on a part of its time that floats have left, in double-doubles. It is stage 4 of
// euclid.go on paths of any degree: the corners and edges at a time t are computed in double-doubles and handed to the EuclideanResolver as
// linear motions that rest, so that its directions, its proof of contact and its bounds serve.
//
// Let a and b be neighboring doubles. Weights show that the pair is nearer than d at b; a direction n(t) that goes linearly from n_lo to n_a shows that it is apart
// on [lo, a]: with the control points P_l of a corner on that part, n.P has degree k + 1 and the Bernstein coefficients
//
//	((k + 1 - m) n_lo.P_m + m n_a.P_(m-1)) / (k + 1),
//
// and |n| is convex, so at most ((k + 1 - m) |n_lo| + m |n_a|) / (k + 1) in the same sense. So the first contact is in (a, b).
//
// Error, in units of u^2 = 2^-106 and of M_k, the largest component k of a control point of a corner: s = (t - T0) / h is off by 24 of itself. A step of
// de Casteljau's algorithm is a difference (6), a product with s (16, and 48 for s), a sum (9): 79, five times: 395. The bounds of euclid_double.go allow for a
// component that is off by 35 of mp_k, and have 128 of sum |n_k| mp_k + d |n| and 256 of W mp_k s_k + d^2 W^2; mp is taken as 4 M here. So
//
//   - a direction: 395, times n_k (11), two sums (10), a product with m and one with k + 1 - m (5), the sum of both (5), less d |n| (5): 431 of 512;
//   - the part of d |n|: |n| (31), times m (5), the sum (5), times d (5), the difference (5): 51 of 128;
//   - a contact: 395, times a weight (11), three sums (15): e = 421; s_k^2: 2e, the product (11), two sums (10), the difference (5): 868 of 1024.
//
// Size: the fields are a query in one unit, and the state of one search.
type motionDistance struct {
	r       EuclideanResolver
	q       *MotionQuery
	degree  int
	whole   bool // s is t
	h       dd   // T1 - T0
	corners [4][3][MaxMotionDegree + 1]dd
	edges   [3][3][MaxMotionDegree + 1]dd
	most    [3][3]float64 // the largest components of their control points
}

const (
	distanceLooks  = 16 // times that one search looks at
	distanceHalves = 3  // halvings of the time before a contact, for its proof
)

// load takes the control points in the unit of floats, which have loaded the query.
func (m *motionDistance) load(q *MotionQuery, f *motionFloats) {
	l, sh := &m.r.lines, &shapes[q.Kind]
	l.shape, m.r.sides, m.r.plane = sh, polygonSides[q.Kind], len(sh.edges) > 1
	m.q, m.degree, m.whole, m.h = q, q.Degree, q.T0 == 0 && q.T1 == 1, difference(q.T1, q.T0)
	l.d = f.d
	for k := range 3 {
		l.mp[k] = 4 * f.size[k]
	}
	path := func(pair [2]int8, k int) (c [MaxMotionDegree + 1]dd) {
		for i := range q.Degree + 1 {
			x := difference(q.at(i, int(pair[0]), k), q.at(i, int(pair[1]), k))
			c[i] = dd{x.h * f.s0 * f.s1, x.l * f.s0 * f.s1}
		}
		return c
	}
	for k := range 3 {
		for c, pair := range sh.corners {
			m.corners[c][k] = path(pair, k)
		}
		for e, pair := range sh.edges {
			m.edges[e][k] = path(pair, k)
			m.most[e][k] = 0
			for _, x := range m.edges[e][k] {
				m.most[e][k] = larger(m.most[e][k], x.h)
			}
		}
	}
}

// part is (t - T0) / h.
func (m *motionDistance) part(t float64) dd {
	if m.whole {
		return dd{t, 0}
	}
	return difference(t, m.q.T0).over(m.h)
}

// blossom is the polynomial's polar form at n - y times s and y times z.
func (m *motionDistance) blossom(c *[MaxMotionDegree + 1]dd, s, z dd, y int) dd {
	x := *c
	for step := range m.degree {
		at := s
		if step < y {
			at = z
		}
		for l := range m.degree - step {
			x[l] = x[l].add(x[l+1].sub(x[l]).mul(at))
		}
	}
	return x[0]
}

// look computes the polygon at t and the direction of its nearest point.
func (m *motionDistance) look(t float64, x *nearestDouble) {
	l, s := &m.r.lines, m.part(t)
	rest := func(c *[MaxMotionDegree + 1]dd) linearMotion {
		y := m.blossom(c, s, s, 0)
		return linearMotion{at0: y.h, at1: y.h, low0: y.l, low1: y.l}
	}
	for k := range 3 {
		for c := range l.shape.corners {
			l.p[c][k] = rest(&m.corners[c][k])
		}
		for e := range l.shape.edges {
			l.e[e][k] = rest(&m.edges[e][k])
		}
	}
	if m.q.MaxNorm {
		m.best(x)
	} else {
		m.r.lookDouble(0, x)
	}
	x.t = t
}

// touches proves contact at x's time, the last that look was given, in the norm of the query.
func (m *motionDistance) touches(x *nearestDouble) bool {
	if m.q.MaxNorm {
		return m.within()
	}
	return m.r.touches(x)
}

// apart reports whether the direction that goes from x's to y's keeps the pair apart on all of the time between.
func (m *motionDistance) apart(x, y *nearestDouble) bool {
	n := m.degree + 1
	s, z := m.part(x.t), m.part(y.t)
	e := float64(n) * (x.rounding + y.rounding)
	var p [MaxMotionDegree + 1][3]double2
	for c := range m.r.lines.shape.corners {
		for l := range n {
			for k := range 3 {
				v := m.blossom(&m.corners[c][k], s, z, l)
				p[l][k] = double2{v.h, v.l}
			}
		}
		for l := range n + 1 {
			before, after := float64(n-l), float64(l)
			sum := double2{}
			if l < n {
				sum = innerDouble(&x.n, &p[l]).by(before)
			}
			if l > 0 {
				sum = sum.plus(innerDouble(&y.n, &p[l-1]).by(after))
			}
			far := x.size.by(before).plus(y.size.by(after)).by(m.r.lines.d)
			if !(sum.minus(far).hi > e) {
				return false
			}
		}
	}
	return true
}

// proven is apart on [x.t, y.t], which it may halve.
func (m *motionDistance) proven(x, y *nearestDouble, halves int) bool {
	if x.part == inner2d && y.part == inner2d && innerDouble(&x.n, &y.n).hi < 0 {
		for k := range 3 {
			y.n[k] = double2{-y.n[k].hi, -y.n[k].lo}
		}
	}
	if m.apart(x, y) {
		return true
	}
	middle := x.t + float64(0.5*(y.t-x.t))
	if halves == 0 || !(x.t < middle && middle < y.t) {
		return false
	}
	var z nearestDouble
	m.look(middle, &z)
	return m.r.ahead(&z) > z.rounding && m.proven(x, &z, halves-1) && m.proven(&z, y, halves-1)
}

// first is the first contact in [lo, hi], of a pair that is apart before lo; if that is not certain it is undecided.
func (m *motionDistance) first(lo, hi float64) instant {
	undecided := instant{undecided: true, lo: lo}
	var x, y nearestDouble
	m.look(lo, &x)
	before := m.r.ahead(&x)
	switch {
	case lo == m.q.T0 && m.touches(&x):
		return instant{contact: true, lo: lo, hi: lo}
	case !(before > x.rounding) || lo == hi:
		return undecided
	}
	m.look(hi, &y)
	after := m.r.ahead(&y)
	if after > y.rounding {
		if m.proven(&x, &y, distanceHalves) {
			return instant{}
		}
		return undecided
	}
	// The secant's method, from the last two times, within [a, b]: a keeps more than d, b less.
	a, b := lo, hi
	var near nearestDouble // at a
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
		g := m.r.ahead(&y)
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
	if num.Up(a) != b || a == lo || !(m.r.ahead(&near) > near.rounding) {
		return undecided
	}
	m.look(b, &y)
	if !m.touches(&y) || !m.proven(&x, &near, distanceHalves) {
		return undecided
	}
	return instant{contact: true, lo: a, hi: b}
}

// distances reports whether double-doubles are for a query.
func distances(q *MotionQuery) bool {
	return q.Separation > 0 && q.Kind != geom.EdgeFace && q.T1-q.T0 > 0x1p-100
}

package curved

import (
	"math"

	"ccd/core/exact"
	"ccd/core/geom"
)

// motionDoubles is what motionState is, in double-doubles. Every number that it returns is the
// rounded one of motionState, or it reports that it is not certain of it: where both a number less
// its error and one plus its error round to the same double, so does the number.
//
// Error (M the largest magnitude of a control point, u = 2^-53, h = T1 - T0): s = (t - T0) / h is a
// quotient, within 24u^2 of itself, or t. A step of de Casteljau's algorithm is a difference, 6u^2
// M, a product with s, 10u^2 M, and a sum, 9u^2 M: together 25u^2 M, five times. |x'| and |x”| by s
// are at most 10 M and 80 M. A point errs by less than (125 + 240) u^2 M, 2^-97.4 M. A velocity is
// 5 differences, 2^-95.9 M, at an s that is off, 2^-95 M, over h, another 240u^2 M: less than 2^-94
// M / h. What is made of two of either errs by the double of that. The 400 bits of motionState err
// by less than 2^-380 M. Products below 2^-968 lose up to 2^-1074, nothing beside 2^-98 M for M >=
// 2^-400. A point whose control points are all equal is exact.
//
// Size: the fields are the points of a query at one time.
type motionDoubles struct {
	kind  geom.Kind
	most  float64 // M
	fast  float64 // M / h, rounded
	s, h  exact.DD
	whole bool // s is t
	x, v  [4][3]exact.DD
	still [4][3]bool     // x is exact and v is 0
	d, w  [4][3]exact.DD // both relative to the first point
	moved [4][3]bool     // d is not constant
	top   int            // the largest w is below 2^top
}

const (
	pointDoubles    = 0x1p-96 // pointDoubles bounds the error of a difference of two points, in units of M.
	velocityDoubles = 0x1p-92 // velocityDoubles bounds that of a velocity, in units of M / h.
)

// load computes the points and velocities at t; false if the query is not one for it.
func (m *motionDoubles) load(q *MotionQuery, t float64) bool {
	m.kind, m.most = q.Kind, largestOf(q.Control)
	m.h = exact.Difference(q.T1, q.T0)
	m.fast = m.most / m.h.H
	m.whole = q.T0 == 0 && q.T1 == 1
	if !(m.most > 0x1p-400 && m.most < 0x1p400 && m.h.H > 0x1p-100) {
		return false
	}
	m.s = m.part(q, t)
	for i := range q.points() {
		for k := range 3 {
			m.x[i][k], m.v[i][k], m.still[i][k] = m.path(q, i, k)
		}
	}
	return true
}

// part returns (t - T0) / h.
func (m *motionDoubles) part(q *MotionQuery, t float64) exact.DD {
	if m.whole {
		return exact.DD{H: t, L: 0}
	}
	return exact.Difference(t, q.T0).Over(m.h)
}

// path returns a coordinate and its derivative at s.
func (m *motionDoubles) path(q *MotionQuery, i, k int) (x, v exact.DD, still bool) {
	var c [MaxMotionDegree + 1]exact.DD
	still = true
	n := q.Degree
	for l := range n + 1 {
		c[l] = exact.DD{H: q.at(l, i, k), L: 0}
		still = still && c[l].H == c[0].H
	}
	if still {
		return c[0], exact.DD{}, true
	}
	for step := range n {
		for l := range n - step {
			var d, way exact.DD
			if step == 0 {
				d = exact.Difference(c[l+1].H, c[l].H)
			} else {
				d = c[l+1].Sub(c[l])
			}
			if m.whole {
				way = d.Times(m.s.H)
			} else {
				way = d.Mul(m.s)
			}
			if step == n-1 {
				v = d.Times(float64(n))
			}
			c[l] = c[l].Add(way)
		}
	}
	if !m.whole {
		v = v.Over(m.h)
	}
	return c[0], v, false
}

// rounded returns x, which is off by at most e, as a double.
func rounded(x exact.DD, e float64) (y float64, ok bool) {
	if e == 0 {
		return x.H, true // the sum is normal: h is the rounded sum
	}
	e += float64(math.Abs(x.H) * 0x1p-104)
	return x.H + (x.L - e), x.H+(x.L-e) == x.H+(x.L+e)
}

// relative is motionState.relative with size 0 for x, without since. It leaves what ahead needs. A
// component of w may be of any sign where it is certainly smaller than the largest, because the
// largest alone counts in speed and top.
func (m *motionDoubles) relative(q *MotionQuery, x []float64) (speed float64, ok bool) {
	m.top = math.MinInt32
	unknown := 0.0
	ed, ew := float64(pointDoubles*m.most), float64(velocityDoubles*m.fast)
	for i := range m.kind.Points() {
		for k := range 3 {
			m.moved[i][k] = false
			if d, constant := q.offset(i, k); constant {
				m.d[i][k], x[3*i+k] = d, d.H
				continue
			}
			m.moved[i][k] = true
			m.d[i][k], m.w[i][k] = m.x[i][k].Sub(m.x[0][k]), m.v[i][k].Sub(m.v[0][k])
			w := m.w[i][k]
			f, certain := rounded(w, ew)
			size := math.Abs(w.H)
			bits := math.Float64bits(size) // normal: the least that passes is far above 2^-1022
			if !certain || !(math.Abs(f) > 2*ew) || bits<<12 == 0 {
				unknown = max(unknown, size+float64(2*ew))
			} else {
				speed, m.top = max(speed, math.Abs(f)), max(m.top, int(bits>>52)-1022)
			}
			if x[3*i+k], certain = rounded(m.d[i][k], ed); !certain {
				return 0, false
			}
		}
	}
	return speed, unknown < float64(speed*(1-0x1p-50)) // else nothing moves, or it is not certain what does most
}

// offset returns component k of point i relative to the first point, as a double-double, and
// whether it is the same at all times.
func (q *MotionQuery) offset(i, k int) (d exact.DD, constant bool) {
	d = exact.Difference(q.at(0, i, k), q.at(0, 0, k))
	for l := 1; l <= q.Degree; l++ {
		if exact.Difference(q.at(l, i, k), q.at(l, 0, k)) != d {
			return d, false
		}
	}
	return d, true
}

// ahead writes the points plus their velocities, as motionState.relative does, after relative.
func (m *motionDoubles) ahead(y []float64, size float64) bool {
	scale := 0
	if size > 0 {
		scale = math.Ilogb(size)
	}
	if scale-m.top < -500 || scale-m.top > 500 {
		return false
	}
	f := math.Ldexp(1, scale-m.top)
	ed, ew := float64(pointDoubles*m.most), float64(velocityDoubles*m.fast)
	for i := range m.kind.Points() {
		for k := range 3 {
			d := m.d[i][k]
			if !m.moved[i][k] {
				y[3*i+k] = d.H
				continue
			}
			sum := exact.DD{H: m.w[i][k].H * f, L: m.w[i][k].L * f}.Add(d)
			e := float64(ew*f) + ed + float64(0x1p-103*(math.Abs(sum.H)+float64(2*math.Abs(d.H))))
			var certain bool
			if y[3*i+k], certain = rounded(sum, e); !certain {
				return false
			}
		}
	}
	return true
}

// moves reports whether the velocity of one contact point relative to the other is certainly more
// than 2^-40 of those of the points: computed in doubles, to within 2^-47 of the largest.
func (m *motionDoubles) moves(u, v float64) bool {
	weights := m.kind.Info().Weights(u, v)
	most, fast := 0.0, 0.0
	for k := range 3 {
		sum := 0.0
		for i := range m.kind.Points() {
			d := m.v[i][k].H - m.v[0][k].H
			most = max(most, math.Abs(d))
			sum += float64(d * weights[i])
		}
		fast = max(fast, math.Abs(sum))
	}
	return fast > 0x1p-39*most && most > 0x1p-40*m.fast
}

// before returns the points at lo, at most 2^-53 before the time t of load, rounded.
//
// With e = (t - lo) / h, x(lo) = x(t) - (t - lo) x'(t) + e^2 / 2 x”, and |x”| is at most 4k(k-1) M,
// 80 M: for e below 2^-52 what is left out is below 2^-98.6 M. The velocity's error counts 2^-52
// times; the sum and the product err by 3u^2 M and 8u^2 2^-48 M. Together, with the point's own,
// below 2^-96.8 M. For a larger e the points are computed at lo.
func (m *motionDoubles) before(q *MotionQuery, t, lo float64) (x [4][3]float64, ok bool) {
	step := t - lo // exactly
	again := !(step <= 0x1p-53*m.h.H)
	if again {
		m.s = m.part(q, lo)
	}
	e := float64(pointDoubles * m.most)
	for i := range m.kind.Points() {
		for k := range 3 {
			y := m.x[i][k]
			switch {
			case m.still[i][k]:
				x[i][k] = y.H
				continue
			case again:
				y, _, _ = m.path(q, i, k)
			case step > 0:
				y = y.Add(m.v[i][k].Times(-step))
			}
			if x[i][k], ok = rounded(y, e); !ok {
				return x, false
			}
		}
	}
	return x, true
}

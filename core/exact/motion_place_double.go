package exact

import (
	"math"

	"ccd/core/geom"
)

// motionDoubles is what motionState is, in double-doubles, for a query over the whole step. Every number that it returns is the rounded one of motionState,
// or it reports that it is not certain of it: where both a number less its error and one plus its error round to the same double, so does the
// number.
//
// Error (M the largest magnitude of a control point, u = 2^-53): a step of de Casteljau's algorithm is a difference, 6u^2 M, a product with a double, 10u^2 M, and a sum, 9u^2 M:
// together 25u^2 M, five times. A point errs by less than 2^-98 M, a velocity, 5 differences, by less than 2^-95 M, and what is made of two of either by
// the double of that. The 400 bits of motionState err by less than 2^-380 M. Products below 2^-968 lose up to 2^-1074, nothing beside
// 2^-98 M for M >= 2^-400. A point whose control points are all equal is exact.
type motionDoubles struct {
	kind  geom.Kind
	most  float64 // M
	x, v  [4][3]dd
	still [4][3]bool // x is exact and v is 0
}

const (
	pointDoubles    = 0x1p-96 // of a difference of two points, in units of M
	velocityDoubles = 0x1p-93
)

// load computes the points and velocities at t; false if the query is not one for it.
func (m *motionDoubles) load(q *MotionQuery, t float64) bool {
	m.kind, m.most = q.Kind, largestOf(q.Control)
	if q.T0 != 0 || q.T1 != 1 || !(m.most > 0x1p-400 && m.most < 0x1p400) {
		return false
	}
	for i := range q.points() {
		for k := range 3 {
			m.x[i][k], m.v[i][k], m.still[i][k] = pathDoubles(q, t, i, k)
		}
	}
	return true
}

// pathDoubles is a coordinate and its derivative at t.
func pathDoubles(q *MotionQuery, t float64, i, k int) (x, v dd, still bool) {
	var c [MaxMotionDegree + 1]dd
	still = true
	for l := range q.Degree + 1 {
		c[l] = dd{q.at(l, i, k), 0}
		still = still && c[l].h == c[0].h
	}
	if still {
		return c[0], dd{}, true
	}
	for step := range q.Degree {
		for l := range q.Degree - step {
			d := c[l+1].sub(c[l])
			if step == q.Degree-1 {
				v = d.times(float64(q.Degree))
			}
			c[l] = c[l].add(d.times(t))
		}
	}
	return c[0], v, false
}

// rounded is x, which is off by at most e, as a double.
func rounded(x dd, e float64) (y float64, ok bool) {
	if e == 0 {
		return x.h, true // the sum is normal: h is the rounded sum
	}
	e += float64(math.Abs(x.h) * 0x1p-104)
	return x.h + (x.l - e), x.h+(x.l-e) == x.h+(x.l+e)
}

// relative is motionState.relative, without since.
func (m *motionDoubles) relative(x, y []float64, size float64) (speed float64, ok bool) {
	n := m.kind.Points()
	top := math.MinInt32
	var w, d [4][3]dd
	var ew, ed [4][3]float64
	for i := range n {
		for k := range 3 {
			if i == 0 || m.still[i][k] && m.still[0][k] {
				if i > 0 {
					d[i][k] = difference(m.x[i][k].h, m.x[0][k].h)
				}
				x[3*i+k] = d[i][k].h
				continue
			}
			d[i][k], w[i][k] = m.x[i][k].sub(m.x[0][k]), m.v[i][k].sub(m.v[0][k])
			ed[i][k], ew[i][k] = float64(pointDoubles*m.most), float64(velocityDoubles*m.most)
			f, certain := rounded(w[i][k], ew[i][k])
			fraction, exponent := math.Frexp(math.Abs(w[i][k].h))
			if !certain || !(math.Abs(f) > 2*ew[i][k]) || fraction == 0.5 {
				return 0, false
			}
			speed, top = max(speed, math.Abs(f)), max(top, exponent)
			if x[3*i+k], certain = rounded(d[i][k], ed[i][k]); !certain {
				return 0, false
			}
		}
	}
	if top == math.MinInt32 {
		return 0, false // nothing moves
	}
	scale := 0
	if size > 0 {
		scale = math.Ilogb(size)
	}
	if scale-top < -500 || scale-top > 500 {
		return 0, false
	}
	f := math.Ldexp(1, scale-top)
	for i := range n {
		for k := range 3 {
			sum := dd{w[i][k].h * f, w[i][k].l * f}.add(d[i][k])
			e := float64(ew[i][k]*f) + ed[i][k]
			if ew[i][k] > 0 {
				e += float64(0x1p-103 * (math.Abs(sum.h) + float64(2*math.Abs(d[i][k].h))))
			}
			var certain bool
			if y[3*i+k], certain = rounded(sum, e); !certain {
				return 0, false
			}
		}
	}
	return speed, true
}

// moves reports whether the velocity of one contact point relative to the other is certainly more than 2^-40 of those of the points: computed in doubles, to
// within 2^-47 of the largest.
func (m *motionDoubles) moves(u, v float64) bool {
	weights := m.kind.Info().Weights(u, v)
	most, fast := 0.0, 0.0
	for k := range 3 {
		sum := 0.0
		for i := range m.kind.Points() {
			d := m.v[i][k].h - m.v[0][k].h
			most = max(most, math.Abs(d))
			sum += float64(d * weights[i])
		}
		fast = max(fast, math.Abs(sum))
	}
	return fast > 0x1p-39*most && most > 0x1p-40*m.most
}

// at is the points at a time, rounded.
func (m *motionDoubles) at(q *MotionQuery, t float64) (x [4][3]float64, ok bool) {
	for i := range q.points() {
		for k := range 3 {
			y, _, still := pathDoubles(q, t, i, k)
			e := float64(pointDoubles * m.most)
			if still {
				e = 0
			}
			if x[i][k], ok = rounded(y, e); !ok {
				return x, false
			}
		}
	}
	return x, true
}

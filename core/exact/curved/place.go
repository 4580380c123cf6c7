package curved

import (
	"math"
	"math/big"

	"ccd/core/exact/clearance"
	"ccd/core/geom"
)

// placePrec is the precision in bits with which the points at a contact are computed; their errors
// are below 2^-380 of the coordinates.
const placePrec = 400

// Place fills U, V, Point and Width of a contact that Resolve found, from the points at TOIHi. It
// writes a linear query of the kind into tangent, relative to the first point: at its t = 0 the
// points are those at TOIHi, and they move on along their velocities, multiplied by a positive
// number. Where the velocity at the contact is rounding, they move on along the way that they came
// since T0 instead.
//
// Double-doubles compute the same numbers, where it is certain how they round: motionDoubles.
func (r *MotionResolver) Place(q *MotionQuery, out *geom.Impact, tangent []float64) {
	d := &r.doubles
	if d.load(q, out.TOIHi) {
		n := 3 * q.points()
		if speed, ok := d.relative(q, tangent[:n]); ok {
			u, v := r.parameters(q, tangent)
			ok = d.moves(u, v) && d.ahead(tangent[n:], largestOf(tangent[:n]))
			var x [4][3]float64
			if ok {
				x, ok = d.before(q, out.TOIHi, out.TOILo)
			}
			if ok {
				r.write(q, out, u, v, speed, &x)
				return
			}
		}
	}
	r.placeWide(q, out, tangent)
}

// parameters returns u and v of the nearest points of the query's first frame, in tangent.
func (r *MotionResolver) parameters(q *MotionQuery, tangent []float64) (u, v float64) {
	n, sh := q.points(), &clearance.Shapes[q.Kind]
	e := &r.lines
	l := &e.Lines
	l.Shape, e.Sides, e.Plane = sh, clearance.PolygonSides[q.Kind], len(sh.Edges) > 1
	copy(tangent[3*n:], tangent[:3*n]) // LoadAll measures both ends
	l.LoadAll(tangent, 3*n)
	l.Fa.Set(l, 0)
	if q.MaxNorm && q.Separation > 0 {
		s0, s1 := l.Unit()
		l.D = q.Separation * s0 * s1
		u, v = l.Middle(q.Kind)
	} else {
		u, v = e.Parameters()
	}
	return clearance.Inside(q.Kind.Info().Domain, u, v)
}

// write fills in a contact at (u, v), of points that are at x at TOILo.
func (r *MotionResolver) write(q *MotionQuery, out *geom.Impact, u, v, speed float64, x *[4][3]float64) {
	out.U, out.V = u, v
	out.Width = (out.TOIHi - out.TOILo) * speed
	for k := range 3 {
		out.Point[k] = clearance.Points[q.Kind]([4]float64{x[0][k], x[1][k], x[2][k], x[3][k]}, u, v)
	}
}

// largestOf returns the largest magnitude.
func largestOf(x []float64) (size float64) {
	for _, x := range x {
		size = max(size, math.Abs(x))
	}
	return size
}

// placeWide is Place with 400 bits.
func (r *MotionResolver) placeWide(q *MotionQuery, out *geom.Impact, tangent []float64) {
	n := q.points()
	hi := newMotionState(q, out.TOIHi, true)
	speed := hi.relative(tangent[:3*n])
	u, v := r.parameters(q, tangent)
	size := largestOf(tangent[:3*n])
	if hi.still(u, v) {
		hi.since(newMotionState(q, q.T0, false))
	}
	hi.ahead(tangent[3*n:], size)
	at := hi
	if out.TOILo != out.TOIHi {
		at = newMotionState(q, out.TOILo, false)
	}
	var x [4][3]float64
	for i := range n {
		for k := range 3 {
			x[i][k], _ = at.x[i][k].Float64()
		}
	}
	r.write(q, out, u, v, speed, &x)
}

// motionState is the points of a query and their velocities at a time, d and w those relative to
// the first point.
type motionState struct {
	q    *MotionQuery
	kind geom.Kind
	x, v [4][3]big.Float
	d, w [4][3]big.Float
}

// newMotionState returns the points at t, and their velocities if they are asked for.
func newMotionState(q *MotionQuery, t float64, velocities bool) *motionState {
	var h, s, d big.Float
	number := func(x *big.Float, y float64) { x.SetPrec(placePrec).SetFloat64(y) }
	m := &motionState{q: q, kind: q.Kind}
	number(&h, q.T1)
	number(&d, q.T0)
	h.Sub(&h, &d)
	number(&s, t)
	s.Sub(&s, &d).Quo(&s, &h)
	var degree big.Float
	number(&degree, float64(q.Degree))
	var c [MaxMotionDegree + 1]big.Float
	for i := range q.points() {
		for k := range 3 {
			for l := range q.Degree + 1 {
				number(&c[l], q.at(l, i, k))
			}
			for step := range q.Degree { // de Casteljau
				if velocities && step == q.Degree-1 {
					v := m.v[i][k].Sub(&c[1], &c[0])
					v.Mul(v, &degree).Quo(v, &h)
				}
				for l := range q.Degree - step {
					d.Sub(&c[l+1], &c[l])
					c[l].Add(&c[l], d.Mul(&d, &s))
				}
			}
			m.x[i][k].Set(&c[0])
		}
	}
	return m
}

// relative computes the points and velocities relative to the first point, exactly where points
// keep their offset from it. It writes the points into x, and returns the largest component of a
// relative velocity.
func (m *motionState) relative(x []float64) (speed float64) {
	for i := range m.kind.Points() {
		for k := range 3 {
			m.d[i][k].Sub(&m.x[i][k], &m.x[0][k])
			if d, constant := m.q.offset(i, k); constant {
				m.d[i][k].SetFloat64(d.H)
				m.d[i][k].Add(&m.d[i][k], new(big.Float).SetFloat64(d.L))
				m.v[i][k].Set(&m.v[0][k])
			}
			x[3*i+k], _ = m.d[i][k].Float64()
			f, _ := m.w[i][k].Sub(&m.v[i][k], &m.v[0][k]).Float64()
			speed = max(speed, math.Abs(f))
		}
	}
	return speed
}

// since takes the way from an earlier time to that of m for the velocity, after relative.
func (m *motionState) since(before *motionState) {
	var d big.Float
	for i := range m.kind.Points() {
		for k := range 3 {
			if _, constant := m.q.offset(i, k); constant {
				continue // w is 0.
			}
			d.Sub(&before.x[i][k], &before.x[0][k])
			m.w[i][k].Sub(&m.d[i][k], &d)
			d.SetPrec(0)
		}
	}
}

// ahead writes the relative points plus their velocities, multiplied by a power of two that makes
// the largest about as large as size.
func (m *motionState) ahead(y []float64, size float64) {
	top := math.MinInt32
	for i := range m.kind.Points() {
		for k := range 3 {
			if w := &m.w[i][k]; w.Sign() != 0 {
				top = max(top, w.MantExp(nil))
			}
		}
	}
	scale := 0
	if size > 0 {
		scale = math.Ilogb(size)
	}
	var f big.Float
	for i := range m.kind.Points() {
		for k := range 3 {
			f.SetMantExp(&m.w[i][k], scale-top)
			y[3*i+k], _ = f.Add(&f, &m.d[i][k]).Float64()
		}
	}
}

// still reports whether the velocity of one contact point relative to the other is below 2^-40 of
// those of the points, after relative.
func (m *motionState) still(u, v float64) bool {
	n := m.kind.Points()
	weights := m.kind.Info().Weights(u, v)
	most := 0.0
	var w [3]float64
	var d big.Float
	for k := range 3 {
		sum := new(big.Float).SetPrec(placePrec)
		for i := range n {
			f, _ := m.w[i][k].Float64()
			most = max(most, math.Abs(f))
			d.SetPrec(placePrec).SetFloat64(weights[i])
			sum.Add(sum, d.Mul(&d, &m.w[i][k]))
		}
		w[k], _ = sum.Float64()
	}
	return max(math.Abs(w[0]), math.Abs(w[1]), math.Abs(w[2])) <= 0x1p-40*most
}

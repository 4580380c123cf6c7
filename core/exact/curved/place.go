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
		if speed, ok := d.relative(tangent[:n]); ok {
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
	copy(tangent[3*n:], tangent[:3*n]) // loadAll measures both ends
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
	hi, begin := newMotionState(q, out.TOIHi), newMotionState(q, q.T0)
	speed := hi.relative(tangent[:3*n], tangent[3*n:], 0, nil)
	u, v := r.parameters(q, tangent)
	size := largestOf(tangent[:3*n])
	hi.relative(tangent[:3*n], tangent[3*n:], size, nil)
	if hi.still(u, v) {
		hi.relative(tangent[:3*n], tangent[3*n:], size, begin)
	}
	at := newMotionState(q, out.TOILo)
	var x [4][3]float64
	for i := range n {
		for k := range 3 {
			x[i][k], _ = at.x[i][k].Float64()
		}
	}
	r.write(q, out, u, v, speed, &x)
}

// motionState is the points of a query and their velocities at a time.
type motionState struct {
	kind geom.Kind
	x, v [4][3]*big.Float
}

func newMotionState(q *MotionQuery, t float64) *motionState {
	number := func(x float64) *big.Float { return new(big.Float).SetPrec(placePrec).SetFloat64(x) }
	m := &motionState{kind: q.Kind}
	h := number(q.T1)
	h.Sub(h, number(q.T0))
	s := number(t)
	s.Sub(s, number(q.T0)).Quo(s, h)
	for i := range q.points() {
		for k := range 3 {
			var c [MaxMotionDegree + 1]*big.Float
			for l := range q.Degree + 1 {
				c[l] = number(q.at(l, i, k))
			}
			for step := range q.Degree { // de Casteljau
				if step == q.Degree-1 {
					v := new(big.Float).Sub(c[1], c[0])
					m.v[i][k] = v.Mul(v, number(float64(q.Degree))).Quo(v, h)
				}
				for l := range q.Degree - step {
					d := new(big.Float).Sub(c[l+1], c[l])
					c[l] = new(big.Float).Add(c[l], d.Mul(d, s))
				}
			}
			m.x[i][k] = c[0]
		}
	}
	return m
}

// relative writes the points relative to the first one into x, and x plus their velocities into y,
// multiplied by a power of two that makes the largest about as large as size; it returns the
// largest component of a relative velocity. With since, the way from there stands for the velocity.
func (m *motionState) relative(x, y []float64, size float64, since *motionState) (speed float64) {
	n := m.kind.Points()
	top := math.MinInt32
	var w [4][3]*big.Float
	for i := range n {
		for k := range 3 {
			d := new(big.Float).Sub(m.x[i][k], m.x[0][k])
			x[3*i+k], _ = d.Float64()
			w[i][k] = new(big.Float).Sub(m.v[i][k], m.v[0][k])
			if since != nil {
				w[i][k].Sub(since.x[i][k], since.x[0][k])
				w[i][k].Sub(d, w[i][k])
			}
			f, _ := w[i][k].Float64()
			if speed = max(speed, math.Abs(f)); w[i][k].Sign() != 0 {
				top = max(top, w[i][k].MantExp(nil))
			}
		}
	}
	scale := 0
	if size > 0 {
		scale = math.Ilogb(size)
	}
	for i := range n {
		for k := range 3 {
			f := new(big.Float).SetMantExp(w[i][k], scale-top)
			y[3*i+k], _ = f.Add(f, new(big.Float).Sub(m.x[i][k], m.x[0][k])).Float64()
		}
	}
	return speed
}

// still reports whether the velocity of one contact point relative to the other is below 2^-40 of
// those of the points.
func (m *motionState) still(u, v float64) bool {
	n := m.kind.Points()
	weights := m.kind.Info().Weights(u, v)
	most := 0.0
	var w [3]float64
	for k := range 3 {
		sum := new(big.Float).SetPrec(placePrec)
		for i := range n {
			d := new(big.Float).Sub(m.v[i][k], m.v[0][k])
			f, _ := d.Float64()
			most = max(most, math.Abs(f))
			sum.Add(sum, d.Mul(d, new(big.Float).SetPrec(placePrec).SetFloat64(weights[i])))
		}
		w[k], _ = sum.Float64()
	}
	return max(math.Abs(w[0]), math.Abs(w[1]), math.Abs(w[2])) <= 0x1p-40*most
}

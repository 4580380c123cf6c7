package rigid

import (
	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
	"ccd/core/num"
)

// Box is an interval for each axis. It is not bound.Box because interval arithmetic is done with
// it: the coordinates of points on an Arc.
type Box [3]num.Interval

// matrix is a matrix of intervals, by rows.
type matrix [3]Box

// An Arc encloses a motion around an epoch, with outward rounding: with tau the time since the
// epoch, w = |AngularVelocity|,
//
//	R(tau) = P + cos(w tau) Q + sin(w tau) S,   x(tau) = X + tau V.
//
// Angles count from the epoch, so an arc is as tight at a far time as at t = 0; a long interval is
// split into several arcs.
type Arc struct {
	p, q, s matrix
	x       Box
	v       r3.Vec
	pivot   r3.Vec
	rate    num.Interval
}

// Rotation returns P, Q, S and w of the arc's formula.
func (a *Arc) Rotation() (p, q, s *[3]Box, rate num.Interval) {
	return (*[3]Box)(&a.p), (*[3]Box)(&a.q), (*[3]Box)(&a.s), a.rate
}

// Around returns the arc of m around a time at which m.Check passes.
func (m *Motion) Around(epoch float64) Arc {
	a := Arc{v: m.Velocity, pivot: m.Pivot}
	t := num.Point(epoch)
	for k, x := range geom.Components(m.Position) {
		a.x[k] = num.Point(x).Add(t.Scale(geom.Components(m.Velocity)[k]))
	}
	r := rotation(m.Rotation)
	hi, lo := m.rate()
	if hi == 0 {
		a.p = r
		return a
	}
	const e = 2 * rateBound // The bound counts twice: once for itself, and once for the rounding of the product.
	a.rate = num.Interval{Lo: num.SubDown(num.AddDown(hi, lo), e*hi), Hi: num.AddUp(num.AddUp(hi, lo), e*hi)}
	var axis Box
	for k, x := range geom.Components(m.AngularVelocity) {
		axis[k] = num.Point(x).Div(a.rate)
	}
	for j := range 3 {
		along := axis[0].Mul(r[0][j]).Add(axis[1].Mul(r[1][j])).Add(axis[2].Mul(r[2][j]))
		for i := range 3 {
			k, l := (i+1)%3, (i+2)%3
			a.p[i][j] = axis[i].Mul(along)
			a.q[i][j] = r[i][j].Sub(a.p[i][j])
			a.s[i][j] = axis[k].Mul(r[l][j]).Sub(axis[l].Mul(r[k][j]))
		}
	}
	a.turn(m, epoch)
	return a
}

// turn moves the epoch of the angles from 0 to the given time.
func (a *Arc) turn(m *Motion, epoch float64) {
	if epoch == 0 {
		return
	}
	hi, lo := m.angle(epoch)
	s, c := num.Sincos(hi, lo)
	// The pair's own error, (rateBound + 2 u^2) 2^40 at most, and the rounding of the ends, u/2,
	// are within half of SincosBound.
	const e = 1.5 * num.SincosBound
	sin, cos := num.Interval{Lo: s - e, Hi: s + e}, num.Interval{Lo: c - e, Hi: c + e}
	for i := range 3 {
		for j := range 3 {
			q, s := a.q[i][j], a.s[i][j]
			a.q[i][j] = cos.Mul(q).Add(sin.Mul(s))
			a.s[i][j] = cos.Mul(s).Sub(sin.Mul(q))
		}
	}
}

// PoseBounds encloses the position of every point of a body over an interval of time.
type PoseBounds struct {
	r, r1 matrix // R and its derivative
	x     Box
	pivot r3.Vec
}

// Over encloses the poses at the times tau since the epoch; w |tau| must be within num.MaxAngle.
func (a *Arc) Over(tau num.Interval) PoseBounds {
	m := a.natural(tau)
	if tau.Lo == tau.Hi {
		return m
	}
	// The mean value form is the tighter one over short intervals, where entries depend on the same
	// angle.
	mid := float64(0.5*tau.Lo) + float64(0.5*tau.Hi)
	at := a.natural(num.Point(mid))
	from := tau.Sub(num.Point(mid))
	for i := range 3 {
		for j := range 3 {
			m.r[i][j] = both(m.r[i][j], at.r[i][j].Add(from.Mul(m.r1[i][j])))
		}
	}
	return m
}

// both returns the intersection of two enclosures of one number.
func both(a, b num.Interval) num.Interval {
	if c, ok := a.Intersect(b); ok {
		return c
	}
	return a
}

// natural evaluates the formulas as they stand.
func (a *Arc) natural(tau num.Interval) PoseBounds {
	m := PoseBounds{pivot: a.pivot, r: a.p}
	for k, v := range geom.Components(a.v) {
		m.x[k] = a.x[k].Add(tau.Scale(v))
	}
	if a.rate.Hi == 0 {
		return m
	}
	sin, cos := a.rate.Mul(tau).Sincos()
	for i := range 3 {
		for j := range 3 {
			turning := cos.Mul(a.q[i][j]).Add(sin.Mul(a.s[i][j]))
			m.r[i][j] = a.p[i][j].Add(turning)
			m.r1[i][j] = a.rate.Mul(cos.Mul(a.s[i][j]).Sub(sin.Mul(a.q[i][j])))
		}
	}
	return m
}

// Position encloses where the body's point p is.
func (m *PoseBounds) Position(p r3.Vec) Box {
	b := m.r.apply(m.arm(p))
	for k := range b {
		b[k] = b[k].Add(m.x[k])
	}
	return b
}

// arm returns p seen from the pivot.
func (m *PoseBounds) arm(p r3.Vec) Box {
	o := geom.Components(m.pivot)
	var b Box
	for k, x := range geom.Components(p) {
		b[k] = num.Interval{Lo: num.SubDown(x, o[k]), Hi: num.SubUp(x, o[k])}
	}
	return b
}

func (m *matrix) apply(b Box) Box {
	var out Box
	for i, row := range m {
		out[i] = row[0].Mul(b[0]).Add(row[1].Mul(b[1])).Add(row[2].Mul(b[2]))
	}
	return out
}

// rotation encloses the matrix of geom.Rotation.
func rotation(q quat.Number) matrix {
	const e = 2 * geom.RotationBound // The bound counts twice: once for itself, and once for the rounding of the ends.
	m := geom.Rotation(q)
	var out matrix
	for i, row := range []r3.Vec{m.X, m.Y, m.Z} {
		for j, x := range geom.Components(row) {
			out[i][j] = num.Interval{Lo: x - e, Hi: x + e}
		}
	}
	return out
}

package poses

import (
	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
	"ccd/core/num"
)

// An Arc encloses a motion around an epoch, with outward rounding: with tau the time since the
// epoch, w = |AngularVelocity|,
//
//	R(tau) = P + cos(w tau) Q + sin(w tau) S,   x(tau) = X + tau V.
//
// Angles count from the epoch, so an arc is as tight at a far time as at t = 0; a long interval is
// split into several arcs.
type Arc struct {
	P, Q, S Matrix
	X       Box
	v       r3.Vec
	pivot   r3.Vec
	Rate    num.Interval
}

// Around returns the arc of m around a time at which m.Check passes.
func (m *Motion) Around(epoch float64) Arc {
	a := Arc{v: m.Velocity, pivot: m.Pivot}
	t := num.Point(epoch)
	for k, x := range geom.Components(m.Position) {
		a.X[k] = num.Point(x).Add(t.Scale(geom.Components(m.Velocity)[k]))
	}
	r := Rotation(m.Rotation)
	hi, lo := m.Rate()
	if hi == 0 {
		a.P = r
		return a
	}
	const e = 2 * rateBound // The bound counts twice: once for itself, and once for the rounding of the product.
	a.Rate = num.Interval{Lo: num.SubDown(num.AddDown(hi, lo), e*hi), Hi: num.AddUp(num.AddUp(hi, lo), e*hi)}
	var axis Box
	for k, x := range geom.Components(m.AngularVelocity) {
		axis[k] = num.Point(x).Div(a.Rate)
	}
	for j := range 3 {
		along := axis[0].Mul(r[0][j]).Add(axis[1].Mul(r[1][j])).Add(axis[2].Mul(r[2][j]))
		for i := range 3 {
			k, l := (i+1)%3, (i+2)%3
			a.P[i][j] = axis[i].Mul(along)
			a.Q[i][j] = r[i][j].Sub(a.P[i][j])
			a.S[i][j] = axis[k].Mul(r[l][j]).Sub(axis[l].Mul(r[k][j]))
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
			q, s := a.Q[i][j], a.S[i][j]
			a.Q[i][j] = cos.Mul(q).Add(sin.Mul(s))
			a.S[i][j] = cos.Mul(s).Sub(sin.Mul(q))
		}
	}
}

// PoseBounds encloses the position of every point of a body over an interval of time.
type PoseBounds struct {
	R, r1 Matrix // R and its derivative
	X     Box
	pivot r3.Vec
}

// Over encloses the poses at the times tau since the epoch; w |tau| must be within num.MaxAngle.
func (a *Arc) Over(tau num.Interval) PoseBounds {
	m := a.Natural(tau)
	if tau.Lo == tau.Hi {
		return m
	}
	// The mean value form is the tighter one over short intervals, where entries depend on the same
	// angle.
	mid := float64(0.5*tau.Lo) + float64(0.5*tau.Hi)
	at := a.Natural(num.Point(mid))
	from := tau.Sub(num.Point(mid))
	for i := range 3 {
		for j := range 3 {
			m.R[i][j] = Both(m.R[i][j], at.R[i][j].Add(from.Mul(m.r1[i][j])))
		}
	}
	return m
}

// Both returns the intersection of two enclosures of one number.
func Both(a, b num.Interval) num.Interval {
	if c, ok := a.Intersect(b); ok {
		return c
	}
	return a
}

// Natural evaluates the formulas as they stand.
func (a *Arc) Natural(tau num.Interval) PoseBounds {
	m := PoseBounds{pivot: a.pivot, R: a.P}
	for k, v := range geom.Components(a.v) {
		m.X[k] = a.X[k].Add(tau.Scale(v))
	}
	if a.Rate.Hi == 0 {
		return m
	}
	sin, cos := a.Rate.Mul(tau).Sincos()
	for i := range 3 {
		for j := range 3 {
			turning := cos.Mul(a.Q[i][j]).Add(sin.Mul(a.S[i][j]))
			m.R[i][j] = a.P[i][j].Add(turning)
			m.r1[i][j] = a.Rate.Mul(cos.Mul(a.S[i][j]).Sub(sin.Mul(a.Q[i][j])))
		}
	}
	return m
}

// Position encloses where the body's point p is.
func (m *PoseBounds) Position(p r3.Vec) Box {
	b := m.R.Apply(m.arm(p))
	for k := range b {
		b[k] = b[k].Add(m.X[k])
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

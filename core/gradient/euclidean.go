package gradient

import (
	"ccd/core/num"
)

// nearest is a ball of (u, v) that holds those of the nearest point of the polygon, of which there
// may be many.
type nearest struct {
	u, v   num.Ball
	inside bool // the point is certainly inside, so that B x C is the normal
}

// euclidean finds the contact in the Euclidean norm: the nearest point of the polygon. Where there
// is one, the distance has a derivative, whichever feature it lies on.
func (p *pair) euclidean(f *polygon) contact {
	x := p.nearest(f)
	c := contact{state: Defined, u: x.u, v: x.v}
	if x.inside {
		c.n = f.b.Cross(&f.c)
	} else {
		c.n = f.point(x.u, x.v)
	}
	return c
}

// distanceGap returns |F|^2 - d^2 at one time, F the nearest point, and its derivative over an
// interval.
func (p *pair) distanceGap(at, over *polygon) (g, slope num.Ball) {
	x, y := p.nearest(at), p.nearest(over)
	a, b, v := at.point(x.u, x.v), over.point(y.u, y.v), p.velocity(y.u, y.v)
	return a.Dot(&a).Sub(p.square), num.BallOf(2).Mul(b.Dot(&v))
}

// nearest finds the nearest point. The conditions of the minimum are those of a convex function: F
// is the nearest point if and only if F.(p - F) >= 0 for every corner p, and it is the only one, at
// a corner, if these are > 0 for all other corners.
func (p *pair) nearest(f *polygon) nearest {
	corners, n := p.corners(f), len(p.info.Corners)
	if n > 2 {
		if u, v, yes := p.foot(f); yes {
			return nearest{u, v, true}
		}
	}
	for i := range n {
		if strictly(corners[:n], i) {
			c := p.info.Corners[i]
			return nearest{u: num.BallOf(float64(c.U)), v: num.BallOf(float64(c.V))}
		}
	}
	return p.hull(f, corners[:n])
}

// foot returns the parameters of the foot of the perpendicular on the plane, and whether it is
// certainly inside the domain.
func (p *pair) foot(f *polygon) (u, v num.Ball, inside bool) {
	n := f.b.Cross(&f.c)
	nn := n.Dot(&n)
	if nn.Sign() <= 0 {
		return u, v, false
	}
	x, y := f.c.Cross(&f.a), f.a.Cross(&f.b)
	u, v = x.Dot(&n).Div(nn), y.Dot(&n).Div(nn)
	return u, v, p.slack(u, v) > 0
}

// strictly reports whether corner i is certainly nearer than any other point.
func strictly(corners []num.BallVec, i int) bool {
	for j := range corners {
		if j == i {
			continue
		}
		e := corners[j].Minus(&corners[i])
		if corners[i].Dot(&e).Sign() <= 0 {
			return false
		}
	}
	return true
}

// hull encloses all places that may be nearest, which are one place unless balls cannot say so: the
// foot in the plane, unless it is certainly outside, and the feet on the sides that certainly
// violate no condition of the minimum.
func (p *pair) hull(f *polygon, corners []num.BallVec) (x nearest) {
	found := false
	offer := func(u, v num.Ball) {
		if found {
			u, v = u.Union(x.u), v.Union(x.v)
		}
		x, found = nearest{u: u, v: v}, true
	}
	one, all := num.BallOf(1), num.BallBetween(0, 1)
	if n := len(corners); n > 2 {
		m := f.b.Cross(&f.c)
		if mm := m.Dot(&m); mm.Sign() <= 0 {
			return nearest{u: all, v: all}
		}
		if u, v, _ := p.foot(f); p.slack(u, v) == 0 {
			offer(u.Clamp01(), v.Clamp01())
		}
	}
	sides := len(corners)
	if sides == 2 {
		sides = 1
	}
	for i := range sides {
		j := (i + 1) % len(corners)
		e := corners[j].Minus(&corners[i])
		s := all
		if ee := e.Dot(&e); ee.Sign() > 0 {
			s = corners[i].Dot(&e).Neg().Div(ee).Clamp01()
		}
		foot := corners[i].Plus(s, &e)
		if !minimal(corners, &foot) {
			continue
		}
		a, b := p.info.Corners[i], p.info.Corners[j]
		between := func(x, y uint8) num.Ball {
			return num.BallOf(float64(x)).Mul(one.Sub(s)).Add(num.BallOf(float64(y)).Mul(s))
		}
		offer(between(a.U, b.U), between(a.V, b.V))
	}
	if !found {
		return nearest{u: all, v: all}
	}
	return x
}

// minimal reports whether x may be the nearest point.
func minimal(corners []num.BallVec, x *num.BallVec) bool {
	for i := range corners {
		e := corners[i].Minus(x)
		if x.Dot(&e).Sign() < 0 {
			return false
		}
	}
	return true
}

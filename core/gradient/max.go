package gradient

import (
	"ccd/core/num"
)

// cube is a pair in the max norm.
type cube struct{ *pair }

// event is what happens at the first contact in the max norm: the direction n from the cube [-d,
// d]^3 to the polygon that separates the two until then. Its facet of polygon + cube is a corner
// and a face of the cube (n an axis), an edge and an edge of the cube (n = axis x edge), or the
// polygon and a corner of the cube (n = B x C).
type event struct {
	none  bool
	axis  int // -1 for B x C
	edge  int // the side of the polygon, from the corner of this number; -1 for an axis
	turn  int // 1, or -1: n is turned round
	from  int // a corner of the polygon that touches
	signs [3]int
}

// contactWith finds the contact in the max norm with a polygon, as seen from the cube.
//
// At toi no direction separates, so the gap n.p - d |n|_1, p the nearest corner along n, is at most
// 0 for all directions, and 0 for that of the event. If all but one are certainly negative, that
// one is the event, now and under small changes; else there is a tie.
func (p cube) contactWith(f *polygon) contact {
	corners := p.corners(f)
	var only event
	found := 0
	p.directions(func(e event) {
		n := p.direction(&e, f)
		if !n.IsZero() && p.mayTouch(&n, corners[:len(p.info.Corners)]) {
			only = e
			found++
		}
	})
	if found != 1 {
		return contact{state: Tie, event: event{none: true}}
	}
	return p.place(only, f, corners[:len(p.info.Corners)])
}

// directions calls do for every direction that may be an event.
func (p cube) directions(do func(e event)) {
	edges := 0
	switch len(p.info.Corners) {
	case 2:
		edges = 1
	case 3:
		edges = 3
	case 4:
		edges = 2 // The other two edges are parallel to these.
	}
	for _, turn := range [2]int{1, -1} {
		for axis := range 3 {
			do(event{axis: axis, edge: -1, turn: turn})
			for edge := range edges {
				do(event{axis: axis, edge: edge, turn: turn})
			}
		}
		if edges > 1 {
			do(event{axis: -1, edge: -1, turn: turn})
		}
	}
}

// direction returns the direction of an event.
func (p cube) direction(e *event, f *polygon) num.BallVec {
	var n num.BallVec
	switch {
	case e.axis < 0:
		n = f.b.Cross(&f.c)
	case e.edge < 0:
		n[e.axis] = num.BallOf(1)
	default:
		n = across(e.axis, p.side(e.edge, f))
	}
	return turned(n, e.turn)
}

// directionRate returns the derivative of direction.
func (p cube) directionRate(e *event, f *polygon) num.BallVec {
	var n num.BallVec
	switch {
	case e.axis < 0:
		n = p.normalRate(f)
	case e.edge >= 0:
		n = across(e.axis, p.side(e.edge, &polygon{p.rate[0], p.rate[1], p.rate[2]}))
	}
	return turned(n, e.turn)
}

// side returns the vector along a side of the polygon.
func (p cube) side(i int, f *polygon) num.BallVec {
	a, b := p.info.Corners[i], p.info.Corners[(i+1)%len(p.info.Corners)]
	e := num.BallVec{}
	e = e.Plus(num.BallOf(float64(b.U)-float64(a.U)), &f.b)
	return e.Plus(num.BallOf(float64(b.V)-float64(a.V)), &f.c)
}

// across returns the product of an axis and a vector.
func across(axis int, e num.BallVec) (n num.BallVec) {
	i, j := (axis+1)%3, (axis+2)%3
	n[i], n[j] = e[j].Neg(), e[i]
	return n
}

func turned(n num.BallVec, turn int) num.BallVec {
	if turn < 0 {
		for k := range n {
			n[k] = n[k].Neg()
		}
	}
	return n
}

// reach returns d |n|_1.
func (p cube) reach(n *num.BallVec) num.Ball {
	return p.d.Mul(n[0].Abs().Add(n[1].Abs()).Add(n[2].Abs()))
}

// mayTouch reports whether the gap along n is not certainly negative.
func (p cube) mayTouch(n *num.BallVec, corners []num.BallVec) bool {
	reach := p.reach(n)
	for i := range corners {
		if n.Dot(&corners[i]).Sub(reach).Sign() < 0 {
			return false
		}
	}
	return true
}

// place finds where the polygon touches the cube, for the only event: at the corner, on the edge,
// or inside the polygon, where its point is the corner of the cube or on the edge of the cube.
func (p cube) place(e event, f *polygon, corners []num.BallVec) contact {
	n := p.direction(&e, f)
	reach := p.reach(&n)
	touching := 0
	for i := range corners {
		if n.Dot(&corners[i]).Sub(reach).Sign() <= 0 {
			e.from = i
			touching++
		}
	}
	for k := range e.signs {
		e.signs[k] = n[k].Sign()
	}
	c := contact{state: Defined, n: n, event: e}
	tie := contact{state: Tie, event: event{none: true}}
	switch {
	case e.edge >= 0:
		i, j := (e.axis+1)%3, (e.axis+2)%3
		if touching != 2 || e.signs[i] == 0 || e.signs[j] == 0 {
			return tie
		}
		return p.placeOnEdge(c, corners)
	case e.axis >= 0:
		if touching != 1 {
			return tie
		}
		at := p.info.Corners[e.from]
		c.u, c.v = num.BallOf(float64(at.U)), num.BallOf(float64(at.V))
		return c
	}
	if e.signs[0]*e.signs[1]*e.signs[2] == 0 {
		return tie
	}
	return p.placeInside(c, f)
}

// placeOnEdge places a contact of two corners: from, and the corner beside it along the side, which
// may be the side opposite to that of the event.
func (p cube) placeOnEdge(c contact, corners []num.BallVec) contact {
	e := &c.event
	reach := p.reach(&c.n)
	to := -1
	for i := range corners {
		if i != e.from && c.n.Dot(&corners[i]).Sub(reach).Sign() <= 0 {
			to = i
		}
	}
	side := corners[to].Minus(&corners[e.from])
	k := (e.axis + 1) % 3
	if other := (e.axis + 2) % 3; side[k].Mag() < side[other].Mag() {
		k = other
	}
	s := p.wall(e, k).Sub(corners[e.from][k]).Div(side[k]).Clamp01()
	a, b := p.info.Corners[e.from], p.info.Corners[to]
	c.u = num.BallOf(float64(a.U)).Add(s.Mul(num.BallOf(float64(b.U) - float64(a.U))))
	c.v = num.BallOf(float64(a.V)).Add(s.Mul(num.BallOf(float64(b.V) - float64(a.V))))
	return c
}

// wall returns coordinate k of the points of the cube that touch.
func (p cube) wall(e *event, k int) num.Ball {
	if e.signs[k] < 0 {
		return p.d.Neg()
	}
	return p.d
}

// placeInside places a contact of the inside of the polygon and a corner of the cube.
func (p cube) placeInside(c contact, f *polygon) contact {
	corner := num.BallVec{p.wall(&c.event, 0), p.wall(&c.event, 1), p.wall(&c.event, 2)}
	a, m := f.a.Minus(&corner), f.b.Cross(&f.c)
	k := steepest(&m)
	i, j := (k+1)%3, (k+2)%3
	c.u = f.c[i].Mul(a[j]).Sub(f.c[j].Mul(a[i])).Div(m[k]).Clamp01()
	c.v = a[i].Mul(f.b[j]).Sub(a[j].Mul(f.b[i])).Div(m[k]).Clamp01()
	return c
}

// gap returns the gap along the direction of an event at one time, and its derivative over an
// interval.
func (p cube) gap(e *event, at, over *polygon) (g, slope num.Ball) {
	u, v := num.BallOf(float64(p.info.Corners[e.from].U)), num.BallOf(float64(p.info.Corners[e.from].V))
	n, m, turning := p.direction(e, at), p.direction(e, over), p.directionRate(e, over)
	x, y, w := at.point(u, v), over.point(u, v), p.velocity(u, v)
	g, slope = n.Dot(&x), m.Dot(&w).Add(turning.Dot(&y))
	for k, sign := range e.signs {
		if e.edge < 0 && e.axis >= 0 && k != e.axis {
			continue // All other components of an axis are 0.
		}
		s := p.d.Mul(num.BallOf(float64(sign)))
		g, slope = g.Sub(s.Mul(n[k])), slope.Sub(s.Mul(turning[k]))
	}
	return g, slope
}

package rigid

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
	"ccd/core/rigid/triangle"
	"ccd/simd/solid"
)

// placed is a node of the body at a time, seen from the pivot.
type placed struct {
	c       r3.Vec // center
	v       r3.Vec // its velocity
	x, y, z r3.Vec // axes
	h       r3.Vec // half extents
	r       float64
	acc     float64 // bounds the center's acceleration
	spun    float64 // bounds the velocity of the node's points about the center
	acc2    float64 // bounds their acceleration about the center
}

// placeNode puts a node where the body's pose has it.
func (w *meshSolver) placeNode(i int32) {
	t, k := w.a.body.boxOf(i)
	at := func(row int) r3.Vec { return r3.Vec{X: t[row][k], Y: t[row+1][k], Z: t[row+2][k]} }
	p, m := &w.node, &w.f.a
	p.c = m.Apply(r3.Sub(at(solid.BoxC), w.a.pivot))
	p.v = geom.Cross(w.a.spin, p.c)
	p.x, p.y, p.z = m.Apply(at(solid.BoxX)), m.Apply(at(solid.BoxY)), m.Apply(at(solid.BoxZ))
	p.h, p.r = at(solid.BoxH), t[solid.BoxR][k]
	p.acc = w.a.rate * geom.Norm(p.v)
	p.spun = w.a.rate * p.r
	p.acc2 = w.a.rate * p.spun
}

// parallel is the square of a sine below which an axis and an edge make no direction of their own.
const parallel = 1e-4

// advanceNode returns a time, at most h, before which the points of a node keep more than the
// separation from the element.
//
// Along a fixed unit n from the node to the element, corner i of the element is at gap d + v s - k
// s^2 from the node or farther, with d = n.(p_i - c) less the node's reach, v = n.(p_i' - c') less
// how fast its points may go about its center, and 2k the accelerations; see query.advance. The
// element is the hull of its corners at every time, so the least over the three holds. Of the ball
// around the node the center alone moves. Tried are the line of centers with the ball, the node's
// axes, the element's normal, and products of axes and edges.
func (w *meshSolver) advanceNode(a *placed, h float64) float64 {
	t := nodeTest{a: a, goal: w.f.goal, rot: a.spun + w.vMargin, h: h}
	acc := a.acc + 2*w.kMargin
	t.k = 0.5 * (acc + a.acc2) * stretch
	var middle r3.Vec
	for i := range 3 {
		t.g[i], t.gd[i] = r3.Sub(w.leaf.B.P[i], a.c), r3.Sub(w.leaf.vb[i], a.v)
		middle = r3.Add(middle, t.g[i])
	}
	ball := t
	ball.rot, ball.k = w.vMargin, 0.5*acc*stretch
	if n, ok := geom.Unit(middle, middle); ok {
		if ball.along(n, a.r); ball.best >= h {
			return h
		}
	}
	t.best = ball.best
	t.try(a.x, 1, middle)
	t.try(a.y, 1, middle)
	t.try(a.z, 1, middle)
	if n2 := w.leaf.B.N2; n2 > 0x1p-900 {
		t.try(w.leaf.B.Normal, 1/math.Sqrt(n2), middle)
	}
	if t.best >= h || t.best*w.speed >= 0.1*a.r {
		return t.best
	}
	for j := range 3 {
		e, e2 := w.leaf.B.E[j], w.leaf.B.E2[j]
		for _, x := range [3]r3.Vec{a.x, a.y, a.z} {
			n := geom.Cross(x, e)
			if l2 := geom.Dot(n, n); l2 > parallel*e2 && l2 > 0x1p-900 {
				t.try(n, 1/math.Sqrt(l2), middle)
			}
		}
	}
	return t.best
}

// nodeTest looks for the direction along which a node and three corners stay apart longest.
type nodeTest struct {
	a            *placed
	g, gd        [3]r3.Vec // places and velocities of the corners, relative to the node's center
	goal, rot, k float64
	h, best      float64
}

// try takes a direction n of length 1/scale, either way: the one that points to toward.
func (t *nodeTest) try(n r3.Vec, scale float64, toward r3.Vec) {
	n = geom.Scale(math.Copysign(scale, geom.Dot(n, toward)), n)
	a := t.a
	t.along(n, float64(a.h.X*math.Abs(geom.Dot(n, a.x)))+float64(a.h.Y*math.Abs(geom.Dot(n, a.y)))+
		float64(a.h.Z*math.Abs(geom.Dot(n, a.z))))
}

// along takes a unit n and the node's reach along it.
func (t *nodeTest) along(n r3.Vec, reach float64) {
	reach += t.goal
	s := t.h
	for i := range 3 {
		d, v := geom.Dot(n, t.g[i])-reach, geom.Dot(n, t.gd[i])-t.rot
		if !(d > 0 && d+float64(t.best*(v-float64(t.k*t.best))) > 0) {
			return
		}
		s = min(s, root(d, v, t.k, t.h))
	}
	t.best = max(t.best, s)
}

// step returns how long the triangles of the leaf stay apart. Where the element's own features turn
// fast, as those of slivers do, the time in which a direction may turn with them is short, and one
// that stands still is tried too.
func (w *meshSolver) step(h float64) float64 {
	best := 0.0
	if n, ok := w.direction(); ok {
		best = w.leaf.advance(&w.query, &w.f, &n, h)
		if best < h && geom.Norm(n.n1)*h > 0.5 {
			n.n1 = r3.Vec{}
			best = max(best, w.leaf.advance(&w.query, &w.f, &n, h))
		}
	}
	if best > 0 {
		return best
	}
	return w.leaf.search(&w.query, &w.f, h)
}

// direction returns the one that the nearest features give, with the rate at which it turns with
// them: leaf.direction, but that the features of the element turn as its corners move.
func (w *meshSolver) direction() (n turning, ok bool) {
	l := &w.leaf
	fa, fb := l.Near.FA, l.Near.FB
	if fa < 3 || fa < Face && fb >= 3 {
		switch diff := r3.Sub(l.Near.PB, l.Near.PA); {
		case fb == Face:
			if n.n0, ok = geom.Unit(l.B.Normal, diff); ok {
				change := r3.Add(geom.Cross(w.edgeRate(0), l.B.E[1]), geom.Cross(l.B.E[0], w.edgeRate(1)))
				n.n1 = turnOf(n.n0, l.B.Normal, change)
			}
			return n, ok
		case fa < 3 && fb >= 3:
			e, e2 := l.B.E[fb-3], l.B.E2[fb-3]
			if n.n0, ok = triangle.AcrossEdge(diff, &e); ok && e2 > 0x1p-900 {
				// The edge turns with angular velocity e x e' / e^2.
				n.n1 = geom.Cross(geom.Scale(1/e2, geom.Cross(e, w.edgeRate(int(fb-3)))), n.n0)
			}
			return n, ok
		case fa >= 3 && fb >= 3:
			i, j := int(fa-3), int(fb-3)
			if n, ok = l.acrossEdges(&w.query, i, j, diff); ok {
				d, e := l.A.E[i], l.B.E[j]
				if c := geom.Cross(d, e); math.Abs(geom.Dot(c, n.n0)) > 0.5*geom.Norm(c) {
					change := r3.Add(geom.Cross(geom.Cross(w.a.spin, d), e), geom.Cross(d, w.edgeRate(j)))
					n.n1 = turnOf(n.n0, c, change)
				}
			}
			return n, ok
		}
	}
	return l.direction(&w.query)
}

// edgeRate returns the derivative of edge j of the element.
func (w *meshSolver) edgeRate(j int) r3.Vec { return r3.Sub(w.leaf.vb[(j+1)%3], w.leaf.vb[j]) }

// turnOf returns the derivative of a unit vector n0 that points along c, or against it, when c
// changes.
func turnOf(n0, c, change r3.Vec) r3.Vec {
	n1 := geom.Scale(1/geom.Dot(c, n0), change)
	return r3.Sub(n1, geom.Scale(geom.Dot(n0, n1), n0))
}

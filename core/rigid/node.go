package rigid

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/bvh"
	"ccd/core/geom"
)

// placed is a node at a time, seen from A's pivot.
type placed struct {
	c       r3.Vec // centre
	v       r3.Vec // its velocity
	x, y, z r3.Vec // axes
	h       r3.Vec // half extents
	r       float64
	acc     float64 // bounds the centre's acceleration
	spun    float64 // bounds the velocity of the node's points about the centre
	acc2    float64 // bounds their acceleration about the centre
}

// place puts a node of s into the world; x and v are the pivot's position and velocity.
func (s *side) place(n *bvh.Oriented, r *geom.Mat, x, v r3.Vec, p *placed) {
	arm := r.Apply(r3.Sub(n.C, s.pivot))
	turn := geom.Cross(s.spin, arm)
	p.c, p.v = r3.Add(arm, x), r3.Add(turn, v)
	p.x, p.y, p.z = r.Apply(n.X), r.Apply(n.Y), r.Apply(n.Z)
	p.h, p.r = n.H, n.R
	p.acc = s.rate * geom.Norm(turn)
	p.spun = s.rate * n.R
	p.acc2 = s.rate * p.spun
}

// advance is a time, at most h, before which the points of two nodes keep more than the separation.
//
// A point of a node is at c(s) + r(s) with |r| <= R, |r'| <= spun, |r”| <= acc2, and c” is at most acc. So along a fixed unit n the
// gap obeys g(s) >= d + v s - k s^2, with d the gap of the boxes at s = 0, v the velocity of the centres less both spun, and 2k the sum
// of all accelerations; along the line of centres the balls of radius R keep the gap without spun and acc2. Every bound that is
// found so holds, hence the greatest does.
func (q *query) advance(f *frame, a, b *placed, h float64) float64 {
	g, gd := r3.Sub(b.c, a.c), r3.Sub(b.v, a.v)
	balls := a.r + b.r
	acc := a.acc + b.acc + 2*q.kMargin
	best := 0.0
	if g2 := geom.Dot(g, g); g2 > balls*balls {
		best = q.advanceBalls(f, g, gd, g2, balls, acc, h)
		if best >= h || best*q.speed > 0.5*balls {
			return best
		}
	}
	s := slabs{g: g, gd: gd, goal: f.goal, margin: f.margin, rot: a.spun + b.spun + q.vMargin, k: 0.5 * (acc + a.acc2 + b.acc2) * stretch, h: h, best: best}
	c := s.faces(a, b)
	if s.best < h && s.best*q.speed < 0.1*balls {
		s.edges(a, b, &c)
	}
	return s.best
}

// advanceBalls is advance for the balls around both nodes alone, whose centres' accelerations sum to acc.
func (q *query) advanceBalls(f *frame, g, gd r3.Vec, g2, balls, acc, h float64) float64 {
	balls += f.goal
	gv := geom.Dot(g, gd)
	l := math.Sqrt(g2)
	d := l - balls
	best := root(d, gv/l-q.vMargin, 0.5*acc*stretch, h)
	if best == 0 || best >= h {
		return best
	}
	// A second bound: up to a time h1 the balls stay apart while |g + gd s| exceeds their radii and what accelerations and the error
	// of gd can do by h1. It is the better one where the bodies pass each other.
	h1 := h
	if acc*h*h > d {
		h1 = math.Sqrt(d / acc)
	}
	if h1 <= best {
		return best
	}
	balls += float64((float64(0.5*acc*h1) + q.vMargin) * h1 * stretch)
	speed2 := geom.Dot(gd, gd)
	size := g2 + float64(balls*balls)
	// g2 and balls^2 err by less than 10u of size together, gv by 4u |g||gd|; so the discriminant, whose terms are at most speed2 size,
	// errs by less than 32u of that. As much again, within the root, covers the error of gv outside of it: it makes the root larger
	// by 16u |g||gd|.
	c := g2 - float64(balls*balls) - float64(0x1p-49*size)
	switch {
	case c <= 0:
		return best
	case gv >= 0:
		// Moving apart, or closing by no more than the error of gv; c only says so much where gv is certain.
		if gv <= 0x1p-50*math.Sqrt(g2*speed2) {
			return best
		}
		return max(best, h1)
	}
	disc := float64(gv*gv) - float64(speed2*c) + float64(0x1p-47*speed2*size)
	if disc < 0 {
		return max(best, h1)
	}
	if s := min(h1, c/(math.Sqrt(disc)-gv)*shrink); s > best {
		return s
	}
	return best
}

// slabs looks for the direction along which two boxes stay apart longest.
type slabs struct {
	g, gd        r3.Vec // of the centres: from A to B, and its derivative
	goal, margin float64
	rot, k, h    float64
	best         float64
}

// try takes a direction n of length 1/scale, with the boxes' reach along n.
func (s *slabs) try(n r3.Vec, scale, along, reach float64) {
	d := float64((math.Abs(along)-reach)*scale) - s.goal
	if !(d > 0) {
		return
	}
	v := float64(math.Copysign(scale, along)*geom.Dot(n, s.gd)) - s.rot
	if d+float64(s.best*(v-float64(s.k*s.best))) > 0 {
		s.best = max(s.best, root(d, v, s.k, s.h))
	}
}

// faces tries the axes of both boxes and returns the magnitudes of their inner products, for edges.
func (s *slabs) faces(a, b *placed) (c geom.Mat) {
	abs := func(n r3.Vec, p *placed) r3.Vec {
		return r3.Vec{X: math.Abs(geom.Dot(n, p.x)), Y: math.Abs(geom.Dot(n, p.y)), Z: math.Abs(geom.Dot(n, p.z))}
	}
	c = geom.Mat{X: abs(a.x, b), Y: abs(a.y, b), Z: abs(a.z, b)}
	s.try(a.x, 1, geom.Dot(a.x, s.g), a.h.X+geom.Dot(b.h, c.X))
	s.try(a.y, 1, geom.Dot(a.y, s.g), a.h.Y+geom.Dot(b.h, c.Y))
	s.try(a.z, 1, geom.Dot(a.z, s.g), a.h.Z+geom.Dot(b.h, c.Z))
	reach := c.ApplyTransposed(a.h)
	s.try(b.x, 1, geom.Dot(b.x, s.g), b.h.X+reach.X)
	s.try(b.y, 1, geom.Dot(b.y, s.g), b.h.Y+reach.Y)
	s.try(b.z, 1, geom.Dot(b.z, s.g), b.h.Z+reach.Z)
	return c
}

// parallel is the square of a sine below which two axes make no direction of their own.
const parallel = 1e-4

// edges tries the nine products of the axes. For n = u x w, |n . x| = |w . (x x u)|: with a frame's axes in order these are
// inner products that faces has computed, up to the frames' error. That is within the margin of a gap, here before n is scaled
// to length 1, so edge takes the margin off before.
func (s *slabs) edges(a, b *placed, c *geom.Mat) {
	ha, hb := &a.h, &b.h
	s.edge(a.x, b.x, four(ha.Y, c.Z.X, ha.Z, c.Y.X, hb.Y, c.X.Z, hb.Z, c.X.Y))
	s.edge(a.x, b.y, four(ha.Y, c.Z.Y, ha.Z, c.Y.Y, hb.Z, c.X.X, hb.X, c.X.Z))
	s.edge(a.x, b.z, four(ha.Y, c.Z.Z, ha.Z, c.Y.Z, hb.X, c.X.Y, hb.Y, c.X.X))
	s.edge(a.y, b.x, four(ha.Z, c.X.X, ha.X, c.Z.X, hb.Y, c.Y.Z, hb.Z, c.Y.Y))
	s.edge(a.y, b.y, four(ha.Z, c.X.Y, ha.X, c.Z.Y, hb.Z, c.Y.X, hb.X, c.Y.Z))
	s.edge(a.y, b.z, four(ha.Z, c.X.Z, ha.X, c.Z.Z, hb.X, c.Y.Y, hb.Y, c.Y.X))
	s.edge(a.z, b.x, four(ha.X, c.Y.X, ha.Y, c.X.X, hb.Y, c.Z.Z, hb.Z, c.Z.Y))
	s.edge(a.z, b.y, four(ha.X, c.Y.Y, ha.Y, c.X.Y, hb.Z, c.Z.X, hb.X, c.Z.Z))
	s.edge(a.z, b.z, four(ha.X, c.Y.Z, ha.Y, c.X.Z, hb.X, c.Z.Y, hb.Y, c.Z.X))
}

func four(a, b, c, d, e, f, g, h float64) float64 {
	return (float64(a*b) + float64(c*d)) + (float64(e*f) + float64(g*h))
}

func (s *slabs) edge(u, w r3.Vec, reach float64) {
	n := geom.Cross(u, w)
	along := geom.Dot(n, s.g)
	reach += s.margin
	if math.Abs(along) <= reach {
		return
	}
	if l2 := geom.Dot(n, n); l2 > parallel {
		s.try(n, 1/math.Sqrt(l2), along, reach)
	}
}

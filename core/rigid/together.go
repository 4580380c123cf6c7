package rigid

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
)

// A frame is one body, the carrier, with the other seen in axes that turn with it. The carrier's
// triangle rests there. Of the other body only the part of its motion that both do not share moves
// it, so a turn that both share takes nothing from a gap, however long it lasts.
type frame struct {
	spin, diff r3.Vec  // the carrier's spin W, and D: the other's less it
	x, v       r3.Vec  // the way from the carrier's pivot to the other's, and its rate
	rate       float64 // |W|, rounded up
	radius     float64 // the radius rho of the other's ball about its pivot
	spun       float64 // what the error of |W' x r| is below, with W' the other's spin

	// Bounds, rounded up.
	apart, across float64 // |D|, and |W x v|
	drift         float64 // |v - W x x|
	error         float64 // the error of a computed rate along a unit
}

// longest bounds the length of a vector as it is computed. The constant pays for squares below
// 2^-1022.
func longest(v r3.Vec) float64 { return float64(geom.Norm(v)*stretch) + 0x1p-500 }

// turnTogether reports whether the bodies turn nearly alike: only then a frame can be better than
// a direction that turns at a constant rate.
func turnTogether(q *query) bool {
	d := r3.Sub(q.b.spin, q.a.spin)
	return q.a.rate > 0 && geom.Dot(d, d) <= 0.0625*geom.Dot(q.a.spin, q.a.spin)
}

// carriedBy makes the frame of A, or of B. docs/proofs/together.md derives the constants.
func carriedBy(q *query, f *posePair, onB bool) (c frame) {
	carrier, other, sign := &q.a, &q.b, 1.0
	if onB {
		carrier, other, sign = other, carrier, -1
	}
	c = frame{spin: carrier.spin, diff: r3.Sub(other.spin, carrier.spin), x: geom.Scale(sign, f.x),
		v: geom.Scale(sign, q.v), rate: carrier.rate, radius: other.radius,
		spun: float64(posMargin*float64(other.rate*other.radius)) + 0x1p-500}
	far, speed := longest(c.x), longest(c.v)
	c.apart = longest(c.diff)
	c.across = longest(geom.Cross(c.spin, c.v)) + float64(8*0x1p-53*float64(c.rate*speed))
	ways := float64(c.rate*far) + speed
	c.drift = longest(r3.Sub(c.v, geom.Cross(c.spin, c.x))) + float64(16*0x1p-53*ways) + float64(c.rate*q.reach)
	c.error = float64(128*0x1p-53*(float64(c.apart*(c.radius+far))+ways)) + float64(c.rate*q.reach) + tiny
	return c
}

// bend bounds half the second derivative of n.p during h, for a unit n that is fixed in the frame,
// or turned around, and a corner p of the other's triangle, of which |W' x r| is at most w.
func (c *frame) bend(n r3.Vec, w, h float64) float64 {
	turn := longest(geom.Cross(n, c.diff)) + float64(0x1p-50*c.apart) + float64(h*float64(c.rate*c.apart))
	tilt := longest(geom.Cross(n, c.spin)) + float64(8*0x1p-53*c.rate)
	most := c.drift + float64(h*c.across) + float64(c.apart*c.radius)
	own := float64(w*stretch) + c.spun
	return 0.5 * stretch * (float64(turn*own) + c.across + float64(tilt*most))
}

// slide returns the rate u = v - W x x + D x r at which the frame sees a corner go that is at r
// from the other's pivot.
func (c *frame) slide(r r3.Vec) r3.Vec {
	return r3.Add(r3.Sub(c.v, geom.Cross(c.spin, c.x)), geom.Cross(c.diff, r))
}

// A carried is the gap of one corner: at least the goal and d + v s - k s^2.
type carried struct{ d, v, k float64 }

// carriedGaps returns what the gaps of the other body's corners are at least, along a unit n0 from
// A to B that is fixed in the frame of A, or of B.
//
// Seen from the carrier's pivot let b be the corner and r its way from its own pivot, W' the
// other's spin, and u = v + W' x r - W x b. The frame sees the corner at y = exp(-s W) b. It goes
// at exp(-s W) u, and its acceleration is z = exp(-s W)(D x (W' x r) - W x v - W x u). With n =
// exp(s W) n0
//
//	|n0.z| <= (|n0 x D| + s |W||D|) |W' x r| + |W x v| + |n0 x W||u|,
//	|u| <= |v - W x x| + s |W x v| + |D||r|,
//
// because |n - n0| <= s |W| and n x W = exp(s W)(n0 x W). The carrier's own triangle rests.
func carriedGaps(l *leaf, q *query, f *posePair, n0 r3.Vec, onB bool, h float64) (gaps [3]carried) {
	c := carriedBy(q, f, onB)
	rest, move, w, n := &l.A, &l.B, &l.wb, n0
	if onB {
		rest, move, w, n = &l.B, &l.A, &l.wa, geom.Scale(-1, n0)
	}
	top := math.Inf(-1)
	for i := range 3 {
		top = max(top, geom.Dot(n, rest.P[i]))
	}
	for j := range 3 {
		r := move.P[j]
		if !onB {
			r = r3.Sub(r, f.x)
		}
		gaps[j] = carried{(geom.Dot(n, move.P[j]) - top) - f.goal, geom.Dot(n, c.slide(r)) - c.error,
			c.bend(n, w[j], h)}
	}
	return gaps
}

// together returns a time, at most h, before which the triangles keep more than the separation
// along n0, in the frame of the body whose face n0 is normal to, else in A's.
func together(l *leaf, q *query, f *posePair, n0 r3.Vec, h float64) float64 {
	onB := l.Near.FB == Face && l.Near.FA != Face
	best := h
	for _, g := range carriedGaps(l, q, f, n0, onB, h) {
		best = min(best, root(g.d, g.v, g.k, h))
	}
	return best
}

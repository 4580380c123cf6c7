package rigid

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
	"ccd/core/num"
	"ccd/simd/solid"
)

const (
	maxTurn     = 32.0 // radians; a body that turns by more is bounded by what it sweeps about its axis
	sweptLeast  = 32   // nodes that are swept, where a body has as many
	sweptRounds = 16   // directions that are used, one after the other
	sweptSteps  = 24   // steps of the search for each direction
)

// A ring is the circle of radius rho about the point c of the axis, on which a corner of a node's
// box stays as its body turns. Of a body that does not turn, c is the corner and rho 0.
type ring struct {
	c   r3.Vec
	rho float64
}

// A revolution is what a body sweeps as it turns all around its axis, seen from the pivot: no point
// of a box reaches farther along a direction, at any angle, than the rings of its corners. For p on
// the axis' side at height z and distance d reaches (n.a) z + |n - (n.a) a| d, which is convex
// in p.
type revolution struct {
	axis  r3.Vec // 0 when the body does not turn
	rings []ring
	slop  float64 // bounds what errors and directions that are no units add
	nodes []int32
}

// set sweeps the body of s.
//
// A corner seen from the pivot is within 3.5 radii of it. Its arm errs by 24u radii, turned to t =
// 0 by 85u times 3.5 more, its height and distance from the axis, and what support makes of them,
// by 10u times 3.5; a direction is a unit up to 2^-45 = 256u: together below 1,300u radii, less
// than 2^-42.
func (v *revolution) set(s *bodyState) {
	v.nodes, v.rings, v.axis, v.slop = s.body.cover(v.nodes, sweptLeast), v.rings[:0], r3.Vec{},
		float64(0x1p-42*s.radius)
	if s.hi > 0 {
		v.axis = geom.Scale(1/s.hi, s.spin)
	}
	var rot geom.Mat
	s.turned(0, 1, &rot)
	for _, i := range v.nodes {
		t, k := s.body.boxOf(i)
		k &= 1
		at := func(row int) r3.Vec { return r3.Vec{X: t[row][k], Y: t[row+1][k], Z: t[row+2][k]} }
		arm, h := r3.Sub(at(solid.BoxC), s.pivot), at(solid.BoxH)
		x, y, z := geom.Scale(h.X, at(solid.BoxX)), geom.Scale(h.Y, at(solid.BoxY)), geom.Scale(h.Z, at(solid.BoxZ))
		for corner := range 8 {
			sign := func(bit int) float64 { return float64(corner>>bit&1*2 - 1) }
			p := rot.Apply(
				r3.Add(r3.Add(arm, geom.Scale(sign(0), x)), r3.Add(geom.Scale(sign(1), y), geom.Scale(sign(2), z))))
			one := ring{c: p}
			if s.hi > 0 {
				one.c = geom.Scale(geom.Dot(p, v.axis), v.axis)
				one.rho = geom.Norm(r3.Sub(p, one.c))
			}
			v.rings = append(v.rings, one)
		}
	}
}

// support returns how far the rings reach along a unit n, and where.
func (v *revolution) support(n r3.Vec) (reach float64, at r3.Vec) {
	out := r3.Sub(n, geom.Scale(geom.Dot(n, v.axis), v.axis))
	tilt := geom.Norm(out)
	best := 0
	reach = math.Inf(-1)
	for i := range v.rings {
		p := &v.rings[i]
		if x := geom.Dot(n, p.c) + float64(p.rho*tilt); x > reach {
			reach, best = x, i
		}
	}
	at = v.rings[best].c
	if tilt > 0 {
		at = r3.Add(at, geom.Scale(v.rings[best].rho/tilt, out))
	}
	return reach + v.slop, at
}

// sweeps are both bodies', and the search for a direction between them.
type sweeps struct{ a, b revolution }

// meet returns the first time in [from, to] at which what the bodies sweep may be as near as
// contact is; some reports whether there is one.
//
// However they turn, bodies stay in what they sweep, and their pivots move on lines: along a fixed
// n from A to B the gap of both is linear in time, and none of it is lost to turning. Whatever n
// is, the gap along it is a bound; Gilbert's algorithm looks for a good one.
func (w *sweeps) meet(q *query, from, to, tolerance float64) (first float64, some bool) {
	w.a.set(&q.a)
	w.b.set(&q.b)
	for range sweptRounds {
		x := q.between(from)
		margin := q.reach + float64(xMargin*geom.Norm(x))
		goal := float64((q.separation + tolerance + margin) * stretch)
		n, gap := w.direction(x)
		if !(gap > goal) {
			return from, true
		}
		// Pivots that keep their distance have q.v = 0, and lose nothing to rounding either.
		opening := geom.Dot(n, q.v) - float64(xMargin*q.speed)
		h := num.SubUp(num.Up(to), from)
		step := root(gap-goal, opening, 0, h)
		next := num.AddDown(from, step)
		if step >= h || next > to {
			return to, false
		}
		if !(next > from) {
			break
		}
		from = next
	}
	return from, true
}

// direction returns a unit from A to B, which is seen at x from A, along which what they sweep is
// far apart, and the gap along it.
func (w *sweeps) direction(x r3.Vec) (best r3.Vec, gap float64) {
	gap = math.Inf(-1)
	for i, near := 0, x; i < sweptSteps; i++ {
		n, ok := geom.Unit(near, near)
		if !ok {
			break
		}
		ra, pa := w.a.support(n)
		rb, pb := w.b.support(geom.Scale(-1, n))
		if g := geom.Dot(n, x) - (ra + rb); g > gap {
			gap, best = g, n
		}
		// The nearest point to the origin between the one known and the one found last.
		step := r3.Sub(r3.Sub(r3.Add(x, pb), pa), near)
		s2 := geom.Dot(step, step)
		if !(s2 > 0) {
			break
		}
		near = r3.Add(near, geom.Scale(geom.Clamp(-geom.Dot(near, step)/s2), step))
	}
	return best, gap
}

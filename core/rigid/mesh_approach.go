package rigid

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
	"ccd/core/num"
	"ccd/simd/solid"
)

// approach decides whether a body comes near to boxes that move: the ball about its pivot, which
// moves on a line, and boxes around the pivot that hold the body in slices of [TMin, TMax].
type approach struct {
	at     [2]place // the pivot, at TMin and at TMax
	radius float64  // the radius of the ball
	reach  float64  // how far beyond the ball or a box counts as near
	t0, t1 float64
	span   float64 // TMax - TMin, rounded down
	slices []slice // 1, 2, 4 ... of equal length; none before cut
	cover  []int32 // nodes of the body's tree that hold it
}

// slice is a box that holds the body, seen from its pivot, in a part of the interval.
type slice struct{ lo, hi [3]float64 }

const (
	slicesMost = 32
	sliceAngle = 1.0 / 16 // the angle of a slice, where so many suffice
	coverLeast = 32       // how many nodes hold the body, where it has as many
)

// place is a pivot's position as a pair of doubles, hi + lo.
type place struct{ hi, lo r3.Vec }

// placeAt returns where the pivot of m is at the time t. Product and sum are exact pairs, but that
// a product that underflows is off by eta/2, which tiny covers; adding their low parts rounds by
// 2^-105 of the terms.
func placeAt(m *Motion, t float64) (p place) {
	one := func(x, v float64) (hi, lo float64) {
		h, l := num.TwoProd(v, t)
		hi, e := num.TwoSum(x, h)
		return hi, e + l
	}
	p.hi.X, p.lo.X = one(m.Position.X, m.Velocity.X)
	p.hi.Y, p.lo.Y = one(m.Position.Y, m.Velocity.Y)
	p.hi.Z, p.lo.Z = one(m.Position.Z, m.Velocity.Z)
	return p
}

// from returns x seen from the place, within 2.1u of itself and 2^-104 of the terms that placeAt
// adds.
func (p *place) from(x r3.Vec) r3.Vec { return r3.Sub(r3.Sub(x, p.hi), p.lo) }

// pair returns the same as from as a pair of doubles, within 2^-104 of x and the place's terms. Its
// high part is rounded to nearest.
func (p *place) pair(x r3.Vec) (out place) {
	one := func(x, h, l float64) (hi, lo float64) {
		hi, e := num.TwoDiff(x, h)
		return num.TwoSum(hi, e-l)
	}
	out.hi.X, out.lo.X = one(x.X, p.hi.X, p.lo.X)
	out.hi.Y, out.lo.Y = one(x.Y, p.hi.Y, p.lo.Y)
	out.hi.Z, out.lo.Z = one(x.Z, p.hi.Z, p.lo.Z)
	return out
}

func (a *approach) set(b *Body, m *Motion, o *Options) {
	a.slices = a.slices[:0]
	a.at = [2]place{placeAt(m, o.TMin), placeAt(m, o.TMax)}
	a.radius = b.radiusAbout(m.Pivot)
	// What from loses of the places' own terms, and underflow.
	a.reach = num.AddUp(num.AddUp(o.MinSeparation, o.Tolerance), float64(2*pairMargin*path(m, o))+tiny)
	a.t0, a.t1, a.span = o.TMin, o.TMax, num.SubDown(o.TMax, o.TMin)
}

// path bounds the terms of a pivot's places.
func path(m *Motion, o *Options) float64 {
	return geom.Norm(m.Position) + float64(geom.Norm(m.Velocity)*(max(math.Abs(o.TMin), math.Abs(o.TMax))*(1+0x1p-40)))
}

// cut makes the slices.
//
// M is the rotation at the middle of a slice, h half its length. On an axis e a point at an arm r
// from the pivot is where M takes it, up to h |e x W| |r|: its velocity there is e.(W x r') = (e x
// W).r', and |r'| = |r|. With M it is in the nodes' boxes C + sum y_j a_j, |y_j| <= H_j: in e.(M C)
// +- sum H_j |e.(M a_j)|. Computed in floats, M, these and h |e x W| |r| err by less than 300u
// times the ball's radius (see the margins in docs/numerics.md), half of 2^-44 times it. The ends
// of a slice are rounded by 4u of the times, and times by the angle they stand for as well: h is so
// much longer.
func (a *approach) cut(b *Body, m *Motion) {
	a.cover = b.cover(a.cover, coverLeast)
	var side bodyState
	side.set(b, m)
	n := 1.0
	for n < slicesMost && n*sliceAngle < side.rate*a.span {
		n *= 2
	}
	h := float64(0.5*num.SubUp(a.t1, a.t0)/n*(1+0x1p-50)) + float64(0x1p-49*max(math.Abs(a.t0), math.Abs(a.t1)))
	w := m.AngularVelocity
	var loss, least, most [3]float64
	for k, across := range [3]float64{math.Hypot(w.Y, w.Z), math.Hypot(w.Z, w.X), math.Hypot(w.X, w.Y)} {
		loss[k] = float64((min(h*across, 2)+0x1p-44)*a.radius) + tiny
	}
	for s := range int(n) {
		sin, cos := side.angle(a.t0 + float64(a.span*((float64(s)+0.5)/n)))
		var rot geom.Mat
		side.turned(sin, cos, &rot)
		least, most = b.extent(&rot, m.Pivot, a.cover)
		for k := range 3 {
			least[k], most[k] = max(num.SubDown(least[k], loss[k]), -a.radius),
				min(num.AddUp(most[k], loss[k]), a.radius)
		}
		a.slices = append(a.slices, slice{least, most})
	}
}

// cover lists nodes that hold the body, all of one depth except for leaves: at least so many, if
// there are.
func (b *Body) cover(list []int32, least int) []int32 {
	list = append(list[:0], 0)
	for before := 0; before < len(list) && len(list) < least; {
		before = len(list)
		for i := range before {
			if child := b.child[list[i]]; child >= 0 {
				list[i] = child
				list = append(list, child+1)
			}
		}
	}
	return list
}

// extent returns the box of nodes that are turned about the pivot, which is its origin.
func (b *Body) extent(rot *geom.Mat, pivot r3.Vec, nodes []int32) (lo, hi [3]float64) {
	for n, i := range nodes {
		t, k := b.boxOf(i)
		k &= 1
		at := func(row int) r3.Vec { return r3.Vec{X: t[row][k], Y: t[row+1][k], Z: t[row+2][k]} }
		c := geom.Components(rot.Apply(r3.Sub(at(solid.BoxC), pivot)))
		x, y, z := geom.Components(rot.Apply(at(solid.BoxX))), geom.Components(rot.Apply(at(solid.BoxY))),
			geom.Components(rot.Apply(at(solid.BoxZ)))
		h := at(solid.BoxH)
		for j := range 3 {
			reach := float64(h.X*math.Abs(x[j])) + float64(h.Y*math.Abs(y[j])) + float64(h.Z*math.Abs(z[j]))
			if from := c[j] - reach; n == 0 || from < lo[j] {
				lo[j] = from
			}
			if to := c[j] + reach; n == 0 || to > hi[j] {
				hi[j] = to
			}
		}
	}
	return lo, hi
}

// boxesFrom are boxes seen from the pivot: near and far sides at TMin and TMax, and the error of
// their places.
type boxesFrom struct {
	lo, hi [2][3]float64
	reach  float64
}

// meets reports whether the body may come near to boxes, and a time before which it does not.
//
// On an axis, seen from the pivot, the near side of the boxes is at (1-f) p0 + f p1 for a fraction
// f of the interval; what holds the body is apart from it while that exceeds its own side and the
// reach. The computed p are off by 2.1u of themselves, and combining them rounds by 3u, so widened
// by 16u of the largest they are bounds.
//
// Nodes take eight times the slack of elements: whatever a node excludes, its elements exclude too,
// and no element begins before its node, so that the pairs do not depend on the tree. For a node's
// sides lie beyond its elements'; each sum and product here is monotone in them, also as rounded,
// but for the quotients, which the slack makes up for.
func (a *approach) meets(e *ends, node bool) (start float64, meet bool) {
	var b boxesFrom
	most := 0.0
	for k := range 2 {
		x, y := a.at[k].from(e[k].Lo), a.at[k].from(e[k].Hi)
		b.lo[k], b.hi[k] = geom.Components(x), geom.Components(y)
		most = max(most, geom.MaxAbs(x), geom.MaxAbs(y))
	}
	b.reach = num.AddUp(a.reach, float64(16*0x1p-53*most))
	slack := 0x1p-50
	if node {
		slack = 0x1p-47
	}
	first, last := a.ball(&b, slack)
	if num.AddDown(first, last) > 1 {
		return 0, false
	}
	if n := float64(len(a.slices)); n > 0 {
		end := num.SubUp(1, last)
		for s := min(math.Floor(first*n), n-1); ; s++ {
			if s >= n || s/n > end {
				return 0, false
			}
			if part := a.slices[int(s)].apart(&b, s/n, (s+1)/n, slack); part < 1 {
				first = max(first, num.AddDown(s/n, part/n))
				break
			}
		}
	}
	return min(num.AddDown(a.t0, num.MulDown(first, a.span)), a.t1), true
}

// ball returns the fraction of the interval for which the ball is apart from boxes from the start,
// and that until the end.
//
// With excess a > 0 at TMin and b <= 0 at TMax it stays positive for f < a/(a - b), whose computed
// value errs by 2u; likewise from the other end. If what is apart from the start and what is apart
// until the end cover [0, 1], at every time some axis separates.
func (a *approach) ball(b *boxesFrom, slack float64) (first, last float64) {
	reach := num.AddUp(a.radius, b.reach)
	for k := range 3 {
		for _, x := range [2][2]float64{{b.lo[0][k] - reach, b.lo[1][k] - reach},
			{-b.hi[0][k] - reach, -b.hi[1][k] - reach}} {
			switch {
			case x[0] > 0 && x[1] > 0:
				return 2, 0
			case x[0] > 0:
				first = max(first, float64(x[0]/(x[0]-x[1])*(1-slack)))
			case x[1] > 0:
				last = max(last, float64(x[1]/(x[1]-x[0])*(1-slack)))
			}
		}
	}
	return first, last
}

// apart returns the fraction of a slice, from f to g, for which it is apart from boxes: below 1
// where they meet.
func (s *slice) apart(b *boxesFrom, f, g, slack float64) (part float64) {
	for k := range 3 {
		far, near := num.AddUp(s.hi[k], b.reach), num.SubDown(s.lo[k], b.reach)
		lo, hi := [2]float64{b.lo[0][k], b.lo[1][k]}, [2]float64{b.hi[0][k], b.hi[1][k]}
		for _, x := range [2][2]float64{{mix(&lo, f) - far, mix(&lo, g) - far},
			{near - mix(&hi, f), near - mix(&hi, g)}} {
			switch {
			case x[0] > 0 && x[1] > 0:
				return 1
			case x[0] > 0:
				part = max(part, float64(x[0]/(x[0]-x[1])*(1-slack)))
			}
		}
	}
	return part
}

// mix returns where a side is at a fraction f of the interval, a multiple of 1/slicesMost.
func mix(x *[2]float64, f float64) float64 { return float64(x[0]*(1-f)) + float64(x[1]*f) }

package contain

import (
	"math"

	"ccd/core/geom"
)

// Placement gives a solid's points in the coordinates of another: v is at M v + T. Each coordinate
// of the true point is within Err of the computed one, for each v whose coordinates are at most Far
// of the solid in magnitude; and so is Far times the error of a row of M, added up. Exact returns
// the true point; it is nil where Err is 0, and where the point is not known.
type Placement struct {
	M     [3]geom.Vec // rows
	T     geom.Vec
	Err   float64
	Exact func(v *geom.Vec) *Rational
}

// Identity returns the placement of solids that have the same coordinates.
func Identity() Placement { return Placement{M: [3]geom.Vec{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}} }

// Far returns the greatest magnitude of a coordinate of the solid.
func (s *Solid) Far() float64 { return s.far }

// at returns M v + T as computed.
func (p *Placement) at(v *geom.Vec) (q geom.Vec) {
	for k := range q {
		q[k] = geom.Dot3(&p.M[k], v) + p.T[k]
	}
	return q
}

// Point returns where the solid's point v is.
func (p *Placement) Point(v *geom.Vec) Point {
	q := Point{At: p.at(v), Err: p.Err}
	if p.Exact != nil {
		q.Exact = func() *Rational { return p.Exact(v) }
	}
	return q
}

// box returns a box that holds what is in a box of the solid.
//
// Let c be near the middle of the box, and h at least its half. A point of the box is at a distance
// of at most |M'| h from M' c + T', with the true M' and T'. M' c + T' is within Err of what is
// computed, and |M'| h is at most |M| h + Err, as h is at most Far and rounding: 6 Err is more than
// twice that. The sums and products for half round by 8u of it, c and h by u, and the ends by u of
// what they add up.
func (p *Placement) box(n *node) (lo, hi geom.Vec) {
	var c, h geom.Vec
	for k := range c {
		c[k] = float64(n.lo[k]/2) + float64(n.hi[k]/2)
		h[k] = max(n.hi[k]-c[k], c[k]-n.lo[k])
	}
	at := p.at(&c)
	for k := range c {
		row := &p.M[k]
		half := float64(math.Abs(row[0])*h[0]) + float64(math.Abs(row[1])*h[1]) + float64(math.Abs(row[2])*h[2])
		half += float64(6*p.Err) + float64(0x1p-48*(half+math.Abs(at[k]))) + 0x1p-1040
		lo[k], hi[k] = at[k]-half, at[k]+half
	}
	return lo, hi
}

package boxed

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
)

var coordinates = [3]r3.Vec{{X: 1}, {Y: 1}, {Z: 1}}

// choose writes the axes on which two subpatches are compared: the coordinate axes; or, oriented,
// those of a box along each at time along, and the products of an axis of one and one of the other
// ([Chen2024], section 4.2).
//
// Any axes give proofs; these must also tell apart hulls that have shrunk to points, or a search
// would not end. Three axes at right angles do, without a separation. With one in the max norm the
// coordinate axes do, and in the Euclidean norm the line between the points at the time now: they
// are added.
func (d *period) choose(c *pair, oriented bool, along, now float64) {
	d.axes = d.axes[:0]
	if !oriented {
		d.axes = append(d.axes, coordinates[:]...)
	} else {
		a, b := c.sides[0].box(along), c.sides[1].box(along)
		d.axes = append(append(d.axes, a[:]...), b[:]...)
		for _, x := range a {
			for _, y := range b {
				if n := geom.Cross(x, y); geom.Dot(n, n) > 0x1p-40 { // else they are parallel: nothing new
					n, _ = unit(n)
					d.axes = append(d.axes, n)
				}
			}
		}
		if c.query.Separation > 0 && !c.euclidean() {
			d.axes = append(d.axes, coordinates[:]...)
		}
	}
	if c.query.Separation > 0 && c.euclidean() {
		if n, ok := unit(r3.Sub(c.sides[1].center(now), c.sides[0].center(now))); ok {
			d.axes = append(d.axes, n)
		}
	}
}

// box is an oriented box's axes: along the mean of the edges in u, across the surface spanned by
// those in u and v, and across both ([Chen2024], equations 19 to 21, which take the mean of the
// edges in v itself as second axis: no box where they are oblique). Where edges vanish or run side
// by side, what is missing is completed at right angles.
func (s *side) box(t float64) [3]r3.Vec {
	u, v := s.edges(t)
	first, ok := unit(u)
	if !ok {
		if first, ok = unit(v); !ok {
			return coordinates
		}
	}
	w := geom.Cross(u, v)
	third, ok := unit(w)
	if !ok || geom.Dot(w, w) < 0x1p-60*geom.Dot(u, u)*geom.Dot(v, v) {
		third, _ = unit(geom.Cross(first, coordinates[leastAlong(first)]))
	}
	second, _ := unit(geom.Cross(third, first))
	return [3]r3.Vec{first, second, third}
}

// leastAlong is the coordinate in which a direction is least.
func leastAlong(n r3.Vec) int {
	x, y, z := math.Abs(n.X), math.Abs(n.Y), math.Abs(n.Z)
	switch {
	case x <= y && x <= z:
		return 0
	case y <= z:
		return 1
	}
	return 2
}

// edges are the mean directions of the patch along u and v, from its corners.
func (s *side) edges(t float64) (u, v r3.Vec) {
	var c [4]r3.Vec
	for k, i := range s.corners {
		c[k] = s.at(int(i), t)
	}
	u, v = r3.Sub(c[1], c[0]), r3.Sub(c[2], c[0])
	if len(s.corners) == 4 {
		u, v = r3.Add(u, r3.Sub(c[3], c[2])), r3.Add(v, r3.Sub(c[3], c[1]))
	}
	return u, v
}

// center is the mean of the corners.
func (s *side) center(t float64) (m r3.Vec) {
	for _, i := range s.corners {
		m = r3.Add(m, s.at(int(i), t))
	}
	return geom.Scale(1/float64(len(s.corners)), m)
}

// unit is a scaled to length one; ok is false for a vector without direction.
func unit(a r3.Vec) (n r3.Vec, ok bool) {
	l := geom.Norm(a)
	if !(l > 0x1p-400) {
		return a, false
	}
	return r3.Vec{X: a.X / l, Y: a.Y / l, Z: a.Z / l}, true
}

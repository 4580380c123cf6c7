package patch

import "math"

var coordinates = [3]vec{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}

// choose writes the axes on which two subpatches are compared: the coordinate axes; or, oriented, those of a box along
// each at time along, and the products of an axis of one and one of the other (paper 2024, section 4.2).
//
// Any axes give proofs; these must also tell apart hulls that have shrunk to points, or a search would not end. Three axes at
// right angles do, without a separation. With one in the max norm the coordinate axes do, and in the Euclidean norm the line
// between the points at the time now: they are added.
func (d *period) choose(c *checker, oriented bool, along, now float64) {
	d.axes = d.axes[:0]
	if !oriented {
		d.axes = append(d.axes, coordinates[:]...)
	} else {
		a, b := c.a.box(along), c.b.box(along)
		d.axes = append(append(d.axes, a[:]...), b[:]...)
		for _, x := range a {
			for _, y := range b {
				if n := x.cross(y); n.dot(n) > 0x1p-40 { // else they are parallel: nothing new
					n, _ = n.unit()
					d.axes = append(d.axes, n)
				}
			}
		}
		if c.separation > 0 && !c.euclidean {
			d.axes = append(d.axes, coordinates[:]...)
		}
	}
	if c.separation > 0 && c.euclidean {
		if n, ok := c.b.centre(now).sub(c.a.centre(now)).unit(); ok {
			d.axes = append(d.axes, n)
		}
	}
}

// box is an oriented box's axes: along the mean of the edges in u, across the surface spanned by those in u and v, and across both
// (paper 2024, equations 19 to 21, which take the mean of the edges in v itself as second axis: no box where they are oblique).
// Where edges vanish or run side by side, what is missing is completed at right angles.
func (s *side) box(t float64) [3]vec {
	u, v := s.edges(t)
	first, ok := u.unit()
	if !ok {
		if first, ok = v.unit(); !ok {
			return coordinates
		}
	}
	w := u.cross(v)
	third, ok := w.unit()
	if !ok || w.dot(w) < 0x1p-60*u.dot(u)*v.dot(v) {
		third, _ = first.cross(coordinates[leastAlong(first)]).unit()
	}
	second, _ := third.cross(first).unit()
	return [3]vec{first, second, third}
}

// leastAlong is the coordinate in which a direction is least.
func leastAlong(n vec) int {
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
func (s *side) edges(t float64) (u, v vec) {
	var c [4]vec
	for k, i := range s.corners {
		c[k] = s.point(int(i), t)
	}
	u, v = c[1].sub(c[0]), c[2].sub(c[0])
	if len(s.corners) == 4 {
		u, v = u.add(c[3].sub(c[2])), v.add(c[3].sub(c[1]))
	}
	return u, v
}

// centre is the mean of the corners.
func (s *side) centre(t float64) (m vec) {
	for _, i := range s.corners {
		m = m.add(s.point(int(i), t))
	}
	return m.times(1 / float64(len(s.corners)))
}

// spread is, for each coordinate, the most by which a point of one hull and one of the other differ at time t.
func (c *checker) spread(t float64) (m vec) {
	lo := [2]vec{{math.Inf(1), math.Inf(1), math.Inf(1)}, {math.Inf(1), math.Inf(1), math.Inf(1)}}
	hi := [2]vec{lo[0].times(-1), lo[0].times(-1)}
	for k, s := range [2]*side{&c.a, &c.b} {
		for i := range s.n {
			p := s.point(i, t)
			lo[k] = vec{min(lo[k].X, p.X), min(lo[k].Y, p.Y), min(lo[k].Z, p.Z)}
			hi[k] = vec{max(hi[k].X, p.X), max(hi[k].Y, p.Y), max(hi[k].Z, p.Z)}
		}
	}
	p, q := hi[0].sub(lo[1]), hi[1].sub(lo[0])
	return vec{max(p.X, q.X), max(p.Y, q.Y), max(p.Z, q.Z)}
}

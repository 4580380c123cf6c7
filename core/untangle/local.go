package untangle

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
	"ccd/core/proximity"
)

// Lengths of moves. None of them is part of a proof.
const (
	room   = 1e-4 // how far beyond the plane an end is moved, times the length of the edge
	most   = 2    // the longest move, times the depth
	steep  = 0.05 // the least |cos| of edge and normal that is divided by
	excess = 1.1  // moves are longer than the depth by this factor
)

// local moves the vertices of an edge and a face that cross. It returns false if none can move.
//
// The curve in which two surfaces cross ends, on the two sides of the edge, in the faces at the
// edge. If the edge moves by d relative to the face, its point in the face's plane moves by d - E
// (N.d) / (N.E), E the direction of the edge and N the normal. Along R, the direction of the curve
// into a face at the edge, the curve becomes shorter by R.d - (R.E) (N.d) / (N.E): its gradient is
// R - (R.E) / (N.E) N. The sum for both faces is the direction of the move.
func (u *untangler) local(p *proximity.Intersection, v *[5]int32) bool {
	if p.Kind != geom.EdgeFace {
		return u.touching(p, v)
	}
	c := crossOf(u.x, v)
	way := r3.Sub(at(u.x, v[1]), at(u.x, v[0]))
	length := geom.Norm(way)
	if c.normal == (r3.Vec{}) || !(length > 0) {
		return u.apart(v, &c, r3.Vec{Z: 1}, room*u.size)
	}
	e := geom.Scale(1/length, way)
	g := u.gradient(int32(p.A), &c, e)
	deep := c.depth()
	// The nearer end back through the face is what a single edge does.
	back := c.normal
	if math.Abs(c.d[0]) < math.Abs(c.d[1]) == (c.d[0] > 0) {
		back = geom.Scale(-1, back)
	}
	direction := back
	if size := geom.Norm(g); size > 1e-3 {
		direction = geom.Scale(1/size, g)
	}
	along := max(math.Abs(geom.Dot(direction, c.normal)), 1./most)
	return u.apart(v, &c, direction, float64(excess*deep)/along+float64(room*length))
}

// gradient is the direction in which an edge must move so that the curve at it becomes shorter.
func (u *untangler) gradient(edge int32, c *cross, e r3.Vec) (sum r3.Vec) {
	ends := u.m.Edges[edge]
	p0 := at(u.x, ends[0])
	down := geom.Dot(c.normal, e)
	if math.Abs(down) < steep {
		down = math.Copysign(steep, down)
	}
	for _, f := range u.faces[edge] {
		if f < 0 {
			continue
		}
		third := u.m.Faces[f][0]
		for _, w := range u.m.Faces[f] {
			if w != ends[0] && w != ends[1] {
				third = w
			}
		}
		inward := r3.Sub(at(u.x, third), p0)
		inward = r3.Sub(inward, geom.Scale(geom.Dot(inward, e), e))
		n := geom.Cross(e, inward)
		r := geom.Cross(c.normal, n)
		size := geom.Norm(r)
		if !(size > 1e-6*geom.Norm(n)) {
			continue // The face lies in the plane of the other one.
		}
		if r = geom.Scale(1/size, r); geom.Dot(r, inward) < 0 {
			r = geom.Scale(-1, r)
		}
		sum = r3.Add(sum, r3.Sub(r, geom.Scale(geom.Dot(r, e)/down, c.normal)))
	}
	return sum
}

// apart moves the point of an edge along a direction relative to that of the face, by a length.
func (u *untangler) apart(v *[5]int32, c *cross, direction r3.Vec, length float64) bool {
	weights := [5]float64{1 - c.s, c.s, -c.w[0], -c.w[1], -c.w[2]}
	sum := 0.0
	for i, w := range weights {
		sum += float64(w * w * u.light[v[i]])
	}
	if !(sum > 0) {
		return false
	}
	for i, w := range weights {
		u.push(v[i], geom.Scale(length*w*u.light[v[i]]/sum, direction))
	}
	return true
}

// touching moves the primitives of a pair that touches, without an edge through a face, away from
// the other's mean.
func (u *untangler) touching(p *proximity.Intersection, v *[5]int32) bool {
	info := p.Kind.Info()
	var mean [2]r3.Vec
	for i := range info.Points {
		side := 0
		n := float64(info.Split)
		if i >= info.Split {
			side, n = 1, float64(info.Points-info.Split)
		}
		mean[side] = r3.Add(mean[side], geom.Scale(1/n, at(u.x, v[i])))
	}
	d := r3.Sub(mean[0], mean[1])
	length := geom.Norm(d)
	if !(length > 0) {
		d, length = r3.Vec{Z: 1}, 1
	}
	moved := false
	for i := range info.Points {
		sign := 1.0
		if i >= info.Split {
			sign = -1
		}
		if l := u.light[v[i]]; l > 0 {
			u.push(v[i], geom.Scale(sign*l*room*u.size/length, d))
			moved = true
		}
	}
	return moved
}

package contain

import (
	"math"

	"ccd/core/geom"
)

// Triangles returns the triangles in the order of the tree, which does not change; nothing may be
// written to it. Faces returns the caller's number of each.
func (s *Solid) Triangles() []Triangle { return s.tri }

// Faces returns the caller's number of each item of Triangles.
func (s *Solid) Faces() []int32 { return s.face }

// Box returns the corners of a box that holds the solid where the placement puts it.
func (p *Placement) Box(s *Solid) (lo, hi geom.Vec) {
	if p.Err == 0 && p.M == Identity().M && p.T == (geom.Vec{}) {
		return s.nodes[0].lo, s.nodes[0].hi
	}
	return p.box(&s.nodes[0])
}

// Near calls visit for each triangle whose box is at most as far from p as the last value of visit,
// or limit before the first call: for those in near boxes first. i is the triangle's position in
// Triangles. A box at the distance of the bound is visited, rounding included.
func (s *Solid) Near(p *geom.Vec, limit float64, visit func(i int32) (limit float64)) {
	type item struct {
		node int32
		far  float64
	}
	stack := []item{{0, s.nodes[0].far(p)}}
	for len(stack) > 0 {
		top := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if top.far > limit {
			continue
		}
		n := &s.nodes[top.node]
		if n.left == 0 {
			for t := n.first; t < n.first+n.count; t++ {
				limit = visit(t)
			}
			continue
		}
		a, b := item{n.left, s.nodes[n.left].far(p)}, item{n.left + 1, s.nodes[n.left+1].far(p)}
		if a.far < b.far {
			a, b = b, a
		}
		stack = append(stack, a, b)
	}
}

// far returns a number that is at most the distance of a point from the box.
//
// Each difference rounds by u relatively, squares and sums by 3u, the root by 2.5u: 8u are enough.
// What underflows makes it less.
func (n *node) far(p *geom.Vec) float64 {
	m := 0.0
	var d geom.Vec
	for k := range d {
		d[k] = max(n.lo[k]-p[k], p[k]-n.hi[k], 0)
		m = max(m, d[k])
	}
	if m < 0x1p-400 || m > 0x1p400 {
		return float64(m * (1 - 8*0x1p-53))
	}
	return float64(math.Sqrt(geom.Dot3(&d, &d)) * (1 - 8*0x1p-53))
}

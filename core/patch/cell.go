package patch

import "ccd/core/order"

// cell is a pair of subpatches and the interval of time in which they may first meet. dir is the
// direction that separated its parent longest.
type cell struct {
	t0, t1  float64
	a, b    int32
	depth   int32
	class   adjacencyClass
	dir     vec
	closest closestFeatures
	bend    int8 // the direction to halve in, or noBend: see curvedSeparator.bends
}

// Before orders cells by their first time. At equal times the deeper cell comes first, so that a
// static scene is searched depth-first. No two cells are equal, so the order of two cells does not
// depend on others in the queue.
func (c *cell) Before(d *cell) bool {
	if c.t0 != d.t0 {
		return c.t0 < d.t0
	}
	if c.depth != d.depth {
		return c.depth > d.depth
	}
	return c.a < d.a || c.a == d.a && c.b < d.b
}

type queue = order.Heap[cell, *cell]

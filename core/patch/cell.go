package patch

import "ccd/core/order"

// cell is a pair of subpatches and the times at which they may yet meet first. dir is the direction
// that helped its parent.
type cell struct {
	t0, t1  float64
	a, b    int32
	depth   int32
	class   adjacencyClass
	dir     vec
	closest closestFeatures
}

// Before orders cells by their first time; of equal times the deeper, so that a static scene is
// searched depth-first. No two are equal, so that in which order some are taken up does not depend
// on others in the queue.
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

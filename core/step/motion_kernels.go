package step

import (
	"ccd/core/geom"
	"ccd/core/kernel"
	"ccd/core/motion"
)

// curvedBlock is how many pairs of a motion go through the kernels at a time.
const curvedBlock = 512

// siftCurved returns those of the pairs at the positions in left, in their place, that the kernels for curved paths do not prove apart up to tMax, by the largest
// separation of all pairs.
func (w *worker) siftCurved(c *call, curves *kernel.Curves, k geom.Kind, left []int32, tMax float64) []int32 {
	s := &w.moving
	d, kept := c.radii.LargestSeparation(c.o.MinSeparation), 0
	for first := 0; first < len(left); first += curvedBlock {
		part := left[first:min(first+curvedBlock, len(left))]
		for j, i := range part {
			s.index[j] = w.idx[i]
		}
		for _, j := range s.list[:curves.Filter(k, s.index[:len(part)], tMax, d, s.list[:])] {
			left[kept] = part[j]
			kept++
		}
	}
	return left[:kept]
}

// curves is the control points for the kernels, which support none of a motion of several pieces, or with radii.
func (a *motionAxes) curves(m *motion.Motion) kernel.Curves {
	if len(a.control) == 0 {
		return kernel.Curves{}
	}
	return kernel.Curves{Degree: m.Degree(), Rec: a.control}
}

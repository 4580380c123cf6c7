package step

import (
	"math"

	"ccd/core/geom"
	"ccd/core/kernel"
	"ccd/core/motion"
)

// curvedBlock is how many pairs of a motion go through the kernels at a time. A search for the earliest impact ends earlier after each.
const curvedBlock = 512

// untilCurved is untilMotion for the pairs at the positions in left, by kernels, for a motion of one piece without radii: they prove most pairs
// apart, by the largest separation. It reports whether there are kernels for such pairs.
func (w *worker) untilCurved(c *call, k geom.Kind, pairs [][2]int32, left []int32, tMax *float64, emit func(i int, im *geom.Impact)) bool {
	curves := c.axes.curves(c.paths)
	if !curves.Supports(k) {
		return false
	}
	s := &w.moving
	s.options = c.o.Options
	uniform, d := c.radii.Uniform(), c.radii.LargestSeparation(c.o.MinSeparation)
	s.options.MinSeparation = d
	for len(left) > 0 {
		part := left[:min(curvedBlock, len(left))]
		left = left[len(part):]
		for j, i := range part {
			s.index[j] = w.idx[i]
		}
		n := curves.Filter(k, s.index[:len(part)], math.Min(*tMax, c.o.TMax), d, s.list[:])
		for _, j := range s.list[:n] {
			i := int(part[j])
			if !uniform {
				s.options.MinSeparation = c.radii.Pair(k, pairs[i][0], pairs[i][1], c.o.MinSeparation)
			}
			w.solver.SolvePiece(c.paths, k, c.axes.gather(k, &s.index[j], &s.control), &s.options, math.Min(*tMax, c.o.TMax), &s.impact)
			if s.impact.Verdict != geom.Separate {
				s.impact.A, s.impact.B = int64(pairs[i][0]), int64(pairs[i][1])
				emit(i, &s.impact)
			}
		}
	}
	return true
}

// curves is the control points for the kernels, which support none of a motion of several pieces, or with radii.
func (a *motionAxes) curves(m *motion.Motion) kernel.Curves {
	if len(a.control) == 0 {
		return kernel.Curves{}
	}
	return kernel.Curves{Degree: m.Degree(), Rec: a.control}
}

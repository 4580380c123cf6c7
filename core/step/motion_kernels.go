package step

import (
	"math"

	"ccd/core/geom"
	"ccd/core/kernel"
)

// curvedBlock is how many pairs of a motion go through the kernels at a time. A search for the earliest impact ends earlier after each.
const curvedBlock = 512

// untilCurved is untilMotion by kernels, for a motion of one piece without radii: they prove most pairs apart, by the largest separation. It reports
// whether there are kernels for such pairs.
func (w *worker) untilCurved(c *call, k geom.Kind, pairs [][2]int32, tMax *float64, emit func(i int, im *geom.Impact)) bool {
	if len(c.axes.control) == 0 {
		return false
	}
	curves := kernel.Curves{Degree: c.paths.Degree(), Rec: c.axes.control}
	if !curves.Supports(k) {
		return false
	}
	s := &w.moving
	s.options = c.o.Options
	uniform, d := c.radii.Uniform(), c.radii.LargestSeparation(c.o.MinSeparation)
	s.options.MinSeparation = d
	for first := 0; first < len(pairs); first += curvedBlock {
		idx := w.idx[first:min(first+curvedBlock, len(pairs))]
		n := curves.Filter(k, idx, math.Min(*tMax, c.o.TMax), d, s.list[:])
		for _, j := range s.list[:n] {
			i := first + int(j)
			if !uniform {
				s.options.MinSeparation = c.radii.Pair(k, pairs[i][0], pairs[i][1], c.o.MinSeparation)
			}
			w.solver.SolvePiece(c.paths, k, c.axes.gather(k, &idx[j], &s.control), &s.options, math.Min(*tMax, c.o.TMax), &s.impact)
			if s.impact.Verdict != geom.Separate {
				s.impact.A, s.impact.B = int64(pairs[i][0]), int64(pairs[i][1])
				emit(i, &s.impact)
			}
		}
	}
	return true
}

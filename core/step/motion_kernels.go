package step

import (
	"math"

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

// findsCurved reports whether kernels find the times of contact of the pairs of a kind.
func (c *call) findsCurved(k geom.Kind) bool {
	curves := c.axes.curves(c.paths)
	return curves.Supports(k) && c.radii.LargestSeparation(c.o.MinSeparation) == 0
}

// findCurved emits those of the pairs at the positions in left that kernels find in contact up to tMax, and returns, in their place, those that they cannot decide.
func (w *worker) findCurved(c *call, k geom.Kind, pairs [][2]int32, left []int32, tMax *float64, emit func(i int, im *geom.Impact)) []int32 {
	if !c.findsCurved(k) {
		return left
	}
	s, curves, kept := &w.moving, c.axes.curves(c.paths), 0
	for first := 0; first < len(left); first += curvedBlock {
		part := left[first:min(first+curvedBlock, len(left))]
		for j, i := range part {
			s.index[j] = w.idx[i]
		}
		s.finder.Find(&curves, k, s.index[:len(part)], math.Min(*tMax, c.o.TMax), s.toi[:], s.state[:])
		s.finder.Place(&curves, k, s.index[:len(part)], s.toi[:], s.state[:], func(j int, im *geom.Impact) {
			if s.toi[j] > *tMax { // a contact of the block was earlier
				return
			}
			i := part[j]
			if im == nil {
				im = &s.impact
				w.solver.PlacePiece(c.paths, k, c.axes.gather(k, &w.idx[i], &s.control), &s.options, s.toi[j], im)
			}
			im.A, im.B = int64(pairs[i][0]), int64(pairs[i][1])
			emit(int(i), im)
		})
		for j, i := range part {
			if s.state[j] == kernel.Unknown {
				left[kept] = i
				kept++
			}
		}
	}
	return left[:kept]
}

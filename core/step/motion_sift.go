package step

import (
	"slices"

	"ccd/core/broad"
	"ccd/core/geom"
	"ccd/core/kernel"
	"ccd/core/mesh"
	"ccd/core/motion"
	"ccd/core/narrow"
)

// siftMotion returns the positions of the pairs of a block that kernels do not prove apart up to tMax (laws M1 and M2 of docs/proofs/motions.md): those of the plain
// step on the midlines, or those for curved paths where the motion has them, then these on parts. The separation is the largest of the block, which is one place in
// the scene. If w.moving.parts.piece is not empty it has the piece on which each of them may touch, in the order of time: a pair is there with each such piece.
func (w *worker) siftMotion(c *call, k geom.Kind, pairs [][2]int32, tMax float64) []int32 {
	s, p := &w.moving, &c.moving
	s.left, s.parts.piece = s.left[:0], s.parts.piece[:0]
	s.seen += len(pairs)
	d := w.largestSeparation(c, k, pairs, p.bands.Radii)
	parts := !c.findsCurved(k) && p.cut.ready(c, w) // kernels for roots halve the time themselves
	curved := p.cut.curved && (parts || len(p.cut.levels) > 0) && (kernel.Curves{Degree: c.paths.Degree()}).Supports(k)
	midlines := !c.refines() && (!parts || p.cut.curved)
	if curved {
		midlines = midlines && (p.upTo < 1 || !p.section.whole()) && s.midlinesPay()
	}
	all := func() {
		for i := range pairs {
			s.left = append(s.left, int32(i))
		}
	}
	if d > geom.MaxCoordinate {
		all()
		return s.left
	}
	if midlines {
		how := narrow.BoxesMet
		if !curved {
			how |= narrow.InPieces
		}
		far := w.largestSeparation(c, k, pairs, p.radii)
		s.left = w.solver.MayTouch(k, &c.mo, w.idx, p.share(tMax), far, how, s.left)
		s.tested, s.kept = s.tested+len(pairs), s.kept+len(s.left)
	} else {
		all()
	}
	switch {
	case curved && parts:
		s.left = w.siftParts(c, k, p.cut.deep, s.left, tMax, d)
	case curved:
		s.left = w.siftParts(c, k, p.cut.levels, s.left, tMax, d)
	case parts && !p.cut.curved:
		s.left = w.siftParts(c, k, p.cut.deep, s.left, tMax, d)
	}
	return s.left
}

// midlinesPay reports whether the midlines leave out enough pairs to test them before the kernels for curved paths: three of five, for these take about half as long again.
func (s *movingScratch) midlinesPay() bool {
	return s.tested < 4*broad.BlockLen || 5*s.kept < 2*s.tested
}

// forgetSifted begins anew with what workers know of the midlines, and of the pairs that they have solved.
func (c *call) forgetSifted() {
	for _, w := range c.workers {
		s := &w.moving
		s.seen, s.tested, s.kept, s.keys = 0, 0, 0, solvedKeys{s.keys.tried[:0], s.keys.touched[:0]}
	}
}

// largestSeparation is that of the pairs of a block with these radii.
func (w *worker) largestSeparation(c *call, k geom.Kind, pairs [][2]int32, radii *mesh.Radii) float64 {
	if radii.Uniform() {
		return radii.LargestSeparation(c.o.MinSeparation)
	}
	w.each = radii.Pairs(k, pairs, c.o.MinSeparation, w.each)
	return slices.Max(w.each)
}

// movingScratch is what SolveMotion is passed for each pair.
type movingScratch struct {
	options narrow.Options
	impact  geom.Impact
	left    []int32
	parts   partsScratch
	control [12 * (motion.MaxDegree + 1)]float64
	list    [curvedBlock]int32
	index   [curvedBlock][4]int32
	toi     [curvedBlock]float64
	state   [curvedBlock]uint8
	finder  narrow.CurveFinder

	precision [geom.PointPoint + 1]kernel.Precision // of the kernels for curved paths, by kind
	keys      solvedKeys                            // where pairs are solved once

	seen, tested, kept int // pairs of this section, those that were tested on its midlines, and those that were left
}

package step

import (
	"slices"
	"unsafe"

	"ccd/core/broad"
	"ccd/core/geom"
	"ccd/core/kernel"
	"ccd/core/mesh"
	"ccd/core/motion"
	"ccd/core/narrow"
)

// sift returns the positions of the pairs of a block that kernels do not prove apart up to tMax
// (laws M1 and M2 of docs/proofs/motions.md): those of the plain step on the midlines, or those for
// curved paths where the motion has them, then these on parts. The separation is the largest of the
// block, which is one place in the scene. If w.curved.parts.piece is not empty it has the piece on
// which each of them may touch, in the order of time: a pair is there with each such piece.
func (p *curved) sift(w *worker, k geom.Kind, pairs [][2]int32, tMax float64) []int32 {
	s := &w.curved
	s.possible, s.parts.piece = s.possible[:0], s.parts.piece[:0]
	s.seen += len(pairs)
	d := p.largestSeparation(w, k, pairs, p.bands.Radii)
	levels, curves := p.levelsFor(w, k)
	midlines := !p.refines() && len(levels) == 0
	if curves {
		midlines = !p.refines() && (p.upToTime < 1 || !p.section.whole()) && s.midlinesPay()
	}
	all := func() {
		for i := range pairs {
			s.possible = append(s.possible, int32(i))
		}
	}
	if d > geom.MaxCoordinate {
		all()
		return s.possible
	}
	if midlines {
		how := narrow.BoxesMet
		if !curves {
			how |= narrow.InPieces
		}
		far := p.largestSeparation(w, k, pairs, p.boxes)
		s.possible = w.solver.MayTouch(k, p.mo, w.idx, p.share(tMax), far, how, s.possible)
		s.tested, s.passed = s.tested+len(pairs), s.passed+len(s.possible)
	} else {
		all()
	}
	if len(levels) > 0 {
		s.possible = p.siftParts(w, k, levels, s.possible, tMax, d)
	}
	return s.possible
}

// levelsFor returns the levels of parts on which pairs of a kind are sifted, and whether kernels
// for curved paths do that. Of pairs whose times kernels find the first level serves: these kernels
// halve the time themselves.
func (p *curved) levelsFor(w *worker, k geom.Kind) (levels []partLevel, curves bool) {
	deep := !p.finds(k) && p.deepened(w)
	switch {
	case !p.sieve.curved && deep:
		return p.sieve.deep, false
	case !p.sieve.curved || !(kernel.Curves{Degree: p.paths.Degree()}).Supports(k):
		return nil, false
	case deep:
		return p.sieve.deep, true
	}
	return p.sieve.levels, len(p.sieve.levels) > 0
}

// midlinesPay reports whether the midlines leave out enough pairs to test them before the kernels
// for curved paths: three of five, for these take about half as long again.
func (s *curvedScratch) midlinesPay() bool {
	return s.tested < 4*broad.BlockLen || 5*s.passed < 2*s.tested
}

// forgetSolved begins anew with what workers know of the midlines, and of the pairs that they have
// solved.
func (p *curved) forgetSolved() {
	for _, w := range p.workers {
		s := &w.curved
		s.seen, s.tested, s.passed, s.keys = 0, 0, 0, solvedKeys{s.keys.tried[:0], s.keys.touched[:0]}
	}
}

// largestSeparation is that of the pairs of a block with these radii.
func (p *curved) largestSeparation(w *worker, k geom.Kind, pairs [][2]int32, radii *mesh.Radii) float64 {
	if radii.Uniform() {
		return radii.LargestSeparation(p.o.MinSeparation)
	}
	w.each = radii.Pairs(k, pairs, p.o.MinSeparation, w.each)
	return slices.Max(w.each)
}

const curvedScratchBytes = int64(unsafe.Sizeof(curvedScratch{}))

// curvedScratch is what SolveMotion is passed for each pair.
type curvedScratch struct {
	options  narrow.Options
	impact   geom.Impact
	possible []int32 // positions of pairs that are not proven apart
	parts    partsScratch
	control  [12 * (motion.MaxDegree + 1)]float64
	list     [curvedBlock]int32
	index    [curvedBlock][4]int32
	toi      [curvedBlock]float64
	state    [curvedBlock]uint8
	finder   narrow.CurveFinder

	precision [geom.PointPoint + 1]kernel.Precision // of the kernels for curved paths, by kind
	keys      solvedKeys                            // where pairs are solved once

	seen   int // pairs of this section
	tested int // pairs that were tested on its midlines
	passed int // pairs that these did not prove apart
}

package curved

import (
	"math"

	"ccd/core/geom"
	"ccd/core/kernel"
)

// wholeCurves is the control points of a motion of one piece without radii, for kernels; they
// support no others.
func (p *Path) wholeCurves() kernel.Curves {
	if len(p.axes.control) == 0 {
		return kernel.Curves{}
	}
	return kernel.Curves{Degree: p.motion.Degree(), Rec: p.axes.control}
}

// finds reports whether kernels find the times of contact of the pairs of a kind.
func (p *Path) finds(k geom.Kind) bool {
	return p.wholeCurves().Supports(k) && p.radii.LargestSeparation(p.o.MinSeparation) == 0
}

// find passes on the impacts of those of some pairs that kernels find in contact up to w.Horizon,
// and returns, in their place, those that they cannot decide. Of the sections of a step each pair
// is looked at in one.
func (p *Path) find(w *Worker, k geom.Kind, pairs [][2]int32, possible []int32, take Take) []int32 {
	if !p.finds(k) {
		return possible
	}
	possible = p.unsolved(w, k, pairs, possible)
	s, curves, n := &w.kernels, p.wholeCurves(), 0
	for first := 0; first < len(possible); first += pairsOfBlock {
		part := possible[first:min(first+pairsOfBlock, len(possible))]
		for j, i := range part {
			s.index[j] = w.Idx[i]
		}
		s.finder.Find(&curves, k, s.index[:len(part)], math.Min(w.Horizon, p.o.TMax), s.toi[:], s.state[:])
		s.finder.Place(&curves, k, s.index[:len(part)], s.toi[:], s.state[:], func(j int, im *geom.Impact) {
			if s.toi[j] > w.Horizon { // A contact of the block was earlier.
				return
			}
			i := part[j]
			if im == nil {
				im = &w.impact
				control := p.axes.gather(k, &w.Idx[i], &w.control)
				w.Solver.PlacePiece(p.motion, k, control, &w.options, s.toi[j], im)
			}
			im.A, im.B = int64(pairs[i][0]), int64(pairs[i][1])
			take(int(i), im)
		})
		for j, i := range part {
			if s.state[j] == kernel.Unknown {
				possible[n] = i
				n++
			}
		}
	}
	return possible[:n]
}

// unsolved returns, in their place, the positions of the pairs that no earlier section has solved,
// and notes these.
func (p *Path) unsolved(w *Worker, k geom.Kind, pairs [][2]int32, possible []int32) []int32 {
	if !p.solved.once {
		return possible
	}
	n := 0
	for _, i := range possible {
		if key := keyOf(k, pairs[i]); !p.solved.has(key) {
			w.keys.tried = append(w.keys.tried, key)
			possible[n] = i
			n++
		}
	}
	return possible[:n]
}

// solvedBefore reports whether an earlier section has solved a pair that kernels do not find, and
// notes one that it has not.
func (p *Path) solvedBefore(w *Worker, k geom.Kind, key uint64) bool {
	if !p.solved.once || p.finds(k) { // find has looked
		return false
	}
	if p.solved.has(key) {
		return true
	}
	if p.section.halvings > 0 {
		w.keys.tried = append(w.keys.tried, key)
	}
	return false
}

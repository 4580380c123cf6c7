package step

import (
	"math"

	"ccd/core/geom"
	"ccd/core/kernel"
)

// wholeCurves is the control points of a motion of one piece without radii, for kernels; they
// support no others.
func (p *curved) wholeCurves() kernel.Curves {
	if len(p.axes.control) == 0 {
		return kernel.Curves{}
	}
	return kernel.Curves{Degree: p.paths.Degree(), Rec: p.axes.control}
}

// finds reports whether kernels find the times of contact of the pairs of a kind.
func (p *curved) finds(k geom.Kind) bool {
	return p.wholeCurves().Supports(k) && p.radii.LargestSeparation(p.o.MinSeparation) == 0
}

// find passes on the impacts of those of some pairs that kernels find in contact up to w.end,
// and returns, in their place, those that they cannot decide. Of the sections of a step each pair
// is looked at in one.
func (p *curved) find(w *worker, k geom.Kind, pairs [][2]int32, possible []int32, t taker) []int32 {
	if !p.finds(k) {
		return possible
	}
	possible = p.unsolved(w, k, pairs, possible)
	s, curves, n := &w.curved, p.wholeCurves(), 0
	for first := 0; first < len(possible); first += curvedBlock {
		part := possible[first:min(first+curvedBlock, len(possible))]
		for j, i := range part {
			s.index[j] = w.idx[i]
		}
		s.finder.Find(&curves, k, s.index[:len(part)], math.Min(w.end, p.o.TMax), s.toi[:], s.state[:])
		s.finder.Place(&curves, k, s.index[:len(part)], s.toi[:], s.state[:], func(j int, im *geom.Impact) {
			if s.toi[j] > w.end { // a contact of the block was earlier
				return
			}
			i := part[j]
			if im == nil {
				im = &s.impact
				w.solver.PlacePiece(p.paths, k, p.axes.gather(k, &w.idx[i], &s.control), &s.options, s.toi[j], im)
			}
			im.A, im.B = int64(pairs[i][0]), int64(pairs[i][1])
			t.take(w, int(i), im)
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
func (p *curved) unsolved(w *worker, k geom.Kind, pairs [][2]int32, possible []int32) []int32 {
	once := &p.solved
	if !once.once {
		return possible
	}
	n := 0
	for _, i := range possible {
		if key := keyOf(k, pairs[i]); !once.has(key) {
			w.curved.keys.tried = append(w.curved.keys.tried, key)
			possible[n] = i
			n++
		}
	}
	return possible[:n]
}

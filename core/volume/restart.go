package volume

import (
	"math"

	"ccd/core/geom"
)

// Restarting. Boxes at both ends cover the whole step, but the first contact often comes early: once some contact at T is known,
// boxes of [0, T] may leave so many pairs fewer that a new pass costs less than the rest of the present one. That is so where
// things move far or crowd; where most boxes that meet are neighbours' in the mesh, it is not. Costs are counted, not timed, in
// nanoseconds of one machine; they steer the route alone (see search for why the answer does not depend on it).
const (
	costFit    = 11  // a feature's box
	costOpened = 800 // a pair of patches
	costPair   = 30  // a pair of features whose boxes are not apart
	openedLess = 0.25
	reluctance = 1.2 // how much cheaper the restart must look: the estimates are rough
	looked     = 16  // one part in so many of the tasks is done before anything is judged
)

// openedLess above is the part of the cost of pairs of patches that goes with their pairs of features, for want of better knowledge.

// cost is what a worker has spent on pairs.
func (w *worker) cost() float64 {
	return float64(costOpened*float64(w.opened)) + float64(costPair*float64(w.overlaps[0]+w.overlaps[1]))
}

// consider judges, after a worker has done a task, of which so many of n are done, whether to begin anew.
func (f *search) consider(w *worker, done, n int) {
	end := f.end()
	if looked*done < n || end >= f.until || w.sampled != end || f.atFace.Load() {
		return
	}
	all := float64((w.cost()-w.base)*float64(f.call.Stats.Threads)) * float64(n) / float64(done) // of this pass; the crew is alike
	rest := float64(all * float64(n-done) / float64(n))
	pairs := float64(costPair*float64(w.overlaps[0]+w.overlaps[1])) / max(w.cost(), 1) // the part of it that is by pairs of features
	fewer := float64(pairs*w.crowding) + float64((1-pairs)*(1-float64(openedLess*(1-w.crowding))))
	fit := float64(costFit * float64(len(f.layout.vertices.feature)+len(f.layout.edges.feature)+len(f.layout.faces.feature)))
	if reluctance*(fit+float64(fewer*all)) < rest {
		f.again.Store(true)
	}
}

// sample looks which part of some pairs that boxes have left boxes up to the present end would leave.
func (f *search) sample(w *worker, kind geom.Kind, idx [][4]int32) {
	const size, least = 256, 64
	end := f.end()
	if len(idx) < least || end >= f.until || end == w.sampled {
		return
	}
	step, asked, left := 1+(len(idx)-1)/size, 0, 0
	for i := 0; i < len(idx); i += step {
		asked++
		if !apartUntil(f.mo.Rec, &idx[i], kind.Info().Split, end) {
			left++
		}
	}
	w.sampled, w.crowding = end, float64(left)/float64(asked)
}

// apartUntil tells, for a statistic, whether boxes at both ends of [0, t] are apart.
func apartUntil(rec []float64, q *[4]int32, split int, t float64) bool {
	for k := range 3 {
		var lo, hi [2][2]float64 // by feature and end
		for i := range lo {
			lo[i] = [2]float64{math.Inf(1), math.Inf(1)}
			hi[i] = [2]float64{math.Inf(-1), math.Inf(-1)}
		}
		for i, x := range q {
			side := 0
			if i >= split {
				side = 1
			}
			a, b := rec[8*int(x)+k], rec[8*int(x)+4+k]
			for e, y := range [2]float64{a, a + float64(t*(b-a))} {
				lo[side][e], hi[side][e] = min(lo[side][e], y), max(hi[side][e], y)
			}
		}
		if lo[0][0] > hi[1][0] && lo[0][1] > hi[1][1] || lo[1][0] > hi[0][0] && lo[1][1] > hi[0][1] {
			return true
		}
	}
	return false
}

// passes searches, with boxes of the whole step and then, as long as that is the shorter way, of less.
func (s *Scene) passes(keep emitter, f, goal *search) error {
	f.until = 1
	err := s.ready()
	for pass := 0; err == nil; pass++ {
		f.again.Store(false)
		if err = s.run(golden, keep, goal); err != nil {
			break
		}
		if pass == 0 {
			s.note()
		}
		if !f.again.Load() {
			break
		}
		f.until = f.end()
		s.restarts++
		err = s.fit(f.until)
	}
	return err
}

// later tells whether a pair comes after a contact at the very start that the worker knows: no time is earlier, so order decides.
func (w *worker) later(kind geom.Kind, q *[4]int32) bool {
	if w.best.Verdict == geom.Separate || w.best.TOILo != 0 {
		return false
	}
	c := Contact{Impact: geom.Impact{Kind: kind}, Vertices: *q}
	return !c.Before(&w.best)
}

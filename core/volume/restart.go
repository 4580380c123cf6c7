package volume

import (
	"math"

	"ccd/core/geom"
)

// Restarting. Boxes at both ends cover the whole step, but the first contact often comes early.
// Once a contact at T is known, boxes of [0, T] may leave so few pairs that a new pass costs less
// than the rest of the current one. That is so where vertices move far or are crowded, but not
// where most pairs whose boxes overlap are neighbors in the mesh. Costs are counted, not measured,
// in nanoseconds of one machine. They decide the route only; search explains why the answer does
// not depend on it.
const (
	costFit       = 11   // a feature's box
	costOpened    = 800  // a pair of patches
	costPair      = 30   // a pair of features whose boxes are not apart
	openedLess    = 0.25 // the part of the cost of pairs of patches that shrinks with their pairs of features: a guess
	restartMargin = 1.2  // factor by which the restart must be cheaper: the estimates are rough
	judgeAfter    = 16   // 1/16 of the tasks is done before a restart is considered
)

// cost returns the cost of the pairs that a worker has processed.
func (w *worker) cost() float64 {
	return float64(costOpened*float64(w.opened)) + float64(costPair*float64(w.overlaps[0]+w.overlaps[1]))
}

// considerRestart decides after a task of a worker, when done of n tasks are done, whether to
// restart.
func (f *search) considerRestart(w *worker, done, n int) {
	end := f.end()
	if judgeAfter*done < n || end >= f.until || w.sampled != end || f.atFace.Load() {
		return
	}
	// all is the cost of this pass, if all workers are alike.
	all := float64((w.cost()-w.base)*float64(f.call.Stats.Threads)) * float64(n) / float64(done)
	rest := float64(all * float64(n-done) / float64(n))
	// pairs is the share of that cost that pairs of features have.
	pairs := float64(costPair*float64(w.overlaps[0]+w.overlaps[1])) / max(w.cost(), 1)
	fewer := float64(pairs*w.survival) + float64((1-pairs)*(1-float64(openedLess*(1-w.survival))))
	fit := float64(
		costFit * float64(len(f.layout.vertices.feature)+len(f.layout.edges.feature)+len(f.layout.faces.feature)))
	if restartMargin*(fit+float64(fewer*all)) < rest {
		f.again.Store(true)
	}
}

// sampleSurvival estimates the fraction of the pairs that would remain with boxes up to the current
// end of time.
func (f *search) sampleSurvival(w *worker, kind geom.Kind, idx [][4]int32) {
	const size, least = 256, 64
	end := f.end()
	if len(idx) < least || end >= f.until || end == w.sampled {
		return
	}
	step, tested, left := 1+(len(idx)-1)/size, 0, 0
	for i := 0; i < len(idx); i += step {
		tested++
		if !apartUntil(f.mo.Rec, &idx[i], kind.Info().Split, end) {
			left++
		}
	}
	w.sampled, w.survival = end, float64(left)/float64(tested)
}

// apartUntil reports, for this estimate, whether boxes at both ends of [0, t] are apart.
func apartUntil(rec []float64, q *[4]int32, split int, t float64) bool {
	for k := range 3 {
		var lo, hi [2][2]float64 // indexed by feature and end
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

// searchPasses searches with boxes of the whole step and then, as long as it pays, with boxes of
// shorter intervals.
func (s *Scene) searchPasses(keep emitter, f, goal *search) error {
	f.until = 1
	err := s.ready()
	for pass := 0; err == nil; pass++ {
		f.again.Store(false)
		if err = s.run(goldenOrder, keep, goal); err != nil {
			break
		}
		if pass == 0 {
			s.notePairs()
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

// comesLater reports whether the worker knows a contact at t = 0 that precedes the pair in the
// order: no time is earlier, so the order decides.
func (w *worker) comesLater(kind geom.Kind, q *[4]int32) bool {
	if w.best.Verdict == geom.Separate || w.best.TOILo != 0 {
		return false
	}
	c := Contact{Impact: geom.Impact{Kind: kind}, Vertices: *q}
	return !c.Precedes(&w.best)
}

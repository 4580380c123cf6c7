package robot

import "math"

// Budgets of the looks for contacts before the proofs: at the goal, and at the middles of intervals
// of the first levels.
const (
	goalTests   = 400
	middleTests = 100
	lookLevels  = 6
)

// mostPieces is how many intervals of one level may be open: more are of bodies that are in contact
// for long, as boxes with faces in a common plane, and the search for the first contact stops
// there.
const mostPieces = 64

// any looks for any contact: breadth first, with looks at the goal and at middles. It returns true
// if one was found; else nothing is known unless the search for the first contact follows.
func (w *Worker) any() bool {
	w.f.roots()
	var found hit
	if w.f.probe(w.to, 0, len(w.f.items), goalTests, &found) {
		w.best = found
		return true
	}
	w.pieces = append(w.pieces[:0], piece{w.from, w.to, 0, len(w.f.items)})
	for level := 0; len(w.pieces) > 0 && len(w.pieces) <= mostPieces; level++ {
		w.after = w.after[:0]
		start := len(w.f.items)
		for _, p := range w.pieces {
			if w.outOfBudget(w.from) {
				return false
			}
			if w.anyIn(p, level, &found) {
				w.best = found
				return true
			}
			if w.near.any {
				return false
			}
		}
		w.f.items = w.f.items[:copy(w.f.items, w.f.items[start:])]
		for i := range w.after {
			w.after[i].first -= start
			w.after[i].last -= start
		}
		w.pieces, w.after = w.after, w.pieces
	}
	return false
}

// anyIn looks at one interval. What shorter ones may decide is added to the next level.
func (w *Worker) anyIn(p piece, level int, found *hit) bool {
	w.f.at(p.s0, p.s1)
	middle, base := w.f.m, len(w.f.items)
	if w.f.work(p.first, p.last, every, found) {
		return true
	}
	end := len(w.f.items)
	if end == base {
		return false
	}
	leaves := w.f.onlyLeaves(base, end)
	if leaves && end-base <= few {
		w.advance(p.s0, p.s1, base, end)
		w.f.items = w.f.items[:base]
		*found = w.best
		return !math.IsInf(w.best.s, 1)
	}
	if leaves && (p.s1-p.s0)*w.speed < 0.5*w.tolerance || level == deepestLevel {
		w.approach(p.s0, w.f.items[base], ReasonTolerance)
		return false
	}
	if level < lookLevels && w.f.probe(middle, base, end, middleTests, found) {
		return true
	}
	w.after = append(w.after, piece{p.s0, middle, base, end}, piece{middle, p.s1, base, end})
	return false
}

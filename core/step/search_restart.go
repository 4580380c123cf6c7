package step

import "ccd/core/broad"

// Restarting. Swept boxes are large because they cover the whole step, but the first impact often
// comes early. Once an impact at T is known, a new plan of [0, T] may have so few candidates that
// building and sweeping it costs less than the rest of the current one. A step without impact never
// restarts. Costs (costs.go) change only the time of a call; Earliest explains why they do not
// change its answer.

// survivalAt is the survival ratio of a plan at a time of the step. Sampling the scene costs as
// much as many tasks, so a worker remembers the last one.
func (l *least) survivalAt(t float64, w *worker, r *run) float64 {
	if t != w.weighedEnd {
		w.weighedEnd, w.survival = t, r.plan.SurvivalRatio(l.path.Segments(), l.path.Share(t))
	}
	return w.survival
}

// restarts weighs a plan whose pairs a sweep finds, on the processor or on a device.
func (s *sweep) restarts(l *least, r *run) func(w *worker, t *broad.Task) bool {
	if r.plan.Remote() {
		return func(w *worker, t *broad.Task) bool { return l.remotePays(r, w, t) }
	}
	return func(w *worker, t *broad.Task) bool { return l.restartPays(r, w, t) }
}

// restarts weighs a plan of given pairs, where no sweep has replaced them.
func (g *given) restarts(l *least, r *run) func(w *worker, t *broad.Task) bool {
	if g.pairs == nil {
		return g.sweep.restarts(l, r)
	}
	n := len(r.plan.Tasks())
	l.rest = r.plan.Weight() * int64(n-r.from) / int64(max(n, 1))
	return func(w *worker, t *broad.Task) bool { return g.tighteningPays(l, r, w, t) }
}

// restartPays reports, after a worker's task, whether a plan up to the current horizon is
// expected to be cheaper than the rest of this pass.
func (l *least) restartPays(r *run, w *worker, t *broad.Task) bool {
	done := float64(l.done.Add(int64(t.Weight)))
	horizon, entries, threads := l.horizon(), float64(r.plan.Weight()), float64(l.c.Stats.Threads)
	share := done / entries
	if horizon >= r.until {
		return l.path.Halve(r.plan, share, float64(w.sweep.Kept)*threads/share)
	}
	if l.path.Share(horizon) >= l.path.Share(r.until) { // the section ends before both
		return false
	}
	// The pairs of the whole pass cost so much, if all workers are alike.
	pairs := (l.path.costs().of(w) - w.base) * threads / share
	rest := (float64(costSweep*entries) + pairs) * (1 - share)
	fixed := float64((costBuild+costSweep)*entries) + float64(l.path.costs().vertex*float64(l.c.m.NV))
	if restartMargin*fixed >= rest {
		return false
	}
	return restartMargin*(fixed+float64(l.survivalAt(horizon, w, r)*pairs)) < rest
}

// tighteningPays reports the same for a plan of given pairs. A restart computes new records, which
// cover less time, so that fewer of the remaining pairs pass; or a new sweep replaces the given
// pairs (sweepPays).
func (g *given) tighteningPays(l *least, r *run, w *worker, t *broad.Task) bool {
	done := float64(l.done.Add(int64(t.Weight)))
	horizon := l.horizon()
	if horizon >= r.until {
		return false
	}
	remaining := float64(l.rest) - done
	perPair := (l.path.costs().of(w) - w.base) * float64(l.c.Stats.Threads) / done
	rest := remaining * (perPair - costSeen) // without looking the pairs up
	fixed := float64(costRecord * float64(l.c.Stats.Boxes))
	if restartMargin*fixed >= rest && !g.sweepPays(0) {
		return false
	}
	survival := l.survivalAt(horizon, w, r)
	return restartMargin*(fixed+float64(survival*rest)) < rest || g.sweepPays(survival*r.plan.SizeRatio())
}

// rebuildPairs is the number of pairs that a device finds and filters in the time that it takes to
// make a plan: at 1 ms for the launches of a plan (device.Least) and 2 10^9 pairs a second, an
// estimate. On PoCL, where a launch costs little and a pair much, a plan of 128,134 primitives
// takes as long as 76,000 pairs of which a third touch (measured). Too large a number only forgoes
// a restart. Not measured on a graphics processor. Tests lower it.
var rebuildPairs = 1 << 21

// remotePays reports the same for a plan whose pairs a device finds.
func (l *least) remotePays(r *run, w *worker, t *broad.Task) bool {
	done := float64(l.done.Add(int64(t.Weight)))
	horizon := l.horizon()
	rest := float64(r.plan.Weight()) - done
	if horizon >= r.until || rest < restartMargin*float64(rebuildPairs) {
		return false
	}
	return restartMargin*(float64(rebuildPairs)+float64(l.survivalAt(horizon, w, r)*rest)) < rest
}

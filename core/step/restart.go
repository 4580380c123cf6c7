package step

import (
	"ccd/core/broad"
)

// Restarting. Swept boxes are large because they cover the whole step, but the first impact often comes early: once
// some impact at T is known, a new plan of [0, T] may have so few candidates that building and sweeping it costs less
// than what is left of the present one. A step without impact never restarts, so it costs what a plain pass does.
// Costs are counted, not timed, in nanoseconds of one machine; they steer the route alone (see Earliest for why the
// answer does not depend on it).
const (
	costRecord = 20  // the record of a primitive
	costBuild  = 40  // an entry of a cell, once: records, sorting, scattering
	costSweep  = 40  // the same: its box, and the comparisons that find nothing
	costSeen   = 0.6 // a pair of boxes that begin within each other, which is looked at
	costSwept  = 4   // the sweep of a pair of boxes that overlap, all in all
	costGiven  = 10  // a given pair, whose records are looked up all over the mesh
	costKept   = 30  // a pair that the kinetic boxes leave, filters included
	costHit    = 900 // a pair that is in contact
	reluctance = 1.2 // how much cheaper the restart must look: the estimates are rough
)

// cost is what a worker has spent on pairs.
func (w *worker) cost() float64 {
	return float64(costSeen*float64(w.sweep.Swept)) + float64(costKept*float64(w.sweep.Kept)) + float64(costHit*float64(w.hits))
}

// worthRestarting tells, after a worker's task, whether a plan up to the present end of time is expected to be cheaper
// than the rest of this pass.
func (s *search) worthRestarting(w *worker, t *broad.Task) bool {
	done := float64(s.done.Add(int64(t.Weight)))
	end := s.end()
	if end >= s.until {
		return false
	}
	entries := float64(s.plan.Weight())
	part := done / entries
	pairs := (w.cost() - w.base) * float64(s.Stats.Threads) / part // of the whole pass; the crew is alike
	rest := (float64(costSweep*entries) + pairs) * (1 - part)
	fixed := float64((costBuild + costSweep) * entries)
	if reluctance*fixed >= rest {
		return false
	}
	if end != w.end { // a look at the scene costs as much as many tasks
		w.end, w.crowding = end, s.plan.SurvivalRatio(&s.mo, end)
	}
	return reluctance*(fixed+float64(w.crowding*pairs)) < rest
}

// worthTightening is worthRestarting for given pairs. Those done stay done; for the rest new records are made, which cover
// less time and leave fewer of them. Or they are let go (see fresh).
func (s *search) worthTightening(w *worker, t *broad.Task) bool {
	done := float64(s.done.Add(int64(t.Weight)))
	end := s.end()
	if end >= s.until {
		return false
	}
	left := float64(s.left) - done
	rest := left * ((w.cost()-w.base)*float64(s.Stats.Threads)/done - costSeen) // beside looking the pairs up
	fixed := float64(costRecord * float64(s.Stats.Boxes))
	if reluctance*fixed >= rest && !s.fresh(0) {
		return false
	}
	if end != w.end {
		w.end, w.crowding = end, s.plan.SurvivalRatio(&s.mo, end)
	}
	return reluctance*(fixed+float64(w.crowding*rest)) < rest || s.fresh(w.crowding*s.plan.SizeRatio())
}

// fresh tells whether a new sweep is expected to be cheaper than to look all given pairs up, when boxes are this large
// beside those that the pairs were swept with. The sweep finds all pairs that matter, and they are all among the given
// (broad.Plan.Spread is 1 where that is not sure), so to an exact method it is the same.
func (c *call) fresh(spread float64) bool {
	const entries = 2 // cells that a primitive is in, about
	sweep := float64(entries*(costBuild+costSweep)*float64(c.Stats.Boxes)) + float64(spread*costSwept*float64(c.plan.Weight()))
	return spread < 1 && c.exact() && c.o.MemoryLimit == 0 && reluctance*sweep < costGiven*float64(c.plan.Weight())
}

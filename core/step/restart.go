package step

import (
	"ccd/core/broad"
)

// Restarting. Swept boxes are large because they cover the whole step, but the first impact often comes early. Once an impact
// at T is known, a new plan of [0, T] may have so few candidates that building and sweeping it costs less than the rest of the
// current one. A step without impact never restarts. Costs are counted, not measured, in nanoseconds of one machine. They change
// only the time of a call; Earliest explains why they do not change its answer.
const (
	costRecord = 20  // the record of a primitive
	costBuild  = 40  // an entry of a cell, once: records, sorting, scattering
	costSweep  = 40  // an entry of a cell, once: its box, and the comparisons that find nothing
	costSeen   = 0.6 // a pair of boxes that overlap on the sweep's axis
	costSwept  = 4   // the whole sweep, for a pair of boxes that overlap
	costGiven  = 10  // a given pair, whose records are looked up all over the mesh
	costKept   = 30  // a pair that passes the kinetic boxes, filters included
	costHit    = 900 // a pair that is in contact

	costMovingKept = 300  // of a motion: a pair that passes the boxes
	costMovingHit  = 5000 // and one in contact
	costMidline    = 200  // and a vertex, once: its midline, bands and radii
)

// restartMargin is the factor by which the restart must be cheaper: the estimates are rough. At 0 every impact restarts, in tests.
var restartMargin = 1.2

// cost returns the cost of the pairs that a worker has processed.
func (w *worker) cost(c *call) float64 {
	kept, hit := float64(costKept), float64(costHit)
	if c.moves() {
		kept, hit = costMovingKept, costMovingHit
	}
	return float64(costSeen*float64(w.sweep.Swept)) + float64(kept*float64(w.sweep.Kept)) + float64(hit*float64(w.hits))
}

// survivalRatio is the plan's survival ratio, for a time of the step.
func (s *search) survivalRatio(t float64) float64 {
	if s.moves() {
		t = s.share(t)
	}
	return s.plan.SurvivalRatio(&s.mo, t)
}

// restartPays reports, after a worker's task, whether a plan up to the current end of time is expected to be cheaper than the rest
// of this pass.
func (s *search) restartPays(w *worker, t *broad.Task) bool {
	done := float64(s.done.Add(int64(t.Weight)))
	end := s.end()
	if end >= s.until {
		return s.dividePays(w, done)
	}
	if s.moves() && s.share(end) >= s.share(s.until) { // the end of the section is before both
		return false
	}
	entries := float64(s.plan.Weight())
	share := done / entries
	pairs := (w.cost(s.call) - w.base) * float64(s.Stats.Threads) / share // of the whole pass, if all workers are alike
	rest := (float64(costSweep*entries) + pairs) * (1 - share)
	fixed := float64((costBuild + costSweep) * entries)
	if s.moves() {
		fixed += float64(costMidline * float64(s.m.NV))
	}
	if restartMargin*fixed >= rest {
		return false
	}
	if end != w.weighedEnd { // sampling the scene costs as much as many tasks
		w.weighedEnd, w.survival = end, s.survivalRatio(end)
	}
	return restartMargin*(fixed+float64(w.survival*pairs)) < rest
}

// tighteningPays reports the same for a plan of given pairs. A restart computes new records, which cover less time, so that fewer of
// the remaining pairs pass; or a new sweep replaces the given pairs (sweepPays).
func (s *search) tighteningPays(w *worker, t *broad.Task) bool {
	done := float64(s.done.Add(int64(t.Weight)))
	end := s.end()
	if end >= s.until {
		return false
	}
	left := float64(s.left) - done
	rest := left * ((w.cost(s.call)-w.base)*float64(s.Stats.Threads)/done - costSeen) // without looking the pairs up
	fixed := float64(costRecord * float64(s.Stats.Boxes))
	if restartMargin*fixed >= rest && !s.sweepPays(0) {
		return false
	}
	if end != w.weighedEnd {
		w.weighedEnd, w.survival = end, s.survivalRatio(end)
	}
	return restartMargin*(fixed+float64(w.survival*rest)) < rest || s.sweepPays(w.survival*s.plan.SizeRatio())
}

// sweepPays reports whether a new sweep is expected to be cheaper than looking up all given pairs, where ratio is the volume of
// the boxes relative to those of the sweep that found the pairs. The new sweep finds all pairs that matter, and all of them are
// among the given ones (broad.Plan.SizeRatio is 1 where that is not certain), so an exact method returns the same.
func (c *call) sweepPays(ratio float64) bool {
	const entries = 2 // about the number of cells of a primitive
	sweep := float64(entries*(costBuild+costSweep)*float64(c.Stats.Boxes)) + float64(ratio*costSwept*float64(c.plan.Weight()))
	return ratio < 1 && c.exact() && c.o.MemoryLimit == 0 && restartMargin*sweep < costGiven*float64(c.plan.Weight())
}

// rebuildPairs is the number of pairs that a device finds and filters in the time that it takes to make a plan: at 1 ms for the launches of a plan
// (remoteLeast) and 2 10^9 pairs a second, an estimate. On PoCL, where a launch costs little and a pair much, a plan of 128,134 primitives takes as
// long as 76,000 pairs of which a third touch (measured). Too large a number only forgoes a restart. Not measured on a graphics processor. Tests
// lower it.
var rebuildPairs = 1 << 21

// remotePays reports the same for a plan whose pairs a device finds.
func (s *search) remotePays(w *worker, t *broad.Task) bool {
	done := float64(s.done.Add(int64(t.Weight)))
	end := s.end()
	rest := float64(s.plan.Weight()) - done
	if end >= s.until || rest < restartMargin*float64(rebuildPairs) {
		return false
	}
	if end != w.weighedEnd {
		w.weighedEnd, w.survival = end, s.survivalRatio(end)
	}
	return restartMargin*(float64(rebuildPairs)+float64(w.survival*rest)) < rest
}

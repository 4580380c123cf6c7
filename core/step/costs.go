package step

// What a search costs, in nanoseconds of one machine. Costs are counted, not measured. They change
// only the time of a call.
const (
	costRecord = 20  // the record of a primitive
	costBuild  = 40  // an entry of a cell, once: records, sorting, scattering
	costSweep  = 40  // an entry of a cell, once: its box, and the comparisons that find nothing
	costSeen   = 0.6 // a pair of boxes that overlap on the sweep's axis
	costSwept  = 4   // the whole sweep, for a pair of boxes that overlap
	costGiven  = 10  // a given pair, whose records are looked up all over the mesh
)

// restartMargin is the factor by which the restart must be cheaper: the estimates are rough. At 0
// every impact restarts, in tests.
var restartMargin = 1.2

// pathCosts is what one pair of a path costs, and one vertex of a new plan.
type pathCosts struct {
	boxed  float64 // a pair that passes the boxes, filters included
	hit    float64 // a pair in contact
	vertex float64 // a vertex of a new plan
}

// of returns what the pairs cost that a worker has processed.
func (c pathCosts) of(w *worker) float64 {
	boxed, hits := float64(c.boxed*float64(w.sweep.Kept)), float64(c.hit*float64(w.hits))
	return float64(costSeen*float64(w.sweep.Swept)) + boxed + hits
}

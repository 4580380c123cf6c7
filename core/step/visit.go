package step

import (
	"sync"

	"ccd/core/geom"
	"ccd/core/mesh"
)

// visitBatch is the largest number of impacts that a visitor gets at once: 60 KiB for each worker.
const visitBatch = 512

// Visit passes every pair that is not Separate to visit, in batches of 1 to 512, and stores none.
// It finds the impacts that Collisions lists, in memory that does not grow with their number.
//
//  1. If Visit returns nil, every impact of Collisions was in one batch, once, with the same bits.
//  2. The order of impacts, within batches too, is that in which they are found. On one thread it
//     is deterministic.
//  3. visit is called from any goroutine of the call, but not concurrently. The slice belongs to
//     Visit and is valid until visit returns. If visit returns true, the call ends soon with
//     status.ErrCancelled, and visit is not called again.
func Visit(m *mesh.Mesh, x0, x1 []float64, o *Options, visit func(batch []geom.Impact) (stop bool)) error {
	c, err := start(m, x0, x1, o)
	return runVisit(c, err, visit)
}

// runVisit runs the call Visit, if it could begin, and ends it.
func runVisit(c *call, err error, visit func(batch []geom.Impact) (stop bool)) error {
	if err != nil {
		return err
	}
	defer c.end()
	return c.visit(visit)
}

// visit is the call Visit.
func (c *call) visit(visit func(batch []geom.Impact) (stop bool)) error {
	c.results.batchSize = visitBatch
	var one sync.Mutex
	hand := func(w *worker) {
		one.Lock()
		defer one.Unlock()
		if len(w.batch) > 0 && !c.results.halt.Load() && !c.Progress.Cancelled() && visit(w.batch) {
			c.results.halt.Store(true)
		}
		w.batch = w.batch[:0]
	}
	for _, w := range c.workers[:c.Stats.Threads] {
		w.batch = make([]geom.Impact, 0, visitBatch)
	}
	add := func(w *worker, im *geom.Impact) {
		if w.batch = append(w.batch, *im); len(w.batch) == visitBatch {
			hand(w)
		}
		w.tally(im)
	}
	if err := sweepAll(c, narrowed{}, everyImpact(c, add), add, false); err != nil {
		return err
	}
	for _, w := range c.workers[:c.Stats.Threads] { // incomplete batches
		hand(w)
		c.Stats.Impacts += w.seen
		c.Stats.Undecided += w.undecided
	}
	if c.results.halt.Load() {
		return errVisitor
	}
	return c.finish(nil)
}

// tally counts an impact.
func (w *worker) tally(im *geom.Impact) {
	w.seen++
	if im.Verdict == geom.Undecided {
		w.undecided++
	}
}

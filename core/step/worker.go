package step

import (
	"time"

	"ccd/core/broad"
	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/narrow"
	"ccd/core/step/curved"
	"ccd/simd/pairs"
)

// worker is the state of one goroutine of a call.
//
// Size: what a goroutine finds and counts, for each kind of call; parts of it have types of their
// own.
type worker struct {
	sweep  *broad.Worker
	solver *narrow.Solver
	second *narrow.Solver // nil until secondSolver makes it
	block
	of      *geom.Trajectories // the segments that idx refers to
	current [][2]int32         // the pairs of the current block; no later block may read them
	end     float64            // the time up to which an impact of the current block matters
	found   engine.List[geom.Impact]
	narrow  time.Duration // spent on pairs
	pairs   [geom.EdgeFace]int64

	batch           []geom.Impact // for a visitor
	seen, undecided int64         // impacts passed to it

	leastImpact
	hits       int64   // results that were not Separate
	base       float64 // cost before this pass
	weighedEnd float64 // the end of time for which a restart was last considered
	survival   float64 // the plan's survival ratio there
}

// leastImpact is that of a search for the earliest, as far as its worker knows.
type leastImpact struct {
	best  geom.Impact
	ties  int           // pairs that touch at its time, or are only proven not to touch before, since that was found
	apart narrow.Before // proves pairs apart before this time
}

// block is the memory of a block of pairs.
type block struct {
	idx   [][4]int32 // vertices
	each  []float64  // separations, where they differ
	given [][2]int32 // pairs of a caller's list

	sifted   sifted
	queue    queue
	curved   curved.Worker
	unproven unproven
}

// queue is what waits for a device, and what comes from it.
type queue struct {
	held   [geom.EdgeEdge + 1][][2]int32 // by kind: pairs that wait
	enough int                           // how many pairs are passed on
	found  pairs.Found                   // the pairs of a window that the device did not prove apart
}

// resetWorkers makes the workers that are missing, and prepares all of them for a call; their
// memory stays.
func resetWorkers(workers []*worker, threads int, limit uint64) []*worker {
	for len(workers) < threads {
		workers = append(workers, &worker{
			sweep:  broad.NewWorker(),
			solver: narrow.NewSolver(),
			block:  block{idx: make([][4]int32, 0, broad.BlockLen)},
		})
	}
	for _, w := range workers {
		*w = worker{sweep: w.sweep, solver: w.solver, second: w.second, block: w.block, found: w.found}
		w.found.Clear(limit)
		w.unproven.clear()
		w.sweep.Swept, w.sweep.Kept = 0, 0
		w.solver.Boxed, w.solver.Times = false, false
		w.best.SetSeparate(0)
	}
	return workers
}

// bytes returns the memory of the worker without its solver.
func (w *worker) bytes() int64 {
	lists := 16*cap(w.idx) + 8*cap(w.each) + 28*cap(w.sifted.at) + impactBytes*(w.found.Cap()+cap(w.batch))
	return w.sweep.Bytes() + w.deviceBytes() + w.unproven.bytes() + int64(lists)
}

// secondSolver returns a solver for use inside a batch of the first.
func (w *worker) secondSolver() *narrow.Solver {
	if w.second == nil {
		w.second = narrow.NewSolver()
	}
	return w.second
}

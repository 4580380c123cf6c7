package step

import (
	"time"
	"unsafe"

	"ccd/core/broad"
	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/narrow"
	"ccd/core/step/curved"
	"ccd/core/step/device"
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
	horizon float64            // the time up to which an impact of the current block matters
	found   engine.List[geom.Impact]
	narrow  time.Duration // the time spent on pairs
	pairs   [geom.EdgeFace]int64

	batch           []geom.Impact // impacts that wait for a visitor
	seen, undecided int64         // the number of impacts that were passed to it

	leastImpact
	hits       int64   // the number of results that were not Separate
	base       float64 // the cost before this pass
	weighedEnd float64 // the horizon for which a restart was last considered
	survival   float64 // the plan's survival ratio there
}

// leastImpact is the least impact that a worker of a search for the earliest knows.
type leastImpact struct {
	best   geom.Impact
	ties   int              // the pairs since then that touch at its time or are not proven not to
	apart  narrow.Before    // what proves pairs apart before its time
	kind   geom.Kind        // the kind of the current block
	wanted func(i int) bool // whether pair i of the current block may precede it
}

// block is the memory of a block of pairs.
type block struct {
	idx   [][4]int32 // the vertices of each pair
	each  []float64  // the separations, where they differ
	given [][2]int32 // the pairs of a caller's list

	sifted   sifted
	queue    device.Queue
	curved   curved.Worker
	unproven unproven
}

const impactBytes = int(unsafe.Sizeof(geom.Impact{}))

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
		w.queue.Reset()
		w.sweep.Swept, w.sweep.Kept = 0, 0
		w.solver.Boxed, w.solver.Times, w.solver.Remote = false, false, nil
		w.best.SetSeparate(0)
	}
	return workers
}

// bytes returns the memory of the worker without its solver.
func (w *worker) bytes() int64 {
	lists := 16*cap(w.idx) + 8*cap(w.each) + 28*cap(w.sifted.at) + impactBytes*(w.found.Cap()+cap(w.batch))
	return w.sweep.Bytes() + w.queue.Bytes() + w.solver.Remote.Bytes() + w.unproven.bytes() + int64(lists)
}

// secondSolver returns a solver for use inside a batch of the first.
func (w *worker) secondSolver() *narrow.Solver {
	if w.second == nil {
		w.second = narrow.NewSolver()
	}
	return w.second
}

// sifted are the pairs of a block with separations of their own that a device could not prove
// apart.
type sifted struct {
	idx  [][4]int32
	each []float64
	at   []int32 // their positions in the block
}

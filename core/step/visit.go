package step

import (
	"sync"

	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/status"
)

// visitPortion is the most impacts that a visitor gets at once: 60 KiB for each worker, which handing over costs nothing beside.
const visitPortion = 512

// errVisitor is a status.ErrCancelled whose text names who asked.
var errVisitor error = visitorStopped{}

type visitorStopped struct{}

func (visitorStopped) Error() string { return "stopped by the visitor" }
func (visitorStopped) Unwrap() error { return status.ErrCancelled }

// Visit hands every pair that is not Separate to visit, in portions of 1 to 512, and keeps none: what Collisions lists, in memory
// that does not grow with what is found.
//
//  1. Where Visit returns nil, every impact of Collisions was in one portion, once, with the same bits.
//  2. The order of impacts, within portions too, is that in which they are found. On one thread it is the same in every run; else
//     it may differ.
//  3. visit is called from any goroutine of the call, never twice at once. The slice is Visit's own, and valid until visit returns.
//     Where it returns true the call ends soon with status.ErrCancelled, and visit is not called again.
func Visit(m *mesh.Mesh, x0, x1 []float64, o *Options, visit func(portion []geom.Impact) (stop bool)) error {
	c, err := start(m, x0, x1, o)
	if err != nil {
		return err
	}
	defer c.end()
	c.portion = visitPortion
	var one sync.Mutex
	hand := func(w *worker) {
		one.Lock()
		defer one.Unlock()
		if len(w.portion) > 0 && !c.halt.Load() && !c.Progress.Cancelled() && visit(w.portion) {
			c.halt.Store(true)
		}
		w.portion = w.portion[:0]
	}
	for _, w := range c.crew[:c.Stats.Threads] {
		w.portion = make([]geom.Impact, 0, visitPortion)
	}
	err = c.sweepAll(func(w *worker, k geom.Kind, pairs [][2]int32) {
		w.solver.Batch(k, &c.mo, w.idx, &c.o.Options, func(i int, im *geom.Impact) {
			im.A, im.B = int64(pairs[i][0]), int64(pairs[i][1])
			if w.portion = append(w.portion, *im); len(w.portion) == visitPortion {
				hand(w)
			}
			w.tally(im)
		})
	})
	if err != nil {
		return err
	}
	for _, w := range c.crew[:c.Stats.Threads] { // what is left
		hand(w)
		c.Stats.Impacts += w.seen
		c.Stats.Undecided += w.undecided
	}
	if c.halt.Load() {
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

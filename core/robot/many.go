package robot

import (
	"fmt"
	"slices"

	"ccd/core/engine"
	"ccd/core/status"
)

// CheckEdges decides edges, given by the values of all variables at both ends one edge after the
// other, on several threads. The results do not depend on their number.
func (r *Robot) CheckEdges(q0, q1 []float64, o *Options, threads int) ([]Result, error) {
	out := make([]Result, len(q0)/max(1, r.model.Variables))
	return out, r.CheckInto(out, q0, q1, o, threads)
}

// CheckInto is CheckEdges with the memory of the results.
func (r *Robot) CheckInto(out []Result, q0, q1 []float64, o *Options, threads int) error {
	n := r.model.Variables
	if len(q0) != n*len(out) || len(q1) != n*len(out) {
		return status.Errorf(status.ErrArgument, "q0 and q1 have %d and %d values: %d edges have %d of %d variables",
			len(q0), len(q1), len(out), n*len(out), n)
	}
	if len(out) == 1 {
		w := r.worker()
		result, err := w.Check(q0, q1, o)
		out[0] = result
		r.workers.Put(w) // After a panic the worker may be inconsistent, and is not put back.
		return err
	}
	if err := o.check(); err != nil {
		return err
	}
	failed := make([]error, len(out))
	tasks := engine.NewTasks(0, len(out))
	err := engine.Parallel(max(1, min(threads, len(out))), func(int) {
		w := r.worker()
		for i := range tasks.All() {
			out[i], failed[i] = w.Check(q0[i*n:(i+1)*n], q1[i*n:(i+1)*n], o)
		}
		r.workers.Put(w)
	})
	if err != nil {
		return err
	}
	if i := slices.IndexFunc(failed, func(err error) bool { return err != nil }); i >= 0 {
		return fmt.Errorf("edge %d: %w", i, failed[i])
	}
	return nil
}

// worker returns a worker of earlier checks, or a new one.
func (r *Robot) worker() *Worker {
	if w, ok := r.workers.Get().(*Worker); ok {
		return w
	}
	return NewWorker(r)
}

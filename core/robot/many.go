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
	return r.each(len(out), threads, o, func(w *Worker, i int) (err error) {
		out[i], err = w.Check(q0[i*n:(i+1)*n], q1[i*n:(i+1)*n], o)
		return err
	})
}

// CheckCurves decides edges with control values as those of CheckCurve, one edge after the other,
// on several threads. The results do not depend on their number.
func (r *Robot) CheckCurves(out []Result, control []float64, degree int, o *Options, threads int) error {
	n, err := r.controls(len(control), degree, len(out))
	if err != nil {
		return err
	}
	return r.each(len(out), threads, o, func(w *Worker, i int) (err error) {
		out[i], err = w.CheckCurve(control[i*n:(i+1)*n], degree, o)
		return err
	})
}

// Clearances brackets the least distance on each of the parts of equal length that edges are
// divided into: Gap k + i parts is that of part k of edge i. The results do not depend on the
// number of threads.
func (r *Robot) Clearances(out []Gap, control []float64, degree, parts int, o *Options, threads int) error {
	if parts < 1 || len(out)%parts != 0 {
		return status.Errorf(status.ErrArgument, "parts is %d: must be at least 1", parts)
	}
	n, err := r.controls(len(control), degree, len(out)/parts)
	if err != nil {
		return err
	}
	return r.each(len(out), threads, o, func(w *Worker, at int) (err error) {
		i, k := at/parts, at%parts
		from, to := float64(k)/float64(parts), float64(k+1)/float64(parts)
		out[at], err = w.Clearance(control[i*n:(i+1)*n], degree, from, to, o)
		return err
	})
}

// Touching is that of Worker, with a worker of earlier calls.
func (r *Robot) Touching(control []float64, degree int, o *Options) ([]Result, error) {
	w := r.worker()
	list, err := w.Touching(nil, control, degree, o)
	r.workers.Put(w) // After a panic the worker may be inconsistent, and is not put back.
	return list, err
}

// Ranges is that of Worker, with a worker of earlier calls.
func (r *Robot) Ranges(lower, upper []float64, o *Options) ([]Meeting, error) {
	w := r.worker()
	list, err := w.Ranges(lower, upper, o)
	r.workers.Put(w) // After a panic the worker may be inconsistent, and is not put back.
	return list, err
}

// controls returns how many control values an edge has, if this is the number of those of edges.
func (r *Robot) controls(values, degree, edges int) (int, error) {
	if degree < 0 || degree > HighestDegree {
		return 0, status.Errorf(status.ErrArgument, "degree is %d: must be in [0, %d]", degree, HighestDegree)
	}
	n := r.model.Variables * (degree + 1)
	if values != n*edges {
		return 0, status.Errorf(status.ErrArgument,
			"control has %d values: %d edges of the degree %d have %d of %d variables", values, edges, degree, n*edges,
			r.model.Variables)
	}
	return n, nil
}

// each runs a call for each of so many edges, and returns the error of the first one that has one.
func (r *Robot) each(count, threads int, o *Options, call func(w *Worker, i int) error) error {
	if count == 1 {
		w := r.worker()
		err := call(w, 0)
		r.workers.Put(w) // After a panic the worker may be inconsistent, and is not put back.
		return err
	}
	if err := o.check(); err != nil {
		return err
	}
	failed := make([]error, count)
	tasks := engine.NewTasks(0, count)
	err := engine.Parallel(max(1, min(threads, count)), func(int) {
		w := r.worker()
		for i := range tasks.All() {
			failed[i] = call(w, i)
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

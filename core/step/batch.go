package step

import (
	"fmt"
	"slices"

	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/status"
)

// EarliestBatch writes the earliest impact of each of several worlds to out: of the same mesh, at
// other positions. World i has the coordinates from 3 m.NV i on of x0 and x1.
//
// Law: out[i] has the bits of Earliest for these coordinates. Workers take one world after the
// other; where there are fewer worlds than threads, the threads of a world are those that remain.
// A memory limit holds for each world, which are then computed in turn. Options.Stats add up all
// worlds. An error names the first world that has one.
func EarliestBatch(m *mesh.Mesh, x0, x1 []float64, out []geom.Impact, o *Options) error {
	own := DefaultOptions()
	if o != nil {
		own = *o
	}
	n := 3 * m.NV
	for i, x := range [][]float64{x0, x1} {
		if len(x) != n*len(out) {
			return status.Errorf(status.ErrArgument, "x%d has %d coordinates; %d worlds of %d vertices have %d",
				i, len(x), len(out), m.NV, n*len(out))
		}
	}
	if own.Device != nil {
		return status.Errorf(status.ErrUnsupported, "options.device: worlds are computed on the CPU")
	}
	var call engine.Call
	if err := call.Begin(&own.CallOptions); err != nil {
		return err
	}
	threads := own.Workers()
	workers := max(1, min(threads, len(out)))
	if own.MemoryLimit != 0 {
		workers = 1
	}
	own.Threads, own.Progress = max(1, threads/workers), nil
	call.Progress.Part(int64(len(out)), 1)
	stats, errs := make([]engine.Stats, workers), make([]error, len(out))
	tasks := engine.NewTasks(0, len(out))
	err := call.Run(workers, func(w int) {
		for i := range tasks.All() {
			one, counted := own, engine.Stats{}
			one.Stats = &counted
			out[i], errs[i] = Earliest(m, x0[n*i:n*(i+1)], x1[n*i:n*(i+1)], &one)
			stats[w].Add(&counted)
			if errs[i] != nil {
				tasks.Stop()
			}
			if !call.Progress.Pass(1) {
				return
			}
		}
	})
	if i := slices.IndexFunc(errs, func(err error) bool { return err != nil }); i >= 0 && err == nil {
		err = fmt.Errorf("world %d: %w", i, errs[i])
	}
	for i := range stats {
		call.Stats.Add(&stats[i])
	}
	call.Stats.Threads = int32(workers) * int32(own.Threads)
	return call.End(err)
}

package step

import (
	"cmp"
	"errors"

	"ccd/core/broad"
	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/num"
	"ccd/core/status"
	"ccd/core/step/device"
	"ccd/simd/pairs"
)

// mostTogether is the largest number of primitives of the worlds that a device is given at once.
// Only memory depends on it.
var mostTogether = 1 << 22

// onDevice is EarliestBatch on the device of the options: all worlds are one mesh of copies
// (mesh.Copies), whose pairs the device finds within each copy, so that a launch serves all worlds.
// done is false where no device serves, or it fails: then out holds nothing, and the CPU computes
// all.
//
// Law: out[i] has the bits of Earliest. The device leaves out pairs that it proves to keep their
// separation, as in a single step (docs/numerics.md, the law of devices), and each world has the
// argument of Earliest: its search compares its own pairs only.
func onDevice(m *mesh.Mesh, x0, x1 []float64, out []geom.Impact, o *Options, call *engine.Call) (done bool, err error) {
	failed := func(why string) (bool, error) {
		if o.DeviceOnly {
			return false, status.Errorf(status.ErrUnsupported, "options.device is CCD_DEVICE_GPU: %s", why)
		}
		return false, nil
	}
	if !searchesWorlds(o) {
		return failed("worlds with a region, a check of the start, a memory limit or another method are " +
			"computed on the CPU")
	}
	size := max(1, m.NV+len(m.Edges)+len(m.Faces))
	parts := (len(out)*size + mostTogether - 1) / mostTogether
	n := 3 * m.NV
	for i := range parts {
		from, to := len(out)*i/parts, len(out)*(i+1)/parts
		t := together{m: m, o: *o, call: call, worlds: out[from:to]}
		if ok, err := t.earliest(x0[n*from:n*to], x1[n*from:n*to]); !ok || err != nil {
			return false, err
		}
	}
	return true, nil
}

// together is a search for the earliest impacts of worlds that a device is given at once.
type together struct {
	m      *mesh.Mesh
	o      Options
	call   *engine.Call
	worlds []geom.Impact // the earliest impact so far of each, in the numbers of the copies
	ties   []int         // the worker's ties with it
	c      *call         // the call on the mesh of copies
	least  *least
}

// earliest fills the worlds. ok is false where no device serves, as for a few pairs. An error of
// the arguments is left to the CPU, which names the world; an error is one of a device that must
// serve.
func (t *together) earliest(x0, x1 []float64) (ok bool, err error) {
	all := t.m.Copies(len(t.worlds))
	if all == nil {
		return false, nil
	}
	var stats engine.Stats
	t.o.Threads, t.o.Progress, t.o.Stats = 1, nil, &stats
	if t.c, err = start(all, x0, x1, &t.o); err != nil {
		if t.o.DeviceOnly && errors.Is(err, status.ErrUnsupported) {
			return false, err
		}
		return false, nil
	}
	defer t.c.end()
	c, plan := t.c, &t.c.memory.plan
	if c.device.Finder() == nil {
		return false, nil
	}
	how := broad.PlanOptions{
		Input: broad.Input{Separation: c.o.MinSeparation, Radii: c.radii, Until: c.o.TMax},
		Work:  broad.Work{Threads: 1}, Tactic: broad.Tactic{Remote: c.device.Finder()},
	}
	sep := c.radii.LargestSeparation(c.o.MinSeparation)
	c.device.Finder().Expect(device.Batch, c.o.TMax, sep)
	if err := plan.Build(all, &c.memory.segments, how); err != nil || !plan.Remote() && len(plan.Tasks()) > 0 {
		return false, c.device.Err(c.remotes)
	}
	c.Stats.Plans++
	t.least, t.ties = newLeast(c), make([]int, len(t.worlds))
	for i := range t.worlds {
		t.worlds[i] = noImpact()
	}
	for i := range plan.Tasks() {
		if !t.task(plan, &plan.Tasks()[i]) {
			return false, cmp.Or(t.call.Progress.Err(), c.device.Err(c.remotes))
		}
	}
	for i := range t.worlds {
		t.worlds[i] = t.answer(i)
	}
	if err := c.finish(t.worlds); err != nil {
		return false, err
	}
	t.call.Stats.Add(&stats)
	return true, nil
}

// task takes the pairs of a task. It returns false where the device failed or the call is to end.
func (t *together) task(plan *broad.Plan, task *broad.Task) (ok bool) {
	w, found := t.c.workers[0], &t.c.workers[0].queue.Found
	ok = true
	if !w.solver.Remote.Takes(task.Kind, device.Batch) {
		w.solver.Remote.Used = true
		w.sweep.Sweep(plan, task, func(k geom.Kind, list [][2]int32) bool {
			w.pairs[k-1] += int64(len(list))
			t.take(w, k, &pairs.Found{Pairs: list}, false)
			ok = t.call.Progress.Pass(0)
			return ok
		})
		return ok && t.c.device.Finder().Err() == nil
	}
	sep, most := t.c.radii.LargestSeparation(t.o.MinSeparation), device.Batch
	plan.Windows(task, &most, func(from int64, n int) bool {
		w.pairs[task.Kind-1] += int64(n)
		if !plan.FirstOf(task, from, n, t.o.TMax, sep, found) {
			ok = false
			return false
		}
		t.take(w, task.Kind, found, true)
		ok = t.call.Progress.Pass(0)
		return ok
	})
	return ok
}

// take has each world search its part of the pairs, which are in the order of the worlds or nearly
// so. filtered says that the device has looked for their first contacts.
func (t *together) take(w *worker, k geom.Kind, found *pairs.Found, filtered bool) {
	one := int32(t.m.Count(k.Info().Shapes[0]))
	for i, j := 0, 0; i < len(found.Pairs); i = j {
		world := found.Pairs[i][0] / one
		for j = i + 1; j < len(found.Pairs) && found.Pairs[j][0]/one == world; j++ {
		}
		part := found.Pairs[i:j]
		if filtered {
			w.solver.Remote.Prefetched(&pairs.Found{Pairs: part, Masks: found.Masks[i:j], TOI: found.TOI[i:j],
				State: found.State[i:j]})
		}
		t.search(w, k, int(world), part)
		w.solver.Remote.Drop()
	}
}

// search goes on with the search of a world.
func (t *together) search(w *worker, k geom.Kind, world int, part [][2]int32) {
	l := t.least
	w.best, w.ties = t.worlds[world], t.ties[world]
	l.bound.Set(t.c.o.TMax)
	if w.best.Verdict != geom.Separate {
		l.bound.Lower(num.Up(w.best.TOILo))
	}
	w.of, w.idx = &t.c.memory.segments, t.c.m.Gather(k, part, w.idx)
	l.block(w, k, part)
	t.worlds[world], t.ties[world] = w.best, w.ties
}

// answer returns the earliest impact of a world, in the numbers of the mesh.
func (t *together) answer(world int) geom.Impact {
	t.c.workers[0].best = t.worlds[world]
	im := t.least.result()
	if im.Verdict != geom.Separate {
		shapes := im.Kind.Info().Shapes
		im.A -= int64(world) * int64(t.m.Count(shapes[0]))
		im.B -= int64(world) * int64(t.m.Count(shapes[1]))
	}
	return im
}

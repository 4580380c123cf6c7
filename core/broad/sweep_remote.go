package broad

import (
	"unsafe"

	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/mesh"
)

// sweepRemote is Sweep on a device, slab by slab where its memory is not enough. ok is false where
// it failed: the processor then does it all.
func sweepRemote(m *mesh.Mesh, mo *geom.Trajectories, radii *mesh.Radii, o *Options,
	stats *sweepStats) (c *Candidates, ok bool, err error) {
	r := o.Remote
	r.Exact = true
	r.Device.Limit(o.MemoryLimit)
	if err := r.Device.Load(mo.Rec); err != nil {
		return nil, false, r.lose(err)
	}
	p, w := plans.Get().(*Plan), workers.Get().(*Worker)
	defer p.recycle()
	defer workers.Put(w)
	s := remoteSweep{plan: p, worker: w, found: make([]pairList, len(families(m))), stats: stats}
	s.budget.Begin(o.MemoryLimit)
	s.progress.Begin(o.Progress)
	how := PlanOptions{Input: Input{Separation: o.MinSeparation, Radii: radii, Until: 1, Still: true},
		Tactic: Tactic{Remote: r}, Work: Work{Threads: 1}}
	if err = s.all(m, mo, how); err == nil {
		if err = s.budget.Err(); err == nil {
			err = s.progress.End()
		}
	}
	if err != nil {
		s.free()
		return nil, r.usable(), err
	}
	c = &Candidates{mesh: m, separation: o.MinSeparation, radii: radii, threads: max(1, o.Threads), filter: m.Filter()}
	if len(p.work) > 0 {
		c.extent = p.extent(&p.work[p.largest].sample)
	}
	for f := range p.work {
		c.kinds[p.work[f].kind-1].take([][]pairList{s.found}, f)
	}
	stats.write(o, c)
	return c, true, nil
}

// remoteSweep is one sweep on a device.
type remoteSweep struct {
	plan     *Plan
	worker   *Worker
	found    []pairList // found is by family.
	budget   engine.Budget
	progress engine.Progress
	stats    *sweepStats
}

// all sweeps all slabs.
func (s *remoteSweep) all(m *mesh.Mesh, mo *geom.Trajectories, how PlanOptions) error {
	var slabs SlabPlan
	begun := int64(len(s.found)) * int64(unsafe.Sizeof(listChunk{}))
	for slabs.Begin(nil); slabs.More(); slabs.Next() {
		s.stats.clock.Lap()
		if err := slabs.Build(s.plan, m, mo, how); err != nil {
			return err
		}
		working := s.plan.Working() + int64(8*cap(mo.Rec)) + begun
		s.stats.built(working)
		s.budget.SetWorking(working)
		s.progress.Part(s.plan.Weight(), slabs.UpTo())
		for i := range s.plan.todo.list {
			t := &s.plan.todo.list[i]
			if s.task(t); !s.progress.Pass(int64(t.Weight)) || s.budget.Over() {
				return nil
			}
		}
	}
	return nil
}

// task lists the pairs of a task.
func (s *remoteSweep) task(t *Task) {
	p := s.plan
	if !p.Remote() { // a slab that does not fit on the device
		s.worker.list(p, t, &s.found[t.family], &s.budget)
		return
	}
	into := &s.found[s.familyOf(t)]
	for from := t.c0; from < t.c1; {
		out := into.reserve()
		out = out[:min(len(out), t.c1-from, p.own.windows.room)]
		p.Pairs(t, int64(from), out)
		from += len(out)
		if t.Kind == geom.PointEdge {
			out = keep(out, func(a, b int32) bool { return p.filter.Allows(t.Kind, a, b) })
		}
		into.commit(len(out))
		if !s.budget.Take(int64(len(out)) * pairBytes) {
			return
		}
	}
}

// familyOf returns the number of the family of a task's list.
func (s *remoteSweep) familyOf(t *Task) int {
	for i := range s.plan.work {
		if s.plan.work[i].kind == t.Kind {
			return i
		}
	}
	panic("broad: a task of no family")
}

// free gives the lists back.
func (s *remoteSweep) free() {
	for i := range s.found {
		s.found[i].free()
	}
}

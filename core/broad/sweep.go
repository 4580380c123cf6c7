package broad

import (
	"runtime"
	"sync/atomic"

	"ccd/core/bound"
	"ccd/core/geom"
	"ccd/core/mesh"
)

// Sweep finds all candidates: those of a plan of the step, the few that single precision cannot decide settled by the
// boxes of doubles.
func Sweep(m *mesh.Mesh, mo *geom.Motion, o Options) (*Candidates, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	threads := o.Threads
	if threads == 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	var p Plan
	err := p.Build(m, mo, PlanOptions{Radius: bound.Half(o.MinSeparation), Until: 1, Still: true, Threads: threads})
	if err != nil {
		return nil, err
	}
	var g Gate
	g.Begin(o.Progress)
	g.Part(p.Weight(), 1)
	tasks := p.Tasks()
	threads = max(1, min(threads, len(tasks)))
	found := make([][]pairList, threads) // by worker and family
	var next atomic.Int64
	err = Crew(threads, func(i int) {
		found[i] = make([]pairList, len(p.work))
		w := NewWorker()
		for {
			j := int(next.Add(1)) - 1
			if j >= len(tasks) {
				return
			}
			w.list(&p, &tasks[j], &found[i][tasks[j].family])
			if !g.Pass(int64(tasks[j].Weight)) {
				return
			}
		}
	})
	if err == nil {
		err = g.End()
	}
	if err != nil {
		return nil, err
	}
	c := &Candidates{mesh: m, separation: o.MinSeparation, threads: threads}
	for f := range p.work {
		c.kinds[p.work[f].kind-1].hold(found, f)
	}
	return c, nil
}

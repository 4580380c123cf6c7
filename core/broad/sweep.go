package broad

import (
	"runtime"
	"sync/atomic"

	"ccd/core/bound"
	"ccd/core/geom"
	"ccd/core/mesh"
)

// Sweep finds all candidates: a plan of the step whose pairs are those of swept boxes, the few that single precision cannot
// decide settled by the boxes of doubles.
func Sweep(m *mesh.Mesh, mo *geom.Motion, o Options) (*Candidates, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	threads := o.Threads
	if threads == 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	var p Plan
	err := p.Build(m, mo, PlanOptions{Radius: bound.Half(o.MinSeparation), Until: 1, Still: true, Swept: true, Threads: threads})
	if err != nil {
		return nil, err
	}
	var g Gate
	g.Begin(o.Progress)
	g.Part(p.Weight(), 1)
	tasks := p.Tasks()
	threads = max(1, min(threads, len(tasks)))
	found := make([][4]chunks, threads)
	var next atomic.Int64
	err = Crew(threads, func(i int) {
		w := NewWorker()
		emit := func(k geom.Kind, pairs [][2]int32) bool {
			found[i][k-1].add(pairs)
			return true
		}
		for {
			j := int(next.Add(1)) - 1
			if j >= len(tasks) {
				return
			}
			w.Sweep(&p, &tasks[j], emit)
			if !g.Pass(int64(tasks[j].Weight)) {
				return
			}
		}
	})
	if err == nil && g.Cancelled() {
		err = ErrCancelled
	}
	if err != nil {
		return nil, err
	}
	return sorted(found, threads)
}

// sorted merges what the crew found, kind by kind.
func sorted(found [][4]chunks, threads int) (*Candidates, error) {
	c := new(Candidates)
	for k := range c.pairs {
		var all chunks
		for i := range found {
			all = append(all, found[i][k]...)
		}
		var err error
		if c.pairs[k], err = all.sorted(threads); err != nil {
			return nil, err
		}
	}
	return c, nil
}

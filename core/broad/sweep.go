package broad

import (
	"runtime"
	"sync/atomic"

	"ccd/core/bound"
	"ccd/core/geom"
	"ccd/core/mesh"
)

// Sweep finds all candidates: a plan of the step whose pairs are those of swept boxes, the few that single precision
// cannot decide settled by the boxes of doubles.
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
	fs := families(m)
	var place [geom.PointPoint + 1]int // of a kind's family
	found := make([][]chunks, len(fs)) // by family and worker
	for f := range fs {
		place[fs[f].kind] = f
		found[f] = make([]chunks, threads)
		for i := range found[f] {
			found[f][i] = newChunks(fs[f].a.total(m))
		}
	}
	var next atomic.Int64
	err = Crew(threads, func(i int) {
		w := NewWorker()
		emit := func(k geom.Kind, pairs [][2]int32) bool {
			found[place[k]][i].add(pairs)
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
	if err == nil {
		err = g.End()
	}
	if err != nil {
		return nil, err
	}
	c := &Candidates{mesh: m, separation: o.MinSeparation}
	for f := range fs {
		second := fs[f].b
		if fs[f].self {
			second = fs[f].a
		}
		if c.pairs[fs[f].kind-1], err = sorted(found[f], second.total(m), threads); err != nil {
			return nil, err
		}
	}
	return c, nil
}

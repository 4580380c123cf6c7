package broad

import (
	"cmp"
	"math"
	"unsafe"

	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/mesh"
)

// Sweep finds all candidates of a step. It compares boxes in single precision, and in double
// precision for the few pairs that remain in doubt.
func Sweep(m *mesh.Mesh, mo *geom.Trajectories, o Options) (*Candidates, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	if o.MemoryLimit == 0 && !o.Remote.serves(o.Region) && hasFewPairs(m) {
		return BruteForce(m, mo, o)
	}
	stats := o.beginStats()
	threads := o.threads()
	radii, err := o.radii(m)
	if err != nil {
		return nil, err
	}
	if o.Remote.serves(o.Region) {
		if c, ok, err := sweepRemote(m, mo, radii, &o, &stats); ok {
			return c, err
		}
	}
	if c, ok, err := sweepHierarchy(m, mo, radii, &o, &stats); ok {
		return c, err
	}
	p := plans.Get().(*Plan)
	defer p.recycle()
	stats.clock.Lap()
	if err := p.buildList(m, mo, &o, radii, threads); err != nil {
		return nil, err
	}
	var budget engine.Budget
	budget.Begin(o.MemoryLimit)
	// Every list has a last chunk that is partly filled.
	begun := int64(threads) * int64(len(p.work)) * int64(unsafe.Sizeof(listChunk{}))
	working := p.Working() + int64(8*cap(mo.Rec)) + begun
	stats.built(working)
	budget.SetWorking(working)
	threads = min(threads, p.Workers())
	stats.threads = threads
	found, err := p.listAll(threads, o.Progress, &budget)
	if err != nil {
		return nil, err
	}
	c := &Candidates{mesh: m, separation: o.MinSeparation, radii: radii, threads: threads, filter: p.filter}
	if len(p.work) > 0 {
		c.extent = p.extent(&p.scratch.whole)
	}
	for f := range p.work {
		c.kinds[p.work[f].kind-1].take(found, f)
	}
	stats.write(&o, c)
	return c, nil
}

// buildList makes the plan of a list of candidates.
func (p *Plan) buildList(m *mesh.Mesh, mo *geom.Trajectories, o *Options, radii *mesh.Radii, threads int) error {
	how := PlanOptions{Input: Input{Separation: o.MinSeparation, Radii: radii, Until: 1, Still: true},
		Keep: Keep{Region: o.Region}, Work: Work{Threads: threads}}
	if hasFewPairs(m) { // lists are by cells, which a plan within a limit has; the caller's budget keeps the limit
		how.Work.Limit = math.MaxInt64
	}
	return p.Build(m, mo, how)
}

// listAll returns the pairs of all tasks, by worker and then by family of pairs. On error it
// returns none and frees their memory.
func (p *Plan) listAll(threads int, progress func(float64) bool, budget *engine.Budget) ([][]pairList, error) {
	var g engine.Progress
	g.Begin(progress)
	g.Part(p.Weight(), 1)
	tasks := p.Tasks()
	found := make([][]pairList, threads)
	left := engine.NewTasks(0, len(tasks))
	err := engine.Parallel(threads, func(i int) {
		found[i] = make([]pairList, len(p.work))
		w := workers.Get().(*Worker)
		defer workers.Put(w)
		for j := range left.All() {
			t := &tasks[p.LongestFirst(j)]
			w.list(p, t, &found[i][t.family], budget)
			if !g.Pass(int64(t.Weight)) || budget.Over() {
				return
			}
		}
	})
	if err = cmp.Or(err, budget.Err()); err == nil {
		err = g.End()
	}
	if err == nil {
		return found, nil
	}
	for i := range found {
		for f := range found[i] {
			found[i][f].free()
		}
	}
	return nil, err
}

// Find returns the candidates of the step of m from x0 to x1, by Sweep or by BruteForce, and keeps
// the step: see Keep.
func Find(m *mesh.Mesh, x0, x1 []float64, bruteForce bool, o Options) (*Candidates, error) {
	var motion geom.Trajectories
	if err := m.LoadParallel(&motion, x0, x1, o.threads()); err != nil {
		return nil, err
	}
	find := Sweep
	if bruteForce {
		find = BruteForce
	}
	c, err := find(m, &motion, o)
	if err != nil {
		return nil, err
	}
	c.Keep(&motion)
	return c, nil
}

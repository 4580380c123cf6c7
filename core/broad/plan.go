package broad

import (
	"slices"
	"unsafe"

	"ccd/core/bound"
	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/simd/box"
)

// A Plan is a step prepared for the sweep: the records of the vertices and, for each family of
// pairs, a grid whose cells list the primitives. Workers sweep its tasks, concurrently and in any
// order; together they find every pair once. Build may be called again and reuses the memory.
//
// Size: the fields are the step, what is left out of it, and the memory of each stage, which the
// next Build reuses; groups of them have types of their own.
type Plan struct {
	m       *mesh.Mesh
	mo      *geom.Trajectories
	filter  *mesh.Filter
	inOrder Ordered  // memory for Sweep
	ordered *Ordered // nil, or what the cells hold places of
	how     PlanOptions
	space   bound.RecordSpace
	records
	work    []familyPlan
	few     []family // of a plan without cells, all of whose pairs are compared
	tasks   []Task
	total   int64
	largest int          // the family with the most primitives
	whole   bound.Sample // of the largest family of the mesh, static primitives included
	cell    [2]int       // the largest number of entries of a cell, in first and in second layers

	still staticCull // of a mesh with static vertices
	keeps keeper

	givenPairs
	groupedPairs
	windows         // of a device
	pieces  *pieces // nil, or what the primitives of the plan are pieces of
	divided int64   // bytes that the sweep of pieces took, for a plan of the pairs that it found
	planScratch
}

// records are the records of the vertices.
type records struct {
	recordMemory []float32
	rec          []float32 // aligned, in recordMemory
	used         []bool    // nil, or by vertexRun: whether the records of these vertices are used; the others are undefined
}

// vertexRun is the number of vertices whose records are computed at once.
const vertexRun = 16

// givenPairs are the pairs of a plan that Reuse makes.
type givenPairs struct {
	given  *Candidates // nil: the plan has cells
	joined [2][]float32
	all    [3][]float32 // the records of all primitives, by shape, in rec and joined
}

// planScratch holds the working memory of Build.
type planScratch struct {
	ranges    [2][]box.CellRange // the cells of a family's primitives
	divisions []division
	order     []int32   // of the tasks, or empty
	dividers  []divider // by thread
	sampler   bound.Sampler
	samplers  []bound.Sampler // of other threads
}

// Working returns the memory of the plan and of its workers' lists.
func (p *Plan) Working() int64 {
	return p.Bytes() + int64(max(1, p.how.Work.Threads))*listBytes(p.cell[0], p.cell[1])
}

// Task is a unit of work: some cells of one family.
type Task struct {
	Kind   geom.Kind
	Weight int // number of entries: a measure of the work, known before any pair is found
	family int
	c0, c1 int      // cells, or positions among given pairs or in a list of a device, whose number is family
	keys   keyRange // of the cell, where there is only one
	work   float32  // an estimate of the time that it takes
}

// taskWeight is the least number of entries of a task, so that the cost of distributing tasks is
// negligible.
const taskWeight = 1024

// maxEntries is the largest mean number of cells of a primitive; beyond it the grid is made
// coarser.
const maxEntries = 4

type familyPlan struct {
	family
	sample bound.Sample
	grid   grid
	layers []*layer    // of a, and of b unless self
	splits []cellSplit // of the cells that are swept in key ranges
}

// Build makes the plan of a step.
func (p *Plan) Build(m *mesh.Mesh, mo *geom.Trajectories, how PlanOptions) error {
	p.m, p.mo, p.filter, p.how, p.given, p.divided = m, mo, m.Filter(), how, nil, 0
	if p.keeps.begin(p); how.Keep.Near != nil { // Only pairs with a changed vertex are swept then.
		p.keeps.changed = nil
	}
	p.cell, p.ordered, p.grouped = [2]int{}, nil, false
	p.tasks, p.order, p.total, p.work, p.few, p.remote = p.tasks[:0], p.order[:0], 0, p.work[:0], p.few[:0], nil
	if p.isFew() {
		p.addFew()
		return nil
	}
	if ok, err := p.useNear(); ok || err != nil {
		return err
	}
	fs := families(m)
	if how.Input.Intersections {
		fs = intersectionFamilies(m)
	}
	some, err := p.needed(fs)
	if err != nil || len(some) == 0 {
		return err
	}
	p.sampler.Few = p.mayGroup()
	if err := p.chooseSpace(fs, some); err != nil {
		return err
	}
	if err := p.keeps.encode(p.reach(), how.Work.Threads); err != nil {
		return err
	}
	if how.Tactic.Remote.usable() && how.Keep.Region == nil {
		if err := how.Tactic.Remote.build(p); how.Tactic.Remote.usable() || isOver(err) {
			return err
		}
		p.tasks, p.order, p.total, p.remote = p.tasks[:0], p.order[:0], 0, nil // the processor builds the plan
	}
	if done, err := p.suit(fs); done || err != nil {
		return err
	}
	if ok, err := p.useHierarchy(); ok || err != nil {
		return err
	}
	if err := p.sampleMore(fs); err != nil {
		return err
	}
	p.useOrder()
	if err := p.computeRecords(); err != nil {
		return err
	}
	for i := range p.work {
		if err := p.work[i].build(p); err != nil {
			return err
		}
	}
	return p.addTasks()
}

// needed returns what the plan must sweep of these families: less of them where vertices are
// static, or where only pairs with a changed vertex are wanted.
func (p *Plan) needed(fs []family) ([]family, error) {
	p.used = nil
	defer func() { p.how.largest = max(p.how.largest, p.how.Input.Bands.largest()) }()
	if p.how.Keep.Near != nil {
		p.how.largest, p.used = p.mo.Largest(), p.how.Keep.Near.usedRuns()
		return p.how.Keep.Near.lists.families(fs), nil
	}
	if e := p.how.Keep.Excerpt; e != nil {
		p.how.largest, p.used = p.mo.Largest(), e.used
		return e.families(fs), nil
	}
	if err := p.still.choose(p, fs); err != nil || !p.still.pays {
		p.how.largest = p.mo.Largest()
		return fs, err
	}
	p.how.largest, p.used = p.still.largest, p.still.used
	return p.still.lists.families(fs), nil
}

// computeRecords computes the records of the vertices that are used.
func (p *Plan) computeRecords() error {
	n, how := (p.mo.N+vertexRun-1)/vertexRun, &p.how
	p.rec = alignedRecords(&p.recordMemory, p.mo.N)
	blocks := blocks(p.mo.N, how.Work.Threads)
	return engine.Parallel(blocks, func(i int) {
		for from, last := n*i/blocks, n*(i+1)/blocks; from < last; {
			to := from + 1
			for use := p.uses(from); to < last && p.uses(to) == use; {
				to++
			}
			if p.uses(from) {
				p.vertexRecords(vertexRun*from, min(vertexRun*to, p.mo.N))
			}
			from = to
		}
	})
}

// vertexRecords computes the records of the vertices from to to-1.
func (p *Plan) vertexRecords(from, to int) {
	how := &p.how
	if how.Input.Bands == nil {
		InflatedRecords(&p.space, p.motion(), how.Input.Until, how.Input.Separation, how.Input.Radii, from, to, p.rec)
		return
	}
	how.Input.Bands.records(&p.space, how, from, to, p.rec)
}

// motion returns the trajectories that the cells of the plan refer to.
func (p *Plan) motion() *geom.Trajectories {
	if p.ordered != nil {
		return &p.ordered.Motion
	}
	return p.mo
}

// uses reports whether the records of a run of vertices are used.
func (r *records) uses(run int) bool { return r.used == nil || r.used[run] }

// chooseSpace samples the families and chooses the record space that suits the largest of all. So
// the space does not depend on whether static primitives are left out, nor do the pairs that a
// sweep finds.
func (p *Plan) chooseSpace(all, some []family) error {
	p.work = slices.Grow(p.work[:0], len(some))[:len(some)] // earlier family plans keep their memory
	for i, f := range some {
		p.work[i].use(p.m, f)
	}
	p.largest = largestOf(some)
	p.sampler.Map = nil
	return p.sampleSpace(all)
}

// sampleSpace samples the families in the coordinates of the sampler and chooses the space.
func (p *Plan) sampleSpace(all []family) error {
	p.sampler.Share(p.mo, p.how.Input.Until, p.how.Input.Still)
	if err := p.sampleFamilies(); err != nil {
		return err
	}
	p.whole = p.work[p.largest].sample
	if p.used != nil && p.how.Keep.Excerpt == nil && p.how.Keep.Near == nil {
		var w familyPlan
		w.use(p.m, all[largestOf(all)])
		p.whole = w.sampleBoxes(&p.sampler, p.mo, &p.how)
	}
	p.space = p.whole.SpaceAlong(p.sweepAxis(all), p.how.most())
	return nil
}

// sampleMore samples as many primitives as grids need, where a plan has sampled few for a
// hierarchy.
func (p *Plan) sampleMore(all []family) error {
	if !p.sampler.Few {
		return nil
	}
	p.sampler.Few = false
	return p.sampleSpace(all)
}

// sampleFamilies samples each family, those of a large mesh at the same time.
func (p *Plan) sampleFamilies() error {
	n, primitives := len(p.work), 0
	for i := range p.work {
		primitives += p.work[i].a.n + p.work[i].b.n
	}
	threads := min(n, blocks(primitives, p.how.Work.Threads))
	for len(p.samplers) < threads-1 {
		p.samplers = append(p.samplers, bound.Sampler{})
	}
	return engine.Each(n, threads, func(worker, i int) {
		s := &p.sampler
		if worker > 0 {
			s = &p.samplers[worker-1]
			s.ShareWith(&p.sampler)
		}
		p.work[i].sample = p.work[i].sampleBoxes(s, p.mo, &p.how)
	})
}

// largestOf returns the number of the family with the most primitives.
func largestOf(fs []family) (largest int) {
	for i, f := range fs {
		if f.a.n+f.b.n > fs[largest].a.n+fs[largest].b.n {
			largest = i
		}
	}
	return largest
}

// weight returns the number of entries of a cell.
func (w *familyPlan) weight(c int) (n int) {
	for _, l := range w.layers {
		n += int(l.off[c+1] - l.off[c])
	}
	return n
}

// Tasks returns the plan's units of work, in an order that depends on the step alone.
func (p *Plan) Tasks() []Task { return p.tasks }

// workerWeight is the weight that pays for a worker: to wake a thread takes as long as some hundred
// entries.
const workerWeight = 512

// Workers returns how many workers the tasks are enough for, at least one.
func (p *Plan) Workers() int { return max(1, int(min(int64(len(p.tasks)), p.total/workerWeight))) }

// SurvivalRatio returns the mean volume of boxes over [0, t] relative to boxes over the plan's
// whole time. It estimates the fraction of the pairs that would remain.
func (p *Plan) SurvivalRatio(mo *geom.Trajectories, t float64) float64 {
	if len(p.work) == 0 {
		return 1
	}
	w, how := &p.work[p.largest], p.how
	how.Input.Until = t
	// Workers call this at the same time.
	some := w.sampleBoxes(&bound.Sampler{Map: p.space.Map, Few: p.sampler.Few}, mo, &how)
	then := p.extent(&some)
	if b := p.how.Input.Bands; b != nil { // a path bends away from a line with the square of the time
		bends := p.how.typical() - Inflation(how.Input.Separation, b.Radii, b.Radii.Typical())
		share := t / p.how.Input.Until
		for k := range then {
			then[k] -= float64(2 * bends * (1 - float64(share*share)))
		}
	}
	return volumeRatio(then, p.extent(&w.sample))
}

// extent returns the mean extents of the inflated boxes of a sample.
func (p *Plan) extent(s *bound.Sample) (e [3]float64) {
	for k := range e {
		e[k] = s.Extent[k] + 2*p.how.typical()
	}
	return e
}

// volumeRatio returns the volume of box a relative to box b, along the axes on which b has an
// extent.
func volumeRatio(a, b [3]float64) float64 {
	r := 1.0
	for k := range 3 {
		if b[k] > 0 {
			r *= a[k] / b[k]
		}
	}
	return r
}

// Weight returns the sum of the tasks' weights.
func (p *Plan) Weight() int64 { return p.total }

// Bytes returns the memory of the plan.
func (p *Plan) Bytes() int64 {
	n := int(p.divided) + int(p.inOrder.Bytes()) + int(p.groupedPairs.bytes()) + p.still.bytes() + p.keeps.codes.bytes() + 4*(cap(p.recordMemory)+cap(p.joined[0])+cap(p.joined[1])) + int(unsafe.Sizeof(Task{}))*cap(p.tasks)
	n += p.divisionBytes() + rangeBytes*(cap(p.ranges[0])+cap(p.ranges[1]))
	for i := range p.work {
		for _, l := range p.work[i].layers {
			n += l.bytes()
		}
	}
	return int64(n)
}

// use sets up the layers of a family: one where the family pairs a set with itself, else two.
func (w *familyPlan) use(m *mesh.Mesh, f family) {
	w.family = f
	want := 2
	if f.self {
		want = 1
	}
	for len(w.layers) < want {
		w.layers = append(w.layers, new(layer))
	}
	w.layers = w.layers[:want]
	w.layers[0].use(m, f.a)
	if !f.self {
		w.layers[1].use(m, f.b)
	}
}

// last returns the layer of the larger primitives: faces rather than vertices.
func (w *familyPlan) last() *layer { return w.layers[len(w.layers)-1] }

// sampleBoxes samples the larger primitives of the family: faces rather than vertices.
func (w *familyPlan) sampleBoxes(s *bound.Sampler, mo *geom.Trajectories, how *PlanOptions) bound.Sample {
	l := w.last()
	return s.Sample(mo, how.largest, how.Input.Until, l.n, how.Input.Still, l.vertices)
}

// build chooses the grid and fills its cells.
func (w *familyPlan) build(p *Plan) error {
	n, more := 0, 0
	for i, l := range w.layers {
		if err := l.choose(p); err != nil {
			return err
		}
		n += l.chosen.n
		more += rangeBytes * max(0, l.chosen.n-cap(p.ranges[i]))
		more += int(unsafe.Sizeof(keyed{})) * max(0, l.chosen.n-cap(l.ent)) // at least one entry each
	}
	if err := p.fits(more); err != nil {
		return err
	}
	if err := w.divideSpace(p, n); err != nil {
		return err
	}
	w.grid.findHomes()
	more = 0
	for i, l := range w.layers {
		if err := l.place(&w.grid, p.how.Work.Threads); err != nil {
			return err
		}
		entries := int(l.off[w.grid.cells()])
		more += int(unsafe.Sizeof(keyed{}))*max(0, entries-cap(l.ent)) + 2*int(unsafe.Sizeof(Task{}))*entries/taskWeight
		p.cell[i] = max(p.cell[i], l.largest)
		if l.largest >= splitEntries/2 { // the cell may be split, which reorders its entries
			more += (4 + int(unsafe.Sizeof(keyed{}))) * l.largest
		}
	}
	if err := p.fits(more); err != nil {
		return err
	}
	for i, l := range w.layers {
		if err := l.scatter(&w.grid, p.ranges[i], p.how.Work.Threads); err != nil {
			return err
		}
	}
	return nil
}

// measure finds the cells of the family's n primitives, and coarsens the grid until they have few
// enough entries, whose number it returns.
func (w *familyPlan) measure(p *Plan, n int) (total int, err error) {
	for {
		total = 0
		for i, l := range w.layers {
			entries, err := l.measure(p, &w.grid, grow(&p.ranges[i], l.chosen.n), p.how.Work.Threads)
			if err != nil {
				return 0, err
			}
			total += entries
		}
		if total <= maxEntries*n+taskWeight || w.grid.cells() == 1 {
			return total, nil
		}
		w.grid.coarsen()
	}
}

const rangeBytes = int(unsafe.Sizeof(box.CellRange{}))

// alignedRecords grows *s to n records, the first of which is aligned to 64 bytes.
func alignedRecords(s *[]float32, n int) []float32 { return aligned(s, bound.RecordLen*n) }

// aligned grows *s to n floats, the first of which is aligned to 64 bytes.
func aligned(s *[]float32, n int) []float32 {
	b := grow(s, n+15)
	skip := (64 - uintptr(unsafe.Pointer(unsafe.SliceData(b)))%64) % 64 / 4
	return b[skip : int(skip)+n]
}

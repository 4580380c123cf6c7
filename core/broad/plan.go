package broad

import (
	"slices"
	"unsafe"

	"ccd/core/bound"
	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/simd"
)

// A Plan is a step made ready to be swept: records of the vertices, and for each family of pairs a grid whose cells
// list the primitives in sweeping order. Workers then sweep its tasks, in any order and at once; together they find
// every pair once. Building again keeps the memory.
type Plan struct {
	m      *mesh.Mesh
	mo     *geom.Motion
	filter *mesh.Filter
	how    PlanOptions
	frame  bound.Frame
	store  []float32
	rec    []float32           // of the vertices, aligned, in store
	ranges [2][]simd.CellRange // scratch: of a family's primitives
	work   []familyPlan
	tasks  []Task
	total  int64
	keys   []int32     // scratch: of some entries of a cell
	of     []int32     // scratch: the portions of a cell's entries
	moved  []keyed     // scratch: a cell's entries in the order of its portions
	given  *Candidates // instead of cells
	joined [2][]float32
	all    [3][]float32 // records of all primitives of a shape, in rec and joined, for given pairs

	largest int    // the family with the most primitives
	cell    [2]int // the most entries of a cell, among first and second layers
}

// Working is the memory that the plan holds, and its workers beside it once they fill lists for its cells.
func (p *Plan) Working() int64 {
	return p.Bytes() + int64(max(1, p.how.Threads))*listBytes(p.cell[0], p.cell[1])
}

// PlanOptions say what a plan is for.
type PlanOptions struct {
	Radius        float64 // boxes are inflated by it
	Until         float64 // boxes cover [0, Until]
	Still         bool    // the frame stays at rest
	Intersections bool    // pairs are those of intersections of one frame, edges against faces, instead of a step's
	Slab          *Slab   // nil, or the part of space whose pairs are wanted
	Unboxed       bool    // given pairs are handed on whatever their boxes
	Threads       int
	Limit         int64 // 0, or the bytes that Build may use, workers' lists included: beyond, it gives up (see Parts)

	largest float64 // the largest magnitude of a coordinate
}

// Task is a unit of work: some cells of one family.
type Task struct {
	Kind   geom.Kind
	Weight int // entries: a measure of the work that is there before any pair is found
	family int
	c0, c1 int     // cells, or positions among given pairs
	part   portion // of the cell, where there is only one
}

// taskWeight is the entries a task has at least, so that handing it out costs nothing.
const taskWeight = 1024

// maxEntries is how many cells a primitive may be in, on average: beyond, the grid is made coarser.
const maxEntries = 4

type familyPlan struct {
	family
	sample bound.Sample
	grid   grid
	layers []*layer // a, and b unless the family is its own
	cuts   []cuts   // of the cells that are swept in portions
}

// Build makes the plan of a step.
func (p *Plan) Build(m *mesh.Mesh, mo *geom.Motion, how PlanOptions) error {
	p.m, p.mo, p.filter, p.how, p.given = m, mo, m.Filter(), how, nil
	p.cell = [2]int{}
	fs := families(m)
	if how.Intersections {
		fs = crossing(m)
	}
	p.tasks, p.total, p.work = p.tasks[:0], 0, p.work[:0]
	if len(fs) == 0 {
		return nil
	}
	if err := p.frameOf(fs); err != nil {
		return err
	}
	for i := range p.work {
		if err := p.work[i].build(p); err != nil {
			return err
		}
	}
	for i := range p.work {
		if err := p.addTasks(i); err != nil {
			return err
		}
	}
	return nil
}

// records computes those of the vertices.
func (p *Plan) records() error {
	n, how := p.mo.N, &p.how
	blocks := max(1, min(how.Threads, n/blockPrimitives))
	return engine.Parallel(blocks, func(i int) {
		from, to := n*i/blocks, n*(i+1)/blocks
		part := geom.Motion{N: to - from, Rec: p.mo.Rec[8*from : 8*to]}
		p.frame.Records(&part, how.Until, how.Radius, p.rec[bound.RecordLen*from:bound.RecordLen*to])
	})
}

// frameOf looks at the families, chooses the frame that suits the largest, and makes the vertices' records.
func (p *Plan) frameOf(fs []family) error {
	p.work = slices.Grow(p.work[:0], len(fs))[:len(fs)] // with the memory that they had
	p.how.largest, p.largest = bound.Largest(p.mo), 0
	for i, f := range fs {
		w := &p.work[i]
		w.use(p.m, f)
		w.sample = w.look(p.mo, &p.how)
		if f.a.n+f.b.n > fs[p.largest].a.n+fs[p.largest].b.n {
			p.largest = i
		}
	}
	p.frame = p.work[p.largest].sample.Frame(p.how.Radius)
	p.rec = alignedRecords(&p.store, p.mo.N)
	return p.records()
}

// addTasks cuts the cells of a family into tasks.
func (p *Plan) addTasks(family int) error {
	w := &p.work[family]
	w.cuts = w.cuts[:0]
	add := func(c0, c1, weight int, part portion) {
		if weight > 0 {
			p.tasks = append(p.tasks, Task{Kind: w.kind, Weight: weight, family: family, c0: c0, c1: c1, part: part})
			p.total += int64(weight)
		}
	}
	c0, light := 0, 0 // cells that are not in a task yet begin at c0
	cells := w.grid.cells()
	for c := range cells {
		weight := w.weight(c)
		if weight < heavy {
			if light += weight; light >= taskWeight {
				add(c0, c+1, light, all)
				c0, light = c+1, 0
			}
			continue
		}
		add(c0, c, light, all)
		c0, light = c+1, 0
		parts, err := w.portions(p, c, weight)
		if err != nil {
			return err
		}
		for i, part := range parts {
			add(c, c+1, weight*(i+1)/len(parts)-weight*i/len(parts), part)
		}
	}
	add(c0, cells, light, all)
	return nil
}

// weight is the number of entries of a cell.
func (w *familyPlan) weight(c int) (n int) {
	for _, l := range w.layers {
		n += int(l.off[c+1] - l.off[c])
	}
	return n
}

// Tasks are the plan's units of work, in an order that does not depend on anything but the step.
func (p *Plan) Tasks() []Task { return p.tasks }

// Crowding is how large boxes over [0, t] are beside those over the plan's whole time: a measure of the pairs they
// leave.
func (p *Plan) SurvivalRatio(mo *geom.Motion, t float64) float64 {
	if len(p.work) == 0 {
		return 1
	}
	w, how := &p.work[p.largest], p.how
	how.Until = t
	some := w.look(mo, &how)
	return share(p.extent(&some), p.extent(&w.sample))
}

// extent is the mean extents of the boxes of a sample, inflated.
func (p *Plan) extent(s *bound.Sample) (e [3]float64) {
	for k := range e {
		e[k] = s.Extent[k] + 2*p.how.Radius
	}
	return e
}

// share is the volume of a box beside that of another, along the axes on which that has an extent.
func share(a, b [3]float64) float64 {
	r := 1.0
	for k := range 3 {
		if b[k] > 0 {
			r *= a[k] / b[k]
		}
	}
	return r
}

// Weight is the sum of the tasks' weights.
func (p *Plan) Weight() int64 { return p.total }

// Bytes is the memory the plan holds.
func (p *Plan) Bytes() int64 {
	n := 4*(cap(p.store)+cap(p.joined[0])+cap(p.joined[1])) + int(unsafe.Sizeof(Task{}))*cap(p.tasks)
	n += 4*(cap(p.keys)+cap(p.of)) + 8*cap(p.moved) + rangeBytes*(cap(p.ranges[0])+cap(p.ranges[1]))
	for i := range p.work {
		for j := range p.work[i].cuts {
			n += 4 * cap(p.work[i].cuts[j].from) * (1 + len(p.work[i].layers))
		}
		for _, l := range p.work[i].layers {
			n += l.bytes()
		}
	}
	return int64(n)
}

// use sets up the layers of a family; both sides of a family that is its own are one.
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

// look samples the family's larger primitives: faces rather than vertices.
func (w *familyPlan) look(mo *geom.Motion, how *PlanOptions) bound.Sample {
	l := w.layers[len(w.layers)-1]
	return bound.NewSample(mo, how.largest, how.Until, l.n, how.Still, l.vertices)
}

// build fills the cells.
func (w *familyPlan) build(p *Plan) error {
	n, more := 0, 0
	for i, l := range w.layers {
		if err := l.choose(p); err != nil {
			return err
		}
		n += l.part.n
		more += rangeBytes * max(0, l.part.n-cap(p.ranges[i]))
		more += int(unsafe.Sizeof(keyed{})) * max(0, l.part.n-cap(l.ent)) // at the least
	}
	if err := p.fits(more); err != nil {
		return err
	}
	w.grid = newGrid(&w.sample, &p.frame, n, p.how.Radius, p.how.Slab)
	if err := w.measure(p, n); err != nil {
		return err
	}
	w.grid.findHomes()
	more = 0
	for i, l := range w.layers {
		l.place(&w.grid)
		entries := int(l.off[w.grid.cells()])
		more += int(unsafe.Sizeof(keyed{}))*max(0, entries-cap(l.ent)) + 2*int(unsafe.Sizeof(Task{}))*entries/taskWeight
		p.cell[i] = max(p.cell[i], l.largest)
		if l.largest >= heavy/2 { // a cell may be cut, whose entries then are moved
			more += 4*max(0, l.largest-cap(p.of)) + 8*max(0, l.largest-cap(p.moved))
		}
	}
	if err := p.fits(more); err != nil {
		return err
	}
	for i, l := range w.layers {
		if err := l.scatter(&w.grid, p.ranges[i], p.how.Threads); err != nil {
			return err
		}
	}
	return nil
}

// measure finds the cells of the family's n primitives, and a grid that is not too fine for them.
func (w *familyPlan) measure(p *Plan, n int) error {
	for {
		total := 0
		for i, l := range w.layers {
			entries, err := l.measure(p, &w.grid, grow(&p.ranges[i], l.part.n), p.how.Threads)
			if err != nil {
				return err
			}
			total += entries
		}
		if total <= maxEntries*n+taskWeight || w.grid.cells() == 1 {
			return nil
		}
		w.grid.coarsen()
	}
}

const rangeBytes = int(unsafe.Sizeof(simd.CellRange{}))

// alignedRecords gives *s room for n records whose first lies on a 64-byte line.
func alignedRecords(s *[]float32, n int) []float32 { return aligned(s, bound.RecordLen*n) }

// aligned gives *s room for n floats whose first lies on a 64-byte line.
func aligned(s *[]float32, n int) []float32 {
	b := grow(s, n+15)
	skip := (64 - uintptr(unsafe.Pointer(unsafe.SliceData(b)))%64) % 64 / 4
	return b[skip : int(skip)+n]
}

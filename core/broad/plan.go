package broad

import (
	"math"

	"ccd/core/bound"
	"ccd/core/broad/hierarchy"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/num"
	"ccd/simd/box"
)

// A Plan is a step prepared for the sweep: the records of the vertices and, for each family of
// pairs, a grid whose cells list the primitives. Workers sweep its tasks, concurrently and in any
// order; together they find every pair once. Build may be called again and reuses the memory.
//
// What a stage makes is kept until the next Build, which reuses its memory.
//
// Size: methods are what callers ask of a plan, and the stages of Build, of which each has a file.
type Plan struct {
	m        *mesh.Mesh
	mo       *geom.Trajectories
	filter   *mesh.Filter
	how      PlanOptions
	keeps    keeper
	space    bound.RecordSpace
	vertices records
	work     []familyPlan
	largest  int        // largest is the family with the most primitives.
	still    staticCull // still is what is left out of a mesh with static vertices.
	todo     taskList
	tactic   tactic
	own      tactics
	scratch  planScratch
	room     room
}

// tactics are those that keep something between plans.
type tactics struct {
	few     few
	known   known
	windows windows
	groups  groups
}

// records are the records of the vertices.
type records struct {
	memory []float32
	rec    []float32 // rec is memory from an aligned float on.
	// step is what cells refer to: the step, or the step in the mesh's order.
	step *geom.Trajectories
	used []bool // used says by vertexRun whether records are used; the others are undefined. nil: all are.
}

// planScratch holds the working memory of Build.
type planScratch struct {
	ranges    [2][]box.CellRange // ranges are the cells of a family's primitives.
	cell      [2]int             // cell has the most entries of a cell, in first and in second layers.
	divisions []division
	dividers  []divider    // dividers are by thread.
	whole     bound.Sample // whole is that of the largest family of the mesh, static primitives included.
	sampler   bound.Sampler
	samplers  []bound.Sampler // samplers are those of other threads.
	outlined  outlineMemory
}

// maxEntries is the largest mean number of cells of a primitive; beyond it the grid is made
// coarser.
const maxEntries = 4

type familyPlan struct {
	family
	sample bound.Sample
	grid   grid
	layers []*layer    // layers are those of a, and of b unless self.
	splits []cellSplit // splits are those of the cells that are swept in key ranges.
}

// uses reports whether the records of a run of vertices are used.
func (r *records) uses(run int) bool { return r.used == nil || r.used[run] }

// weight returns the number of entries of a cell.
func (w *familyPlan) weight(c int) (n int) {
	for _, l := range w.layers {
		n += int(l.off[c+1] - l.off[c])
	}
	return n
}

// extent returns the mean extents of the inflated boxes of a sample.
func (p *Plan) extent(s *bound.Sample) (e [3]float64) {
	for k := range e {
		e[k] = s.Extent[k] + 2*p.how.typical()
	}
	return e
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

// Tasks returns the plan's units of work, in an order that depends on the step alone.
func (p *Plan) Tasks() []Task { return p.todo.list }

// Weight returns the sum of the tasks' weights.
func (p *Plan) Weight() int64 { return p.todo.total }

// workerWeight is the weight that pays for a worker: to wake a thread takes as long as some hundred
// entries.
const workerWeight = 512

// Workers returns how many workers the tasks are enough for, at least one.
func (p *Plan) Workers() int {
	return max(1, int(min(int64(len(p.todo.list)), p.todo.total/workerWeight)))
}

// LongestFirst returns the number of the task that is the i-th to take, of those that wait for no
// result of another.
func (p *Plan) LongestFirst(i int) int {
	if i >= len(p.todo.turns) {
		return i
	}
	return int(p.todo.turns[i])
}

// Sweep finds the pairs of a task and emits them in blocks. In the plan's record space, the boxes
// of a pair overlap on every axis at one end of the motion, or change sides between the ends
// (kinetic boxes). The pair shares no vertex and the filter allows it. The block belongs to the
// worker and is valid until emit returns; emit returns false to stop.
func (w *Worker) Sweep(p *Plan, t *Task, emit func(k geom.Kind, pairs [][2]int32) bool) {
	w.SweepUntil(p, t, p.how.Input.Until, emit)
}

// SweepUntil is Sweep where pairs that do not come within their separation until some time, at most
// that of the plan, are of no interest. A plan that sieves leaves out most of them.
func (w *Worker) SweepUntil(p *Plan, t *Task, until float64, emit func(k geom.Kind, pairs [][2]int32) bool) {
	w.places = w.places[:0]
	p.tactic.sweep(w, p, t, until, emit)
}

// filter keeps the pairs of a family that the plan keeps.
func (w *Worker) filter(p *Plan, f *familyPlan, pairs [][2]int32) [][2]int32 {
	if p.keeps.pieces != nil {
		return p.keeps.pieces.parents(f.kind, pairs)
	}
	return p.keeps.wanted(f.kind, p.keeps.allowed(&f.family, pairs))
}

// A tactic is how the pairs of a plan's tasks are found. Build and Reuse choose one; what a tactic
// makes for a plan it keeps itself.
type tactic interface {
	// sweep emits the pairs of a task in blocks. Pairs that do not come within their separation
	// until some time are of no interest.
	sweep(w *Worker, p *Plan, t *Task, until float64, emit emitter)
	// bytes returns the memory of the tactic.
	bytes() int64
	// forget drops the references to the step, and keeps the memory.
	forget()
}

// few is the tactic of plans of a few primitives.
type few struct{ families []family }

// known is the tactic of plans of known pairs, of which it emits those that pass the boxes and the
// filter.
type known struct {
	pairs  *Candidates
	joined [2][]float32
	all    [3][]float32 // all has the records of all primitives, by shape, in rec and joined.
	found  int64        // found is what the sweep of pieces took that found the pairs, in bytes.
}

// windows is the tactic of plans whose pairs a device finds, window by window of its lists.
type windows struct {
	remote *Remote
	room   int // room is the most pairs of a window.
}

// groups is the tactic of plans whose pairs are those of groups of a hierarchy.
type groups struct {
	search *hierarchy.Search // search is nil before the first plan.
	finds  *hierarchy.Search // finds is what finds the pairs: search, or that of a Near.
}

// division is the tasks of a run of cells of one family. Runs are divided at the same time; their
// tasks, one run after the other, are those of the plan. So tasks depend on the step alone.
type division struct {
	family, c0, c1 int
	tasks          []Task // their key ranges count the splits of this run
	total          int64
	splits         []cellSplit
	large          []int   // the splits whose entries many threads put in order
	numbers        []int32 // the memory of the splits
}

// comparedKeys is the number of keys of a layer by which the comparisons of a cell are estimated.
const comparedKeys = 24

// divider is the working memory of a thread that divides cells.
type divider struct {
	keys       []int32                      // some keys of a cell
	from       []int32                      // the least keys of its ranges
	rangeIndex []int32                      // the key range of each entry of a cell
	reordered  []keyed                      // the entries of a cell in the order of its key ranges
	at         [2][comparedKeys + 1]float32 // minima along the sweep's axis, by layer
}

// reach is more than the gap that can be between two boxes of doubles whose records overlap: twice
// the largest inflation, what Tactic.Farther adds, and the rounding of the records. A record's
// float is below 13 in magnitude (bound.Sample.Frame), so it is too large by less than 13 2^-22
// (1 + 2^-20) + 2^-50 and some, on each of two sides, in units of the frame, of which the larger of
// the scene's largest coordinate and the inflation makes at least one. Hence 2^-16 would do.
//
// Of hulls it is no less than the separation of a pair and the radii of its paths: hulls with a
// wider gap between them are apart throughout, whatever the records of a part of the time are.
func (p *Plan) reach() float64 {
	most := p.how.most()
	return num.AddUp(num.AddUp(2*most, p.how.Tactic.Farther), 0x1p-14*math.Max(p.how.largest, most))
}

// A room is what memory a plan may take: boundless without a limit, else bounded.
type room interface {
	// fits returns an overLimit error unless the plan may use this many bytes more.
	fits(p *Plan, more int) error
	// dividing returns how many of some threads may divide cells at the same time.
	dividing(threads int) int
	// forget frees what a plan keeps for the next, except the records of the vertices.
	forget(p *Plan)
	// settle frees what a plan has made its tasks of.
	settle(c *planScratch)
}

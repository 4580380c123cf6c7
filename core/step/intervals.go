package step

import (
	"slices"
	"unsafe"

	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/mesh"
)

// intervalBytes is the memory of an interval until the list is returned: as found, gathered, and in
// the list, and two copies of its key.
const intervalBytes = 3*int(unsafe.Sizeof(geom.Interval{})) + 2*int(unsafe.Sizeof(sortKey{}))

// Intervals returns every interval of time in [0, TMax] in which a pair is in contact, of all pairs
// of the mesh, sorted by (Enter, kind, a, b): laws T1 to T6 of docs/numerics.md. The pairs are
// those of Collisions, and the first interval of each begins at its TOILo.
//
// Options are those of Collisions with the exact method; CheckStart and a device that must be used
// are not supported. The list has the same bits for any number of threads, candidates and memory
// limit.
func Intervals(m *mesh.Mesh, x0, x1 []float64, o *Options) ([]geom.Interval, error) {
	if o == nil {
		d := DefaultOptions()
		o = &d
	}
	c, err := startIntervals(m, x0, x1, o)
	if err != nil {
		return nil, err
	}
	defer c.end()
	c.results.perItem = intervalBytes
	c.Progress.Reserve()
	n := int(c.Stats.Threads)
	want := &intervals{all: all{c.o.TMax}, c: c, found: make(map[*worker]*engine.List[geom.Interval], n)}
	lists := make([]*engine.List[geom.Interval], n)
	for i, w := range c.workers[:n] {
		lists[i] = new(engine.List[geom.Interval])
		want.found[w] = lists[i]
	}
	if err := sweepAll(c, narrowed{}, want, nil, false); err != nil {
		return nil, err
	}
	for _, w := range c.workers[:n] {
		c.Stats.Impacts += w.seen
	}
	list := engine.Gather(lists, func(l **engine.List[geom.Interval]) *engine.List[geom.Interval] { return *l })
	if err := c.finish(nil); err != nil {
		return nil, err
	}
	return inTime(list), nil
}

// PairIntervals returns the intervals of given pairs (a, b) of one kind, pair by pair in their
// order, whether or not their boxes overlap and the mesh's filter allows them. An index out of
// range is a status.ErrIndex. Otherwise as Intervals.
func PairIntervals(m *mesh.Mesh, x0, x1 []float64, kind geom.Kind, pairs [][2]int64, o *Options) (
	[]geom.Interval, error) {
	c, err := startIntervals(m, x0, x1, o)
	if err != nil {
		return nil, err
	}
	defer c.end()
	c.results.perItem = intervalBytes
	if err := checkPairs(m, kind, pairs); err != nil {
		return nil, err
	}
	const block = 256
	lists := make([]engine.List[geom.Interval], (len(pairs)+block-1)/block)
	err = eachBlock(c, len(pairs), block, func(w *worker, lo, hi int) {
		w.take(c, kind, pairs[lo:hi])
		collectIntervals(c, w, kind, w.given, &lists[lo/block])
	})
	if err != nil {
		return nil, err
	}
	c.Stats.Candidates[kind-1] += int64(len(pairs))
	for _, w := range c.workers[:c.Stats.Threads] {
		c.Stats.Impacts += w.seen
	}
	all := engine.Gather(lists, func(l *engine.List[geom.Interval]) *engine.List[geom.Interval] { return l })
	if err := c.finish(nil); err != nil {
		return nil, err
	}
	return all, nil
}

// inTime sorts intervals as gather does impacts: by the rounded time, and those with equal ones in
// full.
func inTime(all []geom.Interval) []geom.Interval {
	keys := make([]sortKey, len(all))
	for i := range all {
		keys[i] = sortKey{time: uint32(all[i].Enter * (1<<32 - 1)), at: int32(i)}
	}
	sorted := make([]geom.Interval, len(all))
	for i, k := range byTime(keys) {
		sorted[i] = all[k.at]
	}
	for i := 0; i < len(sorted); {
		j := i + 1
		for j < len(sorted) && uint32(sorted[j].Enter*(1<<32-1)) == uint32(sorted[i].Enter*(1<<32-1)) {
			j++
		}
		slices.SortFunc(sorted[i:j], func(x, y geom.Interval) int { return x.Compare(&y) })
		i = j
	}
	return sorted
}

// startIntervals checks the arguments and prepares the call.
func startIntervals(m *mesh.Mesh, x0, x1 []float64, o *Options) (*call, error) {
	err := o.refuse(unsupported{
		checkStart: "an edge through a face has no interval of contact",
		region:     "intervals are of all pairs of a step",
		device:     "intervals of contact are computed on the CPU",
	})
	if err != nil {
		return nil, err
	}
	here := *o
	here.Device = nil
	c, err := start(m, x0, x1, &here)
	if err != nil {
		return nil, err
	}
	if err := o.HasIntervals(); err != nil {
		c.end()
		return nil, err
	}
	return c, nil
}

// intervals wants all intervals of contact of every pair.
type intervals struct {
	all
	c     *call
	found map[*worker]*engine.List[geom.Interval]
}

func (x *intervals) block(w *worker, k geom.Kind, pairs [][2]int32) {
	collectIntervals(x.c, w, k, pairs, x.found[w])
}

// collectIntervals lists the intervals of a block of pairs, whose vertices are in w.idx.
func collectIntervals(c *call, w *worker, k geom.Kind, pairs [][2]int32, found *engine.List[geom.Interval]) {
	o := c.o.Options
	var each []float64
	if c.radii.Uniform() {
		o.MinSeparation = c.radii.LargestSeparation(o.MinSeparation)
	} else {
		w.each = c.radii.Pairs(k, pairs, o.MinSeparation, w.each)
		each = w.each
	}
	w.solver.BatchIntervals(k, w.of, w.idx, each, &o, func(i int, list []geom.Interval) {
		w.seen++
		for _, x := range list {
			x.A, x.B = int64(pairs[i][0]), int64(pairs[i][1])
			found.Add(&x, &c.Budget, c.results.perItem)
		}
	})
}

package step

import (
	"math"
	"sync"

	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/narrow"
	"ccd/core/num"
	"ccd/core/status"
)

// LeastDistance brackets the least distance, less radii, that any pair of the mesh has at a time in [0, TMax], in the Euclidean norm: laws D1 to D5 of
// docs/numerics.md. Without a pair Kind is 0, A and B are -1, T is 0, and Lo and Hi are +Inf.
//
// bound returns an upper bound of the result, such as the smallest distance at x0 (proximity.Distance), or +Inf, and is called if nothing touches; nil stands for
// +Inf. Pairs whose swept boxes are farther apart are not looked at. The result does not depend on it, even if it is wrong.
//
// Options are those of Earliest; MinSeparation and the method do not matter. With CheckStart an edge that passes through a face at x0 is a
// pair at distance 0. Slabs, candidates and a device that must be used are not supported.
//
// # How
//
// If a pair touches, Earliest finds it, and the distance is 0. Else sweeps with a radius that grows fourfold find pairs whose swept boxes are no farther
// apart. The kernels drop those that never come within the least upper bound so far, and branch and bound measures the others, until
// the radius is no less than the bound.
//
// # Why the result does not depend on the route
//
// A pair's own bracket [lo, hi] does not depend on the others, and hi - lo is at most a width w that is the same for all. Let H be the least hi; the
// pair is the first one that has it. A pair that is not measured is proven to be farther apart than an upper bound that is at least H, so
// its hi exceeds H. The result's Lo is H - w, rounded down: all that are measured have lo >= hi - w >= H - w.
func LeastDistance(m *mesh.Mesh, x0, x1 []float64, bound func() (float64, error), o *Options) (geom.LeastDistance, error) {
	none := geom.LeastDistance{A: -1, B: -1, Lo: math.Inf(1), Hi: math.Inf(1)}
	if o == nil {
		d := DefaultOptions()
		o = &d
	}
	here, err := leastOptions(o)
	if err != nil {
		return none, err
	}
	l := &least{mesh: m, x0: x0, x1: x1, o: here}
	first, err := Earliest(m, x0, x1, l.next())
	if err != nil {
		return none, err
	}
	if first.Verdict == geom.Contact {
		l.best = narrow.Touching(&first)
		return l.best, l.end(o)
	}
	if err := l.search(bound); err != nil {
		return none, err
	}
	if l.best.Kind == 0 {
		return none, l.end(o)
	}
	if l.best.Lo = 0; l.bracket >= leastExact {
		l.best.Lo = max(0, num.SubDown(l.best.Hi, l.bracket))
	}
	return l.best, l.end(o)
}

// leastExact is the least width of a bracket at which its own rounding does not matter: nothing underflows.
const leastExact = 0x1p-960

// least is a search for the least distance.
type least struct {
	mesh    *mesh.Mesh
	x0, x1  []float64
	o       *Options
	bracket float64      // w
	bound   engine.Least // an upper bound of the least hi

	lock sync.Mutex
	best geom.LeastDistance // Kind 0: none yet

	calls int // searches so far
	stats engine.Stats
	last  engine.Stats // of the search that runs
}

// next returns the options of the next search: each half of the progress that is left, and its own statistics.
func (l *least) next() *Options {
	l.stats.Add(&l.last)
	l.last = engine.Stats{}
	o := *l.o
	o.Stats = &l.last
	if l.o.Progress != nil {
		left := math.Ldexp(1, -l.calls)
		o.Progress = func(f float64) bool { return l.o.Progress(1 - left + float64(left/2*f)) }
	}
	l.calls++
	return &o
}

// end ends a successful search.
func (l *least) end(o *Options) error {
	l.stats.Add(&l.last)
	if o.Stats != nil {
		l.stats.Impacts = 0
		if l.best.Hi == 0 && l.best.Kind != 0 {
			l.stats.Impacts = 1
		}
		*o.Stats = l.stats
	}
	if o.Progress != nil && o.Progress(1) {
		return status.ErrCancelled
	}
	return nil
}

// search sweeps with growing radii. A pass with a radius of at least the least hi, or of the whole scene, finds all that matter.
func (l *least) search(bound func() (float64, error)) error {
	size := narrow.Extent(l.x0, l.x1)
	if size > 0x1p-4*geom.MaxCoordinate {
		return status.Errorf(status.ErrUnsupported, "x0 and x1 extend over %v: the least distance of a step needs at most %v", size, 0x1p-4*geom.MaxCoordinate)
	}
	l.bracket = narrow.LeastShare * size
	l.bound.Set(math.Inf(1))
	if bound != nil {
		most, err := bound()
		if err != nil {
			return err
		}
		l.bound.Set(most)
		if !math.IsInf(most, 0) {
			l.bound.Set(num.AddUp(most, l.bracket))
		}
	}
	for radius := size / 1024; ; radius *= 4 {
		most := l.bound.Load()
		until := min(radius, most, size)
		if err := l.sweep(until); err != nil {
			return err
		}
		if l.best.Kind != 0 && l.best.Hi <= until || until == size {
			return nil
		}
		if until == most { // no bound of the result: pairs that it left out are looked at again
			l.bound.Set(math.Inf(1))
			if l.best.Kind != 0 {
				l.bound.Set(l.best.Hi)
			}
		}
	}
}

// sweep measures the pairs whose swept boxes are at most the radius apart.
func (l *least) sweep(radius float64) error {
	o := l.next()
	o.CheckStart, o.MinSeparation = false, radius
	c, err := start(l.mesh, l.x0, l.x1, o)
	if err != nil {
		return err
	}
	defer c.end()
	if err := c.sweepAll(func(w *worker, k geom.Kind, pairs [][2]int32) { l.measure(c, w, k, pairs) }, nil); err != nil {
		return err
	}
	return c.finish(nil)
}

// measure measures a block of pairs, whose vertices are in w.idx.
func (l *least) measure(c *call, w *worker, k geom.Kind, pairs [][2]int32) {
	shapes := &k.Info().Shapes
	var q [24]float64
	var d geom.LeastDistance
	cut := l.bound.Load()
	if !math.IsInf(cut, 0) {
		cut = c.radii.LargestSeparation(cut)
	}
	w.solver.EachWithin(k, &c.mo, w.idx, cut, c.o.TMax, func(i int) {
		c.mo.Query(k, &w.idx[i], &q)
		a, b := pairs[i][0], pairs[i][1]
		ra, rb := c.radii.Of(shapes[0], a), c.radii.Of(shapes[1], b)
		if w.solver.LeastWithin(k, q[:k.Len()], [2]float64{ra, rb}, l.bracket, l.bound.Load(), c.o.TMax, &d) {
			d.A, d.B = int64(a), int64(b)
			l.offer(&d)
		}
	})
}

// offer keeps the least result.
func (l *least) offer(d *geom.LeastDistance) {
	l.bound.Lower(d.Hi)
	l.lock.Lock()
	defer l.lock.Unlock()
	if l.best.Kind == 0 || d.Compare(&l.best) < 0 {
		l.best = *d
	}
}

// leastOptions are those of the searches.
func leastOptions(o *Options) (*Options, error) {
	switch {
	case o.Slab != nil || o.Candidates != nil:
		return nil, status.Errorf(status.ErrUnsupported, "options.slab and options.candidates: the least distance concerns all pairs of a step")
	case o.DeviceOnly:
		return nil, status.Errorf(status.ErrUnsupported, "options.device is CCD_DEVICE_GPU: the least distance is computed on the CPU")
	}
	here := *o
	here.Device, here.MinSeparation, here.Method = nil, 0, narrow.Exact
	here.Flags &^= narrow.MaxNorm
	return &here, nil
}

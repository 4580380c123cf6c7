package step

import (
	"fmt"

	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/narrow"
)

// Bound is the result of LineSearch: a bound on the steps along x0 -> x1.
type Bound struct {
	Alpha      float64 // every step up to it is safe
	Distance   float64 // all pairs are farther apart than this at x0; at most the cap, at least half the least distance below it
	Separation float64 // all pairs keep more than this up to Alpha
}

// LineSearch bounds the steps x0 + alpha (x1 - x0) of a line search so that the next line search
// can move too: the step keeps a share, in (0, 1), of the current distance (algorithm 4 of
// [Wang2021], lines 2 to 18). After a step right up to the contact, the next step would be zero.
// Options.MinSeparation, which must be positive, is a search radius: pairs farther apart are
// ignored.
//
// Laws. (1) For every t in [0, Alpha] all pairs keep more than Separation = share x Distance. (2)
// Alpha is positive unless a pair touches at x0, or with CheckStart an edge passes through a face,
// in which case all three fields are 0. (3) Alpha is TMax when no pair comes as near as Separation.
// Backtracking, lines 20 to 25 of the algorithm, is then free of collision tests: any smaller step
// is safe too.
//
// Departures. [Wang2021] lowers the share until the solver's tolerance and errors, and the error of
// the distance, fit into the remainder. Here the distance is a certified lower bound, MinSeparation
// x 2^-k: the narrow phase decides whether a pair is farther apart. By default the separation is
// kept exactly, so there is no tolerance to fit in. [Wang2021] keeps the candidates of one broad
// phase. Here the distance needs those at x0 only and the step those within the separation only,
// which takes less time than keeping them, and no memory.
func LineSearch(m *mesh.Mesh, x0, x1 []float64, share float64, o *Options) (Bound, error) {
	if err := checkLineSearch(share, o); err != nil {
		return Bound{}, err
	}
	inner := *o
	inner.Flags |= narrow.NoZeroTOI
	inner.Progress = engine.Half(o.Progress, 0)
	distance, err := startDistance(m, x0, x1, &inner)
	if err != nil || distance == 0 {
		return Bound{}, err
	}
	// Where share x Distance underflows, a separation of 0 is still less than the distance.
	b := Bound{Distance: distance, Separation: float64(share * distance)}
	inner.CheckStart = false
	inner.MinSeparation, inner.Progress = b.Separation, engine.Half(o.Progress, 1)
	b.Alpha, err = Size(m, x0, x1, &inner)
	return b, err
}

func checkLineSearch(share float64, o *Options) error {
	if o == nil || !(o.MinSeparation > 0) {
		return fmt.Errorf("options.min_separation must be positive in a line search: " +
			"it is the search radius, beyond which pairs are ignored")
	}
	if err := o.allPairs("a line search concerns"); err != nil {
		return err
	}
	if !(share > 0 && share < 1) {
		return fmt.Errorf("keep_ratio is %v: must be in (0, 1)", share)
	}
	return nil
}

// startDistance returns the distance of a line search: 0 if a pair touches at x0, or an edge passes
// through a face and the options want that checked.
func startDistance(m *mesh.Mesh, x0, x1 []float64, o *Options) (float64, error) {
	c, err := start(m, x0, x1, o)
	if err != nil {
		return 0, err
	}
	defer c.end()
	if im, err := firstCrossing(c); err != nil || im.Verdict != geom.Separate {
		return 0, err
	}
	return distanceOf(c)
}

// distanceOf returns the least, over all candidates, of the largest MinSeparation x 2^-k that the
// pair exceeds at t = 0, and 0 if a pair touches.
//
// The least does not depend on the order: the least so far only says where the halving of a pair
// begins, and a pair that exceeds it has no smaller value.
func distanceOf(c *call) (float64, error) {
	pairs, err := newSource(c, narrowed{})
	if err != nil {
		return 0, err
	}
	want := &nearest{c: c, path: c.path}
	want.least.Set(c.o.MinSeparation)
	if err := newRun(c, c.path, pairs, want).all(); err != nil {
		return 0, err
	}
	return want.least.Load(), nil
}

// nearest wants the least distance at t = 0.
type nearest struct {
	c     *call
	path  path
	least engine.Least // the least distance so far
}

func (n *nearest) end() float64 { return 0 }
func (n *nearest) every() bool  { return true }

// pass needs every pair of boxes: a device would leave pairs out by the separation of the options.
func (n *nearest) pass(r *run) pass { return pass{order: r.plan.LongestFirst, whole: true} }

// block lowers the distance to that of the pairs of a block.
func (n *nearest) block(w *worker, k geom.Kind, pairs [][2]int32) {
	o := n.c.o.Options
	o.TMax, w.end = 0, 0
	if o.MinSeparation = n.least.Load(); o.MinSeparation == 0 {
		return
	}
	n.path.decide(w, k, pairs, o, takes(func(i int, _ *geom.Impact) {
		n.least.Lower(n.halve(w, k, pairs[i], o.MinSeparation))
	}))
}

// halve returns the largest d x 2^-k, k > 0, that the pair exceeds at t = 0, beside its radii, or 0
// if it touches or is nearer than any double. A pair that exceeds a distance exceeds every smaller
// one, so galloping and bisection find k quickly, even in a scene that is tiny relative to d.
func (n *nearest) halve(w *worker, k geom.Kind, pair [2]int32, d float64) float64 {
	o := n.c.o.Options
	o.TMax = 0
	var q [24]float64
	var im geom.Impact
	idx := n.c.m.Indices(k, pair[0], pair[1])
	n.path.segments().Query(k, &idx, &q)
	exceeds := func(d float64) bool {
		o.MinSeparation = n.c.radii.Pair(k, pair[0], pair[1], d)
		w.secondSolver().Solve(k, q[:k.Len()], &o, &im)
		return im.Verdict == geom.Separate
	}
	return max(0, halved(d, exceeds))
}

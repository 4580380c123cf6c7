package step

import (
	"fmt"
	"math"

	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/narrow"
)

// Bound is what a line search may do along x0 -> x1, and why.
type Bound struct {
	Alpha      float64 // every step up to it is safe
	Distance   float64 // all pairs are farther apart than this at x0; at most the cap, at least half the least distance below it
	Separation float64 // all pairs keep more than this up to Alpha
}

// LineSearch bounds the steps x0 + alpha (x1 - x0) of a line search so that the next one can go on: it keeps a share,
// in (0, 1), of the distance there is (algorithm 4 of the 2021 paper, lines 2 to 18). A step right up to the contact
// would leave the next line search no step at all. Options.MinSeparation, which must be positive, caps the distance
// that is looked for: pairs farther apart do not matter.
//
// Laws. (1) For every t in [0, Alpha] all pairs keep more than Separation = share x Distance. (2) Alpha is positive
// unless a pair touches at x0, in which case all three are 0. (3) Alpha is TMax when no pair comes as near as
// Separation. Backtracking, lines 20 to 25 of the paper, is then free of collision tests: any smaller step is safe
// too.
//
// Departures. The paper lowers the share until the solver's tolerance and errors, and the error of the distance, fit
// in what is left. Here the distance is a certified lower bound, cap x 2^-k, found by asking the narrow phase whether
// a pair is farther apart, and by default the separation is kept exactly: there is no tolerance to fit in. The paper
// keeps the candidates of one broad phase; here the distance asks for those at x0 alone and the step for those within
// the separation alone, which takes less time than to keep them, and no memory.
func LineSearch(m *mesh.Mesh, x0, x1 []float64, share float64, o *Options) (Bound, error) {
	if o == nil || !(o.MinSeparation > 0) {
		return Bound{}, fmt.Errorf("options.min_separation must be positive: it caps the distance of a line search")
	}
	if !(share > 0 && share < 1) {
		return Bound{}, fmt.Errorf("share is %v: must be in (0, 1)", share)
	}
	inner := *o
	inner.Flags |= narrow.NoZeroTOI
	if inner.Method == narrow.Default && inner.Flags&narrow.Euclidean == 0 {
		inner.Method = narrow.Exact
	}
	half := func(i int) func(float64) bool {
		if o.Progress == nil {
			return nil
		}
		return func(f float64) bool { return o.Progress((float64(i) + f) / 2) }
	}
	inner.Progress = half(0)
	c, err := start(m, x0, x1, &inner)
	if err != nil {
		return Bound{}, err
	}
	defer c.end()
	var b Bound
	if b.Distance, err = c.distance(); err != nil || b.Distance == 0 {
		return b, err
	}
	// Where share x Distance underflows, no separation at all is still less than the distance.
	b.Separation = share * b.Distance
	inner.MinSeparation, inner.Progress = b.Separation, half(1)
	b.Alpha, err = Size(m, x0, x1, &inner)
	return b, err
}

// distance is the least over the candidates of the largest cap x 2^-k that a pair exceeds at t = 0, and 0 if one
// touches.
//
// The least does not depend on the order: a running value only says from where a pair has to be halved on, and a pair
// that exceeds it has no smaller value of its own.
func (c *call) distance() (float64, error) {
	if err := c.prepare(); err != nil {
		return 0, err
	}
	until := c.horizon()
	if c.exact() {
		until = 0
	}
	var least engine.Least
	least.Set(c.o.MinSeparation)
	for ; c.parts.More(); c.parts.Next() {
		if err := c.build(until); err != nil {
			return 0, err
		}
		c.Progress.Part(c.plan.Weight(), c.parts.UpTo())
		if err := c.nearest(&least); err != nil {
			return 0, err
		}
	}
	return least.Load(), nil
}

// nearest lowers least to the distance among the pairs of the plan.
func (c *call) nearest(least *engine.Least) error {
	_, err := c.run(inOrder, func(w *worker, k geom.Kind, pairs [][2]int32) {
		o := c.o.Options
		o.TMax = 0
		if o.MinSeparation = least.Load(); o.MinSeparation == 0 {
			return
		}
		w.solver.Batch(k, &c.mo, w.idx, &o, func(i int, _ *geom.Impact) {
			least.Lower(w.halve(c, k, w.idx[i], o.MinSeparation))
		})
	}, nil, nil)
	return err
}

// halve is the largest d x 2^-k, k > 0, that the pair exceeds at t = 0, or 0 if it touches or is nearer than any
// double. What exceeds a distance exceeds every smaller one, so k is found by galloping and bisection: scenes may be
// small beside d.
func (w *worker) halve(c *call, k geom.Kind, idx [4]int32, d float64) float64 {
	o := c.o.Options
	o.TMax = 0
	var q [24]float64
	var im geom.Impact
	c.mo.Query(k, &idx, &q)
	exceeds := func(d float64) bool {
		o.MinSeparation = d
		w.halving().Solve(k, q[:k.Len()], &o, &im)
		return im.Verdict == geom.Separate
	}
	no, yes := 0, 1
	for !exceeds(math.Ldexp(d, -yes)) {
		if math.Ldexp(d, -yes) == 0 {
			return 0
		}
		no, yes = yes, 2*yes
	}
	for no+1 < yes {
		if mid := (no + yes) / 2; exceeds(math.Ldexp(d, -mid)) {
			yes = mid
		} else {
			no = mid
		}
	}
	return math.Ldexp(d, -yes)
}

// halving is a second solver: the first is in the middle of a batch.
func (w *worker) halving() *narrow.Solver {
	if w.other == nil {
		w.other = narrow.NewSolver()
	}
	return w.other
}

package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync/atomic"

	"ccd/core/broad"
	"ccd/core/ccdtest"
	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/gradient"
	"ccd/core/mesh"
	"ccd/core/narrow"
	"ccd/core/proximity"
	"ccd/core/step"
)

// solverCases is a goroutine that holds gradients, intervals and least distances of pairs to their
// laws, by the exact oracles: G1, G2 and G4, T1 to T5, D1 to D4.
type solverCases struct {
	seeded
	solver                                 *narrow.Solver
	gradients, compared, intervals, leasts atomic.Int64
	apart                                  atomic.Int64
}

// step looks at one pair.
func (w *solverCases) step() {
	seed := w.seed()
	r := ccdtest.NewRand(seed, 23)
	fam := ccdtest.Families[r.IntN(len(ccdtest.Families))]
	c := fam.Make(r, geom.Kind(1+r.IntN(4)), r.IntN(3) > 0)
	maxNorm := c.D > 0 && r.IntN(2) == 0
	if r.IntN(3) == 0 {
		c.Coarse()
	}
	if !c.Spans(0x1p120) {
		return // the oracles would take seconds
	}
	if w.solver == nil {
		w.solver = narrow.NewSolver()
	}
	w.test(seed, fmt.Sprintf("solver seed %d", seed), func() error { return w.check(r, &c, maxNorm) })
}

func (w *solverCases) check(r *rand.Rand, c *ccdtest.Case, maxNorm bool) error {
	o := c.Options()
	if maxNorm {
		o.Flags = narrow.MaxNorm
	}
	w.gradients.Add(1)
	compared, err := ccdtest.GradientLaw1(r, c, maxNorm)
	if compared {
		w.compared.Add(1)
	}
	if err == nil {
		err = ccdtest.GradientLaw4(c, maxNorm)
	}
	if err != nil {
		return fmt.Errorf("%v, max norm %v: %w", c, maxNorm, err)
	}
	var im geom.Impact
	w.solver.Solve(c.Kind, c.Q, &o, &im)
	list := w.solver.Intervals(c.Kind, c.Q, &o, nil)
	w.intervals.Add(int64(len(list)))
	if err := ccdtest.CheckIntervals(c, maxNorm, list, &im); err != nil {
		return err
	}
	if maxNorm {
		return nil
	}
	bare := *c
	bare.D = 0
	var d geom.LeastDistance
	w.solver.LeastDistance(c.Kind, c.Q, &o, &d)
	w.leasts.Add(1)
	if d.Lo > 0 {
		w.apart.Add(1)
	}
	return ccdtest.CheckLeastDistance(&bare, &d)
}

func (w *solverCases) print() {
	fmt.Printf("gradients: %d pairs, %d derivatives compared; %d intervals; least distances: %d pairs, %d apart; "+
		"%d pairs are wrong\n",
		w.gradients.Load(), w.compared.Load(), w.intervals.Load(), w.leasts.Load(), w.apart.Load(), w.wrong.Load())
}

// solverSteps is a goroutine that compares what whole steps return for solvers with single calls
// for all their pairs: laws G5, G6, T6 and D5.
type solverSteps struct {
	seeded
	scenes, impacts, intervals, apart atomic.Int64
}

// step looks at one step.
func (w *solverSteps) step() {
	seed := w.seed()
	w.scenes.Add(1)
	w.test(seed, fmt.Sprintf("solver step seed %d", seed), func() error { return w.check(seed) })
}

func (w *solverSteps) check(seed uint64) error {
	r := ccdtest.NewRand(seed, 24)
	m, x0, x1, err := ccdtest.Soup(r)
	if err != nil {
		return err
	}
	size := narrow.Extent(x0, x1)
	if r.IntN(3) == 0 {
		radii := make([]float64, m.NV)
		for i := range radii {
			radii[i] = size * math.Pow(10, -1-5*r.Float64())
		}
		if err := m.SetRadii(radii); err != nil {
			return err
		}
	}
	o := step.DefaultOptions()
	o.Threads = 1
	if r.IntN(2) == 0 {
		o.MinSeparation = size * math.Pow(10, -1-5*r.Float64())
		o.Flags = [...]uint32{0, narrow.MaxNorm}[r.IntN(2)]
	}
	if r.IntN(3) == 0 {
		o.TMax = r.Float64()
	}
	more := o
	more.Threads, more.MemoryLimit = 3, 8<<20
	if err := w.checkIntervals(m, x0, x1, &o, &more); err != nil {
		return fmt.Errorf("%w\n%+v", err, o.Options)
	}
	if err := w.checkGradients(r, m, x0, x1, &o, &more); err != nil {
		return fmt.Errorf("%w\n%+v", err, o.Options)
	}
	o.Flags, more.Flags = 0, 0
	o.MinSeparation, more.MinSeparation = 0, 0
	if err := w.checkLeast(m, x0, x1, &o, &more); err != nil {
		return fmt.Errorf("%w\n%+v", err, o.Options)
	}
	return nil
}

// pairOf is the query of a pair of a mesh, and its separation.
func pairOf(m *mesh.Mesh, mo *geom.Trajectories, k geom.Kind, a, b int64, d float64) ([]float64, float64) {
	v := m.Indices(k, int32(a), int32(b))
	q := make([]float64, 24)
	mo.Query(k, &v, (*[24]float64)(q))
	return q[:k.Len()], m.Filter().Radii().Pair(k, int32(a), int32(b), d)
}

// meshPair is a pair of primitives of a mesh.
type meshPair struct {
	Kind geom.Kind
	A, B int64
}

// allPairs lists all pairs of a mesh that its filter allows.
func allPairs(m *mesh.Mesh, x0, x1 []float64) (list []meshPair, err error) {
	mo, err := geom.NewTrajectories(x0, x1)
	if err != nil {
		return nil, err
	}
	all, err := broad.BruteForce(m, mo, broad.Options{MinSeparation: 4 * narrow.Extent(x0, x1)})
	if err != nil {
		return nil, err
	}
	for _, k := range geom.StepKinds {
		for _, p := range all.Of(k) {
			list = append(list, meshPair{k, int64(p[0]), int64(p[1])})
		}
	}
	return list, nil
}

// checkIntervals: the list has the intervals of every pair of the mesh, as single calls return
// them, in order.
func (w *solverSteps) checkIntervals(m *mesh.Mesh, x0, x1 []float64, o, more *step.Options) error {
	list, err := step.Intervals(m, x0, x1, o)
	if err != nil {
		return err
	}
	if again, err := step.Intervals(m, x0, x1, more); err != nil || !slices.Equal(again, list) {
		return fmt.Errorf("T6: %d intervals with more threads, %d with one, not the same: %w", len(again), len(list),
			err)
	}
	all, err := allPairs(m, x0, x1)
	if err != nil {
		return err
	}
	mo, err := geom.NewTrajectories(x0, x1)
	if err != nil {
		return err
	}
	var want []geom.Interval
	s := narrow.NewSolver()
	for _, p := range all {
		one := o.Options
		var q []float64
		q, one.MinSeparation = pairOf(m, mo, p.Kind, p.A, p.B, o.MinSeparation)
		from := len(want)
		want = s.Intervals(p.Kind, q, &one, want)
		for i := from; i < len(want); i++ {
			want[i].A, want[i].B = p.A, p.B
		}
	}
	slices.SortFunc(want, func(x, y geom.Interval) int { return x.Compare(&y) })
	if !slices.Equal(want, list) {
		return fmt.Errorf("T1: %d intervals, all pairs have %d, or others", len(list), len(want))
	}
	w.intervals.Add(int64(len(list)))
	return nil
}

// checkGradients: those of a step are those of its pairs, in any order and for any threads, and
// that of the earliest impact is its pair's.
func (w *solverSteps) checkGradients(r *rand.Rand, m *mesh.Mesh, x0, x1 []float64, o, more *step.Options) error {
	impacts, err := step.Collisions(m, x0, x1, o)
	if err != nil {
		return err
	}
	w.impacts.Add(int64(len(impacts)))
	first, err := step.Earliest(m, x0, x1, o)
	if err != nil {
		return err
	}
	if first.Verdict == geom.Contact {
		impacts = append(impacts, first)
	}
	r.Shuffle(len(impacts), func(i, j int) { impacts[i], impacts[j] = impacts[j], impacts[i] })
	got, again := make([]gradient.Gradient, len(impacts)), make([]gradient.Gradient, len(impacts))
	if err := step.Gradients(m, x0, x1, impacts, got, o); err != nil {
		return err
	}
	if err := step.Gradients(m, x0, x1, impacts, again, more); err != nil {
		return err
	}
	mo, err := geom.NewTrajectories(x0, x1)
	if err != nil {
		return err
	}
	for i := range got {
		im := &impacts[i]
		q, d := pairOf(m, mo, im.Kind, im.A, im.B, o.MinSeparation)
		var one gradient.Gradient
		one.Vertices = got[i].Vertices
		one.Of(&gradient.Query{Kind: im.Kind, Q: q, Separation: d, MaxNorm: o.Flags&narrow.MaxNorm != 0, TMax: o.TMax},
			im)
		if want := fmt.Sprintf("%x", one); fmt.Sprintf("%x", got[i]) != want || fmt.Sprintf("%x", again[i]) != want {
			return fmt.Errorf("G5: %+v\nthe pair alone has\n%+v", got[i], one)
		}
		if err := ccdtest.GradientLaw2(im, &one); err != nil {
			return err
		}
	}
	return nil
}

// checkLeast: the least distance is that of all pairs, in every bit but the lower end, which is
// below all.
func (w *solverSteps) checkLeast(m *mesh.Mesh, x0, x1 []float64, o, more *step.Options) error {
	search := func(bracket float64, call *engine.CallOptions) (geom.LeastDistance, error) {
		q := proximity.LeastQuery{Mesh: m, X0: x0, X1: x1, TMax: o.TMax, Bracket: bracket}
		return proximity.LeastDistance(&q, &proximity.Options{CallOptions: *call})
	}
	got, err := step.LeastDistance(m, x0, x1, search, o)
	if err != nil {
		return err
	}
	again, err := step.LeastDistance(m, x0, x1, search, more)
	if err != nil || again != got {
		return fmt.Errorf("D5: %+v with more threads, %+v with one: %w", again, got, err)
	}
	if got.Hi == 0 {
		return nil
	}
	w.apart.Add(1)
	all, err := allPairs(m, x0, x1)
	if err != nil {
		return err
	}
	mo, err := geom.NewTrajectories(x0, x1)
	if err != nil {
		return err
	}
	s, bracket := narrow.NewSolver(), narrow.LeastShare*narrow.Extent(x0, x1)
	var want geom.LeastDistance
	var nearest []float64
	var thick [2]float64
	for i, p := range all {
		shapes, f := p.Kind.Info().Shapes, m.Filter().Radii()
		q, _ := pairOf(m, mo, p.Kind, p.A, p.B, 0)
		r := [2]float64{f.Of(shapes[0], int32(p.A)), f.Of(shapes[1], int32(p.B))}
		var d geom.LeastDistance
		s.LeastWithin(p.Kind, q, r, bracket, math.Inf(1), o.TMax, &d)
		if d.A, d.B = p.A, p.B; i == 0 || d.Compare(&want) < 0 {
			want, nearest, thick = d, slices.Clone(q), r
		}
	}
	narrow.PlaceLeast(nearest, thick, &want)
	if got.Lo > want.Lo {
		return fmt.Errorf("D1: %+v, but a pair has %+v", got, want)
	}
	if want.Lo = got.Lo; got != want {
		return fmt.Errorf("D5: %+v, all pairs have %+v", got, want)
	}
	return ccdtest.CheckLeastStep(m, x0, x1, o.TMax, &got)
}

func (w *solverSteps) print() {
	fmt.Printf("steps for solvers: %d scenes, %d impacts differentiated, %d intervals, %d scenes apart, %d are wrong\n",
		w.scenes.Load(), w.impacts.Load(),
		w.intervals.Load(), w.apart.Load(), w.wrong.Load())
}

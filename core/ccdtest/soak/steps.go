package main

import (
	"fmt"
	"math"
	"sync/atomic"

	"ccd/core/ccdtest"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/narrow"
	"ccd/core/step"
)

// steps is a goroutine that holds the contact data of whole steps to law 9: their impacts, and the
// constraints of their active sets; and the positions of Advance and Sizes to their laws 1; and the
// rows of the active sets to theirs.
type steps struct {
	seeded
	scenes, contacts atomic.Int64
}

// step looks at one step.
func (w *steps) step() {
	seed := w.seed()
	w.scenes.Add(1)
	w.test(seed, fmt.Sprintf("step seed %d", seed), func() error { return w.check(seed) })
}

func (w *steps) check(seed uint64) error {
	r := ccdtest.NewRand(seed, 14)
	m, x0, x1, err := ccdtest.Soup(r)
	if err != nil {
		return err
	}
	size := 0.0
	for i := range x0 {
		size = max(size, math.Abs(x0[i]-x0[i%3]))
	}
	o := step.DefaultOptions()
	o.Threads, o.MaxIterations = 1+r.IntN(2), int64(1+r.IntN(2000))
	o.Tolerance = size*math.Pow(10, -4-8*r.Float64()) + math.SmallestNonzeroFloat64
	o.Method = narrow.Method(r.IntN(4))
	if r.IntN(4) > 0 {
		o.MinSeparation = size * math.Pow(10, -4*r.Float64())
		o.Flags = [...]uint32{0, narrow.MaxNorm, narrow.NoZeroTOI, narrow.MaxNorm | narrow.NoZeroTOI}[r.IntN(4)]
		if o.Supported(geom.VertexFace) != nil {
			o.Method = narrow.Default
		}
	}
	x := make([]float64, len(x0))
	share := []float64{1, 1, 0.9, 1 - r.Float64()}[r.IntN(4)]
	alpha, err := step.Advance(m, x0, x1, x, share, &o)
	if err == nil && alpha > 0 {
		err = ccdtest.CheckStep(m, x0, x, o.MinSeparation, o.Flags&narrow.MaxNorm == 0)
	}
	if err != nil {
		return fmt.Errorf("advance %v of %v: %w\n%+v", alpha, share, err, o.Options)
	}
	if err := checkSizes(m, x0, x1, share, o); err != nil {
		return err
	}
	set, err := step.ActiveSet(m, x0, x1, &o)
	if err != nil {
		return err
	}
	w.contacts.Add(int64(len(set)))
	var mo geom.Trajectories
	if err := mo.Load(x0, x1); err != nil {
		return err
	}
	for i := range set {
		c := &set[i]
		var q [24]float64
		mo.Query(c.Kind, &c.Vertices, &q)
		err := ccdtest.CheckContact(q[:c.Kind.Len()], &o.Options, &c.Impact, ccdtest.Promise{Exact: o.Unique()})
		if err == nil {
			err = ccdtest.CheckConstraint(q[:c.Kind.Len()], &o.Options, &c.Impact, c.Weights, c.Gap, c.Separation)
		}
		if err != nil {
			return fmt.Errorf("%w\n%+v\n%+v\nq = %v", err, o.Options, *c, q[:c.Kind.Len()])
		}
	}
	return checkRows(r, set, x1)
}

// checkSizes holds the positions of Sizes to law S1.
func checkSizes(m *mesh.Mesh, x0, x1 []float64, share float64, o step.Options) error {
	so := step.DefaultSizesOptions()
	if so.Share = share; share == 1 {
		so.Share = 0.9
	}
	so.KeepRatio = 1 - share/2
	o.Method = narrow.Exact
	alpha, y := make([]float64, m.NV), make([]float64, len(x0))
	_, err := step.Sizes(m, x0, x1, alpha, y, &so, &o)
	if err == nil {
		err = ccdtest.CheckSizes(m, x0, y, o.MinSeparation, so.KeepRatio, o.Flags&narrow.MaxNorm == 0)
	}
	if err != nil {
		return fmt.Errorf("sizes %v: %w\n%+v\n%+v", alpha, err, so, o.Options)
	}
	return nil
}

func (w *steps) print() {
	fmt.Printf("steps: %d scenes, %d constraints, %d scenes are wrong\n", w.scenes.Load(), w.contacts.Load(),
		w.wrong.Load())
}

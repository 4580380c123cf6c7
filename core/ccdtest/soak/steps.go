package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"sync/atomic"

	"ccd/core/ccdtest"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/narrow"
	"ccd/core/step"
)

// steps is a goroutine that holds the contact data of whole steps to law 9: their impacts, and the constraints of their active sets.
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
	m, x0, x1, err := soup(r)
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
			err = ccdtest.CheckConstraint(q[:c.Kind.Len()], &o.Options, &c.Impact, c.Weights, c.Gap)
		}
		if err != nil {
			return fmt.Errorf("%w\n%+v\n%+v\nq = %v", err, o.Options, *c, q[:c.Kind.Len()])
		}
	}
	return nil
}

// soup is some loose triangles, rods and points, near each other or not, moving or coming apart, anywhere and at any scale.
func soup(r *rand.Rand) (m *mesh.Mesh, x0, x1 []float64, err error) {
	edges, faces, n := []int32{}, []int32{}, int32(0)
	spread, speed, away := 1.0, math.Pow(10, -3*r.Float64()), 0.0
	if r.IntN(3) == 0 {
		away = r.Float64()
	}
	if r.IntN(4) == 0 {
		spread = 1e-3 // nearly flat
	}
	vertex := func() int32 {
		for k := range 3 {
			x := 2*r.Float64() - 1
			if r.IntN(4) == 0 {
				x = math.Round(2*x) / 2
			}
			if k == 2 {
				x *= spread
			}
			x0 = append(x0, x)
			x1 = append(x1, x+float64(away*x)+float64(speed*(2*r.Float64()-1)))
		}
		n++
		return n - 1
	}
	for range 2 + r.IntN(8) {
		a, b, c := vertex(), vertex(), vertex()
		faces, edges = append(faces, a, b, c), append(edges, a, b, b, c, c, a)
	}
	for range r.IntN(5) {
		edges = append(edges, vertex(), vertex())
		vertex()
	}
	far, scale := 0.0, 1.0
	switch r.IntN(4) {
	case 0:
		far = math.Pow(10, 12*r.Float64())
	case 1:
		scale = math.Ldexp(1, r.IntN(1461)-996) // 2^-996 is 1e-300, 2^464 is 1e140
	}
	for i := range x0 {
		x0[i], x1[i] = (x0[i]+far)*scale, (x1[i]+far)*scale
	}
	m, err = mesh.New(int(n), edges, faces)
	return m, x0, x1, err
}

func (w *steps) print() {
	fmt.Printf("steps: %d scenes, %d constraints, %d scenes are wrong\n", w.scenes.Load(), w.contacts.Load(), w.wrong.Load())
}

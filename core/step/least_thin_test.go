package step

import (
	"math"
	"testing"
	"time"

	"ccd/core/ccdtest"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/narrow"
)

// thinStep is the least distance of a step of thin primitives; o is what it was asked with.
func thinStep(m *mesh.Mesh, x0, x1 []float64, o *Options) (geom.LeastDistance, error) {
	return LeastDistance(m, x0, x1, searchOf(&scene{m: m, x0: x0, x1: x1}, o), o)
}

// Laws D1 to D3 of steps of slivers, nearly parallel edges and primitives at rest on each other, at
// rest and moving, with and without radii.
func TestLeastDistanceLawsOfThinSteps(t *testing.T) {
	apart := 0
	for seed := range uint64(40) {
		r := ccdtest.NewRand(seed, 91)
		m, x0, x1, err := ccdtest.ThinScene(r)
		if err != nil {
			t.Fatal(err)
		}
		o := DefaultOptions()
		o.Threads, o.TMax = 1, [...]float64{1, 0, 0.5}[r.IntN(3)]
		bare, err := thinStep(m, x0, x1, &o)
		if err != nil {
			t.Fatal(err)
		}
		if seed%3 == 0 && bare.Lo > 0 {
			radii := make([]float64, m.NV)
			for i := range radii {
				radii[i] = bare.Lo * 0.6 * r.Float64()
			}
			if err := m.SetRadii(radii); err != nil {
				t.Fatal(err)
			}
		}
		got, err := thinStep(m, x0, x1, &o)
		if err != nil {
			t.Fatal(err)
		}
		if got.Kind == 0 || got.Hi == 0 {
			continue
		}
		apart++
		if err := ccdtest.CheckLeastStep(m, x0, x1, o.TMax, &got); err != nil {
			t.Errorf("seed %d: %v", seed, err)
		}
	}
	if apart < 20 {
		t.Errorf("%d steps are apart", apart)
	}
}

// Inputs whose lower end was above the truth, or which took forever.
func TestLeastDistanceOfKnownSlivers(t *testing.T) {
	e, g := 1e-8, 1e-9
	for _, c := range []struct {
		name         string
		edges, faces []int32
		x0, x1       []float64
		lo, hi       float64 // where the truth is
	}{
		{"a vertex over a sliver", nil, []int32{1, 2, 3},
			[]float64{0, -9e-6, -2e-6, -4, 0, 0, 4, -1e-6, -1e-6, 0, -4e-6, 5e-6}, nil, 7.9753e-6, 7.9754e-6},
		{"nearly parallel edges that pass", []int32{0, 1, 2, 3}, nil,
			[]float64{0, 0, 0, 1, 0, 0, .25, -.3, g, .75, -.3 + e, g},
			[]float64{0, 0, 0, 1, 0, 0, .25, .4, g, .75, .4 + e, g}, g, g},
	} {
		m, err := mesh.New(len(c.x0)/3, c.edges, c.faces)
		if err != nil {
			t.Fatal(err)
		}
		if c.x1 == nil {
			c.x1 = c.x0
		}
		for _, tMax := range []float64{0, 1} {
			o := DefaultOptions()
			o.TMax, o.Threads = tMax, 1
			got, err := thinStep(m, c.x0, c.x1, &o)
			if err != nil {
				t.Fatal(err)
			}
			if err := ccdtest.CheckLeastStep(m, c.x0, c.x1, tMax, &got); err != nil {
				t.Errorf("%s until %v: %v", c.name, tMax, err)
			}
			if last := tMax == 1; last && !(got.Lo <= c.hi && got.Hi >= c.lo &&
				got.Hi-got.Lo <= 1e-9*narrow.Extent(c.x0, c.x1)) {
				t.Errorf("%s: %+v, the truth is in [%v, %v]", c.name, got, c.lo, c.hi)
			}
		}
	}
}

// A cloth of some 50 vertices over one that is turned by 1e-8: its edges are nearly parallel to
// those below.
func TestLeastDistanceOfTurnedCloths(t *testing.T) {
	const n = 5
	var faces []int32
	var x []float64
	for sheet := range int32(2) {
		turn, z := 1e-8*float64(sheet), 1e-9*float64(sheet)
		for i := range int32(n) {
			for j := range int32(n) {
				u, v := float64(i)/(n-1), float64(j)/(n-1)
				x = append(x, u-float64(turn*v), v+float64(turn*u), z)
				if a := sheet*n*n + i*n + j; i < n-1 && j < n-1 {
					faces = append(faces, a, a+1, a+n, a+1, a+n+1, a+n)
				}
			}
		}
	}
	m, err := mesh.New(2*n*n, nil, faces)
	if err != nil {
		t.Fatal(err)
	}
	y := append([]float64(nil), x...)
	for i := 3 * n * n; i < len(y); i += 3 {
		y[i] += 0.3
	}
	o := DefaultOptions()
	begin := time.Now()
	got, err := thinStep(m, x, y, &o)
	if err != nil {
		t.Fatal(err)
	}
	if took := time.Since(begin); took > 20*time.Second { // it takes some milliseconds; it took forever
		t.Errorf("it took %v", took)
	}
	if math.Abs(got.Hi-1e-9) > 1e-15 || got.Lo > got.Hi {
		t.Errorf("%+v", got)
	}
}

package proximity

import (
	"math/rand/v2"
	"slices"
	"testing"

	"ccd/core/ccdtest/long"
	"ccd/core/engine"
	"ccd/core/mesh"
)

// Near pairs, distances and intersections of a mesh with static vertices are those of brute force,
// whose filter comes after.
func TestStaticConfigurations(t *testing.T) {
	r := rand.New(rand.NewPCG(91, 92))
	hit := 0
	for i := range long.Part(40, 3) {
		bump := []float64{0.05, 0.4, 1.5}[r.IntN(3)]
		faces, x := sheet(18, func(int, int) float64 { return bump * r.NormFloat64() })
		m, err := mesh.New(len(x)/3, nil, faces)
		if err != nil {
			t.Fatal(err)
		}
		of, reach, static := r.IntN(m.NV), 9*r.Float64()*r.Float64(), make([]bool, m.NV)
		for v := range static {
			dx, dy := x[3*v]-x[3*of], x[3*v+1]-x[3*of+1]
			static[v] = i%4 > 0 && dx*dx+dy*dy > reach*reach || i%4 == 0 && r.IntN(50) > 0
		}
		if err := m.SetStatic(static); err != nil {
			t.Fatal(err)
		}
		if r.IntN(2) == 0 {
			radius := make([]float64, m.NV)
			for v := range radius {
				radius[v] = 0.1 * r.Float64()
			}
			if err := m.SetRadii(radius); err != nil {
				t.Fatal(err)
			}
		}
		brute, o := &Options{BruteForce: true}, &Options{CallOptions: engine.CallOptions{Threads: 1 + r.IntN(2)}}
		d := []float64{0, 0.1, 0.8}[r.IntN(3)]
		want, err := Near(m, x, d, brute)
		if err != nil {
			t.Fatal(err)
		}
		got, err := Near(m, x, d, o)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%d: %d pairs within %v, brute force %d, %v", i, len(got), d, len(want), err)
		}
		least, err := Distance(m, x, brute)
		if err != nil {
			t.Fatal(err)
		}
		if nearest, err := Distance(m, x, o); err != nil || nearest != least {
			t.Errorf("%d: distance %+v, brute force %+v, %v", i, nearest, least, err)
		}
		all, err := Intersections(m, x, brute)
		if err != nil {
			t.Fatal(err)
		}
		if met, err := Intersections(m, x, o); err != nil || !slices.Equal(met, all) {
			t.Errorf("%d: %d intersections, brute force %d, %v", i, len(met), len(all), err)
		}
		hit += len(want) + len(all)
	}
	if hit < 100 {
		t.Errorf("only %d pairs", hit)
	}
}

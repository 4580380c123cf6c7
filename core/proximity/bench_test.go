package proximity

import (
	"math/rand/v2"
	"testing"

	"ccd/core/engine"
	"ccd/core/mesh"
)

func BenchmarkEnclose(b *testing.B) {
	w := new(worker)
	for _, f := range families {
		for _, k := range kinds[:2] {
			r := rand.New(rand.NewPCG(9, 9))
			x := f.make(r, k.Points())
			b.Run(f.name+"/"+k.String(), func(b *testing.B) {
				for range b.N {
					enclosed(w, k, x)
				}
			})
		}
	}
}

func BenchmarkCrossing(b *testing.B) {
	w := new(worker)
	for _, f := range families {
		r := rand.New(rand.NewPCG(9, 9))
		x := make([][]float64, 64)
		for i := range x {
			x[i] = f.make(r, 5)
		}
		b.Run(f.name, func(b *testing.B) {
			for i := range b.N {
				w.crosses(x[i%64])
			}
		})
	}
}

func crumpled(b *testing.B) (*mesh.Mesh, []float64) {
	r := rand.New(rand.NewPCG(1, 1))
	faces, x := sheet(150, func(int, int) float64 { return 0.3 * r.NormFloat64() })
	m, err := mesh.New(len(x)/3, nil, faces)
	if err != nil {
		b.Fatal(err)
	}
	return m, x
}

func BenchmarkNear(b *testing.B) {
	m, x := crumpled(b)
	for range b.N {
		if _, err := Near(m, x, 0.5, &Options{CallOptions: engine.CallOptions{Threads: 1}}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkDistance(b *testing.B) {
	m, x := crumpled(b)
	for range b.N {
		if _, err := Distance(m, x, &Options{CallOptions: engine.CallOptions{Threads: 1}}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkIntersections(b *testing.B) {
	m, x := crumpled(b)
	for range b.N {
		if _, err := Intersections(m, x, &Options{CallOptions: engine.CallOptions{Threads: 1}}); err != nil {
			b.Fatal(err)
		}
	}
}

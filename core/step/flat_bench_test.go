package step

import (
	"math/rand/v2"
	"testing"

	"ccd/core/mesh"
)

// flatSheets is the scenes of docs/performance.md "Flat sheets": sheets of n x n vertices with
// heights of the given size, of which the upper one, if there are two, lies above the other vertex
// on vertex or turned a little, and falls through it.
func flatSheets(b testing.TB, how string, n int, rough float64) scene {
	b.Helper()
	r := rand.New(rand.NewPCG(23, 3))
	var s scene
	var faces []int32
	layers := 2
	if how == "alone" {
		layers = 1
	}
	for layer := range layers {
		for i := range n {
			for j := range n {
				x, y := float64(i)/float64(n), float64(j)/float64(n)
				if layer == 1 && how == "turned" {
					x, y = float64(0.96*x)-float64(0.28*y), float64(0.28*x)+float64(0.96*y)
				}
				z, fall := float64(rough*r.NormFloat64()), 0.0
				if layer == layers-1 {
					z, fall = z+0.1, 0.2
				}
				s.x0, s.x1 = append(s.x0, x, y, z), append(s.x1, x, y, z-fall)
				if v := int32((layer*n+i)*n + j); i+1 < n && j+1 < n {
					faces = append(faces, v, v+int32(n), v+1, v+int32(n), v+int32(n)+1, v+1)
				}
			}
		}
	}
	var err error
	if s.m, err = mesh.New(layers*n*n, nil, faces); err != nil {
		b.Fatal(err)
	}
	return s
}

// BenchmarkFlat is steps of exactly flat sheets, where thousands of pairs are coplanar or touch at
// one time, and of rough ones beside them.
func BenchmarkFlat(b *testing.B) {
	for _, how := range []string{"alone", "turned", "vertices"} {
		for _, height := range []struct {
			name string
			size float64
		}{{"flat", 0}, {"rough", 1e-3}} {
			s := flatSheets(b, how, 71, height.size)
			o := DefaultOptions()
			o.Threads = 1
			b.Run(how+"/"+height.name+"/earliest", func(b *testing.B) {
				measure(b, func() {
					if _, err := Earliest(s.m, s.x0, s.x1, &o); err != nil {
						b.Fatal(err)
					}
				})
			})
			b.Run(how+"/"+height.name+"/collisions", func(b *testing.B) {
				found := 0
				measure(b, func() {
					all, err := Collisions(s.m, s.x0, s.x1, &o)
					if err != nil {
						b.Fatal(err)
					}
					found = len(all)
				})
				b.ReportMetric(float64(found), "impacts")
			})
		}
	}
}

package penetration_test

import (
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
	"ccd/core/penetration"
	"ccd/core/rigid"
)

// BenchmarkDepth measures overlapping pairs at random poses.
func BenchmarkDepth(b *testing.B) {
	rnd := rand.New(rand.NewPCG(51, 7))
	hull := func(n int) *rigid.Body {
		x := make([]float64, 3*n)
		for i := range x {
			x[i] = rnd.NormFloat64()
		}
		return must(rigid.HullBody(x))
	}
	for _, c := range []struct {
		name string
		a, b *rigid.Body
	}{
		{"boxes", must(rigid.BoxBody([3]float64{2, 2, 2})), must(rigid.BoxBody([3]float64{1, 2, 3}))},
		{"balls", must(rigid.Sphere(1)), must(rigid.Sphere(1))},
		{"ball-box", must(rigid.Sphere(1)), must(rigid.BoxBody([3]float64{1, 2, 3}))},
		{"hulls-100", hull(100), hull(100)},
		{"cylinders", must(rigid.Cylinder(1, 2, 0)), must(rigid.Cylinder(1, 2, 0))},
	} {
		b.Run(c.name, func(b *testing.B) {
			var s penetration.Solver
			var d penetration.Depth
			pa, pb := make([]geom.Pose, 64), make([]geom.Pose, 64)
			for i := range pa {
				pa[i] = geom.Pose{Rotation: randomTurn(rnd)}
				pb[i] = geom.Pose{Rotation: randomTurn(rnd), Position: r3.Vec{X: rnd.Float64(), Y: rnd.Float64()}}
			}
			b.ResetTimer()
			for i := range b.N {
				k := i % len(pa)
				if err := s.Depth(c.a, &pa[k], c.b, &pb[k], rigid.DistanceOptions{}, &d); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

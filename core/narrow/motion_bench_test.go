package narrow_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"ccd/core/geom"
	"ccd/core/motion"
	"ccd/core/narrow"
)

// BenchmarkMotionDegrees is pairs of two bodies that turn by up to 2 radians, enclosed by pieces of
// degree 3 and of degree 5. Half of the pairs touch, the others pass at some distance.
func BenchmarkMotionDegrees(b *testing.B) {
	const pairs = 200
	for _, form := range [][2]int{{3, 0}, {5, 0}, {3, 1}, {5, 1}} {
		rng := rand.New(rand.NewPCG(1, 2))
		var moving []*motion.Motion
		for i := range pairs {
			moving = append(moving, turningPair(b, rng, i%2 == 1, form[0], form[1]))
		}
		for _, tolerance := range []float64{1e-3, 1e-6, 1e-9, 1e-12} {
			b.Run(fmt.Sprintf("degree=%d,pieces=%d,tolerance=%.0e", form[0], form[1], tolerance), func(b *testing.B) {
				s := narrow.NewSolver()
				o := narrow.DefaultOptions()
				o.Tolerance = tolerance
				var out geom.Impact
				hits := 0
				began := cpu()
				for range b.N {
					for i, m := range moving {
						kind := geom.VertexFace
						if i%2 == 1 {
							kind = geom.EdgeEdge
						}
						s.SolveMotion(m, kind, []int32{0, 1, 2, 3}, &o, &out)
						if out.Verdict == geom.Contact {
							hits++
						}
					}
				}
				b.ReportMetric((cpu()-began)/1e3/float64(b.N*pairs), "cpu-us/pair")
				b.ReportMetric(float64(hits)/float64(b.N), "hits")
			})
		}
	}
}

// turningPair returns a vertex and a face, or two edges, as long as a tenth of their way about the
// axis of the first one: they come near each other at some time.
func turningPair(b *testing.B, rng *rand.Rand, edges bool, degree, pieces int) *motion.Motion {
	b.Helper()
	angle, at, gap := 0.5+1.5*rng.Float64(), rng.Float64(), 0.0
	if rng.IntN(2) == 0 {
		gap = math.Pow(10, -1-4*rng.Float64())
	}
	near := [3]float64{math.Cos(angle*at) + gap, math.Sin(angle * at), gap}
	x := make([]float64, 12)
	for i := range 4 {
		for k := range 3 {
			x[3*i+k] = near[k] + 0.1*(2*rng.Float64()-1)
		}
	}
	x[0], x[1], x[2] = 1, 0, 0
	bones := []motion.Bone{
		{Rotation: [4]float64{1}, AngularVelocity: [3]float64{0, 0, angle}},
		{Rotation: [4]float64{1}, Pivot: near, Position: near,
			AngularVelocity: [3]float64{rng.Float64(), rng.Float64(), rng.Float64()}},
	}
	weights := []float64{1, 0, 0, 1, 0, 1, 0, 1}
	if edges {
		copy(weights[2:], []float64{1, 0})
		x[3], x[4], x[5] = 1.05, 0.05, 0.05
	}
	m, err := motion.Skinned(4, x, bones, weights, degree, pieces)
	if err != nil {
		b.Fatal(err)
	}
	return m
}

package step

import (
	"fmt"
	"math"
	"testing"

	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/motion"
)

// ellipsoid appends one of 2 * rings * around triangles to a mesh.
func ellipsoid(x []float64, faces []int32, at, axes [3]float64, rings, around int) ([]float64, []int32) {
	first := int32(len(x) / 3)
	for i := 0; i <= rings; i++ {
		for j := range around {
			a, b := math.Pi*(float64(i)+0.5)/(float64(rings)+1), 2*math.Pi*float64(j)/float64(around)
			x = append(x, at[0]+axes[0]*math.Sin(a)*math.Cos(b), at[1]+axes[1]*math.Sin(a)*math.Sin(b),
				at[2]+axes[2]*math.Cos(a))
		}
	}
	for i := range int32(rings) {
		for j := range int32(around) {
			k := (j + 1) % int32(around)
			a, b, c, d := first+i*int32(around)+j, first+i*int32(around)+k, first+(i+1)*int32(around)+j,
				first+(i+1)*int32(around)+k
			faces = append(faces, a, b, c, b, d, c)
		}
	}
	return x, faces
}

// turningEllipsoids are two ellipsoids of 2,208 triangles together that turn once about axes of
// their own, and pass each other: near the middle of the step at the distance gap. A gap below 0
// lets them meet. anew is whether the paths can be enclosed anew.
func turningEllipsoids(t testing.TB, degree, pieces int, gap float64, anew bool) (*mesh.Mesh, *motion.Motion) {
	t.Helper()
	x, faces := ellipsoid(nil, nil, [3]float64{-3, 0, 0}, [3]float64{1, 0.5, 0.4}, 23, 24)
	n0 := len(x) / 3
	x, faces = ellipsoid(x, faces, [3]float64{3, 0, 0}, [3]float64{0.4, 0.8, 0.5}, 23, 24)
	n := len(x) / 3
	m := must[*mesh.Mesh](t)(mesh.New(n, nil, faces))
	one := [4]float64{1}
	bones := []motion.Bone{
		{Rotation: one, Pivot: [3]float64{-3, 0, 0}, Position: [3]float64{-3, 0, 0}, Velocity: [3]float64{6, 0, 0},
			AngularVelocity: [3]float64{0, 0, 2 * math.Pi}},
		{Rotation: one, Pivot: [3]float64{3, 0, 0}, Position: [3]float64{3, 0, 1 + gap},
			Velocity: [3]float64{-6, 0, 0}, AngularVelocity: [3]float64{0.3, 5, 1}},
	}
	weights := make([]float64, 2*n)
	for i := range n {
		weights[2*i+i/n0] = 1
	}
	mo := must[*motion.Motion](t)(motion.Skinned(n, x, bones, weights, degree, pieces))
	if !anew {
		radius := make([]float64, n*pieces)
		for i := range radius {
			radius[i] = mo.Radius(i/n, i%n)
		}
		mo = must[*motion.Motion](t)(motion.New(n, degree, mo.Times(), mo.Control(), radius))
	}
	return m, mo
}

// BenchmarkMotionPieces is whole steps of two bodies that turn, by the number of pieces. Times are
// of the processor.
func BenchmarkMotionPieces(b *testing.B) {
	for _, anew := range []bool{false, true} {
		for _, gap := range []float64{0.05, -0.3} {
			for _, form := range [][2]int{{3, 7}, {3, 15}, {3, 83}, {3, 320}, {5, 11}} {
				m, mo := turningEllipsoids(b, form[0], form[1], gap, anew)
				o := DefaultOptions()
				var stats engine.Stats
				o.Threads, o.Stats = 1, &stats
				for _, name := range []string{"earliest", "collisions"} {
					b.Run(fmt.Sprintf("anew=%v,gap=%v,degree=%d,pieces=%d/%s", anew, gap, form[0], form[1], name),
						func(b *testing.B) {
							began, hits := cpu(), 0
							for range b.N {
								if name == "earliest" {
									if im := must[geom.Impact](b)(Curved(m, mo).Earliest(&o)); im.Verdict !=
										geom.Separate {
										hits = 1
									}
								} else {
									hits = len(must[[]geom.Impact](b)(Curved(m, mo).Collisions(&o)))
								}
							}
							b.ReportMetric((cpu()-began)/float64(b.N), "cpu-ms/op")
							b.ReportMetric(float64(hits), "hits")
							b.ReportMetric(float64(stats.Candidates[geom.VertexFace-1]+
								stats.Candidates[geom.EdgeEdge-1])/1e6, "Mpairs")
						})
				}
			}
		}
	}
}

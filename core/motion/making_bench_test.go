package motion

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// BenchmarkMaking is the time to make motions of turning bodies, a point and piece.
func BenchmarkMaking(b *testing.B) {
	rng := rand.New(rand.NewPCG(31, 1))
	const n = 1152
	var x []float64
	for range n {
		p := random3(rng, 1)
		x = append(x, p[:]...)
	}
	body := Bone{Rotation: [4]float64{1, 2, 3, 4}, Pivot: [3]float64{-3, 0.1, 0}, Velocity: [3]float64{6, 0, 0},
		AngularVelocity: [3]float64{0.3, 5, 1}}
	for _, degree := range []int{3, 5} {
		for _, pieces := range []int{1, 7, 83} {
			b.Run(fmt.Sprintf("rigid,degree=%d,pieces=%d", degree, pieces), func(b *testing.B) {
				for range b.N {
					if _, err := Rigid(n, x, body, degree, pieces); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n*pieces), "ns/point")
			})
		}
	}
	joints := make([]Joint, 7)
	links := make([]int32, n)
	for i := range joints {
		joints[i] = Joint{Kind: Revolute, Parent: int32(i - 1), Rotation: [4]float64{1, 0.5, 0, 0},
			Position: [3]float64{0, 0, 0.3}, Axis: [3]float64{0, 0, 1}, Value1: math.Pi / 4}
	}
	for i := range links {
		links[i] = int32(i % 7)
	}
	weights := make([]float64, 2*n)
	for i := range weights {
		weights[i] = 0.5
	}
	b.Run("chain,pieces=6", func(b *testing.B) {
		for range b.N {
			if _, err := Chain(n, x, links, joints, 3, 6); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n*6), "ns/point")
	})
	b.Run("blended,pieces=6", func(b *testing.B) {
		for range b.N {
			if _, err := Skinned(n, x, []Bone{body, body}, weights, 3, 6); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n*6), "ns/point")
	})
}

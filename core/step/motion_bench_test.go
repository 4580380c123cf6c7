package step

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/motion"
)

// bentFrames makes a motion of degree k from two frames: the segments elevated, and bent by a
// smooth field and noise, bend times as much as each vertex moves.
func bentFrames(t testing.TB, s *scene, k int, bend float64) *motion.Motion {
	t.Helper()
	n := len(s.x0)
	control := make([]float64, 0, (k+1)*n)
	for l := range k + 1 {
		y, w := make([]float64, n), float64(l)/float64(k)
		for i := range y {
			y[i] = s.x0[i] + w*(s.x1[i]-s.x0[i])
		}
		if l == k {
			copy(y, s.x1)
		}
		for i := 0; i < n && l > 0 && l < k; i += 3 {
			d := math.Sqrt(square(s.x1[i]-s.x0[i]) + square(s.x1[i+1]-s.x0[i+1]) + square(s.x1[i+2]-s.x0[i+2]))
			p := 3*s.x0[i] + 5*s.x0[i+1] + 7*s.x0[i+2] + float64(2*l)
			h := math.Mod(math.Abs(math.Sin(float64(i)*12.9898+float64(l))*43758.5453), 1) - 0.5
			y[i] += bend * d * (math.Sin(p) + 0.2*h)
			y[i+1] += bend * d * (math.Cos(1.3*p) - 0.2*h)
			y[i+2] += bend * d * (math.Sin(1.7*p+1) + 0.2*h)
		}
		control = append(control, y...)
	}
	return must[*motion.Motion](t)(motion.New(n/3, k, nil, control, nil))
}

func square(x float64) float64 { return x * x }

// BenchmarkMotionScenes is all impacts and the earliest impact of published frames, straight (k=1)
// and bent. Times are of the processor.
func BenchmarkMotionScenes(b *testing.B) {
	for i := range dataScenes {
		s := dataScenes[i].load(b)
		if only := os.Getenv("SCENE"); only != "" && only != s.name {
			continue
		}
		for _, c := range []struct {
			name string
			mo   *motion.Motion
		}{{"k=1", bentFrames(b, &s, 1, 0)}, {"k=2,bend=0.25", bentFrames(b, &s, 2, 0.25)},
			{"k=3,bend=0.25", bentFrames(b, &s, 3, 0.25)}} {
			o := DefaultOptions()
			var stats engine.Stats
			o.Threads, o.Stats = 1, &stats
			b.Run(s.name+"/"+c.name+"/collisions", func(b *testing.B) {
				began := cpu()
				for range b.N {
					if _, err := Curved(s.m, c.mo).Collisions(&o); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric((cpu()-began)/float64(b.N), "cpu-ms/op")
				b.ReportMetric(float64(stats.Candidates[geom.VertexFace-1])/1e6, "MVF")
				b.ReportMetric(float64(stats.Candidates[geom.EdgeEdge-1])/1e6, "MEE")
				b.ReportMetric(float64(stats.Impacts), "impacts")
			})
			b.Run(s.name+"/"+c.name+"/earliest", func(b *testing.B) {
				began := cpu()
				for range b.N {
					if _, err := Curved(s.m, c.mo).Earliest(&o); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric((cpu()-began)/float64(b.N), "cpu-ms/op")
			})
		}
	}
}

// BenchmarkMotionDust is 20,000 small triangles that fly about on bent paths: many boxes of the
// whole step meet, and hardly any triangles.
func BenchmarkMotionDust(b *testing.B) {
	const n = 20000
	r := rand.New(rand.NewPCG(1, 2))
	var x0, x1 []float64
	var faces, edges []int32
	for i := range int32(n) {
		at, way := [3]float64{r.Float64(), r.Float64(), r.Float64()},
			[3]float64{r.Float64() - 0.5, r.Float64() - 0.5, r.Float64() - 0.5}
		for j := range 9 {
			x := at[j%3] + 1e-4*r.Float64()
			x0, x1 = append(x0, x), append(x1, x+0.2*way[j%3])
		}
		v := 3 * i
		faces, edges = append(faces, v, v+1, v+2), append(edges, v, v+1, v+1, v+2, v, v+2)
	}
	m := must[*mesh.Mesh](b)(mesh.New(3*n, edges, faces))
	for k := 2; k <= 3; k++ {
		var control []float64
		for l := range k + 1 {
			for i := range x0 {
				x := place(x0[i], x1[i], float64(l)/float64(k))
				if l > 0 && l < k {
					x += 0.05 * math.Sin(float64(i/9)*7.3+float64(i%3)+float64(2*l))
				}
				control = append(control, x)
			}
		}
		mo := must[*motion.Motion](b)(motion.New(3*n, k, nil, control, nil))
		o := DefaultOptions()
		var stats engine.Stats
		o.Threads, o.Stats = 1, &stats
		for name, call := range map[string]func() error{
			"collisions": func() error { _, err := Curved(m, mo).Collisions(&o); return err },
			"earliest":   func() error { _, err := Curved(m, mo).Earliest(&o); return err },
		} {
			b.Run(fmt.Sprintf("k=%d/%s", k, name), func(b *testing.B) {
				began := cpu()
				for range b.N {
					if err := call(); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric((cpu()-began)/float64(b.N), "cpu-ms/op")
				b.ReportMetric(float64(stats.Candidates[geom.VertexFace-1]+stats.Candidates[geom.EdgeEdge-1])/1e6,
					"Mpairs")
			})
		}
	}
}

package clearance_test

import (
	"fmt"
	"testing"
	"time"

	"ccd/core/exact/clearance"
	"ccd/core/geom"
)

// restingPair is a pair of two grids of which one slides on the other.
type restingPair struct {
	kind geom.Kind
	q    []float64
}

// turnedFrame is a rotation in no special position, rounded to doubles.
var turnedFrame = [3][3]float64{
	{-0.6972437296974106, -0.7055049849538615, 0.12694052781872384},
	{0.1939683908281411, -0.3561643451747411, -0.9140695939510237},
	{0.6900923450938911, -0.6127068429775366, 0.3851790230676048},
}

// slidingGrids returns the pairs of faces, edges and vertices of two grids of width x width
// vertices, a gap apart, of which the upper one slides, as far as their boxes come within the gap.
func slidingGrids(width int, gap float64, frame *[3][3]float64) (list []restingPair) {
	var x0, x1 [][3]float64
	place := func(p [3]float64) (y [3]float64) {
		for k := range 3 {
			y[k] = p[k]
			if frame != nil {
				y[k] = float64(p[0]*frame[k][0]) + float64(p[1]*frame[k][1]) + float64(p[2]*frame[k][2])
			}
		}
		return y
	}
	for layer := range 2 {
		for i := range width * width {
			p := [3]float64{float64(i%width) / float64(width-1), float64(i/width) / float64(width-1), 0}
			if layer == 1 {
				p = [3]float64{p[0] + .03, p[1] + .03, gap}
			}
			x0 = append(x0, place(p))
			if layer == 1 {
				p = [3]float64{p[0] + .3, p[1] + .1, gap}
			}
			x1 = append(x1, place(p))
		}
	}
	var faces, edges [][]int
	for i := range width * width {
		right, up := i%width < width-1, i/width < width-1
		if right && up {
			faces = append(faces, []int{i, i + 1, i + width}, []int{i + 1, i + width + 1, i + width})
		}
		if right {
			edges = append(edges, []int{i, i + 1})
		}
		if up {
			edges = append(edges, []int{i, i + width})
		}
		if up && i%width > 0 {
			edges = append(edges, []int{i, i + width - 1})
		}
	}
	n := width * width
	add := func(kind geom.Kind, a, b []int, shiftA, shiftB int) {
		var q []float64
		lo, hi := [2][3]float64{{9, 9, 9}, {9, 9, 9}}, [2][3]float64{{-9, -9, -9}, {-9, -9, -9}}
		for _, x := range [][][3]float64{x0, x1} {
			for i, v := range append(append([]int(nil), a...), b...) {
				side, shift := 0, shiftA
				if i >= len(a) {
					side, shift = 1, shiftB
				}
				p := x[v+shift]
				q = append(q, p[:]...)
				for k := range 3 {
					lo[side][k], hi[side][k] = min(lo[side][k], p[k]), max(hi[side][k], p[k])
				}
			}
		}
		for k := range 3 {
			if lo[0][k] > hi[1][k]+gap+1e-9 || lo[1][k] > hi[0][k]+gap+1e-9 {
				return
			}
		}
		list = append(list, restingPair{kind, q})
	}
	for _, f := range faces {
		for v := range n {
			add(geom.VertexFace, []int{v}, f, n, 0)
			add(geom.VertexFace, []int{v}, f, 0, n)
		}
	}
	for _, e := range edges {
		for _, g := range edges {
			add(geom.EdgeEdge, e, g, 0, n)
		}
	}
	return list
}

// restingScenes are the scenes of the benchmarks, all with the separation 1e-3.
var restingScenes = []struct {
	name  string
	gap   float64
	frame *[3][3]float64
}{{"flat", 1e-3, nil}, {"turned", 1e-3, &turnedFrame}, {"coplanar", 0, &turnedFrame}}

// BenchmarkResting reports the mean time of a pair and the slowest.
func BenchmarkResting(b *testing.B) {
	for _, scene := range restingScenes {
		list := slidingGrids(8, scene.gap, scene.frame)
		for _, norm := range []string{"euclid", "max"} {
			var r clearance.EuclideanResolver
			var s clearance.SeparationResolver
			calls := map[string]func(p *restingPair){
				"first": func(p *restingPair) {
					var im geom.Impact
					if norm == "max" {
						s.Resolve(p.kind, p.q, 1e-3, 1, &im)
					} else {
						r.Resolve(p.kind, p.q, 1e-3, 1, &im)
					}
				},
				"intervals": func(p *restingPair) {
					if norm == "max" {
						s.Intervals(p.kind, p.q, 1e-3, 1, nil)
					} else {
						r.Intervals(p.kind, p.q, 1e-3, 1, nil)
					}
				},
			}
			for _, call := range []string{"first", "intervals"} {
				b.Run(fmt.Sprintf("%s/%s/%s", scene.name, norm, call), func(b *testing.B) {
					r.Stats, s.Stats = clearance.EuclideanStats{}, clearance.SeparationStats{}
					slowest := time.Duration(0)
					for range b.N {
						for i := range list {
							start := time.Now()
							calls[call](&list[i])
							slowest = max(slowest, time.Since(start))
						}
					}
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(list))/1e3, "us/pair")
					b.ReportMetric(float64(slowest.Microseconds()), "us/slowest")
					b.ReportMetric(float64(len(list)), "pairs")
					b.Logf("%+v %+v", r.Stats, s.Stats)
				})
			}
		}
	}
}

package narrow

import (
	"fmt"
	"testing"

	"ccd/bench/cputime"
	"ccd/core/geom"
)

// cpu returns the processor time of this process in nanoseconds.
func cpu() float64 { return float64(cputime.Process()) }

// BenchmarkHandcrafted reports the mean processor time of the handcrafted queries, and the boxes
// they take.
func BenchmarkHandcrafted(b *testing.B) {
	for _, kind := range []geom.Kind{geom.VertexFace, geom.EdgeEdge} {
		all := handcrafted(b, kind)
		for _, d := range []float64{0, 1e-8, 1e-3, 1e-2} {
			for _, tol := range []float64{1e-6, 1e-12} {
				o := DefaultOptions()
				o.Method, o.MinSeparation, o.Tolerance = TimeContracted, d, tol
				b.Run(fmt.Sprintf("%v/d=%g/tol=%g", kind, d, tol), func(b *testing.B) {
					s := NewSolver()
					var im geom.Impact
					start := cpu()
					for range b.N {
						for i := range all {
							s.Solve(kind, all[i].q, &o, &im)
						}
					}
					b.ReportMetric((cpu()-start)/float64(b.N*len(all)), "cpu-ns/query")
					boxes, most := int64(0), int64(0)
					for i := range all {
						s.contract.boxes = 0
						s.Solve(kind, all[i].q, &o, &im)
						boxes += s.contract.boxes
						most = max(most, s.contract.boxes)
					}
					b.ReportMetric(float64(boxes)/float64(len(all)), "boxes/query")
					b.ReportMetric(float64(most), "most-boxes")
				})
			}
		}
	}
}

package step

import (
	"testing"
)

// BenchmarkSizes is the steps of all vertices, beside one Collisions: the used motion, passes, and
// the ratio of processor times.
func BenchmarkSizes(b *testing.B) {
	for _, d := range dataScenes {
		s := d.load(b)
		for name, separation := range map[string]float64{"": 0, ", separation 1e-3": 1e-3} {
			o, so := DefaultOptions(), DefaultSizesOptions()
			o.Threads, o.MinSeparation = 1, separation
			b.Run(d.name+name, func(b *testing.B) {
				alpha, y := make([]float64, s.m.NV), make([]float64, len(s.x0))
				var sizes, all float64
				var r SizesReport
				for b.Loop() {
					c := cpu()
					if _, err := Collisions(s.m, s.x0, s.x1, &o); err != nil {
						b.Fatal(err)
					}
					all -= c - cpu()
					c = cpu()
					var err error
					if r, err = Sizes(s.m, s.x0, s.x1, alpha, y, &so, &o); err != nil {
						b.Fatal(err)
					}
					sizes -= c - cpu()
				}
				b.ReportMetric(sizes/float64(b.N), "cpu-ms")
				b.ReportMetric(sizes/all, "collisions")
				b.ReportMetric(r.Used, "used")
				b.ReportMetric(float64(r.Passes), "passes")
				b.ReportMetric(float64(r.Resting), "resting")
			})
		}
	}
}

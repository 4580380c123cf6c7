package step

import (
	"fmt"
	"testing"
)

// BenchmarkIntervals compares Intervals with Collisions, in turn: the least processor time of each
// in milliseconds, and their ratio.
func BenchmarkIntervals(b *testing.B) {
	for _, d := range dataScenes {
		for _, separation := range []float64{0, 1e-5, 1e-3} {
			b.Run(fmt.Sprintf("%s/%g", d.name, separation), func(b *testing.B) {
				s := d.load(b)
				var least [2]float64
				var impacts, intervals int
				for b.Loop() {
					for i := range least {
						o := DefaultOptions()
						o.Threads, o.MinSeparation = 1, separation
						c := cpu()
						if i == 0 {
							list, err := Collisions(s.m, s.x0, s.x1, &o)
							if err != nil {
								b.Fatal(err)
							}
							impacts = len(list)
						} else {
							list, err := Intervals(s.m, s.x0, s.x1, &o)
							if err != nil {
								b.Fatal(err)
							}
							intervals = len(list)
						}
						if c = cpu() - c; least[i] == 0 || c < least[i] {
							least[i] = c
						}
					}
				}
				b.ReportMetric(least[0], "collisions-ms")
				b.ReportMetric(least[1], "intervals-ms")
				b.ReportMetric(least[1]/least[0], "ratio")
				b.ReportMetric(float64(impacts), "impacts")
				b.ReportMetric(float64(intervals), "intervals")
			})
		}
	}
}

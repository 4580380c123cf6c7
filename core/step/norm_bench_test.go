package step

import (
	"fmt"
	"testing"

	"ccd/core/geom"
	"ccd/core/narrow"
)

// BenchmarkNorms is whole steps with a separation: the exact method in both norms and the
// time-contracted one, in turn. It reports the least processor time of each, in milliseconds. The
// scenes begin within 1e-3; within 1e-5 they do not.
func BenchmarkNorms(b *testing.B) {
	tasks := []struct {
		name string
		run  func(s *scene, o *Options) error
	}{
		{"size", func(s *scene, o *Options) error { _, err := Size(s.m, s.x0, s.x1, o); return err }},
		{"earliest", func(s *scene, o *Options) error { _, err := Earliest(s.m, s.x0, s.x1, o); return err }},
		{"collisions", func(s *scene, o *Options) error {
			return Visit(s.m, s.x0, s.x1, o, func([]geom.Impact) bool { return false })
		}},
	}
	ways := []struct {
		name   string
		method narrow.Method
		flags  uint32
	}{{"max", narrow.Exact, narrow.MaxNorm}, {"euclidean", narrow.Exact, 0}, {"contracted", narrow.TimeContracted, 0}}
	for _, d := range dataScenes {
		s := d.load(b)
		for _, separation := range []float64{1e-3, 1e-5} {
			for _, task := range tasks {
				b.Run(fmt.Sprintf("%s/%g/%s", d.name, separation, task.name), func(b *testing.B) {
					var least [3]float64
					for b.Loop() {
						for i, way := range ways {
							o := DefaultOptions()
							o.Threads, o.MinSeparation, o.Method, o.Flags = 1, separation, way.method, way.flags
							c := cpu()
							if err := task.run(&s, &o); err != nil {
								b.Fatal(err)
							}
							if c = cpu() - c; least[i] == 0 || c < least[i] {
								least[i] = c
							}
						}
					}
					for i, way := range ways {
						b.ReportMetric(least[i], way.name+"-ms")
					}
				})
			}
		}
	}
}

package step

import (
	"slices"
	"syscall"
	"testing"

	"ccd/core/broad"
	"ccd/core/geom"
)

// cpu is the processor time this process has used, in milliseconds: on a shared machine it says more than the clock.
func cpu() float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e6
}

// measure runs f and reports the median of its processor time.
func measure(b *testing.B, f func()) {
	var ms []float64
	for b.Loop() {
		c := cpu()
		f()
		ms = append(ms, cpu()-c)
	}
	slices.Sort(ms)
	b.ReportMetric(ms[len(ms)/2], "cpu-ms")
}

// BenchmarkPlan is the broad phase whose blocks are consumed in place.
func BenchmarkPlan(b *testing.B) {
	for _, d := range dataScenes {
		b.Run(d.name, func(b *testing.B) {
			s := d.load(b)
			mo := s.motion(b)
			var p broad.Plan
			w := broad.NewWorker()
			b.Run("build", func(b *testing.B) {
				measure(b, func() {
					if err := p.Build(s.m, mo, broad.PlanOptions{Until: 1, Threads: 1}); err != nil {
						b.Fatal(err)
					}
				})
				b.ReportMetric(float64(p.Bytes())/1e6, "MB")
				b.ReportMetric(float64(p.Weight()), "entries")
			})
			b.Run("sweep", func(b *testing.B) {
				measure(b, func() {
					w.Swept, w.Kept = 0, 0
					for i := range p.Tasks() {
						w.Sweep(&p, &p.Tasks()[i], func(geom.Kind, [][2]int32) bool { return true })
					}
				})
				b.ReportMetric(float64(w.Swept), "swept")
				b.ReportMetric(float64(w.Kept), "kept")
			})
		})
	}
}

// BenchmarkSweep is the broad phase whose candidates are all kept, sorted.
func BenchmarkSweep(b *testing.B) {
	for _, d := range dataScenes {
		b.Run(d.name, func(b *testing.B) {
			s := d.load(b)
			mo := s.motion(b)
			measure(b, func() {
				if _, err := broad.Sweep(s.m, mo, broad.Options{Threads: 1}); err != nil {
					b.Fatal(err)
				}
			})
		})
	}
}

// BenchmarkStep is whole steps, input checked and packed.
func BenchmarkStep(b *testing.B) {
	for _, d := range dataScenes {
		s := d.load(b)
		for name, separation := range map[string]float64{"": 0, ", separation 1e-3": 1e-3} {
			o := DefaultOptions()
			o.Threads, o.MinSeparation = 1, separation
			b.Run(d.name+"/collisions"+name, func(b *testing.B) {
				measure(b, func() {
					if _, err := Collisions(s.m, s.x0, s.x1, &o); err != nil {
						b.Fatal(err)
					}
				})
			})
			b.Run(d.name+"/earliest"+name, func(b *testing.B) {
				measure(b, func() {
					if _, err := Earliest(s.m, s.x0, s.x1, &o); err != nil {
						b.Fatal(err)
					}
				})
			})
		}
	}
}

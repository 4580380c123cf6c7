package step

import (
	"slices"
	"testing"

	"ccd/core/broad"
	"ccd/core/geom"
)

// BenchmarkStartCheck reports what the check of the start costs beside the earliest impact, in
// turn: the check alone, and the sweep of its edges and faces, as parts of an Earliest without it.
// Below 0.3 it would be the default.
func BenchmarkStartCheck(b *testing.B) {
	for _, d := range dataScenes {
		s := d.load(b)
		mo := s.motion(b)
		for name, separation := range map[string]float64{"": 0, ", separation 1e-3": 1e-3} {
			b.Run(d.name+name, func(b *testing.B) {
				var check, sweep []float64
				for b.Loop() {
					o := DefaultOptions()
					o.Threads, o.MinSeparation = 1, separation
					earliest := timed(b, func() error { _, err := Earliest(s.m, s.x0, s.x1, &o); return err })
					o.CheckStart = true
					check = append(check, timed(b, func() error {
						c, err := start(s.m, s.x0, s.x1, &o)
						if err == nil {
							_, err = firstCrossing(c)
							c.end()
						}
						return err
					})/earliest)
					how := broad.PlanOptions{
						Input: broad.Input{Still: true, AtRest: true, Intersections: true, Euclidean: true},
						Work:  broad.Work{Threads: 1},
					}
					var p broad.Plan
					if err := p.Build(s.m, mo, how); err != nil {
						b.Fatal(err)
					}
					w := broad.NewWorker()
					sweep = append(sweep, timed(b, func() error { sweepStart(&p, w); return nil })/earliest)
				}
				slices.Sort(check)
				slices.Sort(sweep)
				b.ReportMetric(check[len(check)/2], "of-earliest")
				b.ReportMetric(sweep[len(sweep)/2], "sweep-of-earliest")
			})
		}
	}
}

// timed is the processor time of a call.
func timed(b *testing.B, call func() error) float64 {
	c := cpu()
	if err := call(); err != nil {
		b.Fatal(err)
	}
	return cpu() - c
}

// sweepStart sweeps the edges and faces of a plan, and drops the pairs.
func sweepStart(p *broad.Plan, w *broad.Worker) {
	for i := range p.Tasks() {
		if t := &p.Tasks()[i]; t.Kind == geom.EdgeFace {
			w.Sweep(p, t, func(geom.Kind, [][2]int32) bool { return true })
		}
	}
}

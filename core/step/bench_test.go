package step

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"ccd/bench/cputime"
	"ccd/core/broad"
	"ccd/core/geom"
	"ccd/core/mesh"
)

// cpu is the processor time of this process in milliseconds.
func cpu() float64 { return float64(cputime.Process()) / 1e6 }

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
					if err := p.Build(s.m, mo, broad.PlanOptions{Input: broad.Input{Until: 1},
						Work: broad.Work{Threads: 1}}); err != nil {
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
			b.Run(d.name+"/advance"+name, func(b *testing.B) {
				x := make([]float64, len(s.x0))
				measure(b, func() {
					if _, err := Advance(s.m, s.x0, s.x1, x, 1, &o); err != nil {
						b.Fatal(err)
					}
				})
			})
		}
	}
}

// BenchmarkWithoutImpact is what a search for the earliest impact costs where there is none, over
// what the plain pass does that finds all: the median of ratios of calls in turn. The scenes are
// cut off before their first impact, at 0.9 of its time, and a sheet that grows.
func BenchmarkWithoutImpact(b *testing.B) {
	grows := crumpled(b, 200, false)
	grows.name = "growing sheet"
	for i, x := range grows.x0 {
		grows.x1[i] = 1.2 * x
	}
	all := []scene{grows}
	for _, d := range dataScenes {
		s := d.load(b)
		first, err := Earliest(s.m, s.x0, s.x1, nil)
		if err != nil {
			b.Fatal(err)
		}
		for i, x := range s.x0 {
			s.x1[i] = x + float64(0.9*first.TOILo*(s.x1[i]-x))
		}
		all = append(all, s)
	}
	for _, s := range all {
		b.Run(s.name, func(b *testing.B) {
			o := DefaultOptions()
			o.Threads = 1
			var ratios, ms []float64
			for b.Loop() {
				c := cpu()
				im, err := Earliest(s.m, s.x0, s.x1, &o)
				if err != nil || im.Verdict != geom.Separate {
					b.Fatal(im, err)
				}
				d := cpu()
				if _, err := Collisions(s.m, s.x0, s.x1, &o); err != nil {
					b.Fatal(err)
				}
				ratios, ms = append(ratios, (d-c)/(cpu()-d)), append(ms, d-c)
			}
			slices.Sort(ratios)
			slices.Sort(ms)
			b.ReportMetric(ratios[len(ratios)/2], "ratio")
			b.ReportMetric(ms[len(ms)/2], "cpu-ms")
		})
	}
}

// BenchmarkReuse is steps of a line search by candidates of the whole step, beside fresh ones.
func BenchmarkReuse(b *testing.B) {
	for _, d := range dataScenes {
		s := d.load(b)
		c, err := broad.Sweep(s.m, s.motion(b), broad.Options{})
		if err != nil {
			b.Fatal(err)
		}
		for _, alpha := range []float64{1, 0.25} {
			x1 := slices.Clone(s.x1)
			for i := range x1 {
				x1[i] = s.x0[i] + float64(alpha*(x1[i]-s.x0[i]))
			}
			for name, given := range map[string]*broad.Candidates{"fresh": nil, "reused": c} {
				o := DefaultOptions()
				o.Threads, o.Candidates = 1, given
				b.Run(fmt.Sprintf("%s/%v/collisions/%s", d.name, alpha, name), func(b *testing.B) {
					measure(b, func() {
						if _, err := Collisions(s.m, s.x0, x1, &o); err != nil {
							b.Fatal(err)
						}
					})
				})
				b.Run(fmt.Sprintf("%s/%v/earliest/%s", d.name, alpha, name), func(b *testing.B) {
					measure(b, func() {
						if _, err := Earliest(s.m, s.x0, x1, &o); err != nil {
							b.Fatal(err)
						}
					})
				})
			}
		}
	}
}

// BenchmarkGrowth is a whole step of a crumpled sheet at constant density, its vertices in order or
// shuffled, per edge.
func BenchmarkGrowth(b *testing.B) {
	for _, n := range []int{58, 183, 577, 1000} { // quads a side: about 10,000 to 3,000,000 edges
		for _, shuffled := range []bool{false, true} {
			b.Run(fmt.Sprintf("edges=%d/shuffled=%v", 3*n*n+2*n, shuffled), func(b *testing.B) {
				s := crumpled(b, n, shuffled)
				o := DefaultOptions()
				o.Threads = 1
				c, runs := cpu(), 0
				for b.Loop() {
					if _, err := Collisions(s.m, s.x0, s.x1, &o); err != nil {
						b.Fatal(err)
					}
					runs++
				}
				b.ReportMetric((cpu()-c)*1e6/float64(runs*len(s.m.Edges)), "cpu-ns/edge")
			})
		}
	}
}

// crumpled is a sheet of n x n quads of which neighbors just begin to cross.
func crumpled(b *testing.B, n int, shuffled bool) scene {
	r := rand.New(rand.NewPCG(3, 4))
	nv := (n + 1) * (n + 1)
	at := make([]int32, nv)
	for i := range at {
		at[i] = int32(i)
	}
	if shuffled {
		r.Shuffle(nv, func(i, j int) { at[i], at[j] = at[j], at[i] })
	}
	s := scene{x0: make([]float64, 3*nv), x1: make([]float64, 3*nv)}
	var faces []int32
	for i := range n + 1 {
		for j := range n + 1 {
			v := at[i*(n+1)+j]
			x := [3]float64{float64(i), float64(j), 2 * math.Sin(0.3*float64(i)) * math.Sin(0.2*float64(j))}
			for k := range 3 {
				s.x0[3*int(v)+k], s.x1[3*int(v)+k] = x[k], x[k]+0.8*(2*r.Float64()-1)
			}
			if i < n && j < n {
				w := i*(n+1) + j
				faces = append(faces, at[w], at[w+1], at[w+n+1], at[w+1], at[w+n+2], at[w+n+1])
			}
		}
	}
	var err error
	if s.m, err = mesh.New(nv, nil, faces); err != nil {
		b.Fatal(err)
	}
	return s
}

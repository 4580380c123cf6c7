package patch

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// BenchmarkNeverEnding are the cases on which the program of [Chen2024] does not end, for patches
// of every form.
func BenchmarkNeverEnding(b *testing.B) {
	r := rand.New(rand.NewPCG(34, 1))
	shifted := func(p *Patch, by0, by1 [3]float64) *Patch {
		q := &Patch{Form: p.Form, X0: append([]float64{}, p.X0...), X1: append([]float64{}, p.X0...)}
		q.move(by0, by1)
		return q
	}
	for _, kind := range dataNames {
		f := dataKinds[kind]
		one, two := randomPatch(r, f, false), randomPatch(r, f, false)
		meet(r, one, two)
		still, v := [3]float64{}, [3]float64{1, 2, -1}
		hinged := shifted(one, still, still)
		for i := range hinged.X0 {
			if j := i / 3; f.Shape == Triangle && j > f.U || f.Shape == Quad && j%(f.V+1) > 0 {
				hinged.X0[i] += r.Float64()
				hinged.X1[i] = hinged.X0[i] + v[i%3]
			} else {
				hinged.X1[i] += v[i%3]
			}
		}
		flat := func(z float64) *Patch {
			p := shifted(one, still, still)
			for i := 2; i < len(p.X0); i += 3 {
				p.X0[i], p.X1[i] = z, z
			}
			return p
		}
		a, c := shifted(one, still, still), shifted(two, still, still)
		c.move(sub3(a.At(0.3, 0.3, 0), c.At(0.3, 0.3, 0)), sub3(a.At(0.3, 0.3, 0), c.At(0.3, 0.3, 0)))
		for _, q := range []struct {
			name string
			a, b *Patch
		}{
			{"interpenetration at rest", a, c},
			{"interpenetration moving alike", shifted(a, still, v), shifted(c, still, v)},
			{"faces in contact at rest", flat(0), flat(0)},
			{"a shared edge moving alike", shifted(one, still, v), hinged},
		} {
			b.Run(kind+"/"+q.name, func(b *testing.B) { benchmarkPair(b, q.a, q.b, 1e-6, 0) })
		}
	}
	at := func(x, y float64) *Patch {
		return &Patch{Form: Form{Curve, 0, 0}, X0: []float64{x, x, x}, X1: []float64{y, y, y}}
	}
	b.Run("point/on point", func(b *testing.B) { benchmarkPair(b, at(0, 1), at(1, 0), 1e-6, 0) })
}

func sub3(a, b [3]float64) [3]float64 { return [3]float64{a[0] - b[0], a[1] - b[1], a[2] - b[2]} }

// BenchmarkRegion lets two identical curved patches meet over a region, for several tolerances,
// with a budget of 20,000 checks.
func BenchmarkRegion(b *testing.B) {
	sheet := func(z0, z1 float64) *Patch {
		p := &Patch{Form: Form{Quad, 3, 3}}
		for i := range 4 {
			for j := range 4 {
				x, y := float64(i)/3, float64(j)/3
				z := 0.3*x*(1-x) + 0.2*y*y - 0.1*x*y
				p.X0, p.X1 = append(p.X0, x, y, z+z0), append(p.X1, x, y, z+z1)
			}
		}
		return p
	}
	for name, tolerance := range map[string]float64{"1e-2": 1e-2, "1e-3": 1e-3, "1e-4": 1e-4, "1e-5": 1e-5,
		"1e-6": 1e-6} {
		b.Run(name, func(b *testing.B) { benchmarkPair(b, sheet(1, -1), sheet(0, 0), tolerance, 20000) })
	}
}

// BenchmarkPieces lets parts of one surface that have different nets meet over a region, and rest
// 1e-5 apart.
func BenchmarkPieces(b *testing.B) {
	for _, w := range pieces {
		r := rand.New(rand.NewPCG(95, 1))
		whole := hill(r, w.whole, 0.25)
		for _, way := range [][2]float64{{0.25, -0.25}, {1e-5, 1e-5}} {
			part := piece(whole, w.part, w.at)
			part.move([3]float64{0, 0, way[0]}, [3]float64{0, 0, way[1]})
			b.Run(fmt.Sprintf("%s/from %v to %v", w.name, way[0], way[1]), func(b *testing.B) {
				benchmarkPair(b, whole, part, 1e-6, 0)
			})
		}
	}
}

func benchmarkPair(b *testing.B, p, q *Patch, tolerance float64, budget int64) {
	var s Solver
	var im Impact
	o := DefaultOptions()
	o.Tolerance, o.MaxIterations = tolerance, budget
	from := cpu()
	for range b.N {
		if err := s.Solve(p, q, &o, &im); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric((cpu()-from)*1e6/float64(b.N), "cpu-us")
	b.ReportMetric(float64(s.Work.Checks), "checks")
	b.ReportMetric(float64(im.Verdict), "verdict")
	b.ReportMetric(im.TOILo, "toi")
	b.ReportMetric(im.Width, "width")
}

package patch

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// fallingOctant returns an eighth of a sphere, turned at random, that turns and comes down.
func fallingOctant(r *rand.Rand, radius float64, from, to vec) *Patch {
	s := math.Sqrt(0.5)
	p := &Patch{Form: Form{Quad, 2, 2}}
	axis, angle := vec{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}, 6*r.Float64()
	for i, e := range [3][2]float64{{1, 0}, {1, 1}, {0, 1}} {
		for j, m := range [3][2]float64{{0, -1}, {1, -1}, {1, 0}} {
			x := []float64{radius * m[0] * e[0], radius * m[0] * e[1], radius * m[1]}
			p.X0 = append(p.X0, turnedAbout(x, axis, angle, from)...)
			p.X1 = append(p.X1, turnedAbout(x, axis, angle+0.1, to)...)
			p.W = append(p.W, []float64{1, s, 1}[i]*[]float64{1, s, 1}[j])
		}
	}
	return p
}

// freePairs are pairs of patches that do not fit each other, so that quadrics gain nothing: parts
// of balls and random patches.
func freePairs(kind string, n int) (list [][2]*Patch) {
	for seed := range n {
		r := rand.New(rand.NewPCG(uint64(seed), 77))
		p := fallingOctant(r, 1, vec{0, 0, 2}, vec{0.3, 0.2, -2})
		var q *Patch
		switch kind {
		case "octants":
			q = fallingOctant(r, 0.5+r.Float64(), vec{}, vec{0.1, 0, 0})
		case "octant and rational":
			q = randomPatch(r, Form{Quad, 2, 2}, true)
		case "octant and cubic":
			q = randomPatch(r, Form{Quad, 3, 3}, false)
		case "rational":
			p, q = randomPatch(r, Form{Quad, 2, 2}, true), randomPatch(r, Form{Quad, 3, 3}, true)
			meet(r, p, q)
		}
		list = append(list, [2]*Patch{p, q})
	}
	return list
}

// BenchmarkFree decides these pairs. Of all rounds the one that took least processor time counts.
func BenchmarkFree(b *testing.B) {
	for _, kind := range []string{"octants", "octant and rational", "octant and cubic", "rational"} {
		pairs := freePairs(kind, 300)
		for _, tolerance := range []float64{1e-6, 1e-12} {
			b.Run(fmt.Sprintf("%s/%g", kind, tolerance), func(b *testing.B) {
				var s Solver
				o := DefaultOptions()
				o.Tolerance = tolerance
				checks, least := int64(0), math.Inf(1)
				for range b.N {
					from := cpu()
					checks = 0
					for _, p := range pairs {
						s.begin(p[0], p[1], &o).find()
						checks += s.Work.Checks
					}
					least = min(least, cpu()-from)
				}
				n := float64(len(pairs))
				b.ReportMetric(least*1e6/n, "least-cpu-us/case")
				b.ReportMetric(float64(checks)/n, "checks/case")
			})
		}
	}
}

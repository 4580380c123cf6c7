package broad

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"ccd/core/bound"
	"ccd/core/geom"
)

// shorter returns a step within mo: each vertex goes a part of its way, or all of it, or stays.
func shorter(r *rand.Rand, mo *geom.Trajectories) *geom.Trajectories {
	out := &geom.Trajectories{N: mo.N, Rec: slices.Clone(mo.Rec)}
	for v := range mo.N {
		a, x := []float64{0, 1, r.Float64(), r.Float64()}[r.IntN(4)], out.Rec[8*v:8*v+8]
		for k := range 3 {
			if a < 1 {
				x[4+k] = x[k] + float64(a*(x[4+k]-x[k]))
			}
		}
	}
	return out
}

// The pairs with a changed vertex, found by Near for a step within its own, and by dropping all others: none is lost but those that
// the kinetic boxes of doubles separate, none is found twice, and none has no changed vertex.
func TestNearLosesNoPair(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 32))
	skipped := 0
	for _, s := range adversaries() {
		m, mo := s.load(t)
		for range 4 {
			d := []float64{0, 1e-3, 0.5, 1e140}[r.IntN(4)]
			if s.name == "random" && r.IntN(2) == 0 {
				if err := m.SetRadii(randomRadii(r, m, 0.1)); err != nil {
					t.Fatal(err)
				}
			}
			how := PlanOptions{Separation: 2 * bound.Half(d), Radii: m.Filter().Radii(), Until: 1, Threads: 1 + r.IntN(3)}
			var near Near
			if err := near.Build(m, mo, how); err != nil {
				t.Fatal(err)
			}
			for range 3 {
				changed, some := make([]bool, m.NV), 1+r.IntN(20)
				for v := range changed {
					changed[v] = r.IntN(some) == 0
				}
				step := shorter(r, mo)
				all, err := BruteForce(m, step, Options{MinSeparation: d})
				if err != nil {
					t.Fatal(err)
				}
				if err := near.Select(changed); err != nil {
					t.Fatal(err)
				}
				how.Changed = changed
				for _, how.Near = range []*Near{&near, nil} {
					var p Plan
					if err := p.Build(m, step, how); err != nil {
						t.Fatal(err)
					}
					name := fmt.Sprintf("%s, separation %v, near %v", s.name, d, how.Near != nil)
					checkChanged(t, name, &p, plannedPairs(t, &p), all, ends(step))
					if how.Near != nil && int(p.Weight()) < m.NV {
						skipped++
					}
				}
				var p Plan
				if err := p.Reuse(m, step, all, how); err != nil {
					t.Fatal(err)
				}
				p.Join()
				checkChanged(t, s.name+", given", &p, plannedPairs(t, &p), all, ends(step))
			}
		}
	}
	if skipped == 0 {
		t.Error("no plan leaves out any primitive")
	}
}

// checkChanged compares the pairs of a plan with a changed vertex with all candidates.
func checkChanged(t *testing.T, name string, p *Plan, got, all *Candidates, ends [2]*geom.Trajectories) {
	t.Helper()
	for _, k := range geom.StepKinds {
		pairs := got.Of(k)
		if n := len(slices.Compact(slices.Clone(pairs))); n != len(pairs) {
			t.Fatalf("%s: %d %v pairs twice", name, len(pairs)-n, k)
		}
		for _, x := range pairs {
			idx := p.m.Indices(k, x[0], x[1])
			if !slices.ContainsFunc(idx[:], func(v int32) bool { return p.how.Changed[v] }) || !p.filter.Allows(k, x[0], x[1]) {
				t.Fatalf("%s: %v pair %v is not wanted", name, k, x)
			}
		}
		for _, x := range all.Of(k) {
			idx := p.m.Indices(k, x[0], x[1])
			if !slices.ContainsFunc(idx[:], func(v int32) bool { return p.how.Changed[v] }) {
				continue
			}
			d := p.how.Radii.Pair(k, x[0], x[1], p.how.Separation)
			_, found := slices.BinarySearchFunc(pairs, x, func(a, b [2]int32) int { return slices.Compare(a[:], b[:]) })
			if !found && !apartWith(p.m, ends, k, x[0], x[1], d) {
				t.Fatalf("%s: %v pair %v is lost", name, k, x)
			}
		}
	}
}

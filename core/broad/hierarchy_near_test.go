package broad

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"ccd/core/bound"
	"ccd/core/geom"
	"ccd/core/mesh"
)

// Law 6: whatever the mesh and the numbers, a Near of the hierarchy loses no pair with a vertex
// that has changed, step after step, finds none twice, and none without such a vertex.
func TestHierarchyNearLosesNoPair(t *testing.T) {
	useHierarchies(t, HierarchyAlways)
	plans, pairs := 0, 0
	hostileCalls(t, 1500, func(name string, r *rand.Rand, m *mesh.Mesh, mo *geom.Trajectories) {
		if len(families(m)) == 0 || m.NV > 100 { // To compare all pairs takes long.
			return
		}
		radii := m.Filter().Radii()
		if ok, err := HasHierarchy(m, mo, 1); err != nil || !ok {
			return
		}
		d := hostileSeparations[r.IntN(len(hostileSeparations)-1)]
		how := PlanOptions{
			Input:  Input{Separation: 2 * bound.Half(d), Radii: radii, Until: 1},
			Tactic: Tactic{Hierarchy: true}, Work: Work{Threads: 1 + r.IntN(2)},
		}
		var near Near
		if err := near.Build(m, mo, how); err != nil {
			t.Fatal(err)
		}
		if !near.tree.grouped {
			t.Fatalf("%s: the grid finds the pairs", name)
		}
		step := &geom.Trajectories{N: mo.N, Rec: slices.Clone(mo.Rec)}
		for range 3 {
			changed, some := make([]bool, m.NV), 1+r.IntN(20)
			next := shorter(r, step)
			for v := range changed {
				if changed[v] = r.IntN(some) == 0; !changed[v] {
					copy(next.Rec[8*v:8*v+8], step.Rec[8*v:])
				}
			}
			step = next
			all, err := BruteForce(m, step, Options{MinSeparation: d})
			if err != nil { // The boxes are too large.
				return
			}
			if err := near.Select(changed); err != nil {
				t.Fatal(err)
			}
			how.Keep = Keep{Near: &near, Changed: changed}
			var p Plan
			if err := p.Build(m, step, how); err != nil {
				t.Fatal(err)
			}
			if !p.Grouped() {
				t.Fatalf("%s: the grid finds the pairs", name)
			}
			found := plannedPairs(t, &p)
			checkChanged(t, fmt.Sprintf("%s, separation %v", name, d), &p, found, all, ends(step))
			plans, pairs = plans+1, pairs+found.Len()
		}
	})
	if t.Logf("%d plans, %d pairs", plans, pairs); plans < 50 || pairs < 10000 {
		t.Errorf("%d plans, %d pairs: the test shows too little", plans, pairs)
	}
}

// A plan whose step goes farther than that of its Near has its pairs all the same.
func TestHierarchyNearOfAFartherStep(t *testing.T) {
	useHierarchies(t, HierarchyAlways)
	s := roughSheet(12)
	m, mo := s.load(t)
	how := PlanOptions{Input: Input{Radii: m.Filter().Radii(), Until: 1}, Tactic: Tactic{Hierarchy: true}}
	if ok, err := HasHierarchy(m, mo, 1); err != nil || !ok {
		t.Fatal(ok, err)
	}
	var near Near
	if err := near.Build(m, mo, how); err != nil {
		t.Fatal(err)
	}
	far := &geom.Trajectories{N: mo.N, Rec: slices.Clone(mo.Rec)}
	far.Rec[8*5+6] = 3 * mo.Largest()
	how.Keep = Keep{Near: &near, Changed: make([]bool, m.NV)}
	how.Keep.Changed[5] = true
	if err := near.Select(how.Keep.Changed); err != nil {
		t.Fatal(err)
	}
	all, err := BruteForce(m, far, Options{})
	if err != nil {
		t.Fatal(err)
	}
	var p Plan
	if err := p.Build(m, far, how); err != nil {
		t.Fatal(err)
	}
	found := plannedPairs(t, &p)
	if checkChanged(t, s.name, &p, found, all, ends(far)); p.how.Keep.Near != nil || found.Len() == 0 {
		t.Errorf("%d pairs, around the vertex: %v", found.Len(), p.how.Keep.Near != nil)
	}
}

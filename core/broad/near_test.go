package broad

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"ccd/core/bound"
	"ccd/core/ccdtest/long"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/simd/box"
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

// The pairs with a changed vertex, found by Near for a step within its own, and by dropping all
// others: none is lost but those that the kinetic boxes of doubles separate, none is found twice,
// and none has no changed vertex.
func TestNearLosesNoPair(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 32))
	skipped := 0
	for _, s := range adversaries() {
		m, mo := s.load(t)
		for range long.Part(4, 2) {
			d := []float64{0, 1e-3, 0.5, 1e140}[r.IntN(4)]
			if s.name == "random" && r.IntN(2) == 0 {
				if err := m.SetRadii(randomRadii(r, m, 0.1)); err != nil {
					t.Fatal(err)
				}
			}
			how := PlanOptions{Input: Input{Separation: 2 * bound.Half(d), Radii: m.Filter().Radii(), Until: 1},
				Work: Work{Threads: 1 + r.IntN(3)}}
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
				how.Keep.Changed = changed
				for _, how.Keep.Near = range []*Near{&near, nil} {
					var p Plan
					if err := p.Build(m, step, how); err != nil {
						t.Fatal(err)
					}
					name := fmt.Sprintf("%s, separation %v, near %v", s.name, d, how.Keep.Near != nil)
					checkChanged(t, name, &p, plannedPairs(t, &p), all, ends(step))
					if how.Keep.Near != nil && int(p.Weight()) < m.NV {
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
			if !slices.ContainsFunc(idx[:], func(v int32) bool { return p.how.Keep.Changed[v] }) ||
				!p.filter.Allows(k, x[0], x[1]) {
				t.Fatalf("%s: %v pair %v is not wanted", name, k, x)
			}
		}
		for _, x := range all.Of(k) {
			idx := p.m.Indices(k, x[0], x[1])
			if !slices.ContainsFunc(idx[:], func(v int32) bool { return p.how.Keep.Changed[v] }) {
				continue
			}
			d := p.how.Input.Radii.Pair(k, x[0], x[1], p.how.Input.Separation)
			_, found := slices.BinarySearchFunc(pairs, x, func(a, b [2]int32) int { return slices.Compare(a[:], b[:]) })
			if !found && !apartWith(p.m, ends, k, x[0], x[1], d) {
				t.Fatalf("%s: %v pair %v is lost", name, k, x)
			}
		}
	}
}

// crumbs is a scene of n small triangles and, among them, some that reach across it. The vertices
// of a triangle are anywhere in memory.
func crumbs(r *rand.Rand, n int) scene {
	order := r.Perm(3 * n)
	s := scene{name: "crumbs", nv: 3 * n, x0: make([]float64, 9*n), x1: make([]float64, 9*n), edges: []int32{}}
	for i := range n {
		size := 0.02
		if i%16 == 0 {
			size = 1
		}
		at := [3]float64{r.Float64(), r.Float64(), r.Float64()}
		var face [3]int32
		for c := range face {
			v := order[3*i+c]
			face[c] = int32(v)
			for k := range 3 {
				s.x0[3*v+k] = at[k] + size*(2*r.Float64()-1)
				s.x1[3*v+k] = s.x0[3*v+k] + 0.02*(2*r.Float64()-1)
			}
		}
		s.faces = append(s.faces, face[:]...)
		s.edges = append(s.edges, face[0], face[1], face[1], face[2], face[2], face[0])
	}
	return s
}

// Select keeps the primitives that share a bin and a cell with one that changes, and no others:
// compared one by one. Some share only cells that are neither their first nor their last.
func TestNearKeepsWhatSharesABinOfACell(t *testing.T) {
	r := rand.New(rand.NewPCG(33, 34))
	s := crumbs(r, 400)
	m, mo := s.load(t)
	inner := 0
	for range 4 {
		var near Near
		if err := near.Build(m, mo, PlanOptions{Input: Input{Until: 1},
			Work: Work{Threads: 1 + r.IntN(3)}}); err != nil {
			t.Fatal(err)
		}
		for range 4 {
			changed := make([]bool, m.NV)
			for range 1 + r.IntN(6) {
				changed[r.IntN(m.NV)] = true
			}
			if err := near.Select(changed); err != nil {
				t.Fatal(err)
			}
			for a := range geom.Shape(len(near.ranges)) {
				for i := range near.ranges[a] {
					shares, corner := near.shares(m, changed, a, i)
					change := touched(m, changed, a, int32(i))
					if want := [2]bool{change, shares && !change}; want != near.marked(a, i) {
						t.Fatalf("%v %d changes and is near: %v, Select says %v", a, i, want, near.marked(a, i))
					}
					if shares && !corner {
						inner++
					}
				}
			}
		}
	}
	if inner < 10 {
		t.Errorf("%d primitives share inner cells alone", inner)
	}
}

// marked returns whether Select marked a primitive as changing, and as another one.
func (n *Near) marked(s geom.Shape, i int) (is [2]bool) {
	is[0] = n.marks[s][changing][i>>6]>>(i&63)&1 != 0
	is[1] = n.marks[s][others][i>>6]>>(i&63)&1 != 0
	return is
}

// shares reports whether a primitive has a bin and a cell in common with one that changes, and
// whether its first or its last cell is one.
func (n *Near) shares(m *mesh.Mesh, changed []bool, s geom.Shape, i int) (any, corner bool) {
	p, bins := n.ranges[s][i], n.bins[s][i]
	covers := func(q box.CellRange, c [2]uint16) bool {
		return q.Lo[0] <= c[0] && c[0] <= q.Hi[0] && q.Lo[1] <= c[1] && c[1] <= q.Hi[1]
	}
	for b := range n.ranges {
		for j, q := range n.ranges[b] {
			if !touched(m, changed, geom.Shape(b), int32(j)) || n.bins[b][j].last < bins.first ||
				bins.last < n.bins[b][j].first {
				continue
			}
			if max(p.Lo[0], q.Lo[0]) <= min(p.Hi[0], q.Hi[0]) && max(p.Lo[1], q.Lo[1]) <= min(p.Hi[1], q.Hi[1]) {
				any = true
				corner = corner || covers(q, p.Lo) || covers(q, p.Hi)
			}
		}
	}
	return any, corner
}

// A plan of few primitives computes the records of all their vertices, wherever these are in
// memory, and of few others.
func TestNearComputesTheRecordsItNeeds(t *testing.T) {
	r := rand.New(rand.NewPCG(35, 36))
	s := crumbs(r, 1600)
	m, mo := s.load(t)
	all, err := BruteForce(m, mo, Options{})
	if err != nil {
		t.Fatal(err)
	}
	few := 0
	for range 8 {
		var near Near
		how := PlanOptions{Input: Input{Until: 1}, Work: Work{Threads: 1}}
		if err := near.Build(m, mo, how); err != nil {
			t.Fatal(err)
		}
		how.Keep.Near, how.Keep.Changed = &near, make([]bool, m.NV)
		for range 1 + r.IntN(3) {
			how.Keep.Changed[r.IntN(m.NV)] = true
		}
		if err := near.Select(how.Keep.Changed); err != nil {
			t.Fatal(err)
		}
		if runs := near.usedRuns(); runs != nil && slices.Contains(runs, false) {
			few++
		}
		var p Plan
		if err := p.Build(m, mo, how); err != nil {
			t.Fatal(err)
		}
		checkChanged(t, s.name, &p, plannedPairs(t, &p), all, ends(mo))
	}
	if few == 0 {
		t.Error("no plan leaves out records")
	}
}

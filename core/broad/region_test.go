package broad

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"ccd/core/geom"
	"ccd/core/mesh"
)

// randomRegions returns about n regions that partition space, by random cuts: at coordinates of
// vertices, between them, at 0, beyond all, and where a cut is already, so that some regions are
// empty.
func randomRegions(r *rand.Rand, mo *geom.Trajectories, n int) []Region {
	inf := math.Inf(1)
	out := []Region{{[3]float64{-inf, -inf, -inf}, [3]float64{inf, inf, inf}}}
	for len(out) < n {
		of, axis := r.IntN(len(out)), r.IntN(3)
		some := func() float64 {
			if mo.N == 0 {
				return 0
			}
			return mo.Rec[8*r.IntN(mo.N)+4*r.IntN(2)+axis]
		}
		at := []float64{some(), some(), some()/2 + some()/2, 0, math.Copysign(0, -1), 1e200, -inf, inf,
			out[of].Lo[axis], math.Nextafter(some(), inf)}[r.IntN(10)]
		if !(out[of].Lo[axis] <= at && at <= out[of].Hi[axis]) {
			at = out[of].Hi[axis]
		}
		above := out[of]
		above.Lo[axis], out[of].Hi[axis] = at, at
		out = append(out, above)
	}
	return out
}

// minima returns the least coordinates of all primitives at both ends, by shape.
func minima(m *mesh.Mesh, mo *geom.Trajectories) (out [3][][3]float64) {
	for shape := range geom.Shape(3) {
		for id := range m.Count(shape) {
			verts := []int32{int32(id)}
			switch shape {
			case geom.Edge:
				verts = m.Edges[id][:]
			case geom.Face:
				verts = m.Faces[id][:]
			}
			least := [3]float64{math.Inf(1), math.Inf(1), math.Inf(1)}
			for _, v := range verts {
				for axis := range least {
					for _, x := range [2]float64{mo.Rec[8*int(v)+axis], mo.Rec[8*int(v)+4+axis]} {
						if x < least[axis] {
							least[axis] = x
						}
					}
				}
			}
			out[shape] = append(out[shape], least)
		}
	}
	return out
}

// cornerOf returns the corner of a pair: along each axis the larger of the least coordinates of its
// primitives.
func cornerOf(least *[3][][3]float64, k geom.Kind, a, b int32) (corner [3]float64) {
	shapes := k.Info().Shapes
	for axis := range corner {
		corner[axis] = max(least[shapes[0]][a][axis], least[shapes[1]][b][axis])
	}
	return corner
}

// in reports whether a region contains a point.
func (r *Region) in(p [3]float64) bool {
	return r.Lo[0] <= p[0] && p[0] < r.Hi[0] && r.Lo[1] <= p[1] && p[1] < r.Hi[1] && r.Lo[2] <= p[2] && p[2] < r.Hi[2]
}

// inSlab reports whether a slab contains a point.
func inSlab(s *Slab, p [3]float64) bool { return s.Lo <= p[s.Axis] && p[s.Axis] < s.Hi }

// smallRegions returns for some pairs a region that contains their corner and hardly more: which of
// the two begins there differs from axis to axis, and few other primitives meet it.
func smallRegions(r *rand.Rand, m *mesh.Mesh, mo *geom.Trajectories, all [geom.EdgeFace + 1][][2]int32) (out []Region) {
	least := minima(m, mo)
	for k := range all {
		for range min(3, len(all[k])) {
			x := all[k][r.IntN(len(all[k]))]
			small := Region{Lo: cornerOf(&least, geom.Kind(k), x[0], x[1])}
			for axis, at := range small.Lo {
				small.Hi[axis] = math.Nextafter(at, math.Inf(1))
			}
			out = append(out, small)
		}
	}
	return out
}

// ownedBy returns those of some pairs that a region owns.
func ownedBy(m *mesh.Mesh, mo *geom.Trajectories, of *Region,
	all [geom.EdgeFace + 1][][2]int32) (out [geom.EdgeFace + 1][][2]int32) {
	least := minima(m, mo)
	for k := range all {
		for _, x := range all[k] {
			if of.in(cornerOf(&least, geom.Kind(k), x[0], x[1])) {
				out[k] = append(out[k], x)
			}
		}
	}
	return out
}

// The law of regions: of regions that partition space each finds the pairs of the plan whose corner
// it contains, and no others, whatever else the plan has: static and changed vertices, radii,
// groups, excluded pairs, slabs, intersection tests, given pairs; at any scale, on borders, with
// empty regions.
func TestRegionLaw(t *testing.T) {
	r := rand.New(rand.NewPCG(91, 92))
	found, empty, rounds := 0, 0, 6
	if testing.Short() {
		rounds = 3
	}
	for _, s := range append(adversaries(), staticScenes(r)...) {
		m, mo := s.load(t)
		for i := range rounds {
			static := make([]bool, m.NV)
			if r.IntN(2) == 0 {
				static = randomStatic(r, &s)
			}
			setRandomFilter(t, r, m, static)
			how := randomHow(r, m, mo)
			how.Tactic.cull = []when{never, always, whenItPays}[i%3]
			if how.Input.Separation > 1 && i > 0 { // all pairs
				how.Input.Separation = 0.5
			}
			var whole, part Plan
			buildOf := func(p *Plan) error { return p.Build(m, mo, how) }
			if i%3 == 2 && how.Input.Separation < 1 { // pairs that are known
				c, err := BruteForce(m, mo, Options{MinSeparation: how.Input.Separation})
				if err != nil {
					t.Fatal(err)
				}
				how.Tactic.Unboxed, how.Keep.Slab = r.IntN(2) == 0, nil
				buildOf = func(p *Plan) error {
					err := p.Reuse(m, mo, c, how)
					p.Join()
					return err
				}
			}
			if err := buildOf(&whole); err != nil {
				t.Fatal(err)
			}
			all := sweptPairs(&whole)
			regions := append(randomRegions(r, mo, 1+r.IntN(8)), smallRegions(r, m, mo, all)...)
			for j := range regions {
				how.Keep.Region = &regions[j]
				if err := buildOf(&part); err != nil {
					t.Fatal(err)
				}
				got, want := sweptPairs(&part), ownedBy(m, mo, &regions[j], all)
				for k := range want {
					if !slices.Equal(got[k], want[k]) {
						t.Fatalf("%s, region %v of %d, %+v: %d %v pairs, %d belong to it", s.name, regions[j],
							len(regions), how, len(got[k]), geom.Kind(k), len(want[k]))
					}
					if found += len(want[k]); len(want[k]) == 0 {
						empty++
					}
				}
			}
			how.Keep.Region = nil
			if err := m.SetRadii(nil); err != nil {
				t.Fatal(err)
			}
		}
	}
	if t.Logf("%d pairs, %d empty lists", found, empty); found < 20000*rounds || empty < 200*rounds {
		t.Error("too few for a test")
	}
}

// Lists of candidates of regions are those of the whole, each pair in one; those of brute force
// too.
func TestRegionSweep(t *testing.T) {
	r := rand.New(rand.NewPCG(93, 94))
	for _, s := range append(adversaries(), staticScenes(r)...) {
		m, mo := s.load(t)
		setRandomFilter(t, r, m, randomStatic(r, &s))
		o := Options{MinSeparation: []float64{0, 1e-3, 0.5}[r.IntN(3)], Threads: 1 + r.IntN(2)}
		whole, err := Sweep(m, mo, o)
		if err != nil {
			t.Fatal(err)
		}
		var all [geom.EdgeFace + 1][][2]int32
		for _, k := range geom.StepKinds {
			all[k] = whole.Of(k)
		}
		regions := randomRegions(r, mo, 1+r.IntN(8))
		for i := range regions {
			o.Region = &regions[i]
			want := ownedBy(m, mo, o.Region, all)
			for _, find := range []func(*mesh.Mesh, *geom.Trajectories, Options) (*Candidates, error){Sweep,
				BruteForce} {
				got, err := find(m, mo, o)
				if err != nil {
					t.Fatal(err)
				}
				for _, k := range geom.StepKinds {
					if !slices.Equal(got.Of(k), want[k]) {
						t.Fatalf("%s, region %v: %d %v pairs, %d belong to it", s.name, regions[i], len(got.Of(k)), k,
							len(want[k]))
					}
				}
			}
		}
	}
}

// A region is cut into slabs under a memory limit: each pair of it is in one of them.
func TestRegionUnderMemoryLimit(t *testing.T) {
	r := rand.New(rand.NewPCG(95, 96))
	s := sheet(150, func(i, j int) (x0, x1 [3]float64) {
		x0 = [3]float64{float64(i), float64(j), r.Float64()}
		return x0, [3]float64{x0[0] + r.Float64(), x0[1] + r.Float64(), r.Float64()}
	})
	m, mo := s.load(t)
	var whole, p Plan
	if err := whole.Build(m, mo, PlanOptions{Input: Input{Until: 1}, Work: Work{Threads: 2}}); err != nil {
		t.Fatal(err)
	}
	all, inf := sweptPairs(&whole), math.Inf(1)
	for _, region := range []Region{{[3]float64{-inf, 30.5, -inf}, [3]float64{120, inf, 0.4}},
		{[3]float64{30, 0, 0.2}, [3]float64{100, 70, inf}}} {
		want := ownedBy(m, mo, &region, all)
		for _, limit := range []int64{1 << 30, 2 << 20, 1} {
			var slabs SlabPlan
			var got [geom.EdgeFace + 1][][2]int32
			parts := 0
			for slabs.Begin(nil); slabs.More(); slabs.Next() {
				if err := slabs.Build(&p, m, mo, PlanOptions{Input: Input{Until: 1}, Keep: Keep{Region: &region},
					Work: Work{Threads: 2, Limit: limit}}); err != nil {
					t.Fatal(err)
				}
				for k, pairs := range sweptPairs(&p) {
					got[k] = append(got[k], pairs...)
				}
				parts++
			}
			if (parts > 1) != (limit < 1<<30) {
				t.Errorf("limit %d: %d slabs", limit, parts)
			}
			for k := range got {
				slices.SortFunc(got[k], func(x, y [2]int32) int { return slices.Compare(x[:], y[:]) })
				if !slices.Equal(got[k], want[k]) {
					t.Errorf("limit %d: %d %v pairs, want %d", limit, len(got[k]), geom.Kind(k), len(want[k]))
				}
			}
		}
	}
}

// A plan of a region compares few pairs that it does not own: cells below it are skipped, and its
// own begin about where it does.
func TestRegionSparesPairsOfOthers(t *testing.T) {
	r := rand.New(rand.NewPCG(97, 98))
	s := soup(r, 8000, func() float64 { return 0.05*r.Float64() - 0.025 })
	for v := range s.nv {
		for k, x := range [3]float64{float64(v/9*7919%997) / 997, float64(v/9*104729%991) / 991,
			float64(v/9*15485863%983) / 983} {
			s.x0[3*v+k] += x
			s.x1[3*v+k] += x
		}
	}
	m, mo := s.load(t)
	inf := math.Inf(1)
	count := func(region *Region) (compared, found int64) {
		var p Plan
		if err := p.Build(m, mo, PlanOptions{Input: Input{Until: 1}, Keep: Keep{Region: region},
			Work: Work{Threads: 1}}); err != nil {
			t.Fatal(err)
		}
		w := NewWorker()
		for i := range p.Tasks() {
			w.Sweep(&p, &p.Tasks()[i], func(geom.Kind, [][2]int32) bool { return true })
		}
		return w.Swept, w.Kept
	}
	compared, found := count(nil)
	for _, region := range []Region{{[3]float64{0.4, 0.4, 0.4}, [3]float64{0.7, 0.7, 0.7}},
		{[3]float64{-inf, 0.3, 0.5}, [3]float64{0.5, 0.6, inf}}} {
		c, f := count(&region)
		if t.Logf("%d of %d compared, %d of %d found", c, compared, f, found); f < 1000 ||
			float64(c)/float64(compared) > 2*float64(f)/float64(found) {
			t.Error("too much is compared, or too little found for a test")
		}
	}
}

// The ends of a region must be in order, and no NaN.
func TestRegionCheck(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, r := range []Region{{}, {[3]float64{-inf, -inf, -inf}, [3]float64{inf, inf, inf}},
		{[3]float64{1, 2, 3}, [3]float64{1, 2, 3}}} {
		if err := r.Check(); err != nil {
			t.Error(err)
		}
	}
	for k := range 3 {
		for _, ends := range [][2]float64{{1, 0}, {nan, 1}, {0, nan}, {inf, -inf}} {
			var r Region
			r.Lo[k], r.Hi[k] = ends[0], ends[1]
			if r.Check() == nil {
				t.Errorf("%v along axis %d is valid", ends, k)
			}
		}
	}
}

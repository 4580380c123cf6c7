package broad

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"ccd/core/ccdtest/long"
	"ccd/core/geom"
	"ccd/core/mesh"
)

// sweptPairs returns the pairs of a plan by kind, sorted.
func sweptPairs(p *Plan) (out [geom.EdgeFace + 1][][2]int32) {
	w := NewWorker()
	for i := range p.Tasks() {
		w.Sweep(p, &p.Tasks()[i], func(k geom.Kind, pairs [][2]int32) bool {
			out[k] = append(out[k], pairs...)
			return true
		})
	}
	for k := range out {
		slices.SortFunc(out[k], func(x, y [2]int32) int { return slices.Compare(x[:], y[:]) })
	}
	return out
}

// randomStatic marks vertices static: those far from a random one, a random part, all but one, all,
// or none.
func randomStatic(r *rand.Rand, s *scene) []bool {
	static := make([]bool, s.nv)
	if s.nv == 0 {
		return static
	}
	of, how, share := r.IntN(s.nv), r.IntN(6), r.IntN(40)
	for v := range static {
		switch how {
		case 0:
			static[v] = r.IntN(40) < share
		case 1:
			static[v] = v != of
		case 2:
			static[v] = r.IntN(8) > 0
		case 3:
			static[v] = true
		default:
			far := 0.0
			for k := range 3 {
				far = max(far, math.Abs(s.x0[3*v+k]/2-s.x0[3*of+k]/2))
			}
			static[v] = far > 0.2*math.Abs(s.x0[3*of])
		}
	}
	return static
}

// randomHow returns options of a plan.
func randomHow(r *rand.Rand, m *mesh.Mesh, mo *geom.Trajectories) PlanOptions {
	how := PlanOptions{
		Input: Input{Separation: []float64{0, 0, 1e-3, 0.5, 1e140}[r.IntN(5)], Radii: m.Filter().Radii(),
			Until: []float64{0, 0.3, 1, 1}[r.IntN(4)], Still: r.IntN(2) == 0, Intersections: r.IntN(3) == 0},
		Work: Work{Threads: 1 + r.IntN(3)},
	}
	if m.NV > 600 && how.Input.Separation > 1 { // all pairs
		how.Input.Separation = 0
	}
	if r.IntN(3) == 0 {
		slabs := Slabs(m, mo, 3)
		how.Keep.Slab = &slabs[r.IntN(3)]
	}
	if r.IntN(4) == 0 {
		how.Keep.Changed = make([]bool, m.NV)
		for v := range how.Keep.Changed {
			how.Keep.Changed[v] = r.IntN(2) == 0
		}
	}
	return how
}

// sameWithoutStatic compares the pairs of a plan, which it returns, with those of the plan whose
// static pairs are filtered after the sweep.
func sameWithoutStatic(t *testing.T, name string, m *mesh.Mesh, mo *geom.Trajectories, how PlanOptions) *Plan {
	t.Helper()
	var culled, filtered Plan
	if err := culled.Build(m, mo, how); err != nil {
		t.Fatal(err)
	}
	how.Tactic.cull = never
	if err := filtered.Build(m, mo, how); err != nil {
		t.Fatal(err)
	}
	got, want := sweptPairs(&culled), sweptPairs(&filtered)
	for k := range want {
		if !slices.Equal(got[k], want[k]) {
			t.Fatalf("%s, %+v: %d %v pairs, %d if static ones are filtered", name, how, len(got[k]), geom.Kind(k),
				len(want[k]))
		}
	}
	return &culled
}

// The pairs of a plan do not depend on whether static primitives are left out of it, or all their
// pairs are filtered after the sweep: bit for bit the same, at any scale, with radii, separations,
// slabs, changed vertices, groups, excluded pairs and for intersection tests, and where static
// vertices move all the same.
func TestStaticCullLaw(t *testing.T) {
	r := rand.New(rand.NewPCG(71, 72))
	left, used := 0, 0
	for _, s := range append(adversaries(), staticScenes(r)...) {
		m, mo := s.load(t)
		for range long.Part(12, 3) {
			static := randomStatic(r, &s)
			step := &geom.Trajectories{N: mo.N, Rec: slices.Clone(mo.Rec)}
			if r.IntN(2) == 0 {
				for v := range static {
					if static[v] {
						copy(step.Rec[8*v+4:8*v+8], step.Rec[8*v:8*v+4])
					}
				}
			}
			setRandomFilter(t, r, m, static)
			how := randomHow(r, m, step)
			how.Tactic.cull = []when{whenItPays, always}[r.IntN(2)]
			culled := sameWithoutStatic(t, s.name, m, step, how)
			if culled.still.pays {
				used++
				for i := range culled.still.lists {
					left += m.Count(geom.Shape(i)) - len(culled.still.lists[i][both])
				}
			}
		}
	}
	t.Logf("%d plans, %d primitives left out", used, left)
	if used < 50 || left < 5000 {
		t.Errorf("%d plans leave out %d primitives: too few for a test", used, left)
	}
}

// staticScenes are larger scenes than the adversaries: sheets, far from the origin, flat and tiny.
func staticScenes(r *rand.Rand) (out []scene) {
	for i, at := range [][2]float64{{1, 0}, {1, 1e9}, {1e-300, 0}, {1e130, 0}, {1e-3, 7}} {
		s := sheet(25, func(i, j int) (x0, x1 [3]float64) {
			x0 = [3]float64{float64(i), float64(j), r.Float64()}
			for k := range x0 {
				x0[k] = at[1] + at[0]*x0[k]
				x1[k] = x0[k] + at[0]*(r.Float64()-0.5)
			}
			return x0, x1
		})
		s.name = fmt.Sprintf("sheet %d", i)
		out = append(out, s)
	}
	return out
}

// setRandomFilter sets static vertices and, at times, radii, groups and excluded pairs.
func setRandomFilter(t *testing.T, r *rand.Rand, m *mesh.Mesh, static []bool) {
	t.Helper()
	var radii []float64
	var groups []int32
	if r.IntN(3) == 0 {
		radii = randomRadii(r, m, 0.1)
	}
	if r.IntN(4) == 0 {
		groups = make([]int32, m.NV)
		for v := range groups {
			groups[v] = int32(r.IntN(4)) - 1
		}
	}
	var excluded [][2]int64
	if n := len(m.Edges); n > 0 && r.IntN(3) == 0 {
		for range 20 {
			excluded = append(excluded, [2]int64{int64(r.IntN(n)), int64(r.IntN(n))})
		}
	}
	for _, err := range []error{m.SetStatic(static), m.SetRadii(radii), m.SetGroups(groups),
		m.SetExcluded(geom.EdgeEdge, excluded)} {
		if err != nil {
			t.Fatal(err)
		}
	}
}

// The candidates of a sweep are those of brute force, whose filter comes after.
func TestStaticCullSweep(t *testing.T) {
	r := rand.New(rand.NewPCG(73, 74))
	for _, s := range append(adversaries(), staticScenes(r)...) {
		m, mo := s.load(t)
		for range 3 {
			setRandomFilter(t, r, m, randomStatic(r, &s))
			o := Options{MinSeparation: []float64{0, 1e-3, 0.5}[r.IntN(3)], Threads: 1 + r.IntN(2)}
			want, err := BruteForce(m, mo, o)
			if err != nil {
				t.Fatal(err)
			}
			got, err := Sweep(m, mo, o)
			if err != nil {
				t.Fatal(err)
			}
			sameCandidates(t, s.name, got, want)
		}
	}
}

// A plan that SlabPlan cuts under a memory limit has the pairs of the whole, each in one slab, and
// its cull is found once.
func TestStaticCullUnderMemoryLimit(t *testing.T) {
	r := rand.New(rand.NewPCG(75, 76))
	s := sheet(150, func(i, j int) (x0, x1 [3]float64) {
		x0 = [3]float64{float64(i), float64(j), r.Float64()}
		return x0, [3]float64{x0[0] + r.Float64(), x0[1] + r.Float64(), r.Float64()}
	})
	m, mo := s.load(t)
	static := make([]bool, m.NV)
	for v := range static {
		static[v] = s.x0[3*v] > 20
	}
	if err := m.SetStatic(static); err != nil {
		t.Fatal(err)
	}
	how := PlanOptions{Input: Input{Until: 1}, Tactic: Tactic{cull: never}, Work: Work{Threads: 2}}
	var whole Plan
	if err := whole.Build(m, mo, how); err != nil {
		t.Fatal(err)
	}
	want := sweptPairs(&whole)
	how.Tactic.cull = whenItPays
	for _, limit := range []int64{1 << 30, 5 << 20, 4 << 20, 3 << 20, 1} {
		how.Work.Limit = limit
		var p Plan
		var slabs SlabPlan
		var got [geom.EdgeFace + 1][][2]int32
		parts, culled := 0, 0
		for slabs.Begin(nil); slabs.More(); slabs.Next() {
			if err := slabs.Build(&p, m, mo, how); err != nil {
				t.Fatal(err)
			}
			for k, pairs := range sweptPairs(&p) {
				got[k] = append(got[k], pairs...)
			}
			if parts++; p.still.pays {
				culled++
			}
		}
		for k := range got {
			slices.SortFunc(got[k], func(x, y [2]int32) int { return slices.Compare(x[:], y[:]) })
			if !slices.Equal(got[k], want[k]) {
				t.Errorf("limit %d: %d %v pairs, want %d", limit, len(got[k]), geom.Kind(k), len(want[k]))
			}
		}
		if limit == 1<<30 && culled == 0 || limit == 1 && culled > 0 {
			t.Errorf("limit %d: %d of %d slabs leave static primitives out", limit, culled, parts)
		}
		t.Logf("limit %d: %d slabs, %d culled, %d bytes", limit, parts, culled, p.Bytes())
	}
}

// A plan that is used again for another step of the same mesh leaves out what is not near in that
// step.
func TestStaticCullOfEveryStep(t *testing.T) {
	s := sheet(30, func(i, j int) (x0, x1 [3]float64) {
		x0 = [3]float64{float64(i), float64(j), 0}
		return x0, x0
	})
	m, mo := s.load(t)
	static := make([]bool, m.NV)
	for v := range static {
		static[v] = s.x0[3*v] > 2 || s.x0[3*v+1] > 2
	}
	if err := m.SetStatic(static); err != nil {
		t.Fatal(err)
	}
	var p Plan
	for _, far := range []float64{0, 10, 20} {
		mo.Reserve(mo.N)
		for v := range static {
			if !static[v] {
				mo.Rec[8*v+1], mo.Rec[8*v+5] = s.x0[3*v+1]+far, s.x0[3*v+1]+far
			}
		}
		how := PlanOptions{Input: Input{Until: 1}, Work: Work{Threads: 1}}
		var slabs SlabPlan
		slabs.Begin(nil)
		if err := slabs.Build(&p, m, mo, how); err != nil {
			t.Fatal(err)
		}
		if !p.still.pays {
			t.Error("nothing is left out")
		}
		how.Tactic.cull = never
		var filtered Plan
		if err := filtered.Build(m, mo, how); err != nil {
			t.Fatal(err)
		}
		got, want := sweptPairs(&p), sweptPairs(&filtered)
		for k := range want {
			if !slices.Equal(got[k], want[k]) {
				t.Errorf("%v away: %d %v pairs, %d if static ones are filtered", far, len(got[k]), geom.Kind(k),
					len(want[k]))
			}
		}
	}
}

// An occupancy meets every box that overlaps a marked one, and few others.
func TestOccupancyLaw(t *testing.T) {
	r := rand.New(rand.NewPCG(77, 78))
	for range 300 {
		scale := []float64{1, 1e-320, 1e-150, 1e150}[r.IntN(4)]
		point := func() (p [3]float64) {
			for k := range p {
				p[k] = scale * []float64{0, 1, r.Float64(), r.Float64(), 3 * r.NormFloat64()}[r.IntN(5)]
			}
			return p
		}
		box := func() (lo, hi [3]float64) {
			a, b := point(), point()
			small := []float64{1, 0.1, 0}[r.IntN(3)]
			for k := range a {
				b[k] = a[k] + small*(b[k]-a[k])
				lo[k], hi[k] = min(a[k], b[k]), max(a[k], b[k])
			}
			return lo, hi
		}
		var o occupancy
		lo, hi := box()
		o.begin(lo, hi, [3]float64{scale * r.Float64(), scale * r.Float64(),
			scale * r.Float64() * float64(r.IntN(2))}, 1<<r.IntN(12))
		var marked [][2][3]float64
		var codes []cellCode
		for range r.IntN(6) {
			lo, hi := box()
			marked = append(marked, [2][3]float64{lo, hi})
			codes = append(codes, o.code(&lo, &hi))
			o.mark(codes[len(codes)-1])
		}
		o.settle()
		for range 200 {
			lo, hi := box()
			c := o.code(&lo, &hi)
			// The code of a box is the join of those of its corners.
			if c != o.code(&lo, &lo).join(o.code(&hi, &hi)) {
				t.Fatalf("join of %x and %x is not %x", o.code(&lo, &lo), o.code(&hi, &hi), c)
			}
			overlaps, common := false, false
			for i := range marked {
				over, cells := true, true
				for k := range 3 {
					over = over && lo[k] <= marked[i][1][k] && marked[i][0][k] <= hi[k]
					cells = cells && c.first(k) < codes[i].end(k) && codes[i].first(k) < c.end(k)
				}
				overlaps, common = overlaps || over, common || cells
			}
			if overlaps && !o.meets(c) {
				t.Fatalf("box [%v, %v] overlaps a marked one, and does not meet it", lo, hi)
			}
			if o.meets(c) != common {
				t.Fatalf("box with cells %x: meets is %v, a cell in common %v", c, o.meets(c), common)
			}
		}
	}
}

// TestNeighborsOfWhatMovesAreKept: a static primitive with a vertex of one that moves is kept, so a
// sample of them is a lower bound.
func TestNeighborsOfWhatMovesAreKept(t *testing.T) {
	touching, apart, refused := 0, 0, 0
	r := rand.New(rand.NewPCG(73, 74))
	for _, s := range slices.Repeat(append(adversaries(), staticScenes(r)...), 4) {
		m, mo := s.load(t)
		if err := m.SetStatic(randomStatic(r, &s)); err != nil {
			t.Fatal(err)
		}
		how := randomHow(r, m, mo)
		how.Tactic.cull, how.Keep.Slab, how.Keep.Changed = always, nil, nil
		var p Plan
		if err := p.Build(m, mo, how); err != nil {
			t.Fatal(err)
		}
		if !p.still.pays {
			continue
		}
		few := p.still.sampleNeighbors(m)
		if moving, kept := p.still.count(); !few && primitives(m) < sampled {
			refused++
			if float64(movingCost*moving+kept) <= mostKept*float64(primitives(m)) {
				t.Fatalf("%s: %d primitives move and %d of %d are kept, but the neighbors are too many", s.name,
					moving, kept, primitives(m))
			}
		}
		var v [1]int32
		for shape := range geom.Shape(3) {
			for i, static := range m.Filter().Static(shape) {
				if !static {
					continue
				}
				near := slices.ContainsFunc(verticesOf(m, shape, int32(i), &v),
					func(v int32) bool { return p.still.touched[v>>6]&(1<<(v&63)) != 0 })
				if !near {
					apart++
					continue
				}
				touching++
				if p.still.kept[shape][i>>6]&(1<<(i&63)) == 0 {
					t.Fatalf("%s: %v %d has a vertex of one that moves, and is left out", s.name, shape, i)
				}
			}
		}
	}
	if touching < 1000 || apart < 1000 || refused < 20 {
		t.Fatalf("%d touch, %d do not, %d refused: the test sees too little", touching, apart, refused)
	}
}

package broad

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"ccd/core/geom"
	"ccd/core/mesh"
)

// byHierarchy finds the list by the hierarchy of a mesh, whatever its size and the calls before.
func byHierarchy(t testing.TB, m *mesh.Mesh, mo *geom.Trajectories, o Options) *Candidates {
	t.Helper()
	defer func(before Hierarchies) { UseHierarchy = before }(UseHierarchy)
	UseHierarchy = HierarchyAlways
	radii, err := o.radii(m)
	if err != nil {
		t.Fatal(err)
	}
	stats := o.beginStats()
	c, ok, err := sweepHierarchy(m, mo, radii, &o, &stats)
	if err != nil {
		t.Fatal(err)
	}
	if !ok {
		return nil
	}
	return c
}

// hierarchyScenes are the adversaries, and meshes of blocks and groups that are not full, on
// lattices, whose boxes touch, and with vertices that many faces share.
func hierarchyScenes() []scene {
	out := adversaries()
	r := rand.New(rand.NewPCG(41, 42))
	for _, n := range []int{1, 2, 3, 7, 8, 9, 15, 16, 33} { // 2 n^2 faces: around 8 and 64 of them
		s := sheet(n, func(i, j int) (x0, x1 [3]float64) {
			z := float64(r.IntN(3))
			return [3]float64{float64(i), float64(j), z}, [3]float64{float64(i), float64(j), 2 - z}
		})
		s.name = fmt.Sprintf("sheet of %d squared on a lattice", n)
		out = append(out, s)
	}
	fan := scene{name: "fan", nv: 120}
	for v := range fan.nv {
		for range 3 {
			fan.x0, fan.x1 = append(fan.x0, r.Float64()), append(fan.x1, r.Float64())
		}
		if v > 1 {
			fan.faces = append(fan.faces, 0, int32(v-1), int32(v))
		}
	}
	few := func() float64 { return float64(r.IntN(4)) }
	close := soup(r, 60, few) // Numbers along an axis differ by less than their floats.
	close.name = "lattice with close numbers"
	for i := 1; i < len(close.x0); i += 3 {
		close.x0[i] = 10*float64(i/9%2) + 1e-12*few()
		close.x1[i] = close.x0[i]
	}
	return append(out, fan, close)
}

// Law 3: a list by the hierarchy has the pairs of brute force, whatever the threads.
func TestHierarchyLaw3AgreesWithBruteForce(t *testing.T) {
	found := 0
	for _, s := range hierarchyScenes() {
		m, mo := s.load(t)
		separations := []float64{0, 0.5, 1e-320, 1e140}
		if len(m.Faces) > 500 { // brute force takes long
			separations = separations[:1]
		}
		for _, d := range separations {
			want, err := BruteForce(m, mo, Options{MinSeparation: d})
			if err != nil {
				t.Fatal(err)
			}
			for _, threads := range []int{1, 3} {
				got := byHierarchy(t, m, mo, Options{MinSeparation: d, Threads: threads})
				if got == nil {
					if len(families(m)) > 0 {
						t.Fatalf("%s: the hierarchy does not serve it", s.name)
					}
					continue
				}
				if n := got.Len(); n != want.Len() {
					t.Errorf("%s: %d pairs by masks, want %d", s.name, n, want.Len())
				}
				found += got.Len()
				out := make([][2]int64, got.Count(geom.EdgeEdge))
				got.Copy(geom.EdgeEdge, out)
				name := fmt.Sprintf("hierarchy of %s, separation %v, %d threads", s.name, d, threads)
				sameCandidates(t, name, got, want)
				for i, x := range want.Of(geom.EdgeEdge) {
					if out[i] != [2]int64{int64(x[0]), int64(x[1])} {
						t.Fatalf("%s: the copy has the pair %v in place of %v", s.name, out[i], x)
					}
				}
				got.Release()
			}
		}
	}
	if found < 10000 {
		t.Fatalf("%d pairs: the scenes have too few", found)
	}
}

// Law 9: a list with radii that differ has the pairs of brute force, whatever the threads: radii of
// random sizes, and few of them on lattices, where bounds are often equal.
func TestHierarchyLaw9AgreesWithBruteForce(t *testing.T) {
	r := rand.New(rand.NewPCG(45, 9))
	found := 0
	for i, s := range hierarchyScenes() {
		m, mo := s.load(t)
		if len(families(m)) == 0 || len(m.Faces) > 500 { // Brute force takes long.
			continue
		}
		for j, d := range []float64{0, 0.5, 1e-320} {
			radii := randomRadii(r, m, 0.3*sizeOf(&s))
			if (i+j)%2 == 0 {
				for v := range radii {
					radii[v] = float64(r.IntN(3)) / 2
				}
			}
			if err := m.SetRadii(radii); err != nil {
				t.Fatal(err)
			}
			want, err := BruteForce(m, mo, Options{MinSeparation: d})
			if err != nil {
				t.Fatal(err)
			}
			got := byHierarchy(t, m, mo, Options{MinSeparation: d, Threads: 1 + 2*(j&1)})
			if got == nil {
				t.Fatalf("%s: the hierarchy does not serve it", s.name)
			}
			if n := got.Len(); n != want.Len() {
				t.Errorf("%s: %d pairs by masks, want %d", s.name, n, want.Len())
			}
			found += got.Len()
			sameCandidates(t, fmt.Sprintf("radii, hierarchy of %s, separation %v", s.name, d), got, want)
			got.Release()
		}
	}
	if t.Logf("%d pairs", found); found < 10000 {
		t.Fatalf("%d pairs: the scenes have too few", found)
	}
}

// The hierarchy obeys groups and excluded pairs, and leaves other calls to the grid.
func TestHierarchyServes(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	s := soup(r, 60, func() float64 { return 2*r.Float64() - 1 })
	m, mo := s.load(t)
	group := make([]int32, m.NV)
	for i := range group {
		group[i] = int32(i/9%5) - 1
	}
	if err := m.SetGroups(group); err != nil {
		t.Fatal(err)
	}
	p := byHierarchy(t, m, mo, Options{}).Of(geom.EdgeEdge)[0]
	if err := m.SetExcluded(geom.EdgeEdge, [][2]int64{{int64(p[0]), int64(p[1])}}); err != nil {
		t.Fatal(err)
	}
	want, err := BruteForce(m, mo, Options{})
	if err != nil {
		t.Fatal(err)
	}
	got := byHierarchy(t, m, mo, Options{})
	sameCandidates(t, "groups and excluded pairs", got, want)
	if slices.Contains(got.Of(geom.EdgeEdge), p) {
		t.Error("the excluded pair is found")
	}
	for name, o := range map[string]Options{
		"a memory limit": {MemoryLimit: 1 << 30}, "a region": {Region: &Region{Hi: [3]float64{1, 1, 1}}},
	} {
		if byHierarchy(t, m, mo, o) != nil {
			t.Errorf("%s: found by the hierarchy", name)
		}
	}
	static := make([]bool, m.NV)
	static[0] = true
	if err := m.SetStatic(static); err != nil {
		t.Fatal(err)
	}
	if want, err = BruteForce(m, mo, Options{}); err != nil {
		t.Fatal(err)
	}
	sameCandidates(t, "a static vertex", byHierarchy(t, m, mo, Options{}), want)
	for v := range static {
		static[v] = v%16 > 0
	}
	if err := m.SetStatic(static); err != nil {
		t.Fatal(err)
	}
	if want, err = BruteForce(m, mo, Options{}); err != nil {
		t.Fatal(err)
	}
	sameCandidates(t, "many static vertices", byHierarchy(t, m, mo, Options{}), want)
	if err := m.SetStatic(nil); err != nil {
		t.Fatal(err)
	}
	if err := m.SetRadii(slices.Repeat([]float64{0.1, 0.2}, m.NV)[:m.NV]); err != nil {
		t.Fatal(err)
	}
	if want, err = BruteForce(m, mo, Options{}); err != nil {
		t.Fatal(err)
	}
	sameCandidates(t, "different radii", byHierarchy(t, m, mo, Options{}), want)
	if err := m.SetRadii(slices.Repeat([]float64{0.1}, m.NV)); err != nil {
		t.Fatal(err)
	}
	if want, err = BruteForce(m, mo, Options{}); err != nil {
		t.Fatal(err)
	}
	sameCandidates(t, "one radius", byHierarchy(t, m, mo, Options{}), want)
}

// Law 8: flags of what moves are those of the filter of the call. Here the primitives that moved
// under the filter before are static.
func TestHierarchyServesOtherStaticVertices(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	s := soup(r, 60, func() float64 { return 2*r.Float64() - 1 })
	m, mo := s.load(t)
	for few := range 2 {
		static := make([]bool, m.NV)
		for v := range static {
			static[v] = (v/3%16 > 0) == (few == 0)
		}
		if err := m.SetStatic(static); err != nil {
			t.Fatal(err)
		}
		want, err := BruteForce(m, mo, Options{})
		if err != nil {
			t.Fatal(err)
		}
		sameCandidates(t, fmt.Sprintf("filter %d", few), byHierarchy(t, m, mo, Options{}), want)
	}
}

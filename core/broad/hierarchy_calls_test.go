package broad

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"

	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/status"
)

// roughSheet is a sheet of 2 n^2 faces whose vertices are about where they are in the plane.
func roughSheet(n int) scene {
	r := rand.New(rand.NewPCG(uint64(n), 45))
	return sheet(n, func(i, j int) (x0, x1 [3]float64) {
		x0 = [3]float64{float64(i) + 0.2*r.Float64(), float64(j) + 0.2*r.Float64(), 0.1 * r.Float64()}
		return x0, [3]float64{x0[0], x0[1], x0[2] + 0.3*r.Float64()}
	})
}

// smallTriangles are n triangles all over a cube, each of which moves to the place of another.
func smallTriangles(n int) (before, after scene) {
	r := rand.New(rand.NewPCG(uint64(n), 46))
	at := make([][3]float64, n)
	for i := range at {
		at[i] = [3]float64{r.Float64(), r.Float64(), r.Float64()}
	}
	for i, other := range r.Perm(n) {
		v := int32(3 * i)
		before.faces = append(before.faces, v, v+1, v+2)
		for range 3 {
			for k := range 3 {
				d := 0.2 * r.Float64()
				before.x0, after.x0 = append(before.x0, at[i][k]+d), append(after.x0, at[other][k]+d)
			}
		}
	}
	before.nv, after.nv, after.faces = 3*n, 3*n, before.faces
	before.x1, after.x1 = before.x0, after.x0
	return before, after
}

func useHierarchies(t *testing.T, how Hierarchies) {
	before := UseHierarchy
	UseHierarchy = how
	t.Cleanup(func() { UseHierarchy = before })
}

func swept(t *testing.T, m *mesh.Mesh, mo *geom.Trajectories, o Options) *Candidates {
	t.Helper()
	c, err := Sweep(m, mo, o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// The third list of a mesh is by the hierarchy, or the second where radii differ, with the pairs of
// those before, unless a test says otherwise.
func TestHierarchyFromTheThirdCallOn(t *testing.T) {
	s := roughSheet(26)
	m, mo := s.load(t)
	first := swept(t, m, mo, Options{})
	for call := 2; call <= 4; call++ {
		sameCandidates(t, fmt.Sprintf("call %d", call), swept(t, m, mo, Options{}), first)
		if (m.Hierarchy() != nil) != (call >= hierarchyAfter) {
			t.Errorf("the mesh has a hierarchy after call %d: %v", call, m.Hierarchy() != nil)
		}
	}
	m, mo = s.load(t)
	if err := m.SetRadii(randomRadii(rand.New(rand.NewPCG(3, 45)), m, 0.1)); err != nil {
		t.Fatal(err)
	}
	first = swept(t, m, mo, Options{})
	for call := 2; call <= 3; call++ {
		before := m.Hierarchy() != nil
		sameCandidates(t, fmt.Sprintf("radii, call %d", call), swept(t, m, mo, Options{}), first)
		if before != (call > hierarchyAfterRadii) || m.Hierarchy() == nil {
			t.Errorf("radii: the mesh has a hierarchy before call %d: %v", call, before)
		}
	}
}

// The first list of a mesh whose boxes overlap often is by its hierarchy, unless vertices are
// static, but not that of a sheet. The pairs are those of the grid.
func TestHierarchyOfCrowdedMeshesFromTheFirstListOn(t *testing.T) {
	sheet := roughSheet(45)
	crowd := roughSheet(45)
	r := rand.New(rand.NewPCG(45, 11))
	for i := range crowd.x1 {
		crowd.x1[i] = crowd.x0[i] + float64(3*r.NormFloat64())
	}
	for _, x := range []struct {
		s      scene
		static bool
		want   bool
	}{{sheet, false, false}, {crowd, false, true}, {crowd, true, false}} {
		m, mo := x.s.load(t)
		if len(m.Edges) < crowdedLeast {
			t.Fatalf("%d edges are too few", len(m.Edges))
		}
		if x.static {
			static := make([]bool, m.NV)
			static[0] = true
			if err := m.SetStatic(static); err != nil {
				t.Fatal(err)
			}
		}
		first := swept(t, m, mo, Options{})
		if got := m.Hierarchy() != nil; got != x.want {
			t.Errorf("static %v: a hierarchy after the first list: %v, want %v", x.static, got, x.want)
		}
		useHierarchies(t, HierarchyNever)
		sameCandidates(t, "first list", first, swept(t, m, mo, Options{}))
		useHierarchies(t, HierarchyIfItPays)
	}
}

// A hierarchy that no longer suits the positions is made anew, after a number of calls.
func TestHierarchyIsMadeAnew(t *testing.T) {
	useHierarchies(t, HierarchyAlways)
	s, other := smallTriangles(600)
	m, mo := s.load(t)
	_, moved := other.load(t)
	swept(t, m, mo, Options{}).Release()
	first := m.Hierarchy()
	want := swept(t, m, moved, Options{})
	calls := 0
	for ; m.Hierarchy() == first && calls < 100; calls++ {
		swept(t, m, moved, Options{}).Release()
	}
	if calls < 25 || calls > 40 {
		t.Errorf("made anew after %d calls", calls)
	}
	sameCandidates(t, "after", swept(t, m, moved, Options{}), want)
	second := m.Hierarchy()
	for range 50 {
		swept(t, m, moved, Options{}).Release()
	}
	if m.Hierarchy() != second {
		t.Error("made anew though nothing has changed")
	}
}

// A list by the hierarchy may be cancelled, and its statistics have its memory and its pairs.
func TestHierarchyProgressAndStatistics(t *testing.T) {
	useHierarchies(t, HierarchyAlways)
	s := roughSheet(40)
	m, mo := s.load(t)
	last, calls := 0.0, 0
	var stats engine.Stats
	c := swept(t, m, mo, Options{Threads: 1, Stats: &stats, Progress: func(f float64) bool {
		if f < last || f > 1 {
			t.Errorf("progress %v after %v", f, last)
		}
		last, calls = f, calls+1
		return false
	}})
	n := c.Count(geom.EdgeEdge)
	if stats.Candidates[geom.EdgeEdge-1] != int64(n) || n == 0 {
		t.Errorf("%d edge-edge pairs by the statistics, %d in the list", stats.Candidates[geom.EdgeEdge-1], n)
	}
	if least := (*m.Hierarchy()).Bytes(); least == 0 || stats.PeakBytes < least {
		t.Errorf("a peak of %d bytes, of which %d are the order", stats.PeakBytes, least)
	}
	if stats.Threads != 1 {
		t.Errorf("%d threads", stats.Threads)
	}
	if last != 1 || calls == 0 {
		t.Errorf("the last progress is %v, of %d", last, calls)
	}
	_, err := Sweep(m, mo, Options{Progress: func(float64) bool { return true }})
	if !errors.Is(err, status.ErrCancelled) {
		t.Errorf("cancelled: %v", err)
	}
}

// A call whose list is freed afterwards allocates next to nothing once memory has grown.
func TestHierarchyKeepsItsMemory(t *testing.T) {
	useHierarchies(t, HierarchyAlways)
	s := roughSheet(60)
	m, mo := s.load(t)
	least := ^uint64(0)
	for range 8 { // the garbage collector may empty a pool in between
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		c := swept(t, m, mo, Options{Threads: 1})
		c.Release()
		runtime.ReadMemStats(&after)
		least = min(least, after.TotalAlloc-before.TotalAlloc)
	}
	if least > 8192 {
		t.Errorf("a call allocates %d bytes", least)
	}
}

// Goroutines may sweep one mesh at the same time, from its first call on.
func TestHierarchyServesGoroutines(t *testing.T) {
	useHierarchies(t, HierarchyAlways)
	s := roughSheet(30)
	m, mo := s.load(t)
	want, err := BruteForce(m, mo, Options{})
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 3 {
				c, err := Sweep(m, mo, Options{Threads: 2})
				if err != nil {
					t.Error(err)
					return
				}
				sameCandidates(t, "one of four goroutines", c, want)
				c.Release()
			}
		})
	}
	wg.Wait()
	if m.Hierarchy() == nil {
		t.Error("the mesh has no hierarchy")
	}
}

// A mesh with a vertex in so many edges that the masks of pairs that share it would take long and
// much memory gets no hierarchy.
func TestHierarchyLeavesLargeFansToTheGrid(t *testing.T) {
	useHierarchies(t, HierarchyIfItPays)
	for n, want := range map[int]bool{1000: true, 17000: false} {
		fan := scene{name: "fan", nv: n + 2, x0: make([]float64, 3*n+6)}
		for v := int32(1); int(v) <= n; v++ {
			fan.faces = append(fan.faces, 0, v, v+1)
			fan.x0[3*v], fan.x0[3*v+1] = math.Sincos(float64(v))
		}
		fan.x1 = fan.x0
		m, mo := fan.load(t)
		for call := range 6 {
			o, err := hierarchyOf(m, mo, hierarchyAfter, 1)
			if err != nil || (o != nil) != (want && call+1 >= hierarchyAfter) {
				t.Errorf("%d faces, call %d: a hierarchy %v, %v", n, call+1, o != nil, err)
			}
		}
	}
}

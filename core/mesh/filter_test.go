package mesh

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"ccd/core/geom"
	"ccd/core/status"
)

var kinds = []geom.Kind{geom.VertexFace, geom.EdgeEdge, geom.PointEdge, geom.PointPoint}

// reference decides a pair by the words of include/ccd.h, vertex by vertex.
type reference struct {
	patch    []int32
	static   []bool
	excluded map[geom.Kind][][2]int64
}

func (w *reference) allows(m *Mesh, k geom.Kind, a, b int32) bool {
	v := m.Indices(k, a, b)
	n := map[geom.Kind]int{geom.VertexFace: 1, geom.EdgeEdge: 2, geom.PointEdge: 1, geom.PointPoint: 1}[k]
	first, second := v[:n], v[n:k.Points()]
	mayCollide, allStatic := w.patch == nil, w.static != nil
	for _, x := range first {
		for _, y := range second {
			if x == y {
				return false
			}
			if w.patch != nil && (w.patch[x] < 0 || w.patch[y] < 0 || w.patch[x] != w.patch[y]) {
				mayCollide = true
			}
			if w.static != nil && !(w.static[x] && w.static[y]) {
				allStatic = false
			}
		}
	}
	p, q := [2]int64{int64(a), int64(b)}, [2]int64{int64(b), int64(a)}
	symmetric := k == geom.EdgeEdge || k == geom.PointPoint
	out := slices.Contains(w.excluded[k], p) || symmetric && slices.Contains(w.excluded[k], q)
	return mayCollide && !allStatic && !out
}

func TestFilterIsWhatTheHeaderSays(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	allowed, refused := 0, 0
	for round := range 300 {
		m := randomMesh(t, r, 3+r.IntN(8), r.IntN(6), r.IntN(6))
		w := randomFilter(t, r, m, round)
		f := m.Filter()
		for _, k := range kinds {
			for a := range int32(m.Count(k.Info().Shapes[0])) {
				for b := range int32(m.Count(k.Info().Shapes[1])) {
					if k == geom.PointEdge && !m.apart(k, a, b) {
						continue // TestPointEdgeCompletesEdgeEdge
					}
					want := w.allows(m, k, a, b)
					if f.Allows(k, a, b) != want {
						t.Fatalf("%v (%d, %d): allowed is %v, want %v", k, a, b, !want, want)
					}
					if want {
						allowed++
					} else {
						refused++
					}
				}
			}
		}
	}
	if allowed < 1000 || refused < 1000 {
		t.Fatalf("too few cases: %d allowed, %d refused", allowed, refused)
	}
}

// randomFilter sets some filters of m and gives their reference implementation.
func randomFilter(t *testing.T, r *rand.Rand, m *Mesh, round int) *reference {
	t.Helper()
	w := &reference{excluded: map[geom.Kind][][2]int64{}}
	if round&1 != 0 {
		w.patch = make([]int32, m.NV)
		for i := range w.patch {
			w.patch[i] = int32(r.IntN(4)) - 2
		}
	}
	if round&2 != 0 {
		w.static = make([]bool, m.NV)
		for i := range w.static {
			w.static[i] = r.IntN(3) > 0
		}
	}
	if err := errors.Join(m.SetGroups(w.patch), m.SetStatic(w.static)); err != nil {
		t.Fatal(err)
	}
	for _, k := range kinds {
		na, nb := m.Count(k.Info().Shapes[0]), m.Count(k.Info().Shapes[1])
		if round&4 == 0 || na == 0 || nb == 0 {
			continue
		}
		for range r.IntN(20) {
			w.excluded[k] = append(w.excluded[k], [2]int64{int64(r.IntN(na)), int64(r.IntN(nb))})
		}
		if err := m.SetExcluded(k, w.excluded[k]); err != nil {
			t.Fatal(err)
		}
	}
	if got := m.Filter().Trivial(); got != (round&3 == 0 && len(w.excluded) == 0) && round&4 == 0 {
		t.Fatalf("round %d: trivial is %v", round, got)
	}
	return w
}

func TestComponents(t *testing.T) {
	m, err := New(9, []int32{0, 5, 5, 7, 7, 0, 8, 2, 2, 6}, []int32{7, 5, 0})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := m.Components(), []int32{0, 1, 2, 3, 4, 0, 2, 0, 2}; !slices.Equal(got, want) {
		t.Errorf("components %v, want %v", got, want)
	}
	if err := m.SetComponentGroups(); err != nil {
		t.Fatal(err)
	}
	f := m.Filter()
	if f.Allows(geom.EdgeEdge, 3, 4) || !f.Allows(geom.VertexFace, 8, 0) || !f.Allows(geom.EdgeEdge, 0, 3) {
		t.Error("components: only pairs of two components may collide")
	}
}

func TestSettersNameWhatIsWrong(t *testing.T) {
	m, err := New(4, nil, []int32{0, 1, 2})
	if err != nil {
		t.Fatal(err)
	}
	before := m.Filter()
	for _, c := range []struct {
		err  error
		kind error
		text string
	}{
		{m.SetGroups(make([]int32, 3)), status.ErrArgument, "group has 3 ids; the mesh has 4 vertices"},
		{m.SetStatic(make([]bool, 5)), status.ErrArgument, "static has 5 values"},
		{m.SetExcluded(0, nil), status.ErrArgument, "kind is 0"},
		{m.SetExcluded(6, nil), status.ErrArgument, "kind is 6"},
		{m.SetExcluded(geom.VertexFace, [][2]int64{{0, 0}, {1, 1}}), status.ErrIndex,
			"pairs[1][1] is 1: out of range for 1 faces"},
		{m.SetExcluded(geom.EdgeEdge, [][2]int64{{-1, 0}}), status.ErrIndex, "pairs[0][0] is -1"},
		{m.SetExcluded(geom.PointPoint, [][2]int64{{0, 1 << 33}}), status.ErrIndex, "pairs[0][1] is 8589934592"},
	} {
		if !errors.Is(c.err, c.kind) || !strings.Contains(c.err.Error(), c.text) {
			t.Errorf("got %v, want %q of the kind %v", c.err, c.text, c.kind)
		}
	}
	if m.Filter() != before {
		t.Error("a refused filter was set")
	}
}

// Run under -race: a snapshot does not change while others set filters.
func TestFiltersAreSnapshots(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	m := randomMesh(t, r, 12, 10, 5)
	var wait sync.WaitGroup
	for worker := range 4 {
		wait.Add(1)
		go func() {
			defer wait.Done()
			for i := range 200 {
				if worker == 0 {
					_ = m.SetGroups(make([]int32, m.NV))
					_ = m.SetGroups(nil)
				}
				f := m.Filter()
				first := f.Allows(geom.VertexFace, int32(i)%12, 0)
				for range 10 {
					if f.Allows(geom.VertexFace, int32(i)%12, 0) != first {
						t.Error("a snapshot changed")
					}
				}
			}
		}()
	}
	wait.Wait()
}

func TestAllowsDoesNotAllocate(t *testing.T) {
	m := randomMesh(t, rand.New(rand.NewPCG(9, 10)), 12, 10, 5)
	if err := m.SetExcluded(geom.EdgeEdge, [][2]int64{{0, 1}, {2, 3}}); err != nil {
		t.Fatal(err)
	}
	if n := testing.AllocsPerRun(100, func() { m.Filter().Allows(geom.EdgeEdge, 1, 2) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

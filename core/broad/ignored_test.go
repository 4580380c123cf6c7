package broad

import (
	"math/rand/v2"
	"testing"

	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/meshfile"
)

// The candidates of a mesh that ignores vertices are those of the mesh without these, on the
// processor and on a device.
func TestIgnoredVerticesAreNoCandidates(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 32))
	const n, dust = 300, 200
	var faces []int32
	for range 250 {
		a := int32(r.IntN(n - 3))
		faces = append(faces, a, a+1, a+2)
	}
	s, err := meshfile.Clean(make([]float64, 3*n), []int32{0, n - 1}, faces)
	if err != nil {
		t.Fatal(err)
	}
	s.Unused = nil
	plain, err := s.Mesh()
	if err != nil {
		t.Fatal(err)
	}
	s.Vertices = make([]float64, 3*(n+dust))
	for v := range dust {
		s.Unused = append(s.Unused, int32(n+v))
	}
	dusty, err := s.Mesh()
	if err != nil {
		t.Fatal(err)
	}
	x0, x1 := make([]float64, 3*(n+dust)), make([]float64, 3*(n+dust))
	for i := range x0 {
		x0[i], x1[i] = r.Float64(), r.Float64()
	}
	load := func(m *mesh.Mesh) *geom.Trajectories {
		mo := new(geom.Trajectories)
		if err := m.Load(mo, x0[:3*m.NV], x1[:3*m.NV]); err != nil {
			t.Fatal(err)
		}
		return mo
	}
	want, err := Sweep(plain, load(plain), Options{})
	if err != nil {
		t.Fatal(err)
	}
	for name, remote := range map[string]*Remote{"processor": nil, "device": {Device: &pretended{}}} {
		got, err := Sweep(dusty, load(dusty), Options{Remote: remote})
		if err != nil || remote != nil && remote.Err() != nil {
			t.Fatal(err)
		}
		if sameLists(t, name, got, want) < 1000 {
			t.Errorf("%d pairs: the test shows little", want.Len())
		}
	}
	if sameLists(t, "hierarchy", byHierarchy(t, dusty, load(dusty), Options{}), want) < 1000 {
		t.Errorf("%d pairs: the test shows little", want.Len())
	}
}

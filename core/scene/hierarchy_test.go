package scene

import (
	"testing"

	"ccd/core/broad"
	"ccd/core/ccdtest"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/step"
)

// useHierarchies sets when hierarchies find the pairs, until the test ends.
func useHierarchies(t *testing.T, when broad.Hierarchies) {
	before := broad.UseHierarchy
	broad.UseHierarchy = when
	t.Cleanup(func() { broad.UseHierarchy = before })
}

// The laws hold where the hierarchies of views find the pairs.
func TestSceneLawsByHierarchies(t *testing.T) {
	useHierarchies(t, broad.HierarchyAlways)
	for seed := range 3 {
		checkLaws(t, ccdtest.NewRand(uint64(seed), 45), 5)
	}
}

// Views that are the whole mesh use its hierarchy, which lists of other vertices that move make
// together, with the bits of calls on a mesh of its own.
func TestWholeViewsShareTheHierarchyOfTheMesh(t *testing.T) {
	useHierarchies(t, broad.HierarchyIfItPays)
	s := terrain(t, 40)
	scene, err := New(s.m, s.x0)
	if err != nil {
		t.Fatal(err)
	}
	o := step.DefaultOptions()
	var hierarchy *mesh.Hierarchy
	for call := range 6 {
		var moved []int32
		x1 := append([]float64(nil), s.x0...)
		for v := range int32(s.m.NV) {
			if v%7 != int32(call) { // six of seven move
				moved = append(moved, v)
				x1[3*v+2] += 0.4 * float64((v+int32(call))%5-2)
			}
		}
		im, err := scene.Step(moved, gather(moved, x1)).Earliest(&o)
		if err != nil {
			t.Fatal(err)
		}
		view := &scene.view.last
		if !view.whole || view.m == s.m {
			t.Fatal("the view is not a whole one, or the mesh itself")
		}
		if view.m.Hierarchy() != s.m.Hierarchy() || (s.m.Hierarchy() != nil) != (call >= 2) {
			t.Errorf("call %d: the mesh has a hierarchy: %v", call+1, s.m.Hierarchy() != nil)
		}
		if hierarchy != nil && s.m.Hierarchy() != hierarchy {
			t.Errorf("call %d: the hierarchy is made anew", call+1)
		}
		hierarchy = s.m.Hierarchy()
		want, err := step.Earliest(own(t, s, moved), s.x0, x1, &o)
		if err != nil || im != want || want.Verdict == geom.Separate {
			t.Errorf("call %d: %v, want %v (%v)", call+1, im, want, err)
		}
	}
}

// own returns a mesh with the faces of a stage, and with all vertices static but some.
func own(t *testing.T, s *stage, moved []int32) *mesh.Mesh {
	t.Helper()
	var faces []int32
	for _, f := range s.m.Faces {
		faces = append(faces, f[:]...)
	}
	m, err := mesh.New(s.m.NV, nil, faces)
	if err != nil {
		t.Fatal(err)
	}
	static := make([]bool, m.NV)
	for v := range static {
		static[v] = true
	}
	for _, v := range moved {
		static[v] = false
	}
	if err := m.SetStatic(static); err != nil {
		t.Fatal(err)
	}
	return m
}

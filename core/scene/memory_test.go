package scene

import (
	"testing"

	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/step"
)

// TestTheGridIsInTheMemoryLimit: with a limit that is less than twice what the grid takes, a scene
// keeps none and calls are on the whole mesh, with the same bits; with more, the limit of the call
// on the view is less by what the scene keeps.
func TestTheGridIsInTheMemoryLimit(t *testing.T) {
	s := terrain(t, 120)
	scene, err := New(s.m, s.x0)
	if err != nil {
		t.Fatal(err)
	}
	rows, o := s.rows(), step.DefaultOptions()
	o.MinSeparation = 0.55
	want, err := scene.Step(s.moved, rows).Earliest(&o)
	if err != nil || want.Verdict != geom.Contact || scene.view.last.whole || !scene.view.made {
		t.Fatalf("%+v, %v", want, err)
	}
	kept := scene.view.bytes()
	if n := int64(s.m.Count(geom.Face)); kept < 30*n || kept > keptPerElement*n {
		t.Fatalf("%d bytes for %d faces", kept, n)
	}
	same := func(limit int64, grid bool) {
		t.Helper()
		with := o
		with.MemoryLimit = uint64(limit)
		got, err := scene.Step(s.moved, rows).Earliest(&with)
		if err != nil || got != want {
			t.Fatalf("limit %d: %+v, %v; want %+v", limit, got, err, want)
		}
		if scene.view.made != grid || scene.view.last.whole == grid {
			t.Fatalf("limit %d: grid %v, whole %v", limit, scene.view.made, scene.view.last.whole)
		}
	}
	same(2*kept, true)
	same(2*kept-100, false) // gives the grid up
	same(3*kept, false)     // making it takes more than keeping it
	same(3*keptPerElement*int64(s.m.Count(geom.Face)), true)
	if left := scene.view.left(&engine.CallOptions{MemoryLimit: 1 << 30}); left.MemoryLimit !=
		1<<30-uint64(scene.view.bytes()) {
		t.Fatalf("%d bytes are left", left.MemoryLimit)
	}
	if err := scene.Check(&engine.CallOptions{MemoryLimit: 1 << 20}); err != nil || scene.view.made {
		t.Fatal(err)
	}
	if known, _ := scene.State(); known != s.m.NV {
		t.Fatalf("%d vertices are known", known)
	}
	same(0, true)
}

package step

import (
	"testing"

	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/mesh"
)

// Statistics count the plans of a call: one of all space, several within a memory limit, a second
// one for the check of the start, one for each search of Advance, none without a search.
func TestStatisticsCountPlans(t *testing.T) {
	s := sheets(t, 60, 0.1)
	count := func(change func(o *Options), call func(m *mesh.Mesh, o *Options) error) int64 {
		o, stats := DefaultOptions(), engine.Stats{}
		o.Threads, o.Stats = 1, &stats
		change(&o)
		if err := call(s.m, &o); err != nil {
			t.Fatal(err)
		}
		return stats.Plans
	}
	list := func(m *mesh.Mesh, o *Options) error { _, err := Collisions(m, s.x0, s.x1, o); return err }
	given := func(m *mesh.Mesh, o *Options) error {
		_, err := Pairs(m, s.x0, s.x1, geom.VertexFace, [][2]int64{{0, 7}}, o)
		return err
	}
	advance := func(m *mesh.Mesh, o *Options) error {
		_, err := Straight(m, s.x0, s.x1).Advance(make([]float64, len(s.x0)), 0.9, o)
		return err
	}
	plain, check := func(*Options) {}, func(o *Options) { o.CheckStart = true }
	whole, checked, none := count(plain, list), count(check, list), count(plain, given)
	if whole != 1 || checked != 2 || none != 0 {
		t.Errorf("%d plans of a step, %d with the check of the start, %d of given pairs", whole, checked, none)
	}
	size := func(m *mesh.Mesh, o *Options) error { _, err := Size(m, s.x0, s.x1, o); return err }
	if parts := count(func(o *Options) { o.MemoryLimit = 1 << 20 }, size); parts < 3 {
		t.Errorf("%d plans within a memory limit", parts)
	}
	if searches := count(plain, advance); searches < 1 {
		t.Errorf("%d plans of Advance", searches)
	}
}

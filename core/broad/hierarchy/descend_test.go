package hierarchy

import (
	"slices"
	"testing"

	"ccd/core/bound"
)

// begun is a search of ends of a sheet that rests, whose vertices are anywhere.
func begun(t *testing.T, n, threads int) *Search {
	t.Helper()
	m, mo := sheet(t, n, false)
	o := order(t, m, mo)
	sample := bound.NewSample(mo, mo.Largest(), 1, m.NV, true, func(i int) []int32 { return []int32{int32(i)} })
	space := sample.SpaceAlong(0, 0)
	s := new(Search)
	in := &Input{Mesh: m, Motion: mo, Filter: m.Filter(), Space: &space, Until: 1, Threads: threads}
	if ok, err := s.Begin(o, in); !ok || err != nil {
		t.Fatal(ok, err)
	}
	return s
}

// Several workers find the children that one finds, in the same order.
func TestOrderOfPairsOfNodesOnThreads(t *testing.T) {
	s := begun(t, 40, 3)
	for i := range s.order.families {
		f := &s.order.families[i]
		a, b := s.boxesOf(f.a), s.boxesOf(f.b)
		s.down.above = s.down.above[:0]
		for _, task := range s.down.tasks {
			if task.family == i {
				s.down.above = append(s.down.above, s.down.pairs[task.from:task.to]...)
			}
		}
		if len(s.down.above) <= descentPairs {
			t.Fatalf("%v: %d pairs of groups are of one worker", f.kind, len(s.down.above))
		}
		want := f.children(1, a, b, s.down.above, nil)
		pairs := s.down.pairs
		s.down.pairs = nil
		if err := s.down.childrenParallel(f, 1, a, b, 3); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(s.down.pairs, want) {
			t.Errorf("%v: %d pairs, want %d; or their order differs", f.kind, len(s.down.pairs), len(want))
		}
		s.down.pairs = pairs
	}
}

// Few primitives are of one worker, whatever the threads.
func TestOrderOfFewPrimitivesOnOneThread(t *testing.T) {
	s := begun(t, 40, 3)
	if got := s.order.refitters(8); got != 1 {
		t.Errorf("%d workers make the boxes of 9,761 primitives, want 1", got)
	}
	for _, tree := range s.order.trees {
		tree.n *= 6
	}
	if got := s.order.refitters(8); got != 7 {
		t.Errorf("%d workers make the boxes of 58,566 primitives, want 7", got)
	}
}

package engine

import (
	"slices"
	"testing"
	"time"
)

// TestProgressReservesTheList: what is searched ends at 0.8 where a list follows, and the list goes
// on to 1.
func TestProgressReservesTheList(t *testing.T) {
	var seen []float64
	var p Progress
	p.Begin(func(f float64) bool { seen = append(seen, f); return false })
	pass := func(weight int64) {
		time.Sleep(2 * callEvery)
		p.Pass(weight)
	}
	p.Reserve()
	p.Part(2, 0.5)
	pass(1)
	pass(1)
	p.Before(1, 1, 0.5)
	pass(1)
	p.Part(1, 1)
	pass(1)
	p.List(4)
	pass(1)
	pass(3)
	if err := p.End(); err != nil {
		t.Fatal(err)
	}
	want := []float64{0.2, 0.4, 0.4 + 0.5*(0.8-0.4), 0.8, 0.85, 1, 1}
	if len(seen) != len(want) || !slices.IsSorted(seen) {
		t.Fatalf("got %v, want %v", seen, want)
	}
	for i := range want {
		if d := seen[i] - want[i]; d > 1e-12 || d < -1e-12 {
			t.Errorf("report %d is %v, want %v", i, seen[i], want[i])
		}
	}
	seen = seen[:0]
	p.Begin(p.callback)
	p.Part(1, 1)
	pass(1)
	if seen[0] != 1 {
		t.Errorf("without a list the search ends at %v, want 1", seen[0])
	}
}

// The two halves of a call follow each other: what one reports ends where the other begins.
func TestHalf(t *testing.T) {
	var seen []float64
	note := func(fraction float64) bool { seen = append(seen, fraction); return fraction == 1 }
	first, second := Half(note, 0), Half(note, 1)
	if first(0) || first(0.5) || first(1) || second(0) || !second(1) {
		t.Error("an answer of the callback is lost")
	}
	if want := []float64{0, 0.25, 0.5, 0.5, 1}; !slices.Equal(seen, want) {
		t.Errorf("%v, not %v", seen, want)
	}
	if Half(nil, 1) != nil {
		t.Error("no callback became one")
	}
}

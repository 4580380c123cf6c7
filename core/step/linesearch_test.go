package step

import (
	"errors"
	"math"
	"testing"

	"ccd/core/broad"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/narrow"
	"ccd/core/status"
)

func TestLineSearchLaws(t *testing.T) {
	for _, s := range everyScene(t) {
		for _, limit := range []float64{1e-3, 0.1} {
			if s.name == "cloth-funnel" && limit > 1e-2 {
				continue // it has a hundred million pairs then
			}
			limit *= s.size()
			for _, share := range []float64{0.1, 0.8} {
				o := DefaultOptions()
				o.MinSeparation = limit
				b, err := LineSearch(s.m, s.x0, s.x1, share, &o)
				if err != nil {
					t.Fatalf("%s: %v", s.name, err)
				}
				if share < 0.5 {
					slow, given := o, o
					slow.MemoryLimit = 1
					if given.Candidates, err = broad.Sweep(s.m, s.motion(t),
						broad.Options{MinSeparation: limit}); err != nil {
						t.Fatal(err)
					}
					for _, o := range []Options{slow, given} {
						if got, err := LineSearch(s.m, s.x0, s.x1, share, &o); err != nil || got != b {
							t.Errorf("%s, in slabs or from candidates: %+v, %v, want %+v", s.name, got, err, b)
						}
					}
				}
				still := o // what is true at x0
				still.Method, still.TMax = narrow.Exact, 0
				still.MinSeparation = 0
				touching, err := Earliest(s.m, s.x0, s.x1, &still)
				if err != nil {
					t.Fatal(err)
				}
				if touching.Verdict == geom.Contact {
					if b != (Bound{}) {
						t.Errorf("%s touches at the start, and has %+v", s.name, b)
					}
					continue
				}
				if !(b.Alpha > 0 && b.Alpha <= 1 && b.Distance > 0 && b.Distance <= limit) {
					t.Fatalf("%s: %+v", s.name, b)
				}
				still.MinSeparation = b.Distance
				if im, _ := Earliest(s.m, s.x0, s.x1, &still); im.Verdict != geom.Separate {
					t.Errorf("%s: a pair is nearer than %v at the start", s.name, b.Distance)
				}
				if b.Distance < limit {
					still.MinSeparation = 2 * b.Distance
					if im, _ := Earliest(s.m, s.x0, s.x1, &still); im.Verdict != geom.Contact {
						t.Errorf("%s: all pairs are farther apart than %v at the start", s.name, 2*b.Distance)
					}
				}
				still.MinSeparation, still.TMax = b.Separation, b.Alpha
				if im, _ := Earliest(s.m, s.x0, s.x1, &still); im.Verdict != geom.Separate {
					t.Errorf("%s: a pair comes within %v before %v", s.name, b.Separation, b.Alpha)
				}
			}
		}
	}
}

// falling is a vertex above a triangle, moving down through it.
func falling(t *testing.T) scene {
	m, err := mesh.New(4, nil, []int32{0, 1, 2})
	if err != nil {
		t.Fatal(err)
	}
	x0 := []float64{0, 0, 0, 4, 0, 0, 0, 4, 0, 1, 1, 1}
	x1 := []float64{0, 0, 0, 4, 0, 0, 0, 4, 0, 1, 1, -1}
	return scene{name: "falling", m: m, x0: x0, x1: x1}
}

// A sequence of line searches towards a contact makes progress in every step and never arrives
// (section 7.2 of the paper).
func TestLineSearchSequence(t *testing.T) {
	s := falling(t)
	o := DefaultOptions()
	o.MinSeparation = 10
	for step := range 20 {
		before := s.x0[11]
		b, err := LineSearch(s.m, s.x0, s.x1, 0.5, &o)
		if err != nil {
			t.Fatal(err)
		}
		for i := range s.x0 {
			s.x0[i] += b.Alpha * (s.x1[i] - s.x0[i])
		}
		if z := s.x0[11]; !(z > 0 && z < before) || z < 0.24*before {
			t.Fatalf("step %d goes from %v to %v", step, before, z)
		}
	}
	if s.x0[11] > 1e-4 {
		t.Errorf("twenty steps end at %v", s.x0[11])
	}
}

func TestLineSearchProgress(t *testing.T) {
	s := falling(t)
	o := DefaultOptions()
	o.MinSeparation = 1
	last := -1.0
	o.Progress = func(f float64) bool {
		if f < last {
			t.Errorf("progress goes from %v to %v", last, f)
		}
		last = f
		return false
	}
	if _, err := LineSearch(s.m, s.x0, s.x1, 0.5, &o); err != nil || last != 1 {
		t.Errorf("error %v, progress up to %v", err, last)
	}
	o.Progress = func(float64) bool { return true }
	if _, err := LineSearch(s.m, s.x0, s.x1, 0.5, &o); !errors.Is(err, status.ErrCancelled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestLineSearchBadInput(t *testing.T) {
	s := falling(t)
	o := DefaultOptions()
	if _, err := LineSearch(s.m, s.x0, s.x1, 0.5, &o); err == nil {
		t.Error("no cap, no error")
	}
	if _, err := LineSearch(s.m, s.x0, s.x1, 0.5, nil); err == nil {
		t.Error("no options, no error")
	}
	o.MinSeparation = 1
	for _, share := range []float64{0, 1, -1, math.NaN()} {
		if _, err := LineSearch(s.m, s.x0, s.x1, share, &o); err == nil {
			t.Errorf("share %v, no error", share)
		}
	}
}

func TestActiveSet(t *testing.T) {
	s := falling(t)
	set, err := ActiveSet(s.m, s.x0, s.x1, nil)
	if err != nil || len(set) != 1 {
		t.Fatalf("%d constraints, error %v", len(set), err)
	}
	c := &set[0]
	if c.TOILo != 0.5 || c.Vertices != [4]int32{3, 0, 1, 2} || c.Weights != [4]float64{1, -0.5, -0.25, -0.25} {
		t.Errorf("constraint %+v", c)
	}
	if c.Normal != [3]float64{0, 0, 1} || c.Gap != -1 {
		t.Errorf("normal %v, gap %v: want up, and one unit through", c.Normal, c.Gap)
	}
	for _, s := range scenes(t) {
		o := DefaultOptions()
		set, err := ActiveSet(s.m, s.x0, s.x1, &o)
		if err != nil {
			t.Fatal(err)
		}
		for i := range set {
			sum := 0.0
			for _, w := range set[i].Weights {
				sum += w
			}
			if math.Abs(sum) > 1e-15 || math.IsNaN(set[i].Gap) {
				t.Fatalf("%s: weights %v of %+v", s.name, set[i].Weights, set[i].Impact)
			}
		}
	}
}

package robot

import (
	"math"
	"math/rand/v2"
	"testing"

	"ccd/core/ccdtest/long"
)

// The pairs that touch at a configuration, or on an edge, are those of robots that have one pair
// each.
func TestTouchingPairsAreThoseFoundOneByOne(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 1))
	touching, undecided := 0, 0
	for trial := range long.Part(40, 5) {
		m := randomModel(r, 4+r.IntN(3), 4, trial%2 == 0)
		robot, err := New(m)
		if err != nil {
			t.Fatal(err)
		}
		w := NewWorker(robot)
		q0, q1 := randomEdge(r, m, 2)
		control, degree := append(append([]float64{}, q0...), q1...), 1
		if trial%3 == 0 {
			control, degree = q0, 0
		}
		for _, any := range []bool{false, true} {
			o := DefaultOptions()
			o.Any = any
			list, err := w.Touching(nil, control, degree, &o)
			if err != nil {
				t.Fatal(err)
			}
			got := map[[2]int]Result{}
			for _, one := range list {
				key := [2]int{min(one.A, one.B), max(one.A, one.B)}
				if _, ok := got[key]; ok {
					t.Fatalf("trial %d: %v is listed twice", trial, key)
				}
				got[key] = one
			}
			all := m.Pairs
			for _, pair := range all {
				alone := *m
				alone.Pairs = [][2]int{pair}
				single, err := New(&alone)
				if err != nil {
					t.Fatal(err)
				}
				want, err := NewWorker(single).CheckCurve(control, degree, &o)
				if err != nil {
					t.Fatal(err)
				}
				found, ok := got[pair]
				switch {
				case want.Verdict == Undecided || ok && found.Verdict == Undecided:
					undecided++
				case ok != (want.Verdict == Collides):
					t.Errorf("trial %d, any %v, %v: %+v, alone %+v", trial, any, pair, found, want)
				case ok && !any && (math.Abs(found.S-want.S) > 2e-6 || found.SFree < want.SFree-2e-6):
					t.Errorf("trial %d, %v: %+v, alone %+v", trial, pair, found, want)
				case ok:
					touching++
				}
				delete(got, pair)
			}
			if len(got) > 0 {
				t.Errorf("trial %d: %v are not tested", trial, got)
			}
		}
	}
	if touching == 0 || undecided > touching/10 {
		t.Errorf("%d touching, %d undecided", touching, undecided)
	}
}

// A spent budget ends the list with a result that names no pair.
func TestTouchingPairsWithinABudget(t *testing.T) {
	r := rand.New(rand.NewPCG(32, 1))
	for range 20 {
		m := randomModel(r, 5, 4, false)
		robot, err := New(m)
		if err != nil {
			t.Fatal(err)
		}
		q0, q1 := randomEdge(r, m, 2)
		o := DefaultOptions()
		whole, err := NewWorker(robot).Touching(nil, append(q0, q1...), 1, &o)
		if err != nil {
			t.Fatal(err)
		}
		o.MaxIntervals = 2
		list, err := NewWorker(robot).Touching(nil, append(q0, q1...), 1, &o)
		if err != nil {
			t.Fatal(err)
		}
		if len(list) >= len(whole) && len(whole) > 0 && list[len(list)-1].A >= 0 && list[len(list)-1].B >= 0 {
			continue
		}
		if len(list) > 0 && (list[len(list)-1].Verdict != Undecided || list[len(list)-1].B >= 0) {
			t.Errorf("%d of %d pairs, the last is %+v", len(list), len(whole), list[len(list)-1])
		}
		if len(list) == 0 && len(whole) > 0 {
			t.Errorf("no pair of %d, and no word of the budget", len(whole))
		}
	}
}

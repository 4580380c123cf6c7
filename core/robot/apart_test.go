package robot

import (
	"math"
	"math/rand/v2"
	"testing"

	"ccd/core/ccdtest/long"
)

// A pair with a separation of its own has the verdict of a robot with that pair alone and that
// separation; the others have that of the options.
func TestSeparationsOfPairs(t *testing.T) {
	r := rand.New(rand.NewPCG(61, 1))
	seen := map[Verdict]int{}
	for trial := range long.Part(60, 5) {
		m := randomModel(r, 4, 3, trial%2 == 0)
		for range m.Pairs {
			d := math.NaN()
			if r.IntN(2) == 0 {
				d = 0.2 * r.Float64()
			}
			m.Separations = append(m.Separations, d)
		}
		robot, err := New(m)
		if err != nil {
			t.Fatal(err)
		}
		q0, q1 := randomEdge(r, m, 1)
		o := DefaultOptions()
		o.Separation = 0.1 * r.Float64()
		list, err := NewWorker(robot).Touching(nil, append(append([]float64{}, q0...), q1...), 1, &o)
		if err != nil {
			t.Fatal(err)
		}
		found := map[[2]int]Verdict{}
		for _, one := range list {
			found[[2]int{min(one.A, one.B), max(one.A, one.B)}] = one.Verdict
		}
		first, err := NewWorker(robot).Check(q0, q1, &o)
		if err != nil || (first.Verdict == Free) != (len(list) == 0) {
			t.Errorf("trial %d: %+v, %v, and a list of %d", trial, first, err, len(list))
		}
		for i, pair := range m.Pairs {
			alone := *m
			alone.Pairs, alone.Separations = [][2]int{pair}, nil
			single, err := New(&alone)
			if err != nil {
				t.Fatal(err)
			}
			plain := o
			if d := m.Separations[i]; d == d {
				plain.Separation = d
			}
			want, err := NewWorker(single).Check(q0, q1, &plain)
			if err != nil {
				t.Fatal(err)
			}
			got, ok := found[[2]int{min(pair[0], pair[1]), max(pair[0], pair[1])}]
			if !ok {
				got = Free
			}
			seen[got]++
			if got != want.Verdict {
				t.Errorf("trial %d, %v: %v, alone %+v with %g", trial, pair, got, want, plain.Separation)
			}
		}
	}
	if seen[Free] == 0 || seen[Collides] == 0 {
		t.Errorf("%v", seen)
	}
}

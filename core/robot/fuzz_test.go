package robot

import (
	"math/rand/v2"
	"testing"
)

// FuzzEdges checks random robots: what is proven free has no sample that crosses, contacts are
// crossings in numbers of 300 bits, and both kinds of check agree.
func FuzzEdges(f *testing.F) {
	for i := range uint64(6) {
		f.Add(i, uint8(i), 0.5+float64(i)/4, float64(i)/6)
	}
	f.Fuzz(func(t *testing.T, seed uint64, links uint8, length, sample float64) {
		if !(length > 0 && length < 8 && sample >= 0 && sample <= 1) {
			t.Skip()
		}
		r := rand.New(rand.NewPCG(seed, 77))
		m := randomModel(r, 2+int(links%5), 2, false)
		robot, err := New(m)
		if err != nil {
			t.Fatal(err)
		}
		q0, q1 := randomEdge(r, m, length)
		o := DefaultOptions()
		first, err := NewWorker(robot).Check(q0, q1, &o)
		if err != nil {
			t.Fatal(err)
		}
		o.Any = true
		some, err := NewWorker(robot).Check(q0, q1, &o)
		if err != nil || some.Verdict != first.Verdict {
			t.Fatalf("first %+v, any %+v, %v", first, some, err)
		}
		if first.SFree > 0 {
			if p, ok := bigTouches(m, q0, q1, sample*first.SFree*(1-1e-9)); ok {
				t.Fatalf("%v cross before %g", p, first.SFree)
			}
		}
		for _, hit := range [2]Result{first, some} {
			if hit.Verdict == Collides && hit.How == Crossing {
				if _, ok := bigTouches(m, q0, q1, hit.S); !ok {
					t.Fatalf("nothing crosses at the contact of %+v", hit)
				}
			}
		}
	})
}

// FuzzCurves checks random robots on polynomials: no sample is nearer than the clearance, or
// crosses before SFree, and all that a list of touching pairs says agrees with the check.
func FuzzCurves(f *testing.F) {
	for i := range uint64(6) {
		f.Add(i, uint8(i), uint8(i), 0.3+float64(i)/6, float64(i)/6)
	}
	f.Fuzz(func(t *testing.T, seed uint64, links, degree uint8, size, sample float64) {
		if !(size > 0 && size < 4 && sample >= 0 && sample <= 1) {
			t.Skip()
		}
		r := rand.New(rand.NewPCG(seed, 78))
		m := randomModel(r, 2+int(links%4), 2, seed%2 == 0)
		robot, err := New(m)
		if err != nil {
			t.Fatal(err)
		}
		n := int(degree % (HighestDegree + 1))
		control := randomCurve(r, m, n, size)
		w, o := NewWorker(robot), DefaultOptions()
		first, err := w.CheckCurve(control, n, &o)
		if err != nil {
			t.Fatal(err)
		}
		list, err := w.Touching(nil, control, n, &o)
		if err != nil || (len(list) == 0) != (first.Verdict == Free) ||
			len(list) > 0 && list[0].Verdict != first.Verdict {
			t.Fatalf("%+v, %v after %+v", list, err, first)
		}
		o.Tolerance = 1e-3
		gap, err := w.Clearance(control, n, 0, 1, &o)
		if err != nil || first.Verdict == Collides && !gap.Touches || first.Verdict == Free && gap.Touches {
			t.Fatalf("%+v, %v after %+v", gap, err, first)
		}
		at := posesOn(m, control, n, newBig(sample))
		if d := max(0, distanceAt(m, at)); d < gap.Lo-1e-12 {
			t.Fatalf("distance %g at %g: %+v", d, sample, gap)
		}
		if p, ok := bigTouchesAt(m, at); ok && sample < first.SFree*(1-1e-9) {
			t.Fatalf("%v cross at %g before %g", p, sample, first.SFree)
		}
	})
}

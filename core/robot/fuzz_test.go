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

package patch

import (
	"math"
	"math/rand/v2"
	"testing"

	"ccd/core/geom"
)

// wall is a query whose first contact is known to the bit, however unpleasant the patches: a lies on the one side of a plane at all times,
// b on the other until the time meets, when corners of both come together on it. All coordinates are short dyadic numbers, so that
// nothing of this is rounded. Curves and surfaces interpolate their corners whatever the weights.
type wall struct {
	example
	rate float64 // at which the corners near each other along the plane's normal
	tilt bool    // the plane is not across an axis
}

// Numbers of a few bits: coarse enough to stay exact beside an offset of 10^8.
func dyadic(r *rand.Rand, bits int) float64 {
	return math.Ldexp(float64(r.IntN(1<<bits)-1<<(bits-1)), 1-bits)
}

// newWall makes one of the forms given. Its nets are random, collapsed along edges, folded, all one point, with cusps at the contact, or
// flat: in the plane or nearly so. The contact may come at the very end of the step, or within 2^-40 of its beginning.
func newWall(r *rand.Rand, f, g Form) (w wall) {
	w.a, w.b = &Patch{Form: f}, &Patch{Form: g}
	w.rate = math.Ldexp(1, r.IntN(5)-2)
	w.meets = []float64{1, 0.5, 1 - 0x1p-10, 0x1p-10, float64(1+r.IntN(63)) / 64}[r.IntN(5)]
	height := []float64{1, 1, 0x1p-10, 0x1p-18, 0}[r.IntN(5)]
	drift := [2]float64{w.rate * dyadic(r, 4), w.rate * dyadic(r, 4)} // no faster than the rate: the max norm sees the rate alone
	for i, p := range []*Patch{w.a, w.b} {
		sign := 1 - 2*float64(i)
		style := r.IntN(6)
		at := layoutOf(p.Form).places
		for k := range p.Form.Points() {
			x, y, z := dyadic(r, 8), dyadic(r, 8), height*math.Abs(dyadic(r, 6))
			switch {
			case k == 0 || style == 0: // a point altogether
				x, y, z = 0, 0, 0
			case style == 1: // a regular net
				x, y = math.Round(64*at[k][0])/64, math.Round(64*at[k][1])/64
			case style == 2 && at[k][0] == 0: // an edge that is a point
				x, y, z = 0, 0, 0
			case style == 3: // folded over along u = 1/2
				x, y = math.Round(64*min(at[k][0], 1-at[k][0]))/64, math.Round(64*at[k][1])/64
			case style == 4 && at[k][0]+at[k][1] < 0.7: // a cusp: no direction at the contact
				x, y, z = 0, 0, 0
			}
			z *= sign
			p.X0, p.X1 = append(p.X0, x, y, z), append(p.X1, x, y, z)
			if i == 1 {
				o := 3 * k
				for c, v := range []float64{drift[0], drift[1], w.rate} {
					p.X0[o+c] -= v * w.meets
					p.X1[o+c] += v * (1 - w.meets)
				}
			}
		}
		if r.IntN(2) == 0 {
			for range p.Form.Points() {
				p.W = append(p.W, math.Ldexp(1+r.Float64(), r.IntN(20)))
			}
		}
	}
	w.place(r)
	return w
}

// place turns and shifts both.
func (w *wall) place(r *rand.Rand) {
	turn, shear := r.IntN(3), float64(r.IntN(2)*(r.IntN(5)-2))
	w.tilt = shear != 0
	offset := []float64{0, 0, 100000000, -0x1p20}[r.IntN(4)]
	for _, p := range []*Patch{w.a, w.b} {
		for _, x := range [][]float64{p.X0, p.X1} {
			for i := 0; i < len(x); i += 3 {
				v := [3]float64{x[i], x[i+1] + shear*x[i+2], x[i+2] + shear*x[i]}
				for k := range 3 {
					x[i+k] = v[(k+turn)%3] + offset
				}
			}
		}
	}
	if r.IntN(3) == 0 {
		w.a, w.b = w.b, w.a
	}
}

// check solves the query with a budget and compares with what is known.
func (w *wall) check(t *testing.T, r *rand.Rand, s *Solver, m *boxedMethod) (verdict geom.Verdict) {
	t.Helper()
	o := DefaultOptions()
	o.Tolerance = math.Pow(10, -2-8*r.Float64())
	o.MaxBoxes = []int64{1, 20, 300, 1500}[r.IntN(4)]
	o.TMax = []float64{1, w.meets, w.meets + (1-w.meets)/2}[r.IntN(3)]
	if m != nil {
		o.Method, o.Flags = m.method, m.flags
	}
	first := w.meets
	if !w.tilt && r.IntN(3) == 0 { // the corners come within d at an earlier time
		o.MinSeparation = math.Ldexp(1, -3-r.IntN(30))
		first = max(0, first-o.MinSeparation/w.rate)
	}
	missed := r.IntN(8) == 0 && first > 0.25
	if missed {
		o.TMax = first - 0.125
	}
	var im Impact
	if err := s.Solve(w.a, w.b, &o, &im); err != nil {
		t.Fatal(err)
	}
	wellFormed(t, &im, &o)
	allowed := o.Tolerance + s.fuzz/s.frame.unit
	if missed {
		if im.Verdict == geom.Contact && w.rate*0.125 > allowed && !w.tilt {
			t.Fatalf("%v and %v are apart until %v: %+v", w.a.Form, w.b.Form, first, im)
		}
		return im.Verdict
	}
	if im.Verdict == geom.Separate || im.TOILo > first {
		t.Fatalf("%v and %v meet at %v of %v: %+v\n%+v\n%+v\n%+v", w.a.Form, w.b.Form, first, o.TMax, im, o.Options, *w.a, *w.b)
	}
	if im.Verdict == geom.Contact && !w.tilt && im.TOILo < first-allowed/w.rate*(1+0x1p-40) && m == nil {
		t.Fatalf("%v and %v meet at %v: %+v is early; %+v", w.a.Form, w.b.Form, first, im, o.Options)
	}
	return im.Verdict
}

// TestWalls: contacts that are known exactly are not missed and not late, by every method, whatever the patches look like.
func TestWalls(t *testing.T) {
	r := rand.New(rand.NewPCG(81, 1))
	var s Solver
	verdicts := map[geom.Verdict]int{}
	for trial := range 3000 {
		w := newWall(r, small[r.IntN(len(small))], small[r.IntN(len(small))])
		var m *boxedMethod
		if trial%4 == 0 {
			m = &boxedMethods[r.IntN(len(boxedMethods))]
			s.KeepInitialAxes(m.initial)
		}
		verdicts[w.check(t, r, &s, m)]++
	}
	if verdicts[geom.Contact] < 1000 || verdicts[geom.Separate] < 50 {
		t.Errorf("%v", verdicts)
	}
}

// FuzzWalls soaks them: `go test ./core/patch -fuzz FuzzWalls`.
func FuzzWalls(f *testing.F) {
	for i := range uint64(8) {
		f.Add(i, uint8(i))
	}
	f.Fuzz(func(t *testing.T, seed uint64, which uint8) {
		r := rand.New(rand.NewPCG(seed, 82))
		var s Solver
		var m *boxedMethod
		if k := int(which) % (2 * len(boxedMethods)); k < len(boxedMethods) {
			m = &boxedMethods[k]
			s.KeepInitialAxes(m.initial)
		}
		w := newWall(r, small[r.IntN(len(small))], small[r.IntN(len(small))])
		w.check(t, r, &s, m)
	})
}

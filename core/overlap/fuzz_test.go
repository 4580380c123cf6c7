package overlap

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/ccdtest"
	"ccd/core/contain"
)

// FuzzMeasure compares the common volume of two tetrahedra, which may share corners, with the one
// over rational numbers.
func FuzzMeasure(f *testing.F) {
	r := ccdtest.NewRand(62, 1)
	for range 8 {
		var q []float64
		for range 24 {
			q = append(q, float64(r.IntN(4)))
		}
		f.Add(byte(r.IntN(256)), ccdtest.Pack(q))
	}
	f.Fuzz(func(t *testing.T, which byte, raw []byte) {
		if len(raw) < 8*24 {
			return
		}
		q := ccdtest.Unpack(1, 0, 0, 1, raw).Q
		if wide(q[:24], 100) {
			return // The rational numbers would take long.
		}
		at := func(i int) r3.Vec { return r3.Vec{X: q[3*i], Y: q[3*i+1], Z: q[3*i+2]} }
		second := [4]r3.Vec{at(4), at(5), at(6), at(7)}
		for i := range second {
			if which>>i&1 != 0 {
				second[i] = at(i)
			}
		}
		a, b := wedge([4]r3.Vec{at(0), at(1), at(2), at(3)}), wedge(second)
		got, err := measured(t, a, b, &Options{}, 1)
		if err != nil {
			t.Fatal(err)
		}
		if want := trueCommon(a, b); !holds(got.Volume, want) || got.Volume.Lo == got.Volume.Hi && want.Sign() > 0 &&
			got.Volume.Hi == 0 {
			x, _ := want.Float64()
			t.Fatalf("%v, want %g: %v and %v", got, x, a, b)
		}
		if size := largest(q[:24]); size < 1e50 && size > 1e-50 && got.Flags != 0 {
			t.Fatalf("%v is unfinished: %v and %v", got, a, b)
		}
	})
}

// wide reports whether numbers differ by more than so many powers of two.
func wide(q []float64, most int) bool {
	lo, hi := 2000, -2000
	for _, x := range q {
		if _, e := math.Frexp(x); x != 0 {
			lo, hi = min(lo, e), max(hi, e)
		}
	}
	return hi-lo > most
}

func largest(q []float64) (m float64) {
	for _, x := range q {
		m = max(m, math.Abs(x))
	}
	return m
}

// FuzzDepth compares the depth of a point in a tetrahedron with the one over rational numbers.
func FuzzDepth(f *testing.F) {
	r := ccdtest.NewRand(62, 2)
	for range 8 {
		var q []float64
		for range 15 {
			q = append(q, float64(r.IntN(4)))
		}
		f.Add(ccdtest.Pack(append(q, make([]float64, 9)...)))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		if len(raw) < 8*24 {
			return
		}
		q := ccdtest.Unpack(1, 0, 0, 1, raw).Q
		if wide(q[:15], 150) {
			return
		}
		at := func(i int) r3.Vec { return r3.Vec{X: q[3*i], Y: q[3*i+1], Z: q[3*i+2]} }
		tri := wedge([4]r3.Vec{at(0), at(1), at(2), at(3)})
		checkDepth(t, tri, solidOf(t, tri), [3]float64{q[12], q[13], q[14]})
	})
}

var _ = contain.OnSurface

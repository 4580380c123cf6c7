package proximity

import (
	"math"
	"testing"

	"ccd/core/ccdtest"
	"ccd/core/reference/oracle"
)

// coordinates returns n points from bytes, eight a coordinate. Exponents that are far apart take
// the oracle a second: they are for the tests, which try them by the hundred.
func coordinates(raw []byte, n int) ([]float64, bool) {
	if len(raw) < 24*n {
		return nil, false
	}
	q := ccdtest.Unpack(1, 0, 0, 1, raw).Q
	lo, hi := 2000, -2000
	for _, x := range q[:3*n] {
		if x != 0 {
			_, e := math.Frexp(x)
			lo, hi = min(lo, e), max(hi, e)
		}
	}
	return q[:3*n], hi-lo < 150
}

// FuzzEnclose tests the laws of NearPair against the oracle.
func FuzzEnclose(f *testing.F) {
	for i, fam := range families {
		f.Add(byte(i), ccdtest.Pack(fam.make(ccdtest.NewRand(uint64(i), 1), 8)))
	}
	w := new(worker)
	f.Fuzz(func(t *testing.T, kind byte, raw []byte) {
		k := kinds[int(kind)%len(kinds)]
		x, ok := coordinates(raw, k.Points())
		if !ok {
			return
		}
		out := enclosed(w, k, x)
		if err := broken(k, x, &out); err != nil {
			t.Fatalf("%v, %v: %v", k, x, err)
		}
	})
}

// FuzzCrossing compares the test of an edge and a face with the oracle.
func FuzzCrossing(f *testing.F) {
	for i, fam := range families {
		f.Add(ccdtest.Pack(fam.make(ccdtest.NewRand(uint64(i), 2), 8)))
	}
	w := new(worker)
	f.Fuzz(func(t *testing.T, raw []byte) {
		x, ok := coordinates(raw, 5)
		if !ok {
			return
		}
		if got, want := w.crosses(x), oracle.Crossing(x); got != want {
			t.Fatalf("%v, want %v: %v", got, want, x)
		}
	})
}

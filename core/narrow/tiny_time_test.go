package narrow

import (
	"math"
	"testing"

	"ccd/core/geom"
)

// Law 8 has one exception: no double lies between 0 and a contact time below 2^-1074. Then toi_lo
// is 0, without the flag of an initial contact. The time is 2^-1074 or more from there on.
func TestLaw8TimesBelowTheSmallestDouble(t *testing.T) {
	// A point falls from height h on another, which stays at 0, at the speed 2^490: the time is h
	// 2^-490 all but exactly.
	solve := func(m Method, flags uint32, h, d float64) geom.Impact {
		o := DefaultOptions()
		o.Method, o.Flags, o.MinSeparation = m, NoZeroTOI|flags, d
		var im geom.Impact
		NewSolver().Solve(geom.PointPoint, []float64{h, 0, 0, 0, 0, 0, -0x1p490, 0, 0, 0, 0, 0}, &o, &im)
		return im
	}
	for _, m := range []Method{Default, TightInclusion, TimeContracted, Exact} {
		for _, e := range []int{-600, -590, -585} { // times of 2^-1090, 2^-1080, 2^-1075
			im := solve(m, 0, math.Ldexp(1, e), 0)
			if im.Verdict != geom.Contact || im.TOILo != 0 || im.TOIHi != 0x1p-1074 ||
				im.Flags&geom.InitialContact != 0 {
				t.Errorf("method %d, 2^%d above: %+v", m, e, im)
			}
		}
		for _, e := range []int{-583, -582, -570, -500} { // times from 2^-1073
			im := solve(m, 0, math.Ldexp(1, e), 0)
			if im.Verdict != geom.Contact || !(im.TOILo > 0) || im.Flags&geom.InitialContact != 0 {
				t.Errorf("method %d, 2^%d above: %+v", m, e, im)
			}
		}
		if im := solve(m, 0, 0, 0); im.Flags&geom.InitialContact == 0 || im.TOIHi != 0 {
			t.Errorf("method %d, touching: %+v", m, im)
		}
	}
	// With a separation the toi_lo of a search is 0 where the way to go over the fastest motion is
	// below 2^-1072.
	for _, m := range []Method{Default, TightInclusion, TimeContracted, Exact} {
		for _, e := range []int{-600, -590, -585} {
			if im := solve(m, 0, math.Ldexp(1, e), 0x1p-700); im.TOILo != 0 || im.Flags&geom.InitialContact != 0 {
				t.Errorf("method %d, Euclidean, 2^%d above: %+v", m, e, im)
			}
		}
		for _, e := range []int{-582, -570, -500} {
			if im := solve(m, 0, math.Ldexp(1, e), 0x1p-700); !(im.TOILo > 0) || im.Flags&geom.InitialContact != 0 {
				t.Errorf("method %d, Euclidean, 2^%d above: %+v", m, e, im)
			}
		}
	}
}

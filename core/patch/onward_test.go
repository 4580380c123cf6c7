package patch

import (
	"math/rand/v2"
	"testing"

	"ccd/core/geom"
	"ccd/core/narrow"
)

// between is the patch with its control points at a time as the start of a step, in which it is translated.
func (p *Patch) between(t float64, by [3]float64) *Patch {
	q := *p
	q.X0, q.X1 = make([]float64, len(p.X0)), make([]float64, len(p.X0))
	for i := range p.X0 {
		q.X0[i] = p.X0[i] + float64(t*(p.X1[i]-p.X0[i]))
		q.X1[i] = q.X0[i] + by[i%3]
	}
	return &q
}

// TestPatchesGoOn: a loop that applies 0.9 of toi_lo and moves the patches apart, with no_zero_toi, goes on: the next step has a positive time,
// or no contact at all. Without no_zero_toi what lies within the tolerance at the start is reported there, whether it parts or not.
func TestPatchesGoOn(t *testing.T) {
	var s Solver
	steps, apart, atOnce := 0, 0, 0
	each(t, 31, 60, func(t *testing.T, r *rand.Rand, e example) {
		m := reach(e)
		o := DefaultOptions()
		o.MaxIterations = 20000
		o.Tolerance *= m * []float64{1, 1e-3}[r.IntN(2)]
		if r.IntN(2) == 0 {
			o.MinSeparation = 0.05 * r.Float64() * m
		}
		o.Flags = narrow.NoZeroTOI
		var im Impact
		if err := s.Solve(e.a, e.b, &o, &im); err != nil {
			t.Fatal(err)
		}
		if im.Verdict != geom.Contact || im.TOILo == 0 {
			return
		}
		// What is left at 0.9 toi_lo must be more than rounding: see law 8.
		if left := 0.1 * im.TOILo * (im.Width + o.Tolerance); left < 1e-13*m {
			return
		}
		var by, back [3]float64
		for k := range by {
			by[k], back[k] = 0.1*m*im.Normal[k], -0.1*m*im.Normal[k]
		}
		a, b := e.a.between(0.9*im.TOILo, by), e.b.between(0.9*im.TOILo, back)
		var next Impact
		if err := s.Solve(a, b, &o, &next); err != nil {
			t.Fatal(err)
		}
		steps++
		if next.Verdict == geom.Separate {
			apart++
		} else if next.TOILo == 0 && next.Verdict == geom.Contact {
			atOnce++
			t.Logf("%v and %v: %+v, then %+v", e.a.Form, e.b.Form, im, next)
		}
	})
	t.Logf("%d steps after an impact, %d of them without another, %d at once", steps, apart, atOnce)
	if steps < 100 || apart < steps/2 || atOnce > 0 {
		t.Errorf("%d steps after an impact, %d of them without another, %d at once", steps, apart, atOnce)
	}
}

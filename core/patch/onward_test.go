package patch

import (
	"math/rand/v2"
	"testing"

	"ccd/core/geom"
	"ccd/core/narrow"
)

// between returns the patch with its control points at a time as the start of a step, in which it
// is translated.
func (p *Patch) between(t float64, by [3]float64) *Patch {
	q := *p
	q.X0, q.X1 = make([]float64, len(p.X0)), make([]float64, len(p.X0))
	for i := range p.X0 {
		q.X0[i] = p.X0[i] + float64(t*(p.X1[i]-p.X0[i]))
		q.X1[i] = q.X0[i] + by[i%3]
	}
	return &q
}

// TestPatchesGoOn: a loop that applies 0.9 of toi_lo and moves the patches apart, with no_zero_toi,
// goes on: the next step has a positive time, or no contact at all. Without no_zero_toi what lies
// within the tolerance at the start is reported there, whether it parts or not.
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

// TestLaw2AtTOILo: curved patches keep the separation at TOILo itself, too: no two points of a grid
// on each, nor those reported, are nearer, but for rounding. Straight ones are compared with exact
// distances in ccdtest's TestPromisesAtTOILo.
func TestLaw2AtTOILo(t *testing.T) {
	var s Solver
	impacts := 0
	each(t, 32, 25, func(t *testing.T, r *rand.Rand, e example) {
		m := reach(e)
		o := DefaultOptions()
		o.MaxIterations = 20000
		o.Tolerance *= m
		o.MinSeparation = 0.05 * r.Float64() * m * float64(r.IntN(2))
		var im Impact
		if err := s.Solve(e.a, e.b, &o, &im); err != nil {
			t.Fatal(err)
		}
		if im.Verdict == geom.Separate || im.TOILo == 0 {
			return
		}
		impacts++
		if im.Verdict == geom.Contact && im.Flags&geom.InitialContact != 0 {
			t.Errorf("an initial contact at %v", im.TOILo)
		}
		grid := func(p *Patch, at [2]float64) (list [][3]float64) {
			list = append(list, p.At(at[0], at[1], im.TOILo))
			for i := range 9 {
				for j := range 9 {
					if u, v := float64(i)/8, float64(j)/8; p.Form.Shape != Triangle || u+v <= 1 {
						list = append(list, p.At(u, v*float64(min(p.Form.V, 1)), im.TOILo))
					}
				}
			}
			return list
		}
		for _, p := range grid(e.a, im.UVA) {
			for _, q := range grid(e.b, im.UVB) {
				if d := distance3(p, q); d < o.MinSeparation-1e-13*m-2*s.gapError/s.local.unit {
					t.Fatalf("%v and %v: %v apart at toi_lo, separation %v", e.a.Form, e.b.Form, d, o.MinSeparation)
				}
			}
		}
	})
	t.Logf("%d impacts", impacts)
	if impacts < 80 {
		t.Errorf("only %d impacts", impacts)
	}
}

package patch

import (
	"math"
	"math/rand/v2"
	"testing"

	"ccd/core/geom"
)

// layer returns a sheet over the unit square, wavy by so much, and a second one whose parameters
// are turned in the k-th way.
func layer(r *rand.Rand, f Form, k int, wave float64, rational bool) (a, b *Patch) {
	g := f
	if k&4 != 0 && f.Shape == Quad {
		g.U, g.V = f.V, f.U
	}
	match := turned(f, g, k, nil)
	if match == nil {
		return nil, nil
	}
	a, b = &Patch{Form: f}, &Patch{Form: g, X0: make([]float64, 3*g.Points())}
	for i, at := range layoutOf(f).places {
		x := []float64{math.Round(64*at[0]) / 64, math.Round(64*at[1]) / 64, wave * dyadic(r, 6)}
		a.X0 = append(a.X0, x...)
		copy(b.X0[3*match[i]:], x)
	}
	if rational {
		b.W = make([]float64, len(match))
		for i := range match {
			a.W = append(a.W, 1+r.Float64())
			b.W[match[i]] = a.W[i]
		}
	}
	a.X1, b.X1 = append([]float64{}, a.X0...), append([]float64{}, b.X0...)
	return a, b
}

// Two sheets that come together everywhere at once are in contact then, to the tolerance, however
// their parameters run.
func TestLayersMeet(t *testing.T) {
	r := rand.New(rand.NewPCG(91, 1))
	var s Solver
	o := DefaultOptions()
	o.MaxIterations = 2000
	met := 0
	for trial := range 240 {
		f := []Form{{Curve, 3, 0}, {Triangle, 2, 2}, {Triangle, 3, 3}, {Quad, 3, 3}, {Quad, 2, 4},
			{Quad, 9, 9}}[trial%6]
		a, b := layer(r, f, trial/6%8, 1./8, trial%5 == 4)
		if a == nil {
			continue
		}
		a.move([3]float64{0.25, 0, 1}, [3]float64{-0.25, 0, -1})
		var im Impact
		if err := s.Solve(a, b, &o, &im); err != nil {
			t.Fatal(err)
		}
		if im.Verdict == geom.Separate || im.TOILo > 0.5 {
			t.Fatalf("trial %d, %v: %+v", trial, f, im)
		}
		if im.Verdict == geom.Contact && im.TOILo > 0.5-o.Tolerance {
			met++
		} else if a.W == nil {
			t.Errorf("trial %d, %v, turned %d: %+v after %d checks", trial, f, trial/6%8, im, s.Work.Checks)
		}
	}
	if met < 150 {
		t.Errorf("only %d met in time", met)
	}
}

// What is proven at once holds: at times before, Newton's method from dense samples finds no
// contact, wherever the sheets, which are not quite alike and so wavy that they may meet sooner,
// have come.
func TestAbreastHolds(t *testing.T) {
	r := rand.New(rand.NewPCG(92, 1))
	var s, probe Solver
	o := DefaultOptions()
	moved, early := 0, 0
	for trial := range 120 {
		f := []Form{{Triangle, 2, 2}, {Triangle, 3, 3}, {Quad, 2, 2}, {Quad, 3, 3}}[trial%4]
		a, b := layer(r, f, r.IntN(6), math.Exp2(-3*r.Float64()), trial%5 == 4)
		for i := range a.X0 {
			a.X0[i] += 0.02 * (r.Float64() - 0.5)
			a.X1[i] += 0.02 * (r.Float64() - 0.5)
		}
		a.move([3]float64{2 * dyadic(r, 5), dyadic(r, 5), 1}, [3]float64{dyadic(r, 5), dyadic(r, 5), -1})
		a, b = s.ordered(a, b)
		s.begin(a, b, &o)
		s.Work.Cells = s.sheets.next
		if !s.sheetsApart(0) {
			continue
		}
		moved++
		end := s.until
		if len(s.heap) > 0 {
			end = s.heap[0].t0
		}
		if end < 0.4 {
			early++
		}
		probe.begin(a, b, &o)
		for _, part := range []float64{0, 0.3, 0.6, 0.9, 0.999} {
			if far := probe.sampled(a, b, part*end); far <= 4*probe.gapError {
				t.Fatalf("trial %d, %v: %v from contact at %v of %v", trial, f, far, part, end)
			}
		}
	}
	if moved < 30 || early < 5 {
		t.Errorf("%d proofs, %d of them of less than 0.4", moved, early)
	}
}

// dyadic returns a number in [-1, 1) of a few bits.
func dyadic(r *rand.Rand, bits int) float64 {
	return math.Ldexp(float64(r.IntN(1<<bits)-1<<(bits-1)), 1-bits)
}

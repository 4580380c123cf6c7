package step

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"ccd/core/broad"
	"ccd/core/ccdtest"
	"ccd/core/geom"
	"ccd/core/narrow"
)

// checkKept searches with a margin and holds what it keeps to its law: a pair that comes within its
// separation and the margin, in the max norm, before the step ends is kept. Brute force lists them.
// It returns how many there are.
func checkKept(t *testing.T, s scene, o Options, margin float64) int {
	t.Helper()
	c, err := start(s.m, s.x0, s.x1, &o)
	if err != nil {
		t.Fatal(err)
	}
	c.memory.margin = margin
	im, err := c.earliest()
	if err != nil {
		t.Fatal(err)
	}
	kept := map[[3]int64]bool{}
	for _, w := range c.workers[:c.Stats.Threads] {
		for k, list := range w.unproven.lists {
			for _, p := range list {
				kept[[3]int64{int64(k), int64(p[0]), int64(p[1])}] = true
			}
		}
	}
	c.end()
	if want, err := Earliest(s.m, s.x0, s.x1, &o); err != nil || im != want {
		t.Fatalf("%s: a margin changes the impact: %+v, want %+v, %v", s.name, im, want, err)
	}
	if im.Verdict != geom.Separate && im.TOILo == 0 {
		return 0 // no step
	}
	o.MinSeparation, o.TMax, o.Candidates = o.MinSeparation+0.999*margin, sizeOf(&im, o.TMax), nil
	o.Flags |= narrow.MaxNorm
	near := allPairs(t, &s, &o)
	for _, im := range near {
		if !kept[[3]int64{int64(im.Kind), im.A, im.B}] {
			t.Fatalf("%s: the pair %d (%d, %d) comes within the margin %v at %v and is not kept",
				s.name, im.Kind, im.A, im.B, margin, im.TOILo)
		}
	}
	return len(near)
}

// What a search keeps, with margins so large that many pairs are within them: with radii, given
// pairs, and many pairs that touch at one time.
func TestAdvanceKeepsPairsWithinTheMargin(t *testing.T) {
	n := 600
	if testing.Short() {
		n = 200
	}
	within := 0
	for seed := range n {
		r := ccdtest.NewRand(uint64(seed), 29)
		m, x0, x1, err := ccdtest.Soup(r)
		if err != nil {
			t.Fatal(err)
		}
		s, size := scene{name: fmt.Sprint("soup ", seed), m: m, x0: x0, x1: x1}, math.SmallestNonzeroFloat64
		for i := range x0 {
			size = max(size, math.Abs(x0[i]-x0[i%3]))
		}
		o, _ := advanceOptions(r, x0)
		o.Method = narrow.Exact
		if seed%4 == 3 {
			radius := make([]float64, m.NV)
			for i := range radius {
				radius[i] = size * 0.01 * r.Float64()
			}
			if err := m.SetRadii(radius); err != nil {
				t.Fatal(err)
			}
		}
		if seed%3 == 2 {
			if o.Candidates, err = broad.Sweep(m, s.motion(t),
				broad.Options{MinSeparation: o.MinSeparation + size}); err != nil {
				t.Fatal(err)
			}
		}
		within += checkKept(t, s, o, size*math.Pow(10, -1-4*r.Float64()))
	}
	t.Logf("%d pairs within the margin", within)
	if within < n {
		t.Errorf("%d scenes have only %d pairs within the margin", n, within)
	}
	var tied scene
	tied.name = "layers"
	tied.m, tied.x0, tied.x1 = layers(t, 24, true)
	for i := range tied.x1 { // the same vertex on vertex, but not quite at once
		tied.x1[i] -= 1e-12 * float64(i%7) * (tied.x0[i] - tied.x1[i])
	}
	o := DefaultOptions()
	o.Threads = 1
	for _, margin := range []float64{1e-6, 1e-9} {
		if checkKept(t, tied, o, margin) < 300 {
			t.Error("few pairs are near at one time")
		}
	}
}

// The positions of a step and those of real arithmetic differ by less than half the margin, less
// what a separation is rounded by.
func TestAdvanceMarginCoversRounding(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 29))
	rat := func(x float64) *big.Float { return new(big.Float).SetPrec(4000).SetFloat64(x) }
	worst := 0.0
	for i := range 200000 {
		scale := math.Ldexp(1, r.IntN(1400)-1000)
		if i%2 == 0 {
			scale = 1
		}
		a, b := scale*(2*r.Float64()-1), scale*(2*r.Float64()-1)
		if i%3 == 0 { // the worst for the rounding of the sum
			a, b = scale*(1+r.Float64()), -scale*(1+r.Float64())
		}
		alpha := r.Float64()
		if i%5 == 0 {
			alpha = 1 - math.Ldexp(float64(1+r.IntN(8)), -53)
		}
		margin := max(float64(marginUnit*max(math.Abs(a), math.Abs(b))), leastMargin)
		way := new(big.Float).SetPrec(4000).Mul(rat(alpha), new(big.Float).SetPrec(4000).Sub(rat(b), rat(a)))
		off := new(big.Float).SetPrec(4000).Sub(rat(place(a, b, alpha)), way.Add(way, rat(a)))
		ratio, _ := off.Abs(off).Quo(off, rat(margin)).Float64()
		worst = max(worst, 2*ratio)
	}
	t.Logf("two positions differ by %v of the margin", worst)
	if worst > 10.0/16 {
		t.Errorf("two positions differ by %v of the margin: the proof says 10/16", worst)
	}
}

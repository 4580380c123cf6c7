package broad

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"ccd/core/geom"
	"ccd/core/mesh"
)

// Every step x0 -> x0 + alpha dx is covered, rounding included, and the least departure from a
// vertex's box is not.
func TestCandidatesCoverTheirStepAndNoOther(t *testing.T) {
	const n = 50
	m, err := mesh.New(n, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(5, 6))
	x0, dx, x1 := make([]float64, 3*n), make([]float64, 3*n), make([]float64, 3*n)
	for i := range x0 {
		x0[i] = math.Ldexp(rng.Float64()-0.5, rng.IntN(40)-20)
		dx[i] = math.Ldexp(rng.Float64()-0.5, rng.IntN(40)-20)
		x1[i] = x0[i] + dx[i]
	}
	motion := func(x0, x1 []float64) *geom.Trajectories {
		mo, err := geom.NewTrajectories(x0, x1)
		if err != nil {
			t.Fatal(err)
		}
		return mo
	}
	c, err := Sweep(m, motion(x0, x1), Options{})
	if err != nil {
		t.Fatal(err)
	}
	wild := motion(x1, dx)
	if err := c.Contains(wild); err != nil {
		t.Errorf("before Keep: %v", err)
	}
	c.Keep(motion(x0, x1))
	if c.Contains(wild) == nil {
		t.Error("another step is covered")
	}
	x := make([]float64, 3*n)
	for range 200 {
		alpha := rng.Float64()
		for i := range x {
			x[i] = x0[i] + float64(alpha*dx[i])
		}
		if err := c.Contains(motion(x0, x)); err != nil {
			t.Errorf("alpha %v: %v", alpha, err)
		}
		for i := range x {
			x[i] = math.FMA(alpha, dx[i], x0[i])
		}
		if err := c.Contains(motion(x, x0)); err != nil {
			t.Errorf("alpha %v, fused: %v", alpha, err)
		}
	}
	for i := range x0 {
		for _, out := range []float64{
			math.Nextafter(min(x0[i], x1[i]), math.Inf(-1)), math.Nextafter(max(x0[i], x1[i]), math.Inf(1)),
		} {
			copy(x, x0)
			x[i] = out
			if err := c.Contains(motion(x0, x)); err == nil || !strings.HasPrefix(err.Error(), "x1[") {
				t.Errorf("x1: coordinate %d at %v: %v", i, out, err)
			}
			if err := c.Contains(motion(x, x0)); err == nil || !strings.HasPrefix(err.Error(), "x0[") {
				t.Errorf("x0: coordinate %d at %v: %v", i, out, err)
			}
		}
	}
}

package patch

import (
	"math"
	"math/rand/v2"
	"testing"
	"unsafe"

	"ccd/simd/internal/checks"
)

func TestReachLayout(t *testing.T) {
	var r Reach
	for _, o := range []struct{ got, want uintptr }{
		{unsafe.Offsetof(r.Pos), 0}, {unsafe.Offsetof(r.Vel), 832}, {unsafe.Offsetof(r.tops), 1664},
		{unsafe.Sizeof(r.tops[0]), 16}, {unsafe.Offsetof(r.tops[0].at), 8},
	} {
		if o.got != o.want {
			t.Errorf("offset %d, the kernels have %d", o.got, o.want)
		}
	}
}

// Every level gives the bits of the reference loop, ties and signed zeros included.
func TestReachAgrees(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 1))
	for trial := range 400 {
		pad := 8 * (1 + r.IntN(ReachPoints/8))
		x := make([]float64, 6*pad)
		for i := range x {
			x[i] = r.NormFloat64()
			if trial%3 == 0 {
				x[i] = float64(r.IntN(5) - 2)
			}
			if r.IntN(9) == 0 {
				x[i] = math.Copysign(0, x[i])
			}
		}
		n := [3]float64{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
		if trial%4 == 0 {
			n = [3]float64{1, 0, math.Copysign(0, -1)}
		}
		t0, t1, t2 := r.Float64(), float64(r.IntN(2)), r.Float64()
		var want Reach
		reachAlongGeneric(&want, x, pad, n[0], n[1], n[2], t0, t1)
		h0, i0, h1, i1 := want.tops[0].best, int(want.tops[0].at), want.tops[1].best, int(want.tops[1].at)
		reachAtGeneric(&want, pad, t2)
		h2, i2 := want.tops[0].best, int(want.tops[0].at)
		checks.AtLevels(t, func(level string) {
			var got Reach
			g0, j0, g1, j1 := got.Along(x, pad, n[0], n[1], n[2], t0, t1)
			g2, j2 := got.At(pad, t2)
			same := math.Float64bits
			if same(g0) != same(h0) || j0 != i0 || same(g1) != same(h1) || j1 != i1 || same(g2) != same(h2) ||
				j2 != i2 {
				t.Fatalf("%s: (%v %d) (%v %d) (%v %d), not (%v %d) (%v %d) (%v %d)",
					level, g0, j0, g1, j1, g2, j2, h0, i0, h1, i1, h2, i2)
			}
			for i := range pad {
				if same(got.Pos[i]) != same(want.Pos[i]) || same(got.Vel[i]) != same(want.Vel[i]) {
					t.Fatalf("%s: projection %d", level, i)
				}
			}
		})
	}
}

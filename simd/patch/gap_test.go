package patch

import (
	"math"
	"math/rand/v2"
	"testing"
	"unsafe"

	"ccd/simd/internal/checks"
)

func TestGapLayout(t *testing.T) {
	var g Gap
	for _, o := range []struct{ got, want uintptr }{
		{unsafe.Offsetof(g.N), 0}, {unsafe.Offsetof(g.T0), 24}, {unsafe.Offsetof(g.T1), 32},
		{unsafe.Offsetof(g.Reach), 40},
		{unsafe.Offsetof(g.Bound), 48}, {unsafe.Offsetof(g.End), 56}, {unsafe.Offsetof(g.A), 64},
		{unsafe.Offsetof(g.B), 72},
	} {
		if o.got != o.want {
			t.Errorf("offset %d, the kernels have %d", o.got, o.want)
		}
	}
}

// Every level gives the bits of the reference loop, ties and signed zeros included, for sets of all
// lengths, and all results occur.
func TestGapAgrees(t *testing.T) {
	r := rand.New(rand.NewPCG(32, 1))
	seen := map[int]int{}
	inside := 0
	for trial := range 6000 {
		var x [2][]float64
		var pad [2]int
		for k := range x {
			pad[k] = 8 * (1 + r.IntN(2))
			if trial%16 == 0 {
				pad[k] = 8 * (1 + r.IntN(ReachPoints/8))
			}
			x[k] = make([]float64, 6*pad[k])
			for i := range x[k] {
				x[k][i] = r.NormFloat64()
				if trial%3 == 0 {
					x[k][i] = float64(r.IntN(5) - 2)
				}
				if r.IntN(9) == 0 {
					x[k][i] = math.Copysign(0, x[k][i])
				}
			}
			for i := range pad[k] { // apart along x, and coming nearer
				x[k][i] += float64(6 * k)
				x[k][3*pad[k]+i] -= float64(k) * 8 * r.Float64()
			}
		}
		g := Gap{N: [3]float64{r.NormFloat64(), 0.3 * r.NormFloat64(), 0.3 * r.NormFloat64()},
			T0: 0.5 * r.Float64() * float64(r.IntN(2)), T1: 1,
			Reach: 0.1 * float64(r.IntN(3)), Bound: 0x1p-40}
		switch trial % 5 {
		case 0:
			g.N = [3]float64{1, 0, math.Copysign(0, -1)}
		case 1:
			g.N[0] = math.Abs(g.N[0])
		case 2:
			g.Bound = 0.125
		case 3:
			g.T1 = g.T0
		}
		want := g
		state := want.close(x[0], pad[0], x[1], pad[1])
		seen[state]++
		if state == GapUntil && want.End > want.T0 {
			inside++
		}
		checks.AtLevels(t, func(level string) {
			got := g
			s := got.Close(x[0], pad[0], x[1], pad[1])
			if s != state || got.A != want.A || got.B != want.B ||
				math.Float64bits(got.End) != math.Float64bits(want.End) {
				t.Fatalf("%s: trial %d, %d and %d points: %d (%d %d) until %v, not %d (%d %d) until %v",
					level, trial, pad[0], pad[1], s, got.A, got.B, got.End, state, want.A, want.B, want.End)
			}
		})
	}
	if seen[GapOpen] < 300 || seen[GapThrough] < 300 || inside < 300 || seen[GapUntil]-inside < 5 {
		t.Errorf("results %v, %d within", seen, inside)
	}
}

// BenchmarkGap measures a gap that closes.
func BenchmarkGap(b *testing.B) {
	for _, pad := range []int{8, 16} {
		r := rand.New(rand.NewPCG(32, 2))
		x, y := make([]float64, 6*pad), make([]float64, 6*pad)
		for i := range x {
			x[i], y[i] = r.NormFloat64(), r.NormFloat64()
		}
		for i := range pad {
			y[i] += 6
			y[3*pad+i] -= 6
		}
		b.Run(map[int]string{8: "8", 16: "16"}[pad], func(b *testing.B) {
			g := Gap{N: [3]float64{1, 0.1, 0.1}, T1: 1, Bound: 0x1p-40}
			for b.Loop() {
				g.Close(x, pad, y, pad)
			}
		})
	}
}

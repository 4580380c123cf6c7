package num_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"ccd/core/ccdtest"
	"ccd/core/num"
)

// TestSincosAgainstSeries measures the error at angles of every size and near the multiples of a
// quarter turn.
func TestSincosAgainstSeries(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	worst := 0.0
	check := func(hi, lo float64) {
		t.Helper()
		s, c := num.Sincos(hi, lo)
		ws, wc := ccdtest.Sincos(ccdtest.Plus(ccdtest.Big(hi), ccdtest.Big(lo)))
		for _, p := range [][2]*big.Float{{ccdtest.Big(s), ws}, {ccdtest.Big(c), wc}} {
			e, _ := ccdtest.Plus(p[0], new(big.Float).Neg(p[1])).Float64()
			worst = max(worst, math.Abs(e)/num.SincosBound)
			if math.Abs(e) > num.SincosBound {
				t.Fatalf("Sincos(%v, %v) = %v, %v: off by %v bounds", hi, lo, s, c, math.Abs(e)/num.SincosBound)
			}
		}
	}
	for range 4000 {
		hi := math.Ldexp(r.Float64()*2-1, r.IntN(60)-19)
		check(hi, hi*0x1p-51*(2*r.Float64()-1))
	}
	for _, k := range []float64{1, 2, 3, 4, 5, 101, 1e6, 1e9, 0x1p39} {
		for d := -3; d <= 3; d++ {
			x := k * math.Pi / 4
			for range max(d, -d) {
				x = math.Nextafter(x, math.Inf(d))
			}
			check(x, 0)
			check(-x, -x*0x1p-54)
		}
	}
	check(num.MaxAngle, num.MaxAngle*0x1p-51)
	check(0, 0)
	check(0x1p-1074, 0)
	t.Logf("worst error: %.2f of the bound", worst)
	if worst < 0.2 {
		t.Errorf("the worst error is %v of the bound: the test does not look where errors are", worst)
	}
}

// Near a multiple of a quarter turn too, an angle alone has values as wide as the rounding, and an
// interval around the multiple has the extreme.
func TestIntervalSincosNearExtremes(t *testing.T) {
	extremes := [4][2]float64{{0, 1}, {1, 0}, {0, -1}, {-1, 0}} // sine and cosine at the multiples of a quarter turn
	for k := -9.0; k <= 9; k++ {
		x := k * math.Pi / 2
		for e := 1; e <= 40; e++ {
			d := math.Ldexp(1, -e)
			for _, y := range []float64{x - d, x + d} {
				sin, cos := num.Point(y).Sincos()
				if y != x && (sin.Width() > 5*num.SincosBound || cos.Width() > 5*num.SincosBound) {
					t.Errorf("the angle %v: sine %v, cosine %v", y, sin, cos)
				}
			}
			sin, cos := num.Interval{Lo: x - d, Hi: x + d}.Sincos()
			want := extremes[(int(k)%4+4)%4]
			for i, v := range []num.Interval{sin, cos} {
				if want[i] != 0 && !v.Contains(want[i]) {
					t.Errorf("%v around %v quarter turns: %v has no %v", d, k, v, want[i])
				}
			}
		}
	}
}

// FuzzIntervalSincos checks that the enclosure holds the values at members, extremes included.
func FuzzIntervalSincos(f *testing.F) {
	f.Add(0.0, 1.0, 0.5)
	f.Add(1.5, 0.2, 0.3)
	f.Add(-1000.0, 2.0, 0.9)
	f.Add(0x1p39, 3.0, 0.1)
	f.Add(math.Pi/2, 0.0, 0.0)
	f.Fuzz(func(t *testing.T, lo, width, at float64) {
		if !(math.Abs(lo) < 0x1p39 && width >= 0 && width < 0x1p38 && at >= 0 && at <= 1) {
			return
		}
		i := num.Interval{lo, lo + width}
		sin, cos := i.Sincos()
		x := min(max(lo+at*width, i.Lo), i.Hi)
		quarter := math.RoundToEven(x*(2/math.Pi)) * (math.Pi / 2) // near an extreme
		for _, y := range []float64{x, i.Lo, i.Hi, quarter} {
			if !i.Contains(y) {
				continue
			}
			s, c := ccdtest.Sincos(ccdtest.Big(y))
			for _, p := range []struct {
				i num.Interval
				x *big.Float
			}{{sin, s}, {cos, c}} {
				if ccdtest.Big(p.i.Lo).Cmp(p.x) > 0 || ccdtest.Big(p.i.Hi).Cmp(p.x) < 0 {
					t.Fatalf("%v: %v does not hold the value %v at %v", i, p.i, p.x, y)
				}
			}
		}
		if width < 0.1 && (sin.Width() > width+1e-3 || cos.Width() > width+1e-3) && sin.Hi != 1 && sin.Lo != -1 &&
			cos.Hi != 1 && cos.Lo != -1 {
			t.Fatalf("%v: %v, %v are wide", i, sin, cos)
		}
	})
}

package neighbors

import (
	"math"
	"math/big"
	"testing"

	"ccd/core/ccdtest"
	"ccd/core/proximity"
)

func exactly(x float64) *big.Float { return new(big.Float).SetPrec(4000).SetFloat64(x) }

// TestDisplaced compares the bound with the sum of the two largest distances to 4,000 bits: it is
// not below, and not much above.
func TestDisplaced(t *testing.T) {
	r := ccdtest.NewRand(5, 1)
	for range 3000 {
		n, scale := 1+r.IntN(5), math.Ldexp(1, r.IntN(900)-500)
		if r.IntN(3) == 0 {
			scale = math.Ldexp(1, -1000-r.IntN(70))
		}
		from, x0, x1 := make([]float64, 3*n), make([]float64, 3*n), make([]float64, 3*n)
		for i := range from {
			from[i] = scale * r.NormFloat64()
			x0[i], x1[i] = from[i], from[i]
			if r.IntN(3) > 0 {
				x0[i] = from[i] + scale*math.Ldexp(r.NormFloat64(), -r.IntN(60))
			}
			if r.IntN(3) > 0 {
				x1[i] = scale * r.NormFloat64()
			}
		}
		first, second := exactly(0), exactly(0)
		for v := range n {
			sum := exactly(0)
			for k := range 3 {
				i, most := 3*v+k, exactly(0)
				for _, x := range []float64{x0[i], x1[i]} {
					if d := exactly(0).Sub(exactly(x), exactly(from[i])); d.Abs(d).Cmp(most) > 0 {
						most = d
					}
				}
				sum.Add(sum, exactly(0).Mul(most, most))
			}
			if d := exactly(0).Sqrt(sum); d.Cmp(first) > 0 {
				first, second = d, first
			} else if d.Cmp(second) > 0 {
				second = d
			}
		}
		want := exactly(0).Add(first, second)
		got := displaced(from, x0, x1, 1)
		most := exactly(0).Mul(want, exactly(1+0x1p-48))
		most.Add(most, exactly(0x1p-529))
		if exactly(got).Cmp(want) < 0 || exactly(got).Cmp(most) > 0 && want.Sign() > 0 || want.Sign() == 0 && got != 0 {
			t.Fatalf("%v, want %v: %v %v %v", got, want, from, x0, x1)
		}
	}
	for _, bad := range []float64{math.NaN(), math.Inf(1)} {
		for i := range 9 {
			x := make([]float64, 9)
			x[i] = bad
			if d := displaced(make([]float64, 9), x, make([]float64, 9), 1); d <= math.MaxFloat64 {
				t.Fatalf("%v at %d: %v", bad, i, d)
			}
		}
	}
}

// TestDisplacedThreads compares several threads with one.
func TestDisplacedThreads(t *testing.T) {
	r := ccdtest.NewRand(6, 1)
	n := 3*verticesAtOnce + 100
	from, x := make([]float64, 3*n), make([]float64, 3*n)
	for i := range x {
		x[i] = r.Float64()
	}
	for range 4 {
		x[r.IntN(len(x))], x[r.IntN(len(x))] = 2+r.Float64(), 2+r.Float64()
		if a, b := displaced(from, x, x, 1), displaced(from, x, x, 3); a != b {
			t.Fatal(a, b)
		}
	}
}

// TestBeyond checks the bound for what the laws of near pairs allow: Hi of a pair with Lo = d.
func TestBeyond(t *testing.T) {
	r := ccdtest.NewRand(7, 1)
	for range 20000 {
		d, radius := math.Ldexp(r.Float64(), -r.IntN(1100)), math.Ldexp(r.Float64(), -r.IntN(1100))
		if r.IntN(4) == 0 {
			d = 0
		}
		if r.IntN(4) == 0 {
			radius = 0
		}
		got := exactly(proximity.Beyond(d, radius))
		if d == 0 && radius == 0 {
			if got.Sign() != 0 {
				t.Fatal(got)
			}
			continue
		}
		// Hi (1 - 2^-23) <= d + 2^-23 2r
		hi := exactly(0).Quo(exactly(0).Add(exactly(d), exactly(0).Mul(exactly(0x1p-22), exactly(radius))),
			exactly(1-0x1p-23))
		more := exactly(0).Mul(exactly(1e-6), exactly(0).Add(exactly(d), exactly(radius)))
		if got.Cmp(hi) < 0 || got.Cmp(exactly(0).Add(exactly(0).Add(hi, more), exactly(0x1p-1070))) > 0 {
			t.Fatalf("Beyond(%v, %v) = %v, Hi %v", d, radius, got, hi)
		}
	}
}

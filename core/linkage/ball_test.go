package linkage

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"ccd/core/ccdtest/long"
)

// Series hold the coefficients of sums, products, sines and cosines of all series within their
// radii.
func TestSeriesHoldTheTruth(t *testing.T) {
	number := func(x float64) *big.Float { return new(big.Float).SetPrec(160).SetFloat64(x) }
	r := rand.New(rand.NewPCG(5, 6))
	random := func() (s series, truth []*big.Float) {
		for k := range s.mid {
			s.mid[k] = (2*r.Float64() - 1) * math.Ldexp(1, r.IntN(8)-4)
			s.rad[k] = r.Float64() * math.Ldexp(float64(r.IntN(2)), -10*r.IntN(6))
			off := [3]float64{-1, 1, 2*r.Float64() - 1}[r.IntN(3)]
			way := new(big.Float).Mul(number(off), number(s.rad[k]))
			truth = append(truth, way.Add(number(s.mid[k]), way))
		}
		return s, truth
	}
	worst := map[string]float64{}
	check := func(what string, k int, got *series, want *big.Float) {
		off, _ := new(big.Float).Sub(want, number(got.mid[k])).Float64()
		if !(math.Abs(off) <= got.rad[k]) {
			t.Fatalf("%s, power %d: off by %g, radius %g", what, k, off, got.rad[k])
		}
		worst[what] = max(worst[what], math.Abs(off)/got.rad[k])
	}
	for range long.Part(1000, 40) {
		a, as := random()
		b, bs := random()
		factor := r.NormFloat64()
		total, less := plus(orders, &a, &b), minus(orders, &a, &b)
		part, product := scaled(orders, &a, factor), times(orders, &a, &b)
		sin, cos := sincos(orders, &a)
		s, c := bigSincos(as[0])
		sines, cosines := []*big.Float{s}, []*big.Float{c}
		for k := range orders {
			sum, sn, cs := number(0), number(0), number(0)
			for i := range k + 1 {
				sum.Add(sum, new(big.Float).Mul(as[i], bs[k-i]))
				if i > 0 {
					rate := new(big.Float).Mul(number(float64(i)), as[i])
					rate.Quo(rate, number(float64(k)))
					sn.Add(sn, new(big.Float).Mul(rate, cosines[k-i]))
					cs.Sub(cs, new(big.Float).Mul(rate, sines[k-i]))
				}
			}
			if k > 0 {
				sines, cosines = append(sines, sn), append(cosines, cs)
			}
			check("sum", k, &total, new(big.Float).Add(as[k], bs[k]))
			check("difference", k, &less, new(big.Float).Sub(as[k], bs[k]))
			check("multiple", k, &part, new(big.Float).Mul(as[k], number(factor)))
			check("product", k, &product, sum)
			check("sine", k, &sin, sines[k])
			check("cosine", k, &cos, cosines[k])
		}
	}
	for what, share := range worst {
		if share < 0.9 {
			t.Errorf("the worst error of a %s is %g of its radius", what, share)
		}
	}
}

// The coefficients of polynomials of degree 5, about 1/2 and about any point, whose control values
// are off.
func TestCoefficientsHoldTheTruth(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for range 1000 {
		var c, truth rows
		off := math.Ldexp(r.Float64(), -r.IntN(60))
		for i := range c {
			c[i] = r.NormFloat64()
			truth[i] = c[i] + off*float64(1-2*r.IntN(2))
		}
		middle, anywhere := c.both(off * (1 + 0x1p-40))
		for _, x := range []float64{0.5, 0, 1, r.Float64()} {
			d, factor := truth, 1.0
			for k := range c {
				want := factor * valueOf(d[:6-k], x)
				for i := range 5 - k {
					d[i] = d[i+1] - d[i]
				}
				factor *= float64(5-k) / float64(k+1)
				if x == 0.5 && math.Abs(want-middle.mid[k]) > middle.rad[k]+1e-12 {
					t.Fatalf("power %d at 1/2: %g, not %g within %g", k, want, middle.mid[k], middle.rad[k])
				}
				if math.Abs(want-anywhere.mid[k]) > anywhere.rad[k]+1e-12 {
					t.Fatalf("power %d at %g: %g, not %g within %g", k, x, want, anywhere.mid[k], anywhere.rad[k])
				}
			}
		}
	}
}

// bigSincos is the sine and cosine by Taylor's series.
func bigSincos(x *big.Float) (sin, cos *big.Float) {
	term := new(big.Float).SetPrec(160).SetInt64(1)
	sin, cos = new(big.Float).SetPrec(160), new(big.Float).SetPrec(160)
	for n := 0; n < 80; n++ {
		to := cos
		if n%2 == 1 {
			to = sin
		}
		if n%4 < 2 {
			to.Add(to, term)
		} else {
			to.Sub(to, term)
		}
		term.Mul(term, x)
		term.Quo(term, new(big.Float).SetInt64(int64(n+1)))
	}
	return sin, cos
}

package num

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

func rat(x float64) *big.Rat { return new(big.Rat).SetFloat64(x) }

// samples holds values of every size, their neighbors and random ones.
func samples() []float64 {
	r := rand.New(rand.NewPCG(1, 2))
	s := []float64{0, 1, 1.5, 3, 1e-300, 1e-310, 0x1p-1074, 0x1p-1022, 0x1p-960, 0x1p-968, 1e140, 1e300,
		math.MaxFloat64, 0.1}
	for range 60 {
		s = append(s, math.Ldexp(1+r.Float64(), r.IntN(2000)-1000), r.Float64())
	}
	for _, x := range s {
		s = append(s, -x)
	}
	return s
}

// TestRoundingEncloses compares each directed operation with rational arithmetic: on the right
// side, and at most two doubles away.
func TestRoundingEncloses(t *testing.T) {
	check := func(name string, a, b, lo, hi float64, x *big.Rat) {
		t.Helper()
		if !math.IsInf(lo, 0) && rat(lo).Cmp(x) > 0 || !math.IsInf(hi, 0) && rat(hi).Cmp(x) < 0 || lo == math.Inf(1) ||
			hi == math.Inf(-1) {
			t.Fatalf("%s(%v, %v): [%v, %v] does not hold %v", name, a, b, lo, hi, x)
		}
		if Up(Up(lo)) < hi {
			t.Fatalf("%s(%v, %v): [%v, %v] is wide", name, a, b, lo, hi)
		}
	}
	s := samples()
	for _, a := range s {
		for _, b := range s {
			check("add", a, b, AddDown(a, b), AddUp(a, b), new(big.Rat).Add(rat(a), rat(b)))
			check("sub", a, b, SubDown(a, b), SubUp(a, b), new(big.Rat).Sub(rat(a), rat(b)))
			check("mul", a, b, MulDown(a, b), MulUp(a, b), new(big.Rat).Mul(rat(a), rat(b)))
			if b != 0 {
				check("div", a, b, DivDown(a, b), DivUp(a, b), new(big.Rat).Quo(rat(a), rat(b)))
			}
		}
		if a >= 0 {
			lo, hi := SqrtDown(a), SqrtUp(a)
			if new(big.Rat).Mul(rat(lo), rat(lo)).Cmp(rat(a)) > 0 ||
				new(big.Rat).Mul(rat(hi), rat(hi)).Cmp(rat(a)) < 0 {
				t.Fatalf("sqrt(%v): [%v, %v]", a, lo, hi)
			}
		}
	}
}

func TestUpDown(t *testing.T) {
	for _, x := range samples() {
		if Up(x) != math.Nextafter(x, math.Inf(1)) || Down(x) != math.Nextafter(x, math.Inf(-1)) {
			t.Fatalf("neighbors of %v: %v, %v", x, Down(x), Up(x))
		}
	}
	if Up(math.Copysign(0, -1)) != 0x1p-1074 || Down(0) != -0x1p-1074 || !math.IsNaN(Up(math.NaN())) {
		t.Fatal("zeros or NaN")
	}
}

func TestErrorFree(t *testing.T) {
	for _, a := range samples() {
		for _, b := range samples() {
			if s, e := TwoSum(a, b); !math.IsInf(s, 0) && !math.IsNaN(e) {
				if new(big.Rat).Add(rat(a), rat(b)).Cmp(new(big.Rat).Add(rat(s), rat(e))) != 0 {
					t.Fatalf("TwoSum(%v, %v)", a, b)
				}
			}
			if p, e := TwoProd(a, b); math.Abs(p) >= 0x1p-968 && !math.IsInf(p, 0) {
				if new(big.Rat).Mul(rat(a), rat(b)).Cmp(new(big.Rat).Add(rat(p), rat(e))) != 0 {
					t.Fatalf("TwoProd(%v, %v)", a, b)
				}
			}
		}
	}
}

// FuzzInterval checks that every operation on intervals holds the operation on members, over the
// rationals.
func FuzzInterval(f *testing.F) {
	f.Add(1.0, 2.0, -3.0, 4.0, 0.3, 0.9)
	f.Add(-1e-300, 1e-300, 1e-20, 1e140, 0.0, 1.0)
	f.Fuzz(func(t *testing.T, a, b, c, d, p, q float64) {
		for _, x := range []float64{a, b, c, d} {
			if !(math.Abs(x) < 1e150) {
				return
			}
		}
		if !(p >= 0 && p <= 1 && q >= 0 && q <= 1) {
			return
		}
		i, j := Interval{min(a, b), max(a, b)}, Interval{min(c, d), max(c, d)}
		x := min(max(i.Lo+p*(i.Hi-i.Lo), i.Lo), i.Hi)
		y := min(max(j.Lo+q*(j.Hi-j.Lo), j.Lo), j.Hi)
		X, Y := rat(x), rat(y)
		hold := func(name string, k Interval, v *big.Rat) {
			t.Helper()
			if rat(k.Lo).Cmp(v) > 0 || rat(k.Hi).Cmp(v) < 0 {
				t.Fatalf("%s: %v does not hold %v", name, k, v)
			}
		}
		hold("add", i.Add(j), new(big.Rat).Add(X, Y))
		hold("sub", i.Sub(j), new(big.Rat).Sub(X, Y))
		hold("mul", i.Mul(j), new(big.Rat).Mul(X, Y))
		hold("neg", i.Neg(), new(big.Rat).Neg(X))
		hold("sqr", i.Sqr(), new(big.Rat).Mul(X, X))
		hold("abs", i.Abs(), new(big.Rat).Abs(X))
		hold("scale", i.Scale(c), new(big.Rat).Mul(X, rat(c)))
		hold("union", i.Union(j), X)
		if !j.Contains(0) {
			if k := i.Div(j); !math.IsInf(k.Lo, 0) && !math.IsInf(k.Hi, 0) {
				hold("div", k, new(big.Rat).Quo(X, Y))
			}
		}
		if k, ok := i.Intersect(j); ok && j.Contains(x) {
			hold("intersect", k, X)
		}
		if x >= 0 {
			k := i.Sqrt()
			if new(big.Rat).Mul(rat(k.Lo), rat(k.Lo)).Cmp(X) > 0 || new(big.Rat).Mul(rat(k.Hi), rat(k.Hi)).Cmp(X) < 0 {
				t.Fatalf("sqrt: %v of %v", k, x)
			}
		}
	})
}

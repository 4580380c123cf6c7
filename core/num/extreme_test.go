package num

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// extremes holds finite doubles where formulas of rounding may fail: those beside MaxFloat64 and
// beside powers of two of every size, its halves and the halves of its last unit, denormals, and
// random ones.
func extremes(r *rand.Rand) (s []float64) {
	for _, x := range []float64{math.MaxFloat64, 0x1p1023, 0x1.8p1023, 0x1p1022, 0x1p971, 0x1p970, 0x1p969, 3 * 0x1p970,
		0x1p996, 0x1p512, 1, 0x1p-484, 0x1p-511, 0x1p-900, 0x1p-960, 0x1p-968, 0x1p-969, 0x1p-1021, 0x1p-1022} {
		s = append(s, x, math.Nextafter(x, 0), math.Nextafter(math.Nextafter(x, 0), 0))
		if x < math.MaxFloat64 {
			s = append(s, math.Nextafter(x, 2*x))
		}
	}
	s = append(s, 0, 0x1p-1074, 0x1p-1073, 3*0x1p-1074, 0x1.8p-1040)
	for range 12 {
		x := math.Float64frombits(r.Uint64N(math.Float64bits(math.Inf(1))))
		s = append(s, x, math.MaxFloat64-float64(r.IntN(9))*0x1p971, float64(r.IntN(9))*0x1p969)
	}
	for _, x := range s {
		s = append(s, -x)
	}
	return s
}

// realSum is the sum of finite doubles, exactly.
func realSum(x ...float64) *big.Float {
	sum := new(big.Float).SetPrec(4400)
	for _, v := range x {
		sum.Add(sum, exactly(v))
	}
	return sum
}

func realProduct(a, b float64) *big.Float {
	return new(big.Float).SetPrec(4400).Mul(exactly(a), exactly(b))
}

// isUp reports whether up is the least double, or +Inf, not below v.
func isUp(up float64, v *big.Float) bool {
	if math.IsNaN(up) || math.IsInf(up, -1) || new(big.Float).SetFloat64(up).Cmp(v) < 0 {
		return false
	}
	below := Down(up)
	if up == math.Inf(1) {
		below = math.MaxFloat64
	}
	return math.IsInf(below, -1) || new(big.Float).SetFloat64(below).Cmp(v) < 0
}

// TwoSum is exact or says NaN, and says NaN only where its comment does.
func checkTwoSum(t *testing.T, a, b float64) {
	s, e := TwoSum(a, b)
	top := math.Abs(b) == math.MaxFloat64 && a*b < 0 && !math.IsInf(s, 0) &&
		realSum(a, b, -s, math.Copysign(0x1p970, b)).Sign() == 0
	switch {
	case math.IsInf(s, 0) || top && math.Abs(a) < math.MaxFloat64 && math.IsNaN(e):
		if !math.IsNaN(e) {
			t.Fatalf("TwoSum(%v, %v) = %v, %v: an error without a sum", a, b, s, e)
		}
	case math.IsNaN(e) || realSum(a, b, -s, -e).Sign() != 0:
		t.Fatalf("TwoSum(%v, %v) = %v, %v", a, b, s, e)
	}
	if s != a+b {
		t.Fatalf("TwoSum(%v, %v) = %v", a, b, s)
	}
	if d, f := TwoDiff(a, -b); d != s || f != e && !math.IsNaN(f+e) {
		t.Fatalf("TwoDiff(%v, %v) = %v, %v", a, -b, d, f)
	}
}

// TwoProd is exact where its comment says so, and within eta/2 below.
func checkTwoProd(t *testing.T, a, b float64) {
	p, e := TwoProd(a, b)
	if math.IsInf(p, 0) {
		if e != -p {
			t.Fatalf("TwoProd(%v, %v) = %v, %v", a, b, p, e)
		}
		return
	}
	rest := realProduct(a, b)
	rest.Sub(rest, realSum(p, e))
	if off := rest.Sign() != 0; off && math.Abs(p) >= 0x1p-968 ||
		off && rest.Abs(rest).Cmp(new(big.Float).SetMantExp(big.NewFloat(1), -1075)) > 0 {
		t.Fatalf("TwoProd(%v, %v) = %v, %v", a, b, p, e)
	}
}

// beside reports whether [lo, hi] holds v and is at most two doubles wide, with -MaxFloat64 and
// MaxFloat64 beside the infinities.
func beside(lo, hi float64, v *big.Float) bool {
	if !(lo < math.Inf(1)) || !(hi > math.Inf(-1)) || lo > hi {
		return false
	}
	return new(big.Float).SetFloat64(lo).Cmp(v) <= 0 && new(big.Float).SetFloat64(hi).Cmp(v) >= 0 && Up(Up(lo)) >= hi
}

// checkDirected compares the directed operations with exact arithmetic: sums are the doubles
// beside the real sum, the others are at most two doubles wide.
func checkDirected(t *testing.T, a, b float64) {
	t.Helper()
	sum := realSum(a, b)
	if up, down := AddUp(a, b), AddDown(a, b); !isUp(up, sum) || !isUp(-down, new(big.Float).Neg(sum)) {
		t.Fatalf("%v + %v: [%v, %v]", a, b, down, up)
	}
	if SubUp(a, -b) != AddUp(a, b) || SubDown(a, -b) != AddDown(a, b) {
		t.Fatalf("%v - %v", a, -b)
	}
	if lo, hi := MulDown(a, b), MulUp(a, b); !beside(lo, hi, realProduct(a, b)) {
		t.Fatalf("%v times %v: [%v, %v]", a, b, lo, hi)
	}
	if b != 0 {
		// The quotient is on the side of q on which a is of q b.
		lo, hi := DivDown(a, b), DivUp(a, b)
		for i, q := range [2]float64{lo, hi} {
			if math.IsInf(q, 2*i-1) {
				continue
			}
			side := new(big.Float).SetPrec(4400).Sub(exactly(a), realProduct(q, b))
			if side.Sign()*exactly(b).Sign()*(1-2*i) < 0 {
				t.Fatalf("%v / %v: [%v, %v]", a, b, lo, hi)
			}
		}
		if !(lo < math.Inf(1)) || !(hi > math.Inf(-1)) || Up(Up(lo)) < hi {
			t.Fatalf("%v / %v: [%v, %v]", a, b, lo, hi)
		}
	}
	if a >= 0 {
		lo, hi := SqrtDown(a), SqrtUp(a)
		if realProduct(lo, lo).Cmp(exactly(a)) > 0 || realProduct(hi, hi).Cmp(exactly(a)) < 0 || Up(Up(lo)) < hi {
			t.Fatalf("the root of %v: [%v, %v]", a, lo, hi)
		}
	}
}

func checkThree(t *testing.T, a, b, c float64) {
	t.Helper()
	b = math.Copysign(b, a)
	sum := realSum(a, b, c)
	if up, down := AddUp3(a, b, c), AddDown3(a, b, c); !isUp(up, sum) || !isUp(-down, new(big.Float).Neg(sum)) {
		t.Fatalf("%v + %v + %v: [%v, %v]", a, b, c, down, up)
	}
}

func checkBall(t *testing.T, x, y Ball) {
	t.Helper()
	a, b := realSum(x.H, x.L), realSum(y.H, y.L)
	f := func() *big.Float { return new(big.Float).SetPrec(4400) }
	check := func(name string, z Ball, v *big.Float) {
		t.Helper()
		if z.E <= math.MaxFloat64 && (math.Abs(z.H+z.L) > math.MaxFloat64 || math.IsNaN(z.L) || !holds(z, v)) {
			t.Fatalf("%s of %v and %v: %v", name, x, y, z)
		}
		if s := z.Sign(); s != 0 && s != v.Sign() {
			t.Fatalf("%s of %v and %v: the sign of %v is %d", name, x, y, z, s)
		}
		lo, hi := new(big.Float).SetFloat64(z.Mig()), math.Inf(1)
		if m := z.Mag(); !math.IsNaN(m) {
			hi = m
		}
		if m := f().Abs(v); lo.Cmp(m) > 0 || new(big.Float).SetFloat64(hi).Cmp(m) < 0 {
			t.Fatalf("%s of %v and %v: %v is not within [%v, %v]", name, x, y, m, lo, hi)
		}
	}
	check("sum", x.Add(y), f().Add(a, b))
	check("difference", x.Sub(y), f().Sub(a, b))
	check("product", x.Mul(y), f().Mul(a, b))
	if b.Sign() != 0 {
		check("quotient", x.Div(y), f().Quo(a, b))
	}
	if a.Sign() > 0 {
		check("root", x.Sqrt(), f().Sqrt(a))
	}
}

// ballBeside is a ball with the low part that a ball of x may have at most, or less.
func ballBeside(x float64, part int) Ball {
	l := float64(part-1) * math.Abs(x) * 0x1p-53
	if x+l != x { // The half unit is a tie, which rounds away.
		l = 0
	}
	return Ball{H: x, L: l}
}

// Every operation on every pair of extremes; balls and sums of three on a third of them.
func TestExtremes(t *testing.T) {
	r := rand.New(rand.NewPCG(54, 3))
	s := extremes(r)
	for _, a := range s {
		for _, b := range s {
			checkTwoSum(t, a, b)
			checkTwoProd(t, a, b)
			checkDirected(t, a, b)
			if r.IntN(3) == 0 {
				checkBall(t, ballBeside(a, r.IntN(3)), ballBeside(b, r.IntN(3)))
				checkThree(t, a, b, s[r.IntN(len(s))])
			}
		}
	}
	top := []float64{math.MaxFloat64, 0x1p1023, 0x1p970, 3 * 0x1p970, 0x1p971, 0x1p969, 0x1p-1074, 1}
	for _, a := range top {
		for _, b := range top {
			for _, c := range top {
				checkThree(t, a, b, -c)
				checkThree(t, -a, b, c)
			}
		}
	}
}

// The case of which TwoSum's comment speaks.
func TestNextToTheLargest(t *testing.T) {
	const a, b = -3 * 0x1p970, math.MaxFloat64
	if s, e := TwoSum(a, b); s != 0x1.ffffffffffffep1023 || !math.IsNaN(e) {
		t.Errorf("%v, %v", s, e)
	}
	if s, e := TwoSum(b, a); s != 0x1.ffffffffffffep1023 || e != -0x1p970 {
		t.Errorf("%v, %v", s, e)
	}
	if down, up := AddDown(a, b), AddUp(a, b); down != 0x1.ffffffffffffdp1023 || up != 0x1.ffffffffffffep1023 {
		t.Errorf("[%v, %v]", down, up)
	}
	if x := AddUp3(3*0x1p970, 0, -b); x != -0x1.ffffffffffffdp1023 {
		t.Errorf("%v", x)
	}
}

// FuzzExtremes is TestExtremes on any finite doubles.
func FuzzExtremes(f *testing.F) {
	f.Add(-3*0x1p970, math.MaxFloat64, 0x1p970)
	f.Add(0x1p-537, 0x1.8p-537, 0x1p-1074)
	f.Fuzz(func(t *testing.T, a, b, c float64) {
		if !(max(math.Abs(a), math.Abs(b), math.Abs(c)) <= math.MaxFloat64) {
			return
		}
		checkTwoSum(t, a, b)
		checkTwoProd(t, a, b)
		checkDirected(t, a, b)
		checkThree(t, a, b, c)
		for part := range 3 {
			checkBall(t, ballBeside(a, part), ballBeside(b, 2-part))
		}
	})
}

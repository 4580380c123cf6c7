package num

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// randomBall returns a ball and a rational within it.
func randomBall(r *rand.Rand) (Ball, *big.Float) {
	h := (2*r.Float64() - 1) * math.Ldexp(1, r.IntN(40)-20)
	switch r.IntN(8) {
	case 0:
		h = float64(r.IntN(5) - 2)
	case 1:
		h = math.Ldexp(h, -r.IntN(1000))
	}
	x := Ball{H: h}
	if r.IntN(3) > 0 {
		x.L = h * 0x1p-53 * (2*r.Float64() - 1) * 0.99
	}
	if r.IntN(2) > 0 {
		x.E = math.Abs(h) * math.Ldexp(r.Float64(), -r.IntN(110))
	}
	v := exactly(h)
	v.Add(v, exactly(x.L))
	return x, v.Add(v, new(big.Float).Mul(exactly(x.E), exactly(float64(r.IntN(3)-1))))
}

func exactly(x float64) *big.Float { return new(big.Float).SetPrec(3000).SetFloat64(x) }

func holds(x Ball, v *big.Float) bool {
	if math.IsInf(x.E, 0) || math.IsNaN(x.E) || math.IsNaN(x.H) {
		return true
	}
	d := new(big.Float).SetPrec(3000).Sub(v, exactly(x.H))
	d.Sub(d, exactly(x.L))
	return d.Abs(d).Cmp(exactly(x.E)) <= 0
}

// Every operation encloses the exact one, and no error is much larger than it must be.
func TestBallEncloses(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	worst := 0.0
	for range 40000 {
		x, a := randomBall(r)
		y, b := randomBall(r)
		check := func(name string, z Ball, v *big.Float) {
			if !holds(z, v) {
				t.Errorf("%s of %v and %v: %v", name, x, y, z)
			}
			if math.Abs(z.L) > 0x1p-52*math.Abs(z.H) {
				t.Errorf("%s of %v and %v is %v: not normal", name, x, y, z)
			}
			if s := z.Sign(); s != 0 && s != v.Sign() {
				t.Errorf("the sign of %v is %d", z, s)
			}
			m, _ := v.Abs(v).Float64()
			if z.Mag() < m || z.Mig() > m {
				t.Errorf("%v is not within [%v, %v]", m, z.Mig(), z.Mag())
			}
		}
		f := func() *big.Float { return new(big.Float).SetPrec(3000) }
		check("sum", x.Add(y), f().Add(a, b))
		check("difference", x.Sub(y), f().Sub(a, b))
		check("product", x.Mul(y), f().Mul(a, b))
		if z := x.Div(y); b.Sign() != 0 {
			check("quotient", z, f().Quo(a, b))
			if x.E == 0 && y.E == 0 && min(math.Abs(x.H), math.Abs(y.H), math.Abs(z.H)) > 1e-100 {
				worst = max(worst, z.E/math.Abs(z.H))
			}
		}
		if a.Sign() > 0 && x.Sign() > 0 {
			check("root", x.Sqrt(), f().Sqrt(a))
		}
		if lo, hi := x.Ends(); exactly(lo).Cmp(a) > 0 || exactly(hi).Cmp(a) < 0 {
			t.Errorf("%v is not between %v and %v", x, lo, hi)
		}
		c, one := x.Clamp01(), exactly(1)
		clamped := f().Set(a)
		if a.Sign() < 0 {
			clamped.SetInt64(0)
		} else if a.Cmp(one) > 0 {
			clamped.Set(one)
		}
		if !holds(c, clamped) || !holds(x.Abs(), f().Abs(a)) {
			t.Errorf("%v: clamped %v, absolute %v", x, c, x.Abs())
		}
		if u := x.Union(y); !holds(u, a) || !holds(u, b) {
			t.Errorf("%v holds not both of %v and %v", u, x, y)
		}
		checkNear(t, r, x, a)
	}
	if !(worst > 0 && worst < 0x1p-97) {
		t.Errorf("a quotient of exact numbers has an error of 2^%v of it", math.Log2(worst))
	}
}

// checkNear holds unions of x with a ball beside it, and balls beside 0 and 1 brought into [0, 1],
// to what they must hold.
func checkNear(t *testing.T, r *rand.Rand, x Ball, a *big.Float) {
	t.Helper()
	f := func() *big.Float { return new(big.Float).SetPrec(3000) }
	h := math.Ldexp(2*r.Float64()-1, -r.IntN(120))
	step := Ball{H: h, E: math.Ldexp(r.Float64(), -r.IntN(120))}
	way := f().Add(exactly(h), new(big.Float).Mul(exactly(step.E), exactly(float64(r.IntN(3)-1))))
	y, b := x.Add(step), f().Add(a, way)
	if u, v := x.Union(y), y.Union(x); !holds(u, a) || !holds(u, b) || !holds(v, a) || !holds(v, b) {
		t.Errorf("%v or %v holds not both of %v and %v", u, v, x, y)
	}
	for end := range 2 {
		z, c := BallOf(float64(end)).Add(step), f().Add(exactly(float64(end)), way)
		if c.Sign() < 0 {
			c.SetInt64(0)
		} else if c.Cmp(exactly(1)) > 0 {
			c.SetInt64(1)
		}
		if w := z.Clamp01(); !holds(w, c) || !(w.E <= z.E) {
			t.Errorf("%v: clamped %v", z, w)
		}
	}
}

// Unions, and balls brought into [0, 1], keep the low part.
func TestBallKeepsDigits(t *testing.T) {
	third := BallOf(1).Div(BallOf(3))
	near := third.Add(BallOf(0x1p-100))
	for _, u := range []Ball{third.Union(near), near.Union(third)} {
		if !(u.E < 0x1p-97) {
			t.Errorf("%v is not the union of %v and %v", u, third, near)
		}
	}
	for _, off := range []float64{0, 0x1p-100, -0x1p-100} {
		x := BallOf(1).Add(Ball{H: off, E: 0x1p-99})
		if c := x.Clamp01(); !(c.E <= x.E) || math.Abs(c.H-1)+math.Abs(c.L) > 0x1p-99 {
			t.Errorf("%v: clamped %v", x, c)
		}
	}
	if u := BallOf(0).Union(BallOf(1)); u != (Ball{H: 0.5, E: 0.5}) {
		t.Errorf("[0, 1] is held by %v", u)
	}
}

// What is not defined has no sign, and zeros are exact.
func TestBallAtZero(t *testing.T) {
	zero, one, wide := Ball{}, BallOf(1), Ball{H: 1, E: 1}
	for _, x := range []Ball{one.Div(zero), one.Div(wide), wide.Sqrt(), one.Neg().Sqrt(), zero.Div(zero)} {
		if x.Sign() != 0 || x.E < math.Inf(1) && !math.IsNaN(x.E) {
			t.Errorf("%v is certain", x)
		}
		if c := x.Clamp01(); !(c.H-c.E <= 0 && c.H+c.E >= 1) {
			t.Errorf("%v: %v", x, c)
		}
	}
	if !zero.Mul(wide).IsZero() || !wide.Mul(zero).IsZero() || !zero.Div(one).IsZero() || wide.Sub(wide).IsZero() {
		t.Error("an exact zero is not kept, or made")
	}
	if x := BallBetween(0.25, 0.75); x.H-x.E > 0.25 || x.H+x.E < 0.75 || x.E > 0.251 {
		t.Errorf("%v", x)
	}
}

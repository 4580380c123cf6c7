package vec

import "math"

// Double is an unevaluated sum of two float64, high and low, about 106 bits. The operations are
// those of Dekker 1971 and Joldes, Muller, Popescu 2017, in their short forms: subtraction of
// nearly equal numbers may lose the relative bound, so docs/numerics.md bounds errors absolutely,
// in units of the magnitudes that enter, which is what determinants need.
type Double struct{ H, L float64 }

// TwoSum is a + b and its rounding error: exactly, or NaN where the sum overflows or |b| is
// MaxFloat64 (num.TwoSum of core has the proof). Kernels leave lengths above 2^250 to others, so
// all that they add is below 2^800.
func TwoSum(a, b float64) (s, e float64) {
	s = a + b
	t := s - a
	return s, (a - (s - t)) + (b - t)
}

// TwoDifference is a - b and its rounding error, as TwoSum has them of a and -b.
func TwoDifference(a, b float64) (s, e float64) {
	s = a - b
	t := s - a
	return s, (a - (s - t)) - (b + t)
}

// settle makes a pair whose high part is the rounded sum.
func settle(s, e float64) Double {
	h := s + e
	return Double{h, e - (h - s)}
}

// Plus returns x + y.
func (x Double) Plus(y Double) Double {
	s, e := TwoSum(x.H, y.H)
	return settle(s, e+(x.L+y.L))
}

// Minus returns x - y.
func (x Double) Minus(y Double) Double {
	s, e := TwoDifference(x.H, y.H)
	return settle(s, e+(x.L-y.L))
}

// Mul returns x y.
func (x Double) Mul(y Double) Double {
	h := float64(x.H * y.H)
	e := math.FMA(x.H, y.H, -h)
	return settle(h, math.FMA(x.H, y.L, math.FMA(x.L, y.H, e)))
}

// Times returns x y, for a y without a low part.
func (x Double) Times(y float64) Double {
	h := float64(x.H * y)
	return settle(h, math.FMA(x.L, y, math.FMA(x.H, y, -h)))
}

// Twice returns 2 x, exactly.
func (x Double) Twice() Double { return Double{x.H + x.H, x.L + x.L} }

// Flip returns -x if minus, else x.
func (x Double) Flip(minus bool) Double {
	if minus {
		return Double{-x.H, -x.L}
	}
	return x
}

// Double3 is a vector of double-doubles.
type Double3 struct{ X, Y, Z Double }

// ExactDifference returns p - q exactly, for two vertex records at one end of the motion: 0 or 4.
func ExactDifference(p, q *[8]float64, end int) (d Double3) {
	d.X.H, d.X.L = TwoDifference(p[end], q[end])
	d.Y.H, d.Y.L = TwoDifference(p[end+1], q[end+1])
	d.Z.H, d.Z.L = TwoDifference(p[end+2], q[end+2])
	return d
}

// High is the vector of the high parts.
func (a *Double3) High() Vec3 { return Vec3{a.X.H, a.Y.H, a.Z.H} }

// PlusD returns a + b.
func PlusD(a, b *Double3) Double3 {
	return Double3{a.X.Plus(b.X), a.Y.Plus(b.Y), a.Z.Plus(b.Z)}
}

// CrossD returns a x b.
func CrossD(a, b *Double3) Double3 {
	return Double3{
		a.Y.Mul(b.Z).Minus(a.Z.Mul(b.Y)),
		a.Z.Mul(b.X).Minus(a.X.Mul(b.Z)),
		a.X.Mul(b.Y).Minus(a.Y.Mul(b.X)),
	}
}

// DotD returns a.b, summed from the left.
func DotD(a, b *Double3) Double {
	return a.X.Mul(b.X).Plus(a.Y.Mul(b.Y)).Plus(a.Z.Mul(b.Z))
}

// Cubic holds coefficients of 1, t, t^2, t^3.
type Cubic [4]Double

// At returns the value at x, by Horner's scheme.
func (c *Cubic) At(x float64) Double {
	r := c[3].Times(x).Plus(c[2])
	r = r.Times(x).Plus(c[1])
	return r.Times(x).Plus(c[0])
}

// Blossom is three times the Bernstein coefficient next to s on the interval with ends s and e. The
// multipliers are exact, because the ends are multiples of one power of two by integers below 2^17.
func (c *Cubic) Blossom(s, e float64) Double {
	k1, k2, k3 := s+s+e, s*(s+(e+e)), s*s*e*3
	return c[0].Times(3).Plus(c[1].Times(k1)).Plus(c[2].Times(k2)).Plus(c[3].Times(k3))
}

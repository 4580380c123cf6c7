package num

import "math"

// Ball is a real number known to about 106 bits: it lies within E of H + L, where L is at most half
// a unit in the last place of H. The zero Ball is 0 without an error. Every operation encloses the
// exact one. Where a product, or the magnitudes of the terms of a sum together, reach 2^1022, E is
// +Inf or NaN, and no comparison of the ball holds.
//
// # Bounds
//
// Let u = 2^-53. |L| <= u |H| after every operation.
//
// A sum: TwoSum of the H is exact, with a rest of at most u (|x| + |y|). The rounding of the sum of
// the two L is u^2 (|x| + |y|) at most, that of its sum with the rest 2 u^2 (|x| + |y|): 3 in all,
// to first order; ballSum has 4.
//
// A product: p + FMA is exact. The products with an L round by u^2 |x y| each, their sum by 2, the
// sum with the rest of p, of at most 3 u |x y|, by 3, and L L, left out, is 1: 8 in all; ballMul
// has 9.
//
// ballSlack pays for the roundings of E itself, of which no operation has more than eight. ballTiny
// pays for underflow: no product has more than eight partial products, each off by 2^-1075 at most.
// A product with an exact 0 is exact.
//
// No low part may overflow, or be NaN, while E is finite: E comes from ballFar times the size,
// which is +Inf from 2^1022 on. Below, all parts are less than 2^1023, where TwoSum and FMA are
// exact.
type Ball struct{ H, L, E float64 }

const (
	ballSum   = 4 * 0x1p-106
	ballMul   = 9 * 0x1p-106
	ballSlack = 1 + 0x1p-49
	ballTiny  = 0x1p-1070
	ballFar   = 4
)

// BallOf returns the ball of a double.
func BallOf(x float64) Ball { return Ball{H: x} }

// BallScaled returns the ball of x times 2^-exponent. That is exact but where it becomes denormal,
// which underflow counts as an error.
func BallScaled(x float64, exponent int) Ball {
	y := math.Ldexp(x, -exponent)
	b := BallOf(y)
	if math.Abs(y) < 0x1p-1022 && math.Ldexp(y, exponent) != x {
		b.E = math.SmallestNonzeroFloat64
	}
	return b
}

// IsZero reports whether x is 0 without an error.
func (x Ball) IsZero() bool { return x == Ball{} }

// Center returns x without its error.
func (x Ball) Center() Ball { return Ball{x.H, x.L, 0} }

// Neg returns -x.
func (x Ball) Neg() Ball { return Ball{0 - x.H, 0 - x.L, x.E} }

// Abs returns |x|.
func (x Ball) Abs() Ball {
	if x.H < 0 {
		return x.Neg()
	}
	return x
}

// Add returns x + y.
func (x Ball) Add(y Ball) Ball {
	s, t := TwoSum(x.H, y.H)
	h, l := TwoSum(s, t+(x.L+y.L))
	far := float64(ballFar * (math.Abs(x.H) + math.Abs(y.H)))
	return Ball{h, l, (x.E + y.E + float64(ballSum/ballFar*far)) * ballSlack}
}

// Sub returns x - y.
func (x Ball) Sub(y Ball) Ball { return x.Add(y.Neg()) }

// Mul returns x y.
func (x Ball) Mul(y Ball) Ball {
	if x.IsZero() || y.IsZero() {
		return Ball{}
	}
	p := float64(x.H * y.H)
	l := math.FMA(x.H, y.H, -p) + (float64(x.H*y.L) + float64(x.L*y.H))
	s := p + l
	a, b := math.Abs(x.H), math.Abs(y.H)
	e := float64(a*y.E) + float64(b*x.E) + float64(x.E*y.E) + float64(ballMul/ballFar*float64(ballFar*math.Abs(p)))
	return Ball{s, l - (s - p), float64(e*ballSlack) + ballTiny}
}

// Div returns x / y. Where y may be 0 the error is +Inf.
//
// The quotient q needs no bound of its own: x - q y is enclosed as a ball, and |x/y - q| <= |x - q
// y| / |y|.
func (x Ball) Div(y Ball) Ball {
	if x.IsZero() && y.Sign() != 0 {
		return Ball{}
	}
	q := x.H / y.H
	r := x.Center().Sub(BallOf(q).Mul(y.Center()))
	h, l := TwoSum(q, r.H/y.H)
	z := Ball{h, l, 0}
	return z.within(x.Sub(z.Mul(y)), y.Mig())
}

// within returns z with the error |rest| / size, rounded up.
func (z Ball) within(rest Ball, size float64) Ball {
	if z.E = math.Inf(1); size > 0 {
		z.E = float64(float64(rest.Mag()/size)*ballSlack) + ballTiny
	}
	return z
}

// Sqrt returns the root of x. Where x may be 0 or less the error is +Inf. With s near it, |sqrt x -
// s| = |x - s^2| / (sqrt x + s) <= |x - s^2| / s.
func (x Ball) Sqrt() Ball {
	if x.Sign() <= 0 {
		return Ball{E: math.Inf(1)}
	}
	s := math.Sqrt(x.H)
	r := x.Center().Sub(BallOf(s).Mul(BallOf(s)))
	h, l := TwoSum(s, r.H/(2*s))
	z := Ball{h, l, 0}
	return z.within(x.Sub(z.Mul(z)), z.Mig())
}

// Sign returns 1 or -1 where the sign is certain, else 0.
func (x Ball) Sign() int {
	switch e := x.E * ballSlack; {
	case x.H > e:
		return 1
	case -x.H > e:
		return -1
	}
	return 0
}

// Mag is at least every |x|.
func (x Ball) Mag() float64 { return (math.Abs(x.H) + x.E) * ballSlack }

// Mig is at most every |x|: 0 where the sign is uncertain.
func (x Ball) Mig() float64 {
	if x.Sign() == 0 {
		return 0
	}
	return max(0, float64(math.Abs(x.H)*(1-0x1p-49))-float64(x.E*ballSlack))
}

// Float returns the double nearest to the center.
func (x Ball) Float() float64 { return x.H }

// Ends returns doubles not above and not below x.
func (x Ball) Ends() (lo, hi float64) {
	return AddDown(x.H, SubDown(min(x.L, 0), x.E)), AddUp(x.H, AddUp(max(x.L, 0), x.E))
}

// Clamp01 returns x brought into [0, 1]: the nearest number there. x is finite.
//
// Two numbers are no farther apart once both are brought there, so the center, brought there, has
// the error of x at most. That keeps the low part where an end of [0, 1] is in x. H alone says on
// which side of 0 the center is, and of 1, but where H is 1.
func (x Ball) Clamp01() Ball {
	lo, hi := x.Ends()
	switch {
	case hi <= 0:
		return Ball{}
	case lo >= 1:
		return Ball{H: 1}
	case lo >= 0 && hi <= 1:
		return x
	case !(lo > math.Inf(-1) && hi < math.Inf(1)):
		return ballBetween(0, 1)
	}
	z := ballBetween(max(lo, 0), min(hi, 1))
	switch {
	case !(x.E < z.E):
		return z
	case x.H <= 0:
		return Ball{E: x.E}
	case x.H > 1 || x.H == 1 && x.L >= 0:
		return Ball{H: 1, E: x.E}
	}
	return x
}

// Union returns a ball that holds x and y. Both are finite.
//
// Of three such balls it is one with the smallest error. That between the ends has a double as its
// center; those around the centers of x and y keep 106 bits where x and y are nearly one number.
func (x Ball) Union(y Ball) Ball {
	if x == y {
		return x
	}
	a, b := x.Ends()
	c, d := y.Ends()
	z := ballBetween(min(a, c), max(b, d))
	for _, w := range [2]Ball{x.around(y), y.around(x)} {
		if w.E < z.E {
			z = w
		}
	}
	return z
}

// around returns the ball with the center of x that holds x and y. No number of y is farther from
// that center than the two centers are apart, and the error of y more.
func (x Ball) around(y Ball) Ball {
	apart := x.Center().Sub(y.Center())
	return Ball{x.H, x.L, max(x.E, AddUp(apart.Mag(), y.E))}
}

// ballBetween holds [lo, hi].
func ballBetween(lo, hi float64) Ball {
	h := lo + float64(0.5*(hi-lo))
	return Ball{H: h, E: max(SubUp(hi, h), SubUp(h, lo))}
}

// BallBetween holds the closed interval from lo to hi, finite numbers.
func BallBetween(lo, hi float64) Ball {
	if lo == hi {
		return BallOf(lo)
	}
	return ballBetween(lo, hi)
}

// BallVec is a vector of balls.
type BallVec [3]Ball

// Plus returns a + s b.
func (a *BallVec) Plus(s Ball, b *BallVec) (r BallVec) {
	for k := range r {
		r[k] = a[k].Add(s.Mul(b[k]))
	}
	return r
}

// Minus returns a - b.
func (a *BallVec) Minus(b *BallVec) (r BallVec) {
	for k := range r {
		r[k] = a[k].Sub(b[k])
	}
	return r
}

// Dot returns the inner product.
func (a *BallVec) Dot(b *BallVec) Ball { return a[0].Mul(b[0]).Add(a[1].Mul(b[1])).Add(a[2].Mul(b[2])) }

// Cross returns the vector product.
func (a *BallVec) Cross(b *BallVec) (r BallVec) {
	for k := range r {
		i, j := (k+1)%3, (k+2)%3
		r[k] = a[i].Mul(b[j]).Sub(a[j].Mul(b[i]))
	}
	return r
}

// IsZero reports whether all components are 0 without an error.
func (a *BallVec) IsZero() bool { return *a == BallVec{} }

package num

import "math"

// pi/2 = halfPi1 + halfPi2 + rest, |rest| < 2^-107: each part is the double nearest to what the one
// before leaves.
const (
	halfPi1 = 0x1.921fb54442d18p+00
	halfPi2 = 0x1.1a62633145c07p-54
	twoOvPi = 0x1.45f306dc9c883p-01
)

// MaxAngle is the greatest magnitude of an angle that Sincos reduces within its bound: 2^40
// radians.
const MaxAngle = 0x1p40

// SincosBound bounds the error of both values of Sincos, absolutely.
//
// Reduction. k is an integer below 2^40 with |hi 2/pi - k| <= 1/2 + 2^-12, for the product errs by
// 2u. The first fused step rounds a number below pi/4 + 2^-10 < 0.787: an error of u/2. lo and k
// halfPi2 are below 2^-11, so their roundings are below 2^-10 u, and the rest of pi/2 contributes
// 2^40 2^-107. The sum rounds by u/2. So the reduced angle r errs by less than 1.01 u, |r| < 0.787.
//
// Sine: the Taylor polynomial of degree 17 errs by r^19/19! < 0.001 u. It is r + (r z) p(z) with
// z = r r, |r z p| <= r^3/6 < 0.082; z, r z and the product round by u each, the coefficients and
// steps of p by 3u together: 6u 0.082 < 0.5u. The last sum rounds by u/2. Cosine: degree 16 errs by
// r^18/18! < 0.02 u. It is (1 - z/2) + z z q(z): z/2 < 0.31 errs by u of itself, the difference
// rounds by u/2, |z z q| <= r^4/24 < 0.016 by 7u of itself, the sum by u/2: 1.43u. With the angle's
// 1.01u: below 2.5u for both. Terms of second order are below 2^-40 u, and underflow below 2^-1000.
const SincosBound = 2.5 * 0x1p-53

// Sincos returns the sine and cosine of the angle hi + lo, |hi| <= MaxAngle, |lo| <= 4u |hi|, each
// within SincosBound.
//
// math.Sincos states no bound; the one of this function is proven above, and its bits are the same
// on every platform.
func Sincos(hi, lo float64) (sin, cos float64) {
	k := math.RoundToEven(hi * twoOvPi)
	r := math.FMA(-k, halfPi1, hi)
	r += lo - float64(k*halfPi2)
	sin, cos = sincosReduced(r)
	switch int64(k) & 3 {
	case 1:
		return cos, -sin
	case 2:
		return -sin, -cos
	case 3:
		return -cos, sin
	}
	return sin, cos
}

// sincosReduced is Sincos for |r| < 0.787, by Taylor polynomials.
func sincosReduced(r float64) (sin, cos float64) {
	z := r * r
	p := math.FMA(z, 1.0/355687428096000, -1.0/1307674368000)
	p = math.FMA(z, p, 1.0/6227020800)
	p = math.FMA(z, p, -1.0/39916800)
	p = math.FMA(z, p, 1.0/362880)
	p = math.FMA(z, p, -1.0/5040)
	p = math.FMA(z, p, 1.0/120)
	p = math.FMA(z, p, -1.0/6)
	q := math.FMA(z, 1.0/20922789888000, -1.0/87178291200)
	q = math.FMA(z, q, 1.0/479001600)
	q = math.FMA(z, q, -1.0/3628800)
	q = math.FMA(z, q, 1.0/40320)
	q = math.FMA(z, q, -1.0/720)
	q = math.FMA(z, q, 1.0/24)
	return r + float64(float64(r*z)*p), (1 - float64(0.5*z)) + float64(float64(z*z)*q)
}

// Sincos encloses the sines and cosines of the angles in i, |i| <= MaxAngle.
func (i Interval) Sincos() (sin, cos Interval) {
	s0, c0 := Sincos(i.Lo, 0)
	s1, c1 := Sincos(i.Hi, 0)
	sin = Interval{min(s0, s1) - 2*SincosBound, max(s0, s1) + 2*SincosBound}
	cos = Interval{min(c0, c1) - 2*SincosBound, max(c0, c1) + 2*SincosBound}
	// In quarter turns: the extremes are at the integers.
	lo, hi := float64(i.Lo*twoOvPi), float64(i.Hi*twoOvPi)
	from, to := math.Ceil(lo-float64(quarterSlack*math.Abs(lo))), math.Floor(hi+float64(quarterSlack*math.Abs(hi)))
	if to-from >= 3 {
		return Interval{-1, 1}, Interval{-1, 1}
	}
	for k := from; k <= to; k++ {
		switch int64(k) & 3 {
		case 0:
			cos.Hi = 1
		case 1:
			sin.Hi = 1
		case 2:
			cos.Lo = -1
		case 3:
			sin.Lo = -1
		}
	}
	return sin.clip(), cos.clip()
}

// quarterSlack is a margin, relative to an end in quarter turns, above the error of the product
// that it comes from: u from twoOvPi, u from rounding and terms of second order, below 3u. The
// margin itself rounds by u of itself. Where the product underflows it is at worst 0, and the
// extreme at 0 counts as inside; the difference and the sum round monotonically, and integers to
// themselves.
const quarterSlack = 0x1p-50

// clip keeps what lies in [-1, 1]. Subtracting two bounds, not one, pays for the rounding of the
// ends.
func (i Interval) clip() Interval { return Interval{max(i.Lo, -1), min(i.Hi, 1)} }

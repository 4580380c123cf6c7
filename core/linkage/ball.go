package linkage

import (
	"math"

	"ccd/core/num"
)

// orders is the number of coefficients of a residual: those of the powers 0 to 7 at the middle of a
// piece, and the last one anywhere on it.
const orders = 9

const (
	unit  = 0x1p-53
	up    = 1 + 0x1p-40 // above the rounding of sums of up to 2^12 terms that are not negative
	least = 1e-290      // above what products lose that underflow
)

// series is a Taylor series whose coefficients are numbers within rad of mid. Functions take the
// number of coefficients that they compute.
type series struct{ mid, rad [orders]float64 }

// constant is a number that does not change, known up to an error.
func constant(x, off float64) (s series) {
	s.mid[0], s.rad[0] = x, off
	return s
}

// isZero reports whether all coefficients are exactly 0.
func (s *series) isZero() bool { return *s == series{} }

// plus is the sum of two series. Each sum errs by u of itself.
func plus(n int, a, b *series) (c series) {
	for k := range n {
		c.mid[k] = a.mid[k] + b.mid[k]
		c.rad[k] = float64((a.rad[k] + b.rad[k] + float64(unit*math.Abs(c.mid[k]))) * up)
	}
	return c
}

// minus is the difference of two series.
func minus(n int, a, b *series) series {
	negative := *b
	for k := range n {
		negative.mid[k] = -b.mid[k]
	}
	return plus(n, a, &negative)
}

// scaled is a series times a double. Each product errs by u of itself.
func scaled(n int, a *series, factor float64) (c series) {
	for k := range n {
		c.mid[k] = float64(a.mid[k] * factor)
		off := float64(a.rad[k]*math.Abs(factor)) + float64(unit*math.Abs(c.mid[k]))
		c.rad[k] = float64(off*up) + least
	}
	return c
}

// times is Cauchy's product. Coefficient k is k + 1 products and as many sums: an error below
// (k + 1) u / (1 - (k + 1) u) of the sum of the magnitudes of the products, twice which is counted.
func times(n int, a, b *series) (c series) {
	for k := range n {
		mid, rad, size := 0.0, 0.0, 0.0
		for i := range k + 1 {
			j := k - i
			product := float64(a.mid[i] * b.mid[j])
			mid += product
			size += math.Abs(product)
			rad += float64(math.Abs(a.mid[i])*b.rad[j]) + float64(a.rad[i]*(math.Abs(b.mid[j])+b.rad[j]))
		}
		c.mid[k] = mid
		c.rad[k] = float64((rad+float64(float64(2*(k+2))*unit*size))*up) + least
	}
	return c
}

// sincos is the sine and cosine of a series: k s_k is the sum of i q_i c_(k-i), and k c_k that of
// -i q_i s_(k-i), for i from 1 to k. A term takes two products and a quotient, so a coefficient
// errs by less than (k + 4) u of the sum of magnitudes, twice which is counted. Angles beyond
// num.MaxAngle have no bound.
func sincos(n int, q *series) (sin, cos series) {
	if !(math.Abs(q.mid[0]) <= num.MaxAngle) {
		sin.mid[0], cos.mid[0] = math.NaN(), math.NaN()
		return sin, cos
	}
	sin.mid[0], cos.mid[0] = num.Sincos(q.mid[0], 0)
	sin.rad[0] = float64((q.rad[0] + num.SincosBound) * up)
	cos.rad[0] = sin.rad[0]
	for k := 1; k < n; k++ {
		var mid, rad [2]float64
		for i := 1; i <= k; i++ {
			j, part := k-i, float64(i)/float64(k)
			rate := float64(part * q.mid[i])
			for to, of := range [2]*series{&cos, &sin} {
				product := float64(rate * of.mid[j])
				mid[to] += product
				rad[to] += float64(float64(2*(k+4))*unit*math.Abs(product)) + float64(math.Abs(rate)*of.rad[j]) +
					float64(part*q.rad[i]*(math.Abs(of.mid[j])+of.rad[j]))
			}
		}
		sin.mid[k], cos.mid[k] = mid[0], -mid[1]
		sin.rad[k], cos.rad[k] = float64(rad[0]*up)+least, float64(rad[1]*up)+least
	}
	return sin, cos
}

// bound is the magnitude of a coefficient at most.
func (s *series) bound(k int) float64 { return float64((math.Abs(s.mid[k]) + s.rad[k]) * up) }

// rows are the control values of a polynomial of degree 5.
type rows [6]float64

var choose = [6]float64{1, 5, 10, 10, 5, 1}

// halves holds the polynomials of Bernstein at 1/2, for each degree.
var halves = [6][6]float64{
	{1}, {1. / 2, 1. / 2}, {1. / 4, 2. / 4, 1. / 4}, {1. / 8, 3. / 8, 3. / 8, 1. / 8},
	{1. / 16, 4. / 16, 6. / 16, 4. / 16, 1. / 16}, {1. / 32, 5. / 32, 10. / 32, 10. / 32, 5. / 32, 1. / 32},
}

// both is the coefficients of a polynomial on [0, 1] about 1/2, and about any point. Its control
// values are known up to off. Coefficient k is choose[k] times a mean of the k-th differences of
// the control values: up to 5 differences, 6 products and sums and two more products, below 16u of
// the sums of magnitudes, twice which is counted.
func (c rows) both(off float64) (middle, anywhere series) {
	d, size, wide := c, c, rows{}
	for i := range c {
		size[i], wide[i] = math.Abs(c[i]), off
	}
	for k := range c {
		last := len(c) - k
		mean, rad, low, high, most := 0.0, 0.0, math.Inf(1), math.Inf(-1), 0.0
		for i := range last {
			slack := wide[i] + float64(32*unit*size[i])
			mean += float64(halves[last-1][i] * d[i])
			rad += float64(halves[last-1][i] * slack)
			low, high, most = min(low, d[i]), max(high, d[i]), max(most, slack)
		}
		middle.mid[k] = float64(choose[k] * mean)
		middle.rad[k] = float64(choose[k]*rad*up) + least
		anywhere.mid[k] = float64(choose[k] * (float64(low/2) + float64(high/2)))
		anywhere.rad[k] = float64(choose[k]*(float64(high/2)-float64(low/2)+most)*up) + least
		for i := range last - 1 {
			d[i], size[i], wide[i] = d[i+1]-d[i], size[i+1]+size[i], wide[i+1]+wide[i]
		}
	}
	return middle, anywhere
}

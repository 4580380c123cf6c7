package num

import (
	"math"
	"math/big"
	"math/bits"
)

// IntVec is a vector of integers of any size.
type IntVec [3]*big.Int

// Minus returns a - b.
func (a IntVec) Minus(b IntVec) (r IntVec) {
	for k := range r {
		r[k] = new(big.Int).Sub(a[k], b[k])
	}
	return r
}

// Dot returns the inner product.
func (a IntVec) Dot(b IntVec) *big.Int {
	sum, w := new(big.Int), new(big.Int)
	for k := range a {
		sum.Add(sum, w.Mul(a[k], b[k]))
	}
	return sum
}

// Cross returns the vector product.
func (a IntVec) Cross(b IntVec) (r IntVec) {
	for k := range r {
		i, j := (k+1)%3, (k+2)%3
		r[k] = Minor(a[i], b[j], a[j], b[i])
	}
	return r
}

// Minor returns a b - c d.
func Minor(a, b, c, d *big.Int) *big.Int {
	x := new(big.Int).Mul(a, b)
	return x.Sub(x, new(big.Int).Mul(c, d))
}

// OddPart splits x into m 2^e with m odd, or (0, 0).
func OddPart(x float64) (m int64, e int) {
	f, e := math.Frexp(x)
	if m = int64(f * 0x1p53); m == 0 {
		return 0, 0
	}
	z := bits.TrailingZeros64(uint64(m))
	return m >> z, e - 53 + z
}

// IntVecs writes points, three doubles each, as integers in units of 2^unit, the greatest unit that
// divides all of them: neither fractions nor common divisors are needed then, and of coordinates of
// very different sizes these are numbers of thousands of bits. zero: all are zero.
func IntVecs(x []float64, points []IntVec) (unit int, zero bool) {
	unit = math.MaxInt32
	for _, c := range x {
		if m, e := OddPart(c); m != 0 {
			unit = min(unit, e)
		}
	}
	for i, c := range x {
		m, e := OddPart(c)
		r := big.NewInt(m)
		if points[i/3][i%3] = r; m != 0 {
			r.Lsh(r, uint(e-unit))
		}
	}
	return unit, unit == math.MaxInt32
}

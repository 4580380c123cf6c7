package meshfile

import (
	"math"
	"math/big"
)

// orientation returns the sign of the area of the triangle a, b, c of the plane: 1 where it turns
// to the left, -1 to the right, 0 where the three are on a line. It is exact for all finite
// doubles.
func orientation(a, b, c [2]float64) int {
	l := float64((b[0] - a[0]) * (c[1] - a[1])) // rounded on every processor, not fused with what follows
	r := float64((b[1] - a[1]) * (c[0] - a[0]))
	const (
		filter   = 4 * 0x1p-53 // Shewchuk's bound for this order of operations is (3 + 16 eps) eps, with eps = 2^-53
		smallest = 0x1p-960    // products at least so large do not underflow, and their errors are doubles
		largest  = 0x1p1000
	)
	size := math.Abs(l) + math.Abs(r)
	if size > smallest && size < largest && math.Abs(l-r) > float64(filter*size) {
		return sign(l - r)
	}
	if exactDifferences(a, b, c) && (l == 0 || math.Abs(l) > smallest) && (r == 0 || math.Abs(r) > smallest) &&
		size < largest {
		if l != r { // rounding does not change the order of the products
			return sign(l - r)
		}
		return sign(math.FMA(b[0]-a[0], c[1]-a[1], -l) - math.FMA(b[1]-a[1], c[0]-a[0], -r))
	}
	return slowOrientation(a, b, c)
}

// exactDifferences reports whether b - a and c - a are doubles, and no product with a factor other
// than 0 is 0.
func exactDifferences(a, b, c [2]float64) bool {
	for k := range 2 {
		for _, p := range [2][2]float64{b, c} {
			d := p[k] - a[k]
			back := d + a[k]
			if back-a[k] != d || p[k]-back != 0 || a[k]-(back-d) != 0 {
				return false
			}
		}
	}
	zero := func(x, y float64) bool { return x*y == 0 && x != 0 && y != 0 }
	return !zero(b[0]-a[0], c[1]-a[1]) && !zero(b[1]-a[1], c[0]-a[0])
}

// slowOrientation is orientation in numbers of so many bits that nothing is rounded: differences of
// doubles take at most 2100, products twice as many.
func slowOrientation(a, b, c [2]float64) int {
	const bits = 4300
	exact := func(x float64) *big.Float { return new(big.Float).SetPrec(bits).SetFloat64(x) }
	minus := func(x, y float64) *big.Float { return new(big.Float).SetPrec(bits).Sub(exact(x), exact(y)) }
	times := func(x, y *big.Float) *big.Float { return new(big.Float).SetPrec(bits).Mul(x, y) }
	l, r := times(minus(b[0], a[0]), minus(c[1], a[1])), times(minus(b[1], a[1]), minus(c[0], a[0]))
	return l.Cmp(r)
}

func sign(x float64) int {
	switch {
	case x > 0:
		return 1
	case x < 0:
		return -1
	}
	return 0
}

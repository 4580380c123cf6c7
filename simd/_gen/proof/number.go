package proof

import "math/big"

// number is a real number. Which way it is rounded, its makers say.
type number = *big.Float

const (
	wide  = 4096 // bits of an exact number
	short = 160  // bits of a number that is rounded
)

func from(x float64) number { return new(big.Float).SetPrec(wide).SetFloat64(x) }

// power returns 2^k.
func power(k int) number { return new(big.Float).SetPrec(wide).SetMantExp(big.NewFloat(1), k) }

// exact returns a number that no rounding has changed.
func exact(x number) number {
	if x.Acc() != big.Exact {
		panic("proof: an exact number needs more bits")
	}
	return x
}

func sumExact(x, y number) number     { return exact(new(big.Float).SetPrec(wide).Add(x, y)) }
func productExact(x, y number) number { return exact(new(big.Float).SetPrec(wide).Mul(x, y)) }

func upward() number   { return new(big.Float).SetPrec(short).SetMode(big.ToPositiveInf) }
func downward() number { return new(big.Float).SetPrec(short).SetMode(big.ToNegativeInf) }

// addUp, mulUp and divUp return numbers that are no less than what they name, subDown and mulDown
// none greater.
func addUp(x, y number) number   { return upward().Add(x, y) }
func mulUp(x, y number) number   { return upward().Mul(x, y) }
func divUp(x, y number) number   { return upward().Quo(x, y) }
func subDown(x, y number) number { return downward().Sub(x, y) }
func mulDown(x, y number) number { return downward().Mul(x, y) }
func divDown(x, y number) number { return downward().Quo(x, y) }

func magnitude(x number) number { return new(big.Float).Abs(x) }

func larger(x, y number) number {
	if x.Cmp(y) >= 0 {
		return x
	}
	return y
}

func lesser(x, y number) number {
	if x.Cmp(y) <= 0 {
		return x
	}
	return y
}

// growth returns an upper bound of (1 + u)^k.
func growth(u number, k int) number {
	x := from(1)
	for range k {
		x = mulUp(x, addUp(from(1), u))
	}
	return x
}

// isPower reports whether x is a power of two, or the negative of one.
func isPower(x number) bool {
	return x.Sign() != 0 && x.MinPrec() == 1
}

package ccdtest

import "math/big"

// Sine and cosine to 400 bits, and what a test needs to write formulas over such numbers.

const bigPrec = 400

// bigPi is pi to 400 bits, by Machin's formula.
var bigPi = func() *big.Float {
	atan := func(inverse int64) *big.Float {
		x := Over(Big(1), Big(float64(inverse)))
		sum, power, square := Big(0), x, Times(x, x)
		for k := int64(0); k < 200; k++ {
			term := Over(power, Big(float64(2*k+1)))
			if k%2 == 1 {
				term.Neg(term)
			}
			sum = new(big.Float).SetPrec(bigPrec).Add(sum, term)
			power = Times(power, square)
		}
		return sum
	}
	four := new(big.Float).SetPrec(bigPrec).Sub(Times(Big(4), atan(5)), atan(239))
	return Times(Big(4), four)
}()

// Big is x.
func Big(x float64) *big.Float         { return new(big.Float).SetPrec(bigPrec).SetFloat64(x) }
func Times(a, b *big.Float) *big.Float { return new(big.Float).SetPrec(bigPrec).Mul(a, b) }
func Over(a, b *big.Float) *big.Float  { return new(big.Float).SetPrec(bigPrec).Quo(a, b) }
func Plus(a, b *big.Float) *big.Float  { return new(big.Float).SetPrec(bigPrec).Add(a, b) }

// Sincos sums the Taylor series of the angle reduced by whole turns.
func Sincos(x *big.Float) (sin, cos *big.Float) {
	turn := Times(Big(2), bigPi)
	n, _ := Over(x, turn).Int(nil)
	x = Plus(x, new(big.Float).Neg(Times(turn, new(big.Float).SetPrec(bigPrec).SetInt(n))))
	sin, cos = Big(0), Big(0)
	term := Big(1)
	for k := 0; k < 120; k++ {
		switch k % 4 {
		case 0:
			cos = Plus(cos, term)
		case 1:
			sin = Plus(sin, term)
		case 2:
			cos = Plus(cos, new(big.Float).Neg(term))
		case 3:
			sin = Plus(sin, new(big.Float).Neg(term))
		}
		term = Over(Times(term, x), Big(float64(k+1)))
	}
	return sin, cos
}

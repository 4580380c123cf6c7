package narrow

import (
	"math/big"
	"testing"

	"ccd/core/geom"
)

// TestDependentDirectionsThatUnderflow has three dependent directions whose products underflow: the
// error of a product of two of them, 2^-1075, is multiplied by the third.
func TestDependentDirectionsThatUnderflow(t *testing.T) {
	const far, near = 0x1p120, 0x1p-537
	p, q, r := geom.Vec{far, far, 0}, geom.Vec{0, 1.5 * near, near}, geom.Vec{-0.5 * near, near, near}
	n := geom.Cross3(&q, &r)
	if det := geom.Dot3(&p, &n); det == 0 {
		t.Fatal("floats find the determinant's value")
	}
	exact := new(big.Rat)
	for k := range 3 {
		i, l := (k+1)%3, (k+2)%3
		for _, x := range [2][3]float64{{p[k], q[i], r[l]}, {-p[k], q[l], r[i]}} {
			term := big.NewRat(1, 1)
			for _, y := range x {
				term.Mul(term, new(big.Rat).SetFloat64(y))
			}
			exact.Add(exact, term)
		}
	}
	if exact.Sign() != 0 {
		t.Fatalf("the directions are independent: %v", exact)
	}
	if independent(&p, &q, &r) {
		t.Error("dependent directions are independent")
	}
}

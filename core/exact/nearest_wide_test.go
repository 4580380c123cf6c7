package exact

import (
	"math/big"
	"testing"
)

// A quotient just above the middle of two doubles goes up, one in the middle to the even one.
func TestQuotientRoundsOnce(t *testing.T) {
	one := new(big.Int).Lsh(big.NewInt(1), 300)
	middle := new(big.Int).Add(one, new(big.Int).Lsh(big.NewInt(1), 247))
	above := new(big.Int).Add(middle, big.NewInt(1))
	if x := Quotient(middle, one); x != 1 {
		t.Errorf("the middle becomes %v", x)
	}
	if x := Quotient(above, one); x != 1+0x1p-52 {
		t.Errorf("above the middle becomes %v", x)
	}
}

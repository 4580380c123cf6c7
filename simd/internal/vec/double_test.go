package vec

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// TwoSum and TwoDifference are exact for finite numbers, or the error is NaN: where the sum
// overflows, or the second number is the largest. No error is another number.
func TestSumsAreExactOrNaN(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 54))
	list := []float64{0, 0x1p-1074, 0x1p-1022, 1, 0x1p969, 0x1p970, 3 * 0x1p970, 0x1p1022, 0x1p1023, math.MaxFloat64,
		math.Nextafter(math.MaxFloat64, 0), math.Nextafter(0x1p1023, 0)}
	for range 100 {
		list = append(list, math.Float64frombits(r.Uint64N(math.Float64bits(math.Inf(1)))))
	}
	exact := func(x float64) *big.Float { return new(big.Float).SetPrec(2300).SetFloat64(x) }
	none := 0
	check := func(name string, a, b, s, e float64) {
		t.Helper()
		sum := new(big.Float).SetPrec(2300).Add(exact(a), exact(b))
		switch {
		case math.IsNaN(e) && (math.IsInf(s, 0) || math.Abs(b) == math.MaxFloat64):
			none++
		case s != a+b || math.IsInf(s, 0) || math.IsNaN(e) || sum.Sub(sum, exact(s)).Cmp(exact(e)) != 0:
			t.Fatalf("%s(%v, %v) = %v, %v", name, a, b, s, e)
		}
	}
	for _, x := range list {
		for _, y := range list {
			for _, b := range [2]float64{y, -y} {
				s, e := TwoSum(x, b)
				check("TwoSum", x, b, s, e)
				s, e = TwoDifference(x, b)
				check("TwoDifference", x, -b, s, e)
			}
		}
	}
	if none == 0 {
		t.Fatal("no sum was without an error")
	}
}

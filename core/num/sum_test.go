package num

import (
	"math"
	"math/rand/v2"
	"testing"
)

// AddUp3 and AddDown3 are the doubles beside the real sum, or the sum; with c of any sign,
// cancellation included.
func TestAddUp3(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 17))
	positive := func() float64 {
		switch r.IntN(6) {
		case 0:
			return 0
		case 1:
			return math.Ldexp(1, r.IntN(120)-60)
		case 2:
			return math.Nextafter(math.Ldexp(1, r.IntN(120)-60), 2*float64(r.IntN(2)))
		case 3:
			return math.Float64frombits(r.Uint64N(1 << 54))
		case 4:
			return math.Ldexp(r.Float64(), r.IntN(1400)-1000)
		}
		return r.Float64()
	}
	for i := range 100000 {
		a, b, c := positive(), positive(), positive()
		switch i % 4 {
		case 0:
			c = -c
		case 1: // next to cancellation
			c = -(a + b)
			for range r.IntN(4) {
				c = math.Nextafter(c, -1e300*float64(r.IntN(2)))
			}
		case 2:
			a, b = -a, -b
		}
		sum := rat(a)
		sum.Add(sum, rat(b))
		sum.Add(sum, rat(c))
		up, down := AddUp3(a, b, c), AddDown3(a, b, c)
		if rat(up).Cmp(sum) < 0 || rat(Down(up)).Cmp(sum) >= 0 {
			t.Fatalf("AddUp3(%v, %v, %v) = %v", a, b, c, up)
		}
		if rat(down).Cmp(sum) > 0 || rat(Up(down)).Cmp(sum) <= 0 {
			t.Fatalf("AddDown3(%v, %v, %v) = %v", a, b, c, down)
		}
	}
}

package rigid

import (
	"math/rand/v2"
	"testing"

	"ccd/simd"
)

// TestEarliestSameBitsAtEveryLevel: no bit of an answer depends on the kernels' level.
func TestEarliestSameBitsAtEveryLevel(t *testing.T) {
	n := 400
	if testing.Short() {
		n = 100
	}
	for k := range n {
		var want Impact
		for i, level := range simd.Levels() {
			restore, err := simd.Force(level)
			if err != nil {
				t.Fatal(err)
			}
			r := rand.New(rand.NewPCG(41, uint64(k)))
			c := someCourse(r)
			if k%3 == 0 {
				c.a, c.b = soup(r, 40), soup(r, 30)
			}
			c.o.MaxIterations = 20000
			var im Impact
			err = new(Solver).Earliest(c.a, c.b, &c.ma, &c.mb, &c.o, &im)
			restore()
			if err != nil {
				t.Fatal(err)
			}
			if i == 0 {
				want = im
			} else if im != want {
				t.Fatalf("course %d: %s gives %+v, %s %+v", k, level, im, simd.Levels()[0], want)
			}
		}
	}
}

package exact_test

import (
	"math"
	"testing"
	"time"

	"ccd/core/ccdtest"
	"ccd/core/exact/curved"
	"ccd/core/geom"
)

// Coordinates of very different sizes, down to the smallest double, end in bounded time; the
// verdict does not depend on a power of two.
func TestMotionExtremes(t *testing.T) {
	n := 6
	if testing.Short() {
		n = 1
	}
	contacts := 0
	for _, spread := range []int{100, 1500} {
		for _, degree := range []int{2, 3, 5} {
			worst := time.Duration(0)
			for _, k := range kinds {
				rng := ccdtest.NewRand(61, uint64(10*degree)+uint64(k))
				for range n {
					for norm := range 3 {
						q := ccdtest.MotionFamilies[rng.IntN(len(ccdtest.MotionFamilies)-1)].Make(rng, k, degree)
						for i := range q.Control {
							q.Control[i] = math.Ldexp(q.Control[i], -rng.IntN(spread+1)*rng.IntN(2))
						}
						if q.MaxNorm = norm == 2; norm == 0 {
							q.Separation = 0
						}
						var out geom.Impact
						began := time.Now()
						new(curved.MotionResolver).Resolve(&q, 1, &out)
						worst = max(worst, time.Since(began))
						if out.Verdict == geom.Contact {
							contacts++
						}
						if out.Verdict == geom.Undecided || out.TOILo > out.TOIHi {
							t.Fatalf("%+v: %+v", q, out)
						}
					}
				}
			}
			t.Logf("spread 2^%d, degree %d: at most %v", spread, degree, worst)
		}
	}
	if contacts == 0 {
		t.Error("no contacts")
	}
}

package solid

import (
	"math"
	"math/rand"
	"testing"

	"ccd/simd/internal/checks"
	"ccd/simd/internal/vec"
)

// TestFourPairsSameBits: at all levels four pairs, each at its own time, have the bits of
// AdvanceTurning for each of them alone, however many are wanted.
func TestFourPairsSameBits(t *testing.T) {
	r := rand.New(rand.NewSource(74))
	zero, some := 0, 0
	for n := range 20000 {
		first := someMotions(r)
		var f FourPairs
		f.Begin(first)
		var want [4]float64
		for k := range 4 {
			m := *first
			turn, x := someMotions(r), someMotions(r)
			for lane := range 4 {
				for _, row := range [2]int{MotionSin, MotionCos} {
					if m[MotionRate][lane] > 0 {
						m[row][lane] = turn[row][lane&2]
					}
				}
				for row := MotionX; row < MotionX+3; row++ {
					m[row][lane] = x[row][lane]
				}
				for _, row := range [4]int{MotionGoal, MotionMargin, MotionSpan, MotionWay} {
					m[row][lane] = x[row][lane] * (1 + float64(n%7))
				}
			}
			f.At(k, &m)
			size := math.Ldexp(1, -r.Intn(8))
			a, b := someSiblings(r, size, vec.Vec3{}), someSiblings(r, size*math.Ldexp(1, r.Intn(5)-2), vec.Vec3{})
			i, j := int32(r.Intn(2)), int32(r.Intn(2))
			f.Set(k, a, i, b, j)
			var out [4]float64
			advanceGeneric(&m, a, b, 1<<(2*i+j), true, &out)
			if want[k] = out[2*i+j]; want[k] == 0 {
				zero++
			} else {
				some++
			}
		}
		count := 1 + r.Intn(4)
		checks.AtLevels(t, func(level string) {
			var got [4]float64
			f.Advance(count, &got)
			for k := range count {
				if math.Float64bits(got[k]) != math.Float64bits(want[k]) {
					t.Fatalf("%s, case %d: pair %d of %d is %v, want %v", level, n, k, count, got[k], want[k])
				}
			}
		})
	}
	t.Logf("%d pairs are not advanced, %d are", zero, some)
	if min(zero, some) < 10000 {
		t.Error("too one-sided")
	}
}

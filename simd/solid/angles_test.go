package solid

import (
	"math"
	"math/rand"
	"testing"
	"unsafe"

	"ccd/simd/internal/checks"
)

func TestAnglesLayout(t *testing.T) {
	var a Angles
	if unsafe.Offsetof(a.Hi) != 0 || unsafe.Offsetof(a.Lo) != 16 || unsafe.Offsetof(a.T) != 32 {
		t.Errorf("%d %d %d, the kernel has 0 16 32", unsafe.Offsetof(a.Hi), unsafe.Offsetof(a.Lo), unsafe.Offsetof(a.T))
	}
}

// Every level gives the bits of the reference, for small and large angles of both signs and where
// nothing turns, in every quadrant.
func TestTurnAgrees(t *testing.T) {
	r := rand.New(rand.NewSource(34))
	quadrants := map[int64]int{}
	for trial := range 20000 {
		var a Angles
		for i := range a.Hi {
			a.Hi[i] = math.Abs(r.NormFloat64()) * math.Ldexp(1, r.Intn(30)-20)
			a.Lo[i] = a.Hi[i] * 0x1p-53 * (r.Float64() - 0.5)
			if r.Intn(8) == 0 {
				a.Hi[i], a.Lo[i] = 0, 0
			}
		}
		a.T = r.NormFloat64() * math.Ldexp(1, r.Intn(10))
		if trial%7 == 0 {
			a.T = []float64{0, math.Copysign(0, -1), 1, 0x1p29}[r.Intn(4)]
		}
		quadrants[int64(math.RoundToEven(a.Hi[0]*a.T*twoOvPi))&3]++
		var want RelativeMotion
		want.turnGeneric(&a)
		if s, c := math.Sincos(a.Hi[0] * a.T); a.Hi[0]*math.Abs(a.T) < 100 && math.Abs(s-want[MotionSin][0])+
			math.Abs(c-want[MotionCos][1]) > 1e-13 {
			t.Fatalf("%v: %v %v, not %v %v", a, want[MotionSin][0], want[MotionCos][1], s, c)
		}
		checks.AtLevels(t, func(level string) {
			var got RelativeMotion
			got.Turn(&a)
			for row := range got {
				for lane := range got[row] {
					if math.Float64bits(got[row][lane]) != math.Float64bits(want[row][lane]) {
						t.Fatalf("%s: %v: row %d lane %d is %v, not %v",
							level, a, row, lane, got[row][lane], want[row][lane])
					}
				}
			}
		})
	}
	for q := range int64(4) {
		if quadrants[q] < 100 {
			t.Errorf("quadrants %v", quadrants)
		}
	}
}

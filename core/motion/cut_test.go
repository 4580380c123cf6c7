package motion_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"ccd/core/motion"
)

// The paths of a cut motion are those of the motion up to the ends: within the rounding for radius
// 0, and within the radii where they are above 0. Control points stay in the box of those they come
// from.
func TestCutHoldsThePaths(t *testing.T) {
	rng := rand.New(rand.NewPCG(41, 1))
	worst := 0.0
	for range 4 * trials() {
		n, degree := 3, 1+rng.IntN(motion.MaxDegree)
		size := math.Ldexp(1, rng.IntN(40)-20)
		control, radius := numbers(rng, 3*n*(degree+1), size), make([]float64, n)
		for i := range radius {
			radius[i] = 0x1p-60 * size * float64(rng.IntN(3))
		}
		m := made(t)(motion.New(n, degree, nil, control, radius))
		ends := []float64{rng.Float64(), float64(rng.IntN(2)), 1 - 0x1p-53}
		if rng.IntN(4) == 0 {
			ends[0] = math.Ldexp(ends[0], -rng.IntN(100))
		}
		cut := m.Cut(ends)
		lengthened := made(t)(motion.New(n, degree, nil, control, nil)).Cut(ends)
		for i, end := range ends {
			lo, hi := [3]float64{}, [3]float64{}
			for k := range 3 {
				at := func(l int) float64 { return control[3*(l*n+i)+k] }
				lo[k], hi[k] = at(0), at(0)
				for l := range degree + 1 {
					lo[k], hi[k] = min(lo[k], at(l)), max(hi[k], at(l))
				}
				for l := range degree + 1 {
					if x := cut.Control()[3*(l*n+i)+k]; x < lo[k] || x > hi[k] || end == 0 && x != at(0) ||
						end == 1 && x != at(l) {
						t.Fatalf("end %v, control point %d: %v, of [%v, %v]", end, l, x, lo[k], hi[k])
					}
				}
			}
			for _, s := range []float64{0, rng.Float64(), 1} {
				want := bernstein(degree, mul(bf(end), bf(s)), func(l int) []float64 { return control[3*(l*n+i):][:3] })
				off, _ := polynomial(cut, 0, i, s).minus(want).length().Float64()
				if radius[i] > 0 && off+radius[i] > cut.Radius(0, i) && off > 0 {
					t.Fatalf("degree %d, end %v: off by %v, the radius grew from %v to %v",
						degree, end, off, radius[i], cut.Radius(0, i))
				}
				if lengthened.Radius(0, i) != 0 || radius[i] == 0 && cut.Radius(0, i) != 0 {
					t.Fatal("a path of radius 0 got one")
				}
				worst = max(worst, off/size)
			}
		}
	}
	if worst > 25*0x1p-53*math.Sqrt(3) || worst < 0x1p-53 {
		t.Errorf("paths are off by %v of their size", worst)
	}
}

// Positions of a body that turns are within radii of rounding, at every time.
func TestPlaceIsEnclosed(t *testing.T) {
	rng := rand.New(rand.NewPCG(42, 1))
	widest := 0.0
	for range trials() {
		b := randomBone(rng)
		x, place, radius := numbers(rng, 6, 1), make([]float64, 6), make([]float64, 2)
		m := made(t)(motion.Rigid(2, x, b, 3+2*rng.IntN(2), 1+rng.IntN(3)))
		for _, s := range []float64{0, 1, 0.5, rng.Float64(), 0x1p-30, 0x1p-21} {
			m.Place(s, place, radius)
			for i := range 2 {
				off, _ := boneAt(&b, bv(x[3*i:]), s).minus(bv(place[3*i:])).length().Float64()
				if off > radius[i] {
					t.Fatalf("at %v: off by %v, radius %v", s, off, radius[i])
				}
				widest = max(widest, radius[i])
			}
		}
	}
	// 2^-44 is 32 u of coordinates below 16. No enclosure may be wider where an angle is small or
	// near a quarter turn.
	if widest > 0x1p-44 {
		t.Errorf("a radius is %v", widest)
	}
	// Of polynomials it is At.
	control := numbers(rng, 24, 1)
	m := made(t)(motion.New(2, 3, nil, control, nil))
	a, b := make([]float64, 6), make([]float64, 6)
	m.At(0.3, a, nil)
	if m.Place(0.3, b, nil); !slices.Equal(a, b) {
		t.Errorf("%v, At %v", b, a)
	}
}

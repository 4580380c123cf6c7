package narrow_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"ccd/core/geom"
	"ccd/core/motion"
	"ccd/core/narrow"
)

// SolveMotionUntil has the result of SolveMotion up to its end, also where it proves at once that
// no part has any: for pairs whose least distance is the separation and about the radii of a part,
// tolerances of that size, budgets that are spent, and coordinates so large that radii are
// rounding.
func TestMotionUntilHasTheResultOfTheWhole(t *testing.T) {
	trials := 60000
	if testing.Short() {
		trials = 12000
	}
	rng := rand.New(rand.NewPCG(41, 1))
	contacts, left, undecided := 0, 0, 0
	var s narrow.Solver
	for range trials {
		far := 0.0
		if rng.IntN(4) == 0 {
			far = math.Ldexp(1, 10+rng.IntN(30))
		}
		y := 1 + 0.05*rng.NormFloat64()
		x := []float64{1, 0, 0, -4, y, -4, 4, y, -4, 0, y + 0.1*rng.Float64(), 4}
		one := [4]float64{1}
		bones := []motion.Bone{
			{Rotation: one, AngularVelocity: [3]float64{0, 0, 0.5 + 2*rng.Float64()}, Position: [3]float64{far, 0, 0}},
			{Rotation: one, AngularVelocity: [3]float64{0, 0.1 * rng.Float64(), 0}, Position: [3]float64{far, 0, 0}},
		}
		m := must(t)(motion.Skinned(4, x, bones, []float64{1, 0, 0, 1, 0, 1, 0, 1}, 3+2*rng.IntN(2), 1+rng.IntN(3)))
		o := narrow.DefaultOptions()
		o.Tolerance = math.Ldexp(1, -rng.IntN(40))
		switch rng.IntN(4) {
		case 0:
			o.MaxIterations = rng.Int64N(40)
		case 1:
			o.MaxIterations = 1 << rng.IntN(20)
		}
		if rng.IntN(2) == 0 {
			o.MinSeparation = 0.1 * rng.Float64()
		}
		if rng.IntN(3) == 0 {
			o.TMax = rng.Float64()
		}
		vertices := []int32{0, 1, 2, 3}
		var whole, got geom.Impact
		s.SolveMotion(m, geom.VertexFace, vertices, &o, &whole)
		found := whole.Verdict != geom.Separate
		for range 3 {
			until := o.TMax * rng.Float64()
			if found && rng.IntN(2) == 0 {
				until = min(o.TMax, max(0, whole.TOILo+0.02*rng.NormFloat64()*rng.Float64()))
			}
			if found && rng.IntN(4) == 0 {
				until = min(o.TMax, whole.TOIHi)
			}
			s.SolveMotionUntil(m, geom.VertexFace, vertices, &o, until, &got)
			switch {
			case found && (whole.TOIHi <= until || whole.Verdict == geom.Undecided && whole.TOILo <= until) &&
				got != whole:
				t.Fatalf("until %v: %+v\nthe whole %+v\nfar %v, y %v, %+v", until, got, whole, far, x, o)
			case got.Verdict != geom.Separate && got != whole:
				t.Fatalf("until %v: %+v, the whole %+v", until, got, whole)
			case !found || whole.TOILo > until:
				left++
			case whole.Verdict == geom.Undecided:
				undecided++
			default:
				contacts++
			}
		}
	}
	t.Logf("%d contacts, %d undecided, %d after the end", contacts, undecided, left)
	if least := trials / 100; contacts < least || left < least || undecided < least {
		t.Errorf("%d contacts, %d undecided, %d after the end: too few of one kind", contacts, undecided, left)
	}
}

package step

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/motion"
	"ccd/core/narrow"
)

// The laws of LineSearch on paths, on motions of all kinds. What holds at 0 is tested on a motion
// that rests, by the search for the earliest impact.
func TestMotionLineSearchLaws(t *testing.T) {
	some, moved, stopped := 0, 0, 0
	eachMotion(t, 41, 5, func(t *testing.T, _ *rand.Rand, s *motionScene, o Options) {
		limit := 0.05 * (&scene{name: s.name[:strings.IndexByte(s.name+",", ',')], m: s.m}).size()
		o.MinSeparation, o.TMax, o.MaxIterations = limit, 1, 0
		b := must[Bound](t)(Curved(s.m, s.mo).LineSearch(0.25, &o))
		n := s.m.NV
		x, radius := make([]float64, 3*n), make([]float64, n)
		s.mo.Place(0, x, radius)
		still := must[*motion.Motion](t)(motion.New(n, 1, nil, append(append([]float64(nil), x...), x...),
			append([]float64(nil), radius...)))
		at := func(mo *motion.Motion, d, tMax, tolerance float64) geom.Impact {
			e := DefaultOptions()
			e.MinSeparation, e.TMax, e.Flags, e.Tolerance = d, tMax, o.Flags, tolerance
			return must[geom.Impact](t)(Curved(s.m, mo).Earliest(&e))
		}
		if b == (Bound{}) {
			if im := at(still, 4*most(radius), 0, 1e-6); im.Verdict == geom.Separate {
				t.Fatalf("%s: all fields are 0, but no pair touches at 0", s.name)
			}
			return
		}
		some++
		if !(b.Distance > 0 && b.Distance <= limit && b.Separation == 0.25*b.Distance && b.Alpha >= 0 && b.Alpha <= 1) {
			t.Fatalf("%s: %+v", s.name, b)
		}
		if im := at(still, b.Distance, 0, 1e-6); im.Verdict != geom.Separate {
			t.Fatalf("%s: a pair is nearer than %v at 0", s.name, b.Distance)
		}
		if b.Distance < 0.99*limit { // halves of the cap, less radii
			if im := at(still, 2*b.Distance+8*most(radius), 0, 1e-6); im.Verdict == geom.Separate {
				t.Fatalf("%s: all pairs are farther apart than %v at 0", s.name, 2*b.Distance)
			}
		}
		if b.Alpha > 0 {
			moved++
			if im := at(s.mo, b.Separation, b.Alpha, min(o.Tolerance, 0.375*b.Distance)); im.Verdict != geom.Separate {
				t.Fatalf("%s: a pair comes within %v up to %v", s.name, b.Separation, b.Alpha)
			}
		} else if !s.mo.HasRadii() || s.mo.Refines() {
			t.Fatalf("%s: alpha is 0: %+v", s.name, b)
		}
		if b.Alpha < 1 {
			stopped++
			later := min(1, b.Alpha+1e-9)
			if im := at(s.mo, b.Separation, later, min(o.Tolerance, 0.375*b.Distance)); im.Verdict == geom.Separate {
				t.Fatalf("%s: no pair comes within %v up to %v, later than %v", s.name, b.Separation, later, b.Alpha)
			}
		}
	})
	t.Logf("%d searches, %d move, %d stop", some, moved, stopped)
	if some < 5 || moved < 5 || stopped < 3 {
		t.Errorf("%d searches, %d of which move and %d stop", some, moved, stopped)
	}
}

func most(x []float64) (m float64) {
	for _, v := range x {
		m = max(m, v)
	}
	return m
}

// A vertex on a circle that passes at a hundredth, and turns far beside: its distance at the start
// is kept in part although the tolerance is larger.
func TestMotionLineSearchMovesWhateverTheTolerance(t *testing.T) {
	corners := []float64{1, 0, 0, 0, 1e-5, -1, 2, 1e-5, -1, 1, 1e-5, 2}
	bones := []motion.Bone{{Rotation: [4]float64{1}, AngularVelocity: [3]float64{0, 0, 1}}, {Rotation: [4]float64{1}}}
	for _, degree := range []int{3, 5} {
		mo := must[*motion.Motion](t)(motion.Skinned(4, corners, bones, []float64{1, 0, 0, 1, 0, 1, 0, 1}, degree, 1))
		m := must[*mesh.Mesh](t)(mesh.New(4, nil, []int32{1, 2, 3}))
		o := DefaultOptions()
		o.MinSeparation, o.Tolerance = 1, 1e-2
		b := must[Bound](t)(Curved(m, mo).LineSearch(0.2, &o))
		// The plate is at y = 1e-5, which the vertex reaches at 1e-5; it keeps a fifth of half of
		// that or more.
		if !(b.Alpha > 0.4e-5 && b.Alpha < 1e-5 && b.Distance > 0.4e-5 && b.Distance <= 1e-5) {
			t.Errorf("degree %d: %+v", degree, b)
		}
	}
}

// A motion of degree 1 has the bits of LineSearch; without what a line search needs there is an
// error.
func TestMotionLineSearchOfDegreeOne(t *testing.T) {
	r := rand.New(rand.NewPCG(42, 1))
	s := soup(t, "soup", 40, func() float64 { return 2*r.Float64() - 1 }, 0)
	linear := linearScene(t, &s)
	for _, d := range []float64{1e-3, 0.1} {
		o := DefaultOptions()
		o.MinSeparation = d
		want := must[Bound](t)(LineSearch(s.m, s.x0, s.x1, 0.3, &o))
		if got := must[Bound](t)(Curved(s.m, linear.mo).LineSearch(0.3, &o)); got != want {
			t.Errorf("%+v, of a step %+v", got, want)
		}
	}
	o := DefaultOptions()
	for want, call := range map[string]func() (Bound, error){
		"min_separation must be positive": func() (Bound, error) { return Curved(s.m, linear.mo).LineSearch(0.3, &o) },
		"keep_ratio is NaN": func() (Bound, error) {
			with := o
			with.MinSeparation = 1
			return Curved(s.m, linear.mo).LineSearch(math.NaN(), &with)
		},
		"options.method": func() (Bound, error) {
			with := o
			with.MinSeparation, with.Method = 1, narrow.TightInclusion
			return Curved(s.m, linear.mo).LineSearch(0.3, &with)
		},
		"motion has 3 vertices": func() (Bound, error) {
			with := o
			with.MinSeparation = 1
			few := must[*motion.Motion](t)(motion.New(3, 2, nil, make([]float64, 27), nil))
			return Curved(s.m, few).LineSearch(0.3, &with)
		},
	} {
		if _, err := call(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, not %q", err, want)
		}
	}
}

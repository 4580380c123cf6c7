package step

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"ccd/core/ccdtest"
	"ccd/core/ccdtest/long"
	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/motion"
	"ccd/core/narrow"
	"ccd/core/num"
	"ccd/core/proximity"
)

// onPaths is the search that capi passes, for a motion.
func onPaths(m *mesh.Mesh, on Moves, tMax, bracket float64, o *engine.CallOptions) (geom.LeastDistance, error) {
	q := proximity.PathQuery{Mesh: m, Motion: on.Paths, TMax: tMax, Bracket: bracket}
	return proximity.LeastOnPaths(&q, &proximity.Options{CallOptions: *o})
}

// bruteLeastOnPaths is LeastOnPaths of a motion without contact by single pairs: each that the
// filter allows.
func bruteLeastOnPaths(t *testing.T, s *motionScene, o *Options) geom.LeastDistance {
	t.Helper()
	least := geom.LeastDistance{Hi: math.Inf(1)}
	of := narrow.NewPathLeast(narrow.NewSolver())
	course := leastOnPaths{s.m, s.mo}
	bracket, radii := narrow.LeastShare*course.extent(), s.m.Filter().Radii()
	any := *o
	any.MinSeparation = 1000
	everyPair(t, s, &any, func(k geom.Kind, idx []int32, _ *narrow.Options, im *geom.Impact) {
		shapes := k.Info().Shapes
		p := narrow.PathPair{Motion: s.mo, Kind: k, Vertices: idx, TMax: o.TMax,
			Radii: [2]float64{radii.Of(shapes[0], int32(im.A)), radii.Of(shapes[1], int32(im.B))}}
		var d geom.LeastDistance
		of.Find(&p, bracket, math.Inf(1), &d)
		if d.A, d.B = im.A, im.B; least.Kind == 0 || d.Compare(&least) < 0 {
			least = d
		}
	})
	least.Lo = max(0, num.SubDown(least.Hi, num.AddUp(bracket, course.spare())))
	course.place(&least)
	return least
}

// curvedScenes are scenes that hardly ever touch, on paths of every degree, in one piece and in
// several, with radii, and bodies that turn.
func curvedScenes(t *testing.T, seed uint64) motionScene {
	r := rand.New(rand.NewPCG(seed, 47))
	s := sparseOf(t, r, seed, 2) // The reference takes all pairs, over rational numbers.
	if seed%5 == 1 {
		radii := make([]float64, s.m.NV)
		for i := range radii {
			radii[i] = 0.02 * float64(i%5)
		}
		if err := s.m.SetRadii(radii); err != nil {
			t.Fatal(err)
		}
	}
	switch seed % 8 {
	case 6:
		return turning(t, r, &s, int(seed/8)%2*5)
	case 7:
		return tubes(t, r, &s)
	}
	return bent(t, r, &s, 2+int(seed)%4, 1+int(seed/4)%3, []float64{0.01, 0.1}[seed%2])
}

// The result is that of all pairs, in every bit, for any number of threads and any sections, and it
// obeys law D8.
func TestLeastOnPathsIsThatOfAllPairs(t *testing.T) {
	apart, inside := 0, 0
	for seed := range uint64(long.Part(40, 4)) {
		s := curvedScenes(t, seed)
		o := DefaultOptions()
		o.Threads, o.TMax = 1, [...]float64{1, 0.75, 0.3}[seed%3]
		got, err := Curved(s.m, s.mo).LeastDistance(onPaths, &o)
		if err != nil {
			t.Fatalf("%s: %v", s.name, err)
		}
		label := fmt.Sprintf("seed %d, %s, t_max %v", seed, s.name, o.TMax)
		if err := ccdtest.CheckLeastOnPaths(s.m, s.mo, o.TMax, &got); err != nil {
			t.Fatalf("%s: %v", label, err)
		}
		if s.name == "tubes" {
			other := must[*motion.Motion](t)(ccdtest.WithinRadii(s.mo, rand.New(rand.NewPCG(seed, 9))))
			if err := ccdtest.CheckLeastOnPaths(s.m, other, o.TMax, &got); err != nil {
				t.Fatalf("%s, other paths within the radii: %v", label, err)
			}
		}
		first, err := Curved(s.m, s.mo).Earliest(&o)
		if err != nil {
			t.Fatal(err)
		}
		if first.Verdict == geom.Contact {
			if got.Lo != 0 || got.A != first.A || got.B != first.B || got.T != first.TOILo ||
				!s.mo.HasRadii() && got.Hi != 0 {
				t.Fatalf("%s: %+v, but %+v", label, got, first)
			}
			continue
		}
		apart++
		if got.T > 0 && got.T < o.TMax {
			inside++
		}
		if want := bruteLeastOnPaths(t, &s, &o); got != want {
			t.Fatalf("%s:\n%+v, of all pairs\n%+v", label, got, want)
		}
		o.Threads = 3
		if again, err := Curved(s.m, s.mo).LeastDistance(onPaths, &o); err != nil || again != got {
			t.Fatalf("%s: on three threads\n%+v, on one\n%+v: %v", label, again, got, err)
		}
	}
	if apart < 5 || inside < 2 {
		t.Errorf("%d scenes apart, %d with the least distance inside", apart, inside)
	}
}

// A motion that is a straight step has the bits of it; with more control points it has a bracket of
// the same distance.
func TestLeastOnPathsOfStraightSteps(t *testing.T) {
	for seed := range uint64(8) {
		s := sparse(t, seed)
		o := DefaultOptions()
		want, err := LeastDistance(s.m, s.x0, s.x1, searchOf(&s, &o), &o)
		if err != nil {
			t.Fatal(err)
		}
		control := append([]float64(nil), s.x0...)
		for i := range s.x0 {
			control = append(control, 0.5*s.x0[i]+0.5*s.x1[i])
		}
		mo := must[*motion.Motion](t)(motion.New(s.m.NV, 2, nil, append(control, s.x1...), nil))
		got, err := Curved(s.m, mo).LeastDistance(onPaths, &o)
		if err != nil || got.Hi < want.Lo || got.Lo > want.Hi {
			t.Fatalf("%+v, straight %+v: %v", got, want, err)
		}
	}
}

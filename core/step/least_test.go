package step

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"ccd/core/broad"
	"ccd/core/ccdtest"
	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/core/narrow"
	"ccd/core/proximity"
	"ccd/core/reference/oracle"
	"ccd/core/status"
)

// bruteLeast is LeastDistance by single calls for all pairs that the filter allows.
func bruteLeast(t *testing.T, s *scene, o *Options) (least geom.LeastDistance, pairs int) {
	t.Helper()
	mo, f := s.motion(t), s.m.Filter()
	all, err := broad.BruteForce(s.m, mo, broad.Options{MinSeparation: 1000})
	if err != nil {
		t.Fatal(err)
	}
	bracket := narrow.LeastShare * narrow.Extent(s.x0, s.x1)
	solver := narrow.NewSolver()
	for _, k := range geom.StepKinds {
		shapes := k.Info().Shapes
		for _, p := range all.Of(k) {
			var q [24]float64
			v := s.m.Indices(k, p[0], p[1])
			mo.Query(k, &v, &q)
			r := [2]float64{f.Radii().Of(shapes[0], p[0]), f.Radii().Of(shapes[1], p[1])}
			var d geom.LeastDistance
			var im geom.Impact
			one := o.Options
			one.MinSeparation = f.Radii().Pair(k, p[0], p[1], 0)
			if solver.Solve(k, q[:k.Len()], &one, &im); im.Verdict == geom.Contact {
				t.Fatalf("%s touches", s.name)
			}
			solver.LeastWithin(k, q[:k.Len()], r, bracket, math.Inf(1), o.TMax, &d)
			if d.A, d.B = int64(p[0]), int64(p[1]); pairs == 0 || d.Compare(&least) < 0 {
				least = d
			}
			pairs++
		}
	}
	return least, pairs
}

// sparse is a scene that hardly ever touches.
func sparse(t *testing.T, seed uint64) scene {
	r := rand.New(rand.NewPCG(seed, 17))
	return sparseOf(t, r, seed, 4+r.IntN(6))
}

// sparseOf is such a scene of so many bodies.
func sparseOf(t *testing.T, r *rand.Rand, seed uint64, bodies int) scene {
	s := soup(t, "sparse", bodies, func() float64 { return 2*r.Float64() - 1 }, 0)
	for i := range s.x0 { // each primitive small, and moved as a whole but for a little
		body := i / 9
		far := rand.New(rand.NewPCG(seed, uint64(body*3+i%3)))
		s.x0[i] = 0.3*s.x0[i] + 5*(2*far.Float64()-1)
		s.x1[i] = s.x0[i] + 2*(2*far.Float64()-1) + 0.1*(2*r.Float64()-1)
	}
	return s
}

// searchOf is the search that capi passes.
func searchOf(s *scene, o *Options) SearchLeast {
	return func(bracket float64, call *engine.CallOptions) (geom.LeastDistance, error) {
		return proximity.LeastDistance(&proximity.LeastQuery{Mesh: s.m, X0: s.x0, X1: s.x1, TMax: o.TMax,
			Bracket: bracket}, &proximity.Options{CallOptions: *call})
	}
}

// The result is that of the brute force, in every bit, for any number of threads, end of time and
// radii.
func TestLeastDistanceIsThatOfAllPairs(t *testing.T) {
	apart, before := 0, 0
	for seed := range uint64(60) {
		s := sparse(t, seed)
		if seed >= 40 {
			r := rand.New(rand.NewPCG(seed, 18))
			s = soup(t, "soup", 3+r.IntN(5), func() float64 { return 2*r.Float64() - 1 }, 0.3)
		}
		o := DefaultOptions()
		o.Threads, o.TMax = 1, [...]float64{1, 0.75, 0}[seed%3]
		if seed%4 == 1 {
			radii := make([]float64, s.m.NV)
			for i := range radii {
				radii[i] = 0.02 * float64(i%5)
			}
			if err := s.m.SetRadii(radii); err != nil {
				t.Fatal(err)
			}
		}
		first, err := Earliest(s.m, s.x0, s.x1, &o)
		if err != nil {
			t.Fatal(err)
		}
		got, err := LeastDistance(s.m, s.x0, s.x1, searchOf(&s, &o), &o)
		if err != nil {
			t.Fatal(err)
		}
		if first.Verdict == geom.Contact {
			if got.Hi != 0 || got.Lo != 0 || got.T != first.TOILo || got.A != first.A || got.Normal != first.Normal {
				t.Fatalf("seed %d: %+v, but the impact is %+v", seed, got, first)
			}
			q, r := s.m.PairQuery(got.Kind, int32(got.A), int32(got.B), s.x0, s.x1)
			if err := ccdtest.CheckLeastPlace(&ccdtest.Case{Kind: got.Kind, Q: q}, r, &got); err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			if first.TOILo == 0 {
				continue
			}
			before++ // the same up to a time before the impact
			if o.TMax = 0.9 * first.TOILo; o.TMax == 0 {
				t.Fatal(first)
			}
			if got, err = LeastDistance(s.m, s.x0, s.x1, searchOf(&s, &o), &o); err != nil {
				t.Fatal(err)
			}
		}
		apart++
		want, _ := bruteLeast(t, &s, &o)
		q, r := s.m.PairQuery(want.Kind, int32(want.A), int32(want.B), s.x0, s.x1)
		narrow.PlaceLeast(q, r, &want)
		if err := ccdtest.CheckLeastPlace(&ccdtest.Case{Kind: got.Kind, Q: q}, r, &got); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		size := narrow.Extent(s.x0, s.x1)
		if got.Lo > want.Lo || got.Hi-got.Lo > 1e-9*size || got.Lo <= 0 {
			t.Fatalf("seed %d: %+v, all pairs %+v", seed, got, want)
		}
		if want.Lo = got.Lo; got != want {
			t.Fatalf("seed %d: %+v, all pairs %+v", seed, got, want)
		}
		other := o
		other.Threads = 3
		if again, err := LeastDistance(s.m, s.x0, s.x1, searchOf(&s, &other), &other); err != nil || again != got {
			t.Fatalf("seed %d, three threads: %+v instead of %+v, %v", seed, again, got, err)
		}
	}
	if apart < 20 || before < 5 {
		t.Errorf("%d scenes are apart, %d of them only before an impact", apart, before)
	}
}

// Law D1 by the oracle of a separation: no pair is within Lo.
func TestLeastDistanceLaw1(t *testing.T) {
	s := sparse(t, 3)
	o := DefaultOptions()
	got, err := LeastDistance(s.m, s.x0, s.x1, searchOf(&s, &o), &o)
	if err != nil || got.Lo <= 0 {
		t.Fatal(got, err)
	}
	mo := s.motion(t)
	all, err := broad.BruteForce(s.m, mo, broad.Options{MinSeparation: 1000})
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range geom.StepKinds {
		for i, p := range all.Of(k) {
			if i%9 != 0 && (int64(p[0]) != got.A || int64(p[1]) != got.B) {
				continue
			}
			var q [24]float64
			v := s.m.Indices(k, p[0], p[1])
			mo.Query(k, &v, &q)
			if oracle.EuclideanSeparation(k, q[:k.Len()], math.Nextafter(got.Lo, 0), 1).Contact {
				t.Fatalf("%+v: %v %v is nearer", got, k, p)
			}
		}
	}
}

func TestLeastDistanceWithoutPairsAndRefused(t *testing.T) {
	m, err := mesh.New(3, nil, []int32{0, 1, 2})
	if err != nil {
		t.Fatal(err)
	}
	x := []float64{0, 0, 0, 1, 0, 0, 0, 1, 0}
	s := scene{m: m, x0: x, x1: x}
	d := DefaultOptions()
	none := geom.LeastDistance{A: -1, B: -1, Lo: math.Inf(1), Hi: math.Inf(1)}
	if got, err := LeastDistance(m, x, x, searchOf(&s, &d), nil); err != nil || got != none {
		t.Errorf("without pairs: %+v, %v", got, err)
	}
	for _, c := range []struct {
		change func(o *Options)
		want   string
	}{
		{func(o *Options) { o.Candidates = new(broad.Candidates) }, "options.candidates"},
		{func(o *Options) { o.DeviceOnly = true }, "CCD_DEVICE_GPU"},
	} {
		o := DefaultOptions()
		c.change(&o)
		if got, err := LeastDistance(m, x, x, nil, &o); !errors.Is(err, status.ErrUnsupported) ||
			!strings.Contains(err.Error(), c.want) || got != none {
			t.Errorf("%s: got %v", c.want, err)
		}
	}
	huge := []float64{0, 0, 0, 1e150, 0, 0, 0, 1, 0}
	if _, err := LeastDistance(m, huge, huge, nil, nil); !errors.Is(err, status.ErrUnsupported) ||
		!strings.Contains(err.Error(), "x0 and x1 extend over") {
		t.Errorf("huge: %v", err)
	}
}

package step

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"ccd/core/broad"
	"ccd/core/geom"
	"ccd/core/narrow"
)

// withoutStatic returns the impacts of the step of all pairs, less those of pairs all of whose
// vertices are static.
func withoutStatic(t *testing.T, s *scene, static []bool, o *Options) []geom.Impact {
	t.Helper()
	if err := s.m.SetStatic(nil); err != nil {
		t.Fatal(err)
	}
	all, err := Collisions(s.m, s.x0, s.x1, o)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.m.SetStatic(static); err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(all, func(im geom.Impact) bool {
		idx := s.m.Indices(im.Kind, int32(im.A), int32(im.B))
		return !slices.ContainsFunc(idx[:], func(v int32) bool { return !static[v] })
	})
}

// movers are the vertices that move in tests of static ones: a share together, or scattered.
func movers(r *rand.Rand, s *scene) map[string][]bool {
	scattered := make([]bool, s.m.NV)
	for v := range scattered {
		scattered[v] = r.IntN(100) == 0
	}
	return map[string][]bool{"together": s.nearest(0.05), "scattered": scattered, "none": make([]bool, s.m.NV)}
}

// not returns the vertices that a list has not.
func not(moves []bool) []bool {
	static := slices.Clone(moves)
	for v, x := range moves {
		static[v] = !x
	}
	return static
}

// A step with static vertices has the impacts of all pairs less those of static ones, bit for bit:
// with every method and separation, with radii, on any number of threads, under memory limits and
// with candidates.
func TestStaticStep(t *testing.T) {
	r := rand.New(rand.NewPCG(81, 82))
	s := sheets(t, 24, 0.6)
	turn := 0
	for name, moves := range movers(r, &s) {
		static := not(moves)
		for label, o := range settings() {
			if turn++; testing.Short() && turn%3 > 0 {
				continue
			}
			thickness(t, r, &s, r.IntN(4)) // without radii, at times
			want := withoutStatic(t, &s, static, &o)
			for _, threads := range []int{1, 3} {
				o.Threads = threads
				same(t, fmt.Sprintf("%s, %s, %d threads", name, label, threads), &s, &o, want)
			}
			o.MemoryLimit = []uint64{1, 3 << 20, 6 << 20}[r.IntN(3)]
			same(t, fmt.Sprintf("%s, %s, limit %d", name, label, o.MemoryLimit), &s, &o, want)
			o.MemoryLimit = 0
			c, err := broad.Sweep(s.m, s.motion(t), broad.Options{MinSeparation: o.MinSeparation})
			if err != nil {
				t.Fatal(err)
			}
			o.Candidates = c
			same(t, fmt.Sprintf("%s, %s, candidates", name, label), &s, &o, want)
		}
	}
}

// The other whole steps of a mesh with static vertices are those of brute force, whose filter comes
// after.
func TestStaticStepsOfOtherCalls(t *testing.T) {
	r := rand.New(rand.NewPCG(83, 84))
	s := sheets(t, 24, 0.5)
	for name, moves := range movers(r, &s) {
		s := s.still(t, func(v int) bool { return moves[v] })
		for _, separation := range []float64{0, 0.02} {
			o := DefaultOptions()
			o.Threads, o.MinSeparation, o.CheckStart = 1+r.IntN(2), separation, r.IntN(2) == 0
			brute := o
			brute.Flags |= narrow.BruteForce
			type result struct {
				impacts []geom.Impact
				x, y    []float64
				alpha   float64
				bound   Bound
				report  SizesReport
			}
			run := func(o Options) (out result) {
				var errs [4]error
				alpha := make([]float64, s.m.NV)
				so := DefaultSizesOptions()
				out.x, out.y = make([]float64, len(s.x0)), make([]float64, len(s.x0))
				out.impacts, errs[0] = Collisions(s.m, s.x0, s.x1, &o)
				out.alpha, errs[1] = Advance(s.m, s.x0, s.x1, out.x, 0.9, &o)
				out.report, errs[2] = Sizes(s.m, s.x0, s.x1, alpha, out.y, &so, &o)
				if o.MinSeparation > 0 {
					out.bound, errs[3] = LineSearch(s.m, s.x0, s.x1, 0.5, &o)
				}
				for _, err := range errs {
					if err != nil {
						t.Fatal(err)
					}
				}
				return out
			}
			got, want := run(o), run(brute)
			if !slices.Equal(got.impacts, want.impacts) || !slices.Equal(got.x, want.x) ||
				!slices.Equal(got.y, want.y) ||
				got.alpha != want.alpha || got.bound != want.bound || got.report != want.report {
				t.Errorf("%s, separation %v, check %v: %d impacts, alpha %v, %+v, %+v, brute force %d, %v, %+v, %+v",
					name, separation, o.CheckStart,
					len(got.impacts), got.alpha, got.bound, got.report, len(want.impacts), want.alpha, want.bound,
					want.report)
			}
		}
	}
}

// Scenes of the dataset, or made ones, of which a part moves.
func TestScenesWithStaticVertices(t *testing.T) {
	r := rand.New(rand.NewPCG(85, 86))
	for _, d := range dataScenes {
		if testing.Short() && d.name != "cloth-funnel" {
			continue
		}
		t.Run(d.name, func(t *testing.T) {
			s := d.loadOrMake(t)
			for name, moves := range movers(r, &s) {
				for _, separation := range []float64{0, 1e-3} {
					o := DefaultOptions()
					o.MinSeparation = separation
					want := withoutStatic(t, &s, not(moves), &o)
					same(t, fmt.Sprintf("%s, separation %v", name, separation), &s, &o, want)
				}
			}
		})
	}
}

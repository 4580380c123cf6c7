package patch

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/status"
)

// The earliest impact and the manifold, of two bodies and of one, have the same bits on any number
// of threads, and so has what was left out. Ties are there on purpose: all patches of a plane meet
// those of another at one time.
func TestEarliestOnThreads(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 2))
	wavy, x := grid(t, 4, func(x, y float64) float64 { return 0.2 * r.Float64() })
	flat, z := grid(t, 3, func(x, y float64) float64 { return 0 })
	a := &BodyStep{Body: wavy, X0: x, X1: moved(x, [3]float64{0.1, 0, 0.7})}
	b := &BodyStep{Body: flat, X0: moved(z, [3]float64{0, 0, 1}), X1: moved(z, [3]float64{0, 0, -1})}
	plane := &BodyStep{Body: flat, X0: z, X1: z}
	pages, open := sheet(t, 1, 1, 2, 4, func(x, y float64) [3]float64 {
		return [3]float64{min(x, 0.5), y, max(0, x-0.5)}
	})
	_, shut := sheet(t, 1, 1, 2, 4, func(x, y float64) [3]float64 {
		return [3]float64{min(x, 1-x), y, -0.2 * max(0, x-0.5)}
	})
	book := &BodyStep{Body: pages, X0: open, X1: shut}
	one := func(im Impact, err error) ([]Impact, Unresolved, error) { return []Impact{im}, Unresolved{}, err }
	var s Scene
	for name, call := range map[string]func(o *Options) ([]Impact, Unresolved, error){
		"waves":  func(o *Options) ([]Impact, Unresolved, error) { return one(s.Earliest(a, b, o)) },
		"planes": func(o *Options) ([]Impact, Unresolved, error) { return one(s.Earliest(plane, b, o)) },
		"manifold": func(o *Options) ([]Impact, Unresolved, error) {
			l, err := s.Manifold(a, b, 1e-3, 0.2, o)
			return l, Unresolved{}, err
		},
		"self": func(o *Options) ([]Impact, Unresolved, error) {
			im, left, err := s.SelfEarliest(book, 0.125, o)
			return []Impact{im}, left, err
		},
	} {
		o := DefaultOptions()
		o.MaxIterations = 3000
		want, left, err := call(&o)
		if err != nil || len(want) == 0 || want[0].Verdict == geom.Separate {
			t.Fatalf("%s: %+v, %v", name, want, err)
		}
		for _, o.Threads = range []int{1, 2, 3, 16, 2, 3} {
			var stats engine.Stats
			o.Stats = &stats
			var p progressCheck
			o.Progress = p.until(t, 2)
			got, rest, err := call(&o)
			if err != nil || !slices.Equal(got, want) || rest != left || int(stats.Threads) < min(2, o.Threads) {
				t.Errorf("%s on %d threads: %v; %+v, not %+v; %v, not %v; %+v",
					name, o.Threads, err, got, want, rest, left, stats)
			}
			o.Progress = p.until(t, 0)
			if _, _, err := call(&o); !errors.Is(err, status.ErrCancelled) || p.calls != 1 {
				t.Errorf("%s on %d threads: %v, asked %d times", name, o.Threads, err, p.calls)
			}
			o.Progress = nil
		}
	}
}

// The earliest is the first of all impacts, up to the tolerance.
func TestEarliestIsTheFirstOfAll(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 3))
	var s Scene
	contacts := 0
	for trial := range 30 {
		p, x := grid(t, 2, func(x, y float64) float64 { return 0.2 * r.Float64() })
		q, y := grid(t, 2, func(x, y float64) float64 { return 0.5 + 0.2*r.Float64() })
		a := &BodyStep{Body: p, X0: x, X1: moved(x, [3]float64{0.1, 0, 0.8 * r.Float64()})}
		b := &BodyStep{Body: q, X0: y, X1: moved(y, [3]float64{0, 0.2, -0.3 * r.Float64()})}
		o := DefaultOptions()
		if trial%3 == 0 {
			o.MinSeparation = 0.02
		}
		all, err := s.Collisions(a, b, &o)
		if err != nil {
			t.Fatal(err)
		}
		o.Threads = 1 + trial%3
		im, err := s.Earliest(a, b, &o)
		if err != nil || (len(all) == 0) != (im.Verdict == geom.Separate) ||
			len(all) > 0 && math.Abs(im.TOILo-all[0].TOILo) > 2e-5 {
			t.Fatalf("trial %d: %+v, %v; all are %+v", trial, im, err, all)
		}
		contacts += min(1, len(all))
	}
	if contacts < 10 {
		t.Errorf("only %d contacts", contacts)
	}
}

// A pair named in the other order has the same answer with the patches exchanged, to the bit.
func TestPairInEitherOrder(t *testing.T) {
	var s Solver
	each(t, 61, 25, func(t *testing.T, r *rand.Rand, e example) {
		o := DefaultOptions()
		o.Tolerance *= reach(e)
		o.MaxIterations = 500
		if r.IntN(3) == 0 {
			o.MinSeparation = 0.1 * r.Float64() * reach(e)
		}
		var one, two Impact
		if err := errors.Join(s.Solve(e.a, e.b, &o, &one), s.Solve(e.b, e.a, &o, &two)); err != nil {
			t.Fatal(err)
		}
		if one.Verdict != two.Verdict || one.TOILo != two.TOILo || one.TOIHi != two.TOIHi || one.Flags != two.Flags ||
			one.Width != two.Width ||
			one.UVA != two.UVB || one.UVB != two.UVA ||
			one.Normal != [3]float64{0 - two.Normal[0], 0 - two.Normal[1], 0 - two.Normal[2]} {
			t.Fatalf("%+v, in the other order %+v", one, two)
		}
	})
}

// A search is given up for what it can still find, not for the cell it has come to: boxes are
// excluded up to a time only, and the contact known is one.
func TestOutdoneByWhatIsOpen(t *testing.T) {
	var s Solver
	s.incumbent = rival(0.4)
	late := &cell{t0: 0.5, t1: 1}
	for _, c := range []struct {
		first, best float64
		lost        bool
	}{{0.3, 0.6, false}, {0.45, 0.35, false}, {0.45, 0.6, true}, {math.Inf(1), 0, true}} {
		s.excluder.earliest, s.known = c.first, newtonContact{found: c.best > 0, t: c.best}
		if s.beaten(late) != c.lost {
			t.Errorf("excluded up to %v, a contact at %v: given up %v", c.first, c.best, !c.lost)
		}
	}
}

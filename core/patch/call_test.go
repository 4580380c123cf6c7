package patch

import (
	"errors"
	"slices"
	"sync/atomic"
	"testing"

	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/status"
)

// calls returns all calls on bodies: they return how many impacts there are.
func calls(s *Scene, a, b *BodyStep) map[string]func(o *Options) (int, error) {
	one := func(im Impact, err error) (int, error) {
		if im.Verdict == geom.Separate {
			return 0, err
		}
		return 1, err
	}
	return map[string]func(o *Options) (int, error){
		"earliest":   func(o *Options) (int, error) { return one(s.Earliest(a, b, o)) },
		"collisions": func(o *Options) (int, error) { l, err := s.Collisions(a, b, o); return len(l), err },
		"manifold":   func(o *Options) (int, error) { l, err := s.Manifold(a, b, 1e-3, 0.05, o); return len(l), err },
		"self": func(o *Options) (int, error) {
			l, _, err := s.SelfCollisions(a, 0, o)
			return len(l), err
		},
	}
}

func facing(t *testing.T) (a, b *BodyStep) {
	body, x := grid(t, 3, func(x, y float64) float64 { return x * y * (1 - x) })
	return &BodyStep{Body: body, X0: x, X1: x},
		&BodyStep{Body: body, X0: moved(x, [3]float64{0.1, 0.1, 1}), X1: moved(x, [3]float64{0.1, 0.1, -1})}
}

// progressCheck is a progress callback that checks what is promised of its calls: one at a time,
// with a fraction that rises from 0 to 1. It cancels at stop, which may be beyond 1, and must not
// be called again then.
type progressCheck struct {
	calls   int
	last    float64
	stopped bool
	busy    atomic.Bool
}

func (p *progressCheck) until(t *testing.T, stop float64) func(f float64) bool {
	*p = progressCheck{}
	return func(f float64) bool {
		if !p.busy.CompareAndSwap(false, true) || p.stopped || !(f >= p.last && f <= 1) {
			t.Errorf("call %d, at once with another: %v; stopped %v; %v after %v",
				p.calls, p.busy.Load(), p.stopped, f, p.last)
		}
		p.calls, p.last, p.stopped = p.calls+1, f, f >= stop
		p.busy.Store(false)
		return p.stopped
	}
}

// The progress rises from 0 to 1; whenever it asks to stop, the call does, without statistics; the
// scene serves on.
func TestSceneProgress(t *testing.T) {
	var s Scene
	var p progressCheck
	a, b := facing(t)
	for name, call := range calls(&s, a, b) {
		o := DefaultOptions()
		o.Threads = 1
		o.Progress = p.until(t, 2)
		want, err := call(&o)
		if err != nil || p.calls == 0 || p.last != 1 {
			t.Fatalf("%s: %v after %d calls, the last at %v", name, err, p.calls, p.last)
		}
		for _, stop := range []float64{0, 0.1, 0.4, 0.7, 1} {
			var stats engine.Stats
			q := o
			q.Stats, q.Progress = &stats, p.until(t, stop)
			if _, err := call(&q); !errors.Is(err, status.ErrCancelled) || !p.stopped || stats != (engine.Stats{}) {
				t.Errorf("%s, stopped at %v: %v, %d calls, %+v", name, stop, err, p.calls, stats)
			}
		}
		o.Progress = nil
		if got, err := call(&o); err != nil || got != want {
			t.Errorf("%s after being cancelled: %d impacts, not %d; %v", name, got, want, err)
		}
	}
}

// endless is a search that takes up one pair of subpatches for ever.
type endless struct{}

func (endless) Check() error { return nil }

func (endless) Find(q *Query) {
	for q.Spent(0) == 0 && q.Next(0) {
	}
}

// One pair that takes long is interrupted.
func TestSceneProgressWithinAPair(t *testing.T) {
	body, x := grid(t, 1, func(x, y float64) float64 { return x * x * y })
	a := &BodyStep{Body: body, X0: x, X1: x}
	b := &BodyStep{Body: body, X0: moved(x, [3]float64{0, 0, 1}), X1: moved(x, [3]float64{0, 0, -1})}
	o := DefaultOptions()
	o.Threads = 1
	o.Search, o.MaxIterations = endless{}, 0
	n := 0
	o.Progress = func(float64) bool { n++; return n == 5 }
	var s Scene
	if _, err := s.Earliest(a, b, &o); !errors.Is(err, status.ErrCancelled) || n != 5 {
		t.Errorf("%v after %d calls", err, n)
	}
}

// The statistics count what is there to count, and alike in every call.
func TestSceneStats(t *testing.T) {
	var s Scene
	a, b := facing(t)
	for name, call := range calls(&s, a, b) {
		var first, stats engine.Stats
		o := DefaultOptions()
		o.Threads = 1
		o.Stats = &stats
		n, err := call(&o)
		if err != nil {
			t.Fatal(err)
		}
		boxes := int64(18)
		if name == "self" {
			boxes = 9
		}
		if first = stats; stats.Boxes != boxes || stats.Candidates[0] < 9 || stats.Undecided != 0 ||
			stats.PeakBytes <= 0 || stats.Threads != 1 {
			t.Errorf("%s: %+v", name, stats)
		}
		if name != "earliest" && stats.Impacts != int64(n) || stats.Impacts < int64(n) {
			t.Errorf("%s: %d impacts, but %+v", name, n, stats)
		}
		if stats.SecondsBuild < 0 || stats.SecondsBroad < 0 || stats.SecondsNarrow <= 0 ||
			stats.SecondsTotal < stats.SecondsNarrow {
			t.Errorf("%s: %+v", name, stats)
		}
		if _, err := call(&o); err != nil || stats.Impacts != first.Impacts || stats.PeakBytes != first.PeakBytes {
			t.Errorf("%s: %+v, then %+v; %v", name, first, stats, err)
		}
	}
	var stats engine.Stats
	o := DefaultOptions()
	o.MaxIterations, o.Stats = 1, &stats
	list, err := s.Collisions(a, b, &o)
	if err != nil || stats.Undecided == 0 || stats.Impacts != int64(len(list)) {
		t.Errorf("%v; %+v for %d impacts", err, stats, len(list))
	}
}

// All impacts, of two bodies and of one, have the same bits on any number of threads, and so have
// the counts; progress rises, and stops all of them.
func TestCollisionsOnThreads(t *testing.T) {
	body, x := grid(t, 3, func(x, y float64) float64 { return x * y * (1 - x) })
	wrung := append([]float64{}, x...)
	for i := 0; i < len(x); i += 3 {
		wrung[i], wrung[i+2] = 1.5*x[i+1]*x[i+1]-x[i], x[i+2]+x[i]*(1-2*x[i+1])
	}
	pages, open := sheet(t, 1, 1, 2, 4, func(x, y float64) [3]float64 {
		return [3]float64{min(x, 0.5), y, max(0, x-0.5)}
	})
	_, shut := sheet(t, 1, 1, 2, 4, func(x, y float64) [3]float64 {
		return [3]float64{min(x, 1-x), y, -0.2 * max(0, x-0.5)}
	})
	book := &BodyStep{Body: pages, X0: open, X1: shut} // beside its hinge nothing is proven once it is shut
	f, g := &BodyStep{Body: body, X0: x, X1: wrung},
		&BodyStep{Body: body, X0: moved(x, [3]float64{0.1, 0.1, 1}), X1: moved(x, [3]float64{0.1, 0.1, -1})}
	var s Scene
	for name, call := range map[string]func(o *Options) ([]Impact, Unresolved, error){
		"two": func(o *Options) ([]Impact, Unresolved, error) {
			l, err := s.Collisions(f, g, o)
			return l, Unresolved{}, err
		},
		"self": func(o *Options) ([]Impact, Unresolved, error) { return s.SelfCollisions(book, 0.125, o) },
	} {
		o := DefaultOptions()
		o.MaxIterations = 3000
		want, left, err := call(&o)
		if err != nil || len(want) < 3 || name == "self" && left.Pairs == 0 {
			t.Fatalf("%s: %d impacts, %+v, %v", name, len(want), left, err)
		}
		for _, o.Threads = range []int{1, 2, 3, 64} {
			var stats engine.Stats
			o.Stats = &stats
			var p progressCheck
			o.Progress = p.until(t, 2)
			got, rest, err := call(&o)
			if err != nil || !slices.Equal(got, want) || rest != left || stats.Impacts != int64(len(want)) {
				t.Errorf("%s on %d threads: %v; %d impacts, not %d; %v, not %v; %+v",
					name, o.Threads, err, len(got), len(want), rest, left, stats)
			}
			if int(stats.Threads) < min(2, o.Threads) || int(stats.Threads) > o.Threads || p.last != 1 {
				t.Errorf("%s on %d threads: %+v, progress up to %v", name, o.Threads, stats, p.last)
			}
			o.Progress = p.until(t, 0.4)
			if _, _, err := call(&o); !errors.Is(err, status.ErrCancelled) || !p.stopped {
				t.Errorf("%s on %d threads: %v after %d calls", name, o.Threads, err, p.calls)
			}
		}
	}
}

// What was excluded up to a time is open after it: a search that ends there promises no more.
func TestUndecidedKeepsToExclusions(t *testing.T) {
	var s Solver
	a, b := facing(t)
	var p, q Patch
	a.gather(4, &p)
	b.gather(4, &q)
	o := DefaultOptions()
	var im Impact
	if err := s.Solve(&p, &q, &o, &im); err != nil {
		t.Fatal(err)
	}
	s.excluder.earliest = 0.25
	s.undecided(&cell{t0: 0.5, t1: 1}, geom.ReasonIterations, &im)
	if im.TOILo != 0.25 {
		t.Errorf("safe before %v, but a box is excluded before 0.25 only", im.TOILo)
	}
}

// A bare pair that takes long is interrupted too; one that is not has the same answer as without,
// and statistics.
func TestPairProgress(t *testing.T) {
	_, x := grid(t, 1, func(x, y float64) float64 { return x * x * y })
	a, b := &Patch{Form: Form{Quad, 3, 3}, X0: x, X1: x},
		&Patch{Form: Form{Quad, 3, 3}, X0: moved(x, [3]float64{0, 0, 1}), X1: moved(x, [3]float64{0, 0, -1})}
	var s Scene
	var want, im Impact
	var stats engine.Stats
	o := DefaultOptions()
	if err := new(Solver).Solve(a, b, &o, &want); err != nil {
		t.Fatal(err)
	}
	n := 0
	o.Progress, o.Stats = func(float64) bool { n++; return false }, &stats
	if err := s.Pair(a, b, &o, &im); err != nil || im != want || n == 0 || stats.Boxes != 2 ||
		stats.Candidates[0] != 1 || stats.Impacts != 1 || stats.Threads != 1 {
		t.Errorf("%v: %+v, not %+v; %d calls, %+v", err, im, want, n, stats)
	}
	o.Search, o.MaxIterations = endless{}, 0
	n = 0
	o.Progress = func(float64) bool { n++; return n == 4 }
	if err := s.Pair(a, b, &o, &im); !errors.Is(err, status.ErrCancelled) || n != 4 || im != want {
		t.Errorf("%v after %d calls, %+v", err, n, im)
	}
}

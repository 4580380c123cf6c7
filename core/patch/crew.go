package patch

import (
	"ccd/core/engine"
	"sync"
	"sync/atomic"
)

// crew are the goroutines of a call beside the caller's: scenes whose scratch alone is used.
type crew struct {
	members []*Scene
	telling sync.Mutex // held where progress is told, or whether to stop is read
	passed  int        // pairs, under telling
}

// spread calls work for the numbers below n in order, each on one of the call's goroutines with the scratch that it may use, until work
// returns false or the call is cancelled. What work says must not depend on who does it; the scene gathers what they count.
func (s *Scene) spread(n int, o *Options, work func(w *Scene, i int) bool) error {
	threads := max(1, min(o.Workers(), n))
	for len(s.crew.members) < threads-1 {
		s.crew.members = append(s.crew.members, new(Scene))
	}
	hands := s.crew.members[:threads-1]
	for _, w := range hands {
		s.enlist(w)
	}
	s.crew.passed = 0
	var next atomic.Int64
	err := engine.Parallel(threads, func(k int) {
		w := s
		if k > 0 {
			w = hands[k-1]
		}
		for i := next.Add(1) - 1; i < int64(n) && s.pass(n); i = next.Add(1) - 1 {
			if !work(w, int(i)) {
				next.Store(int64(n))
			}
		}
	})
	for _, w := range hands {
		s.left = append(s.left, w.left...)
		s.clock.grow(w.clock.parts)
		s.clock.Impacts += w.clock.Impacts
		s.clock.Undecided += w.clock.Undecided
		w.Solver.stop, w.Solver.hood, w.Solver.race = nil, nil, nil
	}
	s.clock.Threads = max(s.clock.Threads, int32(threads))
	return err
}

// enlist makes a member of the crew ready for a call like the scene's own.
func (s *Scene) enlist(w *Scene) {
	w.watched = watched{}
	w.left = w.left[:0]
	w.Solver.stop, w.Solver.stopped, w.Solver.hood, w.Solver.race = s.Solver.stop, false, nil, s.Solver.race
	if s.Solver.hood != nil {
		w.hood.h = s.hood.h
		w.Solver.hood = &w.hood
	}
}

// pass is called before each of n pieces of work, and tells whether to go on.
func (s *Scene) pass(n int) bool {
	s.crew.telling.Lock()
	defer s.crew.telling.Unlock()
	s.crew.passed++
	if some := s.crew.passed - 1; s.begun {
		return !s.cancelled(some, n)
	} else if some%pulse == 0 {
		return !s.cancelled(0, n)
	}
	return !s.stopped
}

// halted tells in the middle of one piece of work whether the call is to stop: the progress is told again.
func (s *Scene) halted() bool {
	s.crew.telling.Lock()
	defer s.crew.telling.Unlock()
	if !s.stopped {
		s.stopped = s.progress(s.fraction)
	}
	return s.stopped
}

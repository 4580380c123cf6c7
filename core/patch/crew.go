package patch

import (
	"sync"
	"sync/atomic"

	"ccd/core/broad"
)

// crew are the goroutines of a call: scenes whose scratch alone is used.
type crew struct {
	members []*Scene
	telling sync.Mutex // held where progress is told, or whether to stop is read
	passed  int        // pairs, under telling
}

// answerAll answers every pair by itself, so that the answers are the same on any number of threads, and gathers those that are not
// Separate in some order.
func (s *Scene) answerAll(a, b *Frame, o *Options) (list []Impact, err error) {
	threads := max(1, min(o.Threads, len(s.pairs)))
	for len(s.crew.members) < threads {
		s.crew.members = append(s.crew.members, new(Scene))
	}
	s.crew.passed = 0
	found := make([][]Impact, threads)
	var next atomic.Int64
	err = broad.Crew(threads, func(k int) {
		w := s.crew.members[k]
		s.enlist(w)
		for i := next.Add(1) - 1; i < int64(len(s.pairs)) && s.pass(); i = next.Add(1) - 1 {
			if im := w.answer(a, b, &s.pairs[i], o); im.TOILo <= o.TMax {
				found[k] = append(found[k], im)
			}
		}
		w.Solver.stop, w.Solver.hood = nil, nil
	})
	for k, w := range s.crew.members[:threads] {
		list = append(list, found[k]...)
		s.left.add(&w.left)
		s.clock.grow(w.clock.parts)
		s.clock.Impacts += w.clock.Impacts
		s.clock.Undecided += w.clock.Undecided
	}
	s.clock.Threads = threads
	return list, err
}

// enlist makes a member of the crew ready for a call like the scene's own.
func (s *Scene) enlist(w *Scene) {
	w.watched = watched{}
	w.left.clear()
	w.Solver.stop, w.Solver.stopped, w.Solver.hood = nil, false, nil
	if s.Solver.stop != nil {
		w.Solver.stop = func() bool {
			s.crew.telling.Lock()
			defer s.crew.telling.Unlock()
			if !s.Solver.stopped {
				s.Solver.stopped = s.Solver.stop()
			}
			return s.Solver.stopped
		}
	}
	if s.Solver.hood != nil {
		w.hood.h = s.hood.h
		w.Solver.hood = &w.hood
	}
}

// pass is called before each pair, and tells whether to go on.
func (s *Scene) pass() bool {
	s.crew.telling.Lock()
	defer s.crew.telling.Unlock()
	s.crew.passed++
	return !s.cancelled(s.crew.passed - 1)
}

package volume

import (
	"sync/atomic"

	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/narrow"
	"ccd/core/num"
)

// search searches the first contact.
//
// The result is the least contact of all pairs, in the order of contacts. Where the method's
// results are unique, a pair is tested only up to the double after the least TOILo so far: a pair
// that is skipped there comes later and is not the least (step.Earliest has the full argument). So
// the order of the pairs does not matter, and the search may end early.
type search struct {
	*Scene
	bound engine.Least // the end of time that still matters
	// atFace is true if a contact of a vertex and a face at the very start is known: no contact of
	// two edges comes before it.
	atFace atomic.Bool
	until  float64     // the boxes cover [0, until]
	again  atomic.Bool // another pass, with boxes of a shorter interval, is cheaper (restart.go)
}

func (s *search) end() float64 { return s.bound.Load() }

func (s *Scene) earliest() (Contact, error) {
	var best Contact
	best.SetSeparate(0)
	f := &search{Scene: s}
	f.bound.Set(s.o.TMax)
	keep := func(w *worker, c *Contact) {
		if !c.Precedes(&w.best) {
			return
		}
		w.best = *c
		f.bound.Lower(num.Up(c.TOILo)) // The bound is the double after TOILo.
		if c.TOILo == 0 && c.Kind == geom.VertexFace {
			f.atFace.Store(true)
		}
	}
	var goal *search
	if s.o.Unique() {
		goal = f
	}
	var err error
	if s.o.Flags&narrow.BruteForce != 0 {
		err = s.bruteForce(keep)
	} else if s.o.Search != nil {
		err = s.runSearch(goldenOrder, keep, goal)
	} else {
		err = s.searchPasses(keep, f, goal)
	}
	if err != nil {
		return best, err
	}
	for _, w := range s.workers {
		if w.best.Verdict != geom.Separate && w.best.Precedes(&best) {
			best = w.best
		}
	}
	// The other fields of the answer must not depend on the end of time at which it was found.
	if best.Verdict != geom.Separate && goal != nil {
		a, b := best.A, best.B
		s.solve(s.workers[0].solver, best.Kind, &best.Vertices, &best.Impact)
		best.A, best.B = a, b
	}
	return best, nil
}

// goldenOrder returns a permutation of 0 ... n-1 in steps of the golden ratio: the first tasks are
// a fair sample of all, so that an early contact is found early.
func goldenOrder(i, n int) int {
	return int(int64(i) * int64(engine.Stride(n)) % int64(n))
}

package volume

import (
	"sync/atomic"

	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/narrow"
	"ccd/core/num"
)

// search looks for the first contact.
//
// The least answer of all pairs, in the order of contacts, is the result. Where the method's answers are unique, a pair need
// only be looked at up to the double after the least TOILo so far: one that is left out there comes later, and is not the
// least (see step.Earliest for the argument in full). So the route does not matter, and it may end early.
type search struct {
	*Scene
	bound  engine.Least // the end of time that still matters
	atFace atomic.Bool  // a contact of a vertex and a face at the very start is known: none of two edges comes before it
	until  float64      // the boxes are of [0, until]
	again  atomic.Bool  // another pass, with boxes that end earlier, is the shorter way (restart.go)
}

func (s *search) end() float64 { return s.bound.Load() }

func (s *Scene) earliest() (Contact, error) {
	var best Contact
	best.SetSeparate(0)
	f := &search{Scene: s}
	f.bound.Set(s.o.TMax)
	keep := func(w *worker, c *Contact) {
		if !c.Before(&w.best) {
			return
		}
		w.best = *c
		f.bound.Lower(num.Up(c.TOILo)) // just after it
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
		err = s.handOver(golden, keep, goal)
	} else {
		err = s.passes(keep, f, goal)
	}
	if err != nil {
		return best, err
	}
	for _, w := range s.crew {
		if w.best.Verdict != geom.Separate && w.best.Before(&best) {
			best = w.best
		}
	}
	if best.Verdict != geom.Separate && goal != nil { // its other fields must not show which end of time stood when it was found
		a, b := best.A, best.B
		s.solve(s.crew[0].solver, best.Kind, &best.Vertices, &best.Impact)
		best.A, best.B = a, b
	}
	return best, nil
}

// golden is a permutation of 0 ... n-1 in steps of the golden ratio: the first of a run of tasks are a fair sample of all,
// so that an early contact is met early.
func golden(i, n int) int {
	return int(int64(i) * int64(engine.Stride(n)) % int64(n))
}

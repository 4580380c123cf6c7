package patch

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sync"
	"unsafe"

	"ccd/core/engine"
	"ccd/core/geom"
)

// Scene answers whole steps between bodies. It is one goroutine's scratch.
type Scene struct {
	Solver Solver
	a, b   Patch
	pairs  []candidate
	budget engine.Budget // of pairs and impacts
	hood   adjacency     // in calls on one body, which set the solver's
	left   []float64     // by all queries of a call: see adjacency
	crew   crew
	race   race
	watched
	slabs [2][]slabs
}

// candidate is a pair of patches whose swept boxes meet, and the time up to which their hulls keep apart.
type candidate struct {
	a, b int32
	from float64
}

// Pair answers two patches as Solver.Solve does, with the progress, which asks now and then whether to stop, and the statistics of a call. A
// call that is cancelled leaves im as it was.
func (s *Scene) Pair(a, b *Patch, o *Options, im *Impact) error {
	if err := o.Check(); err != nil {
		return err
	}
	s.watch(o)
	var answer Impact
	if !s.cancelled(0, 1) {
		s.clock.built(2)
		s.clock.swept(1)
		s.Solver.solve(a, b, o, &answer)
		s.clock.grow(s.Solver.bytes())
		s.clock.count(answer.Verdict)
	}
	err := s.end(nil)
	if err == nil {
		*im = answer
	}
	return err
}

// Earliest is the first impact between a patch of a and one of b, in the order of (TOILo, A, B), with the same bits on any number of threads.
// It is the first of Collisions up to the tolerance: pairs that come later are searched with less haste for a contact.
//
// Separate is a proof: no pair comes within the separation for t <= TMax. Otherwise none does so for t < TOILo: the
// pairs are taken up by the time up to which their hulls keep apart, and those that are left out, or given up (race.go), keep apart that
// long. So the order of the patches in their bodies changes no bit of the time.
func (s *Scene) Earliest(a, b *BodyStep, o *Options) (Impact, error) {
	s.watch(o)
	im, err := s.earliest(a, b, o)
	if err = s.end(err); err != nil {
		im.SetSeparate()
	}
	return im, err
}

func (s *Scene) earliest(a, b *BodyStep, o *Options) (Impact, error) {
	r := &s.race
	r.begin()
	if err := s.start(a, b, o); err != nil {
		return r.best, err
	}
	s.Solver.race = r
	defer func() { s.Solver.race = nil }()
	err := s.spread(len(s.pairs), o, func(w *Scene, i int) bool {
		c := &s.pairs[i]
		if r.lost(c.from, c) {
			return false // and so have all after it
		}
		if im := w.answer(a, b, c, o); im.Verdict != geom.Separate {
			r.enter(&im)
		}
		return true
	})
	return r.best, err
}

// listedBytes is what an impact takes until a list of all is handed out: as it is found, and in the list.
const listedBytes = 2 * int(unsafe.Sizeof(Impact{}))

// Collisions are the impacts of all pairs that are not Separate, in order: the same bits for any number of threads, for every pair is
// answered by itself.
func (s *Scene) Collisions(a, b *BodyStep, o *Options) (list []Impact, err error) {
	s.watch(o)
	if err = s.start(a, b, o); err == nil {
		var lock sync.Mutex
		var found engine.List[Impact]
		err = s.spread(len(s.pairs), o, func(w *Scene, i int) bool {
			if im := w.answer(a, b, &s.pairs[i], o); im.Verdict != geom.Separate {
				lock.Lock()
				found.Add(&im, &s.budget, listedBytes)
				lock.Unlock()
			}
			return !s.budget.Over()
		})
		if err = cmp.Or(err, s.budget.Err()); err == nil {
			list = engine.Gather(&found)
		}
	}
	if err = s.end(err); err != nil {
		return nil, err
	}
	slices.SortFunc(list, func(x, y Impact) int {
		if x.Before(&y) {
			return -1
		}
		return 1
	})
	return list, nil
}

// answer solves one pair.
func (s *Scene) answer(a, b *BodyStep, c *candidate, o *Options) (im Impact) {
	a.gather(int(c.a), &s.a)
	b.gather(int(c.b), &s.b)
	s.Solver.pair = *c
	if s.Solver.hood == nil {
		s.Solver.solve(&s.a, &s.b, o, &im)
	} else {
		s.Solver.solveNear(&s.a, &s.b, c.a == c.b, o, &im)
		s.left = append(s.left, s.hood.left...)
	}
	im.A, im.B = int64(c.a), int64(c.b)
	s.clock.grow(s.Solver.bytes())
	s.clock.count(im.Verdict)
	return im
}

// start checks a step and lists the pairs to look at, in the order of their times.
func (s *Scene) start(a, b *BodyStep, o *Options) error {
	if err := o.Check(); err != nil {
		return err
	}
	for i, f := range [2]*BodyStep{a, b} {
		if err := f.begin(); err != nil {
			return fmt.Errorf("body %c: %w", 'a'+rune(i), err)
		}
	}
	s.pairs = s.pairs[:0]
	s.budget.Begin(o.MemoryLimit)
	if s.Solver.hood == nil {
		boxesA, boxesB := a.boxes(o.MinSeparation), b.boxes(0)
		s.clock.built(len(boxesA) + len(boxesB))
		s.sweep(boxesA, boxesB)
	} else {
		boxes := a.boxes(o.MinSeparation)
		s.clock.built(len(boxes))
		s.sweepSelf(boxes)
	}
	if err := s.budget.Err(); err != nil {
		return err
	}
	s.clock.swept(len(s.pairs))
	s.cull(a, b, o)
	err := s.spread(len(s.pairs), o, func(w *Scene, i int) bool {
		w.outset(a, b, &s.pairs[i], o)
		return true
	})
	if err != nil {
		return err
	}
	s.begun = true
	s.pairs = slices.DeleteFunc(s.pairs, func(c candidate) bool { return math.IsInf(c.from, 1) })
	slices.SortFunc(s.pairs, func(x, y candidate) int {
		return cmp.Or(cmp.Compare(x.from, y.from), cmp.Compare(x.a, y.a), cmp.Compare(x.b, y.b))
	})
	return nil
}

// outset advances the whole patches of a pair, to infinity if they keep apart throughout.
func (s *Scene) outset(a, b *BodyStep, c *candidate, o *Options) {
	root, ok := s.enter(a, b, c, o)
	if c.from = root.t0; !ok {
		c.from = math.Inf(1)
	}
}

// enter begins the query of a pair and checks the whole patches; false if they keep apart.
func (s *Scene) enter(a, b *BodyStep, c *candidate, o *Options) (root cell, ok bool) {
	a.gather(int(c.a), &s.a)
	b.gather(int(c.b), &s.b)
	if s.Solver.hood != nil {
		ok = s.Solver.beginNear(&s.a, &s.b, c.a == c.b, o, &root)
		return root, ok
	}
	p, q := s.Solver.ordered(&s.a, &s.b)
	s.Solver.begin(p, q, o)
	root.t1 = s.Solver.until
	ok = s.Solver.admit(&root)
	return root, ok
}

// sweep lists the pairs of boxes that meet, one of each list, along x.
func (s *Scene) sweep(a, b []bounds) {
	byLow := func(x, y bounds) int {
		return cmp.Or(cmp.Compare(x.lo[0], y.lo[0]), cmp.Compare(x.patch, y.patch))
	}
	b = reaching(b, a)
	a = reaching(a, b)
	slices.SortFunc(a, byLow)
	slices.SortFunc(b, byLow)
	for i, j := 0, 0; i < len(a) && j < len(b) && !s.budget.Over(); {
		if a[i].lo[0] <= b[j].lo[0] { // a[i] opens first: it meets the b that open before it closes
			for k := j; k < len(b) && b[k].lo[0] <= a[i].hi[0]; k++ {
				if across(&a[i], &b[k]) {
					s.pair(a[i].patch, b[k].patch)
				}
			}
			i++
			continue
		}
		for k := i; k < len(a) && a[k].lo[0] <= b[j].hi[0]; k++ {
			if across(&a[k], &b[j]) {
				s.pair(a[k].patch, b[j].patch)
			}
		}
		j++
	}
}

// candidateBytes is what a pair takes in a list that grows by a quarter at a time, old and new beside each other.
const candidateBytes = int64(unsafe.Sizeof(candidate{})) * 9 / 4

// pair lists a pair of patches, if there is room.
func (s *Scene) pair(a, b int32) {
	if s.budget.Take(candidateBytes) {
		s.pairs = append(s.pairs, candidate{a: a, b: b})
	}
}

// reaching keeps the boxes of a that meet the box around all of b.
func reaching(a, b []bounds) []bounds {
	if len(b) == 0 {
		return nil
	}
	all := b[0]
	for i := range b {
		for k := range 3 {
			all.lo[k], all.hi[k] = min(all.lo[k], b[i].lo[k]), max(all.hi[k], b[i].hi[k])
		}
	}
	kept := a[:0]
	for i := range a {
		if a[i].lo[0] <= all.hi[0] && all.lo[0] <= a[i].hi[0] && across(&a[i], &all) {
			kept = append(kept, a[i])
		}
	}
	return kept
}

// across tells whether two boxes that meet along x do so along y and z.
func across(a, b *bounds) bool {
	return a.lo[1] <= b.hi[1] && b.lo[1] <= a.hi[1] && a.lo[2] <= b.hi[2] && b.lo[2] <= a.hi[2]
}

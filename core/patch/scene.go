package patch

import (
	"cmp"
	"fmt"
	"slices"

	"ccd/core/geom"
	"ccd/core/narrow"
)

// Scene answers whole steps between bodies. It is one goroutine's scratch.
type Scene struct {
	Solver Solver
	a, b   Patch
	pairs  []candidate
	hood   neighbourhood // in calls on one body, which set the solver's
	left   Left
	crew   crew // of Collisions
	watched
	slabs [2][]slabs
}

// candidate is a pair of patches whose swept boxes meet, and the time up to which their hulls keep apart.
type candidate struct {
	a, b int32
	from float64
}

// Earliest is the first impact between a patch of a and one of b.
//
// Separate is a proof: no pair comes within the separation for t <= TMax. Otherwise none does so for t < TOILo: the
// pairs are taken up by the time up to which their hulls keep apart, each is answered up to the least answer so far, and
// those that are left out, or not searched to the end, keep apart that long. Of several pairs at the same time the first one
// taken up is reported.
func (s *Scene) Earliest(a, b *Frame, o *Options) (Impact, error) {
	s.watch(o)
	im, err := s.earliest(a, b, o)
	if err = s.end(err); err != nil {
		im.SetSeparate()
	}
	return im, err
}

func (s *Scene) earliest(a, b *Frame, o *Options) (Impact, error) {
	var best Impact
	best.SetSeparate()
	if err := s.start(a, b, o); err != nil {
		return best, err
	}
	q := *o
	defer func() { s.Solver.late = 0 }()
	for i := range s.pairs {
		if s.cancelled(i) {
			return best, ErrCancelled
		}
		c := &s.pairs[i]
		if best.Verdict != 0 && c.from >= best.TOILo {
			break
		}
		s.limit(&q, o, &best)
		if im := s.answer(a, b, c, &q); im.Before(&best) {
			best = im
		}
	}
	return best, nil
}

// limit sets until when the next pair is of interest: to the least answer so far. Where that is a contact, pairs that share an edge or a
// corner with it have it too, at the same time up to rounding and tolerance. Asked up to just that time they would have to be proven
// apart; asked up to a little later they find the contact, as fast as the first one did, and are done once they are apart until late.
func (s *Scene) limit(q, o *Options, best *Impact) {
	q.TMax = min(o.TMax, best.TOILo)
	if best.Verdict == geom.Contact && o.Method == narrow.Default {
		q.TMax, s.Solver.late = min(o.TMax, best.TOIHi+0x1p-20), best.TOILo
	}
}

// Collisions are the impacts of all pairs that are not Separate, in order: the same bits for any number of threads.
func (s *Scene) Collisions(a, b *Frame, o *Options) ([]Impact, error) {
	s.watch(o)
	if err := s.start(a, b, o); err != nil {
		return nil, s.end(err)
	}
	list, err := s.answerAll(a, b, o)
	if err := s.end(err); err != nil {
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
func (s *Scene) answer(a, b *Frame, c *candidate, o *Options) (im Impact) {
	a.gather(int(c.a), &s.a)
	b.gather(int(c.b), &s.b)
	if s.Solver.hood == nil {
		s.Solver.solve(&s.a, &s.b, o, &im)
	} else {
		s.Solver.solveNear(&s.a, &s.b, c.a == c.b, o, &im)
		s.left.add(&s.hood.left)
	}
	im.A, im.B = int64(c.a), int64(c.b)
	s.clock.grow(s.Solver.bytes())
	s.clock.count(im.Verdict)
	return im
}

// start checks a step and lists the pairs to look at, in the order of their times.
func (s *Scene) start(a, b *Frame, o *Options) error {
	if err := o.Check(); err != nil {
		return err
	}
	for i, f := range [2]*Frame{a, b} {
		if err := f.begin(); err != nil {
			return fmt.Errorf("body %c: %w", 'a'+rune(i), err)
		}
	}
	s.pairs = s.pairs[:0]
	if s.Solver.hood == nil {
		boxesA, boxesB := a.boxes(o.MinSeparation), b.boxes(0)
		s.clock.built(len(boxesA) + len(boxesB))
		s.sweep(boxesA, boxesB)
	} else {
		boxes := a.boxes(o.MinSeparation)
		s.clock.built(len(boxes))
		s.sweepSelf(boxes)
	}
	s.clock.swept(len(s.pairs))
	s.cull(a, b, o)
	kept := s.pairs[:0]
	for i, c := range s.pairs {
		if i%pulse == 0 && s.cancelled(0) {
			return ErrCancelled
		}
		if s.outset(a, b, &c, o) {
			kept = append(kept, c)
		}
	}
	s.pairs = kept
	slices.SortFunc(s.pairs, func(x, y candidate) int {
		return cmp.Or(cmp.Compare(x.from, y.from), cmp.Compare(x.a, y.a), cmp.Compare(x.b, y.b))
	})
	return nil
}

// outset advances the whole patches of a pair; false if they keep apart throughout.
func (s *Scene) outset(a, b *Frame, c *candidate, o *Options) bool {
	root, ok := s.enter(a, b, c, o)
	c.from = root.t0
	return ok
}

// enter begins the query of a pair and checks the whole patches; false if they keep apart.
func (s *Scene) enter(a, b *Frame, c *candidate, o *Options) (root cell, ok bool) {
	a.gather(int(c.a), &s.a)
	b.gather(int(c.b), &s.b)
	if s.Solver.hood != nil {
		ok = s.Solver.beginNear(&s.a, &s.b, c.a == c.b, o, &root)
		return root, ok
	}
	s.Solver.begin(&s.a, &s.b, o)
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
	for i, j := 0, 0; i < len(a) && j < len(b); {
		if a[i].lo[0] <= b[j].lo[0] { // a[i] opens first: it meets the b that open before it closes
			for k := j; k < len(b) && b[k].lo[0] <= a[i].hi[0]; k++ {
				if across(&a[i], &b[k]) {
					s.pairs = append(s.pairs, candidate{a: a[i].patch, b: b[k].patch})
				}
			}
			i++
			continue
		}
		for k := i; k < len(a) && a[k].lo[0] <= b[j].hi[0]; k++ {
			if across(&a[k], &b[j]) {
				s.pairs = append(s.pairs, candidate{a: a[k].patch, b: b[j].patch})
			}
		}
		j++
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

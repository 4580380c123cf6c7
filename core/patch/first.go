package patch

import (
	"cmp"
	"slices"

	"ccd/core/engine"
	"ccd/core/geom"
)

// findFirst lists the pairs and finds the earliest impact. Its work is the fraction upTo of the
// call.
func (s *Scene) findFirst(of subject, o *Options, upTo float64) (Impact, error) {
	beginIncumbent(&s.incumbent)
	if err := s.list(of, o, 0.25*upTo); err != nil {
		return Impact{}, err
	}
	err := s.search(of, s.pairs, o, upTo, true)
	for _, w := range s.workers {
		s.waiting, w.waiting = append(s.waiting, w.waiting...), w.waiting[:0]
	}
	if len(s.waiting) > 0 && err == nil {
		slices.SortFunc(s.waiting, candidatePair.compare)
		err = s.search(of, s.waiting, o, upTo, false)
	}
	return s.incumbent.Best(), err
}

// search offers the impacts of the pairs to the incumbent, until all that remain come later. If
// some may wait, pairs that take long are left, while others may touch earlier.
func (s *Scene) search(of subject, pairs []candidatePair, o *Options, upTo float64, mayWait bool) error {
	return s.each(len(pairs), upTo, func(w *worker, i int) bool {
		c := &pairs[i]
		if isLater(&s.incumbent, c.from, c) {
			return false // All pairs after this one are later, too.
		}
		w.solver.incumbent = &s.incumbent
		p := &w.solver.pair
		if p.mayWait = mayWait && i+1 < len(pairs); p.mayWait {
			p.others = pairs[i+1].from
		}
		im := w.answer(of, c, o)
		w.solver.incumbent, p.mayWait = nil, false
		switch {
		case p.waits:
			w.waiting = append(w.waiting, p.candidatePair)
		case im.Verdict != geom.Separate:
			s.incumbent.Enter(&im)
		}
		return true
	})
}

// placedPair is a pair of a scene whose search may be put off, where another one may touch from a
// time on that it has passed; waits reports that it was.
type placedPair struct {
	candidatePair
	mayWait, waits bool
	others         float64 // that time
}

// compare orders pairs by the times up to which they are known to keep apart.
func (c candidatePair) compare(d candidatePair) int {
	return cmp.Or(cmp.Compare(c.from, d.from), cmp.Compare(c.a, d.a), cmp.Compare(c.b, d.b))
}

// beginIncumbent begins a search for the earliest impact.
func beginIncumbent(first *engine.Incumbent[Impact]) {
	var none Impact
	none.SetSeparate()
	first.Begin(none, func(im *Impact) float64 { return im.TOILo }, func(a, b *Impact) bool { return a.Before(b) })
}

// isLater reports whether an impact of the pair c at the time from, or after it, would come after
// the earliest impact so far.
func isLater(first *engine.Incumbent[Impact], from float64, c *candidatePair) bool {
	if least := first.Time(); from != least {
		return from > least
	}
	best := first.Best()
	return cmp.Or(cmp.Compare(from, best.TOILo), cmp.Compare(int64(c.a), best.A), cmp.Compare(int64(c.b), best.B)) > 0
}

// beaten reports whether another pair of the scene comes first, whatever this search still finds.
func (s *search) beaten(c *cell) bool {
	if s.incumbent == nil {
		return false
	}
	s.check.horizon = s.incumbent.Time()
	return isLater(s.incumbent, reached(s, c), &s.pair.candidatePair)
}

// reached returns a time before which this search has no impact, where c is the cell with the least
// time. It is the least of three times: that of the cell, since all other cells are apart as long;
// the end of the exclusions, s.excluder.earliest; and the time of the known contact.
func reached(s *search, c *cell) float64 {
	from := min(c.t0, s.excluder.earliest)
	if s.known.found {
		from = min(from, s.known.t)
	}
	return from
}

// putOff reports whether the search of a pair of a scene should end for now, because it takes long
// and another pair may touch earlier, and writes how far it came to the pair. Often the impact of
// that pair is earlier, and this one is never taken up again. If it is, its search begins anew, so
// it has the same bits as one that never waited. Pairs that may touch by construction do not wait:
// the times of what their search leaves open would be lost.
func putOff(s *search, c *cell) bool {
	if !s.pair.mayWait || s.Work.Cells != patience || s.adjacent {
		return false
	}
	if from := reached(s, c); from > s.pair.others {
		s.pair.from, s.pair.waits = from, true
	}
	return s.pair.waits
}

// patience is the number of cells after which the search of a pair may be put off: most pairs take
// fewer. It is a variable for tests.
var patience int64 = 64

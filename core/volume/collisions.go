package volume

import (
	"cmp"

	"ccd/core/geom"
	"ccd/core/narrow"
)

// Collisions returns every contact of the wanted classes as vertex i moves on the segment x0[i] ->
// x1[i] (row-major, three doubles for every vertex), in the order of Contact.Before.
//
//  1. A pair of those classes that is not listed is separate for all t in [0, TMax]: it keeps more
//     than the separation.
//  2. For t < TOILo of the first contact all pairs do.
//  3. The list does not depend on threads, SIMD level, or earlier calls.
func (s *Scene) Collisions(x0, x1 []float64, o *Options) ([]Contact, error) {
	s.lock.Lock()
	defer s.lock.Unlock()
	if err := s.start(x0, x1, o); err != nil {
		return nil, err
	}
	s.call.Progress.Reserve()
	collect := func(w *worker, c *Contact) { w.found.Add(c, &s.call.Budget, contactBytes) }
	var err error
	if s.o.Flags&narrow.BruteForce != 0 {
		err = s.bruteForce(collect)
	} else if s.o.Search != nil {
		err = s.runSearch(func(i, _ int) int { return i }, collect, nil)
	} else if err = s.ready(); err == nil {
		if err = s.run(func(i, _ int) int { return i }, collect, nil); err == nil {
			s.notePairs()
		}
	}
	if err = cmp.Or(err, s.call.Budget.Err()); err != nil {
		return nil, err
	}
	all, err := s.gather()
	if err != nil {
		return nil, err
	}
	if err := s.finish(); err != nil {
		return nil, err
	}
	return all, nil
}

// Earliest returns the first contact of the wanted classes. Separate is a proof: no pair of them
// comes within the separation for t <= TMax. Otherwise none does so for t < TOILo. Of several
// contacts with the same TOILo the first in the order of Contact.Before is returned.
func (s *Scene) Earliest(x0, x1 []float64, o *Options) (Contact, error) {
	var none Contact
	none.SetSeparate(0)
	s.lock.Lock()
	defer s.lock.Unlock()
	if err := s.start(x0, x1, o); err != nil {
		return none, err
	}
	c, err := s.earliest()
	if err != nil {
		return none, err
	}
	if c.Verdict != geom.Separate {
		s.call.Stats.Impacts = 1
	}
	if c.Verdict == geom.Undecided {
		s.call.Stats.Undecided = 1
	}
	if err := s.finish(); err != nil {
		return none, err
	}
	return c, nil
}

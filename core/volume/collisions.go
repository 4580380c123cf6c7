package volume

import (
	"slices"

	"ccd/core/geom"
	"ccd/core/narrow"
)

// Collisions is every contact of the classes asked for as vertex i moves on the segment x0[i] -> x1[i] (row-major, three
// doubles for every vertex), in the order of Contact.Before.
//
//  1. A pair of those classes that is not listed is separate for all t in [0, TMax]: it keeps more than the separation.
//  2. For t < TOILo of the first contact all pairs do.
//  3. The list does not depend on threads, SIMD level, or earlier calls.
func (s *Scene) Collisions(x0, x1 []float64, o *Options) ([]Contact, error) {
	s.lock.Lock()
	defer s.lock.Unlock()
	if err := s.start(x0, x1, o); err != nil {
		return nil, err
	}
	collect := func(w *worker, c *Contact) { w.found = append(w.found, *c) }
	var err error
	if s.o.Flags&narrow.BruteForce != 0 {
		err = s.bruteForce(collect)
	} else if s.o.Search == VolCCD {
		err = s.volCCD.find(s, func(i, _ int) int { return i }, collect, nil)
	} else if err = s.fit(1); err == nil {
		if err = s.run(func(i, _ int) int { return i }, collect, nil); err == nil {
			s.note()
		}
	}
	if err != nil {
		return nil, err
	}
	all := s.gather()
	if err := s.finish(all); err != nil {
		return nil, err
	}
	return all, nil
}

// Earliest is the first contact of the classes asked for. Separate is a proof: no pair of them comes within the separation
// for t <= TMax. Otherwise none does so for t < TOILo. Of several contacts with the same TOILo the first in the order of
// Contact.Before is reported.
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
	found := []Contact{c}
	if c.Verdict == geom.Separate {
		found = nil
	}
	if err := s.finish(found); err != nil {
		return none, err
	}
	return c, nil
}

// place is a contact's, with its time beside it: what is sorted is a small part of a contact's size.
type place struct {
	toi float64
	c   *Contact
}

func comparePlaces(a, b place) int {
	switch { // nearly always settled here
	case a.toi < b.toi:
		return -1
	case a.toi > b.toi:
		return 1
	}
	return compare(a.c, b.c)
}

// sort orders what a worker has found. A pair is found once, so the order is strict.
func (w *worker) sort() {
	w.places = w.places[:0]
	for i := range w.found {
		w.places = append(w.places, place{w.found[i].TOILo, &w.found[i]})
	}
	slices.SortFunc(w.places, comparePlaces)
}

// gather merges what the crew found; the list does not depend on who found what.
func (s *Scene) gather() []Contact {
	n := 0
	var rest [][]place
	for _, w := range s.crew {
		if n += len(w.found); len(w.found) > 0 {
			rest = append(rest, w.places)
		}
	}
	all := make([]Contact, 0, n)
	for len(rest) > 0 {
		first := 0
		for i := 1; i < len(rest); i++ {
			if comparePlaces(rest[i][0], rest[first][0]) < 0 {
				first = i
			}
		}
		all = append(all, *rest[first][0].c)
		if rest[first] = rest[first][1:]; len(rest[first]) == 0 {
			rest = slices.Delete(rest, first, first+1)
		}
	}
	return all
}

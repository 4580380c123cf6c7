package patch

import (
	"slices"
	"unsafe"

	"ccd/core/geom"
	"ccd/core/status"
)

// Manifold is a sample of where two bodies come into contact first: impacts that begin within a time, lag, of the earliest,
// with points at least apart from each other (paper 2024, section 5.3, after Snyder et al. 1993). The earliest is the
// first; then in order of impacts. Empty if the bodies stay separate. An earliest that is Undecided stands alone.
//
// Each impact's points are within separation and tolerance at TOIHi, and its pair is apart before TOILo there. Where the
// contact is a region or a curve, every contact of the lag lies within apart, and a thousandth, of one listed, unless the budget was
// spent: Stats.Undecided counts pairs of which it was.
func (s *Scene) Manifold(a, b *BodyStep, lag, apart float64, o *Options) ([]Impact, error) {
	if !(lag >= 0 && lag <= 1) {
		return nil, status.Errorf(status.ErrArgument, "lag %v: must be in [0, 1]", lag)
	}
	if !(apart > 0 && apart <= geom.MaxCoordinate) {
		return nil, status.Errorf(status.ErrArgument, "apart is %v: must be positive", apart)
	}
	s.watch(o)
	s.halves = 2
	first, err := s.earliest(a, b, o)
	if err != nil || first.Verdict == geom.Separate {
		return nil, s.end(err)
	}
	if first.Verdict == geom.Undecided {
		s.clock.Impacts = 1
		return []Impact{first}, s.end(nil)
	}
	s.done = 1
	end := min(first.TOIHi+lag, o.TMax)
	list := []Impact{first}
	for i := range s.pairs {
		if s.cancelled(i, len(s.pairs)) || s.budget.Over() {
			break
		}
		c := &s.pairs[i]
		if c.from > end {
			break
		}
		q := *o
		q.TMax = end
		if root, ok := s.enter(a, b, c, &q); ok {
			before := len(list)
			m := sampler{&s.Solver.selfSearch, apart, list}
			m.sample(c, &root, o)
			list = m.list
			s.budget.Take(int64(len(list)-before) * sampledBytes)
			if len(s.Solver.heap) > 0 {
				s.clock.Undecided++
			}
			s.clock.grow(s.Solver.bytes())
		}
	}
	s.clock.Impacts = int64(len(list))
	if err := s.end(s.budget.Err()); err != nil {
		return nil, err
	}
	slices.SortFunc(list[1:], func(x, y Impact) int {
		if x.Before(&y) {
			return -1
		}
		return 1
	})
	return list, nil
}

// sampledBytes is what an impact takes in a list that grows by a quarter at a time, old and new beside each other.
const sampledBytes = int64(unsafe.Sizeof(Impact{})) * 9 / 4

package patch

import (
	"unsafe"

	"ccd/core/geom"
	"ccd/core/status"
)

// Manifold returns a sample of where two bodies come into contact first: impacts that begin within
// a time, timeWindow, of the earliest, with points at least minDistance from each other
// ([Chen2024], section 5.3, after Snyder et al. 1993). The earliest is the first; the others follow
// in the order of impacts. Empty if the bodies stay separate. An earliest that is Undecided stands
// alone.
//
// Each impact's points are within separation and tolerance at TOIHi, and its pair is apart before
// TOILo there. Where the contact is a region or a curve, every contact of the time window lies
// within minDistance, and a thousandth, of one listed, unless the budget was spent: Stats.Undecided
// counts pairs of which it was.
func (s *Scene) Manifold(a, b *BodyStep, timeWindow, minDistance float64, o *Options) ([]Impact, error) {
	return s.manifold(twoBodies{a, b}, timeWindow, minDistance, o)
}

func (s *Scene) manifold(of subject, timeWindow, minDistance float64, o *Options) (list []Impact, err error) {
	if !(timeWindow >= 0 && timeWindow <= 1) {
		return nil, status.Errorf(status.ErrArgument, "t_window is %v: must be in [0, 1]", timeWindow)
	}
	if !(minDistance > 0 && minDistance <= geom.MaxCoordinate) {
		return nil, status.Errorf(status.ErrArgument, "min_distance is %v: must be positive", minDistance)
	}
	if err = s.begin(o); err != nil {
		return nil, err
	}
	first, err := s.findFirst(of, o, 0.5)
	if err == nil && first.Verdict != geom.Separate {
		list = []Impact{first}
	}
	if err == nil && first.Verdict == geom.Contact {
		within := *o
		within.TMax = min(first.TOIHi+timeWindow, o.TMax)
		list, err = s.sample(of, list, minDistance, &within)
	}
	for _, w := range s.workers {
		w.counts.Impacts = 0
	}
	s.call.Stats.Impacts = int64(len(list))
	if err = s.end(err); err != nil {
		return nil, err
	}
	if len(list) > 0 {
		inOrder(list[1:])
	}
	return list, nil
}

// sample adds contacts of all pairs up to o.TMax, pair by pair: which are listed depends on those
// before.
func (s *Scene) sample(of subject, list []Impact, minDistance float64, o *Options) ([]Impact, error) {
	s.call.Progress.Part(int64(len(s.pairs)), 1)
	err := s.call.Run(1, func(int) {
		w := s.workers[0]
		for i := range s.pairs {
			c := &s.pairs[i]
			if c.from > o.TMax || !s.call.Progress.Pass(1) || s.call.Budget.Over() {
				return
			}
			root, ok := w.begin(of, c, o).start()
			if !ok {
				continue
			}
			m := sampler{&w.solver.selfSearch, minDistance, list}
			m.sample(c, &root)
			s.call.Budget.Take(int64(len(m.list)-len(list)) * sampledBytes)
			if list = m.list; len(w.solver.heap) > 0 {
				w.counts.Undecided++
			}
			w.bytes = max(w.bytes, w.solver.bytes())
		}
	})
	return list, err
}

// sampledBytes is what an impact takes in a list that grows by a quarter at a time, old and new
// beside each other.
const sampledBytes = int64(unsafe.Sizeof(Impact{})) * 9 / 4

package step

import (
	"time"

	"ccd/core/broad"
)

// A first bound. Boxes over a whole step are large where vertices move farther than a primitive is long. A plan of them takes as long to make as
// that of the short time before the first impact, and a few of its tasks find impacts early enough to restart. An excerpt of the step finds such
// impacts in less time, and the first plan of the whole ends there. Without an impact in the excerpt nothing is lost but its search.
//
// The excerpt's impacts are impacts of pairs of the step, so by the argument of Earliest the answer is the same. It depends on nothing but the
// arguments of the call: nothing is kept from call to call.

// firstBound searches an excerpt of the step, if that pays, for an impact that bounds the time of the first plan.
func (s *search) firstBound() error {
	c := s.call
	e := &c.excerpt
	switch {
	case !c.exact() || c.moves() || c.given != nil || c.o.Slab != nil || c.o.MemoryLimit != 0 || c.changed != nil || c.near != nil || c.remote != nil:
		return nil
	case c.m.Filter().Static(0) != nil: // a plan of what moves is small
		return nil
	}
	began := time.Now()
	pays, err := e.Choose(c.m, &c.mo, broad.Inflation(c.o.MinSeparation, c.radii, c.radii.Typical()), int(c.Stats.Threads))
	if !pays {
		return err
	}
	until := min(c.o.TMax, e.Until)
	s.bound.Set(until)
	how := c.planOptions(until)
	how.Excerpt, how.Orient = e, broad.AlongAxes
	err = c.plan.Build(c.m, &c.mo, how)
	c.Stats.SecondsBuild += time.Since(began).Seconds()
	if err != nil {
		return err
	}
	c.from = 0
	c.Progress.Part(c.plan.Weight(), 0)
	_, err = c.run(inOrder, s.handle, s.outdone, func(*worker, *broad.Task) bool { return s.end() <= until/4 })
	if s.end() == until {
		s.bound.Set(c.o.TMax)
	}
	return err
}

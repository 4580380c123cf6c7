package step

import (
	"time"

	"ccd/core/broad"
)

// A first bound. Boxes over a whole step are large where vertices move farther than a primitive is
// long. A plan of them takes as long to make as that of the short time before the first impact, and
// a few of its tasks find impacts early enough to restart. An excerpt of the step finds such
// impacts in less time, and the first plan of the whole ends there. Without an impact in the
// excerpt nothing is lost but its search.
//
// The excerpt's impacts are impacts of pairs of the step, so by the argument of Earliest the answer
// is the same. No impact is kept from call to call: a mesh with a hierarchy keeps which primitives
// the excerpt has, for some steps.

// search runs the search.
func (l *least) search(r *run) error {
	if err := r.pairs.arrange(); err != nil {
		return err
	}
	if err := l.firstBound(r); err != nil {
		return err
	}
	return r.all()
}

// firstBound searches an excerpt of the step, if that pays, for an impact that bounds the time of
// the first plan.
func (l *least) firstBound(r *run) error {
	s, isSweep := r.pairs.(*sweep)
	c, e := l.c, &l.c.memory.excerpt
	if !isSweep || !s.tactics.excerpt || c.m.Filter().Static(0) != nil { // a plan of what moves is small
		return nil
	}
	if kept := broad.KeptExcerpt(c.m); kept != nil {
		e = kept
		defer e.Release()
	}
	began := time.Now()
	mo := l.path.Segments()
	pays, err := e.Choose(c.m, mo, broad.Inflation(c.o.MinSeparation, c.radii, c.radii.Typical()), int(c.Stats.Threads))
	if !pays {
		return err
	}
	r.until, r.from = min(c.o.TMax, e.Until), 0
	l.bound.Set(r.until)
	r.portions.Begin(nil)
	how := s.options(r.until)
	how.Keep.Excerpt, how.Tactic.Orient = e, broad.AlongAxes
	c.Stats.Plans++
	err = r.plan.Build(c.m, mo, how)
	c.Stats.SecondsBuild += time.Since(began).Seconds()
	if err != nil {
		return err
	}
	c.Progress.Part(r.plan.Weight(), 0)
	early := func(*worker, *broad.Task) bool { return l.horizon() <= r.until/4 }
	_, err = r.tasks(&pass{order: func(i int) int { return i }, skip: l.outdone, after: early})
	if l.horizon() == r.until {
		l.bound.Set(c.o.TMax)
	}
	return err
}

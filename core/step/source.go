package step

import (
	"ccd/core/broad"
	"ccd/core/geom"
	"ccd/core/narrow"
	"ccd/core/num"
)

// A source is where the pairs of a run come from. newSource chooses it once:
//
//	sweep     a broad phase of the step, on the processor or in windows of a device (device.go)
//	given     pairs that a caller knows, or all pairs of the mesh (BruteForce)
//	startPairs   edges and faces that meet at t = 0 (start_check.go)
type source interface {
	// build makes the plan of the current portion for the time [0, until] of the segments of the
	// path.
	build(until float64) error
	// gather sets w.idx to the vertices of a block of pairs, and w.of to the segments that they
	// refer to.
	gather(w *worker, k geom.Kind, pairs [][2]int32)
	// upTo returns the part of the call that is done after the current portion.
	upTo() float64
	// restarts returns what says, after each task of a search, whether another plan costs less than
	// the rest of this one.
	restarts(l *least, r *run) func(w *worker, t *broad.Task) bool
	// arrange lets plans use the order of the mesh, where it has one that serves. Impacts are then
	// found in another order.
	arrange() error
}

// narrowed restricts a sweep to the pairs of some vertices. The zero value is all pairs.
type narrowed struct {
	changed   []bool      // nil, or by vertex: only pairs with one of these are wanted
	around    *broad.Near // nil, or the primitives that are around these
	alongAxes bool        // an earlier search of about the same pairs has found no better directions than the axes
}

// sweep finds the pairs by a broad phase of the step.
type sweep struct {
	c    *call
	path path
	only narrowed

	remote               *broad.Remote  // nil, or a device that finds pairs
	ordered              *broad.Ordered // nil, or the mesh in its order
	ordering, excerpting bool           // the mesh's order may serve; an excerpt may give a search its first bound
}

// newSource returns the source of the pairs of a call.
func newSource(c *call, only narrowed) (source, error) {
	s := &sweep{c: c, path: c.path, only: only}
	all := only.changed == nil && only.around == nil
	whole := all && c.path.plain() && c.o.MemoryLimit == 0
	if all && c.o.Region == nil {
		s.remote = c.device.remote
	}
	s.ordering = whole && c.o.Region == nil && c.o.Device == nil
	s.excerpting = whole && s.remote == nil && c.exact()
	known, err := c.o.Candidates, error(nil)
	if known == nil && c.o.Flags&narrow.BruteForce != 0 {
		var how broad.PlanOptions
		c.path.Complete(&how)
		known, err = broad.BruteForce(c.m, c.path.Segments(), broad.Options{
			MinSeparation: c.o.MinSeparation, Progress: c.o.Progress, MemoryLimit: c.o.MemoryLimit,
			Radii: how.Input.Radii,
		})
	}
	if known == nil || err != nil {
		return s, err
	}
	return &given{
		sweep: s, pairs: known,
		unboxed:     c.o.Candidates == nil || known.Unboxed(), // brute force knows no boxes
		replaceable: c.exact() && c.o.MemoryLimit == 0,
	}, nil
}

// options are those of a plan of [0, until] for the current portion.
func (s *sweep) options(until float64) broad.PlanOptions {
	c := s.c
	how := broad.PlanOptions{
		Input: broad.Input{Separation: num.AddUp(c.o.MinSeparation, c.memory.margin), Until: until,
			Euclidean: c.o.Flags&narrow.MaxNorm == 0},
		Keep: broad.Keep{Slab: c.memory.portions.Slab(), Region: c.o.Region, Changed: s.only.changed,
			Near: s.only.around},
		Tactic: broad.Tactic{Remote: s.remote, Ordered: s.ordered},
		Work:   broad.Work{Threads: int(c.Stats.Threads), Limit: c.limit()},
	}
	if c.exact() { // a method with a tolerance reports by the pairs that it gets
		how.Tactic.Orient, how.Work.Progress, how.Work.UpTo = orientation, &c.Progress, s.upTo()
		if s.only.alongAxes {
			how.Tactic.Orient = broad.AlongAxes
		}
	}
	s.path.Complete(&how)
	return how
}

// orientation is that of the plans of exact methods. Tests set OrientAlways.
var orientation = broad.OrientIfItPays

func (s *sweep) build(until float64) error {
	forgetLists(s.c)
	return s.c.memory.portions.Build(&s.c.memory.plan, s.c.m, s.path.Segments(), s.options(until))
}

// forgetLists frees the lists of the workers under a memory limit: they were sized for another
// portion.
func forgetLists(c *call) {
	if c.limit() > 0 {
		for _, w := range c.workers {
			w.sweep.Forget()
		}
	}
}

func (s *sweep) gather(w *worker, k geom.Kind, pairs [][2]int32) {
	if places := w.sweep.Places(); places != nil {
		w.of, w.idx = &s.ordered.Motion, s.ordered.Order.Gather(k, places, w.idx)
		return
	}
	w.of, w.idx = s.path.Segments(), s.c.m.Gather(k, pairs, w.idx)
}

func (s *sweep) upTo() float64 { return s.path.UpTo(s.c.memory.portions.UpTo()) }

func (s *sweep) arrange() error {
	if !s.ordering {
		return nil
	}
	ok, err := s.c.memory.ordered.Begin(s.c.m, s.path.Segments(), int(s.c.Stats.Threads))
	if ok {
		s.ordered = &s.c.memory.ordered
	}
	return err
}

// given takes pairs that are known. A restart may replace them by a sweep.
type given struct {
	sweep   *sweep
	pairs   *broad.Candidates // nil: the sweep has replaced them
	unboxed bool              // their boxes are not compared again

	replaceable bool // a sweep finds all pairs that matter, so it may replace them
}

func (g *given) build(until float64) error {
	if g.pairs == nil {
		return g.sweep.build(until)
	}
	c := g.sweep.c
	forgetLists(c)
	how := g.sweep.options(until)
	how.Tactic.Remote, how.Tactic.Unboxed = nil, g.unboxed
	if err := c.memory.plan.Reuse(c.m, c.path.Segments(), g.pairs, how); err != nil {
		return err
	}
	if !g.sweepPays(c.memory.plan.SizeRatio()) {
		c.memory.plan.Join()
		return nil
	}
	g.pairs = nil
	return g.sweep.build(until)
}

func (g *given) gather(w *worker, k geom.Kind, pairs [][2]int32) { g.sweep.gather(w, k, pairs) }
func (g *given) upTo() float64                                   { return g.sweep.upTo() }
func (g *given) arrange() error                                  { return nil }

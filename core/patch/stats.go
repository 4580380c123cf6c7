package patch

import (
	"time"
	"unsafe"

	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/status"
)

// clock fills the Stats of a call.
type clock struct {
	engine.Stats
	start, last time.Time
	parts       int // most bytes of parts of patches
}

// lap is the time since the last one.
func (c *clock) lap() float64 {
	now := time.Now()
	d := now.Sub(c.last)
	c.last = now
	return d.Seconds()
}

func (c *clock) built(boxes int) {
	c.Boxes = int64(boxes)
	c.SecondsBuild = c.lap()
}

func (c *clock) swept(pairs int) {
	c.Candidates[0] = int64(pairs)
	c.SecondsBroad = c.lap()
}

func (c *clock) grow(parts int) { c.parts = max(c.parts, parts) }

func (c *clock) count(v geom.Verdict) { c.Stats.Count(v != geom.Separate, v == geom.Undecided) }

// watched is what a call in progress tells its caller.
type watched struct {
	clock    clock
	stats    *engine.Stats
	progress func(fraction float64) bool
	fraction float64 // told last
	stopped  bool    // it asked to stop
	begun    bool    // the pairs to look at are known: until then the progress is none

	halves, done int // a manifold takes two rounds over the pairs
}

// watch begins a call.
func (s *Scene) watch(o *Options) {
	now := time.Now()
	s.watched = watched{clock: clock{start: now, last: now}, stats: o.Stats, progress: o.Progress, halves: 1}
	s.left = s.left[:0]
	s.Solver.stop, s.Solver.stopped = nil, false
	if s.progress != nil {
		s.Solver.stop = s.halted
	}
}

// cancelled tells the progress, after some of n pieces of work, and whether to stop.
func (s *Scene) cancelled(some, n int) bool {
	if s.progress == nil || s.stopped {
		return s.stopped
	}
	s.fraction = (float64(s.done) + float64(some)/float64(max(1, n))) / float64(s.halves)
	s.stopped = s.progress(s.fraction)
	return s.stopped
}

// end ends a call with an error, or as cancelled, or with its statistics.
func (s *Scene) end(err error) error {
	stopped, c := s.stopped, &s.clock
	s.Solver.stop, s.Solver.stopped = nil, false
	if err == nil && stopped {
		err = status.ErrCancelled
	}
	if err == nil && s.stats != nil {
		c.SecondsNarrow = c.lap()
		c.SecondsTotal = c.last.Sub(c.start).Seconds()
		c.PeakBytes = c.Boxes*int64(unsafe.Sizeof(bounds{})) + c.Candidates[0]*int64(unsafe.Sizeof(candidate{})) + int64(c.parts)*int64(max(1, c.Threads))
		c.Threads = max(1, c.Threads)
		*s.stats = c.Stats
	}
	s.watched = watched{}
	return err
}

package broad

import (
	"ccd/core/engine"
	"ccd/core/geom"
)

// sweepStats collects the statistics of one sweep.
type sweepStats struct {
	clock   engine.Clock
	build   float64 // build has the seconds for boxes and plans.
	peak    int64   // peak is the working memory without the pairs.
	threads int
}

func (o *Options) beginStats() (s sweepStats) {
	s.threads = 1
	s.clock.Start()
	return s
}

// built counts a plan whose making began with a lap of the clock, and the working memory of the
// sweep with it.
func (s *sweepStats) built(working int64) {
	s.build += s.clock.Lap()
	s.peak = max(s.peak, working)
}

// write writes the statistics of a sweep that succeeded, if the caller wants them.
func (s *sweepStats) write(o *Options, c *Candidates) {
	if o.Stats == nil {
		return
	}
	to, m := o.Stats, c.mesh
	to.Boxes = int64(m.NV + len(m.Edges) + len(m.Faces))
	for k := range c.kinds {
		to.Candidates[k] = int64(c.Count(geom.Kind(k + 1)))
	}
	to.SecondsTotal = s.clock.Seconds()
	to.SecondsBuild = s.build
	to.SecondsBroad = max(0, to.SecondsTotal-to.SecondsBuild)
	to.PeakBytes = s.peak + pairBytes*int64(c.Len())
	to.Threads = int32(s.threads)
	to.DeviceUsed, to.DeviceSeconds, to.DevicePeakBytes = o.Remote.Used()
}

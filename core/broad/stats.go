package broad

import (
	"time"

	"ccd/core/geom"
)

// sweepStats collects the statistics of one sweep.
type sweepStats struct {
	began   time.Time
	build   time.Duration // for boxes and plans
	peak    int64         // working memory without the pairs
	threads int
}

func (o *Options) beginStats() sweepStats { return sweepStats{began: time.Now(), threads: 1} }

// built counts a plan that took the time since then, and the working memory of the sweep with it.
func (s *sweepStats) built(since time.Time, working int64) {
	s.build += time.Since(since)
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
	to.SecondsTotal = time.Since(s.began).Seconds()
	to.SecondsBuild = s.build.Seconds()
	to.SecondsBroad = max(0, to.SecondsTotal-to.SecondsBuild)
	to.PeakBytes = s.peak + pairBytes*int64(c.Len())
	to.Threads = int32(s.threads)
	to.DeviceUsed, to.DeviceSeconds, to.DevicePeakBytes = o.Remote.Used()
}

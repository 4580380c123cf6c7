package rigid

import (
	"time"

	"ccd/core/geom"
)

// Stats tells what a call on a scene did, and how long it took by the wall clock.
type Stats struct {
	Boxes, Pairs       int64 // boxes that were swept, pairs that were left to be asked about
	Impacts, Undecided int64 // answers that are not Separate, and how many of these are open; of an earliest contact those that were met
	SecondsBuild       float64
	SecondsBroad       float64
	SecondsNarrow      float64
	SecondsTotal       float64
	PeakBytes          int64 // of boxes and pairs at any one time, not what is returned
	Threads            int
}

// clock fills a caller's Stats; where there are none, its own.
type clock struct {
	*Stats
	start, last time.Time
	pairs       int64 // the most at one time, in bytes
}

func startClock(s *Stats) *clock {
	if s == nil {
		s = new(Stats)
	}
	*s = Stats{}
	now := time.Now()
	return &clock{Stats: s, start: now, last: now}
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
	c.SecondsBuild += c.lap()
}

func (c *clock) swept(pairs int, size int64) {
	c.pairs = max(c.pairs, int64(pairs)*size)
	c.SecondsBroad += c.lap()
}

func (c *clock) answered(threads int) {
	c.Threads = max(c.Threads, threads)
	c.SecondsNarrow += c.lap()
}

// tally counts answers.
type tally struct{ asked, impacts, undecided int64 }

func (t *tally) count(v geom.Verdict) {
	t.impacts++
	if v == geom.Undecided {
		t.undecided++
	}
}

func (c *clock) count(t tally) {
	c.Pairs += t.asked
	c.Impacts += t.impacts
	c.Undecided += t.undecided
}

// end takes the bytes of what is held beside pairs.
func (c *clock) end(bytes int64) {
	c.PeakBytes = c.pairs + bytes
	c.SecondsTotal = time.Since(c.start).Seconds()
}

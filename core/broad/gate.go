package broad

import (
	"sync"
	"sync/atomic"
	"time"
)

// callEvery is the least time between two calls of the callback, which may be slow (an interpreter's, say).
const callEvery = time.Millisecond

// Gate tells the progress callback how far a call is, from whichever thread comes by, one at a time, and hears from it
// whether to go on. A nil callback is never cancelled.
type Gate struct {
	progress  func(fraction float64) bool
	from, to  float64 // fractions that are done at the beginning and at the end of this part
	total     float64
	done      atomic.Int64
	cancelled atomic.Bool
	calling   sync.Mutex
	last      float64
	called    time.Time
}

// Begin starts a call.
func (g *Gate) Begin(progress func(fraction float64) bool) {
	g.progress, g.last, g.called = progress, 0, time.Time{}
	g.cancelled.Store(false)
	g.Part(1, 1)
}

// Part says that the work to come has this total weight, and that with it the call is done up to the given fraction. No
// thread may be passing.
func (g *Gate) Part(total int64, upTo float64) {
	g.from, g.to, g.total = g.last, max(g.last, upTo), float64(max(total, 1))
	g.done.Store(0)
}

// Pass notes that weight more of the work is done and returns whether to go on.
func (g *Gate) Pass(weight int64) bool {
	done := g.done.Add(weight)
	if g.progress != nil && g.calling.TryLock() {
		defer g.calling.Unlock()
		if now := time.Now(); !g.cancelled.Load() && now.Sub(g.called) >= callEvery {
			g.called = now
			g.last = max(g.last, g.from+float64((g.to-g.from)*min(float64(done)/g.total, 1)))
			if g.progress(g.last) {
				g.cancelled.Store(true)
			}
		}
	}
	return !g.cancelled.Load()
}

// End tells the callback that all is done, and returns whether it was cancelled before, or is now.
func (g *Gate) End() error {
	if g.progress != nil && !g.Cancelled() && g.progress(1) {
		g.cancelled.Store(true)
	}
	if g.Cancelled() {
		return ErrCancelled
	}
	return nil
}

// Cancelled tells whether the callback asked to stop.
func (g *Gate) Cancelled() bool { return g.cancelled.Load() }

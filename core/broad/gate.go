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
	from      float64 // the fraction that was done when Begin or Again was called
	total     float64
	done      atomic.Int64
	cancelled atomic.Bool
	calling   sync.Mutex
	last      float64
	called    time.Time
}

// Begin starts a call whose work has this total weight.
func (g *Gate) Begin(progress func(fraction float64) bool, total int64) {
	g.progress, g.last, g.called = progress, 0, time.Time{}
	g.cancelled.Store(false)
	g.Again(total)
}

// Again starts anew on work of this weight: what was done counts, what was left is replaced. No thread may be passing.
func (g *Gate) Again(total int64) {
	g.from, g.total = g.last, float64(max(total, 1))
	g.done.Store(0)
}

// Pass notes that weight more of the work is done and returns whether to go on.
func (g *Gate) Pass(weight int64) bool {
	done := g.done.Add(weight)
	if g.progress != nil && g.calling.TryLock() {
		defer g.calling.Unlock()
		if now := time.Now(); !g.cancelled.Load() && now.Sub(g.called) >= callEvery {
			g.called = now
			g.last = max(g.last, g.from+(1-g.from)*min(float64(done)/g.total, 1))
			if g.progress(g.last) {
				g.cancelled.Store(true)
			}
		}
	}
	return !g.cancelled.Load()
}

// Cancelled tells whether the callback asked to stop.
func (g *Gate) Cancelled() bool { return g.cancelled.Load() }

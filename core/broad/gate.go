package broad

import (
	"sync"
	"sync/atomic"
)

// Gate tells the progress callback how far a call is, from whichever thread comes by, one at a time.
type Gate struct {
	Progress func(fraction float64) bool // nil, or called from time to time; true cancels
	Total    float64                     // the sum of all weights

	done      atomic.Int64
	cancelled atomic.Bool
	calling   sync.Mutex
	last      float64
}

// Pass notes that weight more of the work is done and returns whether to go on.
func (g *Gate) Pass(weight int64) bool {
	done := g.done.Add(weight)
	if g.Progress != nil && g.calling.TryLock() {
		defer g.calling.Unlock()
		if f := min(float64(done)/g.Total, 1); f > g.last && !g.cancelled.Load() {
			g.last = f
			if g.Progress(f) {
				g.cancelled.Store(true)
			}
		}
	}
	return !g.cancelled.Load()
}

// Cancelled tells whether the callback asked to stop.
func (g *Gate) Cancelled() bool { return g.cancelled.Load() }

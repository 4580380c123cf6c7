package patch

import (
	"cmp"
	"math"
	"sync"
	"sync/atomic"
)

// race is an earliest impact that several goroutines look for: the least answer so far, in the order of Impact.Before.
//
// Every pair is asked the same, whatever is known of others; all that they learn from each other is when to give up. A search may
// be given up once the time that its answer cannot come before, and then its patches' indices, are behind the least answer so far: for
// then it would not win, and the least answer only falls. So the pair that wins is never given up, and wins in every order and on any
// number of threads, with the same bits.
type race struct {
	time atomic.Uint64 // the bits of best.TOILo: for times in [0, +Inf] they are ordered as the times are
	lock sync.Mutex
	best Impact
}

func (r *race) begin() {
	r.best.SetSeparate()
	r.time.Store(math.Float64bits(r.best.TOILo))
}

// least is the least time so far.
func (r *race) least() float64 { return math.Float64frombits(r.time.Load()) }

// lost tells whether an answer of the pair c at the time from or later would come after the least one so far.
func (r *race) lost(from float64, c *candidate) bool {
	if least := r.least(); from != least {
		return from > least
	}
	r.lock.Lock()
	defer r.lock.Unlock()
	return cmp.Or(cmp.Compare(from, r.best.TOILo), cmp.Compare(int64(c.a), r.best.A), cmp.Compare(int64(c.b), r.best.B)) > 0
}

// enter puts in an answer.
func (r *race) enter(im *Impact) {
	r.lock.Lock()
	defer r.lock.Unlock()
	if im.Before(&r.best) {
		r.best = *im
		r.time.Store(math.Float64bits(im.TOILo))
	}
}

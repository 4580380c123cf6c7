package engine

import (
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// A call has up to twenty phases, some of 20 us, and waking a thread takes as long, or longer where
// its processor sleeps. So a goroutine that ends its part of a phase looks for a part of the next
// one for a while, and the calling goroutine likewise looks whether the others are done, before
// either sleeps. A part that no helper has begun when the caller is done with its own is the
// caller's: it waits for nobody who has not come. Results do not depend on who runs a part. Only
// where each worker may have a processor does anyone look so: else it would keep others from
// working.

// A goroutine looks for at least leastLook and at most mostLook: the serial parts between the
// phases of a call are shorter. The time is halved where it was in vain, as on a machine whose
// processors are busy with other programs, and doubled where it was not. Now and then it is the
// longest again: where phases begin late because nobody looks for work, shorter times would stay in
// vain. After the end of a call a helper looks for restLook at most, so that the caller's own
// threads soon have the processors.
const (
	leastLook = time.Microsecond
	mostLook  = 500 * time.Microsecond
	restLook  = 50 * time.Microsecond
	lookAgain = 16
)

// patience is how long goroutines look for the same kind of thing.
type patience struct {
	limit atomic.Int64  // a time.Duration
	looks atomic.Uint32 // counts them
}

var (
	forWork   patience      // how long helpers look
	forOthers patience      // how long callers look whether helpers are done
	ended     atomic.Uint32 // counts the calls that ended well
	epoch     = time.Now()  // a time before the first phase
)

func init() {
	forWork.limit.Store(int64(mostLook))
	forOthers.limit.Store(int64(mostLook))
}

// phase is a call of Parallel.
type phase struct {
	run     func(worker int)
	pending atomic.Int32  // workers that are not done, the caller among them until it sleeps
	done    chan struct{} // closed by the last worker if the caller sleeps
}

// finish counts a worker as done.
func (p *phase) finish() {
	if p.pending.Add(-1) == 0 {
		close(p.done)
	}
}

// wait returns when all workers are done. The caller is.
func (p *phase) wait() {
	if !forOthers.look(func() bool { return p.pending.Load() == 1 }) && p.pending.Add(-1) > 0 {
		<-p.done
	}
}

// look calls ready until it returns true, or for some time, and reports whether it did.
func (p *patience) look(ready func() bool) bool {
	for range 32 {
		if ready() {
			return true
		}
	}
	limit, before := p.limit.Load(), ended.Load()
	if p.looks.Add(1)%lookAgain == 0 {
		limit = int64(mostLook)
	}
	for began := time.Since(epoch); ; {
		for range 8 {
			if ready() {
				p.limit.Store(min(int64(mostLook), 2*limit))
				return true
			}
		}
		switch waited := time.Since(epoch) - began; {
		case int64(waited) > limit:
			p.limit.Store(max(int64(leastLook), limit/2))
			return false
		case waited > restLook && ended.Load() != before:
			return false
		}
	}
}

// helper is a goroutine that takes parts of phases, one after the other. Whoever sets next to nil
// has the part.
type helper struct {
	next   atomic.Pointer[phase] // the phase that the helper has a part of, or nil
	worker int                   // the helper's number in that phase
	serves bool                  // its goroutine runs
}

// idle are the helpers that no phase counts on: they look for work, or have not come yet.
var idle struct {
	sync.Mutex
	list []*helper
}

// summon adds helpers to a list that is empty: idle ones, then new ones. None of them is twice in
// it, as the first ones do not begin before the last ones are there.
func summon(helpers []*helper, count int) []*helper {
	idle.Lock()
	left := max(0, len(idle.list)-count)
	helpers = append(helpers, idle.list[left:]...)
	clear(idle.list[left:])
	idle.list = idle.list[:left]
	idle.Unlock()
	for len(helpers) < count {
		helpers = append(helpers, new(helper))
	}
	return helpers
}

// begin gives the helper the part of a worker.
func (h *helper) begin(p *phase, worker int) {
	h.worker = worker
	h.next.Store(p)
	if !h.serves {
		h.serves = true
		go h.serve()
	}
}

// dismiss takes the part of a phase back and reports whether the helper had not begun it.
func (h *helper) dismiss(p *phase) bool {
	if !h.next.CompareAndSwap(p, nil) {
		return false
	}
	idle.Lock()
	idle.list = slices.Insert(idle.list, 0, h) // Those that have come are taken before it.
	idle.Unlock()
	return true
}

// rest puts the helper among the idle ones.
func (h *helper) rest() {
	idle.Lock()
	idle.list = append(idle.list, h)
	idle.Unlock()
}

// serve runs parts of phases until none begins soon.
func (h *helper) serve() {
	given := func() bool { return h.next.Load() != nil }
	for {
		if !forWork.look(given) && h.leave() {
			return
		}
		p := h.next.Swap(nil)
		if p == nil { // The caller took the part back, or is about to hand it over.
			runtime.Gosched()
			continue
		}
		p.run(h.worker)
		h.rest() // The helper is idle before the phase ends, so that the next phase finds it.
		p.finish()
	}
}

// leave takes the helper from the idle ones and reports whether it was still among them.
func (h *helper) leave() bool {
	idle.Lock()
	defer idle.Unlock()
	for i, x := range idle.list {
		if x == h {
			idle.list = append(idle.list[:i], idle.list[i+1:]...)
			return true
		}
	}
	return false
}

// together runs run(0) to run(n-1), at the same time where each worker may have a processor.
func together(n int, run func(worker int)) {
	p := &phase{run: run, done: make(chan struct{})}
	p.pending.Store(int32(n))
	var few [16]*helper
	helpers := summon(few[:0], n-1)
	for i, h := range helpers {
		h.begin(p, i+1)
	}
	run(0)
	for i, h := range helpers {
		if h.dismiss(p) {
			run(i + 1)
			p.pending.Add(-1)
		}
	}
	p.wait()
}

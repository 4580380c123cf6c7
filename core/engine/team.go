package engine

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// A call has up to twenty phases, some of 20 us, and waking a thread takes as long. So a goroutine
// that ends its part of a phase looks for a part of the next one for a while, and the calling
// goroutine likewise looks whether the others are done, before either sleeps. Results do not depend
// on it. Only where each worker may have a processor does anyone wait so: else it would keep others
// from working.

// Goroutines look for work for at least leastLook and at most mostLook: the serial parts between
// the phases of a call are shorter, but for a few. The time is halved where it was in vain, as on a
// machine whose processors are busy with other programs, and doubled where it was not. Now and then
// it is the longest again: where phases begin late because nobody looks for work, shorter times
// would stay in vain.
const (
	leastLook = time.Microsecond
	mostLook  = 50 * time.Microsecond
	lookAgain = 64
)

var (
	lookFor atomic.Int64  // a time.Duration
	looks   atomic.Uint32 // counts the looks of all goroutines
)

func init() { lookFor.Store(int64(mostLook)) }

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
	if !look(func() bool { return p.pending.Load() == 1 }) && p.pending.Add(-1) > 0 {
		<-p.done
	}
}

// look calls ready until it returns true, or for some time, and reports whether it did.
func look(ready func() bool) bool {
	for range 32 {
		if ready() {
			return true
		}
	}
	limit := lookFor.Load()
	if looks.Add(1)%lookAgain == 0 {
		limit = int64(mostLook)
	}
	for began := time.Since(epoch); ; {
		for range 8 {
			if ready() {
				lookFor.Store(min(int64(mostLook), 2*limit))
				return true
			}
		}
		if int64(time.Since(epoch)-began) > limit {
			lookFor.Store(max(int64(leastLook), limit/2))
			return false
		}
	}
}

// epoch is any time before the first phase.
var epoch = time.Now()

// helper is a goroutine that takes parts of phases, one after the other.
type helper struct {
	next   atomic.Pointer[phase]
	worker int // the helper's number in the next phase
}

// idle are the helpers that look for work.
var idle struct {
	sync.Mutex
	list []*helper
}

// start runs the part of a worker in an idle helper, or in a new one.
func (p *phase) start(worker int) {
	idle.Lock()
	n := len(idle.list) - 1
	if n < 0 {
		idle.Unlock()
		h := &helper{worker: worker}
		go h.serve(p)
		return
	}
	h := idle.list[n]
	idle.list = idle.list[:n]
	idle.Unlock()
	h.worker = worker
	h.next.Store(p)
}

// serve runs a part of a phase, and of others that begin soon.
func (h *helper) serve(p *phase) {
	for ; p != nil; p = h.another() {
		p.run(h.worker)
		h.next.Store(nil)
		idle.Lock() // The helper is idle before the phase ends, so that the next phase finds it.
		idle.list = append(idle.list, h)
		idle.Unlock()
		p.finish()
	}
}

// another returns the next phase that the helper has a part of, nil if none begins soon.
func (h *helper) another() *phase {
	given := func() bool { return h.next.Load() != nil }
	if !look(given) && h.leave() {
		return nil
	}
	for !given() { // Another goroutine is handing over the phase.
		runtime.Gosched()
	}
	return h.next.Load()
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

// together runs run(0) to run(n-1) at the same time, where each worker may have a processor.
func together(n int, run func(worker int)) {
	p := &phase{run: run, done: make(chan struct{})}
	p.pending.Store(int32(n))
	for i := 1; i < n; i++ {
		p.start(i)
	}
	run(0)
	p.wait()
}

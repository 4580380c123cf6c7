//go:build ccd_virtual

package engine

import (
	"runtime"
	"strings"
	"time"
)

// With the build tag ccd_virtual, Parallel computes how long a call would take on as many
// processors as it has workers, on any machine: bench/threads prints it. One worker runs at a time.
// Each has a clock, which adds the processor time of its thread, and the worker with the least
// clock takes the next task. So tasks are taken in the order in which so many processors would take
// them, each worker sees what was found before, and a phase lasts as long as its last worker.
// Waking threads, waiting for locks, memory bandwidth and the garbage collector are not computed.
// Calls must be made one at a time.

// Phase is a call of Parallel.
type Phase struct {
	Where   string // the function that called it
	Workers int
	Serial  time.Duration // time of the calling goroutine since the phase before
	Work    time.Duration // time of all workers together
	Span    time.Duration // time of the worker that took longest
}

// ThreadTime returns the processor time of the calling thread. Record needs it.
var ThreadTime func() time.Duration

// virtualWorker is a goroutine that Parallel runs. Its clock runs while it is current.
type virtualWorker struct {
	clock, mark time.Duration
	resume      chan struct{}
	done        bool
	group       *virtualGroup
}

// virtualGroup is the workers of a call of Parallel.
type virtualGroup struct {
	workers []*virtualWorker
	yield   chan struct{}
}

var (
	current *virtualWorker // nil: nothing is recorded
	phases  []Phase
	serial  time.Duration // the clock of the recorded call at the end of its last phase
)

// Record runs a call and returns its phases and how long it would take. The last phase is what
// follows the others.
func Record(call func()) ([]Phase, time.Duration) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	phases, serial = nil, 0
	root := &virtualWorker{mark: ThreadTime()}
	current = root
	call()
	root.charge()
	current = nil
	return append(phases, Phase{Where: "end", Serial: root.clock - serial}), root.clock
}

// charge adds what the worker did since its clock was read to it.
func (w *virtualWorker) charge() {
	now := ThreadTime()
	w.clock += now - w.mark
	w.mark = now
}

// turn is where a worker takes a task: it waits until no other worker of its group is behind it.
func turn() {
	w := current
	if w == nil || w.group == nil {
		return
	}
	w.charge()
	if w.group.next() != w {
		w.group.yield <- struct{}{}
		<-w.resume
		w.mark = ThreadTime()
	}
}

// next returns the worker that is the farthest behind, nil if all are done.
func (g *virtualGroup) next() (least *virtualWorker) {
	for _, w := range g.workers {
		if !w.done && (least == nil || w.clock < least.clock) {
			least = w
		}
	}
	return least
}

// parallel is Parallel for n > 1.
func parallel(n int, work func(worker int)) error {
	caller := current
	if caller == nil {
		return concurrently(n, work)
	}
	caller.charge()
	g := &virtualGroup{yield: make(chan struct{})}
	errs := make([]error, n)
	for i := range n {
		w := &virtualWorker{clock: caller.clock, resume: make(chan struct{}), group: g}
		g.workers = append(g.workers, w)
		go func() {
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			<-w.resume
			w.mark = ThreadTime()
			errs[i] = safely(work, i)
			w.charge()
			w.done = true
			g.yield <- struct{}{}
		}()
	}
	for w := g.next(); w != nil; w = g.next() {
		current = w
		w.resume <- struct{}{}
		<-g.yield
	}
	p := Phase{Where: callerName(), Workers: n}
	end := caller.clock
	for _, w := range g.workers {
		p.Work += w.clock - caller.clock
		end = max(end, w.clock)
	}
	p.Span = end - caller.clock
	if caller.group == nil {
		p.Serial = caller.clock - serial
		serial = end
		phases = append(phases, p)
	}
	current, caller.clock = caller, end
	caller.mark = ThreadTime()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// callerName returns the function outside of this package that called it.
func callerName() string {
	var pc [16]uintptr
	frames := runtime.CallersFrames(pc[:runtime.Callers(2, pc[:])])
	for {
		f, more := frames.Next()
		if !strings.HasPrefix(f.Function, "ccd/core/engine.") || !more {
			return strings.TrimPrefix(f.Function, "ccd/core/")
		}
	}
}

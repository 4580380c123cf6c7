package engine

import (
	"sync"
	"sync/atomic"
	"time"

	"ccd/core/status"
)

// callEvery is the least time between two calls of the callback, which may be slow (in an
// interpreter, say).
const callEvery = time.Millisecond

// Progress calls the progress callback with the fraction of the call that is done, from any worker
// but never concurrently, and stores whether the callback cancelled the call. Without a callback a
// call is never cancelled.
type Progress struct {
	callback  func(fraction float64) bool
	from, to  float64 // fractions that are done at the beginning and at the end of this part
	total     float64
	searched  float64 // fraction that is done when the last part before the list ends
	done      atomic.Int64
	cancelled atomic.Bool
	calling   sync.Mutex
	last      float64
	called    time.Time
}

// Half returns the progress callback of the first (0) or the second (1) of two calls that count as
// one.
func Half(progress func(fraction float64) bool, i int) func(fraction float64) bool {
	return Share(progress, i, 2)
}

// Share returns the progress callback of the i-th of n calls that count as one.
func Share(progress func(fraction float64) bool, i, n int) func(fraction float64) bool {
	if progress == nil {
		return nil
	}
	return func(fraction float64) bool { return progress((float64(i) + fraction) / float64(n)) }
}

// Begin starts a call.
func (p *Progress) Begin(callback func(fraction float64) bool) {
	p.callback, p.last, p.called, p.searched = callback, 0, time.Time{}, 1
	p.cancelled.Store(false)
	p.Part(1, 1)
}

// listed is the fraction of a call that is reserved for its list: gathering it took from 0.1 to
// 0.22 of calls that listed 0.4 and 3 million pairs.
const listed = 0.2

// Reserve leaves room for the list at the end of the call: the parts up to List are of the rest of
// it.
func (p *Progress) Reserve() { p.searched = 1 - listed }

// List begins the last part of a call that called Reserve: total items are gathered, each of which
// is passed once.
func (p *Progress) List(total int) { p.begin(int64(total), 1) }

// Part begins a part of the work. total is its weight, upTo the fraction of the call, without its
// list, that is done when it ends. No worker may be in Pass.
func (p *Progress) Part(total int64, upTo float64) { p.begin(total, float64(upTo*p.searched)) }

func (p *Progress) begin(total int64, to float64) {
	p.from, p.to, p.total = p.last, max(p.last, to), float64(max(total, 1))
	p.done.Store(0)
}

// Before begins a part of the work that precedes what ends at upTo, and is a share of it. No worker
// may be in Pass.
func (p *Progress) Before(total int64, upTo, share float64) {
	p.begin(total, p.last+float64(share*(float64(upTo*p.searched)-p.last)))
}

// Pass adds weight to what is done of the part and reports whether to go on.
func (p *Progress) Pass(weight int64) bool {
	done := p.done.Add(weight)
	if p.callback != nil && p.calling.TryLock() {
		defer p.calling.Unlock()
		if now := time.Now(); !p.cancelled.Load() && now.Sub(p.called) >= callEvery {
			p.called = now
			p.last = max(p.last, p.from+float64((p.to-p.from)*min(float64(done)/p.total, 1)))
			if p.callback(p.last) {
				p.cancelled.Store(true)
			}
		}
	}
	return !p.cancelled.Load()
}

// GoOn reports whether to go on: false where the callback cancelled the call. Work that has no
// fraction of its own, such as that of a tree, asks it every few milliseconds.
func (p *Progress) GoOn() bool { return p.Pass(0) }

// End calls the callback a last time, and returns status.ErrCancelled if the callback cancelled the
// call, now or before. Helpers that look for work of the call learn that there is none.
func (p *Progress) End() error {
	ended.Add(1)
	if p.callback != nil && !p.Cancelled() && p.callback(1) {
		p.cancelled.Store(true)
	}
	return p.Err()
}

// Err returns status.ErrCancelled if the callback cancelled the call.
func (p *Progress) Err() error {
	if p.Cancelled() {
		return status.ErrCancelled
	}
	return nil
}

// Cancelled reports whether the callback cancelled the call.
func (p *Progress) Cancelled() bool { return p.cancelled.Load() }

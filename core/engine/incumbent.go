package engine

import (
	"math"
	"sync"
	"sync/atomic"
)

// Least is the least number so far, which workers lower and which never rises within a call: the end of the time that still matters in a
// search for the earliest impact, say.
type Least struct{ bits atomic.Uint64 }

// Set begins a search.
func (l *Least) Set(x float64) { l.bits.Store(ordered(x)) }

// Load is the least number.
func (l *Least) Load() float64 { return unordered(l.bits.Load()) }

// Lower brings the number down to x, unless it is there or below.
func (l *Least) Lower(x float64) {
	for bits := ordered(x); ; {
		old := l.bits.Load()
		if bits >= old || l.bits.CompareAndSwap(old, bits) {
			return
		}
	}
}

// ordered is a double's bits in the order of the doubles, of either sign; -0 counts as 0.
func ordered(x float64) uint64 {
	b := math.Float64bits(x + 0)
	if b>>63 != 0 {
		return ^b
	}
	return b | 1<<63
}

func unordered(b uint64) float64 {
	if b>>63 != 0 {
		return math.Float64frombits(b &^ (1 << 63))
	}
	return math.Float64frombits(^b)
}

// Incumbent is the least answer so far of a search for the earliest impact, with its time as a bound that is read without a lock.
//
// The workers of a search learn one thing from each other: when to give up a pair. A pair may be given up once the time that its answer
// cannot come before is after the incumbent's, or equal with a pair that is later in the order: it would not win, and the incumbent only
// falls. So the pair that wins is never given up, and wins in every order and on any number of workers, with the same bits.
type Incumbent[T any] struct {
	bound  Least
	lock   sync.Mutex
	best   T
	before func(a, b *T) bool
	time   func(a *T) float64
}

// Begin starts a search with an answer that all others come before. before is a strict order, first by time.
func (c *Incumbent[T]) Begin(none T, time func(*T) float64, before func(a, b *T) bool) {
	c.best, c.time, c.before = none, time, before
	c.bound.Set(time(&none))
}

// Time is the time of the least answer so far.
func (c *Incumbent[T]) Time() float64 { return c.bound.Load() }

// Enter puts in an answer.
func (c *Incumbent[T]) Enter(x *T) {
	if c.time(x) > c.bound.Load() {
		return
	}
	c.lock.Lock()
	defer c.lock.Unlock()
	if c.before(x, &c.best) {
		c.best = *x
		c.bound.Set(c.time(x))
	}
}

// Best is the least answer so far.
func (c *Incumbent[T]) Best() T {
	c.lock.Lock()
	defer c.lock.Unlock()
	return c.best
}

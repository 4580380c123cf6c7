package engine

import (
	"math"
	"sync"
	"sync/atomic"
)

// Least is a number that workers lower concurrently and that never rises within a call: for example
// the end of the time that still matters in a search for the earliest impact.
type Least struct{ bits atomic.Uint64 }

// Set begins a search.
func (l *Least) Set(x float64) { l.bits.Store(ordered(x)) }

// Load returns the number.
func (l *Least) Load() float64 { return unordered(l.bits.Load()) }

// Lower sets the number to x if x is less.
func (l *Least) Lower(x float64) {
	for bits := ordered(x); ; {
		old := l.bits.Load()
		if bits >= old || l.bits.CompareAndSwap(old, bits) {
			return
		}
	}
}

// ordered maps doubles of either sign to integers in the same order; -0 counts as 0.
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

// Incumbent is the least result so far of a search for the earliest impact. Its time is a bound
// that workers read without a lock.
//
// The workers of a search share only the incumbent. A pair can be abandoned once the lower bound of
// its time is after the incumbent's time, or is equal and the pair is later in the order. Such a
// pair cannot win, and the incumbent only falls. So the pair that wins is never abandoned, and wins
// in every order and on any number of workers, with the same bits.
type Incumbent[T any] struct {
	bound  Least
	lock   sync.Mutex
	best   T
	before func(a, b *T) bool
	time   func(a *T) float64
}

// Begin starts a search with a result that all others precede. before is a strict order, first by
// time.
func (c *Incumbent[T]) Begin(none T, time func(*T) float64, before func(a, b *T) bool) {
	c.best, c.time, c.before = none, time, before
	c.bound.Set(time(&none))
}

// Time returns the time of the least result so far.
func (c *Incumbent[T]) Time() float64 { return c.bound.Load() }

// Enter offers a result.
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

// Best returns the least result so far.
func (c *Incumbent[T]) Best() T {
	c.lock.Lock()
	defer c.lock.Unlock()
	return c.best
}

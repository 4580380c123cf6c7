package step

import (
	"sync/atomic"

	"ccd/core/geom"
)

// The pairs that a search leaves for the motions near its own. The search for the longest safe step
// of Advance proves most pairs apart, by boxes and filters. With a margin it proves that they stay
// apart on every motion that an attempt may make, whose positions are rounded. The others are kept,
// and each attempt tests these alone. docs/proofs/steps.md, "Advance", has the proof.

// marginUnit is the margin relative to the largest coordinate and separation: 16u, of which 10u are
// needed for the positions and 2u for the separation.
const marginUnit = 0x1p-49

// leastMargin is far above what underflow adds to a position, 2^-1075.
const leastMargin = 0x1p-1000

// marginOf returns the margin of a call's search.
func marginOf(c *call) float64 {
	separation := c.radii.LargestSeparation(c.o.MinSeparation)
	return max(float64(marginUnit*(c.path.Segments().Largest()+separation)), leastMargin)
}

// searches are how the whole step and the attempts are searched.
type searches interface {
	// first returns the earliest impact of the whole step.
	first(a *advance, on *segments) (geom.Impact, error)
	// test returns an impact of an attempt, if there is any.
	test(a *advance, on *segments) (geom.Impact, error)
}

// searchedAgain searches each attempt as the whole step.
type searchedAgain struct{}

func (searchedAgain) first(a *advance, on *segments) (geom.Impact, error) {
	return a.search(on, a.o, (*call).earliest)
}

func (searchedAgain) test(a *advance, on *segments) (geom.Impact, error) {
	return a.search(on, a.exact, (*call).earliest)
}

func (p *keptPairs) first(a *advance, on *segments) (geom.Impact, error) {
	return a.search(on, a.o, func(c *call) (geom.Impact, error) {
		c.memory.margin = marginOf(c)
		im, err := c.earliest()
		for k := range p {
			p[k] = p[k][:0]
			for _, w := range c.workers[:c.Stats.Threads] {
				p[k] = append(p[k], w.unproven.lists[k]...)
			}
		}
		return im, err
	})
}

func (p *keptPairs) test(a *advance, on *segments) (geom.Impact, error) {
	o := a.exact
	o.Candidates = nil
	return a.search(on, o, func(c *call) (geom.Impact, error) { return anyOf(c, p) })
}

// keptBlock is the number of pairs that a worker tests at a time.
const keptBlock = 1024

// anyOf returns an impact of some of the given pairs, if there is any.
func anyOf(c *call, pairs *keptPairs) (geom.Impact, error) {
	type task struct {
		kind  geom.Kind
		pairs [][2]int32
	}
	var tasks []task
	for k, list := range pairs {
		for i := 0; i < len(list); i += keptBlock {
			tasks = append(tasks, task{geom.Kind(k), list[i:min(i+keptBlock, len(list))]})
		}
	}
	var found atomic.Pointer[geom.Impact]
	any := everyImpact(c, func(_ *worker, im *geom.Impact) {
		one := *im
		found.Store(&one)
	})
	err := eachBlock(c, len(tasks), 1, func(w *worker, lo, _ int) {
		if found.Load() != nil {
			return
		}
		t := &tasks[lo]
		w.pairs[t.kind-1] += int64(len(t.pairs))
		w.of, w.idx = c.path.Segments(), c.m.Gather(t.kind, t.pairs, w.idx)
		any.block(w, t.kind, t.pairs)
	})
	im := noImpact()
	if one := found.Load(); one != nil {
		im = *one
	}
	return c.answer(im, err)
}

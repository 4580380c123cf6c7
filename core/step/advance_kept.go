package step

import (
	"sync/atomic"

	"ccd/core/geom"
	"ccd/core/kernel"
	"ccd/core/narrow"
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

// unproven is the pairs that a worker's search does not prove apart with a margin.
type unproven struct {
	margin kernel.Margin
	lists  [geom.EdgeFace][][2]int32 // by kind
	kind   geom.Kind                 // of the current block
	block  [][2]int32
}

// add adds pair i of the current block.
func (p *unproven) add(i int32) { p.lists[p.kind] = append(p.lists[p.kind], p.block[i]) }

// clear forgets the pairs.
func (p *unproven) clear() {
	for k := range p.lists {
		p.lists[k] = p.lists[k][:0]
	}
}

// bytes returns the memory of the pairs.
func (p *unproven) bytes() (n int64) {
	for _, list := range p.lists {
		n += int64(8 * cap(list))
	}
	return n
}

// keepsPairs reports whether a search with these options can keep pairs: a method with a tolerance
// proves less, a device does not say what it leaves, and the number of pairs is not bounded.
func (o *Options) keepsPairs() bool {
	return o.Unique() && o.Device == nil && o.MemoryLimit == 0 && o.Flags&narrow.BruteForce == 0
}

// marginOf returns the margin of a call's search.
func marginOf(c *call) float64 {
	separation := c.radii.LargestSeparation(c.o.MinSeparation)
	return max(float64(marginUnit*(c.path.Segments().Largest()+separation)), leastMargin)
}

// collectUnproven lets the solver of a worker collect the pairs of a block that it does not prove
// apart with a margin, if it is not 0. The function that it returns ends that.
func (w *worker) collectUnproven(margin float64, k geom.Kind, pairs [][2]int32) (end func()) {
	if margin == 0 {
		return func() {}
	}
	p := &w.unproven
	p.kind, p.block = k, pairs
	p.margin = kernel.Margin{Width: margin, Left: p.add}
	w.solver.Margin = &p.margin
	return func() { w.solver.Margin, p.block = nil, nil }
}

// first keeps the pairs that attempts must test, if it can.
func (l *straightLanding) first() (geom.Impact, error) {
	a := l.a
	if l.keeps = a.o.keepsPairs(); !l.keeps {
		return a.search(l.on, a.o, (*call).earliest)
	}
	return a.search(l.on, a.o, func(c *call) (geom.Impact, error) {
		c.memory.margin = marginOf(c)
		im, err := c.earliest()
		for k := range l.kept {
			l.kept[k] = l.kept[k][:0]
			for _, w := range c.workers[:c.Stats.Threads] {
				l.kept[k] = append(l.kept[k], w.unproven.lists[k]...)
			}
		}
		return im, err
	})
}

// test searches the motion x0 -> a.x, among the pairs that are kept where they are known.
func (l *straightLanding) test() (geom.Impact, error) {
	a, way := l.a, &segments{l.on.x0, l.a.x}
	if !l.keeps {
		return a.search(way, a.exact, (*call).earliest)
	}
	o := a.exact
	o.Candidates = nil
	return a.search(way, o, func(c *call) (geom.Impact, error) { return anyOf(c, &l.kept) })
}

// keptBlock is the number of pairs that a worker tests at a time.
const keptBlock = 1024

// anyOf returns an impact of some of the given pairs, if there is any.
func anyOf(c *call, pairs *[geom.EdgeFace][][2]int32) (geom.Impact, error) {
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

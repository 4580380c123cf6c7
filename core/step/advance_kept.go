package step

import (
	"sync/atomic"

	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/kernel"
	"ccd/core/narrow"
)

// The pairs that a search leaves for the motions near its own. The search for the longest safe step of Advance proves most pairs apart, by boxes
// and filters. With a margin it proves that they stay apart on every motion that an attempt may make, whose positions are rounded. The others are
// kept, and each attempt tests these alone. docs/proofs/steps.md, "Advance", has the proof.

// marginUnit is the margin relative to the largest coordinate and separation: 16u, of which 10u are needed for the positions and 2u for the
// separation.
const marginUnit = 0x1p-49

// leastMargin is far above what underflow adds to a position, 2^-1075.
const leastMargin = 0x1p-1000

// kept is what a worker keeps of a search.
type kept struct {
	margin kernel.Margin
	lists  [geom.EdgeFace][][2]int32 // by kind
	kind   geom.Kind                 // of the current block
	block  [][2]int32
}

// add keeps pair i of the current block.
func (p *kept) add(i int32) { p.lists[p.kind] = append(p.lists[p.kind], p.block[i]) }

// clear forgets the pairs.
func (p *kept) clear() {
	for k := range p.lists {
		p.lists[k] = p.lists[k][:0]
	}
}

// bytes returns the memory of the pairs.
func (p *kept) bytes() (n int64) {
	for _, list := range p.lists {
		n += int64(8 * cap(list))
	}
	return n
}

// keepsPairs reports whether a search with these options can keep pairs: a method with a tolerance proves less, a device does not say what it leaves,
// and the number of pairs is not bounded.
func (o *Options) keepsPairs() bool {
	return o.Unique() && o.Device == nil && o.MemoryLimit == 0 && o.Flags&narrow.BruteForce == 0
}

// keep makes the search keep pairs.
func (c *call) keep() {
	c.margin = max(float64(marginUnit*(c.mo.Largest()+c.radii.LargestSeparation(c.o.MinSeparation))), leastMargin)
}

// keeps lets the solver of a worker keep pairs of a block. The function that it returns ends that.
func (c *call) keeps(w *worker, k geom.Kind, pairs [][2]int32) (end func()) {
	if c.margin == 0 {
		return func() {}
	}
	w.kept.kind, w.kept.block = k, pairs
	w.kept.margin = kernel.Margin{Width: c.margin, Left: w.kept.add}
	w.solver.Margin = &w.kept.margin
	return func() { w.solver.Margin, w.kept.block = nil, nil }
}

// first searches the whole step, and keeps the pairs that attempts must test, if it can.
func (a *advance) first() (geom.Impact, error) {
	if a.keeps = a.o.keepsPairs(); !a.keeps {
		return a.earliest(a.x1, a.o)
	}
	return a.call(a.x1, a.o, func(c *call) (geom.Impact, error) {
		c.keep()
		im, err := c.earliest()
		for k := range a.kept {
			a.kept[k] = a.kept[k][:0]
			for _, w := range c.workers[:c.Stats.Threads] {
				a.kept[k] = append(a.kept[k], w.kept.lists[k]...)
			}
		}
		return im, err
	})
}

// test returns an impact of the motion x0 -> a.x, if there is any.
func (a *advance) test() (geom.Impact, error) {
	if !a.keeps {
		return a.earliest(a.x, a.exact)
	}
	o := a.exact
	o.Candidates = nil
	return a.call(a.x, o, func(c *call) (geom.Impact, error) { return c.anyOf(&a.kept) })
}

// keptBlock is the number of pairs that a worker tests at a time.
const keptBlock = 1024

// anyOf returns an impact of some of the given pairs, if there is any.
func (c *call) anyOf(pairs *[geom.EdgeFace][][2]int32) (geom.Impact, error) {
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
	c.Progress.Part(int64(len(tasks)), 1)
	left := engine.NewTasks(0, len(tasks))
	var found atomic.Pointer[geom.Impact]
	err := c.Run(len(tasks), func(i int) {
		w := c.workers[i]
		for j := range left.All() {
			t := &tasks[j]
			w.pairs[t.kind-1] += int64(len(t.pairs))
			w.of, w.idx = nil, c.m.Gather(t.kind, t.pairs, w.idx)
			w.solve(c, t.kind, t.pairs, c.o.Options, func(i int, im *geom.Impact) {
				one := *im
				one.A, one.B = int64(t.pairs[i][0]), int64(t.pairs[i][1])
				found.Store(&one)
			})
			if !c.Progress.Pass(1) || found.Load() != nil {
				return
			}
		}
	})
	im := noImpact()
	if one := found.Load(); one != nil {
		im = *one
	}
	return c.answer(im, err)
}

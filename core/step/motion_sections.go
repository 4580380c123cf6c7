package step

import (
	"sync"

	"ccd/core/geom"
	"ccd/core/motion"
)

// Sections. Where paths bend, boxes around the whole step are wide, and many pairs meet there that are apart at all times. A call may sweep
// sections of the step instead, one after the other: parts of the same length of each piece, with midlines, bands and boxes of their own.
//
// Nothing is lost: the sections cover [0, t_max]. Let a pair have its first contact at t, in section i. The boxes of section i hold its paths there, so the pair is found,
// and no kernel proves it apart, on parts that cover the section. So it is solved in section i at the latest.
//
// Nothing is doubled in a call that wants all pairs: a pair is solved over the whole of [0, t_max], whatever the section, so its result is that of a call without sections. The pairs of a section are found once,
// and those that were solved are kept in a set that later sections leave out. The earliest impact is searched in sections if none is known once a part of the whole is swept; a pair may then be
// solved again, with the same result.
type section struct {
	motion.Part
	halvings int
	count    int // of the sections of the call; 1: the whole step
	at       int // number of this one
	all      int // pieces of the motion
}

// parts are the numbers of the parts of so many halvings that cover the section.
func (s *section) parts(halvings int) (from, to int) {
	switch {
	case s.count == 1:
		return 0, s.all << halvings
	case halvings < s.halvings:
		from = s.at >> (s.halvings - halvings)
		return from, from + 1
	}
	return s.at << (halvings - s.halvings), (s.at + 1) << (halvings - s.halvings)
}

// pieces is how many pieces the section is in.
func (s *section) pieces() int {
	if s.count == 1 {
		return s.all
	}
	return 1
}

// maxSections is the largest number of sections.
const maxSections = 8

// Costs of sections, in the units of restart.go.
const (
	costSection = 350 // a primitive, once: midlines, bands, radii, records, cells, and the sweep that finds nothing
	costSifted  = 45  // a pair that passes the boxes: the sweep and the kernels
)

// sectionMargin is the factor by which sections must be cheaper. At 0 tests have as many as there may be.
var sectionMargin = 1.2

// mayHaveSections reports whether the step may be swept in sections: it has the bits of one sweep, and nothing counts on one.
func (c *call) mayHaveSections() bool {
	return c.moves() && c.exact() && mayCutMotion(c.paths, &c.o) && c.given == nil && c.moving.section.count == 1 && c.paths.Pieces() <= maxSections
}

// chooseSections returns by how many halvings of its pieces the step is best divided, -1 if not at all, for a call that wants all pairs. The plan of the whole step is made; its pairs are
// estimated by some of its tasks.
func (c *call) chooseSections() (halvings int) {
	if !c.mayHaveSections() {
		return -1
	}
	if sectionMargin == 0 {
		return c.mostHalvings()
	}
	pairs := c.estimatePairs()
	return c.bestSections(pairs, float64(costSection*float64(c.Stats.Boxes))+float64(costSifted*pairs))
}

// mostHalvings is that of the most sections.
func (c *call) mostHalvings() (h int) {
	for c.paths.Pieces()<<(h+1) <= maxSections {
		h++
	}
	return h
}

// bestSections returns the halvings of the sections that cost least, -1 if none costs less than is left of a sweep of the whole that finds so many pairs. The pairs of a section
// are estimated by the sizes of boxes.
func (c *call) bestSections(pairs, left float64) (halvings int) {
	fixed := float64(costSection * float64(c.Stats.Boxes))
	if left < 2*sectionMargin*fixed {
		return -1
	}
	halvings = -1
	for h := 0; h <= c.mostHalvings(); h++ {
		n := float64(int(c.paths.Pieces() << h))
		if n == 1 {
			continue
		}
		cost := sectionMargin * n * c.o.TMax * (fixed + float64(costSifted*pairs*c.plan.SurvivalRatio(&c.mo, min(1, 1/(n*c.upTo)))))
		if cost < left {
			left, halvings = cost, h
		}
	}
	return halvings
}

// enoughDone is the part of a plan that shows how many pairs it has.
const enoughDone = 1.0 / 32

// dividePays reports, after a worker's task of a search for the earliest impact that knows of none yet, whether sections are expected to cost less than the rest of this
// pass. It sets s.divide.
func (s *search) dividePays(w *worker, done float64) bool {
	share := done / float64(s.plan.Weight())
	if s.divide.Load() != 0 || !s.mayHaveSections() || sectionMargin > 0 && share < enoughDone || !s.divide.CompareAndSwap(0, -1) {
		return false
	}
	h := s.mostHalvings()
	if sectionMargin > 0 {
		fixed, pairs := float64(costSection*float64(s.Stats.Boxes)), float64(w.sweep.Kept)*float64(s.Stats.Threads)/share
		h = s.bestSections(pairs, float64((1-share)*(float64(fixed/2)+float64(costSifted*pairs))))
	}
	if h < 0 {
		return false
	}
	s.divide.Store(int32(h + 1))
	return true
}

// inSections searches the sections in the order of time, up to the earliest impact that is known. One that begins later has no pair that matters.
func (s *search) inSections(halvings int) (geom.Impact, error) {
	for i := range s.paths.Pieces() << halvings {
		if motion.PartOf(s.paths, i, halvings).From > s.end() {
			break
		}
		s.enter(i, halvings)
		for again := true; again; {
			var err error
			if again, err = s.pass(0); err != nil {
				return noImpact(), err
			}
		}
	}
	return s.result()
}

// doneAfter is the part of the call that is done after the current slab or section.
func (c *call) doneAfter() float64 {
	if s := &c.moving.section; s.count > 1 {
		return float64(s.at+1) / float64(s.count)
	}
	return c.slabs.UpTo()
}

// Sampling: about how many tasks estimatePairs sweeps at most, and how many pairs are enough of them.
const (
	sampledTasks = 8
	sampledPairs = 1 << 16
)

// estimatePairs estimates the number of pairs that the plan will find.
func (c *call) estimatePairs() float64 {
	tasks, w := c.plan.Tasks(), c.workers[0]
	swept, kept := w.sweep.Swept, w.sweep.Kept
	weight, pairs := 0, 0
	for i := 0; i < len(tasks) && pairs < sampledPairs; i += 1 + len(tasks)/sampledTasks {
		weight += tasks[i].Weight
		w.sweep.Sweep(&c.plan, &tasks[i], func(_ geom.Kind, found [][2]int32) bool {
			pairs += len(found)
			return true
		})
	}
	w.sweep.Swept, w.sweep.Kept = swept, kept
	return float64(pairs) * float64(c.plan.Weight()) / float64(max(weight, 1))
}

// sweepSections calls handle for the candidates of each section.
func (c *call) sweepSections(halvings int, handle func(w *worker, k geom.Kind, pairs [][2]int32)) error {
	c.moving.solved.once = true
	for i := range c.paths.Pieces() << halvings {
		if motion.PartOf(c.paths, i, halvings).From > c.o.TMax {
			break
		}
		c.enter(i, halvings)
		if err := c.build(c.horizon()); err != nil {
			return err
		}
		c.Progress.Part(c.plan.Weight(), c.doneAfter())
		if _, err := c.run(c.plan.LongestFirst, handle, nil, nil); err != nil {
			return err
		}
		if c.halt.Load() {
			return errVisitor
		}
		c.leave()
	}
	return nil
}

// enter makes the midlines, bands, radii and parts those of a section.
func (c *call) enter(i, halvings int) {
	p := &c.moving
	p.section = section{Part: motion.PartOf(p.paths, i, halvings), halvings: halvings, count: p.paths.Pieces() << halvings, at: i, all: p.paths.Pieces()}
	c.mo.Reserve(c.m.NV)
	deviation := make([]float64, 3*c.m.NV)
	c.byVertices(func(from, to int) { p.paths.LoadPart(i, halvings, from, to, &c.mo, deviation, nil) })
	c.setBands(deviation)
	p.cut = motionParts{once: new(sync.Once)}
	c.firstLevel()
	c.slabs.Begin(c.o.Slab)
}

// leave adds the pairs that workers have solved in a section to those that later ones leave out.
func (c *call) leave() {
	for _, w := range c.workers[:c.Stats.Threads] {
		c.moving.solved.add(w.moving.solved)
	}
	c.forgetSifted()
}

// pairSet is a set of pairs: a hash table with open addressing.
type pairSet struct {
	once bool     // whether pairs are solved once
	keys []uint64 // 0: free
	n    int
}

// keyOf is a number of the pair, not 0: kinds are 1 to 4, indices below 2^31, and no point is paired with itself.
func keyOf(k geom.Kind, pair [2]int32) uint64 {
	return (uint64(k-1)<<62 | uint64(pair[0])<<31 | uint64(pair[1])) + 1
}

// slot is where a key is, or would be.
func (s *pairSet) slot(key uint64) int {
	mask := uint64(len(s.keys) - 1)
	for i := key * 0x9e3779b97f4a7c15 >> 20 & mask; ; i = (i + 1) & mask {
		if s.keys[i] == key || s.keys[i] == 0 {
			return int(i)
		}
	}
}

// has reports whether a pair is in the set.
func (s *pairSet) has(key uint64) bool { return s.n > 0 && s.keys[s.slot(key)] == key }

// add adds keys that are not in the set.
func (s *pairSet) add(keys []uint64) {
	if 2*(s.n+len(keys)) > len(s.keys) {
		old, size := s.keys, 1024
		for size < 4*(s.n+len(keys)) {
			size *= 2
		}
		s.keys = make([]uint64, size)
		for _, key := range old {
			if key != 0 {
				s.keys[s.slot(key)] = key
			}
		}
	}
	for _, key := range keys {
		s.keys[s.slot(key)] = key
	}
	s.n += len(keys)
}

// bytes is the memory of the set.
func (s *pairSet) bytes() int64 { return int64(8 * cap(s.keys)) }

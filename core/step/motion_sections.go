package step

import (
	"sync"

	"ccd/core/broad"
	"ccd/core/geom"
	"ccd/core/motion"
)

// Sections. Where paths bend, boxes around the whole step are wide, and many pairs meet there that are apart at all times. A call that wants all pairs may sweep
// sections of the step instead, one after the other: parts of the same length of each piece, with midlines, bands and boxes of their own.
//
// Nothing is lost: the sections cover [0, t_max]. Let a pair have its first contact at t, in section i. The boxes of section i hold its paths there, so the pair is found,
// and no kernel proves it apart, on parts that cover the section. So it is solved in section i at the latest.
//
// Nothing is doubled: a pair is solved over the whole of [0, t_max], whatever the section, so its result is that of a call without sections. The pairs of a section are found once,
// and those that were solved are kept in a set that later sections leave out.
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

// chooseSections returns by how many halvings of its pieces the step is best divided, -1 if not at all. The plan of the whole step is made; its pairs are estimated by some of its tasks,
// and those of a section by the sizes of boxes.
func (c *call) chooseSections() (halvings int) {
	if !c.mayHaveSections() {
		return -1
	}
	pieces := c.paths.Pieces()
	if sectionMargin == 0 {
		for h := 0; ; h++ {
			if pieces<<(h+1) > maxSections {
				return h
			}
		}
	}
	fixed, pairs := float64(costSection*float64(c.Stats.Boxes)), c.estimatePairs()
	best, halvings := fixed+float64(costSifted*pairs), -1
	if best < 2*sectionMargin*fixed {
		return -1
	}
	for h := 0; pieces<<h <= maxSections; h++ {
		n := float64(int(pieces << h))
		if n == 1 {
			continue
		}
		cost := n * c.o.TMax * (fixed + float64(costSifted*pairs*c.plan.SurvivalRatio(&c.mo, min(1, 1/(n*c.upTo)))))
		if sectionMargin*cost < best {
			best, halvings = sectionMargin*cost, h
		}
	}
	return halvings
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
	count := c.paths.Pieces() << halvings
	c.moving.solved.once = true
	for i := range count {
		if c.paths.Part(i, halvings).From > c.o.TMax {
			break
		}
		c.enter(i, halvings)
		if err := c.build(c.horizon()); err != nil {
			return err
		}
		c.Progress.Part(c.plan.Weight(), float64(i+1)/float64(count))
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
	p.section = section{Part: p.paths.Part(i, halvings), halvings: halvings, count: p.paths.Pieces() << halvings, at: i, all: p.paths.Pieces()}
	c.mo.Reserve(c.m.NV)
	deviation := make([]float64, 3*c.m.NV)
	c.byVertices(func(from, to int) { p.paths.LoadPart(i, halvings, from, to, &c.mo, deviation, nil) })
	c.setBands(deviation)
	p.cut = motionParts{once: new(sync.Once)}
	c.firstLevel()
	c.slabs = broad.SlabPlan{}
	c.slabs.Begin(nil)
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

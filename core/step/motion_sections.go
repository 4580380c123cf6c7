package step

import (
	"math"
	"sync"

	"ccd/core/geom"
	"ccd/core/motion"
)

// Sections. Where paths bend, boxes around the whole step are wide, and many pairs meet there that are apart at all times. A call may sweep
// sections of the step instead, one after the other: some pieces each, or parts of the same length of a piece, with midlines, bands and boxes of their own.
//
// Nothing is lost: the sections cover [0, t_max]. Let a pair have its first contact at t, in section i. The boxes of section i hold its paths there, so the pair is found,
// and no kernel proves it apart, on parts that cover the section. So it is solved in section i at the latest, on the pieces of the section.
//
// Nothing is changed: where boxes are apart in a section SolveMotion finds the pair apart on its pieces. So the first section in which a pair is found and not Separate holds the first piece on
// which it is not, and its result is that of the pair on this piece, which does not depend on the pieces before.
//
// Nothing is doubled in a call that wants all pairs: the pairs of a section are found once, those in contact are kept in a set that later sections leave out, and so are those that were solved on a piece, until
// its last section is done. In a search for the earliest impact a pair may be solved again, with the same result.
type section struct {
	motion.Part
	halvings   int // of pieces
	first, end int // parts of so many halvings: first to end-1; one alone where pieces are halved
	all        int // parts of so many halvings of the motion
}

// wholeStep is the section that is the whole step.
func wholeStep(pieces int) section { return section{end: pieces, all: pieces} }

// whole reports whether the section is the whole step.
func (s *section) whole() bool { return s.end-s.first == s.all }

// parts are the numbers of the parts of so many halvings, no fewer than the section's, that cover the section.
func (s *section) parts(halvings int) (from, to int) {
	return s.first << (halvings - s.halvings), s.end << (halvings - s.halvings)
}

// pieces are those that the section is on, first to end-1.
func (s *section) pieces() (first, end int) {
	return s.first >> s.halvings, (s.end-1)>>s.halvings + 1
}

// count is how many pieces the section is on.
func (s *section) count() int {
	first, end := s.pieces()
	return end - first
}

// maxSections is the largest number of sections that halves of pieces make.
const maxSections = 8

// Costs of sections, in the units of restart.go.
const (
	costSection = 150 // a primitive, once: midlines, bands, radii, records, cells, and the sweep that finds nothing
	costSifted  = 68  // an estimated pair, on each piece: the sweep and the kernels; a pair takes 45, but the sample finds a third too few
	costHalved  = 90  // an estimated pair times the survival ratio of a half: of such pairs halves have 1.9 to 2.5 times as many
	costAnew    = 150 // an estimated pair, on each piece, where paths are enclosed anew
)

// sectionMargin is the factor by which sections must be cheaper. At 0 tests have as many as there may be.
var sectionMargin = 1.2

// mayHaveSections reports whether the step may be swept in sections: it has the bits of one sweep, and nothing counts on one. Paths that are enclosed anew
// have sections of whole pieces.
func (c *call) mayHaveSections() bool {
	return c.moves() && c.given == nil && c.o.MemoryLimit == 0 && (!c.refines() || c.paths.Pieces() > 1)
}

// sections returns how the current section, whose plan is made, is best divided: at which parts of so many halvings the new ones begin, and where the last one ends; nil if not at all. Its pairs are
// estimated by some tasks of the plan.
func (c *call) sections() (halvings int, ends []int) {
	s := &c.moving.section
	if !c.mayHaveSections() || s.halvings > 0 {
		return 0, nil
	}
	first, end := s.first, c.piecesUpTo(c.o.TMax, s.end)
	switch one := end-first == 1; {
	case one && c.refines():
		return 0, nil
	case one && sectionMargin == 0:
		return halvesOf(first, c.mostHalvings())
	case one:
		pairs := c.estimatePairs()
		h := c.bestHalvings(pairs, c.costSection()+float64(costSifted*pairs))
		return halvesOf(first, h)
	}
	n := c.spans(end - first)
	if n == 1 {
		return 0, nil
	}
	for i := range n + 1 {
		ends = append(ends, first+(end-first)*i/n)
	}
	return 0, ends
}

// halvesOf are the parts of a piece after so many halvings.
func halvesOf(piece, halvings int) (h int, ends []int) {
	if halvings == 0 {
		return 0, nil
	}
	for i := range 1<<halvings + 1 {
		ends = append(ends, piece<<halvings+i)
	}
	return halvings, ends
}

// piecesUpTo returns the end of the pieces before end that begin by t; there is one at least.
func (c *call) piecesUpTo(t float64, end int) int {
	times := c.paths.Times()
	for end > c.moving.section.first+1 && times[end-1] > t {
		end--
	}
	return end
}

// costSection is what a section costs without its pairs.
func (c *call) costSection() float64 { return float64(costSection * float64(c.Stats.Boxes)) }

// spans returns into how many sections one of so many pieces is best divided.
//
// It pays to divide it in two where its pairs cost more, on all of its pieces, than two more sections do: how many pairs these have is seen then, and if each has as many as this one, all levels of sections cost less
// than the pairs. Where n sections have 1/n of the pairs each, n fixed + cost/n is least at the root of cost/fixed; half of that leaves the choice to the next level.
func (c *call) spans(pieces int) (n int) {
	if sectionMargin == 0 {
		return 2
	}
	cost := float64(costSifted)
	if c.refines() {
		cost = costAnew
	}
	cost *= float64(pieces) * c.estimatePairs()
	if fixed := c.costSection(); cost > 2*sectionMargin*fixed {
		return max(2, min(pieces, int(0.5*math.Sqrt(cost/fixed))))
	}
	return 1
}

// mostHalvings is that of the most sections.
func (c *call) mostHalvings() (h int) {
	for c.paths.Pieces()<<(h+1) <= maxSections {
		h++
	}
	return h
}

// bestHalvings returns the halvings of the section's one piece that cost least, 0 if none costs less than is left of a sweep of all of it that finds so many pairs. The pairs of a half
// are estimated by the sizes of boxes.
func (c *call) bestHalvings(pairs, left float64) (halvings int) {
	fixed, upTo, whole := c.costSection(), 1.0, c.moving.section.whole()
	if left < 2*sectionMargin*fixed {
		return 0
	}
	reach := c.share(c.o.TMax)
	if whole {
		reach, upTo = c.o.TMax, c.upTo
	}
	for h := 1; h <= c.mostHalvings(); h++ {
		n := float64(int(1) << h)
		cost := sectionMargin * n * reach * (fixed + float64(costHalved*pairs*c.plan.SurvivalRatio(&c.mo, min(1, 1/(n*upTo)))))
		if cost < left {
			left, halvings = cost, h
		}
	}
	return halvings
}

// enoughDone is the part of a plan that shows how many pairs it has.
const enoughDone = 1.0 / 32

// dividePays reports, after a worker's task of a search for the earliest impact that knows of none yet, whether sections of the one piece are expected to cost less than the rest of this
// pass. It sets s.divide.
func (s *search) dividePays(w *worker, done float64) bool {
	if !s.moves() || !s.moving.section.whole() || s.paths.Pieces() > 1 || !s.mayHaveSections() {
		return false
	}
	share := done / float64(s.plan.Weight())
	if s.divide.Load() != 0 || sectionMargin > 0 && share < enoughDone || !s.divide.CompareAndSwap(0, -1) {
		return false
	}
	h := s.mostHalvings()
	if sectionMargin > 0 {
		pairs := float64(w.sweep.Kept) * float64(s.Stats.Threads) / share
		h = s.bestHalvings(pairs, float64((1-share)*(float64(s.costSection()/2)+float64(costSifted*pairs))))
	}
	if h == 0 {
		return false
	}
	s.divide.Store(int32(h))
	return true
}

// inPieces searches a motion of several pieces in sections, if that pays, and reports whether it did. If not, the plan is made.
func (s *search) inPieces() (done bool, err error) {
	if !s.moves() || s.paths.Pieces() == 1 || !s.mayHaveSections() {
		return false, nil
	}
	s.until = s.planEnd()
	if err := s.build(s.until); err != nil {
		return false, err
	}
	s.built = true
	halvings, ends := s.sections()
	if ends == nil {
		return false, nil
	}
	return true, s.inSections(halvings, ends)
}

// inSections searches sections in the order of time, up to the earliest impact that is known. One that begins later has no pair that matters.
func (s *search) inSections(halvings int, ends []int) error {
	for i, first := range ends[:len(ends)-1] {
		if motion.PartOf(s.paths, first, halvings).From > s.end() {
			break
		}
		s.enter(halvings, first, ends[i+1])
		s.until = s.planEnd()
		if err := s.build(s.until); err != nil {
			return err
		}
		s.built = true
		if h, parts := s.sections(); parts != nil {
			if err := s.inSections(h, parts); err != nil {
				return err
			}
			continue
		}
		for again := true; again; {
			var err error
			if again, err = s.pass(0); err != nil {
				return err
			}
		}
	}
	return nil
}

// doneAfter is the part of the call that is done after the current slab or section.
func (c *call) doneAfter() float64 {
	if s := &c.moving.section; c.moves() && !s.whole() {
		return float64(s.end) / float64(s.all)
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
func (c *call) sweepSections(halvings int, ends []int, handle func(w *worker, k geom.Kind, pairs [][2]int32)) error {
	c.moving.solved.once = true
	for i, first := range ends[:len(ends)-1] {
		if motion.PartOf(c.paths, first, halvings).From > c.o.TMax {
			break
		}
		c.enter(halvings, first, ends[i+1])
		if err := c.build(c.horizon()); err != nil {
			return err
		}
		if h, parts := c.sections(); parts != nil {
			if err := c.sweepSections(h, parts, handle); err != nil {
				return err
			}
			continue
		}
		if err := c.sweepPlan(handle); err != nil {
			return err
		}
		c.leave()
	}
	return nil
}

// enter makes the midlines, bands, radii and parts those of a section.
func (c *call) enter(halvings, first, end int) {
	p := &c.moving
	p.section = section{halvings: halvings, first: first, end: end, all: p.paths.Pieces() << halvings}
	c.mo.Reserve(c.m.NV)
	deviation := make([]float64, 3*c.m.NV)
	if end-first == 1 {
		p.section.Part = motion.PartOf(p.paths, first, halvings)
		c.byVertices(func(from, to int) { p.paths.LoadPart(first, halvings, from, to, &c.mo, deviation, nil) })
	} else {
		p.section.Part = motion.SpanOf(p.paths, first, end)
		c.byVertices(func(from, to int) { p.paths.LoadSpan(first, end, from, to, &c.mo, deviation) })
	}
	c.setBands(deviation)
	p.cut = motionParts{}
	if c.cutsParts() {
		p.cut.once = new(sync.Once)
	}
	c.firstLevel()
	c.forgetSifted()
	c.slabs.Begin(c.o.Slab)
	p.swept++
}

// leave adds the pairs that workers have solved in a section to those that later ones leave out.
func (c *call) leave() {
	p := &c.moving
	for _, w := range c.workers[:c.Stats.Threads] {
		p.solved.tried.add(w.moving.keys.tried)
		p.solved.touched.add(w.moving.keys.touched)
	}
	c.forgetSifted()
	if s := &p.section; s.end < s.all && s.end&(1<<s.halvings-1) == 0 { // the next one is on another piece
		p.solved.tried.clear()
	}
}

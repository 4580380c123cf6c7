package step

import (
	"math"

	"ccd/core/broad"
	"ccd/core/motion"
)

// Sections. Where paths bend, boxes around the whole step are wide, and many pairs meet there that
// are apart at all times. A call may sweep sections of the step instead, one after the other: some
// pieces each, or parts of the same length of a piece, with midlines, bands and boxes of their own.
//
// Nothing is lost: the sections cover [0, t_max]. Let a pair have its first contact at t, in
// section i. The boxes of section i hold its paths there, so the pair is found, and no kernel
// proves it apart, on parts that cover the section. So it is solved in section i at the latest, on
// the pieces of the section.
//
// Nothing is changed: where boxes are apart in a section SolveMotion finds the pair apart on its
// pieces. So the first section in which a pair is found and not Separate holds the first piece on
// which it is not, and its result is that of the pair on this piece, which does not depend on the
// pieces before.
//
// Nothing is doubled in a call that wants all pairs: the pairs of a section are found once, those
// in contact are in a set that later sections leave out, and so are those that were solved on
// a piece, until its last section is done. In a search for the earliest impact a pair may be solved
// again, with the same result.
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

// parts are the numbers of the parts of so many halvings, no fewer than the section's, that cover
// the section.
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

// Costs of sections, in the units of search_restart.go.
const (
	// costSection is for a primitive, once: midlines, bands, radii, records, cells, and the sweep
	// that finds nothing.
	costSection = 150
	// costSifted is for an estimated pair on each piece: the sweep and the kernels. A pair takes
	// 45, but the sample finds a third too few.
	costSifted = 68
	// costHalved is for an estimated pair, times the survival ratio of a half: of such pairs halves
	// have 1.9 to 2.5 times as many.
	costHalved = 90
	// costAnew is for an estimated pair on each piece, where paths are enclosed anew.
	costAnew = 150
)

// sectionMargin is the factor by which sections must be cheaper. At 0 tests have as many as there
// may be.
var sectionMargin = 1.2

// divide returns how the current section, whose plan p is made, is best divided. Its pairs are
// estimated by some tasks of the plan. Of a search for the earliest impact on one piece it returns
// nothing: the search itself shows how many pairs there are (halve).
func (p *curved) divide(plan *broad.Plan, every bool, estimate func() float64) division {
	s := &p.section
	if !p.divides || s.halvings > 0 || !every && s.whole() && p.paths.Pieces() == 1 {
		return division{}
	}
	d := p.division(plan, estimate)
	p.solved.once = p.solved.once || every && d.bounds != nil
	return d
}

// division is divide of a section that may be divided.
func (p *curved) division(plan *broad.Plan, estimate func() float64) (d division) {
	first, end := p.section.first, p.piecesUpTo(p.o.TMax, p.section.end)
	switch one := end-first == 1; {
	case one && p.refines():
		return d
	case one && sectionMargin == 0:
		return halvesOf(first, p.mostHalvings())
	case one:
		pairs := estimate()
		return halvesOf(first, p.bestHalvings(plan, pairs, p.costSection()+float64(costSifted*pairs)))
	}
	n := p.spans(end-first, estimate)
	if n == 1 {
		return d
	}
	for i := range n + 1 {
		d.bounds = append(d.bounds, first+(end-first)*i/n)
	}
	return d
}

// halvesOf are the parts of a piece after so many halvings.
func halvesOf(piece, halvings int) (d division) {
	if halvings == 0 {
		return d
	}
	d.halvings = halvings
	for i := range 1<<halvings + 1 {
		d.bounds = append(d.bounds, piece<<halvings+i)
	}
	return d
}

// piecesUpTo returns the end of the pieces before end that begin by t; there is one at least.
func (p *curved) piecesUpTo(t float64, end int) int {
	times := p.paths.Times()
	for end > p.section.first+1 && times[end-1] > t {
		end--
	}
	return end
}

// costSection is what a section costs without its pairs.
func (p *curved) costSection() float64 {
	return float64(costSection * float64(p.m.NV+len(p.m.Edges)+len(p.m.Faces)))
}

// spans returns into how many sections one of so many pieces is best divided.
//
// It pays to divide it in two where its pairs cost more, on all of its pieces, than two more
// sections do: how many pairs these have is seen then, and if each has as many as this one, all
// levels of sections cost less than the pairs. Where n sections have 1/n of the pairs each, n
// fixed + cost/n is least at the root of cost/fixed; half of that leaves the choice to the next
// level.
func (p *curved) spans(pieces int, estimate func() float64) (n int) {
	if sectionMargin == 0 {
		return 2
	}
	cost := float64(costSifted)
	if p.refines() {
		cost = costAnew
	}
	cost *= float64(pieces) * estimate()
	if fixed := p.costSection(); cost > 2*sectionMargin*fixed {
		return max(2, min(pieces, int(0.5*math.Sqrt(cost/fixed))))
	}
	return 1
}

// mostHalvings is that of the most sections.
func (p *curved) mostHalvings() (h int) {
	for p.paths.Pieces()<<(h+1) <= maxSections {
		h++
	}
	return h
}

// bestHalvings returns the halvings of the section's one piece that cost least, 0 if none costs
// less than the rest of a sweep of all of it that finds so many pairs. The pairs of a half are
// estimated by the sizes of boxes.
func (p *curved) bestHalvings(plan *broad.Plan, pairs, least float64) (halvings int) {
	fixed, upTo, whole := p.costSection(), 1.0, p.section.whole()
	if least < 2*sectionMargin*fixed {
		return 0
	}
	reach := p.share(p.o.TMax)
	if whole {
		reach, upTo = p.o.TMax, p.upToTime
	}
	for h := 1; h <= p.mostHalvings(); h++ {
		n := float64(int(1) << h)
		survival := plan.SurvivalRatio(p.mo, min(1, 1/(n*upTo)))
		cost := sectionMargin * n * reach * (fixed + float64(costHalved*pairs*survival))
		if cost < least {
			least, halvings = cost, h
		}
	}
	return halvings
}

// enoughDone is the part of a plan that shows how many pairs it has.
const enoughDone = 1.0 / 32

// halve reports, after a share of a search's plan that has found no impact yet, whether halves of
// the one piece are expected to cost less than the rest of the pass. The first worker that finds so
// decides.
func (p *curved) halve(plan *broad.Plan, share, pairs float64) bool {
	if !p.divides || !p.section.whole() || p.paths.Pieces() > 1 {
		return false
	}
	if p.halves.Load() != 0 || sectionMargin > 0 && share < enoughDone || !p.halves.CompareAndSwap(0, noHalvings) {
		return false
	}
	h := p.mostHalvings()
	if sectionMargin > 0 {
		rest := float64((1 - share) * (float64(p.costSection()/2) + float64(costSifted*pairs)))
		h = p.bestHalvings(plan, pairs, rest)
	}
	if h > 0 {
		p.halves.Store(int32(h))
	}
	return h > 0
}

// noHalvings says that no halvings pay.
const noHalvings = -1

// resume returns the halves that halve found to pay. In a section no more are looked for.
func (p *curved) resume() division {
	if h := p.halves.Load(); h > 0 && p.section.whole() {
		return halvesOf(0, int(h))
	}
	return division{}
}

func (p *curved) begins(halvings, first int) float64 {
	return motion.PartOf(p.paths, first, halvings).From
}

func (p *curved) upTo(done float64) float64 {
	if s := &p.section; !s.whole() {
		return float64(s.end) / float64(s.all)
	}
	return done
}

// enter makes the midlines, bands, radii and parts those of a section.
func (p *curved) enter(halvings, first, end int) {
	p.section = section{halvings: halvings, first: first, end: end, all: p.paths.Pieces() << halvings}
	p.mo.Reserve(p.m.NV)
	deviation := make([]float64, 3*p.m.NV)
	if end-first == 1 {
		p.section.Part = motion.PartOf(p.paths, first, halvings)
		p.byVertices(func(from, to int) { p.paths.LoadPart(first, halvings, from, to, p.mo, deviation, nil) })
	} else {
		p.section.Part = motion.SpanOf(p.paths, first, end)
		p.byVertices(func(from, to int) { p.paths.LoadSpan(first, end, from, to, p.mo, deviation) })
	}
	p.setBands(deviation)
	p.sieve = sieve{}
	p.beginSieve()
	p.firstLevel()
	p.forgetSolved()
	p.swept++
}

// leave adds the pairs that workers have solved in a section to those that later ones leave out.
func (p *curved) leave(workers []*worker) {
	for _, w := range workers {
		p.solved.tried.add(w.curved.keys.tried)
		p.solved.touched.add(w.curved.keys.touched)
	}
	p.forgetSolved()
	if s := &p.section; s.end < s.all && s.end&(1<<s.halvings-1) == 0 { // the next one is on another piece
		p.solved.tried.clear()
	}
}

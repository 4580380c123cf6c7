package curved

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
	halvings   int // the halvings of a piece that make a part
	first, end int // its parts are first to end-1; it has one alone where pieces are halved
	all        int // the number of such parts of the motion
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

// Tuning is what decides when sections and parts are made. Only the time of a call depends on it;
// tests change it.
var Tuning = struct {
	SectionMargin float64 // the factor by which sections must be cheaper; 0: as many as there may be
	SeenBefore    int     // a worker has seen so many pairs a vertex before it makes parts
}{SectionMargin: 1.2, SeenBefore: 4}

// A Division is the sections of a step, each a range of parts of its pieces.
type Division struct {
	Halvings int   // the halvings of a piece that make a part
	Bounds   []int // the parts at which sections begin, and where the last one ends; nil: no division
}

// Divide returns how the current section, whose plan is made, is best divided. every says that each
// pair matters, and not only the first impact. estimate estimates the number of pairs, by some
// tasks of the plan. In a search for the earliest impact on one piece there is no division: the
// search itself shows how many pairs there are (Halve).
func (p *Path) Divide(plan *broad.Plan, every bool, estimate func() float64) Division {
	s := &p.section
	if !p.divides || s.halvings > 0 || !every && s.whole() && p.pieces == 1 {
		return Division{}
	}
	d := p.best(plan, estimate)
	p.solved.once = p.solved.once || every && d.Bounds != nil
	return d
}

// best is Divide of a section that may be divided.
func (p *Path) best(plan *broad.Plan, estimate func() float64) (d Division) {
	first, end := p.section.first, p.piecesUpTo(p.o.TMax, p.section.end)
	switch one := end-first == 1; {
	case one && p.Refines():
		return d
	case one && Tuning.SectionMargin == 0:
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
		d.Bounds = append(d.Bounds, first+(end-first)*i/n)
	}
	return d
}

// halvesOf are the parts of a piece after so many halvings.
func halvesOf(piece, halvings int) (d Division) {
	if halvings == 0 {
		return d
	}
	d.Halvings = halvings
	for i := range 1<<halvings + 1 {
		d.Bounds = append(d.Bounds, piece<<halvings+i)
	}
	return d
}

// piecesUpTo returns the end of the pieces before end that begin by t; there is one at least.
func (p *Path) piecesUpTo(t float64, end int) int {
	times := p.motion.Times()
	for end > p.section.first+1 && times[end-1] > t {
		end--
	}
	return end
}

// costSection is what a section costs without its pairs.
func (p *Path) costSection() float64 {
	return float64(costSection * float64(p.m.NV+len(p.m.Edges)+len(p.m.Faces)))
}

// spans returns into how many sections one of so many pieces is best divided.
//
// It pays to divide it in two where its pairs cost more, on all of its pieces, than two more
// sections do: how many pairs these have is seen then, and if each has as many as this one, all
// levels of sections cost less than the pairs. Where n sections have 1/n of the pairs each, n
// fixed + cost/n is least at the root of cost/fixed; half of that leaves the choice to the next
// level.
func (p *Path) spans(pieces int, estimate func() float64) (n int) {
	if Tuning.SectionMargin == 0 {
		return 2
	}
	cost := float64(costSifted)
	if p.Refines() {
		cost = costAnew
	}
	cost *= float64(pieces) * estimate()
	if fixed := p.costSection(); cost > 2*Tuning.SectionMargin*fixed {
		return max(2, min(pieces, int(0.5*math.Sqrt(cost/fixed))))
	}
	return 1
}

// mostHalvings is that of the most sections.
func (p *Path) mostHalvings() (h int) {
	for p.pieces<<(h+1) <= maxSections {
		h++
	}
	return h
}

// bestHalvings returns the halvings of the section's one piece that cost least, 0 if none costs
// less than the rest of a sweep of all of it that finds so many pairs. The pairs of a half are
// estimated by the sizes of boxes.
func (p *Path) bestHalvings(plan *broad.Plan, pairs, least float64) (halvings int) {
	fixed, upTo, whole := p.costSection(), 1.0, p.section.whole()
	if least < 2*Tuning.SectionMargin*fixed {
		return 0
	}
	reach := p.Share(p.o.TMax)
	if whole {
		reach, upTo = p.o.TMax, p.upToTime
	}
	for h := 1; h <= p.mostHalvings(); h++ {
		n := float64(int(1) << h)
		survival := plan.SurvivalRatio(p.mid, min(1, 1/(n*upTo)))
		cost := Tuning.SectionMargin * n * reach * (fixed + float64(costHalved*pairs*survival))
		if cost < least {
			least, halvings = cost, h
		}
	}
	return halvings
}

// enoughDone is the part of a plan that shows how many pairs it has.
const enoughDone = 1.0 / 32

// Halve reports, after a share of a search's plan that has found no impact yet, whether halves of
// the one piece are expected to cost less than the rest of the pass. The first worker that finds so
// decides.
func (p *Path) Halve(plan *broad.Plan, share, pairs float64) bool {
	if !p.divides || !p.section.whole() || p.pieces > 1 {
		return false
	}
	early := Tuning.SectionMargin > 0 && share < enoughDone
	if p.halves.Load() != 0 || early || !p.halves.CompareAndSwap(0, noHalvings) {
		return false
	}
	h := p.mostHalvings()
	if Tuning.SectionMargin > 0 {
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

// Resume returns the halves that Halve found to pay. In a section no more are looked for.
func (p *Path) Resume() Division {
	if h := p.halves.Load(); h > 0 && p.section.whole() {
		return halvesOf(0, int(h))
	}
	return Division{}
}

// Begins returns the time at which a section begins.
func (p *Path) Begins(halvings, first int) float64 {
	return motion.PartOf(p.motion, first, halvings).From
}

// UpTo returns the part of the call that is done after the current section, of which done is done
// after its current portion.
func (p *Path) UpTo(done float64) float64 {
	if s := &p.section; !s.whole() {
		return float64(s.end) / float64(s.all)
	}
	return done
}

// Enter makes the midlines, bands, radii and parts those of a section.
func (p *Path) Enter(halvings, first, end int) {
	p.section = section{halvings: halvings, first: first, end: end, all: p.pieces << halvings}
	p.mid.Reserve(p.m.NV)
	deviation := make([]float64, 3*p.m.NV)
	if end-first == 1 {
		p.section.Part = motion.PartOf(p.motion, first, halvings)
		p.byVertices(func(from, to int) { p.motion.LoadPart(first, halvings, from, to, p.mid, deviation, nil) })
	} else {
		p.section.Part = motion.SpanOf(p.motion, first, end)
		p.byVertices(func(from, to int) { p.motion.LoadSpan(first, end, from, to, p.mid, deviation) })
	}
	p.setBands(deviation)
	p.beginSieve()
	p.forgetSolved()
	p.swept++
}

// Leave adds the pairs that workers have solved in a section to those that later ones leave out.
func (p *Path) Leave() {
	for _, w := range p.workers {
		p.solved.tried.add(w.keys.tried)
		p.solved.touched.add(w.keys.touched)
	}
	p.forgetSolved()
	if s := &p.section; s.end < s.all && s.end&(1<<s.halvings-1) == 0 { // the next one is on another piece
		p.solved.tried.clear()
	}
}

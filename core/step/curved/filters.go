package curved

import (
	"ccd/core/geom"
	"ccd/core/kernel"
	"ccd/core/motion"
	"ccd/core/narrow"
)

// filters are the kernels that sift pairs on the parts of a section. There are two:
//
//	curveFilters    for paths of degree 2 and 3, part by part: first the section, or each of its
//	                pieces, and then its halves
//	midlineFilters  for others: those of the plain step on the midlines of parts (law X2 of
//	                docs/proofs/motions.md), which are four times nearer to the paths with each
//	                halving
//
// beginSieve chooses them for each section.
type filters interface {
	// first returns the level that is there from the beginning, if any.
	first(p *Path) []partLevel
	// all makes all levels of the section, if more than the first pay.
	all(p *Path) []partLevel
	// levels returns the levels that pairs of a kind are sifted on, where all are made if deep.
	levels(s *sieve, k geom.Kind, deep bool) []partLevel
	// onMidlines reports whether it pays to test pairs on the midlines of the section before these
	// levels, and how.
	onMidlines(p *Path, w *Worker, levels []partLevel) (how narrow.Sieve, pays bool)
	// filter makes the filter of a part of a level.
	filter(p *Path, number, halvings int, l *partLevel) filter
}

// filter sifts pairs on one part of the step.
type filter interface {
	// pass appends to out the positions of the pairs of a level that it does not prove apart up to
	// the horizon in the part. On the last level no other follows.
	pass(w *Worker, k geom.Kind, part *motion.Part, l *levelScratch, last bool, out []int32) []int32
	// bytes returns the memory of the filter.
	bytes() int64
}

// curveFilters are kernels for paths of a degree.
type curveFilters struct{ degree int }

// first returns the section as one part: its control points, or those of the motion where it is one
// piece without radii. It is made with the other levels where the section has several pieces.
func (f curveFilters) first(p *Path) []partLevel {
	switch {
	case !p.section.whole() && p.section.count() == 1:
		return []partLevel{p.partLevel(p.section.halvings)}
	case len(p.axes.control) > 0:
		whole := &curveFilter{kernel.Curves{Degree: f.degree, Rec: p.axes.control}}
		return []partLevel{{parts: []stepPart{{motion.PartOf(p.motion, 0, 0), whole}}}}
	}
	return nil
}

func (f curveFilters) all(p *Path) []partLevel {
	levels, begin := append([]partLevel(nil), p.sieve.levels...), p.section.halvings
	if len(levels) == 0 {
		levels = append(levels, p.partLevel(0))
	}
	for h := begin + 1; h < begin+curvedLevels && h <= motion.MaxHalvings; h++ {
		levels = append(levels, p.partLevel(h))
	}
	return levels
}

func (f curveFilters) levels(s *sieve, k geom.Kind, deep bool) []partLevel {
	switch {
	case !(kernel.Curves{Degree: f.degree}).Supports(k):
		return nil
	case deep:
		return s.deep
	}
	return s.levels
}

// onMidlines leaves pairs on the whole step to the first level.
func (curveFilters) onMidlines(p *Path, w *Worker, levels []partLevel) (how narrow.Sieve, pays bool) {
	if len(levels) == 0 {
		return narrow.BoxesMet | narrow.InPieces, true
	}
	return narrow.BoxesMet, (p.upToTime < 1 || !p.section.whole()) && w.midlinesPay()
}

// filter loads the control points of a part. Kernels load one number more than there is.
func (f curveFilters) filter(p *Path, number, halvings int, _ *partLevel) filter {
	c := &curveFilter{kernel.Curves{
		Degree: f.degree,
		Rec:    make([]float64, 3*(f.degree+1)*p.m.NV+1),
		Off:    p.partError(halvings),
	}}
	p.byVertices(func(v0, v1 int) { p.motion.LoadPart(number, halvings, v0, v1, nil, nil, c.curves.Rec) })
	return c
}

// curveFilter sifts pairs by their control points.
type curveFilter struct{ curves kernel.Curves }

func (f *curveFilter) pass(
	w *Worker, k geom.Kind, part *motion.Part, l *levelScratch, _ bool, out []int32) []int32 {
	t, s := part.At(w.parts.tMax), &w.kernels
	for first := 0; first < len(l.alive.idx); first += pairsOfBlock {
		some := l.alive.idx[first:min(first+pairsOfBlock, len(l.alive.idx))]
		for _, j := range s.list[:f.curves.Filter(k, some, t, l.separation, &s.precision[k], s.list[:])] {
			out = append(out, int32(first)+j)
		}
	}
	return out
}

func (f *curveFilter) bytes() int64 { return int64(8 * cap(f.curves.Rec)) }

// midlineFilters are the kernels of the plain step.
type midlineFilters struct{}

func (midlineFilters) first(*Path) []partLevel { return nil }

// all returns the last level and the one before. Where the section is one piece whose midlines do
// not bend enough for shorter ones, it returns none.
func (midlineFilters) all(p *Path) (levels []partLevel) {
	begin, pieces := p.section.halvings, p.section.count()
	if pieces > mostParts {
		return nil
	}
	bend, h := p.typicalBend(), 0
	for ; h < motion.MaxHalvings && pieces<<(h+1) <= mostParts && bendOfEdge*bend > p.typicalEdge(); h++ {
		bend /= 4
	}
	if h <= begin && pieces == 1 {
		return nil
	}
	if h-1 >= begin {
		levels = append(levels, p.partLevel(h-1))
	}
	return append(levels, p.partLevel(max(h, begin)))
}

func (midlineFilters) levels(s *sieve, _ geom.Kind, deep bool) []partLevel {
	if deep {
		return s.deep
	}
	return nil
}

func (midlineFilters) onMidlines(_ *Path, _ *Worker, levels []partLevel) (how narrow.Sieve, pays bool) {
	return narrow.BoxesMet | narrow.InPieces, len(levels) == 0
}

// filter loads the midlines of a part, and adds what they deviate to that of the level.
func (midlineFilters) filter(p *Path, number, halvings int, l *partLevel) filter {
	if len(l.deviation) == 0 {
		l.deviation = make([]float64, p.m.NV)
	}
	f, off := new(midlineFilter), make([]float64, 3*p.m.NV)
	f.mid.Reserve(p.m.NV)
	p.byVertices(func(v0, v1 int) {
		p.motion.LoadPart(number, halvings, v0, v1, &f.mid, off, nil)
		for v := v0; v < v1; v++ {
			l.deviation[v] = max(l.deviation[v], off[3*v], off[3*v+1], off[3*v+2])
		}
	})
	return f
}

// midlineFilter sifts pairs on midlines.
type midlineFilter struct{ mid geom.Trajectories }

func (f *midlineFilter) pass(
	w *Worker, k geom.Kind, _ *motion.Part, l *levelScratch, last bool, out []int32) []int32 {
	how := narrow.Sieve(0)
	if last {
		how = narrow.InPieces
	}
	return w.Solver.MayTouch(k, &f.mid, l.alive.idx, 1, l.separation, how, out)
}

func (f *midlineFilter) bytes() int64 { return int64(8 * cap(f.mid.Rec)) }

package step

import (
	"sync"

	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/kernel"
	"ccd/core/motion"
	"ccd/core/narrow"
	"ccd/core/num"
)

// sieve is what pairs are sifted with: parts of the section that the boxes cover, in levels, each
// of which halves those of the level before.
//
//   - Paths of degree 2 and 3 go through the kernels for curved paths, part by part, first the section (or each of its pieces) and then its halves.
//   - Others go through the plain step's kernels on the midlines of parts (law M2 of docs/proofs/motions.md), which are nearer to the paths than those of the section,
//     by four times with each halving.
//
// The levels after the first are made once a worker has seen enough pairs. Without them (a call
// with a memory limit, a few pairs, paths that hardly bend, very many pieces) the first level
// serves, or the midlines of the section.
type sieve struct {
	once   *sync.Once // nil: there is one level at most
	levels []partLevel
	deep   []partLevel // all levels, once they are made
	curved bool        // whether the parts are curved paths
}

// partLevel is the parts of a level, in the order of time.
type partLevel struct {
	parts     []stepPart
	deviation []float64 // of midlines: by vertex, the largest on any of the parts
}

// stepPart is a part of the step: curved paths, or midlines.
type stepPart struct {
	motion.Part
	curves   kernel.Curves
	midlines geom.Trajectories
}

// seenBefore is how many pairs a vertex a worker has seen before it makes parts, which takes as
// long as about so many pairs gain. Tests lower it.
var seenBefore = 4

const (
	mostParts    = 32  // of a step
	bendOfEdge   = 256 // midlines of the last level bend by at most an edge's length divided by this, if they may
	curvedLevels = 2
)

// deepened makes the parts if it is time, and reports whether there are more than those of the
// first level.
func (p *curved) deepened(w *worker) bool {
	first, end := p.section.pieces()
	if p.sieve.once == nil || w.curved.seen*(end-first) < seenBefore*p.m.NV {
		return false
	}
	p.sieve.once.Do(func() { p.sieve.deep = p.partLevels() })
	return len(p.sieve.deep) > 0
}

// partLevels makes all levels of the section.
func (p *curved) partLevels() (levels []partLevel) {
	first, pieces := p.section.halvings, p.section.count()
	if p.sieve.curved {
		levels = append(levels, p.sieve.levels...)
		if len(levels) == 0 {
			levels = append(levels, p.partLevel(0))
		}
		for h := first + 1; h < first+curvedLevels && h <= motion.MaxHalvings; h++ {
			levels = append(levels, p.partLevel(h))
		}
		return levels
	}
	if pieces > mostParts {
		return nil
	}
	bend, h := p.typicalBend(), 0
	for ; h < motion.MaxHalvings && pieces<<(h+1) <= mostParts && bendOfEdge*bend > p.typicalEdge(); h++ {
		bend /= 4
	}
	if h <= first && pieces == 1 { // the midlines of the section are these
		return nil
	}
	if h-1 >= first {
		levels = append(levels, p.partLevel(h-1))
	}
	return append(levels, p.partLevel(max(h, first)))
}

// partLevel makes the parts of so many halvings that are in the section.
func (p *curved) partLevel(halvings int) (l partLevel) {
	from, to := p.section.parts(halvings)
	l.parts = make([]stepPart, to-from)
	for i := range l.parts {
		part := &l.parts[i]
		part.Part = motion.PartOf(p.paths, from+i, halvings)
		if p.sieve.curved {
			part.curves = kernel.Curves{
				Degree: p.paths.Degree(),
				Rec:    make([]float64, 3*(p.paths.Degree()+1)*p.m.NV+1), // kernels load one more
				Off:    p.partError(halvings),
			}
			p.byVertices(func(v0, v1 int) { p.paths.LoadPart(from+i, halvings, v0, v1, nil, nil, part.curves.Rec) })
			continue
		}
		if i == 0 {
			l.deviation = make([]float64, p.m.NV)
		}
		part.midlines.Reserve(p.m.NV)
		off := make([]float64, 3*p.m.NV)
		p.byVertices(func(v0, v1 int) {
			p.paths.LoadPart(from+i, halvings, v0, v1, &part.midlines, off, nil)
			for v := v0; v < v1; v++ {
				l.deviation[v] = max(l.deviation[v], off[3*v], off[3*v+1], off[3*v+2])
			}
		})
	}
	return l
}

// verticesOfBlock is how many vertices are worth a thread.
const verticesOfBlock = 4096

// byVertices calls work for blocks of vertices, on the threads of the call.
func (p *curved) byVertices(work func(from, to int)) {
	n := max(1, min(p.threads, p.m.NV/verticesOfBlock))
	if err := engine.Parallel(n, func(i int) { work(p.m.NV*i/n, p.m.NV*(i+1)/n) }); err != nil {
		panic(err) // of a defect: safely has recovered it in the other goroutine
	}
}

// bytes is the memory of the parts.
func (p *sieve) bytes() (n int64) {
	levels := p.levels
	if len(p.deep) > 0 {
		levels = p.deep
	}
	for _, l := range levels {
		n += int64(8 * cap(l.deviation))
		for i := range l.parts {
			n += int64(8 * (cap(l.parts[i].midlines.Rec) + cap(l.parts[i].curves.Rec)))
		}
	}
	return n
}

// separation is D of law M1 for a level, for pairs of which none has a separation of more than d,
// radii included. How far control points are off is in kernel.Curves.
func (l *partLevel) separation(k geom.Kind, idx [][4]int32, d float64) float64 {
	if len(l.deviation) == 0 {
		return d
	}
	most := 0.0
	for i := range idx {
		for _, v := range idx[i][:k.Points()] {
			most = max(most, l.deviation[v])
		}
	}
	return num.AddUp(d, 2*most)
}

// partsScratch are pairs of a block, by level.
type partsScratch struct {
	levels   []partLevel
	tMax     float64
	at       [4]levelScratch
	all      somePairs // the pairs of the block, where there are several pieces
	possible []int32   // positions of pairs that are not proven apart
	piece    []int32   // the piece on which each of these may touch, where there are several
	hit      []bool    // by pair of the block: whether it is in contact, where there are several pieces
}

// levelScratch is the pairs of a block that no part of a level has let pass yet.
type levelScratch struct {
	alive      somePairs
	passed     []int32 // positions in alive
	separation float64
}

// siftParts returns those of the pairs of a block at some positions, in their place, that
// may touch in some part up to tMax; none has a separation of more than d, radii included. A pair
// that passes a part is tested on its halves. Of several pieces w.curved.parts.piece has the one on
// which a pair may touch, and a pair is there with each such piece.
func (p *curved) siftParts(w *worker, k geom.Kind, levels []partLevel, possible []int32, tMax, d float64) []int32 {
	s := &w.curved.parts
	first, end := p.section.pieces()
	s.levels, s.tMax, s.possible = levels, tMax, possible[:0]
	alive := &s.at[0].alive
	once := len(levels) == 1 && len(levels[0].parts) == 1
	if once && len(possible) == len(w.idx) { // all pairs of the block, without copies
		return w.siftAll(k, &levels[0], d)
	}
	alive.clear()
	for _, i := range possible {
		alive.add(i, &w.idx[i])
	}
	for l := range levels {
		s.at[l].separation = levels[l].separation(k, alive.idx, d)
	}
	if end-first == 1 {
		w.siftLevel(k, 0, 0, len(levels[0].parts))
		s.levels = nil
		return s.possible
	}
	s.all.copy(alive)
	each := len(levels[0].parts) / (end - first)
	for j := range end - first {
		alive.copy(&s.all)
		w.siftLevel(k, 0, each*j, each*(j+1))
		for len(s.piece) < len(s.possible) {
			s.piece = append(s.piece, int32(first+j))
		}
	}
	s.levels = nil
	s.hit = append(s.hit[:0], make([]bool, len(w.idx))...)
	return s.possible
}

// siftAll is siftParts of all pairs of the block in the one part of a level.
func (w *worker) siftAll(k geom.Kind, level *partLevel, d float64) []int32 {
	s, here := &w.curved.parts, &w.curved.parts.at[0]
	if level.parts[0].From <= s.tMax {
		mine := here.alive
		here.alive, here.separation = somePairs{idx: w.idx}, level.separation(k, w.idx, d)
		s.possible = w.pass(k, &level.parts[0], here, true, s.possible)
		here.alive = mine
	}
	s.levels = nil
	return s.possible
}

// siftLevel appends to the list of the possible pairs those that are alive on a level and may
// touch in the parts from to to-1, and removes them from it.
func (w *worker) siftLevel(k geom.Kind, level, from, to int) {
	s := &w.curved.parts
	here, last := &s.at[level], level+1 == len(s.levels)
	parts := s.levels[level].parts
	for i := from; i < to && len(here.alive.at) > 0; i++ {
		p := &parts[i]
		if p.From > s.tMax {
			break
		}
		here.passed = w.pass(k, p, here, last, here.passed[:0])
		if last {
			here.alive.drop(here.passed, func(at int32, _ *[4]int32) { s.possible = append(s.possible, at) })
			continue
		}
		again, halves := &s.at[level+1].alive, len(s.levels[level+1].parts)/len(parts)
		again.clear()
		here.alive.drop(here.passed, again.add)
		w.siftLevel(k, level+1, halves*i, halves*(i+1))
		for j, at := range again.at {
			here.alive.add(at, &again.idx[j])
		}
	}
}

// pass appends the positions of the pairs of a level that kernels do not prove apart in a part
// up to the end of time.
func (w *worker) pass(k geom.Kind, p *stepPart, l *levelScratch, last bool, out []int32) []int32 {
	if len(p.curves.Rec) == 0 {
		how := narrow.Sieve(0)
		if last {
			how = narrow.InPieces
		}
		return w.solver.MayTouch(k, &p.midlines, l.alive.idx, 1, l.separation, how, out)
	}
	t, list := p.At(w.curved.parts.tMax), &w.curved.list
	for first := 0; first < len(l.alive.idx); first += curvedBlock {
		some := l.alive.idx[first:min(first+curvedBlock, len(l.alive.idx))]
		for _, j := range list[:p.curves.Filter(k, some, t, l.separation, &w.curved.precision[k], list[:])] {
			out = append(out, int32(first)+j)
		}
	}
	return out
}

// curvedBlock is how many pairs of a motion go through the kernels for curved paths at a time.
const curvedBlock = 512

// beginSieve lets the sieve have parts, where the call may make them.
func (p *curved) beginSieve() {
	if p.cuts {
		p.sieve.once = new(sync.Once)
	}
}

// firstLevel sets the first level of curved paths, if the kernels support them: of one piece
// without radii the control points of the call, else those of the section. Of several pieces it is
// made with the others.
func (p *curved) firstLevel() {
	s, whole := &p.sieve, len(p.axes.control) > 0
	kernels := (kernel.Curves{Degree: p.paths.Degree()}).Supports(geom.VertexFace)
	s.curved = kernels && (whole || p.cuts && p.section.count() <= mostParts)
	switch {
	case !s.curved:
	case !p.section.whole() && p.section.count() == 1:
		s.levels = []partLevel{p.partLevel(p.section.halvings)}
	case whole:
		curves := kernel.Curves{Degree: p.paths.Degree(), Rec: p.axes.control}
		part := stepPart{Part: motion.PartOf(p.paths, 0, 0), curves: curves}
		s.levels = []partLevel{{parts: []stepPart{part}}}
	}
}

// somePairs are pairs of a block.
type somePairs struct {
	at  []int32 // positions in the block
	idx [][4]int32
}

func (l *somePairs) copy(from *somePairs) {
	l.at, l.idx = append(l.at[:0], from.at...), append(l.idx[:0], from.idx...)
}

func (l *somePairs) clear() { l.at, l.idx = l.at[:0], l.idx[:0] }

func (l *somePairs) add(at int32, idx *[4]int32) { l.at, l.idx = append(l.at, at), append(l.idx, *idx) }

// drop removes some entries, whose positions in the lists ascend, and passes them to to.
func (l *somePairs) drop(some []int32, to func(at int32, idx *[4]int32)) {
	from, n := 0, 0
	for _, i := range some {
		n += l.move(n, from, int(i))
		to(l.at[i], &l.idx[i])
		from = int(i) + 1
	}
	n += l.move(n, from, len(l.at))
	l.at, l.idx = l.at[:n], l.idx[:n]
}

// move copies the entries lo to hi-1 to position to on, and returns how many these are.
func (l *somePairs) move(to, lo, hi int) int {
	if to != lo {
		copy(l.idx[to:], l.idx[lo:hi])
		copy(l.at[to:], l.at[lo:hi])
	}
	return hi - lo
}

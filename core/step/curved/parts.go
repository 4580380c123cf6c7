package curved

import (
	"sync"

	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/kernel"
	"ccd/core/motion"
	"ccd/core/num"
)

// sieve is what pairs are sifted with: parts of the section that the boxes cover, in levels, each
// of which halves those of the level before.
//
// The levels after the first are made once a worker has seen enough pairs. Without them (a call
// with a memory limit, a few pairs, paths that hardly bend, very many pieces) the first level
// serves, or the midlines of the section.
type sieve struct {
	filters filters
	once    *sync.Once  // nil: there is one level at most
	levels  []partLevel // the first level, if there is one
	deep    []partLevel // all levels, once they are made
}

// partLevel is the parts of a level, in the order of time.
type partLevel struct {
	parts     []stepPart
	deviation []float64 // the largest on any of the parts, by vertex; empty where filters know it
}

// stepPart is a part of the step and the filter on it.
type stepPart struct {
	motion.Part
	filter filter
}

const (
	mostParts    = 32  // the most parts of a step
	bendOfEdge   = 256 // midlines of the last level bend by at most an edge's length divided by this
	curvedLevels = 2
)

// beginSieve begins the sieve of the section. It lets it have parts where the call may make them.
// Kernels for curved paths serve one piece without radii, with the control points of the call, and
// else what midlines may cover.
func (p *Path) beginSieve() {
	s, filters := &p.sieve, curveFilters{p.motion.Degree()}
	*s = sieve{filters: midlineFilters{}}
	if p.cuts {
		s.once = new(sync.Once)
	}
	may := len(p.axes.control) > 0 || p.cuts && p.section.count() <= mostParts
	if may && (kernel.Curves{Degree: filters.degree}).Supports(geom.VertexFace) {
		s.filters = filters
	}
	s.levels = s.filters.first(p)
}

// deepened makes all levels if it is time, and reports whether there are more than the first.
func (p *Path) deepened(w *Worker) bool {
	if p.sieve.once == nil || w.seen*p.section.count() < Tuning.SeenBefore*p.m.NV {
		return false
	}
	p.sieve.once.Do(func() { p.sieve.deep = p.sieve.filters.all(p) })
	return len(p.sieve.deep) > 0
}

// partLevel makes the parts of so many halvings that are in the section.
func (p *Path) partLevel(halvings int) (l partLevel) {
	from, to := p.section.parts(halvings)
	l.parts = make([]stepPart, to-from)
	for i := range l.parts {
		filter := p.sieve.filters.filter(p, from+i, halvings, &l)
		l.parts[i] = stepPart{motion.PartOf(p.motion, from+i, halvings), filter}
	}
	return l
}

// verticesOfBlock is how many vertices are worth a thread.
const verticesOfBlock = 4096

// byVertices calls work for blocks of vertices, on the threads of the call.
func (p *Path) byVertices(work func(from, to int)) {
	n := max(1, min(p.threads, p.m.NV/verticesOfBlock))
	if err := engine.Parallel(n, func(i int) { work(p.m.NV*i/n, p.m.NV*(i+1)/n) }); err != nil {
		panic(err) // It is that of a defect, which the other goroutine has recovered.
	}
}

// Bytes is the memory of the parts.
func (p *sieve) bytes() (n int64) {
	levels := p.levels
	if len(p.deep) > 0 {
		levels = p.deep
	}
	for _, l := range levels {
		n += int64(8 * cap(l.deviation))
		for i := range l.parts {
			n += l.parts[i].filter.bytes()
		}
	}
	return n
}

// separation is D of law X1 for a level, for pairs of which none has a separation of more than d,
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
	possible []int32 // positions of pairs that are not proven apart

	// Where the section has several pieces:
	all   somePairs // the pairs of the block
	piece []int32   // the piece on which each of the possible pairs may touch
	hit   []bool    // whether a pair of the block is in contact
}

// piecesOf returns the pieces on which possible pair n may touch, which is pair i of the block:
// those of the section, from first to end-1, unless parts know better. It reports whether the pair
// is in contact on an earlier piece.
func (s *partsScratch) piecesOf(n int, i int32, first, end int) (from, to int, touches bool) {
	if len(s.piece) == 0 {
		return first, end, false
	}
	return int(s.piece[n]), int(s.piece[n]) + 1, s.hit[i]
}

// touch notes that pair i of the block is in contact.
func (s *partsScratch) touch(i int32) {
	if len(s.piece) > 0 {
		s.hit[i] = true
	}
}

// levelScratch is the pairs of a block that no part of a level has let pass yet.
type levelScratch struct {
	alive      somePairs
	passed     []int32 // positions in alive
	separation float64
}

// siftParts returns those of the pairs of a block at some positions, in their place, that
// may touch in some part up to tMax; none has a separation of more than d, radii included. A pair
// that passes a part is tested on its halves. Of several pieces w.parts.piece has the one on
// which a pair may touch, and a pair is there with each such piece.
func (p *Path) siftParts(w *Worker, k geom.Kind, levels []partLevel, possible []int32, tMax, d float64) []int32 {
	s := &w.parts
	first, end := p.section.pieces()
	s.levels, s.tMax, s.possible = levels, tMax, possible[:0]
	alive := &s.at[0].alive
	once := len(levels) == 1 && len(levels[0].parts) == 1
	if once && len(possible) == len(w.Idx) { // all pairs of the block, without copies
		return w.siftAll(k, &levels[0], d)
	}
	alive.clear()
	for _, i := range possible {
		alive.add(i, &w.Idx[i])
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
	s.hit = append(s.hit[:0], make([]bool, len(w.Idx))...)
	return s.possible
}

// siftAll is siftParts of all pairs of the block in the one part of a level.
func (w *Worker) siftAll(k geom.Kind, level *partLevel, d float64) []int32 {
	s, here := &w.parts, &w.parts.at[0]
	if level.parts[0].From <= s.tMax {
		mine := here.alive
		here.alive, here.separation = somePairs{idx: w.Idx}, level.separation(k, w.Idx, d)
		s.possible = level.parts[0].filter.pass(w, k, &level.parts[0].Part, here, true, s.possible)
		here.alive = mine
	}
	s.levels = nil
	return s.possible
}

// siftLevel appends to the list of the possible pairs those that are alive on a level and may
// touch in the parts from to to-1, and removes them from it.
func (w *Worker) siftLevel(k geom.Kind, level, from, to int) {
	s := &w.parts
	here, last := &s.at[level], level+1 == len(s.levels)
	parts := s.levels[level].parts
	for i := from; i < to && len(here.alive.at) > 0; i++ {
		p := &parts[i]
		if p.From > s.tMax {
			break
		}
		here.passed = p.filter.pass(w, k, &p.Part, here, last, here.passed[:0])
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

package step

import (
	"sync"

	"ccd/core/geom"
	"ccd/core/motion"
	"ccd/core/narrow"
	"ccd/core/num"
)

// motionParts are midlines of parts of the step, for law M1 of docs/proofs/motions.md: nearer to the paths than those of the whole, by four times with
// each halving. They are made once a worker has seen enough pairs. Without them (none of a call with a memory limit, a few pairs, paths that
// hardly bend, very many pieces) the midlines of the whole serve.
type motionParts struct {
	once         *sync.Once // nil: there are none
	coarse, fine []motion.Part
	off          [][2]float64 // by vertex: the largest deviation from the midlines of coarse and of fine parts
}

// seenBefore is how many pairs a vertex a worker has seen before it makes parts, which takes as long as about so many pairs gain. Tests lower it.
var seenBefore = 8

const (
	mostParts  = 32  // of a step
	bendOfEdge = 256 // paths bend by at most an edge's length divided by this in a fine part, where so many parts allow it
)

// ready makes the parts if it is time, and reports whether there are any.
func (p *motionParts) ready(c *call, w *worker) bool {
	if p.once == nil || w.pairs[geom.VertexFace-1]+w.pairs[geom.EdgeEdge-1] < int64(seenBefore*c.m.NV) {
		return false
	}
	p.once.Do(func() {
		if h := partHalvings(c); h >= 0 {
			p.load(c.paths, h)
		}
	})
	return len(p.fine) > 0
}

// partHalvings is how often a piece is halved into fine parts, negative where parts do not pay.
func partHalvings(c *call) int {
	pieces := c.paths.Pieces()
	if pieces > mostParts {
		return -1
	}
	bend, h := c.paths.TypicalBend(), 0
	for ; h < motion.MaxHalvings && pieces<<(h+1) <= mostParts && bendOfEdge*bend > c.typicalEdge(); h++ {
		bend /= 4
	}
	if pieces == 1 && h == 0 {
		return -1
	}
	return h
}

// load makes fine parts of so many halvings, and coarse ones of two.
func (p *motionParts) load(paths *motion.Motion, halvings int) {
	fine, off := paths.Parts(halvings)
	coarse, far := fine, off
	if halvings > 0 {
		coarse, far = paths.Parts(halvings - 1)
	}
	p.coarse, p.fine, p.off = coarse, fine, make([][2]float64, len(off))
	for v := range off {
		p.off[v] = [2]float64{far[v], off[v]}
	}
}

// bytes is the memory of the parts.
func (p *motionParts) bytes() (n int64) {
	for _, list := range [2][]motion.Part{p.coarse, p.fine} {
		for i := range list {
			n += int64(8 * cap(list[i].Midlines.Rec))
		}
	}
	return n + int64(16*cap(p.off))
}

// separations are D of law M1 for coarse and for fine parts, for pairs of which none has a separation of more than d, radii included.
func (p *motionParts) separations(k geom.Kind, idx [][4]int32, d float64) (coarse, fine float64) {
	var most [2]float64
	for i := range idx {
		for _, v := range idx[i][:k.Points()] {
			most[0], most[1] = max(most[0], p.off[v][0]), max(most[1], p.off[v][1])
		}
	}
	return num.AddUp(d, 2*most[0]), num.AddUp(d, 2*most[1])
}

// partsScratch are pairs of a block.
type partsScratch struct {
	alive, again pairsLeft // those that no part has kept yet; of these, those that a coarse part has kept
	kept         []int32
}

// siftParts returns those of the pairs of a block at the positions in left, in their place, that may touch in some part up to tMax; none has a separation of
// more than d, radii included. A pair that a coarse part keeps is tested on its halves.
func (w *worker) siftParts(k geom.Kind, p *motionParts, left []int32, tMax, d float64) []int32 {
	s := &w.moving.parts
	s.alive.clear()
	for _, i := range left {
		s.alive.add(i, &w.idx[i])
	}
	coarse, fine := p.separations(k, s.alive.idx, d)
	halves := len(p.fine) / len(p.coarse)
	left = left[:0]
	for i := range p.coarse {
		if p.coarse[i].From > tMax {
			break
		}
		s.kept = w.solver.MayTouch(k, &p.coarse[i].Midlines, s.alive.idx, 1, coarse, 0, s.kept[:0])
		s.again.clear()
		s.alive.drop(s.kept, s.again.add)
		for j := halves * i; j < halves*(i+1); j++ {
			s.kept = w.solver.MayTouch(k, &p.fine[j].Midlines, s.again.idx, 1, fine, narrow.InPieces, s.kept[:0])
			s.again.drop(s.kept, func(at int32, _ *[4]int32) { left = append(left, at) })
		}
		for j, at := range s.again.at {
			s.alive.add(at, &s.again.idx[j])
		}
	}
	return left
}

// pairsLeft are some pairs of a block.
type pairsLeft struct {
	at  []int32 // positions in the block
	idx [][4]int32
}

func (l *pairsLeft) clear() { l.at, l.idx = l.at[:0], l.idx[:0] }

func (l *pairsLeft) add(at int32, idx *[4]int32) { l.at, l.idx = append(l.at, at), append(l.idx, *idx) }

// drop removes some entries, whose positions in the lists ascend, and passes them to to.
func (l *pairsLeft) drop(some []int32, to func(at int32, idx *[4]int32)) {
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
func (l *pairsLeft) move(to, lo, hi int) int {
	if to != lo {
		copy(l.idx[to:], l.idx[lo:hi])
		copy(l.at[to:], l.at[lo:hi])
	}
	return hi - lo
}

package hierarchy

import (
	"math"
	"math/bits"
	"unsafe"

	"ccd/core/geom"
	"ccd/core/mesh"
	"ccd/simd/box"
)

// worker is the memory of one goroutine of a search.
type worker struct {
	s       *Search
	blocks  int64     // pairs of blocks compared
	decided int64     // pairs of primitives that doubles decided
	found   []records // The records of each family.

	filtered bool // the filter must be asked for each pair of the family

	queue          box.Queue
	sure, touching [box.Children * box.Children]uint64

	doubts int // pairs of primitives in doubt
	doubt  [mostDoubts][2]int32
	at     [mostDoubts]uint16   // Which mask and which bit each has.
	left   [mostDoubts][2]int32 // those of them that overlap
	grow   [][2]float64         // nil if boxes are not inflated
}

const (
	nodeBytes   = int(unsafe.Sizeof(box.Node{}))
	columnBytes = int(unsafe.Sizeof(box.SieveBlock{}))
	workerBytes = int(unsafe.Sizeof(worker{})) + 16*mostDoubts
)

// mostDoubts is the number of pairs in doubt that are decided at once.
const mostDoubts = 512

// absent is each bound of a box that holds nothing.
var absent = float32(math.Inf(1))

// upper has the bits 8i+j of i < j, upperOrSame also those of i = j, which diagonal has: of a group
// or a block with itself each pair counts once.
var (
	upper, upperOrSame = triangle()
	diagonal           = upperOrSame &^ upper
)

func triangle() (upper, orSame uint64) {
	for i := range box.Children {
		for j := i; j < box.Children; j++ {
			bit := uint64(1) << (box.Children*i + j)
			orSame |= bit
			if j > i {
				upper |= bit
			}
		}
	}
	return upper, orSame
}

// begin prepares for tasks of a search.
func (w *worker) begin(s *Search) {
	w.s, w.blocks, w.decided, w.doubts = s, 0, 0, 0
	w.found = grown(w.found, len(s.order.families))
	clear(w.found)
	if w.grow = w.grow[:0]; s.m.Grow != 0 {
		for range mostDoubts { // decide writes those of primitives that have their own.
			w.grow = append(w.grow, [2]float64{s.m.Grow, s.m.Grow})
		}
	}
}

// end forgets the search.
func (w *worker) end() {
	w.s = nil
	clear(w.found)
}

// do finds the pairs of a task.
func (w *worker) do(t *task) {
	f := &w.s.order.families[t.family]
	a, b := w.s.boxesOf(f.a), w.s.boxesOf(f.b)
	w.filtered = f.kind == geom.PointEdge || !w.s.in.Filter.OnlyStatic()
	for _, p := range w.s.down.pairs[t.from:t.to] {
		m := f.meet(1, a, b, p)
		if m == 0 {
			continue
		}
		w.blocks += int64(bits.OnesCount64(m))
		first, second := group(a.levels[0], p.a), group(b.levels[0], p.b)
		box.MeetLeaves(first, second, &b.levels[1][p.b], m, &w.sure, &w.touching, &w.queue)
		if a.flags != nil {
			w.keep(a, b, p, m)
		}
		w.record(f, &w.found[t.family], p, m)
	}
}

// keep keeps the pairs of a pair of groups of which a primitive has its flag.
func (w *worker) keep(a, b *boxes, p groupPair, m uint64) {
	for k := 0; m != 0; k, m = k+1, m&(m-1) {
		t := int32(bits.TrailingZeros64(m))
		some := wanted(0, a, b, 8*p.a+t>>3, 8*p.b+t&7)
		w.sure[k&63] &= some
		w.touching[k&63] &= some
	}
}

// record appends the records of a pair of groups: the k-th pair of blocks t of m has the pairs of
// the k-th masks. It drops the pairs that share a vertex, those that the filter does not allow, and
// of a block with itself one of each two.
func (w *worker) record(f *family, to *records, p groupPair, m uint64) {
	drop := f.dropped(p)
	out, n, pairs, undecided := to.reserve(), 0, 0, uint64(0)
	for k, rest := 0, m; rest != 0; k, rest = k+1, rest&(rest-1) {
		t := bits.TrailingZeros64(rest)
		wanted := ^drop.of(t)
		found := w.sure[k&63] & wanted
		if doubt := w.touching[k&63] & wanted &^ found; doubt != 0 {
			w.sure[k&63] = found
			w.doubtful(f, p, t, k, doubt)
			undecided |= 1 << t
			continue
		}
		if w.filtered {
			found = w.allowed(f, p, t, found)
		}
		out[n] = box.Record{A: 8*p.a + int32(t)>>3, B: 8*p.b + int32(t)&7, Mask: found}
		pairs += bits.OnesCount64(found)
		if found != 0 {
			n++
		}
	}
	if undecided != 0 {
		w.decide(f)
		for rest := undecided; rest != 0; rest &= rest - 1 {
			t := bits.TrailingZeros64(rest)
			found := w.sure[bits.OnesCount64(m&(1<<t-1))]
			if w.filtered {
				found = w.allowed(f, p, t, found)
			}
			out[n] = box.Record{A: 8*p.a + int32(t)>>3, B: 8*p.b + int32(t)&7, Mask: found}
			pairs += bits.OnesCount64(found)
			if found != 0 {
				n++
			}
		}
	}
	to.commit(n, pairs)
}

// doubtful notes pairs in doubt of the pair of blocks t, whose mask is the k-th.
func (w *worker) doubtful(f *family, p groupPair, t, k int, doubt uint64) {
	if w.doubts > mostDoubts-box.Children*box.Children {
		w.decide(f)
	}
	a := (*[box.Children]int32)(f.a.ids[64*int(p.a)+t&^7:])
	b := (*[box.Children]int32)(f.b.ids[64*int(p.b)+8*(t&7):])
	n := w.doubts
	for ; doubt != 0; doubt &= doubt - 1 {
		bit := bits.TrailingZeros64(doubt)
		w.doubt[n%mostDoubts], w.at[n%mostDoubts] = [2]int32{a[bit>>3], b[bit&7]}, uint16(k<<6|bit)
		n++
	}
	w.doubts = n
}

// decide adds those of the pairs in doubt whose boxes of doubles overlap. The kernel keeps the
// order of the pairs, of which no two are the same.
func (w *worker) decide(f *family) {
	n, in := w.doubts, &w.s.in
	var grow [][2]float64
	if w.s.m.Grow != 0 {
		grow = w.grow[:n]
		if in.Own != nil {
			for i, x := range w.doubt[:n] {
				grow[i] = [2]float64{in.Own(f.a.shape, x[0]), in.Own(f.b.shape, x[1])}
			}
		}
	}
	a, b := sweptSet(in.Mesh, f.a), sweptSet(in.Mesh, f.b)
	left := w.left[:box.SweptOverlaps(in.Motion.Rec, a, b, grow, w.doubt[:n], w.left[:n])]
	for i, x := range w.doubt[:n] {
		if len(left) > 0 && left[0] == x {
			w.sure[w.at[i]>>6&63] |= 1 << (w.at[i] & 63)
			left = left[1:]
		}
	}
	w.decided += int64(n)
	w.doubts = 0
}

// sweptSet returns all primitives of the shape of a tree, by their own numbers.
func sweptSet(m *mesh.Mesh, t *tree) box.SweptSet {
	s := box.SweptSet{Width: t.shape.Vertices()}
	switch t.shape {
	case geom.Edge:
		s.Verts = flat(m.Edges)
	case geom.Face:
		s.Verts = flat(m.Faces)
	}
	return s
}

// flat returns the vertices of edges or faces one after the other.
func flat[T [2]int32 | [3]int32](list []T) []int32 {
	if len(list) == 0 {
		return nil
	}
	var x T
	return unsafe.Slice((*int32)(unsafe.Pointer(unsafe.SliceData(list))), len(list)*len(x))
}

// allowed returns those of some pairs of the pair of blocks t that the mesh's filter allows.
func (w *worker) allowed(f *family, p groupPair, t int, pairs uint64) uint64 {
	a, b := f.a.ids[64*int(p.a)+t&^7:], f.b.ids[64*int(p.b)+8*(t&7):]
	for rest := pairs; rest != 0; rest &= rest - 1 {
		bit := bits.TrailingZeros64(rest)
		if !w.s.in.Filter.Allows(f.kind, a[bit>>3], b[bit&7]) {
			pairs &^= 1 << bit
		}
	}
	return pairs
}

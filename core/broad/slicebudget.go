package broad

import (
	"math"
	"sync/atomic"
	"unsafe"
)

// How a sweep of pieces keeps a memory limit. Only speed and memory depend on it.
const (
	pieceBytes  = 500     // A piece has vertices, records, entries in cells, and lists of these.
	piecesLeast = 1 << 12 // pieces of a slice for which there must be memory
	piecesEach  = 1 << 14 // Each of several threads needs memory for so many more.
	sliceLook   = 1 << 8  // primitives that are divided before the memory and the progress are looked at
)

// sliceBudget is the memory that a sweep of pieces may take, and takes.
type sliceBudget struct {
	threads int
	pieces  int   // pieces is about how many a slice has.
	room    int64 // bytes of all; 0: no limit
	quota   int64 // bytes of a thread; 0: no limit
	spanned int64 // bytes of the slices of all primitives

	largest atomic.Int64 // the most bytes of a thread
	found   atomic.Int64 // pairs that kernels left
	chunks  atomic.Int64 // chunks counts the chunks of their lists.
	done    atomic.Int64 // slices
}

// allot divides the memory among the threads: half of it is for the pairs. It reports whether there
// is enough.
func (s *slicing) allot() bool {
	s.threads, s.pieces = max(1, s.p.how.Work.Threads), slicePieces
	least, each := int64(piecesLeast), int64(piecesEach)
	if s.p.how.Tactic.Orient == DivideAlways { // tests have small meshes
		s.pieces, least, each = slicePieces>>12, 1, 4
	}
	for f := range s.fs {
		s.spanned += int64(unsafe.Sizeof(sliceSpan{})) * int64(s.fs[f].a.n+s.fs[f].b.n)
	}
	if s.p.how.within == 0 {
		return true
	}
	s.room = s.p.how.within - s.p.Bytes() - s.spanned
	if s.room/2 < WorkerBytes+pieceBytes*least {
		return false
	}
	s.threads = int(max(1, min(int64(s.threads), s.room/2/(WorkerBytes+pieceBytes*each))))
	s.quota = s.room / 2 / int64(s.threads)
	s.pieces = int(min(int64(s.pieces), (s.quota-WorkerBytes)/pieceBytes))
	return true
}

// pass adds to the slices that are done and reports whether to go on.
func (s *slicing) pass(n int64) bool {
	s.done.Add(n)
	return s.p.how.Work.Progress == nil || s.p.how.Work.Progress.Pass(n)
}

// goesOn reports whether more pieces may be added to a slice.
func (s *slicing) goesOn(d *pieces) bool {
	if d.motion.N > sliceFull || s.quota > 0 && d.bytes() > s.quota {
		s.full.Store(true)
		return false
	}
	return s.pass(0)
}

// note notes the bytes of a thread.
func (s *slicing) note(now int64) {
	for most := s.largest.Load(); now > most && !s.largest.CompareAndSwap(most, now); {
		most = s.largest.Load()
	}
}

// pairs returns the bytes of the pairs: in lists, sorted, and the keys of the sort.
func (b *sliceBudget) pairs() int64 {
	return int64(unsafe.Sizeof(listChunk{}))*b.chunks.Load() + (pairBytes-8)*b.found.Load()
}

// bytes returns the memory of a number of threads and of what they found.
func (b *sliceBudget) bytes(threads int) int64 {
	return int64(threads)*b.largest.Load() + b.pairs() + b.spanned
}

// over reports whether the memory exceeds the limit.
func (b *sliceBudget) over(threads int) bool {
	return b.room > 0 && b.bytes(threads)-b.spanned > b.room
}

// err returns the error of a sweep that did not end. Where pairs alone are too many, a smaller slab
// may have few enough.
func (s *slicing) err(threads int) error {
	if how := &s.p.how; how.Work.Progress != nil && how.Work.Progress.Cancelled() {
		return how.Work.Progress.Err()
	}
	if s.full.Load() || !s.over(threads) {
		return nil
	}
	if s.p.how.Work.Limit == 0 || s.pairs() <= s.room/2 { // the slab cannot be cut, or a thread takes too much
		s.full.Store(true)
		return nil
	}
	all := float64(len(s.fs)*s.slices()) / float64(max(1, s.done.Load()))
	return &overLimit{int64(min(all*float64(s.bytes(threads)), math.MaxInt64/2)), s.room}
}

// slicing is the division of a plan's families into slices of pieces.
type slicing struct {
	p          *Plan
	fs         []family
	size       float64
	apart      float64 // the largest separation of a pair
	separation float64 // separation is that of the sweep of pieces.
	axis       int
	reach      float64
	cuts       []float64        // the planes between the slices, ascending
	spans      [][2][]sliceSpan // spans has by family and set the slices of each primitive.
	full       atomic.Bool      // there are too many pieces or pairs
	sliceBudget
}

// sliceSpan is the first and the last slice that a primitive meets.
type sliceSpan struct{ first, last uint16 }

// slices returns the number of slices.
func (s *slicing) slices() int { return len(s.cuts) + 1 }

// How slices are chosen. Only speed and memory depend on it.
const (
	slicePieces = 1 << 18 // pieces of a slice
	sliceWidth  = 4       // the least width of a slice, in lengths of a piece: those at its planes are in two slices
	slicesMost  = 1 << 16 // slices of a plan
	sliceBins   = 1 << 12 // The histogram of pieces along the axis has so many bins.
	sliceSample = 1 << 16 // primitives of a set that the histogram counts
	sliceFull   = 1 << 26 // vertices of the pieces of a slice, at most
	sliceShare  = 0.9     // The sweep takes about this part of a plan's time.
	hingedShare = 16      // pairs of hinged points for each rod, at most, that are looked at
	foundMost   = 1 << 26 // pairs that kernels leave, at most: an estimate that is so wrong is given up
)

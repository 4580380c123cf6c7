package gpu

import (
	"fmt"
	"slices"
	"time"
	"unsafe"

	"ccd/simd/linear"
)

// Session is the memory of one call on a device. Its methods may be called from several goroutines;
// they wait for each other. After an error it must only be closed.
type Session struct {
	device *Device
	memory
	seconds float64

	rec, idx      array
	kept          [2]*float64 // the positions of the caller's whose records are on the device; nil: none
	constants     constants
	lists, totals [2]array // what a stage reads, and what it writes
	masks         [2]array
	out           array
	maxNorm       bool // separations are in the max norm
	results       []result

	broad sweeps
}

// constants are those of narrow.cl.
type constants struct {
	array
	there     bool    // the constants are on the device
	tmax, sep float64 // the end of time and the separation of the constants
}

// Places of the constants, as in narrow.cl.
const (
	endsAt       = 4
	piecesAt     = 16
	euclidAt     = piecesAt + 130
	constantsLen = euclidAt + 2
)

// mostQueries is the largest number of queries that the stages take at once: their groups are
// MOST_GROUPS of lists.cl.
const mostQueries = 1024 * group

// BatchBytes is the memory of a session on the device for each pair of the largest list, without
// that of the vertices: vertices, two lists, two masks, a result, and what groups keep.
const BatchBytes = 16 + 2*4 + 2 + resultBytes + 2

// result is what the device knows of a query: the pair or its number, and what First says.
type result struct {
	toi         float64
	a, b        uint32
	mask, state uint32 // state has the number of the query above stateBits.
}

const (
	resultBytes = 24
	stateBits   = 255
	queryShift  = 8
)

// NewSession begins a call, which may use half of the device's memory.
func (d *Device) NewSession() *Session {
	return &Session{device: d, memory: memory{on: d.on, budget: d.budget(0)},
		broad: sweeps{manyTiles: manyTiles, ahead: ahead{entries: -1}}}
}

// budget returns the bytes that a call with this limit may use: at most half of the device's
// memory, which 0 stands for.
func (d *Device) budget(limit uint64) int64 {
	most := d.Memory / 2
	if limit == 0 {
		limit = most
	}
	return int64(min(limit, most, 1<<62))
}

// Limit sets the bytes of the device's memory that the session may use, beyond which a call is an
// *OverBudget; 0: half of them.
func (s *Session) Limit(bytes uint64) {
	defer s.begin()()
	before := s.budget
	if s.budget = s.device.budget(bytes); s.budget < before { // What another call has left may be too much now.
		s.broad.free(s)
		s.freeLists()
	}
}

// Close frees the memory of the session on the device.
func (s *Session) Close() {
	defer s.begin()()
	s.broad.free(s)
	s.freeLists()
	s.release(&s.rec)
	s.release(&s.constants.array)
}

// freeLists frees the memory of lists.
func (s *Session) freeLists() {
	for _, a := range []*array{&s.idx, &s.lists[0], &s.lists[1], &s.totals[0], &s.totals[1], &s.masks[0], &s.masks[1],
		&s.out, &s.broad.ahead.many} {
		s.release(a)
	}
}

// Used returns the time that the session waited for the device, and its largest memory there.
func (s *Session) Used() (seconds float64, bytes int64) {
	s.device.mu.Lock()
	defer s.device.mu.Unlock()
	return s.seconds, s.peak
}

// begin locks the device and starts the clock; what it returns ends both.
func (s *Session) begin() func() {
	s.device.mu.Lock()
	began := time.Now()
	return func() {
		s.seconds += time.Since(began).Seconds()
		s.device.mu.Unlock()
	}
}

// MaxNorm says that separations are in the max norm. Else the Euclidean certificate proves pairs
// apart that the filters, which hold in the max norm, do not.
func (s *Session) MaxNorm(is bool) {
	defer s.begin()()
	s.maxNorm = is
}

// Load copies the records of the vertices to the device: {x0 y0 z0 0 x1 y1 z1 0} each.
func (s *Session) Load(rec []float64) error {
	defer s.begin()()
	s.kept = [2]*float64{}
	return upload(&s.memory, &s.rec, rec)
}

// First finds the first contacts of the queries idx: vertices of the records, vertex-face or
// edge-edge. It writes to list, ascending, the positions of those that it cannot prove to keep more
// than sep throughout [0, tmax], and returns how many there are. For position list[j] mask[j] has
// the pieces of time (linear.TimePieceEnds) that may hold the first contact; state[j] is
// linear.RootContact if toi[j] is the largest double not above it, else linear.RootUndecided. With
// sep > 0 it looks for no time. A mask of 0 is a proof too: such pairs may be listed or left out.
// All slices are as long as idx.
//
// What stays in the list, and all that is written for it, does not depend on the device.
func (s *Session) First(face bool, idx [][4]int32, tmax, sep float64, list []int32, mask []uint8, toi []float64,
	state []uint8) (int, error) {
	if len(idx) == 0 {
		return 0, nil
	}
	defer s.begin()()
	n := 0
	for from := 0; from < len(idx); from += mostQueries {
		part := idx[from:min(from+mostQueries, len(idx))]
		packet := append(constantsOf(tmax, sep), make([]float64, 2*len(part))...)
		copy(unsafe.Slice((*[4]int32)(unsafe.Pointer(&packet[constantsLen])), len(part)), part)
		if err := upload(&s.memory, &s.idx, packet); err != nil {
			return 0, err
		}
		q := query{faces: facesOf(face, len(part)), n: len(part), sep: sep, idx: s.idx.arg(), after: 2 * constantsLen,
			k: s.idx.arg(), pairs: new(array).arg(), many: new(array).arg()}
		first := n
		err := q.run(s, func(m int) { n += m }, func(i int, r *result) {
			j := first + i
			list[j], mask[j], toi[j], state[j] = int32(from)+int32(r.a), uint8(r.mask), r.toi, uint8(r.state&stateBits)
		})
		if err != nil {
			return 0, err
		}
	}
	return n, nil
}

// prepare copies the constants of the kernels to the device.
func (s *Session) prepare(tmax, sep float64) error {
	k := &s.constants
	if k.there && k.tmax == tmax && k.sep == sep {
		return nil
	}
	k.there = false
	if err := upload(&s.memory, &k.array, constantsOf(tmax, sep)); err != nil {
		return err
	}
	k.there, k.tmax, k.sep = true, tmax, sep
	return nil
}

// constantsOf returns the constants of narrow.cl.
func constantsOf(tmax, sep float64) []float64 {
	b := make([]float64, constantsLen)
	w, ends, pieces := linear.FilterBounds(tmax, sep), linear.TimePieceEnds(tmax), linear.PieceBounds(tmax, sep)
	copy(b[:], w[:])
	copy(b[endsAt:], ends[:])
	copy(b[piecesAt:], pieces[:])
	b[euclidAt], b[euclidAt+1] = tmax, sep
	return b
}

// launch is a kernel with its arguments.
type launch struct {
	kernel string
	args   []argument
}

// query is a list of queries for the stages of the narrow phase.
type query struct {
	faces  argument // how many of the first are vertex-face
	n      int
	sep    float64
	idx, k argument // the vertices, from number after on, and the constants
	after  int
	pairs  argument // the pairs, or none
	many   argument // how many there are of each so many queries; none: all are there
	each   int
	head   int // the results before the first, which are the caller's
}

// facesOf returns how many of the first of n queries of one kind are vertex-face.
func facesOf(face bool, n int) argument {
	if face {
		return uintArg(n)
	}
	return uintArg(0)
}

// fetched is the part of the queries for whose results a stage makes room in the packet that comes
// back at once: seldom more are left than one in eight.
const fetched = 8

// run runs the stages on the queries: each takes what the one before keeps, and none waits for
// the host. room is called with the number of results, and then take with each of them.
func (q *query) run(s *Session, room func(n int), take func(i int, r *result)) error {
	if err := q.reserve(s); err != nil {
		return err
	}
	if err := q.launch(s); err != nil {
		return err
	}
	return q.fetch(s, room, take)
}

// groups returns how many groups the queries have.
func (q *query) groups() int { return (q.n + group - 1) / group }

// reserve makes room for what the stages write.
func (q *query) reserve(s *Session) error {
	n, groups := q.n, q.groups()
	for _, a := range []struct {
		*array
		bytes int
	}{{&s.lists[0], 4 * n}, {&s.lists[1], 4 * n}, {&s.totals[0], 4 * groups}, {&s.totals[1], 4 * groups},
		{&s.masks[0], n}, {&s.masks[1], n},
		{&s.out, resultBytes * (q.head + 1 + n)}} {
		if err := s.reserve(a.array, a.bytes); err != nil {
			return err
		}
	}
	return nil
}

// launch launches them.
func (q *query) launch(s *Session) error {
	groups := q.groups()
	from := []argument{s.rec.arg(), q.idx, uintArg(q.after)}
	kept := func(i int, more ...argument) []argument {
		return append(append(from[:3:3], s.lists[i].arg(), s.totals[i].arg(), uintArg(groups)), more...)
	}
	stages := []launch{
		{"filter32", append(from[:3:3], uintArg(q.n), q.many, uintArg(q.each), q.faces, q.k, s.lists[0].arg(),
			s.totals[0].arg())},
		{"filter", kept(0, q.faces, q.k, s.lists[1].arg(), s.totals[1].arg())},
		{"pieces", kept(1, q.faces, q.k, s.lists[0].arg(), s.masks[0].arg(), s.totals[0].arg())},
	}
	last := 0
	if q.sep > 0 && !s.maxNorm {
		last = 1
		stages = append(stages, launch{"euclid", kept(0, s.masks[0].arg(), q.faces, q.k, s.lists[1].arg(),
			s.masks[1].arg(), s.totals[1].arg())})
	}
	stages = append(stages, launch{"roots", kept(last, s.masks[last].arg(), q.faces, q.k, q.pairs, s.out.arg(),
		uintArg(q.head))})
	for _, l := range stages {
		if err := s.on.launch(l.kernel, groups, l.args...); err != nil {
			return err
		}
	}
	return nil
}

// fetch copies the results of the stages, whose number comes first, in one packet where they fit.
func (q *query) fetch(s *Session, room func(n int), take func(i int, r *result)) error {
	before := q.head + 1
	s.results = slices.Grow(s.results[:0], before+q.n)[:before+q.n]
	first := before + min(q.n, max(q.n/fetched, group))
	if err := download(&s.memory, s.results[:first], &s.out); err != nil {
		return err
	}
	left := int(s.results[q.head].a)
	if left > q.n {
		return fmt.Errorf("the device keeps %d of %d queries", left, q.n)
	}
	if before+left > first {
		if err := download(&s.memory, s.results[:before+left], &s.out); err != nil {
			return err
		}
	}
	room(left)
	for i := range left {
		take(i, &s.results[before+i])
	}
	return nil
}

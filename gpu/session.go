package gpu

import (
	"fmt"
	"time"

	"ccd/simd/linear"
)

// Session is the memory of one call on a device. Its methods may be called from several goroutines;
// they wait for each other. After an error it must only be closed.
type Session struct {
	device *Device
	memory
	seconds float64

	rec, idx     array
	kept         [2]*float64 // the positions of the caller's whose records are on the device; nil: none
	constants    constants
	keep, at     array
	lists, masks [2]array // the current one, and the one that a stage writes
	toi, state   array
	totals       [3][2]array // prefix sums, level by level: 2048^3 is more than any list

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
	endsAt   = 4
	piecesAt = 16
)

// BatchBytes is the memory of a session on the device for each pair of the largest list, without
// that of the vertices.
const BatchBytes = 16 + 2*4 + 2*4 + 2*1 + 8 + 1 + 1

// NewSession begins a call, which may use half of the device's memory.
func (d *Device) NewSession() *Session {
	return &Session{device: d, memory: memory{on: d.on, budget: d.budget(0)}}
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
	s.budget = s.device.budget(bytes)
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
	for _, a := range []*array{&s.idx, &s.keep, &s.at, &s.lists[0], &s.lists[1], &s.masks[0], &s.masks[1],
		&s.toi, &s.state} {
		s.release(a)
	}
	for i := range s.totals {
		s.release(&s.totals[i][0])
		s.release(&s.totals[i][1])
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
	if len(idx) > most {
		return 0, fmt.Errorf("%d pairs at a time: at most %d", len(idx), most)
	}
	defer s.begin()()
	if err := s.prepare(tmax, sep); err != nil {
		return 0, err
	}
	if err := upload(&s.memory, &s.idx, idx); err != nil {
		return 0, err
	}
	c := chain{Session: s, face: boolArg(face), n: len(idx), whole: true}
	c.findContacts(sep)
	if c.err != nil || c.n == 0 {
		return 0, c.err
	}
	c.try(download(&c.memory, list[:c.n], c.list()))
	c.fetch(mask, toi, state, sep == 0)
	return c.n, c.err
}

// findContacts runs the stages on the queries of s.idx.
func (c *chain) findContacts(sep float64) {
	c.stage("filter32", c.rec.arg(), c.idx.arg(), uintArg(c.n), c.face, c.constants.arg())
	c.filter()
	c.pieces()
	if sep == 0 {
		c.roots()
	}
}

// prepare copies the constants of the kernels to the device.
func (s *Session) prepare(tmax, sep float64) error {
	k := &s.constants
	if k.there && k.tmax == tmax && k.sep == sep {
		return nil
	}
	k.there = false
	b := make([]float64, piecesAt+130)
	w, ends, pieces := linear.FilterBounds(tmax, sep), linear.TimePieceEnds(tmax), linear.PieceBounds(tmax, sep)
	copy(b[:], w[:])
	copy(b[endsAt:], ends[:])
	copy(b[piecesAt:], pieces[:])
	if err := upload(&s.memory, &k.array, b); err != nil {
		return err
	}
	k.there, k.tmax, k.sep = true, tmax, sep
	return nil
}

// chain is the stages of one list of queries. After an error they do nothing.
type chain struct {
	*Session
	face  argument
	n     int // length of the list
	whole bool
	err   error
}

// try keeps the first error.
func (c *chain) try(err error) {
	if c.err == nil {
		c.err = err
	}
}

// list returns the current list, next the one that a stage writes.
func (c *chain) list() *array { return &c.lists[0] }

// identity makes the list of all positions where no stage has made one.
func (c *chain) identity() {
	if !c.whole || c.err != nil || c.n == 0 {
		return
	}
	c.try(c.reserve(c.list(), 4*c.n))
	if c.err == nil {
		c.try(c.launch("identity", c.n, uintArg(c.n), c.list().arg()))
	}
	c.whole = false
}

// stage runs a kernel that writes to its last argument, keep, which queries of the list are kept,
// and makes the list of those.
func (c *chain) stage(kernel string, args ...argument) {
	if c.err != nil || c.n == 0 {
		return
	}
	c.try(c.reserve(&c.keep, 4*c.n))
	if c.err != nil {
		return
	}
	c.try(c.launch(kernel, c.n, append(args, c.keep.arg())...))
	c.compact(false)
}

// compact keeps the queries of the list with keep, and with bytes their masks.
func (c *chain) compact(bytes bool) {
	if c.err != nil {
		return
	}
	m, err := c.scan(c.n)
	if err != nil {
		c.try(err)
		return
	}
	from, to := &c.lists[0], &c.lists[1]
	c.try(c.reserve(from, 4))
	c.try(c.reserve(to, 4*m))
	if c.err != nil {
		return
	}
	if m > 0 {
		c.try(c.launch("compact", c.n, from.arg(), boolArg(c.whole), c.keep.arg(), c.at.arg(), uintArg(c.n), to.arg()))
		if bytes {
			c.try(c.reserve(&c.masks[1], m))
			if c.err == nil {
				c.try(c.launch("compact_bytes", c.n, c.masks[0].arg(), c.keep.arg(), c.at.arg(), uintArg(c.n),
					c.masks[1].arg()))
			}
			c.masks[0], c.masks[1] = c.masks[1], c.masks[0]
		}
	}
	c.lists[0], c.lists[1] = c.lists[1], c.lists[0]
	c.n, c.whole = m, false
}

func (c *chain) filter() {
	c.identity()
	c.stage("filter", c.rec.arg(), c.idx.arg(), c.list().arg(), uintArg(c.n), c.face, c.constants.arg())
}

func (c *chain) pieces() {
	if c.err != nil || c.n == 0 {
		return
	}
	c.try(c.reserve(&c.masks[0], c.n))
	c.try(c.reserve(&c.keep, 4*c.n))
	if c.err != nil {
		return
	}
	c.try(c.launch("pieces", c.n, c.rec.arg(), c.idx.arg(), c.list().arg(), uintArg(c.n), c.face, c.constants.arg(),
		c.masks[0].arg(), c.keep.arg()))
	c.compact(true)
}

func (c *chain) roots() {
	if c.err != nil || c.n == 0 {
		return
	}
	c.try(c.reserve(&c.toi, 8*c.n))
	c.try(c.reserve(&c.state, c.n))
	if c.err != nil {
		return
	}
	c.try(c.launch("roots", c.n, c.rec.arg(), c.idx.arg(), c.list().arg(), uintArg(c.n), c.face, c.constants.arg(),
		c.masks[0].arg(), c.toi.arg(), c.state.arg()))
}

// fetch copies what is known of the queries of the list to the caller.
func (c *chain) fetch(mask []uint8, toi []float64, state []uint8, times bool) {
	c.try(download(&c.memory, mask[:c.n], &c.masks[0]))
	if !times {
		clear(toi[:c.n])
		clear(state[:c.n])
		return
	}
	c.try(download(&c.memory, toi[:c.n], &c.toi))
	c.try(download(&c.memory, state[:c.n], &c.state))
}

// scan writes to at the prefix sums of the first n of keep, and returns the total.
func (s *Session) scan(n int) (int, error) {
	total, err := s.sums(n)
	if err != nil {
		return 0, err
	}
	var sum [1]uint32
	err = download(&s.memory, sum[:], total)
	return int(sum[0]), err
}

// sums writes to at the prefix sums of the first n of keep; the total is in what it returns, on the
// device.
func (s *Session) sums(n int) (total *array, err error) {
	if err := s.reserve(&s.at, 4*n); err != nil {
		return nil, err
	}
	return s.scanLevel(&s.keep, &s.at, n, 0)
}

// scanLevel sums within tiles, then the sums of the tiles, and adds those.
func (s *Session) scanLevel(x, at *array, n, level int) (*array, error) {
	tiles := (n + tile - 1) / tile
	total, before := &s.totals[level][0], &s.totals[level][1]
	if err := s.reserve(total, 4*tiles); err != nil {
		return nil, err
	}
	if err := s.on.launch("scan_tiles", tiles, x.arg(), uintArg(n), at.arg(), total.arg()); err != nil || tiles == 1 {
		return total, err
	}
	if err := s.reserve(before, 4*tiles); err != nil {
		return nil, err
	}
	sum, err := s.scanLevel(total, before, tiles, level+1)
	if err != nil {
		return nil, err
	}
	return sum, s.launch("scan_add", n, at.arg(), uintArg(n), before.arg())
}

package main

// #include "internal.h"
import "C"

import (
	"fmt"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"ccd/core/geom"
	"ccd/core/narrow"
	corestatus "ccd/core/status"
)

// A desk is what a thread needs to answer queries. A call takes as many as it has threads and gives them back, so that a
// query does not allocate.
type desk struct {
	settings settings // of a call for one pair
	solver   *narrow.Solver
}

var desks = sync.Pool{New: func() any { return &desk{solver: narrow.NewSolver()} }}

//export go_pair
func go_pair(kind int32, q *float64, o, out unsafe.Pointer) (s status) {
	defer recovered(&s)
	return statusOf(pair(geom.Kind(kind), q, o, (*geom.Impact)(out)))
}

func pair(kind geom.Kind, q *float64, o unsafe.Pointer, out *geom.Impact) error {
	d := desks.Get().(*desk)
	defer desks.Put(d)
	if err := d.settings.readFor(kind, o); err != nil {
		return err
	}
	if q == nil {
		return null("q")
	}
	if out == nil {
		return null("out")
	}
	query := unsafe.Slice(q, kind.Len())
	if err := narrow.CheckQuery(kind, query, &d.settings.narrow); err != nil {
		return invalid(err)
	}
	if d.settings.stats == nil {
		d.solver.Solve(kind, query, &d.settings.narrow, out)
		return nil
	}
	start := time.Now()
	d.solver.Solve(kind, query, &d.settings.narrow, out)
	d.settings.tell(kind, unsafe.Slice(out, 1), 1, time.Since(start))
	return nil
}

//export go_pairs
func go_pairs(kind int32, q *float64, n uintptr, o, out unsafe.Pointer) (s status) {
	defer recovered(&s)
	return statusOf(pairs(geom.Kind(kind), q, n, o, (*geom.Impact)(out)))
}

func pairs(kind geom.Kind, q *float64, n uintptr, o unsafe.Pointer, out *geom.Impact) error {
	var s settings
	if err := s.readFor(kind, o); err != nil {
		return err
	}
	queries, err := view("q", q, "n", n, kind.Len())
	if err != nil {
		return err
	}
	impacts, err := view("out", out, "n", n, 1)
	if err != nil {
		return err
	}
	b := batch{kind: kind, q: queries, out: impacts, s: &s, progress: s.report()}
	b.first.Store(int64(n))
	workers := min(s.workers(), (len(impacts)+blockLen-1)/blockLen)
	start := time.Now()
	err = b.run(workers)
	if err == nil && s.stats != nil {
		s.tell(kind, impacts, workers, time.Since(start))
	}
	return err
}

// A batch is worked off in blocks by several threads. Each answer is that of the single call; who computes it is of no
// account. An error is that of the first bad query, whichever thread meets it when.
type batch struct {
	kind     geom.Kind
	q        []float64
	out      []geom.Impact
	s        *settings
	progress func(float64) bool

	next      atomic.Int64 // block to be taken next
	first     atomic.Int64 // the first bad query that is known, or their number
	done      atomic.Int64 // queries that have been answered
	cancelled atomic.Bool
	reporting sync.Mutex // held while the caller's progress function runs
}

// blockLen is how many queries a thread takes at a time: some tens of microseconds of work.
const blockLen = 128

func (b *batch) run(workers int) error {
	if err := parallel(workers, b.work); err != nil {
		return err
	}
	if b.cancelled.Load() {
		return corestatus.ErrCancelled
	}
	if i := int(b.first.Load()); i < len(b.out) {
		return fmt.Errorf("query %d: %w", i, invalid(b.check(i)))
	}
	return nil
}

// work takes blocks until there are none, or all that is left lies behind a bad query.
func (b *batch) work() {
	d := desks.Get().(*desk)
	defer desks.Put(d)
	for !b.cancelled.Load() {
		lo := int(b.next.Add(1)-1) * blockLen
		hi := min(lo+blockLen, len(b.out))
		if lo >= hi || int64(lo) > b.first.Load() {
			return
		}
		for i := lo; i < hi; i++ {
			if b.check(i) != nil {
				lower(&b.first, int64(i))
				break
			}
			d.solver.Solve(b.kind, b.query(i), &b.s.narrow, &b.out[i])
			b.out[i].A = int64(i)
		}
		b.report(hi - lo)
	}
}

func (b *batch) query(i int) []float64 {
	n := b.kind.Len()
	return b.q[i*n : (i+1)*n : (i+1)*n]
}

func (b *batch) check(i int) error { return narrow.CheckQuery(b.kind, b.query(i), &b.s.narrow) }

// report counts answers and tells the caller, unless another thread is just doing so.
func (b *batch) report(n int) {
	done := b.done.Add(int64(n))
	if b.progress == nil || !b.reporting.TryLock() {
		return
	}
	defer b.reporting.Unlock()
	if !b.cancelled.Load() && b.progress(float64(done)/float64(len(b.out))) {
		b.cancelled.Store(true)
	}
}

// lower makes x the smaller of itself and v.
func lower(x *atomic.Int64, v int64) {
	for old := x.Load(); v < old && !x.CompareAndSwap(old, v); old = x.Load() {
	}
}

// tell writes the statistics of a call that answered bare pairs.
func (s *settings) tell(kind geom.Kind, out []geom.Impact, workers int, took time.Duration) {
	seconds := C.double(took.Seconds())
	st := C.ccd_stats{struct_size: s.stats.struct_size, seconds_narrow: seconds, seconds_total: seconds}
	st.threads = C.int32_t(max(workers, 1))
	st.candidates[kind-1] = C.int64_t(len(out))
	for i := range out {
		switch out[i].Verdict {
		case geom.Undecided:
			st.undecided++
			st.impacts++
		case geom.Contact:
			st.impacts++
		}
	}
	*s.stats = st
}

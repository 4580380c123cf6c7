package narrow

import (
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"ccd/core/engine"
	"ccd/core/geom"
)

// blockLen is how many queries a worker takes at a time: some tens of microseconds of work.
const blockLen = 128

// solvers keeps the memory of calls that are over, so that a query does not allocate.
var solvers = sync.Pool{New: func() any { return NewSolver() }}

// Queries answers the queries of one kind in q, each by itself: out[i] is what Solve writes for the i-th, with A = i. An error is that of
// the first query that CheckQuery refuses, whatever the number of threads; then no entry of out is of use.
func Queries(kind geom.Kind, q []float64, o *Options, c *engine.CallOptions, out []geom.Impact) error {
	b := batch{kind: kind, q: q, o: o, out: out}
	if err := b.Begin(c); err != nil {
		return err
	}
	b.Progress.Part(int64(len(out)), 1)
	b.first.Store(int64(len(out)))
	blocks := (len(out) + blockLen - 1) / blockLen
	tasks := engine.NewTasks(0, blocks)
	err := b.Run(blocks, func(int) {
		s := solvers.Get().(*Solver)
		defer solvers.Put(s)
		for i := range tasks.All() {
			if int64(blockLen*i) > b.first.Load() || !b.block(s, blockLen*i, min(blockLen*(i+1), len(out))) {
				return
			}
		}
	})
	if i := int(b.first.Load()); err == nil && i < len(out) {
		err = fmt.Errorf("query %d: %w", i, b.check(i))
	}
	if err == nil && c.Stats != nil {
		b.count(min(blocks, int(b.Stats.Threads)))
	}
	return b.End(err)
}

// batch is a call of Queries.
type batch struct {
	engine.Call
	kind   geom.Kind
	q      []float64
	o      *Options
	out    []geom.Impact
	first  atomic.Int64 // the first bad query that is known, or their number
	narrow atomic.Int64 // nanoseconds, of all workers
}

// block answers some queries and reports whether to go on.
func (b *batch) block(s *Solver, lo, hi int) bool {
	began := time.Now()
	defer func() { b.narrow.Add(int64(time.Since(began))) }()
	for i := lo; i < hi; i++ {
		if b.check(i) != nil {
			lower(&b.first, int64(i))
			break
		}
		s.Solve(b.kind, b.query(i), b.o, &b.out[i])
		b.out[i].A = int64(i)
	}
	return b.Progress.Pass(int64(hi - lo))
}

func (b *batch) query(i int) []float64 {
	n := b.kind.Len()
	return b.q[i*n : (i+1)*n : (i+1)*n]
}

func (b *batch) check(i int) error { return CheckQuery(b.kind, b.query(i), b.o) }

// count fills the statistics.
func (b *batch) count(workers int) {
	s := &b.Stats
	s.Threads = int32(max(workers, 1))
	s.SecondsNarrow = time.Duration(b.narrow.Load()).Seconds() / float64(s.Threads)
	s.Candidates[b.kind-1] = int64(len(b.out))
	for i := range b.out {
		s.Count(b.out[i].Verdict != geom.Separate, b.out[i].Verdict == geom.Undecided)
	}
}

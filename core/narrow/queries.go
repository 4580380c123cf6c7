package narrow

import (
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/gradient"
	"ccd/core/motion"
	"ccd/core/status"
)

// blockLen is how many queries a worker takes at a time: some tens of microseconds of work.
const blockLen = 128

// solvers keeps the memory of finished calls, so that a query does not allocate.
var solvers = sync.Pool{New: func() any { return NewSolver() }}

// Queries solves the queries of one kind in q, each by itself: out[i] is the impact that Solve
// writes for query i, with A = i. If CheckQuery refuses a query, the error is that of the first
// such query, for any number of threads, and the entries of out are undefined.
func Queries(kind geom.Kind, q []float64, o *Options, c *engine.CallOptions, out []geom.Impact) error {
	b := batch{kind: kind, q: q, o: o, n: len(out)}
	return b.run(c, func(s *Solver, i int) geom.Verdict {
		s.Solve(kind, b.query(i), o, &out[i])
		out[i].A = int64(i)
		return out[i].Verdict
	})
}

// Gradients writes the derivatives of the times of impact of the queries in q. The times are the
// exact ones, whatever the method of o; ApartAtTOI is not supported. Otherwise as Queries.
func Gradients(kind geom.Kind, q []float64, o *Options, c *engine.CallOptions, out []gradient.Gradient) error {
	if o.Flags&ApartAtTOI != 0 {
		return status.Errorf(status.ErrUnsupported, "options.flags has CCD_APART_AT_TOI: its times have no derivatives")
	}
	exact := *o
	exact.Method = Exact
	b := batch{kind: kind, q: q, o: &exact, n: len(out)}
	return b.run(c, func(s *Solver, i int) geom.Verdict {
		var im geom.Impact
		query := gradient.Query{Kind: kind, Q: b.query(i), Separation: o.MinSeparation, MaxNorm: o.Flags&MaxNorm != 0,
			TMax: o.TMax}
		s.Solve(kind, query.Q, &exact, &im)
		out[i].Vertices = [4]int32{-1, -1, -1, -1}
		for j := range kind.Points() {
			out[i].Vertices[j] = int32(j)
		}
		out[i].Of(&query, &im)
		return im.Verdict
	})
}

// MotionPairs decides count pairs of one kind whose vertices move as m says: out[i] is what
// SolveMotion writes for the i-th, with A = i. vertices has kind.Points() indices for each.
// Otherwise as Queries.
func MotionPairs(m *motion.Motion, kind geom.Kind, vertices []int32, o *Options, c *engine.CallOptions,
	out []geom.Impact) error {
	n := kind.Points()
	pair := func(i int) []int32 { return vertices[n*i : n*(i+1) : n*(i+1)] }
	b := batch{kind: kind, o: o, n: len(out), verify: func(i int) error { return CheckPair(m, kind, pair(i)) }}
	return b.run(c, func(s *Solver, i int) geom.Verdict {
		s.SolveMotion(m, kind, pair(i), o, &out[i])
		out[i].A = int64(i)
		return out[i].Verdict
	})
}

// batch is a call on a list of queries.
type batch struct {
	engine.Call
	verify    func(i int) error // verify checks query i; nil stands for CheckQuery.
	kind      geom.Kind
	q         []float64
	o         *Options
	n         int
	first     atomic.Int64 // the first query known to be bad, or the number of queries
	narrow    atomic.Int64 // nanoseconds, of all workers
	impacts   atomic.Int64 // results that are not Separate
	undecided atomic.Int64
}

// run calls solve for each query.
func (b *batch) run(c *engine.CallOptions, solve func(s *Solver, i int) geom.Verdict) error {
	if err := b.Begin(c); err != nil {
		return err
	}
	b.Progress.Part(int64(b.n), 1)
	b.first.Store(int64(b.n))
	blocks := (b.n + blockLen - 1) / blockLen
	tasks := engine.NewTasks(0, blocks)
	err := b.Run(blocks, func(int) {
		s := solvers.Get().(*Solver)
		defer solvers.Put(s)
		for i := range tasks.All() {
			if int64(blockLen*i) > b.first.Load() || !b.block(s, blockLen*i, min(blockLen*(i+1), b.n), solve) {
				return
			}
		}
	})
	if i := int(b.first.Load()); err == nil && i < b.n {
		err = fmt.Errorf("query %d: %w", i, b.check(i))
	}
	if err == nil && c.Stats != nil {
		b.count(min(blocks, int(b.Stats.Threads)))
	}
	return b.End(err)
}

// block solves some queries and reports whether to continue.
func (b *batch) block(s *Solver, lo, hi int, solve func(s *Solver, i int) geom.Verdict) bool {
	began := b.Now()
	impacts, undecided := int64(0), int64(0)
	defer func() {
		b.narrow.Add(int64(b.Since(began)))
		b.impacts.Add(impacts)
		b.undecided.Add(undecided)
	}()
	for i := lo; i < hi; i++ {
		if b.check(i) != nil {
			lower(&b.first, int64(i))
			break
		}
		switch solve(s, i) {
		case geom.Undecided:
			undecided++
			impacts++
		case geom.Contact:
			impacts++
		}
	}
	return b.Progress.Pass(int64(hi - lo))
}

func (b *batch) query(i int) []float64 {
	n := b.kind.Len()
	return b.q[i*n : (i+1)*n : (i+1)*n]
}

func (b *batch) check(i int) error {
	if b.verify != nil {
		return b.verify(i)
	}
	return CheckQuery(b.kind, b.query(i), b.o)
}

// count fills the statistics.
func (b *batch) count(workers int) {
	s := &b.Stats
	s.Threads = int32(max(workers, 1))
	s.SecondsNarrow = time.Duration(b.narrow.Load()).Seconds() / float64(s.Threads)
	s.Candidates[b.kind-1] = int64(b.n)
	s.Impacts += b.impacts.Load()
	s.Undecided += b.undecided.Load()
}

package narrow

import (
	"fmt"
	"math"
	"slices"
	"sync/atomic"
	"time"

	"ccd/core/engine"
	"ccd/core/geom"
	"ccd/core/status"
)

// HasIntervals returns an error unless the options select the exact method, which alone has
// intervals.
func (o *Options) HasIntervals() error {
	switch {
	case !o.exact():
		return status.Errorf(status.ErrUnsupported,
			"options.method is %d: the exact method alone has intervals of contact", o.Method)
	case o.Flags&ApartAtTOI != 0:
		return status.Errorf(status.ErrUnsupported,
			"options.flags has CCD_APART_AT_TOI: intervals of contact begin when it is made")
	}
	return nil
}

// Intervals appends to list the intervals in which the pair of the query q is in contact: laws T1
// to T6 of docs/numerics.md. The options have passed Check and HasIntervals, the query CheckQuery.
// A = B = -1.
func (s *Solver) Intervals(kind geom.Kind, q []float64, o *Options, list []geom.Interval) []geom.Interval {
	if o.MinSeparation == 0 {
		return s.exact.Intervals(kind, q, o.TMax, list)
	}
	if o.Flags&MaxNorm != 0 {
		return s.separate.Intervals(kind, q, o.MinSeparation, o.TMax, list)
	}
	return s.euclid.Intervals(kind, q, o.MinSeparation, o.TMax, list)
}

// BatchIntervals calls emit, in order, for each query of a motion that has intervals. idx lists the
// vertices; i is the position in idx, and list is valid until emit returns. d is nil, or has a
// separation for each query in place of that of the options. Each list has the bits of the single
// call.
func (s *Solver) BatchIntervals(kind geom.Kind, m *geom.Trajectories, idx [][4]int32, d []float64, o *Options,
	emit func(i int, list []geom.Interval)) {
	if d == nil && o.MinSeparation == 0 {
		s.exact.Boxed = s.Boxed
		s.exact.BatchIntervals(kind, m, idx, o.TMax, emit)
		return
	}
	var q [24]float64
	for first := 0; first < len(idx); first += block {
		end := min(first+block, len(idx))
		one := *o
		if d != nil { // Pairs that are farther apart than the largest separation are farther apart than each.
			one.MinSeparation = slices.Max(d[first:end])
		}
		for _, i := range s.sieve(kind, m, idx[first:end], &one) {
			at := first + int(i)
			if d != nil {
				one.MinSeparation = d[at]
			}
			m.Query(kind, &idx[at], &q)
			if s.times = s.Intervals(kind, q[:kind.Len()], &one, s.times[:0]); len(s.times) > 0 {
				emit(at, s.times)
			}
		}
	}
}

// QueryIntervals returns the intervals of the queries of one kind in q, each by itself, query by
// query, with A = the query. An error is that of the first query that CheckQuery refuses.
func QueryIntervals(kind geom.Kind, q []float64, o *Options, c *engine.CallOptions) ([]geom.Interval, error) {
	n := len(q) / kind.Len()
	b := batch{kind: kind, q: q, o: o}
	if err := b.Begin(c); err != nil {
		return nil, err
	}
	b.Progress.Part(int64(n), 1)
	b.first.Store(int64(n))
	blocks := (n + blockLen - 1) / blockLen
	lists := make([][]geom.Interval, blocks)
	tasks := engine.NewTasks(0, blocks)
	err := b.Run(blocks, func(int) {
		s := solvers.Get().(*Solver)
		defer solvers.Put(s)
		for i := range tasks.All() {
			if int64(blockLen*i) > b.first.Load() || !b.intervals(s, blockLen*i, min(blockLen*(i+1), n), &lists[i]) {
				return
			}
		}
	})
	if i := int(b.first.Load()); err == nil && i < n {
		err = fmt.Errorf("query %d: %w", i, b.check(i))
	}
	all := slices.Concat(lists...)
	if err == nil && c.Stats != nil {
		b.countIntervals(n, all, min(blocks, int(b.Stats.Threads)))
	}
	if err := b.End(err); err != nil {
		return nil, err
	}
	return all, nil
}

// intervals computes those of some queries and reports whether to go on.
func (b *batch) intervals(s *Solver, lo, hi int, list *[]geom.Interval) bool {
	began := b.Now()
	defer func() { b.narrow.Add(int64(b.Since(began))) }()
	for i := lo; i < hi; i++ {
		if b.check(i) != nil {
			lower(&b.first, int64(i))
			break
		}
		from := len(*list)
		*list = s.Intervals(b.kind, b.query(i), b.o, *list)
		for j := from; j < len(*list); j++ {
			(*list)[j].A = int64(i)
		}
	}
	return b.Progress.Pass(int64(hi - lo))
}

// lower makes x the least of itself and i.
func lower(x *atomic.Int64, i int64) {
	for old := x.Load(); i < old && !x.CompareAndSwap(old, i); old = x.Load() {
	}
}

// countIntervals fills the statistics: a query with an interval is an impact.
func (b *batch) countIntervals(n int, all []geom.Interval, workers int) {
	s := &b.Stats
	s.Threads = int32(max(workers, 1))
	s.SecondsNarrow = time.Duration(b.narrow.Load()).Seconds() / float64(s.Threads)
	s.Candidates[b.kind-1] = int64(n)
	last := int64(math.MinInt64)
	for i := range all {
		s.Count(all[i].A != last, false)
		last = all[i].A
	}
}

package narrow

import (
	"ccd/core/geom"
	"ccd/core/kernel"
)

// block is the number of queries of a batch that go through the kernels at a time: their lists fit
// the first-level cache.
const block = 1024

// lists are the scratch of the kernels.
type lists struct {
	alive     [block]int32
	masks     [block]uint8
	order     kernel.Order
	batch     kernel.Batch
	survivors kernel.Survivors
	one       geom.Trajectories // a single query, for filtered
	index     [1][4]int32       // the vertices of that query
}

// Batch solves the queries of a motion whose vertices idx lists (the first Kind.Points of the four
// count), in their order, under the same options. It emits the impacts that are not Separate: i is
// the position in idx, and im is valid until emit returns. Each impact has the bits of the single
// call, because Solve drops the queries that the kernels drop here (filtered).
func (s *Solver) Batch(kind geom.Kind, m *geom.Trajectories, idx [][4]int32, o *Options,
	emit func(i int, im *geom.Impact)) {
	tMax := o.TMax
	s.Until(kind, m, idx, o, &tMax, emit)
}

// Until is Batch with an end of time tMax, in place of that of the options, that emit may lower
// between queries, for a search for the earliest impact: later impacts may be left out from then
// on. The method must have Unique results, so that TOILo is that of the whole step for every end of
// time.
func (s *Solver) Until(kind geom.Kind, m *geom.Trajectories, idx [][4]int32, o *Options, tMax *float64,
	emit func(i int, im *geom.Impact)) {
	if o.exact() && o.MinSeparation == 0 {
		s.exact.Boxed, s.exact.Remote, s.exact.Wanted, s.exact.Margin, s.exact.Times = s.Boxed, s.Remote, s.Wanted,
			s.Margin, s.Times
		s.exact.Until(kind, m, idx, tMax, emit)
		return
	}
	var im geom.Impact
	if o.exact() && s.Remote.First(kind, idx, *tMax, o.MinSeparation) {
		for j, i := range s.Remote.List {
			if s.Remote.Masks[j] != 0 {
				s.solveOne(kind, m, idx, int(i), 0, o, *tMax, &im, emit)
			}
		}
		return
	}
	for first := 0; first < len(idx); first += block {
		part := idx[first:min(first+block, len(idx))]
		limited := *o
		limited.TMax, limited.MinSeparation = *tMax, s.Margin.Beyond(o.MinSeparation)
		alive := s.sieve(kind, m, part, &limited)
		s.Margin.Leaves(first, alive)
		for _, i := range alive {
			s.solveOne(kind, m, part, int(i), first, o, *tMax, &im, emit)
		}
	}
}

// solveOne solves query i of a list whose first query has the position first in the caller's list.
func (s *Solver) solveOne(kind geom.Kind, m *geom.Trajectories, idx [][4]int32, i, first int, o *Options, tMax float64,
	im *geom.Impact, emit func(i int, im *geom.Impact)) {
	var q [24]float64
	n := kind.Len()
	m.Query(kind, &idx[i], &q)
	im.SetSeparate(kind)
	if o.exact() {
		s.decide(kind, q[:n], tMax, o, im)
	} else {
		s.search(kind, q[:n], o, im)
	}
	if im.Verdict == geom.Separate || s.form.scale != 1 && !o.exact() && s.filtered(kind, q[:n], o) {
		return
	}
	emit(first+i, im)
}

// sieve returns the positions of the queries that the kernels cannot prove separate; the list holds
// until the next call. The kernels measure in the max norm, in which the ball of a Euclidean
// separation lies within the cube.
func (s *Solver) sieve(kind geom.Kind, m *geom.Trajectories, idx [][4]int32, o *Options) []int32 {
	if !kernel.CPU.Supports(kind) {
		return s.sieveCodim(kind, m, idx, o)
	}
	l := &s.lists
	l.batch = kernel.Batch{Kind: kind, Step: m, Index: idx, TMax: o.TMax, Separation: o.MinSeparation,
		Stages: kernel.Axes, Order: &l.order}
	if o.Method != TightInclusion { // Tight Inclusion finds by itself what the other filters would.
		l.batch.Stages |= kernel.Floats | kernel.TimePieces
	}
	if o.exact() { // With a tolerance, pairs that these stages prove separate may be reported as contacts.
		l.batch.Stages |= kernel.InPlane
		l.batch.Single = true
	}
	if s.Boxed && o.exact() {
		l.batch.Stages &^= kernel.Axes
	}
	l.survivors = kernel.Survivors{List: l.alive[:len(idx)], TimePieces: l.masks[:len(idx)]}
	kernel.CPU.Filter(&l.batch, &l.survivors)
	return l.alive[:l.survivors.N]
}

// sieveCodim is sieve for point-edge and point-point queries, which have no kernels.
func (s *Solver) sieveCodim(kind geom.Kind, m *geom.Trajectories, idx [][4]int32, o *Options) []int32 {
	alive := s.lists.alive[:0]
	var q [24]float64
	for i := range idx {
		m.Query(kind, &idx[i], &q)
		if !apart(kind, q[:kind.Len()], o.MinSeparation) {
			alive = append(alive, int32(i))
		}
	}
	return alive
}

// filtered reports whether the kernels prove the query separate. Beyond 2^150 or so they prove
// nothing, so they get the query as it was normalized, provided that this lost no bit.
func (s *Solver) filtered(kind geom.Kind, q []float64, o *Options) bool {
	if o.Method == TightInclusion || !kernel.CPU.Supports(kind) {
		return false
	}
	var x [24]float64
	scaled := *o
	scaled.MinSeparation = s.form.d
	lossless := s.form.d == o.MinSeparation*s.form.scale && s.form.d/s.form.scale == o.MinSeparation
	for i := range x {
		x[i] = q[i] * s.form.scale
		lossless = lossless && x[i]/s.form.scale == q[i]
	}
	if !lossless || s.lists.one.Load(x[:12], x[12:]) != nil {
		return false
	}
	s.lists.index[0] = [4]int32{0, 1, 2, 3}
	return len(s.sieve(kind, &s.lists.one, s.lists.index[:], &scaled)) == 0
}

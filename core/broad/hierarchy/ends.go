package hierarchy

import (
	"math"
	"math/bits"

	"ccd/core/bound"
	"ccd/core/geom"
	"ccd/core/num"
	"ccd/simd/box"
)

// ends are the boxes of vertices at both ends of a step, for a search whose pairs are decided
// later: it leaves out what is apart on one side at both ends, as boxes of records do.
//
// Law 4. A pair that a search of ends leaves out is farther apart than twice the inflation r along
// an axis, at all times of [0, t], even by the rounded gaps of doubles.
//
// Proof. Boxes are inflated by G >= r + w, where w bounds the error of positions at t and more
// (bound.RecordSpace.Error, whose derivation holds for x1 rounded as in at). At each end e, along
// an axis, M_e(down(lo_a - G)) > M_e(up(hi_b + G)) implies down(lo_a - G) > up(hi_b + G), since M_e
// never decreases (law 1, for the center of that end), so lo_a - hi_b > 2 G. Each end has its own
// boxes of all nodes, which are minima of rows (law 2): where nodes are apart on one side at both
// ends, so are their primitives. What is farther apart than 2 r on one side at both ends is so
// between, for positions are linear. Floats that are equal prove nothing, and their pairs are
// found.
type ends struct {
	are bool
	m   [2]box.RowMap
	t   float64
}

// begin sets the ends of a search; ok is false where floats might overflow.
func (e *ends) begin(in *Input, largest float64) (ok bool) {
	grow := num.AddUp(in.Inflation, in.Space.Error())
	for end := range e.m {
		at := bound.RecordSpace{Axis: in.Space.Axis, Scale: in.Space.Scale, Map: in.Space.Map}
		at.C[0] = in.Space.C[end]
		if e.m[end], ok = newRowMap(&at, grow, largest); !ok {
			return false
		}
	}
	e.are, e.t = true, in.Until
	return true
}

// endsRun is the number of vertices whose positions at t are computed at once.
const endsRun = 128

// fill computes the rows of the vertices from to to-1 at both ends. Without later, rows get the
// minima of both.
func (e *ends) fill(rec []float64, from, to int, rows, later []float32) {
	var moved [8 * endsRun]float64
	var other [rowLen * endsRun]float32
	for ; from < to; from += endsRun {
		last := min(from+endsRun, to)
		part := rec[8*from : 8*last]
		if e.t < 1 {
			part = e.at(part, moved[:])
		}
		first, second := rows[rowLen*from:rowLen*last], other[:rowLen*(last-from)]
		if later != nil {
			second = later[rowLen*from : rowLen*last]
		}
		box.EndRows(part, 0, &e.m[0], first)
		box.EndRows(part, 1, &e.m[1], second)
		if later == nil {
			for i, x := range second {
				first[i] = min(first[i], x)
			}
		}
	}
}

// at returns the records of vertices over [0, t]: their ends are x1 = t (x1 - x0) + x0, the
// difference rounded and the rest fused.
func (e *ends) at(rec, out []float64) []float64 {
	out = out[:len(rec)]
	copy(out, rec)
	for v := 0; v < len(rec); v += 8 {
		for k := v; k < v+3; k++ {
			out[k+4] = math.FMA(e.t, rec[k+4]-rec[k], rec[k])
		}
	}
	return out
}

// Begin prepares a search for the pairs of a step over [0, in.Until] that are to be decided later,
// by Near. ok is false where it does not fit.
func (s *Search) Begin(o *Order, in *Input) (ok bool, err error) {
	s.order, s.in = o, *in
	if ok = s.ends.begin(in, in.Motion.Largest()); !ok {
		return false, nil
	}
	s.sieve = in.Sieve
	if err := s.refit(); err != nil {
		return true, err
	}
	if err := s.descend(); err != nil {
		return true, err
	}
	o.noteGroups(int64(len(s.pairs)))
	return true, nil
}

// End forgets the order and the step.
func (s *Search) End() { s.order, s.in = nil, Input{} }

// Tasks returns the number of tasks of a search that has begun.
func (s *Search) Tasks() int { return len(s.tasks) }

// Task returns the kind of the pairs of a task, and how many pairs of groups it has.
func (s *Search) Task(i int) (k geom.Kind, groups int) {
	t := &s.tasks[i]
	return s.order.families[t.family].kind, t.to - t.from
}

// A Worker is the memory of a goroutine that calls Near.
type Worker struct {
	queue    box.Queue
	sure     [box.Children * box.Children]uint64
	touching [box.Children * box.Children]uint64
	sieve    box.Sieve
	records  [box.Children * box.Children]box.Record
}

// Near finds the pairs of a task: those that share no vertex, and whose boxes are not proven to be
// apart by more than twice the inflation throughout. A search that sieves leaves out others that
// are apart by as much up to the time until. Near calls found with their records and the numbers of
// the primitives by place, for box.Expand, until found returns false.
func (s *Search) Near(w *Worker, task int, until float64, found func(list []box.Record, a, b []int32) bool) bool {
	t := &s.tasks[task]
	f := &s.order.families[t.family]
	a, b := s.boxesOf(f.a), s.boxesOf(f.b)
	if s.sieve {
		w.sieve = box.NewSieve(min(until, s.in.Until), float64(2*s.in.Inflation)*s.in.Space.Scale)
	}
	for _, p := range s.pairs[t.from:t.to] {
		m := f.meet(1, a, b, p)
		if m == 0 {
			continue
		}
		n := 0
		if s.sieve {
			n = w.sieved(f, a, b, p, m)
		} else {
			box.MeetEnds(group(a.levels[0], p.a), group(a.later[0], p.a), group(b.levels[0], p.b),
				group(b.later[0], p.b), &b.levels[1][p.b], &b.later[1][p.b], m, &w.touching, &w.queue)
			n = w.collect(f, p, m)
		}
		if n > 0 && !found(w.records[:n], f.a.ids, f.b.ids) {
			return false
		}
	}
	return true
}

// group returns the blocks of a group.
func group(level []box.Node, i int32) *[box.Children]box.Node {
	return (*[box.Children]box.Node)(level[box.Children*i:])
}

// collect makes records of the masks of a pair of groups and returns their number.
func (w *Worker) collect(f *family, p groupPair, m uint64) (n int) {
	drop := f.dropped(p)
	for k := 0; m != 0; k, m = k+1, m&(m-1) {
		t := bits.TrailingZeros64(m)
		touching := w.touching[k&63] &^ drop.of(t)
		w.records[n&63] = box.Record{A: 8*p.a + int32(t)>>3, B: 8*p.b + int32(t)&7, Mask: touching}
		if touching != 0 {
			n++
		}
	}
	return n
}

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
//
// Different inflations. Where each vertex has its own, the rows of vertices v and w that are apart
// prove lo_v - hi_w > G_v + G_w in the same way, for M_e is one function for all of them. The row
// of a primitive is the minimum of those of its vertices, so a gap of two is one of each two
// vertices: primitives a and b are farther apart than r_v + r_w for all their vertices v and w.
// With r_v the largest inflation of a primitive at v that is r_a + r_b or more.
//
// Bands. Where a vertex is on a path and not on a segment, Lo and Hi are two segments between which
// it is along each axis, at all times. Its lower bounds are then those of Lo, its upper ones those
// of Hi, both linear in time, and the proof holds for them word by word.
type ends struct {
	are    bool
	m      [2]box.RowMap // Grow is that of all vertices, where they have one.
	t      float64
	lo, hi *geom.Trajectories // What vertices are between: the motion itself, or bands.
	still  bool               // The frame hardly moves: one map serves for boxes around both ends.
}

// hardly is how far a frame may move, in units of the scene, without making boxes around both ends
// larger by much. Only speed depends on it.
const hardly = 0x1p-13

// begin sets the ends of a search; ok is false where floats might overflow.
func (e *ends) begin(in *Input) (ok bool) {
	e.lo, e.hi = in.Motion, in.Motion
	if in.Lo != nil {
		e.lo, e.hi = in.Lo, in.Hi
	}
	largest := max(in.Motion.Largest(), in.Space.Largest)
	for end := range e.m {
		at := bound.RecordSpace{Axis: in.Space.Axis, Scale: in.Space.Scale, Map: in.Space.Map}
		at.C[0] = in.Space.C[end]
		if e.m[end], ok = newRowMap(&at, e.grow(in, in.Inflation), largest); !ok {
			return false
		}
		if in.Lo != nil {
			e.m[end].Grow = e.grow(in, in.Beside)
		}
	}
	e.are, e.t, e.still = true, in.Until, in.Lo == nil
	for k, c := range in.Space.C[0] {
		e.still = e.still && math.Abs(in.Space.C[1][k]-c)*in.Space.Scale <= hardly
	}
	return true
}

// grow is G of law 4 for an inflation.
func (e *ends) grow(in *Input, inflation float64) float64 {
	return num.AddUp(inflation, in.Space.Error())
}

// endsRun is the number of vertices whose positions at t are computed at once.
const endsRun = 128

// fill computes the rows of the vertices from to to-1 at both ends. Without later, rows get boxes
// around both ends: those of one map, or the minima of both.
func (e *ends) fill(in *Input, from, to int, rows, later []float32) {
	var other [rowLen * endsRun]float32
	for from < to {
		next, m := min(from+endsRun, to), e.m
		if in.Around != nil {
			r := in.Around(from)
			for i := from + 1; i < next; i++ {
				if in.Around(i) != r {
					next = i
				}
			}
			m[0].Grow = e.grow(in, r)
			m[1].Grow = m[0].Grow
		}
		first, second := rows[rowLen*from:rowLen*next], other[:rowLen*(next-from)]
		if later == nil && e.still {
			e.around(&m[0], from, next, first)
			from = next
			continue
		}
		if later != nil {
			second = later[rowLen*from : rowLen*next]
		}
		e.run(&m, from, next, first, second)
		if later == nil {
			for i, x := range second {
				first[i] = min(first[i], x)
			}
		}
		from = next
	}
}

// later computes the row of a vertex at the end of a step to 1 without bands.
func (e *ends) later(in *Input, v int, rows []float32) {
	m := e.m[1]
	if in.Around != nil {
		m.Grow = e.grow(in, in.Around(v))
	}
	box.EndRows(in.Motion.Rec[8*v:8*v+8], 1, &m, rows[rowLen*v:rowLen*v+rowLen])
}

// around computes the rows around both ends of at most endsRun vertices on segments.
func (e *ends) around(m *box.RowMap, from, to int, rows []float32) {
	var moved [8 * endsRun]float64
	box.StepRows(e.at(e.lo.Rec[8*from:8*to], moved[:]), m, rows)
}

// run computes the rows of at most endsRun vertices at both ends.
func (e *ends) run(m *[2]box.RowMap, from, to int, first, second []float32) {
	var moved [8 * endsRun]float64
	lo := e.at(e.lo.Rec[8*from:8*to], moved[:])
	box.EndRows(lo, 0, &m[0], first)
	box.EndRows(lo, 1, &m[1], second)
	if e.hi == e.lo {
		return
	}
	var upper [rowLen * endsRun]float32
	hi := e.at(e.hi.Rec[8*from:8*to], moved[:])
	for end, rows := range [2][]float32{first, second} {
		box.EndRows(hi, end, &m[end], upper[:rowLen*(to-from)])
		for i := rowLen / 2; i < len(rows); i += rowLen {
			copy(rows[i:i+rowLen/2], upper[i:])
		}
	}
}

// at returns the records of vertices over [0, t], in out if t < 1: their ends are x1 = t (x1 - x0)
// + x0, the difference rounded and the rest fused.
func (e *ends) at(rec, out []float64) []float64 {
	if e.t >= 1 {
		return rec
	}
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
//
// Law 7. A pair that a search at rest leaves out is farther apart than twice the inflation r along
// an axis, where the step begins. Proof. By laws 1 and 2, of the boxes of doubles there is a lo =
// down(a - r) of the one above a hi = up(b + r) of the other, so a - r > b + r. Where each vertex
// has an inflation of its own, this holds of each two vertices of the two primitives, as in law 4.
func (s *Search) Begin(o *Order, in *Input) (ok bool, err error) {
	s.order, s.in, s.sieve = o, *in, in.Sieve
	if in.AtRest {
		s.ends.are = false
		s.m, ok = newRowMap(in.Space, in.Inflation, in.Motion.Largest())
	} else {
		ok = s.ends.begin(in)
	}
	if !ok {
		return false, nil
	}
	if err := s.refit(); err != nil {
		return true, err
	}
	s.flagMoving()
	if err := s.descend(); err != nil {
		return true, err
	}
	o.noteGroups(int64(len(s.down.pairs)))
	return true, nil
}

// End forgets the order and the step.
func (s *Search) End() { s.order, s.in, s.ends.lo, s.ends.hi = nil, Input{}, nil, nil }

// Tasks returns the number of tasks of a search that has begun.
func (s *Search) Tasks() int { return len(s.down.tasks) }

// Task returns the kind of the pairs of a task, and how many pairs of groups it has.
func (s *Search) Task(i int) (k geom.Kind, groups int) {
	t := &s.down.tasks[i]
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
	t := &s.down.tasks[task]
	f := &s.order.families[t.family]
	a, b := s.boxesOf(f.a), s.boxesOf(f.b)
	if s.sieve {
		w.sieve = box.NewSieve(min(until, s.in.Until), float64(2*s.in.Inflation)*s.in.Space.Scale)
	}
	for _, p := range s.down.pairs[t.from:t.to] {
		m := f.meet(1, a, b, p)
		if m == 0 {
			continue
		}
		n := 0
		switch {
		case s.sieve:
			n = w.sieved(f, a, b, p, m)
		case s.in.AtRest:
			n = w.resting(f, a, b, p, m)
		default:
			box.MeetEnds(group(a.levels[0], p.a), group(a.later[0], p.a), group(b.levels[0], p.b),
				group(b.later[0], p.b), &b.levels[1][p.b], &b.later[1][p.b], m, &w.touching, &w.queue)
			n = w.collect(f, a, b, p, m)
		}
		if n > 0 && !found(w.records[:n], f.a.ids, f.b.ids) {
			return false
		}
	}
	return true
}

// resting makes records of a pair of groups of a search at rest, and returns their number.
func (w *Worker) resting(f *family, a, b *boxes, p groupPair, m uint64) int {
	box.MeetLeaves(group(a.levels[0], p.a), group(b.levels[0], p.b), &b.levels[1][p.b], m,
		&w.sure, &w.touching, &w.queue)
	return w.collect(f, a, b, p, m)
}

// group returns the blocks of a group.
func group(level []box.Node, i int32) *[box.Children]box.Node {
	return (*[box.Children]box.Node)(level[box.Children*i:])
}

// collect makes records of the masks of a pair of groups and returns their number.
func (w *Worker) collect(f *family, a, b *boxes, p groupPair, m uint64) (n int) {
	f.drop(p, m, &w.touching)
	if a.flags != nil {
		w.keep(a, b, p, m)
	}
	for k := 0; m != 0; k, m = k+1, m&(m-1) {
		t := int32(bits.TrailingZeros64(m))
		touching := w.touching[k&63]
		w.records[n&63] = box.Record{A: 8*p.a + t>>3, B: 8*p.b + t&7, Mask: touching}
		n += int((touching | -touching) >> 63) // There is no branch: it would be as good as random.
	}
	return n
}

// keep keeps the pairs of a pair of groups with a primitive that has changed.
func (w *Worker) keep(a, b *boxes, p groupPair, m uint64) {
	for k := 0; m != 0; k, m = k+1, m&(m-1) {
		t := int32(bits.TrailingZeros64(m))
		w.touching[k&63] &= wanted(0, a, b, 8*p.a+t>>3, 8*p.b+t&7)
	}
}

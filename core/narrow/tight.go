package narrow

import (
	"math"

	"ccd/core/geom"
)

// found is what a search hands back: laws 1 to 4 hold for it with the times as they stand.
type found struct {
	verdict geom.Verdict
	lo, hi  float64
	u, v    float64
	width   float64
	flags   uint32
}

// levelCap bounds the cells of one level, and so the memory of a Solver: 3 lists of 24 bytes a
// cell, 9 MiB at most.
const levelCap = 1 << 17

// maxBits is how often one parameter may be halved: a multiple of 2^-52 in [0,1] is a double.
const maxBits = 52

// index names a cell of a level: t in [t, t+1] * 2^-bits and so on. All cells of a level are
// congruent.
type index struct{ t, u, v uint64 }

// tight is Tight Inclusion, algorithm 2 of [Wang2021]: breadth-first bisection, each level in the
// order of time.
//
// It departs from the paper in these points. The box of a cell is computed in difference form with
// the filter of num.AffineBound. All cells of a level split the same parameter, so a level is made
// sorted: halves of t come as two sorted lists that are merged, halves of u and v in place; there
// is no queue to sort. An accepted cell that is not the first of its level stays as the incumbent,
// and later cells are dropped. When a level outgrows levelCap its latest cells are dropped; the
// search then proves [start, horizon) free and starts again at the horizon, so memory is bounded
// and only the budget ends a search.
type tight struct {
	level, next, right []index
	bits               [3]int // how often t, u and v are halved
	start, span        float64
	boxes              int64
}

// search solves the form with at most budget boxes; 0: no limit.
func (s *tight) search(f *form, budget int64) found {
	s.boxes = 0
	for start := 0.0; ; {
		r, horizon := s.from(f, start, budget)
		if r.verdict != geom.Separate || math.IsInf(horizon, 1) {
			return r
		}
		if horizon <= start {
			// The search had to drop cells.
			return found{verdict: geom.Undecided, lo: start, hi: f.tEnd, width: f.extent(), flags: geom.ReasonMemory}
		}
		start = horizon
	}
}

// from searches [start, tEnd]. When cells had to be dropped, Separate holds for t < horizon only.
func (s *tight) from(f *form, start float64, budget int64) (r found, horizon float64) {
	s.start, s.span = start, f.tEnd-start
	s.bits = [3]int{}
	s.level = append(s.level[:0], index{})
	kt, ku, kv := f.rates()
	r, horizon = found{verdict: geom.Separate}, math.Inf(1)
	for len(s.level) > 0 {
		dim := s.dimension(kt*s.span, ku, kv)
		done := s.sweep(f, dim, &r, budget)
		if done {
			// Nothing before the horizon was dropped, so an answer beyond it is not yet the
			// earliest.
			r.lo = min(r.lo, horizon)
			return r, horizon
		}
		if len(s.level) == 0 {
			break // dim may be -1 here
		}
		s.split(f, dim)
		horizon = min(horizon, s.truncate(f))
	}
	if r.verdict == geom.Contact {
		r.lo = min(r.lo, horizon)
	}
	return r, horizon
}

// sweep tests the cells of a level in order and keeps those that may hold a contact. It reports
// whether the search is over. The incumbent r, if any, is an accepted cell: law 3 holds in it;
// cells that start no earlier are dropped.
func (s *tight) sweep(f *form, dim int, r *found, budget int64) (done bool) {
	kept := s.level[:0]
	for _, ix := range s.level {
		c := s.cell(f, ix)
		if r.verdict == geom.Contact && c.t0 >= r.lo {
			break
		}
		if budget > 0 && s.boxes >= budget {
			// The first cell kept, else this one, is the earliest place where a contact can be.
			if len(kept) > 0 {
				c = s.cell(f, kept[0])
			}
			s.spend(f, r, &c)
			return true
		}
		s.boxes++
		hit, inside, width := f.test(&c)
		if !hit {
			continue
		}
		// Where no parameter can be halved, the cell is smaller than its own rounding error, and
		// law 3 holds as well: each parameter spans 2^-52, the box at most 6u*S < eps/2, its true
		// points then lie within d + 2 eps.
		if width <= f.delta || inside || dim < 0 {
			first := len(kept) == 0
			u, v := f.middle(&c)
			*r = found{verdict: geom.Contact, lo: c.t0, hi: c.t1, u: u, v: v, width: width}
			if first {
				return true
			}
			break
		}
		kept = append(kept, ix)
	}
	s.level = kept
	return false
}

// spend ends a search whose budget is spent: nothing is closer than d before c.t0.
func (s *tight) spend(f *form, r *found, c *cell) {
	if r.verdict == geom.Contact {
		r.lo = min(r.lo, c.t0)
		return
	}
	_, _, width := f.test(c)
	u, v := f.middle(c)
	*r = found{verdict: geom.Undecided, lo: c.t0, hi: f.tEnd, u: u, v: v, width: width, flags: geom.ReasonIterations}
}

// cell returns the bounds of a cell. Neighbors share the very same doubles, so the level covers the
// domain without gaps.
func (s *tight) cell(f *form, ix index) cell {
	x := func(i uint64, bits int) float64 { return math.Ldexp(float64(i), -bits) }
	return cell{
		t0: s.time(f, ix.t), t1: s.time(f, ix.t+1),
		u0: x(ix.u, s.bits[1]) * f.uEnd, u1: x(ix.u+1, s.bits[1]) * f.uEnd,
		v0: x(ix.v, s.bits[2]) * f.vEnd, v1: x(ix.v+1, s.bits[2]) * f.vEnd,
	}
}

// time is monotone in i, start at 0 and tEnd at 2^bits.
func (s *tight) time(f *form, i uint64) float64 {
	if i == 1<<s.bits[0] {
		return f.tEnd
	}
	return min(s.start+float64(math.Ldexp(float64(i), -s.bits[0])*s.span), f.tEnd)
}

// dimension returns the parameter whose halving shrinks the box most (the paper's kappa times
// width), or -1 if none can.
func (s *tight) dimension(kt, ku, kv float64) int {
	dim, most := -1, 0.0
	for i, k := range [3]float64{kt, ku, kv} {
		if w := math.Ldexp(k, -s.bits[i]); w > most && s.bits[i] < maxBits {
			dim, most = i, w
		}
	}
	return dim
}

// split replaces the level by the halves of its cells along dim, in the order of time.
func (s *tight) split(f *form, dim int) {
	s.next, s.right = s.next[:0], s.right[:0]
	switch dim {
	case 0:
		for _, ix := range s.level {
			s.next = append(s.next, index{2 * ix.t, ix.u, ix.v})
			s.right = append(s.right, index{2*ix.t + 1, ix.u, ix.v})
		}
		s.level = merge(s.level[:0], s.next, s.right)
	case 1, 2:
		for _, ix := range s.level {
			a, b := ix, ix
			if dim == 1 {
				a.u, b.u = 2*ix.u, 2*ix.u+1
			} else {
				a.v, b.v = 2*ix.v, 2*ix.v+1
			}
			s.next = append(s.next, a, b)
		}
		s.level, s.next = s.next, s.level
	}
	s.bits[dim]++
	if f.domain == geom.Triangle && dim > 0 {
		s.dropOutside()
	}
}

// dropOutside drops the cells with u0 + v0 >= 1: a cell that touches u + v <= 1 in one corner only
// shares it with a neighbor. The sum is exact, for both are multiples of 2^-52 below 1.
func (s *tight) dropOutside() {
	kept := s.level[:0]
	for _, ix := range s.level {
		if math.Ldexp(float64(ix.u), -s.bits[1])+math.Ldexp(float64(ix.v), -s.bits[2]) < 1 {
			kept = append(kept, ix)
		}
	}
	s.level = kept
}

// merge appends the sorted lists a and b, both ascending in t, to dst.
func merge(dst, a, b []index) []index {
	i, j := 0, 0
	for i < len(a) && j < len(b) {
		if a[i].t <= b[j].t {
			dst = append(dst, a[i])
			i++
		} else {
			dst = append(dst, b[j])
			j++
		}
	}
	dst = append(dst, a[i:]...)
	return append(dst, b[j:]...)
}

// truncate bounds the level. It drops the cells from some time on, the horizon, which it returns;
// +Inf when none.
func (s *tight) truncate(f *form) float64 {
	if len(s.level) <= levelCap {
		return math.Inf(1)
	}
	n, t := levelCap, s.level[levelCap].t
	for n > 0 && s.level[n-1].t == t {
		n--
	}
	s.level = s.level[:n]
	return s.time(f, t)
}

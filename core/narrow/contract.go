package narrow

import (
	"math"

	"ccd/core/geom"
)

// contract is the time-contracted solver, after [Chen2024] but rigorous, and in all three
// parameters: a cell of the domain is cut from all sides by projections of F (see cut) and halved
// only where cutting does not help.
//
// The directions of projection, the most useful first: the axes; the cofactors Fu x Fv, Fv x Ft, Ft
// x Fu at the cell's center, each of which sees one parameter only (to first order), so that
// cutting converges quadratically, as interval Newton does; see directions for the others.
type contract struct {
	queue
	f     *form
	coef  [6][3]float64 // the coefficients of f, as the kernels take them
	boxes int64

	low   float64 // the least t0 of the cells that were retired because of a known contact
	limit float64 // cells that begin at this time or later are retired
	upper found   // the earliest contact that probing found; hi = +Inf if there is none
	slack float64 // times that are no farther apart count as the same
}

// search solves the form with at most budget boxes; 0: no limit.
func (s *contract) search(f *form, budget int64) found {
	s.f, s.boxes = f, 0
	s.coef = f.coefficients()
	if budget == 0 {
		budget = math.MaxInt64
	}
	for start := 0.0; ; {
		r, horizon := s.from(start, budget)
		if r.lo = min(r.lo, horizon); r.verdict != geom.Separate || math.IsInf(horizon, 1) {
			return r
		}
		if horizon <= start {
			// The search had to drop cells.
			return found{verdict: geom.Undecided, lo: start, hi: f.tEnd, width: f.extent(), flags: geom.ReasonMemory}
		}
		start = horizon
	}
}

// from searches [start, tEnd]. When the queue overflowed, Separate holds for t < horizon only.
func (s *contract) from(start float64, budget int64) (r found, horizon float64) {
	f := s.f
	none := math.Inf(1)
	s.upper.hi = none
	root := cell{t0: start, t1: f.tEnd, u1: f.uEnd, v1: f.vEnd}
	dim := s.contract(&root)
	if dim == outside {
		return found{verdict: geom.Separate}, none
	}
	if start == 0 && root.t0 == 0 {
		if u, v, yes, proven := f.touching(); yes {
			r = found{verdict: geom.Contact, u: u, v: v}
			if proven {
				r.flags = geom.Certified | geom.InitialContact
			}
			return r, none
		}
	}
	// Within a time of slack, F moves by less than a third of the tolerance.
	s.slack = 1
	if kt, _, _ := f.rates(); 3*kt > f.delta {
		s.slack = f.delta / (3 * kt)
	}
	s.reset()
	s.low, s.limit, s.upper = none, none, found{hi: none}
	horizon = none
	if dim == whole {
		return s.accept(&root), none
	}
	if f.d > 0 {
		s.descend(&root, root.t0)
	}
	s.push(&root, dim, s.bucket(root.t0))
	for len(s.heap) > 0 {
		c, dim := s.pop()
		if c.t0 >= s.limit {
			s.low = min(s.low, c.t0)
			continue
		}
		if dim == whole {
			return s.accept(&c), horizon
		}
		if s.boxes >= budget {
			return s.spend(&c), horizon
		}
		c.t1 = min(c.t1, s.upper.hi)
		s.halve(&c, dim)
		if len(s.heap) > queueCap-2 {
			horizon = s.drop(horizon)
		}
	}
	if s.upper.hi < none {
		r = s.upper
		r.lo = min(s.low, r.hi)
		return r, horizon
	}
	return found{verdict: geom.Separate}, horizon
}

func (s *contract) bucket(t float64) uint64 {
	return uint64(t / max(s.slack, 0x1p-38)) // The quotient is below 2^bucketBits.
}

// halve contracts the halves of a cell and puts those that remain into the queue.
func (s *contract) halve(c *cell, dim int) {
	half := [2]cell{*c, *c}
	switch dim {
	case 0:
		m := 0.5 * (c.t0 + c.t1)
		half[0].t1, half[1].t0 = m, m
	case 1:
		m := 0.5 * (c.u0 + c.u1)
		half[0].u1, half[1].u0 = m, m
	case 2:
		m := 0.5 * (c.v0 + c.v1)
		half[0].v1, half[1].v0 = m, m
	}
	for i := range half {
		h := &half[i]
		d := s.contract(h)
		if d == outside {
			continue
		}
		if d != whole && s.f.d > 0 {
			s.probe(h)
		}
		if h.t0 >= s.limit {
			s.low = min(s.low, h.t0)
			continue
		}
		s.push(h, d, s.bucket(h.t0))
	}
}

// accept returns the contact of an accepted cell, the first in the queue: law 3 holds at all of its
// points.
func (s *contract) accept(c *cell) found {
	f := s.f
	u, v := f.middle(c)
	_, _, width := f.test(c)
	r := found{verdict: geom.Contact, lo: s.earliest(min(c.t0, s.low)), hi: c.t1, u: u, v: v, width: width}
	if s.upper.hi <= c.t1 {
		r.hi, r.u, r.v, r.flags = s.upper.hi, s.upper.u, s.upper.v, s.upper.flags
	}
	f.certify(c, &r)
	return r
}

// spend returns the result of a search whose budget is spent. If probing found a contact, law 3
// holds there.
func (s *contract) spend(c *cell) found {
	lo := s.earliest(min(c.t0, s.low))
	if r := s.upper; r.hi < math.Inf(1) {
		r.lo = lo
		return r
	}
	_, _, width := s.f.test(c)
	u, v := s.f.middle(c)
	return found{verdict: geom.Undecided, lo: lo, hi: s.f.tEnd, u: u, v: v, width: width, flags: geom.ReasonIterations}
}

// The results of contract for a cell, beside the parameter to halve (0: t, 1: u, 2: v).
const (
	outside = -1 // the cell has no contact
	whole   = 3  // the cell is accepted
)

// contract cuts a cell from all sides, and repeats that while it pays.
//
// A cell is accepted when its box is smaller than delta, or all corners are within lim, or its
// widest side is down to neighboring doubles. In the last case each parameter moves F by at most
// 2u*S, so the box is below 6u*S < eps/2 in size. In each case some corner is <= lim and some >=
// -lim on each axis (else the cell is empty), so all points have |F| <= d + eps + delta + the error
// of a corner, 9u*S < eps, and law 3 holds. width errs by a few u*S, which the 7u*S left over
// covers.
func (s *contract) contract(c *cell) int {
	f := s.f
	var h [3][8]float64
	for round := 0; ; round++ {
		s.boxes++
		if f.domain == geom.Triangle {
			c.v1 = lesser(c.v1, (1-c.u0)*outward)
			c.u1 = lesser(c.u1, (1-c.v0)*outward)
			if c.u0 > c.u1 || c.v0 > c.v1 || c.u0+c.v0 > 1 {
				return outside
			}
		}
		corner := f.domain == geom.Triangle && c.u0+c.v1 >= 1 && c.u1+c.v0 >= 1
		above, below := s.corners(c, corner, &h)
		n, inside := *c, above|below == 0
		for k := range 3 {
			if !cut(&h[k], above>>(8*k)&0xff, below>>(8*k)&0xff, f.lim[k], c, &n, corner) {
				return outside
			}
		}
		var j jacobian
		j.load(f, c)
		if f.euclidean {
			var out bool
			if out, inside = f.ball(&h, inside); out {
				return outside
			}
		}
		small := j.width <= f.delta || inside
		if !small && j.size(&n) < 0.5*j.size(c) && round < 20 {
			*c = n
			continue
		}
		if !inside && !s.directions(&h, &j, c, &n, corner) {
			return outside
		}
		if small {
			*c = n
			if f.domain == geom.Triangle && c.u0+c.v0 > 1 {
				return outside
			}
			return whole
		}
		rt, ru, rv := j.sizes(&n)
		before := j.size(c)
		*c = n
		// Another round pays if this one removed two fifths.
		if rt+ru+rv < float64(0.6*before) && round < 20 {
			continue
		}
		return widest(c, rt, ru, rv)
	}
}

// widest chooses the parameter to halve, or whole if it cannot be halved any more.
func widest(c *cell, rt, ru, rv float64) int {
	dim, lo, hi := 0, c.t0, c.t1
	if ru > rt {
		rt, dim, lo, hi = ru, 1, c.u0, c.u1
	}
	if rv > rt {
		dim, lo, hi = 2, c.v0, c.v1
	}
	if m := 0.5 * (lo + hi); m <= lo || m >= hi {
		return whole
	}
	return dim
}

package patch

import "slices"

// slabs has the ranges that a patch covers at both ends of a step along directions of small
// integers, those of a 26-DOP (Klosowski et al. 1998). Where patches are large in comparison with
// the motion, swept boxes separate few pairs, and slabs at both ends separate most.
type slabs struct {
	at   [2][len(slabAxes)]interval
	made bool
}

// slabAxes are the directions, one of each pair of opposites.
var slabAxes = [13][3]float64{
	{1, 0, 0}, {0, 1, 0}, {0, 0, 1},
	{1, 1, 0}, {1, -1, 0}, {1, 0, 1}, {1, 0, -1}, {0, 1, 1}, {0, 1, -1},
	{1, 1, 1}, {1, 1, -1}, {1, -1, 1}, {1, -1, -1},
}

// slabNorms are the sums of their magnitudes.
var slabNorms = [13]float64{1, 1, 1, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3}

// measure writes the slabs of a patch, grown by the length by along each axis.
//
// A projection is a sum of up to three coordinates, which errs by at most (2U + U^2) S, S the sum
// of the largest magnitudes of each. Growing a slab by g rounds by U (S + g). 8U S pays for both,
// for the rounding of S and for terms of second order; sums do not underflow, and where 8U S loses
// as much as 2U S by underflow, below S = 2^-1023, they are exact. The control points meant lie
// within the patch's error, and those of the other patch within by, in every coordinate: that many
// times the sum of the direction's magnitudes along it. The factor pays for the roundings of these.
func (s *slabs) measure(p *Patch, by float64) {
	for e, x := range [2][]float64{p.X0, p.X1} {
		at := &s.at[e]
		for i := 0; i < len(x); i += 3 {
			a, b, c := x[i], x[i+1], x[i+2]
			ab, ba := a+b, a-b
			for k, y := range [13]float64{a, b, c, ab, ba, a + c, a - c, b + c, b - c, ab + c, ab - c, ba + c, ba - c} {
				if i == 0 {
					at[k] = interval{y, y}
				}
				if y < at[k].lo {
					at[k].lo = y
				}
				if y > at[k].hi {
					at[k].hi = y
				}
			}
		}
		rounding := float64(0x1p-50 * (at[0].mag() + at[1].mag() + at[2].mag()))
		each := float64((by + p.Err) * (1 + 0x1p-40))
		for k := range at {
			grow := rounding + float64(slabNorms[k]*each)
			at[k].lo, at[k].hi = at[k].lo-grow, at[k].hi+grow
		}
	}
	s.made = true
}

// apart reports whether two patches are provably apart throughout the step: along one of the
// directions, the same patch is above the other at both ends. Control points move linearly, so the
// gap between the hulls is at every time at least the mean of those at the ends.
func (s *slabs) apart(o *slabs) bool {
	p0, p1, q0, q1 := &s.at[0], &s.at[1], &o.at[0], &o.at[1]
	for k := range p0 {
		if p0[k].lo > q0[k].hi && p1[k].lo > q1[k].hi || p0[k].hi < q0[k].lo && p1[k].hi < q1[k].lo {
			return true
		}
	}
	return false
}

// cull drops the pairs whose slabs keep apart. Only patches that are in a pair are measured.
func (s *Scene) cull(a, b *BodyStep, separation float64) {
	for i, f := range [2]*BodyStep{a, b} {
		n := f.Body.Patches()
		s.slabs[i] = slices.Grow(s.slabs[i][:0], n)[:n]
		for k := range s.slabs[i] {
			s.slabs[i][k].made = false
		}
	}
	var patch Patch
	kept := s.pairs[:0]
	for _, c := range s.pairs {
		p, q := &s.slabs[0][c.a], &s.slabs[1][c.b]
		if !p.made {
			a.gather(int(c.a), &patch)
			p.measure(&patch, separation)
		}
		if !q.made {
			b.gather(int(c.b), &patch)
			q.measure(&patch, 0)
		}
		if !p.apart(q) {
			kept = append(kept, c)
		}
	}
	s.pairs = kept
}

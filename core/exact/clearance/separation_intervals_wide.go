package clearance

import (
	"math"

	"ccd/core/exact"
	"ccd/core/exact/internal/algebra"
)

// certificateSide is a direction or its negative.
type certificateSide struct {
	*certificateWide
	side int
}

// sides lists both sides of all certificates, with all polynomials made.
func (s *separationWide) sides() (list []certificateSide) {
	for i := range s.used {
		c := &s.list[i]
		s.each(c, 1, &[3]int{}, func(*algebra.Poly) bool { return true })
		list = append(list, certificateSide{c, 1}, certificateSide{c, -1})
	}
	return list
}

// apartAt reports whether a direction separates at a number.
func (s *separationWide) apartAt(x algebra.Dyadic) bool {
	for i := range s.used {
		if s.holdsAt(&s.list[i], x) != 0 {
			return true
		}
	}
	return false
}

// restInCube adds the cells of [lo, hi] by integers, and ends the list.
func (c *cells) restInCube(s *separationWide, lo, hi float64) {
	a := &s.w.Arena
	c.point(lo, !s.apartAt(a.Dyadic(lo)))
	if lo < hi {
		c.betweenInCube(s, lo, hi, s.sides())
		c.point(hi, !s.apartAt(a.Dyadic(hi)))
	}
	c.end(hi)
}

// betweenInCube adds the cells of the open interval (lo, hi), where some of the certificates alone
// can hold.
//
// One that has a polynomial that is nowhere positive holds nowhere; if all of one's are positive,
// the pair is apart. If none is left, contact lasts from lo to hi. Between neighboring doubles, the
// times of contact are closed in (lo, hi): if there are some but not the middle, they have an end
// there, at which a certificate begins or ceases to hold, so one of its polynomials has a root.
func (c *cells) betweenInCube(s *separationWide, lo, hi float64, certificates []certificateSide) {
	a := &s.w.Arena
	l, h := a.Dyadic(lo), a.Dyadic(hi)
	var left []certificateSide
	for _, x := range certificates {
		switch s.over(x, l, h) {
		case exact.Yes:
			c.open(lo, false)
			return
		case exact.Unknown:
			left = append(left, x)
		}
	}
	i, j := math.Float64bits(lo), math.Float64bits(hi)
	switch {
	case len(left) == 0:
		c.open(lo, true)
	case j-i > 1:
		m := math.Float64frombits(i + (j-i)/2)
		c.betweenInCube(s, lo, m, left)
		c.point(m, !s.apartAt(a.Dyadic(m)))
		c.betweenInCube(s, m, hi, left)
	default:
		c.open(lo, !s.apartAt(a.Middle(l, h)) || s.touchesIn(lo, left))
	}
}

// over reports whether a certificate holds on all of the open interval (l, h), on none of it, or
// neither for certain.
func (s *separationWide) over(x certificateSide, l, h algebra.Dyadic) exact.Answer {
	all := exact.Yes
	s.each(x.certificateWide, x.side, &[3]int{}, func(p *algebra.Poly) bool {
		count, sign := s.w.Arena.Variations(p, l, h)
		switch {
		case count > 0:
			all = exact.Unknown
		case sign != x.side:
			all = exact.No
		}
		return all != exact.No
	})
	return all
}

// touchesIn reports whether there is contact at a root of a polynomial between lo and the next
// double.
func (s *separationWide) touchesIn(lo float64, certificates []certificateSide) (in bool) {
	for _, x := range certificates {
		s.each(x.certificateWide, x.side, &[3]int{}, func(p *algebra.Poly) bool {
			s.w.Roots = s.w.Roots[:0]
			s.w.Isolate(*p)
			for _, r := range append([]algebra.Root(nil), s.w.Roots...) {
				if r.Floor == lo && !r.Double() {
					if c, _ := s.holding(&r); c == nil {
						in = true
					}
				}
			}
			return !in
		})
	}
	return in
}

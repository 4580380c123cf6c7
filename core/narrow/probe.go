package narrow

import (
	"math"

	"ccd/core/geom"
)

// probe looks for contacts on the lines of constant (u, v) through a cell, whose earliest time
// bounds the answer from above. The times are computed carelessly; a contact counts only after F,
// evaluated there, keeps within d by its error bound.
func (s *contract) probe(c *cell) {
	f := s.f
	before := s.upper.hi
	um, vm := f.middle(c)
	s.probeAt(c, um, vm)
	s.probeAt(c, c.u0, c.v0)
	for _, p := range [3][2]float64{{c.u0, c.v1}, {c.u1, c.v0}, {c.u1, c.v1}} {
		if f.domain != geom.Triangle || p[0]+p[1] <= 1 {
			s.probeAt(c, p[0], p[1])
		}
	}
	if s.upper.hi < before {
		s.descend(c, s.upper.hi)
	}
}

// descend improves the earliest contact known: at that time some point is nearer than d, and
// through it goes a line with an earlier contact. It starts from the nearest point at t.
func (s *contract) descend(c *cell, t float64) {
	for range 12 {
		u, v := s.f.nearest(t)
		before := s.upper.hi
		s.probeAt(c, u, v)
		if !(s.upper.hi < before-float64(0.25*s.slack)) {
			return
		}
		t = s.upper.hi
	}
}

func (s *contract) probeAt(c *cell, u, v float64) {
	f := s.f
	lo, hi := c.t0, min(c.t1, s.upper.hi)
	var x, y [3]float64
	for k := range 3 {
		x[k] = f.a0[k] + float64(u*f.b0[k]) + float64(v*f.c0[k])
		y[k] = f.da[k] + float64(u*f.db[k]) + float64(v*f.dc[k])
	}
	if f.euclidean {
		lo, hi = ballTimes(&x, &y, f.d-2*(f.eps[0]+f.eps[1]+f.eps[2]), lo, hi)
	} else {
		for k := range 3 {
			lo, hi = slabTimes(x[k], y[k], f.d-2*f.eps[k], lo, hi)
		}
	}
	if !(lo <= hi) || lo >= s.upper.hi || !f.within(lo, u, v) {
		return
	}
	s.upper = found{verdict: geom.Contact, hi: lo, u: u, v: v, flags: geom.Certified}
	s.limit = lo - s.slack
}

// within proves |F(t,u,v)| <= d.
func (f *form) within(t, u, v float64) bool {
	far, inside := 0.0, true
	for k, x := range f.at(t, u, v) {
		m := (math.Abs(x) + f.eps[k]) * outward
		inside = inside && m <= f.d
		far += float64(m * m)
	}
	return inside && (!f.euclidean || far*outward <= f.d*f.d)
}

// slabTimes cuts [lo, hi] to |x + t y| <= d, about; lo > hi when nothing is left.
func slabTimes(x, y, d, lo, hi float64) (float64, float64) {
	if y == 0 {
		if math.Abs(x) > d {
			return 1, 0
		}
		return lo, hi
	}
	a, b := (-d-x)/y, (d-x)/y
	if y < 0 {
		a, b = b, a
	}
	return max(lo, a), min(hi, b)
}

// ballTimes cuts [lo, hi] to |x + t y| <= d in the Euclidean norm, about.
func ballTimes(x, y *[3]float64, d, lo, hi float64) (float64, float64) {
	yy, xy, xx := geom.Dot3(y, y), geom.Dot3(x, y), geom.Dot3(x, x)
	if d < 0 {
		return 1, 0
	}
	if yy == 0 {
		if xx > d*d {
			return 1, 0
		}
		return lo, hi
	}
	disc := float64(xy*xy) - float64(yy*(xx-float64(d*d)))
	if disc < 0 {
		return 1, 0
	}
	w := math.Sqrt(disc)
	return max(lo, (-xy-w)/yy), min(hi, (-xy+w)/yy)
}

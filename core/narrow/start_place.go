package narrow

import (
	"math/big"

	"ccd/core/geom"
)

// contactAtStart returns the contact at t = 0, once it is proven that the distance does not
// exceed d.
func contactAtStart(kind geom.Kind, q []float64, euclidean bool, d float64) found {
	u, v := newStartPlace(kind, q, euclidean).nearest(new(big.Rat).SetFloat64(d))
	return found{verdict: geom.Contact, u: u, v: v, flags: geom.Certified | geom.InitialContact}
}

// sumWithPower returns d + 2^e.
func sumWithPower(d float64, e int) *big.Rat {
	r, p := new(big.Rat).SetFloat64(d), new(big.Int).Lsh(big.NewInt(1), uint(max(e, -e)))
	if e < 0 {
		return r.Add(r, new(big.Rat).SetFrac(big.NewInt(1), p))
	}
	return r.Add(r, new(big.Rat).SetInt(p))
}

// startPlace finds where primitives touch at t = 0, over the rationals: for initial contacts that
// integers decide, which are rare.
type startPlace struct {
	corner    [][2]*big.Rat // the corners of the domain of (u,v), in order
	a, b, c   [3]*big.Rat   // F(0,u,v) = a + u b + v c
	euclidean bool
}

func newStartPlace(kind geom.Kind, q []float64, euclidean bool) *startPlace {
	s := &startPlace{euclidean: euclidean}
	p := func(i, k int) *big.Rat { return new(big.Rat).SetFloat64(q[3*i+k]) }
	sub := func(i, j, k int) *big.Rat { return new(big.Rat).Sub(p(i, k), p(j, k)) }
	info := kind.Info()
	for k := range 3 {
		between := func(i int) *big.Rat { return sub(int(info.Form[i][0]), int(info.Form[i][1]), k) }
		s.a[k], s.b[k], s.c[k] = between(0), between(1), between(2)
	}
	for _, c := range info.Corners {
		s.corner = append(s.corner, [2]*big.Rat{big.NewRat(int64(c.U), 1), big.NewRat(int64(c.V), 1)})
	}
	return s
}

// within returns the part of the domain where |F| <= r in the max norm: the domain clipped by the
// six half-planes r -+ F_k >= 0.
func (s *startPlace) within(r *big.Rat) [][2]*big.Rat {
	poly := s.corner
	for k := range 3 {
		for _, sign := range []int64{1, -1} {
			g := big.NewRat(sign, 1)
			poly = clip(poly, func(p [2]*big.Rat) *big.Rat {
				x := s.value(k, p)
				return x.Sub(r, x.Mul(x, g))
			})
		}
	}
	return poly
}

// nearest returns a point of the domain where |F(0,u,v)| <= r, which must not be less than the
// distance at t = 0, but for the rounding of u and v: in the Euclidean norm the nearest to the
// origin, else the mean of the corners of all such points.
func (s *startPlace) nearest(r *big.Rat) (u, v float64) {
	var p [2]*big.Rat
	if s.euclidean {
		_, p = s.square()
	} else {
		p = [2]*big.Rat{new(big.Rat), new(big.Rat)}
		poly := s.within(r)
		for j := range p {
			for _, x := range poly {
				p[j].Add(p[j], x[j])
			}
			p[j].Quo(p[j], big.NewRat(int64(len(poly)), 1))
		}
	}
	u, _ = p[0].Float64()
	if v, _ = p[1].Float64(); len(s.corner) == 3 {
		v = min(v, 1-u) // 1-u is rounded once, so u + v rounds to at most 1
	}
	return u, v
}

// value returns F_k at a point of the domain.
func (s *startPlace) value(k int, p [2]*big.Rat) *big.Rat {
	x := new(big.Rat).Mul(p[0], s.b[k])
	y := new(big.Rat).Mul(p[1], s.c[k])
	return x.Add(x, y.Add(y, s.a[k]))
}

// clip keeps the part of a convex polygon, segment or point where the affine g is not negative
// (Sutherland, Hodgman).
func clip(poly [][2]*big.Rat, g func([2]*big.Rat) *big.Rat) (out [][2]*big.Rat) {
	for i, p := range poly {
		q := poly[(i+1)%len(poly)]
		gp, gq := g(p), g(q)
		if gp.Sign() >= 0 {
			out = append(out, p)
		}
		if gp.Sign()*gq.Sign() < 0 {
			w := new(big.Rat).Sub(gp, gq)
			w.Quo(gp, w)
			var x [2]*big.Rat
			for j := range x {
				x[j] = new(big.Rat).Sub(q[j], p[j])
				x[j].Add(p[j], x[j].Mul(x[j], w))
			}
			out = append(out, x)
		}
	}
	return out
}

// square returns the least |F(0,u,v)|^2 over the domain, and where it is: at the critical point if
// that is inside, else on the boundary.
func (s *startPlace) square() (best *big.Rat, where [2]*big.Rat) {
	mul := func(x, y *[3]*big.Rat) *big.Rat {
		z := new(big.Rat)
		for k := range 3 {
			z.Add(z, new(big.Rat).Mul(x[k], y[k]))
		}
		return z
	}
	cross := func(a, b, c, d *big.Rat) *big.Rat {
		x := new(big.Rat).Mul(a, b)
		return x.Sub(x, new(big.Rat).Mul(c, d))
	}
	at := func(p [2]*big.Rat) *[3]*big.Rat { return &[3]*big.Rat{s.value(0, p), s.value(1, p), s.value(2, p)} }
	bb, cc, bc, ab, ac := mul(&s.b, &s.b), mul(&s.c, &s.c), mul(&s.b, &s.c), mul(&s.a, &s.b), mul(&s.a, &s.c)
	if det := cross(bb, cc, bc, bc); det.Sign() > 0 {
		p := [2]*big.Rat{cross(bc, ac, cc, ab), cross(bc, ab, bb, ac)}
		p[0].Quo(p[0], det)
		p[1].Quo(p[1], det)
		if s.inside(p) {
			x := at(p)
			return mul(x, x), p
		}
	}
	for i, p := range s.corner {
		x, y := at(p), at(s.corner[(i+1)%len(s.corner)])
		var e [3]*big.Rat
		for k := range 3 {
			e[k] = new(big.Rat).Sub(y[k], x[k])
		}
		ee, xe := mul(&e, &e), mul(x, &e)
		// Least of |x + w e|^2 for w in [0,1]; w = 1 is the next corner's business.
		d := mul(x, x)
		if w := new(big.Rat).Neg(xe); w.Sign() > 0 && w.Cmp(ee) < 0 {
			w.Quo(w, ee)
			d.Add(d, xe.Mul(xe, w))
			next := s.corner[(i+1)%len(s.corner)]
			for j, from := range p {
				step := new(big.Rat).Sub(next[j], from)
				p[j] = step.Add(from, step.Mul(step, w))
			}
		}
		if best == nil || d.Cmp(best) < 0 {
			best, where = d, p
		}
	}
	return best, where
}

// inside reports whether p lies in the domain, whose corners run counter-clockwise.
func (s *startPlace) inside(p [2]*big.Rat) bool {
	if len(s.corner) < 3 {
		return false // no interior; square then looks at the boundary
	}
	one := big.NewRat(1, 1)
	if p[0].Sign() < 0 || p[1].Sign() < 0 {
		return false
	}
	if len(s.corner) == 3 {
		return new(big.Rat).Add(p[0], p[1]).Cmp(one) <= 0
	}
	return p[0].Cmp(one) <= 0 && p[1].Cmp(one) <= 0
}

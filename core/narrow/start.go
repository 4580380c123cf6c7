package narrow

import (
	"math"
	"math/big"

	"ccd/core/geom"
	"ccd/core/num"
)

// This file decides what happens at t = 0 (law 8).

// touching tells whether the primitives are in contact at t = 0 as far as floats can see: |F(0,u,v)| <= d + eps for some
// (u,v), which it returns. Law 3 then holds at t = 0. proven: even with the error added, |F| <= d.
func (f *form) touching() (u, v float64, yes, proven bool) {
	if f.apart {
		return 0, 0, false, false
	}
	u, v = f.nearest(0)
	x := f.at(0, u, v)
	yes, proven = true, true
	far := 0.0
	for k := range 3 {
		m := math.Abs(x[k])
		yes = yes && m <= f.lim[k]
		m = num.Up(m + f.eps[k])
		proven = proven && m <= f.d
		far += float64(m * m)
	}
	if f.euclidean {
		yes = yes && far*(1-0x1p-49) <= f.d*f.d
		proven = proven && far*(1+0x1p-49) <= f.d*f.d
	}
	return u, v, yes, proven
}

// nearest is the point of the domain where F(t,.,.) comes nearest to the origin, up to rounding. Lengths are scaled by a power of two that
// brings the largest near 1, so that what underflows is the same at all scales (law 6).
func (f *form) nearest(t float64) (u, v float64) {
	var a, b, c [3]float64
	most := 0.0
	for k := range 3 {
		a[k] = f.a0[k] + float64(t*f.da[k])
		b[k] = f.b0[k] + float64(t*f.db[k])
		c[k] = f.c0[k] + float64(t*f.dc[k])
		most = larger(most, larger(math.Abs(a[k]), larger(math.Abs(b[k]), math.Abs(c[k]))))
	}
	if s, ok := toOne(most); ok {
		for k := range 3 {
			a[k], b[k], c[k] = a[k]*s, b[k]*s, c[k]*s
		}
	}
	best := math.Inf(1)
	try := func(x, y float64) {
		s := 0.0
		for k := range 3 {
			g := a[k] + float64(x*b[k]) + float64(y*c[k])
			s += float64(g * g)
		}
		if s < best {
			best, u, v = s, x, y
		}
	}
	bb, cc, bc, ab, ac := dot(&b, &b), dot(&c, &c), dot(&b, &c), dot(&a, &b), dot(&a, &c)
	if det := float64(bb*cc) - float64(bc*bc); det > 0 {
		x, y := (float64(bc*ac)-float64(cc*ab))/det, (float64(bc*ab)-float64(bb*ac))/det
		if f.holds(x, y) {
			try(x, y)
		}
	}
	clamp := func(n, d float64) float64 {
		if d == 0 {
			return 0
		}
		return min(max(n/d, 0), 1)
	}
	try(clamp(-ab, bb)*f.uEnd, 0)
	try(0, clamp(-ac, cc)*f.vEnd)
	if f.triangle {
		// From (1,0) to (0,1): F = (a+b) + s (c-b).
		s := clamp(float64(bb-bc)+float64(ab-ac), bb+cc-2*bc)
		try(1-s, s)
	} else {
		try(clamp(-(ab+float64(bc*f.vEnd)), bb)*f.uEnd, f.vEnd)
		try(f.uEnd, clamp(-(ac+float64(bc*f.uEnd)), cc)*f.vEnd)
	}
	return u, v
}

// nearer is the nearest point of the domain at t, if F as computed is shorter there than at (u, v), else (u, v).
func (f *form) nearer(t, u, v float64) (float64, float64) {
	x, y := f.nearest(t)
	p, q := f.at(t, u, v), f.at(t, x, y)
	if dot(&q, &q) < dot(&p, &p) {
		return x, y
	}
	return u, v
}

// holds tells whether (u,v) is a point of the domain.
func (f *form) holds(u, v float64) bool {
	if f.triangle {
		return u >= 0 && v >= 0 && u+v <= 1
	}
	return u >= 0 && v >= 0 && u <= f.uEnd && v <= f.vEnd
}

func dot(a, b *[3]float64) float64 {
	return float64(a[0]*b[0]) + float64(a[1]*b[1]) + float64(a[2]*b[2])
}

// start decides the distance at t = 0 over the rationals. It is used where floats cannot tell and the caller asked for
// a positive time: rarely, and then it may be slow.
type start struct {
	corner    [][2]*big.Rat // of the domain of (u,v), in order
	a, b, c   [3]*big.Rat   // F(0,u,v) = a + u b + v c
	euclidean bool
}

func newStart(kind geom.Kind, q []float64, euclidean bool) *start {
	s := &start{euclidean: euclidean}
	p := func(i, k int) *big.Rat { return new(big.Rat).SetFloat64(q[3*i+k]) }
	sub := func(i, j, k int) *big.Rat { return new(big.Rat).Sub(p(i, k), p(j, k)) }
	corners := [][2]int64{{0, 0}}
	for k := range 3 {
		s.b[k], s.c[k] = new(big.Rat), new(big.Rat)
		switch kind {
		case geom.VertexFace:
			s.a[k], s.b[k], s.c[k] = sub(0, 1, k), sub(1, 2, k), sub(1, 3, k)
			corners = [][2]int64{{0, 0}, {1, 0}, {0, 1}}
		case geom.EdgeEdge:
			s.a[k], s.b[k], s.c[k] = sub(0, 2, k), sub(1, 0, k), sub(2, 3, k)
			corners = [][2]int64{{0, 0}, {1, 0}, {1, 1}, {0, 1}}
		case geom.PointEdge:
			s.a[k], s.b[k] = sub(0, 1, k), sub(1, 2, k)
			corners = [][2]int64{{0, 0}, {1, 0}}
		default:
			s.a[k] = sub(0, 1, k)
		}
	}
	for _, c := range corners {
		s.corner = append(s.corner, [2]*big.Rat{big.NewRat(c[0], 1), big.NewRat(c[1], 1)})
	}
	return s
}

// exceeds tells whether the distance at t = 0 is greater than r, exactly.
func (s *start) exceeds(r *big.Rat) bool {
	if s.euclidean {
		least, _ := s.square()
		return least.Cmp(new(big.Rat).Mul(r, r)) > 0
	}
	return len(s.within(r)) == 0
}

// within is the part of the domain where |F| <= r in the max norm: the domain clipped by the six half-planes r -+ F_k >= 0.
func (s *start) within(r *big.Rat) [][2]*big.Rat {
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

// nearest is a point of the domain where |F(0,u,v)| <= r, which must not be less than the distance at t = 0, but for the rounding of u
// and v: in the Euclidean norm the nearest to the origin, else the mean of the corners of all such points.
func (s *start) nearest(r *big.Rat) (u, v float64) {
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

// value is F_k at a point of the domain.
func (s *start) value(k int, p [2]*big.Rat) *big.Rat {
	x := new(big.Rat).Mul(p[0], s.b[k])
	y := new(big.Rat).Mul(p[1], s.c[k])
	return x.Add(x, y.Add(y, s.a[k]))
}

// clip keeps the part of a convex polygon, segment or point where the affine g is not negative (Sutherland, Hodgman).
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

// square is the least |F(0,u,v)|^2 over the domain, and where it is: at the critical point if that is inside, else on the boundary.
func (s *start) square() (best *big.Rat, where [2]*big.Rat) {
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

// inside tells whether p lies in the domain, whose corners run counter-clockwise.
func (s *start) inside(p [2]*big.Rat) bool {
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

// gap returns an exponent e such that the distance at t = 0 exceeds d + 2^e; the distance must exceed d. The greatest such e
// from -2200 on is found by bisection, for exceeds is monotone.
func (s *start) gap(d float64) int {
	r := new(big.Rat).SetFloat64(d)
	wide := func(e int) bool {
		g := power(e)
		return s.exceeds(g.Add(g, r))
	}
	lo, hi := -2200, 600
	for hi-lo > 1 {
		if m := (lo + hi) >> 1; wide(m) {
			lo = m
		} else {
			hi = m
		}
	}
	return lo
}

// power is 2^e.
func power(e int) *big.Rat {
	if e >= 0 {
		return new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), uint(e)))
	}
	return new(big.Rat).SetFrac(big.NewInt(1), new(big.Int).Lsh(big.NewInt(1), uint(-e)))
}

// contact is the contact at t = 0, once it is proven that the distance does not exceed d.
func (s *start) contact(d *big.Rat) found {
	u, v := s.nearest(d)
	return found{verdict: geom.Contact, u: u, v: v, flags: geom.Certified | geom.InitialContact}
}

// speed bounds |dF/dt| over the domain: the fastest point of the one primitive plus the fastest of the other, in the
// max norm, or in the sum of the axes, which bounds the Euclidean norm.
func speed(kind geom.Kind, q []float64, euclidean bool) float64 {
	n, na := kind.Points(), 1
	if kind == geom.EdgeEdge {
		na = 2
	}
	s := 0.0
	for k := range 3 {
		fast := [2]float64{}
		for i := range n {
			x, y := q[3*i+k], q[3*(n+i)+k]
			v := max(num.SubUp(y, x), num.SubUp(x, y))
			if side := min(i/na, 1); v > fast[side] {
				fast[side] = v
			}
		}
		if v := num.AddUp(fast[0], fast[1]); euclidean {
			s = num.AddUp(s, v)
		} else {
			s = max(s, v)
		}
	}
	return s
}

package ccdtest

import (
	"math"
	"math/big"

	"ccd/core/geom"
)

// Checks for the Euclidean separation. Its exact oracle takes milliseconds a query, and is compared
// with exact methods only; these find certain violations of others: a time at which the distance is
// at most d, and an interval in which it stays above a bound.
//
// They compute with 512 bits on queries whose numbers span at most 2^100, or not at all:
// differences and products are exact then but for a few quotients, and the square of the distance
// errs by less than 2^-450 of the square of the largest length.

const precision = 512

func wide(x float64) *big.Float { return new(big.Float).SetPrec(precision).SetFloat64(x) }

// moderate reports whether the query's and the separation's exponents span few enough bits for
// these checks.
func moderate(c *Case) bool { return c.Spans(0x1p100) }

// Spans reports whether the largest length of a query is at most so many times the least.
func (c *Case) Spans(ratio float64) bool {
	low, high := math.Abs(c.D), math.Abs(c.D)
	for _, x := range c.Q {
		if x = math.Abs(x); x != 0 && (x < low || low == 0) {
			low = x
		}
		high = max(high, x)
	}
	return high <= low*ratio
}

type wideVec [3]*big.Float

func (a wideVec) plus(s *big.Float, b wideVec) (r wideVec) {
	for k := range r {
		r[k] = wide(0).Mul(s, b[k])
		r[k].Add(r[k], a[k])
	}
	return r
}

func (a wideVec) dot(b wideVec) *big.Float {
	s, w := wide(0), wide(0)
	for k := range a {
		s.Add(s, w.Mul(a[k], b[k]))
		w = wide(0)
	}
	return s
}

// DistanceSquared is min |F(t,u,v)|^2 over (u, v).
func DistanceSquared(k geom.Kind, q []float64, t float64) *big.Float {
	n := k.Points()
	rt := wide(t)
	point := func(i int) (p wideVec) {
		for a := range 3 {
			x0, x1 := wide(q[3*i+a]), wide(q[3*(n+i)+a])
			x1.Sub(x1, x0)
			p[a] = x0.Add(x0, x1.Mul(x1, rt))
		}
		return p
	}
	minus := wide(-1)
	info := k.Info()
	difference := func(f [2]uint8) wideVec { return point(int(f[0])).plus(minus, point(int(f[1]))) }
	a, b, c := difference(info.Form[0]), difference(info.Form[1]), difference(info.Form[2])
	one := wide(1)
	switch info.Domain {
	case geom.Triangle:
		if d := interior(a, b, c, true); d != nil {
			return d
		}
		return least(segment(a, b), segment(a, c), segment(a.plus(one, b), c.plus(minus, b)))
	case geom.Square:
		if d := interior(a, b, c, false); d != nil {
			return d
		}
		return least(segment(a, b), segment(a, c), segment(a.plus(one, b), c), segment(a.plus(one, c), b))
	case geom.Segment:
		return segment(a, b)
	case geom.Point:
		return a.dot(a)
	}
	panic("ccdtest: " + k.String())
}

func least(list ...*big.Float) *big.Float {
	m := list[0]
	for _, x := range list[1:] {
		if x.Cmp(m) < 0 {
			m = x
		}
	}
	return m
}

// segment is min |a + u b|^2 over u in [0,1].
func segment(a, b wideVec) *big.Float {
	u := wide(0)
	if bb := b.dot(b); bb.Sign() > 0 {
		u.Quo(a.dot(b), bb)
		u.Neg(u)
		if u.Sign() < 0 {
			u = wide(0)
		} else if u.Cmp(wide(1)) > 0 {
			u = wide(1)
		}
	}
	p := a.plus(u, b)
	return p.dot(p)
}

// interior is min |a + u b + v c|^2 over the plane if its (u, v) lies in the domain, else nil; nil
// as well when b and c are parallel, for the minimum is then on the boundary too.
func interior(a, b, c wideVec, triangle bool) *big.Float {
	bb, bc, cc, ab, ac := b.dot(b), b.dot(c), c.dot(c), a.dot(b), a.dot(c)
	det := func(x, y, z, w *big.Float) *big.Float {
		p, m := wide(0).Mul(x, y), wide(0).Mul(z, w)
		return p.Sub(p, m)
	}
	d := det(bb, cc, bc, bc)
	if d.Sign() == 0 {
		return nil
	}
	u, v := det(bc, ac, cc, ab), det(bc, ab, bb, ac)
	u.Quo(u, d)
	v.Quo(v, d)
	one := wide(1)
	if u.Sign() < 0 || v.Sign() < 0 || u.Cmp(one) > 0 || v.Cmp(one) > 0 {
		return nil
	}
	if triangle && wide(0).Add(u, v).Cmp(one) > 0 {
		return nil
	}
	p := a.plus(u, b).plus(v, c)
	return p.dot(p)
}

// speed bounds how fast |F| may change per unit of t, rounded up: the largest |difference of two
// points' motions| by corners.
func speed(k geom.Kind, q []float64) float64 {
	n := k.Points()
	f := k.Info().Split
	worst := 0.0
	for i := range f {
		for j := f; j < n; j++ {
			s := 0.0
			for a := range 3 {
				s += math.Abs((q[3*(n+i)+a] - q[3*i+a]) - (q[3*(n+j)+a] - q[3*j+a]))
			}
			size := 0.0
			for a := range 3 {
				size += math.Abs(q[3*(n+i)+a]) + math.Abs(q[3*i+a]) + math.Abs(q[3*(n+j)+a]) + math.Abs(q[3*j+a])
			}
			worst = max(worst, s+0x1p-50*size)
		}
	}
	return worst * (1 + 0x1p-40)
}

// distance is the distance at t, in doubles: good to a few units in the last place.
func distance(k geom.Kind, q []float64, t float64) float64 {
	d := DistanceSquared(k, q, t)
	f, _ := d.Sqrt(d).Float64()
	return f
}

// within reports whether the distance at t is at most d, to 2^-200 of it.
func within(k geom.Kind, q []float64, t, d float64) bool {
	r, m := wide(d), wide(0x1p-200)
	r.Mul(r, r)
	return DistanceSquared(k, q, t).Cmp(r.Sub(r, m.Mul(m, r))) <= 0
}

// euclideanContact finds a time in [0, TMax] at which the Euclidean distance is at most D, as early
// as advancing by distance over speed and a few trials reach. A time that is found is proven; none
// found proves nothing.
func euclideanContact(c *Case) (float64, bool) {
	if !moderate(c) {
		return 0, false
	}
	v, t := speed(c.Kind, c.Q), 0.0
	for range 100 {
		if t > c.TMax {
			return 0, false
		}
		if within(c.Kind, c.Q, t, c.D) {
			return t, true
		}
		gap := distance(c.Kind, c.Q, t) - c.D
		step := gap / v
		if !(step > 1e-12) {
			break
		}
		t += step
	}
	for jump := 1e-16; jump < 1; jump *= 4 {
		if x := t + jump; x <= c.TMax && within(c.Kind, c.Q, x, c.D) {
			return x, true
		}
	}
	return 0, false
}

// euclideanFar reports whether the distance is proven to stay above d for t in [lo, hi]; ok is
// false when that was not settled.
func euclideanFar(c *Case, d, lo, hi float64) (far, ok bool) {
	if !moderate(c) {
		return false, false
	}
	v, t := speed(c.Kind, c.Q), lo
	for range 200 {
		if within(c.Kind, c.Q, t, d) {
			return false, true
		}
		gap := distance(c.Kind, c.Q, t)*(1-0x1p-40) - d
		if !(gap > 0) {
			return false, false
		}
		if t += gap / v * (1 - 0x1p-40); t > hi {
			return true, true
		}
	}
	return false, false
}

package clearance

import (
	"math"

	"ccd/core/exact"
	"ccd/core/exact/internal/algebra"
	"ccd/core/geom"
)

// This file is the last stage of a minimum separation. It does what the oracle does
// (core/reference/oracle/separation.go has the mathematics), but with the integers of exact.Wide.
// So coordinates of very different sizes, which become integers of thousands of bits, take
// milliseconds.

// separationWide is one goroutine's scratch.
type separationWide struct {
	w    exact.Wide // has the arena and the roots
	list []certificateWide
	used int
}

// certificateWide is a direction n and its negative. With P a corner and h the half-widths of the
// cube, n separates while n.P + s0 h0 n0 + s1 h1 n1 + s2 h2 n2 > 0 for all corners and signs, -n
// while all of n.P - ... < 0.
type certificateWide struct {
	at    [4]algebra.Poly // n.P for each corner
	count int
	half  [3]algebra.Poly // h_k n_k
	signs [8]int8         // bit k makes s_k negative; one of each where h_k n_k is zero
	ways  int
	made  [4][8]algebra.Poly
	done  [4][8]bool
}

// decide finds the first contact in [t0, t1], of a pair that is apart before t0.
func (s *separationWide) decide(kind geom.Kind, q []float64, d, t0, t1 float64) Instant {
	s.load(kind, q, d)
	a := &s.w.Arena
	point := func(t float64) algebra.Root {
		x := a.Dyadic(t)
		return algebra.Root{Lo: x, Hi: x, Exact: true, Floor: t}
	}
	now, end := point(t0), point(t1)
	for {
		c, side := s.holding(&now)
		if c == nil {
			if now.Double() {
				return Instant{Contact: true, Lo: now.Floor, Hi: now.Floor}
			}
			return Instant{Contact: true, Lo: now.Floor, Hi: math.Nextafter(now.Floor, 2)}
		}
		next, any := s.first(c, side, &now)
		if !any || a.CompareRoots(&next, &end) > 0 {
			return Instant{}
		}
		now = next
	}
}

// holding returns a certificate that holds at r, and its side: 1 for n, -1 for -n.
func (s *separationWide) holding(r *algebra.Root) (*certificateWide, int) {
	for i := range s.used {
		c := &s.list[i]
		if r.Exact {
			if side := s.holdsAt(c, r.Lo); side != 0 {
				return c, side
			}
			continue
		}
		for _, side := range [2]int{1, -1} {
			var of [3]int
			for k := range c.half {
				if of[k] = s.w.Arena.SignAt(&c.half[k], r); of[k] == 0 {
					of[k] = 1 // Either sign is right.
				}
			}
			if s.each(c, side, &of, func(p *algebra.Poly) bool { return s.w.Arena.SignAt(p, r) == side }) {
				return c, side
			}
		}
	}
	return nil, 0
}

// holdsAt returns the side of a certificate that holds at a number, or 0: at a number the least
// over the signs is at hand.
func (s *separationWide) holdsAt(c *certificateWide, x algebra.Dyadic) (side int) {
	a := &s.w.Arena
	mk := a.Mark()
	defer a.Release(mk)
	at := func(p *algebra.Poly) algebra.Int { // 2^3s times the value: all have degree 3 or less
		if p.N == 0 {
			return algebra.Int{}
		}
		return a.Shl(a.Eval(p, x), x.S*uint(4-p.N))
	}
	var far algebra.Int // the sum of |h_k n_k|
	for k := range c.half {
		h := at(&c.half[k])
		far = a.Add(far, algebra.Int{Mag: h.Mag})
	}
	for i := range c.count {
		y := at(&c.at[i])
		if algebra.CompareMag(y.Mag, far.Mag) <= 0 || side != 0 && y.Sign() != side {
			return 0
		}
		side = y.Sign()
	}
	return side
}

// each reports whether all polynomials of a side of a certificate pass a test. of[k] is the sign of
// h_k n_k where the test looks, or 0: where it is known, one of the signs s_k makes the least of
// n.P + ..., or the greatest for side -1, and the other need not be looked at.
func (s *separationWide) each(c *certificateWide, side int, of *[3]int, test func(p *algebra.Poly) bool) bool {
	a := &s.w.Arena
	for i := range c.count {
		for j := range c.ways {
			if c.idle(c.signs[j], side, of) {
				continue
			}
			p := &c.made[i][j]
			if !c.done[i][j] {
				c.done[i][j] = true
				*p = c.at[i]
				for k := range c.half {
					if c.signs[j]>>k&1 == 0 {
						*p = a.PolyAdd(p, &c.half[k])
					} else {
						*p = a.PolySub(p, &c.half[k])
					}
				}
			}
			if !test(p) {
				return false
			}
		}
	}
	return true
}

// idle reports whether other signs make less, or more for side -1.
func (c *certificateWide) idle(signs int8, side int, of *[3]int) bool {
	for k := range 3 {
		if negative := signs>>k&1 == 1; of[k] != 0 && c.half[k].N > 0 && negative != (of[k]*side > 0) {
			return true
		}
	}
	return false
}

// first returns the first time after r at which a side of a certificate that holds at r no longer
// holds, if there is such a time up to 1.
func (s *separationWide) first(c *certificateWide, side int, r *algebra.Root) (out algebra.Root, any bool) {
	a := &s.w.Arena
	limit := a.Dyadic(1)
	var of [3]int
	for k := range c.half {
		if count, sign := a.Variations(&c.half[k], r.Lo, limit); count == 0 {
			of[k] = sign
		}
	}
	s.each(c, side, &of, func(p *algebra.Poly) bool {
		if count, _ := a.Variations(p, r.Lo, limit); count == 0 && a.EvalSign(p, limit) == side {
			return true // There is no root up to that time.
		}
		s.w.Roots = s.w.Roots[:0]
		s.w.Isolate(*p)
		for i := range s.w.Roots {
			x := &s.w.Roots[i]
			if a.CompareRoots(x, r) > 0 {
				if !any || a.CompareRoots(x, &out) < 0 {
					out, any, limit = *x, true, x.Hi
				}
				break
			}
		}
		return true
	})
	return out, any
}

// load makes the certificates, the cheapest first.
func (s *separationWide) load(kind geom.Kind, q []float64, d float64) {
	a := &s.w.Arena
	a.Reset()
	s.used = 0
	sh := &Shapes[kind]
	var half [3]algebra.Int
	var corner [4][3]algebra.Poly
	var edge [3][3]algebra.Poly
	points := kind.Points()
	for k := range 3 {
		// Each axis is multiplied by a power of two of its own, the cube with it: that changes no
		// contact.
		unit := math.MaxInt32
		lowest := func(x float64) {
			if m, e := algebra.Mantissa(math.Abs(x)); m != 0 {
				unit = min(unit, e)
			}
		}
		lowest(d)
		for i := range 2 * points {
			lowest(q[3*i+k])
		}
		whole := func(x float64) algebra.Int {
			m, e := algebra.Mantissa(math.Abs(x))
			if m == 0 {
				return algebra.Int{}
			}
			return a.Shl(a.Word(x < 0, uint64(m)), uint(e-unit))
		}
		var x [8]algebra.Int
		for i := range 2 * points {
			x[i] = whole(q[3*i+k])
		}
		half[k] = whole(d)
		move := func(pair [2]int8) algebra.Poly {
			i, j := int(pair[0]), int(pair[1])
			d0, d1 := a.Sub(x[i], x[j]), a.Sub(x[points+i], x[points+j])
			return algebra.Poly{C: [4]algebra.Int{d0, a.Sub(d1, d0)}, N: 2}.Trimmed()
		}
		for c, pair := range sh.Corners {
			corner[c][k] = move(pair)
		}
		for e, pair := range sh.Edges {
			edge[e][k] = move(pair)
		}
	}
	s.addAll(corner[:len(sh.Corners)], edge[:len(sh.Edges)], &half)
}

// addAll appends the certificates of the axes, of the edges' cross products with them, and of the
// polygon's normal.
func (s *separationWide) addAll(corners, edges [][3]algebra.Poly, half *[3]algebra.Int) {
	one := algebra.Poly{C: [4]algebra.Int{s.w.Arena.Word(false, 1)}, N: 1}
	for k := range 3 {
		var n [3]algebra.Poly
		n[k] = one
		s.add(&n, corners, half)
	}
	for e := range edges {
		for k := range 3 {
			i, l := (k+1)%3, (k+2)%3
			var n [3]algebra.Poly // e_k x E
			n[i], n[l] = edges[e][l].Negated(), edges[e][i]
			s.add(&n, corners, half)
		}
	}
	if len(edges) > 1 {
		var n [3]algebra.Poly
		for k := range 3 {
			n[k] = s.w.Cross(&edges[0], &edges[1], k)
		}
		// Along the normal of the polygon all corners have the same component: one of them is
		// enough.
		s.add(&n, corners[:1], half)
	}
}

// add appends the certificate of a direction.
func (s *separationWide) add(n *[3]algebra.Poly, corners [][3]algebra.Poly, half *[3]algebra.Int) {
	a := &s.w.Arena
	if s.used == len(s.list) {
		s.list = append(s.list, certificateWide{})
	}
	c := &s.list[s.used]
	s.used++
	c.count, c.ways = len(corners), 0
	for i := range corners {
		c.at[i] = algebra.Poly{}
		for k := range 3 {
			p := a.PolyMul(&n[k], &corners[i][k])
			c.at[i] = a.PolyAdd(&c.at[i], &p)
		}
		clear(c.done[i][:])
	}
	zero := int8(0)
	for k := range 3 {
		h := algebra.Poly{C: [4]algebra.Int{half[k]}, N: 1}.Trimmed()
		if c.half[k] = a.PolyMul(&h, &n[k]); c.half[k].N == 0 {
			zero |= 1 << k
		}
	}
	for j := range int8(8) {
		if j&zero == 0 {
			c.signs[c.ways] = j
			c.ways++
		}
	}
}

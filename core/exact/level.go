package exact

import (
	"cmp"
	"math"

	"ccd/core/geom"
	"ccd/core/num"
)

// This file decides level pairs in doubles. In a level pair, the points of each primitive agree in
// coordinate k at both ends, as where two flat sheets meet across an axis. Then F_k = A_k(t) for
// all (u, v), and the pair touches at the only root of A_k or never. Most of these contacts are at
// a time that is a double, or at a corner, where double-doubles find no certain sign. Here the time
// is exact, and so are the signs in the plane across axis k if no point moves in that plane.
// docs/proofs/exact.md, "Level pairs".

// level decides a level pair, or returns Unknown. f is the query in double-doubles.
func (f *double) level(q *[24]float64, tMax float64, out *found) Answer {
	k, split := f.levelAxis(q)
	if k < 0 {
		return Unknown
	}
	p0, p1, q0, q1 := q[k], q[12+k], q[3*split+k], q[12+3*split+k]
	floor, exact, said := meeting(p0, q0, p1, q1)
	switch {
	case said != Yes:
		return said
	case floor > tMax || floor == tMax && !exact:
		return No
	}
	n, e := f.cramer(floor)
	*out = found{floor: floor, exact: exact}
	said = f.slacks(&n, &e, k, out)
	if said == Unknown {
		s := still{domain: f.domain, q: q, k: k}
		if said = s.feasible(out); said == Unknown {
			said = s.parallel(out)
		}
	}
	return said
}

// levelAxis returns the first axis along which both primitives are level, or -1, and the number of
// points of the first primitive.
func (f *double) levelAxis(q *[24]float64) (k, split int) {
	split = 1
	if f.domain == geom.Square {
		split = 2
	}
	for k := range 3 {
		same := func(i, j int) bool { return q[3*i+k] == q[3*j+k] && q[12+3*i+k] == q[12+3*j+k] }
		if same(3, 2) && (split == 2 && same(1, 0) || split == 1 && same(2, 1)) {
			return k, split
		}
	}
	return -1, 0
}

// meeting returns the largest double not above the only time in (0, 1] at which p(t) = q(t), and
// whether it is that time. said is No if there is no such time, and Unknown if p and q meet at t =
// 0 or floats cannot decide.
func meeting(p0, q0, p1, q1 float64) (floor float64, exact bool, said Answer) {
	first, last := cmp.Compare(p0, q0), cmp.Compare(p1, q1)
	switch {
	case first == 0:
		return 0, false, Unknown
	case last == first:
		return 0, false, No
	case last == 0:
		return 1, true, Yes
	}
	d := p0 - q0
	x := d / (d - (p1 - q1)) // a guess of the time
	below := math.NaN()      // the greatest double known to be too early
	for range 6 {
		s, ok := 0, x > 0 && x < 1
		if ok {
			s, ok = sideAt(p0, q0, p1, q1, x)
		}
		switch {
		case !ok:
			return 0, false, Unknown
		case s == 0:
			return x, true, Yes
		case s == first:
			below, x = x, math.Nextafter(x, 2)
		case below == math.Nextafter(x, 0):
			return below, false, Yes
		default:
			x = math.Nextafter(x, 0)
		}
	}
	return 0, false, Unknown
}

// still is a query in the plane across axis k. Where no point moves in that plane, signs in it are
// those of differences of coordinates.
type still struct {
	domain geom.Domain
	q      *[24]float64
	k      int
}

// inPlane reports whether no point moves in the plane.
func (s *still) inPlane() bool {
	i, j := (s.k+1)%3, (s.k+2)%3
	for p := 0; p < 12; p += 3 {
		if s.q[p+i] != s.q[12+p+i] || s.q[p+j] != s.q[12+p+j] {
			return false
		}
	}
	return true
}

// between returns the difference of two points in the plane.
func (s *still) between(a, b int) [2]DD {
	i, j := (s.k+1)%3, (s.k+2)%3
	return [2]DD{Difference(s.q[3*a+i], s.q[3*b+i]), Difference(s.q[3*a+j], s.q[3*b+j])}
}

// vectors returns A, B, C, A + B and A + C in the plane; each is a difference of two points.
func (s *still) vectors() (a, b, c, ab, ac [2]DD) {
	if s.domain == geom.Square {
		return s.between(0, 2), s.between(1, 0), s.between(2, 3), s.between(1, 2), s.between(0, 3)
	}
	return s.between(0, 1), s.between(1, 2), s.between(1, 3), s.between(0, 2), s.between(0, 3)
}

// feasible writes the signs of the slacks, if component k of N is not zero.
func (s *still) feasible(out *found) Answer {
	if !s.inPlane() {
		return Unknown
	}
	a, b, c, ab, ac := s.vectors()
	n, ok := sign2(&b, &c)
	if !ok || n == 0 {
		return Unknown
	}
	list := [4][2]*[2]DD{{&c, &a}, {&a, &b}, {&ab, &ac}}
	count := 3
	if s.domain == geom.Square {
		list[2][1], list[3], count = &c, [2]*[2]DD{&b, &ac}, 4
	} else {
		out.slack[3] = 1
	}
	for i, v := range list[:count] {
		x, ok := sign2(v[0], v[1])
		if !ok {
			return Unknown
		}
		if out.slack[i] = x * n; out.slack[i] < 0 {
			return No
		}
	}
	out.shape = 2
	return Yes
}

// sign2 returns the sign of x0 y1 - x1 y0.
//
// In floats the differences, the products and their difference are rounded once each. So it errs by
// at most 4U of the sum of the products' magnitudes; 8U covers terms of second order. Otherwise the
// result is the sum of at most eight products of two doubles, each of which is two doubles without
// error. If a product may underflow, ok is false.
func sign2(x, y *[2]DD) (sign int, ok bool) {
	const u8, tiny = 8 * 0x1p-53, 0x1p-1000
	p, r := float64(x[0].H*y[1].H), float64(x[1].H*y[0].H)
	d := p - r
	switch bound := float64(u8*(math.Abs(p)+math.Abs(r))) + tiny; {
	case d > bound:
		return 1, true
	case d < -bound:
		return -1, true
	}
	var e [16]float64
	n := 0
	for _, t := range [8][2]float64{
		{x[0].H, y[1].H}, {x[0].H, y[1].L}, {x[0].L, y[1].H}, {x[0].L, y[1].L},
		{-x[1].H, y[0].H}, {-x[1].H, y[0].L}, {-x[1].L, y[0].H}, {-x[1].L, y[0].L},
	} {
		if t[0] == 0 || t[1] == 0 {
			continue
		}
		hi, lo := num.TwoProd(t[0], t[1])
		if !(math.Abs(hi) >= 0x1p-900) {
			return 0, false
		}
		n = add(e[:], n, lo)
		n = add(e[:], n, hi)
	}
	for n--; n >= 0; n-- {
		if e[n] != 0 {
			return cmp.Compare(e[n], 0), true
		}
	}
	return 0, true
}

// parallel decides a level pair whose N is zero at all times, such as parallel edges. If both lie
// on one line at the time, it decides whether they overlap there. Wide decides them in the same
// way.
func (s *still) parallel(out *found) Answer {
	if !s.inPlane() {
		return Unknown
	}
	a, b, c, ab, ac := s.vectors()
	if n, ok := sign2(&b, &c); !ok || n != 0 {
		return Unknown
	}
	for _, v := range [2][2]*[2]DD{{&c, &a}, {&a, &b}} {
		switch x, ok := sign2(v[0], v[1]); {
		case !ok:
			return Unknown
		case x != 0:
			return No
		}
	}
	corners := [4][2]DD{a, ab, ac}
	if s.domain == geom.Square {
		corners[3] = s.between(1, 3)
	}
	for axis := range 3 {
		if i := (axis - s.k + 2) % 3; axis != s.k && (b[i].H != 0 || c[i].H != 0) {
			return s.overlap(&corners, i, &b, &c, out)
		}
	}
	return Unknown // B = C = 0
}

// overlap does what Wide.bracket and Wide.line do, along component i of the plane.
func (s *still) overlap(corners *[4][2]DD, i int, b, c *[2]DD, out *found) Answer {
	for _, v := range [2]*[2]DD{b, c} {
		if !v[0].short() || !v[1].short() {
			return Unknown
		}
	}
	out.planar, out.shape, out.slack = true, 1, [4]int{}
	out.n = s.longer(b, c)
	count := 3
	if s.domain == geom.Square {
		count = 4
	}
	below, above := -1, -1
	for j := range count {
		switch x := corners[j][i].H; {
		case x == 0:
			out.u, out.v = float64(j&1), float64(j>>1)
			return Yes
		case x < 0 && below < 0:
			below = j
		case x > 0 && above < 0:
			above = j
		}
	}
	if below < 0 || above < 0 {
		return No
	}
	lo, hi := corners[below][i], corners[above][i]
	var whole DD // whole is hi - lo, a difference of two points, or its negative.
	switch {
	case below^above == 1:
		whole = b[i]
	case below^above == 2:
		whole = c[i]
	case s.domain != geom.Square:
		whole = s.between(2, 3)[i]
	case lo.L == 0 && hi.L == 0:
		whole = Difference(hi.H, lo.H)
	default:
		return Unknown
	}
	den := math.Abs(whole.H)
	if !lo.short() || !hi.short() || !whole.short() || min(-lo.H, hi.H) < den*0x1p-900 {
		return Unknown
	}
	between := func(x, y int) float64 {
		switch {
		case x == y:
			return float64(x)
		case y == 1:
			return -lo.H / den
		}
		return hi.H / den
	}
	out.u, out.v = between(below&1, above&1), between(below>>1, above>>1)
	return Yes
}

// short reports whether a difference of doubles has at most 64 bits, counted from the leading one
// of its high part: algebra.Int rounds it to that.
func (x DD) short() bool {
	e := math.Float64bits(x.H) >> 52 & 0x7ff
	if x.L == 0 || e < 64 {
		return x.L == 0
	}
	s := float64(math.Float64frombits((e-11)<<52) * 1.5) // The last bit of s is the last of the 64.
	return x.L+s-s == x.L
}

// longer returns the longer of B and C, scaled by a power of two.
func (s *still) longer(b, c *[2]DD) [3]float64 {
	scaled := func(v *[2]DD) (x [3]float64, e int) {
		_, e = math.Frexp(max(math.Abs(v[0].H), math.Abs(v[1].H)))
		x[(s.k+1)%3], x[(s.k+2)%3] = math.Ldexp(v[0].H, -e), math.Ldexp(v[1].H, -e)
		if v[0].H == 0 && v[1].H == 0 {
			e = math.MinInt32
		}
		return x, e
	}
	x, e := scaled(b)
	y, g := scaled(c)
	if e < g || e == g && length(y) > length(x) {
		return y
	}
	return x
}

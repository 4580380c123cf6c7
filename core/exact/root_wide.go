package exact

import (
	"math"
	"math/bits"
)

// wroot is a root of p in (0, 1]: the only one in the open interval (lo, hi), or lo = hi itself when exact. p has no
// repeated root. low is the sign of p just right of lo. floor is the largest double not above the root.
type wroot struct {
	p      wpoly
	lo, hi wdyadic
	exact  bool
	low    int
	floor  float64
	step   int // bits that the last refinement gained
	near   int // how near to an end of the interval, in bits of its width, the next failure of the secant looks
}

// double reports whether the root is known to be a double, which is its floor then. One that is exact may have more bits.
func (r *wroot) double() bool {
	if !r.exact {
		return false
	}
	_, whole := r.lo.floorDouble()
	return whole
}

// mantissa splits x >= 0 into m 2^e with m odd, or (0, 0).
func mantissa(x float64) (int64, int) {
	b := math.Float64bits(x)
	e := int(b>>52) & 0x7ff
	m := int64(b & (1<<52 - 1))
	if e == 0 {
		e = 1
	} else {
		m |= 1 << 52
	}
	if m == 0 {
		return 0, 0
	}
	z := bits.TrailingZeros64(uint64(m))
	return m >> z, e - 1075 + z
}

// floorDouble is the largest double not above x, and whether it equals x; x is in [0, 1].
func (x wdyadic) floorDouble() (float64, bool) {
	n := x.m.bitLen()
	if n == 0 {
		return 0, true
	}
	keep := min(53, n-int(x.s)+1074) // a double near x has its last bit at 2^(exponent-52) or at 2^-1074
	if keep <= 0 {
		return 0, false
	}
	drop := n - keep
	if drop <= 0 {
		return math.Ldexp(float64(x.m.mag[0]), -int(x.s)), true
	}
	w, b := drop>>6, uint(drop&63)
	m := x.m.mag[w] >> b
	if w+1 < len(x.m.mag) {
		m |= x.m.mag[w+1] << 1 << (63 - b)
	}
	m &= 1<<keep - 1
	exact := x.m.mag[w]&(1<<b-1) == 0
	for _, y := range x.m.mag[:w] {
		exact = exact && y == 0
	}
	return math.Ldexp(float64(m), drop-int(x.s)), exact
}

// isolate appends the roots of p in (0, 1] to roots, in order: bisection by Descartes' rule of signs in Bernstein form.
func (w *wide) isolate(p wpoly) {
	a := &w.arena
	p = a.simple(p)
	if p.n < 2 {
		return
	}
	n := p.n - 1
	b := a.bernstein(&p, 0)
	w.split(&p, &b, wint{}, 0)
	if b[n].sign() == 0 {
		w.roots = append(w.roots, wroot{p: p, lo: a.dyadic(1), hi: a.dyadic(1), exact: true, floor: 1})
	}
}

// bernstein is the Bernstein coefficients of p on [0, 2^-s], times the degree and a power of two.
func (a *arena) bernstein(p *wpoly, s uint) (b [4]wint) {
	n := p.n - 1
	var c [4]wint
	for i := range p.n {
		c[i] = a.shl(p.c[i], s*uint(n-i))
	}
	b[0] = a.times(uint64(n), c[0])
	b[1] = a.add(b[0], c[1])
	switch n {
	case 2:
		b[2] = a.shl(a.add(a.add(c[0], c[1]), c[2]), 1)
	case 3:
		b[2] = a.add(a.add(b[1], c[1]), c[2])
		b[3] = a.times(3, a.add(a.add(c[0], c[1]), a.add(c[2], c[3])))
	}
	return b
}

// changes counts the sign changes of n coefficients, and gives the first sign.
func changes(b []wint) (count, first int) {
	last := 0
	for i := range b {
		x := b[i].sign()
		if x == 0 {
			continue
		}
		if first == 0 {
			first = x
		}
		if x == -last {
			count++
		}
		last = x
	}
	return count, first
}

// deep is after how many halvings of [0, 1] split looks for roots that lie closer together, or to zero, by other means. Halving
// alone would take as many steps as there are bits between them: thousands, for coordinates of very different sizes.
const deep = 64

// split handles the roots of p inside (m/2^s, (m+1)/2^s), where b are its Bernstein coefficients up to a positive factor.
func (w *wide) split(p *wpoly, b *[4]wint, m wint, s uint) {
	a := &w.arena
	count, first := changes(b[:p.n])
	if count == 0 {
		return
	}
	if count > 1 && s >= deep && m.sign() == 0 {
		s = a.towardsZero(p, b, count, s)
	}
	next := a.add(m, a.word(false, 1))
	if count == 2 && s >= deep && (s%deep == 0 || m.sign() == 0) && w.pair(p, first, wdyadic{m, s}, wdyadic{next, s}) {
		return
	}
	if count == 1 {
		r := wroot{p: *p, lo: wdyadic{m, s}, hi: wdyadic{next, s}, low: first}
		w.locate(&r)
		w.roots = append(w.roots, r)
		return
	}
	var l, r [4]wint
	a.halve(p.n-1, b, &l, &r)
	m2 := a.shl(m, 1)
	mid := a.add(m2, a.word(false, 1))
	w.split(p, &l, m2, s+1)
	if r[0].sign() == 0 {
		x := wdyadic{mid, s + 1}
		d, _ := x.floorDouble()
		w.roots = append(w.roots, wroot{p: *p, lo: x, hi: x, exact: true, floor: d})
	}
	w.split(p, &r, mid, s+1)
}

// towardsZero returns an S >= s such that all sign changes on [0, 2^-s], so many, are there on [0, 2^-S] as well, with the coefficients there:
// no root lies between, for two parts of an interval have together no more changes than the whole.
func (a *arena) towardsZero(p *wpoly, b *[4]wint, count int, s uint) uint {
	up, step := true, s
	for step > 0 {
		c := a.bernstein(p, s+step)
		if n, _ := changes(c[:p.n]); n == count {
			*b = c
			s += step
		} else {
			up = false
		}
		if up {
			step *= 2
		} else {
			step /= 2
		}
	}
	return s
}

// pair handles the two roots, or none, of p inside (lo, hi), where it has two sign changes and the sign first at lo, by the sign of p
// where its derivative vanishes, if that is one point. It reports whether it did.
func (w *wide) pair(p *wpoly, first int, lo, hi wdyadic) bool {
	a := &w.arena
	d := a.derivative(p)
	count, _ := a.variations(&d, lo, hi)
	if count != 1 {
		return false
	}
	// p falls and rises again, or the other way round.
	r := wroot{p: d, lo: lo, hi: hi, low: -first}
	s := a.signAt(p, &r)
	if s != -first {
		return true
	}
	x := r.lo
	if !r.exact { // p has the sign s all over the open interval
		l, h, k := a.align(r.lo, r.hi)
		x = wdyadic{a.add(l, h), k + 1}
	}
	for _, r := range [2]wroot{{p: *p, lo: lo, hi: x, low: first}, {p: *p, lo: x, hi: hi, low: s}} {
		w.locate(&r)
		w.roots = append(w.roots, r)
	}
	return true
}

// halve is de Casteljau's algorithm at the middle, times 2^n.
func (a *arena) halve(n int, b, l, r *[4]wint) {
	t := *b
	for i := range n + 1 {
		l[i] = a.shl(t[0], uint(n-i))
		r[n-i] = a.shl(t[n-i], uint(n-i))
		for j := range n - i {
			t[j] = a.add(t[j], t[j+1])
		}
	}
}

// locate narrows r to neighboring doubles, as far as its interval holds doubles at all.
func (w *wide) locate(r *wroot) {
	a := &w.arena
	lo, _ := r.lo.floorDouble()
	hi, whole := r.hi.floorDouble()
	L, H := math.Float64bits(lo), math.Float64bits(hi)
	if !whole {
		H++
	}
	// Every double whose bits lie strictly between L and H lies inside the interval.
	step := uint64(1)
	x := math.Float64bits(r.guess(lo, hi))
	for H-L > 1 {
		x = min(max(x, L+1), H-1)
		d := a.dyadic(math.Float64frombits(x))
		switch a.evalSign(&r.p, d) {
		case 0:
			r.lo, r.hi, r.exact, r.floor = d, d, true, math.Float64frombits(x)
			return
		case r.low:
			L, r.lo = x, d
			x += step
		default:
			H, r.hi = x, d
			if x < step {
				x = 0
			} else {
				x -= step
			}
		}
		// Gallop away from the guess; once both sides are known, bisect.
		if step *= 2; x <= L || x >= H {
			x = L + (H-L)/2
		}
	}
	r.floor = math.Float64frombits(L)
}

// guess is a double near the root, found by bisection and Newton's method in floats.
func (r *wroot) guess(lo, hi float64) float64 {
	f := r.p.floats()
	x := lo + float64((hi-lo)/2)
	for range 80 {
		y := float64(float64(float64(float64(float64(f[3]*x)+f[2])*x)+f[1])*x) + f[0]
		dy := float64(float64(float64(3*f[3]*x)+float64(2*f[2]))*x) + f[1]
		if y == 0 {
			break
		}
		if (y > 0) == (r.low > 0) {
			lo = x
		} else {
			hi = x
		}
		z := x - y/dy
		if !(z > lo && z < hi) {
			z = lo + float64((hi-lo)/2)
		}
		if math.Abs(z-x) <= 0x1p-52*x {
			return z
		}
		x = z
	}
	return x
}

// maxStep is the most bits that a refinement may gain: more than any two roots of a query's polynomials can be close.
const maxStep = 1 << 15

// refine narrows the interval of r: it is cut into 2^step parts, and the part that the secant points to is
// asked first. While that is right the steps double, as in Newton's method (quadratic interval refinement, Abbott 2006).
//
// Where it is wrong the root may be far nearer to one end than the interval is wide, as that of t^2 - 2^-3000 is to 0. Then a point
// near that end is tried, nearer each time while that is right, farther when it is wrong, and at last the middle: the
// logarithm of the distance is halved, not the distance.
func (a *arena) refine(r *wroot) {
	if r.exact {
		return
	}
	l, h, s := a.align(r.lo, r.hi)
	k := min(max(2*r.step, 1), maxStep)
	i := a.part(a.eval(&r.p, wdyadic{l, s}), a.eval(&r.p, wdyadic{h, s}), k)
	one := a.word(false, 1)
	width, base := a.sub(h, l), a.shl(l, uint(k))
	r.step = k
	lower, upper := false, false
	for n, j := range [2]wint{i, a.add(i, one)} {
		switch side := a.cut(r, wdyadic{a.add(base, a.mul(width, j)), s + uint(k)}); {
		case r.exact:
			return
		case side < 0 && n == 0 || side > 0 && n == 1:
			r.step = k / 4
			lower, upper = side < 0, side > 0
		}
	}
	if !lower && !upper {
		return
	}
	// The root is below the part, or above it.
	l, h, s = a.align(r.lo, r.hi)
	g := uint(max(r.near, 1))
	width, l, h = a.sub(h, l), a.shl(l, g), a.shl(h, g)
	fromLow := i.bitLen() < k
	x := a.sub(h, width)
	if fromLow {
		x = a.add(l, width)
	}
	if side := a.cut(r, wdyadic{x, s + g}); side < 0 == fromLow {
		r.near = min(2*int(g), maxStep)
	} else {
		r.near = int(g) / 2
	}
}

// cut narrows the interval of r by a number, if that is inside: -1 when the root is below it, 1 when it is above.
func (a *arena) cut(r *wroot, x wdyadic) int {
	if a.compare(x, r.lo) <= 0 || a.compare(x, r.hi) >= 0 {
		return 0
	}
	switch sign := a.evalSign(&r.p, x); sign {
	case 0:
		r.lo, r.hi, r.exact = x, x, true
		return 0
	case r.low:
		r.lo = x
		return 1
	}
	r.hi = x
	return -1
}

// part is the part, of 2^k, in which the line through (0, y) and (1, z) vanishes, or nearly: any is right.
func (a *arena) part(y, z wint, k int) wint {
	if k <= 32 {
		return a.word(false, secant(y, z, k))
	}
	n := max(y.bitLen(), z.bitLen())
	drop := uint(max(0, n-k-64))
	num, den := a.shr(wint{mag: y.mag}, drop), a.shr(a.add(wint{mag: y.mag}, wint{mag: z.mag}), drop)
	if den.sign() == 0 {
		return wint{}
	}
	q := a.quo(a.shl(num, uint(k)), den)
	if q.bitLen() > k { // the line vanishes at 1
		q = a.sub(q, a.word(false, 1))
	}
	return q
}

// secant is the part, of 2^k, in which the line through (0, y) and (1, z) vanishes.
func secant(y, z wint, k int) uint64 {
	m, e := y.frexp()
	n, f := z.frexp()
	t := math.Abs(m) / (math.Abs(m) + math.Ldexp(math.Abs(n), f-e))
	if !(t >= 0) { // both vanish, or the second is far larger
		t = 0
	}
	return min(uint64(t*math.Ldexp(1, k)), 1<<k-1)
}

// width is the binary exponent of the width of a root's interval.
func (a *arena) width(r *wroot) int {
	l, h, s := a.align(r.lo, r.hi)
	return a.sub(h, l).bitLen() - int(s)
}

// compareRoots orders two roots, whose intervals it may narrow.
func (a *arena) compareRoots(r, s *wroot) int {
	for first := true; ; first = false {
		switch {
		case r.exact && s.exact:
			return a.compare(r.lo, s.lo)
		case a.compare(r.hi, s.lo) <= 0:
			return -1
		case a.compare(s.hi, r.lo) <= 0:
			return 1
		case r.exact && a.evalSign(&s.p, r.lo) == 0, s.exact && a.evalSign(&r.p, s.lo) == 0:
			return 0
		}
		if first && !r.exact && !s.exact && !coprime(&r.p, &s.p) {
			// A root in common within both intervals is the one root of either.
			lo, hi := r.lo, r.hi
			if a.compare(s.lo, lo) > 0 {
				lo = s.lo
			}
			if a.compare(s.hi, hi) < 0 {
				hi = s.hi
			}
			if g := a.common(r.p, s.p); g.n > 1 {
				if count, _ := a.variations(&g, lo, hi); count%2 == 1 {
					return 0
				}
			}
		}
		if s.exact || !r.exact && a.width(r) >= a.width(s) { // the wider one
			a.refine(r)
		} else {
			a.refine(s)
		}
	}
}

func (a *arena) compare(x, y wdyadic) int {
	l, h, _ := a.align(x, y)
	return compareMag(l.mag, h.mag)
}

// signAt is the sign of q at the root r, whose interval it may narrow.
func (a *arena) signAt(q *wpoly, r *wroot) int {
	if q.n == 0 {
		return 0
	}
	for first := true; ; first = false {
		if r.exact {
			return a.evalSign(q, r.lo)
		}
		if changes, s := a.variations(q, r.lo, r.hi); changes == 0 {
			return s
		}
		if first && !coprime(&r.p, q) {
			if g := a.common(r.p, *q); g.n > 1 {
				// g divides p, so it has at most one root here, and a simple one: it is r's when the signs change.
				if changes, _ := a.variations(&g, r.lo, r.hi); changes == 1 {
					return 0
				}
			}
		}
		a.refine(r)
	}
}

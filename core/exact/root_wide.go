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
	c := &p.c
	var b [4]wint // Bernstein coefficients on [0, 1], times the degree
	n := p.n - 1
	deg := uint64(n)
	b[0] = a.times(deg, c[0])
	b[1] = a.add(b[0], c[1])
	switch n {
	case 2:
		b[2] = a.shl(a.add(a.add(c[0], c[1]), c[2]), 1)
	case 3:
		b[2] = a.add(a.add(b[1], c[1]), c[2])
		b[3] = a.times(3, a.add(a.add(c[0], c[1]), a.add(c[2], c[3])))
	}
	w.split(&p, &b, wint{}, 0)
	if b[n].sign() == 0 {
		w.roots = append(w.roots, wroot{p: p, lo: a.dyadic(1), hi: a.dyadic(1), exact: true, floor: 1})
	}
}

// split handles the roots of p inside (m/2^s, (m+1)/2^s), where b are its Bernstein coefficients up to a positive factor.
func (w *wide) split(p *wpoly, b *[4]wint, m wint, s uint) {
	a := &w.arena
	changes, first, last := 0, 0, 0
	for i := range p.n {
		x := b[i].sign()
		if x == 0 {
			continue
		}
		if first == 0 {
			first = x
		}
		if x == -last {
			changes++
		}
		last = x
	}
	if changes == 0 {
		return
	}
	next := a.add(m, a.word(false, 1))
	if changes == 1 {
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

// locate narrows r to neighbouring doubles, as far as its interval holds doubles at all.
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

// refine narrows the interval of r, by half at least: it is cut into 2^step parts, and the part that the secant points to is
// asked first. While that is right the steps double, as in Newton's method (quadratic interval refinement, Abbott 2006).
func (a *arena) refine(r *wroot) {
	if r.exact {
		return
	}
	l, h, s := a.align(r.lo, r.hi)
	k := min(max(2*r.step, 1), 32)
	i := secant(a.eval(&r.p, wdyadic{l, s}), a.eval(&r.p, wdyadic{h, s}), k)
	width, base := a.sub(h, l), a.shl(l, uint(k))
	r.step = k
	for _, j := range [3]uint64{i, i + 1, 1 << (k - 1)} { // the part, and the middle if need be
		x := wdyadic{a.add(base, a.mul(width, a.word(false, j))), s + uint(k)}
		if a.compare(x, r.lo) <= 0 || a.compare(x, r.hi) >= 0 {
			continue
		}
		switch sign := a.evalSign(&r.p, x); {
		case sign == 0:
			r.lo, r.hi, r.exact = x, x, true
			return
		case sign == r.low:
			if r.lo = x; j == i+1 {
				r.step = k / 4
			}
		default:
			if r.hi = x; j == i {
				r.step = k / 4
			}
		}
	}
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

func (a *arena) compare(x, y wdyadic) int {
	l, h, _ := a.align(x, y)
	return compareMag(l.mag, h.mag)
}

// signAt is the sign of q, of degree at most 2, at the root r, whose interval it may narrow.
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
		if first {
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

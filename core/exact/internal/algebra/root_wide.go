package algebra

import (
	"math"
	"math/bits"
)

// Solver finds the real roots of a polynomial in [0, 1], in storage that it keeps.
type Solver struct {
	Arena Arena
	Roots []Root // roots has those of the last isolate, ascending.
}

// Root is a root of p in (0, 1]: the only one in the open interval (lo, hi), or lo = hi itself when
// exact. p has no repeated root. low is the sign of p just right of lo. floor is the largest double
// not above the root.
type Root struct {
	p      Poly
	Lo, Hi Dyadic
	Exact  bool
	low    int
	Floor  float64
	step   int // bits that the last refinement gained
	near   int // how near to an end of the interval, in bits of its width, the next failure of the secant looks
}

// Double reports whether the root is known to be a double, which is its floor then. One that is
// exact may have more bits.
func (r *Root) Double() bool {
	if !r.Exact {
		return false
	}
	_, whole := r.Lo.floorDouble()
	return whole
}

// Mantissa splits x >= 0 into m 2^e with m odd, or (0, 0).
func Mantissa(x float64) (int64, int) {
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

// floorDouble returns the largest double not above x, and whether it equals x; x is in [0, 1].
func (x Dyadic) floorDouble() (float64, bool) {
	n := x.m.bitLen()
	if n == 0 {
		return 0, true
	}
	keep := min(53, n-int(x.S)+1074) // a double near x has its last bit at 2^(exponent-52) or at 2^-1074
	if keep <= 0 {
		return 0, false
	}
	drop := n - keep
	if drop <= 0 {
		return math.Ldexp(float64(x.m.Mag[0]), -int(x.S)), true
	}
	w, b := drop>>6, uint(drop&63)
	m := x.m.Mag[w] >> b
	if w+1 < len(x.m.Mag) {
		m |= x.m.Mag[w+1] << 1 << (63 - b)
	}
	m &= 1<<keep - 1
	exact := x.m.Mag[w]&(1<<b-1) == 0
	for _, y := range x.m.Mag[:w] {
		exact = exact && y == 0
	}
	return math.Ldexp(float64(m), drop-int(x.S)), exact
}

// Isolate appends the roots of p in (0, 1] to roots, in order: bisection by Descartes' rule of
// signs in Bernstein form.
func (w *Solver) Isolate(p Poly) {
	a := &w.Arena
	p = a.simple(p)
	if p.N < 2 {
		return
	}
	n := p.N - 1
	b := a.bernstein(&p, 0)
	w.split(&p, &b, Int{}, 0)
	if b[n].Sign() == 0 {
		w.Roots = append(w.Roots, Root{p: p, Lo: a.Dyadic(1), Hi: a.Dyadic(1), Exact: true, Floor: 1})
	}
}

// bernstein returns the Bernstein coefficients of p on [0, 2^-s], times the degree and a power of
// two.
func (a *Arena) bernstein(p *Poly, s uint) (b [4]Int) {
	n := p.N - 1
	var c [4]Int
	for i := range p.N {
		c[i] = a.Shl(p.C[i], s*uint(n-i))
	}
	b[0] = a.times(uint64(n), c[0])
	b[1] = a.Add(b[0], c[1])
	switch n {
	case 2:
		b[2] = a.Shl(a.Add(a.Add(c[0], c[1]), c[2]), 1)
	case 3:
		b[2] = a.Add(a.Add(b[1], c[1]), c[2])
		b[3] = a.times(3, a.Add(a.Add(c[0], c[1]), a.Add(c[2], c[3])))
	}
	return b
}

// changes counts the sign changes of n coefficients, and gives the first sign.
func changes(b []Int) (count, first int) {
	last := 0
	for i := range b {
		x := b[i].Sign()
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

// deep is after how many halvings of [0, 1] split looks for roots that lie closer together, or to
// zero, by other means. Halving alone would take as many steps as there are bits between them:
// thousands, for coordinates of very different sizes.
const deep = 64

// split handles the roots of p inside (m/2^s, (m+1)/2^s), where b are its Bernstein coefficients up
// to a positive factor.
func (w *Solver) split(p *Poly, b *[4]Int, m Int, s uint) {
	a := &w.Arena
	count, first := changes(b[:p.N])
	if count == 0 {
		return
	}
	if count > 1 && s >= deep && m.Sign() == 0 {
		s = a.towardsZero(p, b, count, s)
	}
	next := a.Add(m, a.Word(false, 1))
	if count == 2 && s >= deep && (s%deep == 0 || m.Sign() == 0) && w.pair(p, first, Dyadic{m, s}, Dyadic{next, s}) {
		return
	}
	if count == 1 {
		r := Root{p: *p, Lo: Dyadic{m, s}, Hi: Dyadic{next, s}, low: first}
		w.locate(&r)
		w.Roots = append(w.Roots, r)
		return
	}
	var l, r [4]Int
	a.halve(p.N-1, b, &l, &r)
	m2 := a.Shl(m, 1)
	mid := a.Add(m2, a.Word(false, 1))
	w.split(p, &l, m2, s+1)
	if r[0].Sign() == 0 {
		x := Dyadic{mid, s + 1}
		d, _ := x.floorDouble()
		w.Roots = append(w.Roots, Root{p: *p, Lo: x, Hi: x, Exact: true, Floor: d})
	}
	w.split(p, &r, mid, s+1)
}

// towardsZero returns an S >= s such that all sign changes on [0, 2^-s], so many, are there on [0,
// 2^-S] as well, with the coefficients there: no root lies between, for two parts of an interval
// have together no more changes than the whole.
func (a *Arena) towardsZero(p *Poly, b *[4]Int, count int, s uint) uint {
	up, step := true, s
	for step > 0 {
		c := a.bernstein(p, s+step)
		if n, _ := changes(c[:p.N]); n == count {
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

// pair handles the two roots, or none, of p inside (lo, hi), where it has two sign changes and the
// sign first at lo, by the sign of p where its derivative vanishes, if that is one point. It
// reports whether it did.
func (w *Solver) pair(p *Poly, first int, lo, hi Dyadic) bool {
	a := &w.Arena
	d := a.Derivative(p)
	count, _ := a.Variations(&d, lo, hi)
	if count != 1 {
		return false
	}
	// p falls and rises again, or the other way round.
	r := Root{p: d, Lo: lo, Hi: hi, low: -first}
	s := a.SignAt(p, &r)
	if s != -first {
		return true
	}
	x := r.Lo
	if !r.Exact { // p has the sign s all over the open interval
		l, h, k := a.Align(r.Lo, r.Hi)
		x = Dyadic{a.Add(l, h), k + 1}
	}
	for _, r := range [2]Root{{p: *p, Lo: lo, Hi: x, low: first}, {p: *p, Lo: x, Hi: hi, low: s}} {
		w.locate(&r)
		w.Roots = append(w.Roots, r)
	}
	return true
}

// halve is de Casteljau's algorithm at the middle, times 2^n.
func (a *Arena) halve(n int, b, l, r *[4]Int) {
	t := *b
	for i := range n + 1 {
		l[i] = a.Shl(t[0], uint(n-i))
		r[n-i] = a.Shl(t[n-i], uint(n-i))
		for j := range n - i {
			t[j] = a.Add(t[j], t[j+1])
		}
	}
}

// locate narrows r to neighboring doubles, as far as its interval holds doubles at all.
func (w *Solver) locate(r *Root) {
	a := &w.Arena
	lo, _ := r.Lo.floorDouble()
	hi, whole := r.Hi.floorDouble()
	L, H := math.Float64bits(lo), math.Float64bits(hi)
	if !whole {
		H++
	}
	// Every double whose bits lie strictly between L and H lies inside the interval.
	step := uint64(1)
	x := math.Float64bits(r.guess(lo, hi))
	for H-L > 1 {
		x = min(max(x, L+1), H-1)
		d := a.Dyadic(math.Float64frombits(x))
		switch a.EvalSign(&r.p, d) {
		case 0:
			r.Lo, r.Hi, r.Exact, r.Floor = d, d, true, math.Float64frombits(x)
			return
		case r.low:
			L, r.Lo = x, d
			x += step
		default:
			H, r.Hi = x, d
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
	r.Floor = math.Float64frombits(L)
}

// guess returns a double near the root, found by bisection and Newton's method in floats.
func (r *Root) guess(lo, hi float64) float64 {
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

// maxStep is the most bits that a refinement may gain: more than any two roots of a query's
// polynomials can be close.
const maxStep = 1 << 15

// refine narrows the interval of r: it is cut into 2^step parts, and the part that the secant
// points to is asked first. While that is right the steps double, as in Newton's method (quadratic
// interval refinement, Abbott 2006).
//
// Where it is wrong the root may be far nearer to one end than the interval is wide, as that of
// t^2 - 2^-3000 is to 0. Then a point near that end is tried, nearer each time while that is right,
// farther when it is wrong, and at last the middle: the logarithm of the distance is halved, not
// the distance.
func (a *Arena) refine(r *Root) {
	if r.Exact {
		return
	}
	l, h, s := a.Align(r.Lo, r.Hi)
	k := min(max(2*r.step, 1), maxStep)
	i := a.part(a.Eval(&r.p, Dyadic{l, s}), a.Eval(&r.p, Dyadic{h, s}), k)
	one := a.Word(false, 1)
	width, base := a.Sub(h, l), a.Shl(l, uint(k))
	r.step = k
	lower, upper := false, false
	for n, j := range [2]Int{i, a.Add(i, one)} {
		switch side := a.cut(r, Dyadic{a.Add(base, a.mul(width, j)), s + uint(k)}); {
		case r.Exact:
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
	l, h, s = a.Align(r.Lo, r.Hi)
	g := uint(max(r.near, 1))
	width, l, h = a.Sub(h, l), a.Shl(l, g), a.Shl(h, g)
	fromLow := i.bitLen() < k
	x := a.Sub(h, width)
	if fromLow {
		x = a.Add(l, width)
	}
	if side := a.cut(r, Dyadic{x, s + g}); side < 0 == fromLow {
		r.near = min(2*int(g), maxStep)
	} else {
		r.near = int(g) / 2
	}
}

// cut narrows the interval of r by a number, if that is inside: -1 when the root is below it, 1
// when it is above.
func (a *Arena) cut(r *Root, x Dyadic) int {
	if a.compare(x, r.Lo) <= 0 || a.compare(x, r.Hi) >= 0 {
		return 0
	}
	switch sign := a.EvalSign(&r.p, x); sign {
	case 0:
		r.Lo, r.Hi, r.Exact = x, x, true
		return 0
	case r.low:
		r.Lo = x
		return 1
	}
	r.Hi = x
	return -1
}

// part returns the part, of 2^k, in which the line through (0, y) and (1, z) vanishes, or nearly:
// any is right.
func (a *Arena) part(y, z Int, k int) Int {
	if k <= 32 {
		return a.Word(false, secant(y, z, k))
	}
	n := max(y.bitLen(), z.bitLen())
	drop := uint(max(0, n-k-64))
	num, den := a.shr(Int{Mag: y.Mag}, drop), a.shr(a.Add(Int{Mag: y.Mag}, Int{Mag: z.Mag}), drop)
	if den.Sign() == 0 {
		return Int{}
	}
	q := a.quo(a.Shl(num, uint(k)), den)
	if q.bitLen() > k { // the line vanishes at 1
		q = a.Sub(q, a.Word(false, 1))
	}
	return q
}

// secant returns the part, of 2^k, in which the line through (0, y) and (1, z) vanishes.
func secant(y, z Int, k int) uint64 {
	m, e := y.frexp()
	n, f := z.frexp()
	t := math.Abs(m) / (math.Abs(m) + math.Ldexp(math.Abs(n), f-e))
	if !(t >= 0) { // both vanish, or the second is far larger
		t = 0
	}
	return min(uint64(t*math.Ldexp(1, k)), 1<<k-1)
}

// width returns the binary exponent of the width of a root's interval.
func (a *Arena) width(r *Root) int {
	l, h, s := a.Align(r.Lo, r.Hi)
	return a.Sub(h, l).bitLen() - int(s)
}

// CompareRoots orders two roots, whose intervals it may narrow.
func (a *Arena) CompareRoots(r, s *Root) int {
	for first := true; ; first = false {
		switch {
		case r.Exact && s.Exact:
			return a.compare(r.Lo, s.Lo)
		case a.compare(r.Hi, s.Lo) <= 0:
			return -1
		case a.compare(s.Hi, r.Lo) <= 0:
			return 1
		case r.Exact && a.EvalSign(&s.p, r.Lo) == 0, s.Exact && a.EvalSign(&r.p, s.Lo) == 0:
			return 0
		}
		if first && !r.Exact && !s.Exact && !coprime(&r.p, &s.p) {
			// A root in common within both intervals is the one root of either.
			lo, hi := r.Lo, r.Hi
			if a.compare(s.Lo, lo) > 0 {
				lo = s.Lo
			}
			if a.compare(s.Hi, hi) < 0 {
				hi = s.Hi
			}
			if g := a.common(r.p, s.p); g.N > 1 {
				if count, _ := a.Variations(&g, lo, hi); count%2 == 1 {
					return 0
				}
			}
		}
		if s.Exact || !r.Exact && a.width(r) >= a.width(s) { // the wider one
			a.refine(r)
		} else {
			a.refine(s)
		}
	}
}

func (a *Arena) compare(x, y Dyadic) int {
	l, h, _ := a.Align(x, y)
	return CompareMag(l.Mag, h.Mag)
}

// SignAt returns the sign of q at the root r, whose interval it may narrow.
func (a *Arena) SignAt(q *Poly, r *Root) int {
	if q.N == 0 {
		return 0
	}
	for first := true; ; first = false {
		if r.Exact {
			return a.EvalSign(q, r.Lo)
		}
		if changes, s := a.Variations(q, r.Lo, r.Hi); changes == 0 {
			return s
		}
		if first && !coprime(&r.p, q) {
			if g := a.common(r.p, *q); g.N > 1 {
				// g divides p, so it has at most one root here, and a simple one: it is r's when
				// the signs change.
				if changes, _ := a.Variations(&g, r.Lo, r.Hi); changes == 1 {
					return 0
				}
			}
		}
		a.refine(r)
	}
}

// SignNear returns the sign of p, not zero throughout, just before x (way -1) or just after (way
// 1): that of the first derivative that is not zero at x, times (-1)^order before x.
func (a *Arena) SignNear(p Poly, x Dyadic, way int) int {
	for sign := 1; ; sign *= way {
		if s := a.EvalSign(&p, x); s != 0 || p.N < 2 {
			return sign * s
		}
		p = a.Derivative(&p)
	}
}

// Ceiling returns the least double not below the root.
func (r *Root) Ceiling() float64 {
	if r.Double() {
		return r.Floor
	}
	return math.Nextafter(r.Floor, 2)
}

// Between returns a time strictly between two roots r < t, whose intervals it may narrow.
func (a *Arena) Between(r, t *Root) Root {
	for a.compare(r.Hi, t.Lo) >= 0 {
		if t.Exact || !r.Exact && a.width(r) >= a.width(t) {
			a.refine(r)
		} else {
			a.refine(t)
		}
	}
	x := a.Middle(r.Hi, t.Lo)
	return Root{Lo: x, Hi: x, Exact: true}
}

// Value is num / den at the root r, where neither is zero, to within a few ulps.
func (a *Arena) Value(num, den *Poly, r *Root) float64 {
	m, e := a.Quotient(num, den, r)
	return math.Ldexp(m, e)
}

// Quotient is Value as a fraction and a power of two, which may be beyond the doubles.
func (a *Arena) Quotient(num, den *Poly, r *Root) (float64, int) {
	at := func(x Dyadic) (float64, int) {
		mk := a.Mark()
		m, e := a.Eval(num, x).frexp()
		n, f := a.Eval(den, x).frexp()
		a.Release(mk)
		if n == 0 {
			return math.NaN(), 0
		}
		return m / n, e - f + int(x.S)*(den.N-num.N) // eval has multiplied each by its own power of two
	}
	for {
		x, e := at(r.Lo)
		if r.Exact {
			return x, e
		}
		y, f := at(r.Hi)
		if math.Abs(x-math.Ldexp(y, f-e)) <= 0x1p-51*math.Abs(x) && x != 0 {
			return x, e
		}
		for range 2 {
			a.refine(r)
		}
	}
}

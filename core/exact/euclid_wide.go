package exact

import (
	"math"
	"math/big"

	"ccd/core/geom"
)

// The last stage of a Euclidean separation, in integers of any width: the features and the theorem of euclid.go. It looks for the first
// contact between two doubles by Descartes' rule of signs, halves the doubles between them, and asks for roots only between neighbours, where
// it need not know which of them comes first.

// euclideanWide is a query's features.
type euclideanWide struct {
	features []euclideanFeature
}

// euclideanFeature is a row of the table in euclid.go: contact where near <= 0, and region > 0 but for the last of them, which is a square,
// >= 0. Without a separation (zero) contact is where near = 0.
type euclideanFeature struct {
	near   bigPoly
	region []bigPoly
	zero   bool
}

// load makes the features, once, all lengths in the largest power of two that makes them integers.
func (w *euclideanWide) load(kind geom.Kind, q []float64, d float64) {
	if w.features != nil {
		return
	}
	n := kind.Points()
	unit := math.MaxInt32
	lowest := func(x float64) {
		if m, e := mantissa(math.Abs(x)); m != 0 {
			unit = min(unit, e)
		}
	}
	lowest(d)
	for _, x := range q[:6*n] {
		lowest(x)
	}
	integer := func(x float64) *big.Int {
		m, e := mantissa(math.Abs(x))
		y := big.NewInt(m)
		if m != 0 {
			y.Lsh(y, uint(e-unit))
		}
		if x < 0 {
			y.Neg(y)
		}
		return y
	}
	var points [8][3]*big.Int
	for i := range 2 * n {
		for k := range 3 {
			points[i][k] = integer(q[3*i+k])
		}
	}
	move := func(pair [2]int8) (v bigVector) {
		for k := range v {
			x0 := new(big.Int).Sub(points[pair[0]][k], points[pair[1]][k])
			x1 := new(big.Int).Sub(points[n+int(pair[0])][k], points[n+int(pair[1])][k])
			v[k] = bigPoly{x0, x1.Sub(x1, x0)}.trimmed()
		}
		return v
	}
	r := integer(d)
	square := bigPoly{r.Mul(r, r)}.trimmed()
	corners, edges := polygonOf(kind, move)
	w.build(kind, corners, edges, square)
}

// polygonOf are the corners and edges of the polygon F, each a difference of two points.
func polygonOf(kind geom.Kind, move func(pair [2]int8) bigVector) (corners, edges []bigVector) {
	for _, pair := range shapes[kind].corners {
		corners = append(corners, move(pair))
	}
	for _, pair := range shapes[kind].edges {
		edges = append(edges, move(pair))
	}
	return corners, edges
}

// build makes the features of a polygon for the separation whose square is given, a positive one.
func (w *euclideanWide) build(kind geom.Kind, corners, edges []bigVector, square bigPoly) {
	for i := range corners {
		p := &corners[i]
		w.features = append(w.features, euclideanFeature{near: p.dot(p).minus(square)})
	}
	for _, z := range polygonSides[kind] {
		p, e := &corners[z.from], &edges[z.edge]
		x, ee, pe := p.cross(e), e.dot(e), p.dot(e)
		w.features = append(w.features, euclideanFeature{
			near:   x.dot(&x).minus(square.times(ee)),
			region: []bigPoly{pe.negated(), pe.plus(ee), ee},
		})
	}
	if len(edges) < 2 {
		return
	}
	an, region := insideOf(kind, &corners[0], &edges[0], &edges[1])
	nn := region[len(region)-1]
	w.features = append(w.features, euclideanFeature{near: an.times(an).minus(square.times(nn)), region: region})
}

// insideOf is A.N, N = B x C, and the region of the polygon's inside, with N.N as the last.
func insideOf(kind geom.Kind, a, b, c *bigVector) (an bigPoly, region []bigPoly) {
	normal := b.cross(c)
	nn := normal.dot(&normal)
	x, y := c.cross(a), a.cross(b)
	u, v := x.dot(&normal), y.dot(&normal)
	if kind == geom.EdgeEdge {
		return a.dot(&normal), []bigPoly{u, v, nn.minus(u), nn.minus(v), nn}
	}
	return a.dot(&normal), []bigPoly{u, v, nn.minus(u).minus(v), nn}
}

// first is the first contact in [lo, hi], of a pair that is apart before lo.
func (w *euclideanWide) first(lo, hi float64) instant {
	if w.contact(lo, 0) {
		return instant{contact: true, lo: lo, hi: lo}
	}
	if lo == hi {
		return instant{}
	}
	return w.between(lo, hi, w.features)
}

// contact reports whether there is contact at t: a distance of at most d, or less than d when most is -1.
func (w *euclideanWide) contact(t float64, most int) bool { return w.contactAt(bigDyadicOf(t), most) }

// contactAt is contact at any dyadic time.
func (w *euclideanWide) contactAt(x bigDyadic, most int) bool {
	for i := range w.features {
		if w.features[i].holds(x, most) {
			return true
		}
	}
	return false
}

func (f *euclideanFeature) holds(x bigDyadic, most int) bool {
	if s := f.near.sign(x); s > most || f.zero && s != 0 {
		return false
	}
	for i, p := range f.region {
		if s := p.sign(x); s < 0 || s == 0 && i == len(f.region)-1 {
			return false
		}
	}
	return true
}

// between is the first contact in (lo, hi], lo not being one, when it can be that of one of the features only, or be at hi.
func (w *euclideanWide) between(lo, hi float64, features []euclideanFeature) instant {
	l, h := bigDyadicOf(lo), bigDyadicOf(hi)
	var left []euclideanFeature
	for _, f := range features {
		if f.possible(l, h) {
			left = append(left, f)
		}
	}
	a, b := math.Float64bits(lo), math.Float64bits(hi) // doubles of one sign are ordered as their bits
	switch {
	case len(left) == 0:
	case b-a > 1:
		m := math.Float64frombits(a + (b-a)/2)
		if t := w.between(lo, m, left); t.contact {
			return t
		}
		return w.between(m, hi, left)
	case w.contact(hi, -1): // nearer than d, so at d just before
		return instant{contact: true, lo: lo, hi: hi}
	default:
		for i := range left {
			if left[i].root(l, h) {
				return instant{contact: true, lo: lo, hi: hi}
			}
		}
	}
	if w.contact(hi, 0) {
		return instant{contact: true, lo: hi, hi: hi}
	}
	return instant{}
}

// possible reports whether the feature may have the first contact inside the open interval (lo, hi): a root of near, where the region is > 0.
func (f *euclideanFeature) possible(lo, hi bigDyadic) bool {
	if len(f.near) == 0 {
		return false
	}
	if changes, _ := f.near.bernstein(lo, hi).changes(); changes == 0 {
		return false
	}
	for _, p := range f.region {
		if changes, sign := p.bernstein(lo, hi).changes(); changes == 0 && sign <= 0 {
			return false
		}
	}
	return true
}

// root reports whether near has a root inside (lo, hi) at which the region is > 0.
func (f *euclideanFeature) root(lo, hi bigDyadic) bool {
	p := f.near.simple()
	found := false
	p.isolate(lo, hi, p.bernstein(lo, hi), func(l, h bigDyadic) bool {
		for _, q := range f.region {
			if !q.positiveAtRoot(p, &l, &h) {
				return false
			}
		}
		found = true
		return true
	})
	return found
}

// positiveAtRoot reports whether q > 0 at the only root of p inside (lo, hi), which it may narrow; lo = hi is the root itself.
func (q bigPoly) positiveAtRoot(p bigPoly, lo, hi *bigDyadic) bool {
	if len(q) == 0 {
		return false
	}
	for looks := 0; ; looks++ {
		if lo.compare(*hi) == 0 {
			return q.sign(*lo) > 0
		}
		if changes, sign := q.bernstein(*lo, *hi).changes(); changes == 0 {
			return sign > 0
		}
		if looks == 3 {
			if g := p.common(q); len(g) > 1 {
				// g divides p, so it has one simple root here or none.
				if changes, _ := g.bernstein(*lo, *hi).changes(); changes%2 == 1 {
					return false
				}
			}
		}
		for range 1 << min(looks, 8) {
			p.narrow(lo, hi)
		}
	}
}

// narrow halves an interval that has one root of p inside, a simple one.
func (p bigPoly) narrow(lo, hi *bigDyadic) {
	if lo.compare(*hi) == 0 {
		return
	}
	m := lo.middle(*hi)
	switch s := p.sign(m); {
	case s == 0:
		*lo, *hi = m, m
	case s == p.signAfter(*lo):
		*lo = m
	default:
		*hi = m
	}
}

// signAfter is the sign of p just after x.
func (p bigPoly) signAfter(x bigDyadic) int {
	for ; len(p) > 0; p = p.derivative() {
		if s := p.sign(x); s != 0 {
			return s
		}
	}
	return 0
}

// isolate calls yes with intervals that hold one root of p each, all of those inside (lo, hi), b being its Bernstein coefficients there, until
// yes returns true. p has no repeated root, so intervals that are short enough have one change of sign or none.
func (p bigPoly) isolate(lo, hi bigDyadic, b bigBernstein, yes func(lo, hi bigDyadic) bool) bool {
	switch changes, _ := b.changes(); changes {
	case 0:
		return false
	case 1:
		return yes(lo, hi)
	}
	m := lo.middle(hi)
	l, r := b.halves()
	return p.isolate(lo, m, l, yes) || r[0].Sign() == 0 && yes(m, m) || p.isolate(m, hi, r, yes)
}

// bigDyadic is the number m / 2^s.
type bigDyadic struct {
	m *big.Int
	s uint
}

// bigDyadicOf is a double of [0, 1].
func bigDyadicOf(x float64) bigDyadic {
	m, e := mantissa(x)
	return bigDyadic{big.NewInt(m), uint(-e)}
}

// aligned brings two numbers to one denominator.
func (x bigDyadic) aligned(y bigDyadic) (a, b *big.Int, s uint) {
	s = max(x.s, y.s)
	return new(big.Int).Lsh(x.m, s-x.s), new(big.Int).Lsh(y.m, s-y.s), s
}

func (x bigDyadic) compare(y bigDyadic) int {
	a, b, _ := x.aligned(y)
	return a.Cmp(b)
}

func (x bigDyadic) middle(y bigDyadic) bigDyadic {
	a, b, s := x.aligned(y)
	return bigDyadic{a.Add(a, b), s + 1}
}

// bigPoly is a polynomial in t with integer coefficients, lowest degree first, the last not zero; the zero polynomial is empty.
type bigPoly []*big.Int

func (p bigPoly) trimmed() bigPoly {
	for len(p) > 0 && p[len(p)-1].Sign() == 0 {
		p = p[:len(p)-1]
	}
	return p
}

func (p bigPoly) negated() bigPoly { return bigPoly(nil).minus(p) }

func (p bigPoly) plus(q bigPoly) bigPoly { return p.combined(q, (*big.Int).Add) }

func (p bigPoly) minus(q bigPoly) bigPoly { return p.combined(q, (*big.Int).Sub) }

func (p bigPoly) combined(q bigPoly, op func(z, x, y *big.Int) *big.Int) bigPoly {
	var zero big.Int
	r := make(bigPoly, max(len(p), len(q)))
	for i := range r {
		x, y := &zero, &zero
		if i < len(p) {
			x = p[i]
		}
		if i < len(q) {
			y = q[i]
		}
		r[i] = op(new(big.Int), x, y)
	}
	return r.trimmed()
}

func (p bigPoly) times(q bigPoly) bigPoly {
	if len(p) == 0 || len(q) == 0 {
		return nil
	}
	words := make([]big.Int, len(p)+len(q)-1)
	r := make(bigPoly, len(words))
	for i := range r {
		r[i] = &words[i]
	}
	var x big.Int
	for i := range p {
		for j := range q {
			r[i+j].Add(r[i+j], x.Mul(p[i], q[j]))
		}
	}
	return r
}

func (p bigPoly) derivative() bigPoly {
	if len(p) < 2 {
		return nil
	}
	r := make(bigPoly, len(p)-1)
	for i := range r {
		r[i] = new(big.Int).Mul(p[i+1], big.NewInt(int64(i+1)))
	}
	return r
}

// sign is that of p(x).
func (p bigPoly) sign(x bigDyadic) int {
	var s, w big.Int
	for i := len(p) - 1; i >= 0; i-- { // s is 2^(x.s times the degree) times the value of the leading terms
		s.Mul(&s, x.m)
		s.Add(&s, w.Lsh(p[i], x.s*uint(len(p)-1-i)))
	}
	return s.Sign()
}

// remainder is that of p by q, up to a factor.
func (p bigPoly) remainder(q bigPoly) bigPoly {
	var x, y big.Int
	lead := q[len(q)-1]
	for len(p) >= len(q) {
		top, k := p[len(p)-1], len(p)-len(q)
		r := make(bigPoly, len(p)-1)
		for i := range r {
			r[i] = new(big.Int).Mul(p[i], lead)
			if i >= k {
				r[i].Sub(r[i], x.Mul(q[i-k], top))
			}
		}
		p = r.trimmed()
	}
	var g big.Int // of the coefficients
	for _, c := range p {
		if g.GCD(nil, nil, &g, y.Abs(c)); g.IsInt64() && g.Int64() == 1 {
			return p
		}
	}
	r := make(bigPoly, len(p))
	for i := range p {
		r[i] = new(big.Int).Quo(p[i], &g)
	}
	return r
}

// common is a greatest common divisor of p and q over the rationals, neither of them zero.
func (p bigPoly) common(q bigPoly) bigPoly {
	if p.coprime(q) {
		return bigPoly{big.NewInt(1)}
	}
	for len(q) > 0 {
		p, q = q, p.remainder(q)
	}
	return p
}

// coprime reports whether p and q have no root in common for certain, by their residues: see residue.go.
func (p bigPoly) coprime(q bigPoly) bool {
	x, y := p.residues(), q.residues()
	if x[len(x)-1] == 0 || y[len(y)-1] == 0 {
		return false
	}
	for len(y) > 0 {
		for len(x) >= len(y) {
			k := len(x) - len(y)
			lead, top := y[len(y)-1], prime-x[len(x)-1]
			x = x[:len(x)-1]
			for i := range x {
				x[i] = timesModulo(x[i], lead)
				if i >= k {
					x[i] = reduced(x[i] + timesModulo(y[i-k], top))
				}
			}
			for len(x) > 0 && x[len(x)-1] == 0 {
				x = x[:len(x)-1]
			}
		}
		x, y = y, x
	}
	return len(x) == 1
}

func (p bigPoly) residues() []uint64 {
	var r, m big.Int
	m.SetUint64(prime)
	list := make([]uint64, len(p))
	for i, c := range p {
		list[i] = r.Mod(c, &m).Uint64()
	}
	return list
}

// simple has the roots of p, each once.
func (p bigPoly) simple() bigPoly {
	d := p.derivative()
	if len(d) == 0 {
		return p
	}
	g := p.common(d)
	if len(g) < 2 {
		return p
	}
	// p / g, by division that leaves no remainder once p is multiplied by enough powers of g's leading coefficient.
	lead := g[len(g)-1]
	rest := make(bigPoly, len(p))
	factor := new(big.Int).Exp(lead, big.NewInt(int64(len(p)-len(g)+1)), nil)
	for i := range p {
		rest[i] = new(big.Int).Mul(p[i], factor)
	}
	quotient := make(bigPoly, len(p)-len(g)+1)
	var x big.Int
	for k := len(quotient) - 1; k >= 0; k-- {
		quotient[k] = new(big.Int).Quo(rest[k+len(g)-1], lead)
		for i := range g {
			rest[k+i].Sub(rest[k+i], x.Mul(quotient[k], g[i]))
		}
	}
	return quotient
}

// bigBernstein is a positive multiple of the Bernstein coefficients of a polynomial on an interval.
type bigBernstein []*big.Int

// bernstein is that of p on [lo, hi]. With s from 0 to 1 and t = lo + (hi - lo) s, c_j = sum C(j,i) / C(n,i) s_i for the coefficients s_i of
// p as a polynomial in s, times a multiple of all C(n,i): 60 for n <= 6, for any n lcm(1..n+1) / (n+1).
func (p bigPoly) bernstein(lo, hi bigDyadic) bigBernstein {
	if len(p) == 0 {
		return nil
	}
	a, b, k := lo.aligned(hi)
	b.Sub(b, a)
	n := len(p) - 1
	c := make(bigBernstein, len(p))
	for i := range c { // 2^(k n) p(x / 2^k)
		c[i] = new(big.Int).Lsh(p[i], k*uint(n-i))
	}
	var w big.Int
	for i := range n { // Horner's rule at a: the Taylor coefficients there
		for j := n - 1; j >= i; j-- {
			c[j].Add(c[j], w.Mul(c[j+1], a))
		}
	}
	power := new(big.Int).Set(b)
	for i := 1; i <= n; i++ {
		c[i].Mul(c[i], power)
		power.Mul(power, b)
	}
	for i := range c {
		c[i].Mul(c[i], big.NewInt(binomialMultiples[n]/binomials[n][i]))
	}
	// c_j = sum C(j,i) c_i: Pascal's triangle.
	for i := 1; i <= n; i++ {
		for j := n; j >= i; j-- {
			c[j].Add(c[j], c[j-1])
		}
	}
	return c
}

// binomials are the C(n,i) for n up to 6 MaxMotionDegree, and binomialMultiples a common multiple of those of each n, which fit: the largest is 2^41.
var binomials, binomialMultiples = func() (c [maxPolyDegree + 1][maxPolyDegree + 1]int64, m [maxPolyDegree + 1]int64) {
	lcm := int64(1)
	for n := range c {
		for i := range n + 1 {
			c[n][i] = 1
			if i > 0 && i < n {
				c[n][i] = c[n-1][i-1] + c[n-1][i]
			}
		}
		g, r := lcm, int64(n+1)
		for r != 0 {
			g, r = r, g%r
		}
		lcm = lcm / g * int64(n+1) // of 1 to n+1
		m[n] = lcm / int64(n+1)
		if n <= 6 {
			m[n] = 60
		}
	}
	return c, m
}()

// maxPolyDegree is the greatest degree of a polynomial in t: the inside of a Euclidean separation has (A.N)^2.
const maxPolyDegree = 6 * MaxMotionDegree

// changes counts the changes of sign, and gives the first sign. There are as many roots inside the interval, or fewer by an even number.
func (b bigBernstein) changes() (count, first int) {
	last := 0
	for _, x := range b {
		s := x.Sign()
		if first == 0 {
			first = s
		}
		if s == -last && s != 0 {
			count++
		}
		if s != 0 {
			last = s
		}
	}
	return count, first
}

// halves is de Casteljau's algorithm at the middle, times 2^n.
func (b bigBernstein) halves() (l, r bigBernstein) {
	n := len(b) - 1
	t := make(bigBernstein, len(b))
	for i := range b {
		t[i] = new(big.Int).Set(b[i])
	}
	l, r = make(bigBernstein, len(b)), make(bigBernstein, len(b))
	shift := 0
	for i := range b {
		l[i], r[n-i] = new(big.Int).Lsh(t[0], uint(n-i)), new(big.Int).Lsh(t[n-i], uint(n-i))
		for j := range n - i {
			t[j].Add(t[j], t[j+1])
		}
	}
	// Take out common powers of two, so that the numbers grow no longer than they must.
	for _, x := range append(append(bigBernstein(nil), l...), r...) {
		if x.Sign() != 0 {
			z := int(x.TrailingZeroBits())
			if shift == 0 || z < shift {
				shift = z
			}
			if shift == 0 {
				return l, r
			}
		}
	}
	for i := range b {
		l[i].Rsh(l[i], uint(shift))
		r[i].Rsh(r[i], uint(shift))
	}
	return l, r
}

// bigVector is a vector of polynomials.
type bigVector [3]bigPoly

func (a *bigVector) dot(b *bigVector) bigPoly {
	return a[0].times(b[0]).plus(a[1].times(b[1])).plus(a[2].times(b[2]))
}

func (a *bigVector) cross(b *bigVector) (r bigVector) {
	for k := range r {
		i, j := (k+1)%3, (k+2)%3
		r[k] = a[i].times(b[j]).minus(a[j].times(b[i]))
	}
	return r
}

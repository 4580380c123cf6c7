package exact

import (
	"math"
	"math/big"

	"ccd/core/exact/internal/algebra"
	"ccd/core/geom"
	"ccd/core/num"
)

// This file computes the distance of a pair at one time, with the algorithm of oracle.Distance, in
// integers over one denominator for each candidate. Fractions are not reduced: where coordinates
// differ much in size, numbers have thousands of bits, and greatest common divisors would take
// nearly all of the time.

// Nearest is the point of the set A + u B + v C nearest to the origin, at (u, v) / den. The square
// of its distance from the origin is square / den^2 in units of 2^(2 unit).
type Nearest struct {
	a, b, c   num.IntVec
	unit      int
	U, V, Den *big.Int
	square    *big.Int
}

// NearestOf computes the nearest point of a pair, whose points x has: Kind.Points() of them, of
// three finite doubles each. oracle.Distance returns the same (u, v).
func NearestOf(k geom.Kind, x []float64) *Nearest {
	var p [4]num.IntVec
	unit, _ := num.IntVecs(x, p[:])
	return nearestOf(k, &p, unit)
}

// NearestOfIntegers computes the nearest point of a pair whose points are integers in units of
// 2^unit.
func NearestOfIntegers(k geom.Kind, p *[4]num.IntVec, unit int) *Nearest {
	return nearestOf(k, p, unit)
}

// NearestAt computes the nearest point of a query's pair at time t, over the rational numbers.
func NearestAt(k geom.Kind, q []float64, t float64) *Nearest {
	var p [8]num.IntVec
	n := k.Points()
	unit, zero := num.IntVecs(q[:6*n], p[:])
	if zero {
		unit = 0
	}
	m, e := algebra.Mantissa(t) // t = m 2^e, e <= 0 in [0, 1]
	share := big.NewInt(m)
	var at [4]num.IntVec
	for i := range n {
		for c := range 3 {
			x := new(big.Int).Sub(p[n+i][c], p[i][c])
			x.Mul(x, share)
			at[i][c] = x.Add(x, new(big.Int).Lsh(p[i][c], uint(-e)))
		}
	}
	return nearestOf(k, &at, unit+e)
}

// nearestOf computes the nearest point of a pair whose points have integer coordinates in units of
// 2^unit.
func nearestOf(k geom.Kind, p *[4]num.IntVec, unit int) *Nearest {
	n := &Nearest{unit: unit}
	n.load(k, p)
	corners := k.Info().Corners
	one := big.NewInt(1)
	at := make([]num.IntVec, len(corners))
	for i, c := range corners {
		u, v := big.NewInt(int64(c.U)), big.NewInt(int64(c.V))
		at[i] = n.At(u, v, one)
		n.offer(u, v, one, at[i])
	}
	sides := len(corners)
	if sides < 3 { // A segment has one side, and a point none.
		sides--
	}
	for i := range sides {
		j := (i + 1) % len(corners)
		f := at[i]
		d := at[j].Minus(f)
		dd := d.Dot(d)
		t := f.Dot(d)
		if t.Neg(t); t.Sign() > 0 && t.Cmp(dd) < 0 {
			from, to := corners[i], corners[j]
			mix := func(a, b uint8) *big.Int { // a dd + t (b - a)
				r := new(big.Int).Mul(big.NewInt(int64(a)), dd)
				return r.Add(r, new(big.Int).Mul(t, big.NewInt(int64(b)-int64(a))))
			}
			u, v := mix(from.U, to.U), mix(from.V, to.V)
			n.offer(u, v, dd, n.At(u, v, dd))
		}
	}
	if len(corners) > 2 {
		n.inside(k.Info().Domain)
	}
	return n
}

// inside offers the stationary point of the plane, if it is unique and in the domain.
func (n *Nearest) inside(domain geom.Domain) {
	bb, bc, cc, ab, ac := n.b.Dot(n.b), n.b.Dot(n.c), n.c.Dot(n.c), n.a.Dot(n.b), n.a.Dot(n.c)
	det := num.Minor(bb, cc, bc, bc) // By Cauchy and Schwarz, det is not negative.
	u, v := num.Minor(bc, ac, cc, ab), num.Minor(ab, bc, ac, bb)
	if det.Sign() == 0 || u.Sign() < 0 || v.Sign() < 0 {
		return
	}
	if u.Cmp(det) > 0 || v.Cmp(det) > 0 || domain == geom.Triangle && new(big.Int).Add(u, v).Cmp(det) > 0 {
		return
	}
	n.offer(u, v, det, n.At(u, v, det))
}

// At returns den times the point at (u, v) / den.
func (n *Nearest) At(u, v, den *big.Int) (f num.IntVec) {
	w := new(big.Int)
	for k := range f {
		f[k] = new(big.Int).Mul(den, n.a[k])
		f[k].Add(f[k], w.Mul(u, n.b[k]))
		f[k].Add(f[k], w.Mul(v, n.c[k]))
	}
	return f
}

// offer keeps a point if it is nearer than the nearest so far; f is den times the point.
func (n *Nearest) offer(u, v, den *big.Int, f num.IntVec) {
	square := f.Dot(f)
	if n.square != nil {
		x, y := new(big.Int).Mul(n.Den, n.Den), new(big.Int).Mul(den, den)
		if x.Mul(x, square).Cmp(y.Mul(y, n.square)) >= 0 {
			return
		}
	}
	n.U, n.V, n.Den, n.square = u, v, den, square
}

// load makes A, B and C.
func (n *Nearest) load(k geom.Kind, p *[4]num.IntVec) {
	info := k.Info()
	difference := func(i [2]uint8) num.IntVec { return p[i[0]].Minus(p[i[1]]) }
	n.a, n.b, n.c = difference(info.Form[0]), difference(info.Form[1]), difference(info.Form[2])
}

// Parameters returns u and v, rounded to nearest.
func (n *Nearest) Parameters() (u, v float64) { return Quotient(n.U, n.Den), Quotient(n.V, n.Den) }

// Direction returns the unit vector towards the nearest point from the origin, which is not the
// nearest point: that of all nearest points, within a few roundings.
func (n *Nearest) Direction() [3]float64 {
	f := n.At(n.U, n.V, n.Den)
	size := max(f[0].BitLen(), f[1].BitLen(), f[2].BitLen())
	return Unit([3]float64{ToDouble(f[0], -size), ToDouble(f[1], -size), ToDouble(f[2], -size)}, 1)
}

// Quotient returns x / y >= 0 rounded to nearest, ties to even: its first 128 bits or so, and a bit
// for whether others follow, are rounded once.
func Quotient(x, y *big.Int) float64 {
	shift := 128 - (x.BitLen() - y.BitLen())
	x, y = shifted(x, shift), shifted(y, -shift)
	q, r := new(big.Int).QuoRem(x, y, new(big.Int))
	q.Lsh(q, 1)
	if r.Sign() != 0 {
		q.SetBit(q, 0, 1)
	}
	return ToDouble(q, -shift-1)
}

// shifted returns x 2^k for k > 0, else x.
func shifted(x *big.Int, k int) *big.Int {
	if k <= 0 {
		return x
	}
	return new(big.Int).Lsh(x, uint(k))
}

// ToDouble returns x 2^e rounded to nearest, ties to even.
func ToDouble(x *big.Int, e int) float64 {
	f := new(big.Float).SetInt(x) // SetInt keeps all bits of x.
	d, _ := f.SetMantExp(f, e).Float64()
	return d
}

// AtMost reports whether the distance is at most m 2^unit, m >= 0.
func (n *Nearest) AtMost(m *big.Int, unit int) bool {
	most := new(big.Int).Mul(m, n.Den)
	most.Mul(most, most)
	shift := 2 * (unit - n.unit)
	return shifted(n.square, -shift).Cmp(shifted(most, shift)) <= 0
}

// Enclose returns the largest double not above the distance, and the least not below it.
func (n *Nearest) Enclose() (lo, hi float64) {
	if n.square.Sign() == 0 {
		return 0, 0
	}
	dd := new(big.Int).Mul(n.Den, n.Den)
	// compare is the sign of x - distance: x = m 2^e, and m^2 2^(2e) den^2 is held against square
	// 2^(2 unit).
	compare := func(x float64) int {
		f, e := math.Frexp(x)
		m := new(big.Int).SetInt64(int64(math.Ldexp(f, 53)))
		m.Mul(m, m)
		m.Mul(m, dd)
		shift := 2 * (e - 53 - n.unit)
		return shifted(m, shift).Cmp(shifted(n.square, -shift))
	}
	// The root of the first 256 bits or so of the square, at most a double or two off.
	shift := 256 - (n.square.BitLen() - dd.BitLen())
	shift += shift & 1
	q := new(big.Int).Quo(shifted(n.square, shift), shifted(dd, -shift))
	lo = ToDouble(q.Sqrt(q), n.unit-shift/2)
	for compare(lo) > 0 {
		lo = math.Nextafter(lo, 0)
	}
	for hi = math.Nextafter(lo, math.Inf(1)); compare(hi) <= 0; hi = math.Nextafter(hi, math.Inf(1)) {
		lo = hi
	}
	if compare(lo) == 0 {
		hi = lo
	}
	return lo, hi
}

// Within reports whether the distance is at most a + b, for a, b >= 0.
func (n *Nearest) Within(a, b float64) bool {
	m, e := num.OddPart(a)
	p, f := num.OddPart(b)
	switch {
	case m == 0:
		e = f
	case p == 0:
		f = e
	}
	unit := min(e, f)
	sum, other := big.NewInt(m), big.NewInt(p)
	sum.Add(sum.Lsh(sum, uint(e-unit)), other.Lsh(other, uint(f-unit)))
	sum.Mul(sum, n.Den)
	sum.Mul(sum, sum)
	shift := 2 * (unit - n.unit) // (sum den 2^unit)^2 is held against square 2^(2 n.unit)
	return shifted(n.square, -shift).Cmp(shifted(sum, shift)) <= 0
}

package oracle

import (
	"math"
	"math/big"
	"math/bits"

	"ccd/core/geom"
)

// DistanceTruth is the distance of a pair, exactly: its square, and parameters of nearest points.
type DistanceTruth struct {
	Squared *big.Rat
	U, V    *big.Rat
}

// Distance finds the distance of a pair over rational numbers: slow (tens of microseconds), and
// meant to be obviously right. x is Kind.Points() points of three finite doubles.
//
// The squared distance is a convex function on a triangle or a square, the parameters (u, v) of A +
// u B + v C. Its least value is taken at a corner, at the stationary point of a side, or at that of
// the whole plane. Each of these that lies in the domain is the difference of two points of the
// primitives, so the least of their squares is the result. A side or a domain without a single
// stationary point is flat along a direction that leads to its border without any change.
func Distance(k geom.Kind, x []float64) DistanceTruth { return newHull(k, x).distance() }

// DistanceOf is Distance for points whose coordinates are rational numbers.
func DistanceOf(k geom.Kind, x []*big.Rat) DistanceTruth {
	return hullOf(k, 0, func(i int) ratVec { return ratVec(x[3*i : 3*i+3]) }).distance()
}

func (h *hull) distance() (t DistanceTruth) {
	offer := func(u, v *big.Rat) {
		if d := h.squared(u, v); t.Squared == nil || d.Cmp(t.Squared) < 0 {
			t = DistanceTruth{d, u, v}
		}
	}
	one := big.NewRat(1, 1)
	for _, c := range h.corners {
		offer(c[0], c[1])
	}
	for _, s := range h.sides {
		from, to := h.corners[s[0]], h.corners[s[1]]
		f := h.at(from[0], from[1])
		d := h.at(to[0], to[1]).minus(f)
		if dd := d.dot(d); dd.Sign() != 0 {
			r := new(big.Rat).Quo(f.dot(d), dd)
			if r.Neg(r); r.Sign() > 0 && r.Cmp(one) < 0 {
				offer(mix(from[0], to[0], r), mix(from[1], to[1], r))
			}
		}
	}
	if u, v, ok := h.stationary(); ok && h.holds(u, v) {
		offer(u, v)
	}
	t.Squared.Mul(t.Squared, power(2*h.unit))
	return t
}

// power is 2^e.
func power(e int) *big.Rat {
	p := new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), uint(max(e, -e))))
	if e < 0 {
		p.Inv(p)
	}
	return p
}

// Enclose returns the largest double not above the distance, and the least not below it.
func (t DistanceTruth) Enclose() (lo, hi float64) {
	if t.Squared.Sign() == 0 {
		return 0, 0
	}
	f := new(big.Float).SetPrec(256).SetRat(t.Squared)
	lo, _ = f.Sqrt(f).Float64()
	beyond := func(x float64) bool { // x is above the distance
		r := new(big.Rat).SetFloat64(x)
		return r.Mul(r, r).Cmp(t.Squared) > 0
	}
	for beyond(lo) {
		lo = math.Nextafter(lo, 0)
	}
	for hi = math.Nextafter(lo, math.Inf(1)); !beyond(hi); hi = math.Nextafter(hi, math.Inf(1)) {
		lo = hi
	}
	if r := new(big.Rat).SetFloat64(lo); r.Mul(r, r).Cmp(t.Squared) == 0 {
		hi = lo
	}
	return lo, hi
}

// ratVec is a vector of rational numbers.
type ratVec [3]*big.Rat

func (a ratVec) minus(b ratVec) (r ratVec) {
	for k := range r {
		r[k] = new(big.Rat).Sub(a[k], b[k])
	}
	return r
}

func (a ratVec) plus(s *big.Rat, b ratVec) (r ratVec) {
	for k := range r {
		r[k] = new(big.Rat).Mul(s, b[k])
		r[k].Add(r[k], a[k])
	}
	return r
}

func (a ratVec) dot(b ratVec) *big.Rat {
	sum := new(big.Rat)
	for k := range a {
		sum.Add(sum, new(big.Rat).Mul(a[k], b[k]))
	}
	return sum
}

// hull is a pair as the differences A + u B + v C over a domain with these corners and sides.
// Lengths are integers in units of 2^unit, which spares the rational numbers their greatest common
// divisors.
type hull struct {
	unit    int
	a, b, c ratVec
	corners [][2]*big.Rat
	sides   [][2]int
}

func newHull(k geom.Kind, x []float64) *hull {
	unit := 1 << 20
	for _, c := range x {
		if m, e := math.Frexp(c); m != 0 {
			unit = min(unit, e-53+bits.TrailingZeros64(uint64(math.Abs(math.Ldexp(m, 53)))))
		}
	}
	point := func(i int) (r ratVec) {
		for j := range r {
			n := new(big.Int)
			if m, e := math.Frexp(x[3*i+j]); m != 0 {
				n = n.SetInt64(int64(math.Ldexp(m, 53)))
				if shift := e - 53 - unit; shift >= 0 {
					n.Lsh(n, uint(shift))
				} else {
					n.Rsh(n, uint(-shift)) // exact: the unit divides every coordinate
				}
			}
			r[j] = new(big.Rat).SetInt(n)
		}
		return r
	}
	return hullOf(k, unit, point)
}

// hullOf is the hull of points in units of 2^unit.
func hullOf(k geom.Kind, unit int, point func(i int) ratVec) *hull {
	corner := func(u, v int64) [2]*big.Rat { return [2]*big.Rat{big.NewRat(u, 1), big.NewRat(v, 1)} }
	h := &hull{unit: unit, corners: [][2]*big.Rat{corner(0, 0)}}
	zero := point(0).minus(point(0))
	h.b, h.c = zero, zero
	if k == geom.EdgeEdge {
		h.a, h.b, h.c = point(0).minus(point(2)), point(1).minus(point(0)), point(2).minus(point(3))
		h.corners = append(h.corners, corner(1, 0), corner(1, 1), corner(0, 1))
		h.sides = [][2]int{{0, 1}, {1, 2}, {2, 3}, {3, 0}}
		return h
	}
	h.a = point(0).minus(point(1))
	if k != geom.PointPoint {
		h.b = point(1).minus(point(2))
		h.corners = append(h.corners, corner(1, 0))
		h.sides = [][2]int{{0, 1}}
	}
	if k == geom.VertexFace {
		h.c = point(1).minus(point(3))
		h.corners = append(h.corners, corner(0, 1))
		h.sides = append(h.sides, [2]int{1, 2}, [2]int{2, 0})
	}
	return h
}

func (h *hull) at(u, v *big.Rat) ratVec { return h.a.plus(u, h.b).plus(v, h.c) }

func (h *hull) squared(u, v *big.Rat) *big.Rat {
	f := h.at(u, v)
	return f.dot(f)
}

// stationary is where the derivatives by u and v vanish, if that is one point.
func (h *hull) stationary() (u, v *big.Rat, ok bool) {
	bb, bc, cc, ab, ac := h.b.dot(h.b), h.b.dot(h.c), h.c.dot(h.c), h.a.dot(h.b), h.a.dot(h.c)
	det := minor(bb, bc, bc, cc)
	if det.Sign() == 0 {
		return nil, nil, false
	}
	u, v = minor(bc, cc, ab, ac), minor(ab, ac, bb, bc)
	return u.Quo(u, det), v.Quo(v, det), true
}

// minor is a d - b c.
func minor(a, b, c, d *big.Rat) *big.Rat {
	p := new(big.Rat).Mul(a, d)
	return p.Sub(p, new(big.Rat).Mul(b, c))
}

// holds reports whether the domain of a face or of two edges holds (u, v).
func (h *hull) holds(u, v *big.Rat) bool {
	one := big.NewRat(1, 1)
	if u.Sign() < 0 || v.Sign() < 0 {
		return false
	}
	if len(h.corners) == 4 {
		return u.Cmp(one) <= 0 && v.Cmp(one) <= 0
	}
	return new(big.Rat).Add(u, v).Cmp(one) <= 0
}

// mix is a + r (b - a).
func mix(a, b, r *big.Rat) *big.Rat {
	d := new(big.Rat).Sub(b, a)
	return d.Add(d.Mul(d, r), a)
}

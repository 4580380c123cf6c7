package oracle

import (
	"math"
	"math/big"

	"ccd/core/geom"
)

// locate fills the contact point and the normal, which docs/numerics.md defines ("Where they
// touch").
func (s *integerQuery) locate(t *ContactTruth, r *root) {
	t.Point = s.point(t.TOILo, t.U, t.V)
	scale := math.MinInt32 // lengths are taken in 2^scale, so that no product overflows
	for k := range 3 {
		for _, p := range []poly{s.a[k], s.b[k], s.c[k]} {
			for _, c := range p {
				scale = max(scale, c.BitLen()+s.unit[k])
			}
		}
	}
	big3 := func(v vec, products bool) (x [3]*big.Float) {
		for k := range x {
			e := s.unit[k]
			if products {
				e = s.unit[(k+1)%3] + s.unit[(k+2)%3]
			}
			x[k] = r.value(v[k], constant(1))
			x[k].SetMantExp(x[k], e)
		}
		return x
	}
	at := func(v vec) [3]float64 { return shrunk(big3(v, false), scale) }
	da, db, dc := at(slope(s.a)), at(slope(s.b)), at(slope(s.c))
	a0 := at(vec{trim(poly{s.a[0].at(0)}), trim(poly{s.a[1].at(0)}), trim(poly{s.a[2].at(0)})})
	var w [3]float64 // F's velocity at the contact
	for k := range w {
		w[k] = da[k] + float64(t.U*db[k]) + float64(t.V*dc[k])
	}
	t.Width = math.Ldexp((t.TOIHi-t.TOILo)*max(math.Abs(w[0]), math.Abs(w[1]), math.Abs(w[2])), scale)
	still := 0x1p-40 * (norm(da) + norm(db) + norm(dc))
	n := big3(s.n, true)
	normal := shrunk(n, topExponent(n))
	eb, ec := topExponent(big3(s.b, false)), topExponent(big3(s.c, false))
	switch {
	case normal != [3]float64{} && len(s.f) != 0:
		turn := -float64(r.sign(s.f.derivative()))
		if turn == 0 && dot3(a0, normal) < 0 {
			turn = -1
		} else if turn == 0 {
			turn = 1
		}
		t.Normal = unit3(normal, turn)
	case normal != [3]float64{} && norm(w) > still:
		t.Normal = unit3(w, -1)
	case normal != [3]float64{}:
		t.Normal = unit3(normal, 1)
	case max(eb, ec) == math.MinInt32:
		t.Normal = firstOf(still, w, a0, [3]float64{1, 0, 0})
	default:
		top := max(eb, ec)
		e := shrunk(big3(s.b, false), top)
		if c := shrunk(big3(s.c, false), top); norm(c) > norm(e) {
			e = c
		}
		e = unit3(e, 1)
		axis := 0
		for k := range e {
			if math.Abs(e[k]) < math.Abs(e[axis]) {
				axis = k
			}
		}
		var z [3]float64
		z[axis] = 1
		t.Normal = firstOf(still, across(w, e), across(a0, e), across(z, e))
	}
}

// topExponent is the largest exponent of a component that is not zero, or math.MinInt32.
func topExponent(x [3]*big.Float) int {
	top := math.MinInt32
	for _, y := range x {
		if y.Sign() != 0 {
			top = max(top, y.MantExp(nil))
		}
	}
	return top
}

// shrunk is x / 2^e.
func shrunk(x [3]*big.Float, e int) (f [3]float64) {
	for k, y := range x {
		if y.Sign() != 0 {
			f[k], _ = new(big.Float).SetMantExp(y, -e).Float64()
		}
	}
	return f
}

// point is the contact point on the face, on the second edge's partner, or on the point, as the
// header defines it.
func (s *integerQuery) point(t, u, v float64) (x [3]float64) {
	rat := func(f float64) *big.Rat { return new(big.Rat).SetFloat64(f) }
	sum := func(x, y *big.Rat) *big.Rat { return new(big.Rat).Add(x, y) }
	diff := func(x, y *big.Rat) *big.Rat { return new(big.Rat).Sub(x, y) }
	times := func(x, y *big.Rat) *big.Rat { return new(big.Rat).Mul(x, y) }
	at := func(i, k int) *big.Rat {
		x0, x1 := rat(s.q[3*i+k]), rat(s.q[12+3*i+k])
		return sum(x0, times(rat(t), diff(x1, x0)))
	}
	for k := range x {
		var p *big.Rat
		if s.kind == geom.EdgeEdge {
			p = sum(at(0, k), times(rat(u), diff(at(1, k), at(0, k))))
		} else {
			p = sum(at(1, k), times(rat(u), diff(at(2, k), at(1, k))))
			p = sum(p, times(rat(v), diff(at(3, k), at(1, k))))
		}
		x[k], _ = p.Float64()
	}
	return x
}

func slope(a vec) (d vec) {
	for k := range d {
		d[k] = a[k].derivative()
	}
	return d
}

func dot3(a, b [3]float64) float64 {
	return float64(a[0]*b[0]) + float64(a[1]*b[1]) + float64(a[2]*b[2])
}

func norm(a [3]float64) float64 { return math.Hypot(a[0], math.Hypot(a[1], a[2])) }

// unit3 is sign a / |a|.
func unit3(a [3]float64, sign float64) [3]float64 {
	m := max(math.Abs(a[0]), math.Abs(a[1]), math.Abs(a[2]))
	_, e := math.Frexp(m)
	for k := range a {
		a[k] = math.Ldexp(a[k], -e)
	}
	n := sign / norm(a)
	return [3]float64{float64(a[0]*n) + 0, float64(a[1]*n) + 0, float64(a[2]*n) + 0} // + 0: no negative zeros
}

// across is the part of a perpendicular to the unit vector e.
func across(a, e [3]float64) [3]float64 {
	d := dot3(a, e)
	return [3]float64{a[0] - float64(d*e[0]), a[1] - float64(d*e[1]), a[2] - float64(d*e[2])}
}

// firstOf is the direction against the velocity w unless it is still, else along a0 unless it
// vanishes, else along z.
func firstOf(still float64, w, a0, z [3]float64) [3]float64 {
	if norm(w) > still {
		return unit3(w, -1)
	}
	if norm(a0) > 0 {
		return unit3(a0, 1)
	}
	return unit3(z, 1)
}

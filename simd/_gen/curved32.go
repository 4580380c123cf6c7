package main

import (
	"github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// curved32 writes the kernels of curve.Filter32VF and Filter32EE: those of curved.go in single
// precision.
func curved32(c *build.Context) {
	rowPlaces(c)
	for _, degree := range []int{2, 3} {
		for _, kind := range []string{"VF", "EE"} {
			for _, w := range []int{512, 256} {
				for _, part := range []bool{false, true} {
					curvedKind(c, kind, degree, w, part, true)
				}
			}
		}
	}
}

// controls32 is controls in single precision: rows of two control points, of w/32 lanes, in an
// order that columns32 puts right.
func (l *list) controls32(kind string, degree int, to Mem) {
	c := l.c
	rec := c.Load(c.Param("rec").Base(), c.GP64())
	idx := c.Load(c.Param("idx").Base(), c.GP64())
	q, at := c.GP64(), c.GP64()
	c.XORQ(q, q)
	c.XORQ(at, at)
	c.Label("rows")
	t := c.GP64()
	if l.w == 512 {
		c.LEAQ(NewDataAddr(NewStaticSymbol("rowPlaces"), 0), t)
		c.MOVLQSX(Mem{Base: t, Index: q, Scale: 4}, at)
	}
	l.query(t, Mem{Base: l.group, Index: q, Scale: 1})
	var point [4]reg.Register
	for k := range point {
		point[k] = c.GP64()
		c.MOVLQSX(Mem{Base: idx, Index: t, Scale: 1, Disp: 4 * k}, point[k])
		c.IMUL3Q(U32(24*(degree+1)), point[k], point[k])
	}
	for v, d := range differences[kind] {
		for i := range degree + 1 {
			x, n := c.YMM(), v*(degree+1)+i
			c.VMOVUPD(Mem{Base: rec, Index: point[d[0]], Scale: 1, Disp: 24 * i}, x)
			c.VSUBPD(Mem{Base: rec, Index: point[d[1]], Scale: 1, Disp: 24 * i}, x, x)
			c.VCVTPD2PSY(x, x.AsX())
			row := to.Offset(n/2*l.w + n%2*16)
			row.Index, row.Scale = at, 1
			c.VMOVUPS(x.AsX(), row)
		}
	}
	if l.w == 256 {
		c.ADDQ(Imm(32), at)
	}
	c.INCQ(q)
	c.CMPQ(q, Imm(uint64(l.lanes)))
	c.JLT(LabelRef("rows"))
}

// inHalves is a mask for each half of the time.
type inHalves [2]value

func (p *program) orHalves(a, b inHalves) inHalves {
	return inHalves{p.or(a[0], b[0]), p.or(a[1], b[1])}
}

func (p *program) andBoth(a inHalves, b value) inHalves {
	return inHalves{p.and(a[0], b), p.and(a[1], b)}
}

// curved32 tests queries half by half of the time: one is apart if on each half something keeps it
// apart.
func (p *program) curved32(kind string, q *curve, s *separation, part bool, to reg.Register) {
	x := p.exclude(to)
	a := q.scaled(p, q.a)
	middle := p.add3(a[0], a[1])
	for _, y := range a[2:] {
		middle = p.add3(middle, y)
	}
	apart := p.curveSigns(q, s, part)
	for k := range 3 {
		e := p.add(p.mul(q.scale[k], p.bound("curvedRangeBound")), s.once)
		sign := p.sign(middle[k])
		near := p.curveAbove(kind, q, e, func(v vector3) value { return p.bitXor(v[k], sign) })
		apart = p.orHalves(apart, p.andBoth(near, p.greaterEq(q.scale[k], p.bound("smallest"))))
	}
	x.unless(p.lessEq(p.sum(q.scale), p.bound("largest")))
	x.by(p.and(apart[0], apart[1]))
	x.leave()
	for _, d := range p.curveDirections(kind, q) {
		m := p.abs3(d)
		size := p.dot(m, q.scale)
		e := p.add(p.mul(size, p.bound("curvedRangeBound")), p.mul(s.once, p.sum(m)))
		sign := p.sign(p.dot(d, middle))
		side := p.each(func(k int) value { return p.bitXor(d[k], sign) })
		far := p.curveAbove(kind, q, e, func(v vector3) value { return p.dot(side, v) })
		apart = p.orHalves(apart, p.andBoth(far, p.greaterEq(size, p.bound("smallest"))))
	}
	x.by(p.and(apart[0], apart[1]))
	x.end()
}

// curveAbove reports whether the ranges of a + u b + v c lie above e at all control points of each
// half. The direction that is projected on is the one for which a in the middle is about positive:
// that point is of both halves.
func (p *program) curveAbove(kind string, q *curve, e value, project func(vector3) value) (above inHalves) {
	var x [3][2][]value
	for v, from := range [][]vector3{q.a, q.b, q.c} {
		var y []value
		for _, z := range from {
			y = append(y, project(z))
		}
		x[v] = p.halved(y)
	}
	zero := p.constant(0)
	low := func(h, l int) value {
		a, b, c := x[0][h][l], x[1][h][l], x[2][h][l]
		if kind == "VF" {
			return p.add(a, p.min(p.min(b, c), zero))
		}
		return p.add(p.add(a, p.min(b, zero)), p.min(c, zero))
	}
	k := q.degree
	middle := low(0, k)
	for h := range above {
		least := middle
		for l := range k {
			least = p.min(least, low(h, l+h))
		}
		above[h] = p.greater(least, e)
	}
	return above
}

// halved returns the control points of both halves: the last of the first is the first of the
// second.
func (p *program) halved(x []value) (y [2][]value) {
	x = append([]value(nil), x...)
	half, k := p.constant(0.5), len(x)-1
	y[0], y[1] = make([]value, k+1), make([]value, k+1)
	y[0][0], y[1][k] = x[0], x[k]
	for n := 1; n <= k; n++ {
		for l := range k + 1 - n {
			x[l] = p.mul(half, p.add(x[l], x[l+1]))
		}
		y[0][n], y[1][k-n] = x[0], x[k-n]
	}
	return y
}

// curveSigns reports in which halves A.(B x C) keeps its sign in Bernstein form, beyond its bound.
func (p *program) curveSigns(q *curve, s *separation, part bool) (apart inHalves) {
	k := q.degree
	f, largest := p.curveForm(q, part)
	e, volume := p.curveSignBound(q, s, part, largest)
	var b []value
	for m := range 3*k + 1 {
		b = append(b, p.mul(f[m], p.constant(1/choose(3*k, m))))
	}
	ok := p.greaterEq(volume, p.bound("smallest"))
	for h, x := range p.halved(b) {
		least, most := x[0], x[0]
		for _, y := range x[1:] {
			least, most = p.min(least, y), p.max(most, y)
		}
		apart[h] = p.and(ok, p.greater(p.max(least, p.neg(most)), e))
	}
	return apart
}

package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// curved writes the kernels of curve.AxesVF, FilterVF and those for two edges, for paths of degree
// 2 and 3. A record is 3 (degree + 1) doubles. Four are loaded at a time; the fourth lane is not
// part of the point and is ignored.
func curved(c *build.Context) {
	for _, degree := range []int{2, 3} {
		for _, kind := range []string{"VF", "EE"} {
			curvedAxes(c, kind, degree)
			for _, w := range []int{512, 256} {
				for _, part := range []bool{false, true} {
					curvedKind(c, kind, degree, w, part, false)
				}
			}
		}
	}
}

// curvedAxes takes one query at a time, three axes in the lanes of a register. Wider ones would
// gain nothing.
func curvedAxes(c *build.Context, kind string, degree int) {
	name := fmt.Sprintf("curvedAxes%d%s256", degree, kind)
	begin(c, name, fmt.Sprintf("%s is Axes%s for degree %d.", name, kind, degree),
		"func(rec []float64, idx [][4]int32, sep float64, out []int32) int", attr.NOSPLIT)
	rec := c.Load(c.Param("rec").Base(), c.GP64())
	idx := c.Load(c.Param("idx").Base(), c.GP64())
	n := c.Load(c.Param("idx").Len(), c.GP64())
	out := c.Load(c.Param("out").Base(), c.GP64())
	x := c.Load(c.Param("sep"), c.XMM())
	y := c.XMM()
	c.VXORPD(y, y, y)
	c.VSUBSD(x, y, y)
	sep, neg := c.YMM(), c.YMM()
	c.VBROADCASTSD(x, sep)
	c.VBROADCASTSD(y, neg)
	count, i := c.GP64(), c.GP64()
	c.XORQ(count, count)
	c.XORQ(i, i)
	c.TESTQ(n, n)
	c.JZ(LabelRef("done"))

	c.Label("loop")
	var at [4]reg.Register
	for k := range at {
		at[k] = c.GP64()
		c.MOVLQSX(Mem{Base: idx, Disp: 4 * k}, at[k])
		c.IMUL3Q(U32(24*(degree+1)), at[k], at[k])
	}
	var lo, hi reg.VecVirtual
	for l := range degree + 1 {
		a, b := gap(c, kind, 256, rec, at, 24*l)
		if l == 0 {
			lo, hi = a, b
		} else {
			c.VMINPD(a, lo, lo)
			c.VMAXPD(b, hi, hi)
		}
	}
	c.VCMPPD(gtOQ, sep, lo, lo)
	c.VCMPPD(ltOQ, neg, hi, hi)
	c.VORPD(lo, hi, lo)
	apart, keep := c.GP32(), c.GP32()
	c.VMOVMSKPD(lo, apart)
	c.MOVL(i.As32(), Mem{Base: out, Index: count, Scale: 4})
	c.XORL(keep, keep)
	c.TESTL(U32(7), apart)
	c.SETEQ(keep.As8())
	c.ADDQ(keep.As64(), count)
	c.ADDQ(Imm(16), idx)
	c.INCQ(i)
	c.CMPQ(i, n)
	c.JLT(LabelRef("loop"))

	c.Label("done")
	c.VZEROUPPER()
	c.Store(count, c.ReturnIndex(0))
	c.RET()
}

// curvedKind writes a kernel of a precision, single or double.
func curvedKind(c *build.Context, kind string, degree, w int, part, single bool) {
	precision, whole, number := "", "", 8
	if single {
		precision, whole, number = "32", "Whole", 4
	}
	name, doc := fmt.Sprintf("curved%s%s%d%s%d", precision, whole, degree, kind, w), "the whole step and no separation."
	if part {
		name, doc = fmt.Sprintf("curved%sPart%d%s%d", precision, degree, kind, w), "any final time and separation."
	}
	begin(c, name, fmt.Sprintf("%s is Filter%s%s for degree %d, %s", name, precision, kind, degree, doc),
		fmt.Sprintf("func(rec []float64, idx [][4]int32, list []int32, bounds *[4]float%d, out []int32) int",
			8*number), 0)
	f := newFrame(c, 4096*w/256)
	l := newList(c, w)
	l.lanes = w / (8 * number)
	size := 3 * (degree + 1) * w / 2
	if single {
		size = (size + w - 1) / w * w
	}
	rows := f.alloc(size)

	c.Label("group")
	if single {
		l.controls32(kind, degree, rows)
	} else {
		l.controls(kind, degree, rows)
	}
	bounds := c.Load(c.Param("bounds"), c.GP64())
	alive := c.GP32()
	p := newProgram(c, w, f)
	p.single, p.exit = single, "decided"
	q := p.newCurve(degree, rows)
	at := func(k int) value { return p.broadcast(Mem{Base: bounds, Disp: number * k}) }
	var s *separation
	if part {
		q.cut(p, at(0), at(1))
	}
	if part || single {
		s = &separation{at(2), at(3)}
	}
	if single {
		p.curved32(kind, q, s, part, alive)
	} else {
		p.curved(kind, q, s, alive)
	}
	p.emit()

	c.Label("decided")
	c.NOTL(alive)
	if single {
		l.write32(alive, "group")
	} else {
		l.write(alive, "group")
	}
	c.Label("done")
	c.VZEROUPPER()
	c.Store(l.survivor, c.ReturnIndex(0))
	c.RET()
}

// controls writes the control points of A, B, C of each lane's query to memory, 32 bytes each:
// those of one vector and index side by side, in the order that column wants. Lanes beyond the list
// repeat its last query.
func (l *list) controls(kind string, degree int, to Mem) {
	l.eachControl(kind, degree, func(a, b Mem, row int) {
		x := l.c.YMM()
		l.c.VMOVUPD(a, x)
		l.c.VSUBPD(b, x, x)
		l.c.VMOVUPD(x, to.Offset(row))
	})
}

// eachControl has f write the difference of two control points to the row at an offset.
func (l *list) eachControl(kind string, degree int, f func(a, b Mem, row int)) {
	c, lanes := l.c, l.w/64
	rec := c.Load(c.Param("rec").Base(), c.GP64())
	idx := c.Load(c.Param("idx").Base(), c.GP64())
	for q := range lanes {
		t := c.GP64()
		l.query(t, Mem{Base: l.group, Disp: q})
		var point [4]reg.Register
		for k := range point {
			point[k] = c.GP64()
			c.MOVLQSX(Mem{Base: idx, Index: t, Scale: 1, Disp: 4 * k}, point[k])
			c.IMUL3Q(U32(24*(degree+1)), point[k], point[k])
		}
		slot := q
		if lanes == 8 {
			slot = q&4 | q&1<<1 | q>>1&1
		}
		for v, d := range differences[kind] {
			for i := range degree + 1 {
				f(Mem{Base: rec, Index: point[d[0]], Scale: 1, Disp: 24 * i},
					Mem{Base: rec, Index: point[d[1]], Scale: 1, Disp: 24 * i}, 32*((v*(degree+1)+i)*lanes+slot))
			}
		}
	}
}

// column turns the rows of controls at one index into the components of a vector, one query per
// lane.
func (p *program) column(rows Mem) vector3 {
	var low, high [2]value // {x x z z}, {y y 0 0} of two rows each; with 512 bits twice
	for h := range 2 {
		a, b := p.load(rows.Offset(2*h*p.bytes())), p.load(rows.Offset((2*h+1)*p.bytes()))
		low[h], high[h] = p.binary(p.c.VUNPCKLPD, a, b), p.binary(p.c.VUNPCKHPD, a, b)
	}
	if p.w == 256 {
		halves := func(o ...Op) { p.c.VPERM2F128(o[0], o[1], o[2], o[3]) }
		return vector3{p.shuffle(halves, 0x20, low[0], low[1]), p.shuffle(halves, 0x20, high[0], high[1]),
			p.shuffle(halves, 0x31, low[0], low[1])}
	}
	const even, odd = 0x88, 0xdd // quarters 0 and 2, or 1 and 3, of each argument
	return vector3{
		p.shuffle(p.c.VSHUFF64X2, even, low[0], low[1]),
		p.shuffle(p.c.VSHUFF64X2, even, high[0], high[1]),
		p.shuffle(p.c.VSHUFF64X2, odd, low[0], low[1]),
	}
}

// curve is the control points of A, B, C on an interval, with the maxima over the whole motion. The
// order of the operations is that of curve/filter.go.
type curve struct {
	degree     int
	a, b, c    []vector3
	ma, mb, mc vector3
	scale      vector3
}

func (p *program) newCurve(degree int, rows Mem) *curve {
	q := &curve{degree: degree}
	points := p.points(3*(degree+1), rows)
	q.a, q.b, q.c = points[:degree+1], points[degree+1:2*degree+2], points[2*degree+2:]
	q.measure(p)
	return q
}

// measure sets the maxima of the control points.
func (q *curve) measure(p *program) {
	for v, to := range []*vector3{&q.ma, &q.mb, &q.mc} {
		x := [][]vector3{q.a, q.b, q.c}[v]
		*to = p.abs3(x[0])
		for _, y := range x[1:] {
			*to = p.max3(*to, p.abs3(y))
		}
		if p.single {
			least := p.bound("least")
			*to = p.max3(*to, vector3{least, least, least})
		}
	}
	q.scale = p.add3(p.add3(q.ma, q.mb), q.mc)
}

// points returns the n points whose rows controls or controls32 wrote, one query per lane.
func (p *program) points(n int, rows Mem) (x []vector3) {
	if p.single {
		for i := 0; i < n; i += 2 {
			two := p.columns32(rows.Offset(i / 2 * p.w))
			x = append(x, two[0], two[1])
		}
		return x[:n]
	}
	for i := range n {
		x = append(x, p.column(rows.Offset(4*p.bytes()*i)))
	}
	return x
}

// cut keeps the part up to the time of these weights.
func (q *curve) cut(p *program, w0, w1 value) {
	for _, x := range [][]vector3{q.a, q.b, q.c} {
		for step := 1; step <= q.degree; step++ {
			for l := q.degree; l >= step; l-- {
				x[l] = p.at(motion3{x[l-1], x[l]}, w0, w1)
			}
		}
	}
}

// scaled returns control points times their binomial coefficients, which are the degree but for the
// outer ones.
func (q *curve) scaled(p *program, x []vector3) []vector3 {
	s := append([]vector3(nil), x...)
	w := p.constant(float64(q.degree))
	for l := 1; l < q.degree; l++ {
		s[l] = p.each(func(k int) value { return p.mul(x[l][k], w) })
	}
	return s
}

func (p *program) curved(kind string, q *curve, s *separation, to reg.Register) {
	x := p.exclude(to)
	if s != nil {
		for k := range 3 {
			e := p.add(p.mul(q.scale[k], p.bound("curvedRangeBound")), s.once)
			near := p.curveBeyond(kind, q, e, func(v vector3) value { return v[k] })
			x.by(p.and(near, p.greaterEq(q.scale[k], p.bound("smallest"))))
		}
	}
	x.unless(p.lessEq(p.sum(q.scale), p.bound("largest")))
	x.by(p.curveSign(q, s))
	x.leave()
	for _, d := range p.curveDirections(kind, q) {
		m := p.abs3(d)
		size := p.dot(m, q.scale)
		e := p.mul(size, p.bound("curvedRangeBound"))
		if s != nil {
			e = p.add(e, p.mul(s.once, p.sum(m)))
		}
		far := p.curveBeyond(kind, q, e, func(v vector3) value { return p.dot(d, v) })
		x.by(p.and(far, p.greaterEq(size, p.bound("smallest"))))
	}
	x.end()
}

// curveDirections returns u x v, v x t, t x u for the derivatives of F in the middle.
func (p *program) curveDirections(kind string, q *curve) [3]vector3 {
	b, c := q.scaled(p, q.b), q.scaled(p, q.c)
	u, v := b[0], c[0]
	for l := 1; l <= q.degree; l++ {
		u, v = p.add3(u, b[l]), p.add3(v, c[l])
	}
	middle := p.constant(0.5)
	if kind == "VF" {
		middle = p.constant(1.0 / 3)
	}
	at := func(l int) vector3 {
		return p.each(func(k int) value { return p.add(q.a[l][k], p.mul(middle, p.add(q.b[l][k], q.c[l][k]))) })
	}
	t := p.sub3(at(q.degree), at(0))
	if q.degree == 3 {
		t = p.add3(t, p.sub3(at(2), at(1)))
	}
	return [3]vector3{p.cross(u, v), p.cross(v, t), p.cross(t, u)}
}

// curveBeyond reports whether the ranges of a + u b + v c lie above e at all control indices, or
// below -e at all.
func (p *program) curveBeyond(kind string, q *curve, e value, project func(vector3) value) value {
	var all interval
	for l := range q.degree + 1 {
		r := p.reach(kind, project(q.a[l]), project(q.b[l]), project(q.c[l]))
		if l == 0 {
			all = r
		} else {
			all = interval{p.min(all[0], r[0]), p.max(all[1], r[1])}
		}
	}
	return p.greater(p.max(all[0], p.neg(all[1])), e)
}

// curveSign reports whether A.(B x C) keeps its sign in Bernstein form, beyond its bound.
func (p *program) curveSign(q *curve, s *separation) value {
	k := q.degree
	f, largest := p.curveForm(q, s != nil)
	e, volume := p.curveSignBound(q, s, s != nil, largest)
	apart, sign := p.greaterEq(volume, p.bound("smallest")), p.sign(f[0])
	for m := range 3*k + 1 {
		apart = p.and(apart, p.greater(p.bitXor(f[m], sign), p.mul(e, p.constant(choose(3*k, m)))))
	}
	return apart
}

// curveSignBound returns the bound of a coefficient of A.(B x C), and the permanent of the
// magnitudes. On the whole motion a separation is one of rounding.
func (p *program) curveSignBound(q *curve, s *separation, part bool, largest vector3) (e, volume value) {
	area := p.permanent(q.mb, q.mc)
	volume = p.dot(q.ma, area)
	switch {
	case part:
		norm := p.add(p.sum(largest), p.mul(p.sum(area), p.bound("curvedNormBound")))
		e = p.add(p.mul(volume, p.bound("curvedPartSignBound")), p.mul(s.once, norm))
	case s != nil:
		e = p.add(p.mul(volume, p.bound("curvedSignBound")), p.mul(s.once, p.sum(area)))
	default:
		e = p.mul(volume, p.bound("curvedSignBound"))
	}
	return e, volume
}

// curveForm returns A.(B x C) in scaled Bernstein form, and, if they are wanted, the largest
// magnitudes of the coefficients of B x C.
func (p *program) curveForm(q *curve, norms bool) (f [10]value, largest vector3) {
	k := q.degree
	a, b, c := q.scaled(p, q.a), q.scaled(p, q.b), q.scaled(p, q.c)
	var begun [10]bool
	for m := range 2*k + 1 {
		first := max(0, m-k)
		n := p.cross(b[first], c[m-first])
		for i := first + 1; i <= min(k, m); i++ {
			n = p.add3(n, p.cross(b[i], c[m-i]))
		}
		if norms {
			w := p.constant(1 / choose(2*k, m))
			x := p.each(func(i int) value { return p.abs(p.mul(n[i], w)) })
			if m == 0 {
				largest = x
			} else {
				largest = p.max3(largest, x)
			}
		}
		for i := range k + 1 {
			x := p.dot(a[i], n)
			if begun[i+m] {
				x = p.add(f[i+m], x)
			}
			f[i+m], begun[i+m] = x, true
		}
	}
	return f, largest
}

// choose returns a binomial coefficient.
func choose(n, m int) float64 {
	x := 1.0
	for i := range m {
		x = x * float64(n-i) / float64(i+1)
	}
	return x
}

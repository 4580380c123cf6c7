package main

import (
	"fmt"
	"math"

	"github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// enclose writes the kernels of still.EncloseVF and still.EncloseEE. The order of the operations is
// that of enclose.go.
func enclose(c *build.Context) {
	for _, w := range []int{512, 256} {
		for _, kind := range []string{"VF", "EE"} {
			encloseKind(c, kind, w)
		}
	}
}

// encloseLen is still.EncloseLen, the number of numbers in a row of the results.
const encloseLen = 64

func encloseKind(c *build.Context, kind string, w int) {
	name := fmt.Sprintf("enclose%s%d", kind, w)
	begin(c, name, name+" is Enclose"+kind+".", "func(rec []float64, idx [][4]int32, list []int32, out *Enclosures)", 0)
	s := &still{program: newProgram(c, w, newFrame(c, 6144))}
	s.rec, s.row = c.Load(c.Param("rec").Base(), c.GP64()), c.GP64()
	idx, list := c.Load(c.Param("idx").Base(), c.GP64()), c.Load(c.Param("list").Base(), c.GP64())
	s.last, s.group = c.Load(c.Param("list").Len(), c.GP64()), c.GP64()
	s.out = c.Load(c.Param("out"), c.GP64())
	c.XORQ(s.group, s.group)
	c.DECQ(s.last)
	c.JS(LabelRef("done"))
	c.Label("group")

	e := &enclosing{still: s, kind: kind}
	e.load(idx, list)
	e.write()
	s.emit()
	c.ADDQ(Imm(uint64(s.lanes())), s.group)
	c.CMPQ(s.group, s.last)
	c.JLE(LabelRef("group"))
	c.Label("done")
	c.VZEROUPPER()
	c.RET()
}

// enclosing is simd's encloseQuery in every lane.
type enclosing struct {
	*still
	kind         string
	corner       []vector3
	b, c, across vector3

	u, v, square value
	f, mag, side vector3
}

// load reads the vertices of each lane's query and subtracts them.
func (e *enclosing) load(idx, list reg.Register) {
	rows := make([][4]value, e.lanes())
	for i := range rows {
		at := e.still.c.GP64()
		e.do(func() {
			e.pair(i, at)
			e.still.c.MOVLQSX(Mem{Base: list, Index: at, Scale: 4}, at)
			e.still.c.SHLQ(Imm(4), at)
		})
		for v := range rows[i] {
			rows[i][v] = e.point(Mem{Base: idx, Index: at, Scale: 1, Disp: 4 * v})
		}
	}
	var p [4]vector3
	for v := range p {
		p[v] = e.transpose(func(lane int) value { return rows[lane][v] })
	}
	minus := func(i, j int) vector3 { return e.sub3(p[i], p[j]) }
	if e.kind == "VF" {
		e.corner = []vector3{minus(0, 1), minus(0, 2), minus(0, 3)}
		e.b, e.c, e.across = minus(1, 2), minus(1, 3), minus(2, 3)
	} else {
		e.corner = []vector3{minus(0, 2), minus(1, 2), minus(1, 3), minus(0, 3)}
		e.b, e.c = minus(1, 0), minus(2, 3)
	}
}

// write writes the rows of the result.
func (e *enclosing) write() {
	p := e.program
	middle := e.corner[0]
	for _, c := range e.corner[1:] {
		middle = p.add3(middle, c)
	}
	zero := p.constant(0)
	lo := e.along(middle)
	e.nearest()
	hi := e.upper()
	ss := p.dot(e.side, e.side)
	t, within := p.div(p.dot(e.f, e.side), ss), p.greater(ss, zero)
	w := p.each(func(k int) value { return p.pick(within, p.sub(e.f[k], p.mul(t, e.side[k])), e.f[k]) })
	lo = p.max(lo, e.along(w))
	fine := p.lessEq(p.sub(hi, lo), p.mul(p.bound("encloseFine"), hi))
	n := p.cross(e.b, e.c)
	sign := p.pick(p.less(p.dot(n, e.corner[0]), zero), p.pattern(1<<63), zero)
	n = p.each(func(k int) value { return p.bitXor(n[k], sign) })
	lo = p.pick(fine, lo, p.max(lo, e.along(n)))
	tight := p.lessEq(p.sub(hi, lo), p.mul(p.bound("encloseTight"), hi))
	highest := p.abs(e.corner[0][0])
	for i, c := range e.corner {
		for k := range 3 {
			if i+k > 0 {
				highest = p.max(highest, p.abs(c[k]))
			}
		}
	}
	tight = p.and(tight,
		p.and(p.greaterEq(highest, p.bound("encloseLeast")), p.lessEq(highest, p.bound("encloseMost"))))
	for row, x := range []value{p.pick(tight, lo, p.constant(-1)), hi, e.u, e.v} {
		p.store(x, Mem{Base: e.out, Index: e.group, Scale: 8, Disp: 8 * encloseLen * row})
	}
}

// nearest finds about the point of least length.
func (e *enclosing) nearest() {
	p := e.program
	zero, one := p.constant(0), p.constant(1)
	e.inside()
	e.edge(0, 1, e.b, func(t value) (u, v value) { return t, zero })
	if e.kind == "VF" {
		e.edge(0, 2, e.c, func(t value) (u, v value) { return zero, t })
		e.edge(1, 2, e.across, func(t value) (u, v value) { return p.add(p.oneLess(t), zero), t })
		return
	}
	e.edge(3, 2, e.b, func(t value) (u, v value) { return t, one })
	e.edge(0, 3, e.c, func(t value) (u, v value) { return zero, t })
	e.edge(1, 2, e.c, func(t value) (u, v value) { return one, t })
}

// oneLess is simd's oneLess.
func (p *program) oneLess(t value) value {
	s := p.sub(t, p.constant(1))
	down := p.greater(p.sub(t, p.add(s, p.constant(1))), p.constant(0))
	return p.neg(p.pick(down, p.intSub(s, p.pattern(1)), s))
}

// inside starts with the stationary point of the plane, where it is within the domain.
func (e *enclosing) inside() {
	p, a := e.program, e.corner[0]
	zero, one := p.constant(0), p.constant(1)
	bb, bc, cc, ab, ac := p.dot(e.b, e.b), p.dot(e.b, e.c), p.dot(e.c, e.c), p.dot(a, e.b), p.dot(a, e.c)
	det := p.sub(p.mul(bb, cc), p.mul(bc, bc))
	u := p.div(p.sub(p.mul(bc, ac), p.mul(cc, ab)), det)
	v := p.div(p.sub(p.mul(bc, ab), p.mul(bb, ac)), det)
	in := p.and(p.greater(det, zero), p.and(p.greaterEq(u, zero), p.greaterEq(v, zero)))
	in = p.and(in, p.and(p.lessEq(u, one), p.lessEq(v, one)))
	if e.kind == "VF" {
		in = p.and(in, p.lessEq(p.add(u, v), one))
		v = p.min(v, p.oneLess(u))
	}
	only := func(x value) value { return p.pick(in, x, zero) }
	e.u, e.v = only(u), only(v)
	for k := range 3 {
		x, y := p.mul(u, e.b[k]), p.mul(v, e.c[k])
		e.f[k] = p.add(p.add(a[k], x), y)
		e.mag[k] = only(p.add(p.add(p.abs(a[k]), p.abs(x)), p.abs(y)))
		e.side[k] = zero
	}
	e.square = p.pick(in, p.dot(e.f, e.f), p.constant(math.Inf(1)))
}

// edge takes the nearest point of a side, where it is no farther than the best.
func (e *enclosing) edge(i, j int, d vector3, parameters func(t value) (u, v value)) {
	p, from := e.program, e.corner[i]
	zero, one := p.constant(0), p.constant(1)
	dd := p.dot(d, d)
	t := p.min(p.max(p.div(p.neg(p.dot(from, d)), dd), zero), one)
	t = p.pick(p.greater(dd, zero), t, zero)
	within := p.and(p.greater(t, zero), p.less(t, one))
	end := p.greaterEq(t, one)
	var f, mag, side vector3
	for k := range 3 {
		x := p.mul(t, d[k])
		f[k] = p.pick(end, e.corner[j][k], p.add(from[k], x))
		mag[k] = p.pick(within, p.add(p.abs(from[k]), p.abs(x)), zero)
		side[k] = p.pick(within, d[k], zero)
	}
	square := p.dot(f, f)
	nearer := p.lessEq(square, e.square)
	u, v := parameters(t)
	e.u, e.v, e.square = p.pick(nearer, u, e.u), p.pick(nearer, v, e.v), p.pick(nearer, square, e.square)
	for k := range 3 {
		e.f[k], e.mag[k], e.side[k] = p.pick(nearer, f[k], e.f[k]), p.pick(nearer, mag[k], e.mag[k]),
			p.pick(nearer, side[k], e.side[k])
	}
}

// upper bounds the length of the point from above.
func (e *enclosing) upper() value {
	p := e.program
	f := p.abs3(e.f)
	x := p.each(func(k int) value {
		return p.add(p.add(p.add(f[k], p.mul(p.bound("encloseSum"), e.mag[k])), p.mul(p.bound("encloseCorner"), f[k])),
			p.bound("encloseTiny"))
	})
	touches := p.lessEq(p.add(p.sum(f), p.sum(e.mag)), p.constant(0))
	return p.pick(touches, p.constant(0), p.mul(p.sqrt(p.dot(x, x)), p.bound("encloseUp")))
}

// along bounds the distance from below by the direction w.
func (e *enclosing) along(w vector3) value {
	p := e.program
	ww := p.dot(w, w)
	var least value
	for i, f := range e.corner {
		x := p.each(func(k int) value { return p.mul(w[k], f[k]) })
		size := p.sum(p.abs3(x))
		gap := p.sub(p.sub(p.sum(x), p.mul(p.bound("encloseAlong"), size)), p.bound("encloseLoss"))
		if i == 0 {
			least = gap
		} else {
			least = p.min(least, gap)
		}
	}
	length := p.max(p.mul(p.div(least, p.sqrt(ww)), p.bound("encloseDown")), p.constant(0))
	return p.pick(p.greater(ww, p.bound("encloseSquare")), length, p.constant(0))
}

package main

import (
	"math"

	"github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Rows of solid.Triangles, as there.
const (
	triangleP, triangleV, triangleW, triangleE = 0, 3, 6, 7
	triangleE2, triangleN, triangleN2          = 10, 11, 14
	triangleCorner, triangleHeight             = 15, 16
	triangleLen                                = 17
	edgesD2, edgesS, edgesT, edgesShift        = 34, 35, 36, 37
)

// triangles writes the kernels of solid.PlaceTriangles and solid.KeepTriangles, a corner or an edge
// in a lane, the first once more in the fourth. Both levels share them. The order of the operations
// is that of triangles.go.
func triangles(c *build.Context) {
	begin(c, "placeTriangles256", "placeTriangles256 is PlaceTriangles.",
		"func(m *RelativeMotion, a, b *[9]float64, out *Triangles)", 0)
	f := newFrame(c, 4096)
	p := &facing{advancing: &advancing{program: newProgram(c, 256, f)}}
	motion := c.Load(c.Param("m"), c.GP64())
	p.motions = [2]reg.Register{motion, motion}
	p.a, p.b = c.Load(c.Param("a"), c.GP64()), c.Load(c.Param("b"), c.GP64())
	p.to = c.Load(c.Param("out"), c.GP64())
	p.place()
	p.program.emit()
	c.VZEROUPPER()
	c.RET()

	begin(c, "keepTriangles256", "keepTriangles256 is KeepTriangles.", "func(t *Triangles, d *Turn) float64", 0)
	f = newFrame(c, 2048)
	p = &facing{advancing: &advancing{program: newProgram(c, 256, f)}}
	p.to, p.turn = c.Load(c.Param("t"), c.GP64()), c.Load(c.Param("d"), c.GP64())
	p.keep()
	p.program.emit()
	c.VZEROUPPER()
	c.RET()
}

type facing struct {
	*advancing
	to, turn reg.Register
}

func (p *facing) out(row int) Mem { return Mem{Base: p.to, Disp: 32 * row} }

func (p *facing) write(row int, v ...value) {
	for i, v := range v {
		p.store(v, p.out(row+i))
	}
}

// around takes lanes 0, 1, 2 to the ones that come by so many places later, and fills the fourth
// with the first.
func (p *facing) around(v value, by int) value {
	imm := []uint64{0, 0x49, 0x92}[by] // 1 2 0 1 and 2 0 1 2
	if by == 0 {
		return v
	}
	return p.lanes4(imm, v)
}

func (p *facing) around3(v vector3, by int) vector3 {
	return p.each(func(k int) value { return p.around(v[k], by) })
}

// one returns lane k in all lanes.
func (p *facing) one(v vector3, k int) vector3 {
	return p.each(func(i int) value { return p.lanes4(uint64(k)*0x55, v[i]) })
}

// column returns a coordinate of the corners of a triangle of nine numbers.
func (p *facing) column(of reg.Register, k int) value {
	at := func(i int) Mem { return Mem{Base: of, Disp: 8 * (3*i + k)} }
	two := func(i, j int) value {
		return p.push(operation{how: lowered{result: true, emit: func(_ []Op, d Op) {
			x := d.(reg.VecPhysical).AsX()
			p.c.VMOVSD(at(i), x)
			p.c.VMOVHPD(at(j), x, x)
		}}})
	}
	return p.push(operation{args: []value{two(0, 1), two(2, 0)}, how: lowered{result: true, emit: func(s []Op, d Op) {
		p.c.VINSERTF128(Imm(1), s[1].(reg.VecPhysical).AsX(), s[0], d)
	}}})
}

// cornered is simd's triangle.
type cornered struct {
	p, v, e, n vector3
	w, e2, n2  value
}

func (p *facing) place() {
	r := p.rotations(0)
	a, b := p.side(r, 0), p.side(r, 1)
	p.edges(a, b)
	p.corners(a, b, 0)
	p.corners(b, a, triangleLen)
}

func (p *facing) side(r [3]vector3, which int) *cornered {
	of, lane := []reg.Register{p.a, p.b}[which], 2*which
	given := func(row int) vector3 {
		return p.each(func(k int) value { return p.broadcast(Mem{Base: p.motions[0], Disp: 32*(row+k) + 8*lane}) })
	}
	for i := range r {
		r[i] = p.one(r[i], lane)
	}
	pivot := given(motionPivot)
	from := p.each(func(k int) value { return p.sub(p.column(of, k), pivot[k]) })
	arm := p.each(func(i int) value { return p.dot(r[i], from) })
	s := &cornered{p: arm, v: p.cross(given(motionSpin), arm)}
	s.w = p.mul(p.sqrt(p.dot(s.v, s.v)), p.constant(advanceStretch))
	if which == 1 {
		s.p, s.v = p.add3(arm, given(motionX)), p.add3(s.v, given(motionV))
	}
	s.e = p.sub3(p.around3(s.p, 1), s.p)
	s.e2 = p.dot(s.e, s.e)
	s.n = p.one(p.cross(s.e, p.around3(s.e, 1)), 0)
	s.n2 = p.dot(s.n, s.n)
	row := triangleLen * which
	p.write(row+triangleP, s.p[:]...)
	p.write(row+triangleV, s.v[:]...)
	p.write(row+triangleE, s.e[:]...)
	p.write(row+triangleN, s.n[:]...)
	p.write(row+triangleW, s.w)
	p.write(row+triangleE2, s.e2)
	p.write(row+triangleN2, s.n2)
	return s
}

func (p *facing) edges(a, b *cornered) {
	d2, s, t, shift := p.constant(math.Inf(1)), p.constant(0), p.constant(0), p.constant(0)
	for by := range 3 {
		nd2, ns, nt := p.edgePair(a, p.around3(b.p, by), p.around3(b.e, by), p.around(b.e2, by))
		nearer := p.less(nd2, d2)
		d2, s, t = p.pick(nearer, nd2, d2), p.pick(nearer, ns, s), p.pick(nearer, nt, t)
		shift = p.pick(nearer, p.constant(float64(by)), shift)
	}
	p.write(edgesD2, d2, s, t, shift)
}

func (p *facing) clamp(x value) value {
	return p.min(p.max(x, p.constant(0)), p.constant(1))
}

func (p *facing) edgePair(a *cornered, bp, e vector3, ee value) (d2, s, t value) {
	zero := p.constant(0)
	d, dd := a.e, a.e2
	r := p.sub3(a.p, bp)
	de, dr, er := p.dot(d, e), p.dot(d, r), p.dot(e, r)
	size := p.mul(dd, ee)
	det := p.sub(size, p.mul(de, de))
	s = p.only(p.greater(det, p.mul(p.constant(1e-14), size)), p.clamp(p.div(p.sub(p.mul(de, er), p.mul(dr, ee)), det)))
	long := p.greater(ee, zero)
	t = p.only(long, p.div(p.add(p.mul(de, s), er), ee))
	c := p.clamp(t)
	beyond := p.or(p.or(p.less(c, t), p.greater(c, t)), p.lessEq(ee, zero))
	t = p.pick(beyond, c, t)
	s = p.pick(p.and(beyond, p.greater(dd, zero)), p.clamp(p.div(p.sub(p.mul(de, t), dr), dd)), s)
	pa := p.each(func(k int) value { return p.add(a.p[k], p.mul(s, d[k])) })
	pb := p.each(func(k int) value { return p.add(bp[k], p.mul(t, e[k])) })
	diff := p.sub3(pb, pa)
	return p.dot(diff, diff), s, t
}

// corners writes where the corners of a lie over b.
func (p *facing) corners(a, b *cornered, row int) {
	first := p.one(b.p, 0)
	h := p.dot(p.sub3(a.p, first), b.n)
	outside := p.lessEq(b.n2, p.constant(0))
	across := p.cross(b.n, b.e)
	for i := range 3 {
		corner := first
		if i > 0 {
			corner = p.one(b.p, i)
		}
		outside = p.or(outside, p.less(p.dot(p.one(across, i), p.sub3(a.p, corner)), p.constant(0)))
	}
	p.write(row+triangleCorner, p.pick(outside, p.constant(math.Inf(1)), p.div(p.mul(h, h), b.n2)), p.div(h, b.n2))
}

func (p *facing) keep() {
	given := func(k int) value { return p.broadcast(Mem{Base: p.turn, Disp: 8 * k}) }
	rows := func(row int) vector3 { return p.each(func(k int) value { return p.load(p.out(row + k)) }) }
	n0, n1 := p.each(func(k int) value { return given(k) }), p.each(func(k int) value { return given(3 + k) })
	goal, vLess, kMore, ka, kb, span := given(6), given(7), given(8), given(9), given(10), given(11)
	const b = triangleLen
	ap, av, bp, bv := rows(triangleP), rows(triangleV), rows(b+triangleP), rows(b+triangleV)
	da := p.dot(n0, ap)
	ua := p.add(p.dot(n0, av), p.dot(n1, ap))
	ca := p.add(p.mul(ka, p.load(p.out(triangleW))), p.dot(n1, av))
	db := p.sub(p.dot(n0, bp), goal)
	ub := p.sub(p.add(p.dot(n0, bv), p.dot(n1, bp)), vLess)
	cb := p.add(p.sub(p.mul(kb, p.load(p.out(b+triangleW))), p.dot(n1, bv)), kMore)
	zero := p.constant(0)
	best := span
	for by := range 3 {
		d, v := p.sub(p.around(db, by), da), p.sub(p.around(ub, by), ua)
		k := p.max(p.add(ca, p.around(cb, by)), zero)
		r := p.sqrt(p.add(p.mul(v, v), p.mul(p.mul(p.constant(4), k), d)))
		closing := p.less(v, zero)
		s := p.div(p.pick(closing, d, p.add(r, v)), p.pick(closing, p.sub(r, v), k))
		s = p.mul(s, p.pick(closing, p.constant(2*advanceShrink), p.constant(0.5*advanceShrink)))
		root := p.only(p.greater(s, zero), p.min(s, span))
		root = p.pick(p.and(p.greaterEq(v, zero), p.lessEq(k, zero)), span, root)
		best = p.min(best, p.only(p.greater(d, zero), root))
	}
	p.least(best)
}

// least returns the least of lanes 0 to 2; lane 3 is lane 0 again.
func (p *facing) least(v value) {
	upper := p.push(operation{args: []value{v}, how: lowered{result: true, emit: func(s []Op, d Op) {
		p.c.VEXTRACTF128(Imm(1), s[0], d.(reg.VecPhysical).AsX())
	}}})
	v = p.min(v, upper)
	v = p.min(v, p.push(operation{args: []value{v}, how: lowered{result: true, emit: func(s []Op, d Op) {
		p.c.VPERMILPD(Imm(5), s[0], d)
	}}}))
	to, err := p.c.ReturnIndex(0).Resolve()
	if err != nil {
		panic(err)
	}
	p.push(operation{args: []value{v}, how: lowered{emit: func(s []Op, _ Op) {
		p.c.VMOVSD(s[0].(reg.VecPhysical).AsX(), to.Addr)
	}}})
}

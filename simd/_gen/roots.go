package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// roots writes the kernels of linear.RootsVF and linear.RootsEE. The order of the operations is
// that of roots.go; the bounds are derived in docs/numerics.md.
func roots(c *build.Context) {
	for _, w := range []int{512, 256} {
		for _, kind := range []string{"VF", "EE"} {
			rootsKind(c, kind, w)
		}
	}
}

// rootState has the places in memory through which the three programs of a group pass values.
type rootState struct {
	start, end Mem          // the piece of time of each lane
	c          [4][2]Mem    // the cubic in powers of t, positive at the start of the piece: high and low parts
	bound      Mem          // bounds the error of the cubic's values at doubles in [0, 1]
	motion     [3][2][3]Mem // A, B, C at both ends of the motion, rounded
	x, lo, hi  Mem          // the iterate and its bracket
	slope      Mem          // the derivative at the last iterate
	live       Mem          // 1 while a lane iterates, then 0
}

func rootsKind(c *build.Context, kind string, w int) {
	name := fmt.Sprintf("roots%s%d", kind, w)
	begin(c, name, name+" is Roots"+kind+".",
		"func(rec []float64, idx [][4]int32, list []int32, piece []uint8, ends *[9]float64, toi []float64, state "+
			"[]uint8)", 0)
	f := newFrame(c, 7680)
	l := newInput(c, w).begin()
	rows := f.alloc(6 * w)
	s := newRootState(f, w/8)
	one, none, contact := c.GP32(), c.GP32(), c.GP32()

	c.Label("group")
	l.interval(s.start, s.end)
	l.exactRows(kind, rows)
	p := newProgram(c, w, f)
	p.isolate(p.exactColumns(rows, s), s, one, none)
	p.emit()
	c.XORL(contact, contact)
	c.TESTL(one, one)
	c.JZ(LabelRef("answer"))

	l.untilConverged(f, bounds["newtonTurns"], one, func(p *program, busy reg.Register) { p.newton(s, busy) })

	certain, outside := c.GP32(), c.GP32()
	p = newProgram(c, w, f)
	p.certify(kind, s, certain, contact, outside)
	p.emit()
	c.ANDL(certain, one)
	c.ANDL(one, contact)
	c.ANDL(one, outside)
	c.ORL(outside, none)

	c.Label("answer")
	l.answer(s, none, contact)
	c.Label("done")
	c.VZEROUPPER()
	c.RET()
}

func newRootState(f *frame, bytes int) *rootState {
	s := &rootState{}
	for _, m := range s.all() {
		*m = f.alloc(bytes)
	}
	return s
}

// all places, in the order in which they lie.
func (s *rootState) all() []*Mem {
	all := []*Mem{&s.start, &s.end, &s.bound, &s.x, &s.lo, &s.hi, &s.slope, &s.live}
	for k := range s.c {
		all = append(all, &s.c[k][0], &s.c[k][1])
	}
	for v := range s.motion {
		for end := range s.motion[v] {
			for k := range s.motion[v][end] {
				all = append(all, &s.motion[v][end][k])
			}
		}
	}
	return all
}

// untilConverged repeats a step of Newton's method, at most so many times, until no lane of a mask
// is busy.
func (l *list) untilConverged(f *frame, most float64, mask reg.Register, step func(p *program, busy reg.Register)) {
	c := l.c
	turns, busy := c.GP32(), c.GP32()
	c.MOVL(U32(most), turns)
	c.Label("newton")
	p := newProgram(c, l.w, f)
	step(p, busy)
	p.emit()
	c.TESTL(mask, busy)
	c.JZ(LabelRef("converged"))
	c.DECL(turns)
	c.JNZ(LabelRef("newton"))
	c.Label("converged")
}

// interval writes the ends of each lane's piece.
func (l *list) interval(start, end Mem) {
	c := l.c
	piece := c.Load(c.Param("piece").Base(), c.GP64())
	ends := c.Load(c.Param("ends"), c.GP64())
	q, t := c.GP64(), c.GP64()
	c.XORQ(q, q)
	c.Label("interval")
	l.seek(t, Mem{Base: l.group, Index: q, Scale: 1})
	c.MOVBQZX(Mem{Base: piece, Index: t, Scale: 1}, t)
	x := c.GP64()
	for k, to := range []Mem{start, end} {
		c.MOVQ(Mem{Base: ends, Index: t, Scale: 8, Disp: 8 * k}, x)
		c.MOVQ(x, to.Idx(q, 8))
	}
	c.INCQ(q)
	c.CMPQ(q, Imm(uint64(l.w/64)))
	c.JLT(LabelRef("interval"))
}

// exactRows is rows with the rounding error of every difference, which is exact, in a second set of
// rows.
func (l *list) exactRows(kind string, to Mem) {
	l.eachRow(kind, to, l.exactRow)
}

func (l *list) exactRow(a, b, high, low Mem) {
	c := l.c
	x, y, s, t, e := vector(c, l.w), vector(c, l.w), vector(c, l.w), vector(c, l.w), vector(c, l.w)
	c.VMOVUPD(a, x)
	c.VMOVUPD(b, y)
	c.VSUBPD(y, x, s)
	c.VMOVUPD(s, high)
	c.VSUBPD(x, s, t)
	c.VSUBPD(t, s, e)
	c.VSUBPD(e, x, e)
	c.VADDPD(t, y, y)
	c.VSUBPD(y, e, e)
	c.VMOVUPD(e, low)
}

// answer writes the state and the time of each lane of the list, and goes on to the next group.
func (l *list) answer(s *rootState, none, contact reg.Register) {
	c := l.c
	toi := c.Load(c.Param("toi").Base(), c.GP64())
	state := c.Load(c.Param("state").Base(), c.GP64())
	q := c.GP64()
	c.XORQ(q, q)
	c.Label("lane")
	t, x, zero := c.GP32(), c.GP64(), c.GP64()
	c.MOVL(contact, t)
	c.ANDL(Imm(1), t)
	c.MOVQ(s.x.Idx(q, 8), x)
	c.XORQ(zero, zero)
	c.TESTL(t, t)
	c.CMOVQEQ(zero, x)
	c.MOVQ(x, Mem{Base: toi, Index: l.group, Scale: 8})
	c.ADDL(t, t) // 2 for contact, 1 for none
	u := c.GP32()
	c.MOVL(none, u)
	c.ANDL(Imm(1), u)
	c.ORL(u, t)
	c.MOVB(t.As8(), Mem{Base: state, Index: l.group, Scale: 1})
	c.SHRL(Imm(1), contact)
	c.SHRL(Imm(1), none)
	l.nextLane(q)
}

// exactColumns turns the rows into A, B, C with their rounding errors, and keeps the rounded ones.
func (p *program) exactColumns(rows Mem, s *rootState) (m [3]exactMotion) {
	for v := range m {
		high, low := p.columns(rows.Offset(v*p.w)), p.columns(rows.Offset((3+v)*p.w))
		for end := range 2 {
			for k := range 3 {
				m[v][end][k] = double{high[end][k], low[end][k]}
				p.store(high[end][k], s.motion[v][end][k])
			}
		}
	}
	return m
}

// isolate forms the cubic, in powers of t and in Bernstein form on the piece, and returns which
// lanes have certainly one root there and which certainly none.
func (p *program) isolate(m [3]exactMotion, s *rootState, one, none reg.Register) {
	a, b, c := m[0], m[1], m[2]
	var ms [3]vector3
	for v := range m {
		ms[v] = p.largest(motion3{m[v][0].high(), m[v][1].high()})
	}
	volume := p.dot(ms[0], p.permanent(ms[1], ms[2]))
	size := p.sum(p.add3(p.add3(ms[0], ms[1]), ms[2]))
	ok := p.and(p.lessEq(size, p.bound("largest")), p.greaterEq(volume, p.bound("smallestVolume")))
	bound, bound3 := p.mul(volume, p.bound("endBound")), p.mul(volume, p.bound("middleBound"))
	p.store(bound, s.bound)

	n0, n2 := p.crossD(b[0], c[0]), p.crossD(b[1], c[1])
	n1 := p.add3D(p.crossD(b[0], c[1]), p.crossD(b[1], c[0]))
	f0, f3 := p.dotD(a[0], n0), p.dotD(a[1], n2)
	f1 := p.addD(p.dotD(a[1], n0), p.dotD(a[0], n1))
	f2 := p.addD(p.dotD(a[1], n1), p.dotD(a[0], n2))
	power := cubic{
		f0,
		p.subD(p.subD(f1, f0), p.twiceD(f0)),
		p.addD(p.addD(p.subD(f2, p.twiceD(f1)), p.twiceD(f0)), f0),
		p.subD(p.addD(p.subD(f3, f2), f1), f0),
	}
	start, end := p.load(s.start), p.load(s.end)
	g0, g3 := p.hornerD(power, start), p.hornerD(power, end)
	g1, g2 := p.blossom(power, start, end), p.blossom(power, end, start)
	sign := p.sign(g0[0])
	flip := func(v value) value { return p.bitXor(v, sign) }
	for k, c := range power {
		p.store(flip(c[0]), s.c[k][0])
		p.store(flip(c[1]), s.c[k][1])
	}
	h0, h1, h2, h3 := flip(g0[0]), flip(g1[0]), flip(g2[0]), flip(g3[0])
	ok = p.and(ok, p.greater(h0, bound))
	up1, up2 := p.greaterEq(h1, bound3), p.greaterEq(h2, bound3)
	p.bits(p.and(p.and(ok, p.greater(h3, bound)), p.and(up1, up2)), none)
	once := p.or(up1, p.lessEq(h2, p.neg(bound3)))
	p.bits(p.and(p.and(ok, p.less(h3, p.neg(bound))), once), one)

	// The first iterate is the root of the secant.
	width := p.sub(end, start)
	p.store(p.add(start, p.mul(width, p.div(h0, p.sub(h0, h3)))), s.x)
	p.store(start, s.lo)
	p.store(end, s.hi)
	p.store(p.constant(1), s.live)
	p.store(p.constant(0), s.slope)
}

// blossom returns three times the Bernstein coefficient next to s on the interval with ends s
// and e. The multipliers are exact, because the ends are multiples of one power of two by integers
// below 2^17.
func (p *program) blossom(c cubic, s, e value) double {
	return call(p, "blossom", func(p *program) double {
		two := p.add(e, e)
		k1 := p.add(p.add(s, s), e)
		k2 := p.mul(s, p.add(s, two))
		k3 := p.mul(p.mul(p.mul(s, s), e), p.constant(3))
		r := p.addD(p.timesD(c[0], p.constant(3)), p.timesD(c[1], k1))
		r = p.addD(r, p.timesD(c[2], k2))
		return p.addD(r, p.timesD(c[3], k3))
	}, arg("c", &c), arg("s", &s), arg("e", &e))
}

// newton is one turn of Newton's method on the high parts, kept inside its bracket by bisection. A
// lane that has converged keeps its iterate, so that no lane depends on another.
func (p *program) newton(s *rootState, busy reg.Register) {
	c := func(k int) value { return p.load(s.c[k][0]) }
	x, lo, hi, live := p.load(s.x), p.load(s.lo), p.load(s.hi), p.load(s.live)
	f := p.fma(p.fma(p.fma(c(3), x, c(2)), x, c(1)), x, c(0))
	positive := p.greater(f, p.constant(0))
	lo, hi = p.pick(positive, x, lo), p.pick(positive, hi, x)
	c3 := c(3)
	slope := p.fma(p.fma(p.add(p.add(c3, c3), c3), x, p.add(c(2), c(2))), x, c(1))
	y := p.sub(x, p.div(f, slope))
	y = p.pick(p.and(p.greater(y, lo), p.less(y, hi)), y, p.mul(p.add(lo, hi), p.constant(0.5)))
	moving := p.greater(live, p.constant(0))
	near := p.lessEq(p.abs(p.sub(y, x)), p.mul(x, p.constant(0x1p-45)))
	still := p.pick(near, p.constant(0), live)
	p.store(p.pick(moving, y, x), s.x)
	p.store(lo, s.lo)
	p.store(hi, s.hi)
	p.store(p.pick(moving, slope, p.load(s.slope)), s.slope)
	p.store(still, s.live)
	p.bits(p.greater(still, p.constant(0)), busy)
}

// read loads A, B or C at both ends.
func (s *rootState) read(p *program, v int) (m motion3) {
	for end := range m {
		m[end] = p.each(func(k int) value { return p.load(s.motion[v][end][k]) })
	}
	return m
}

// certify corrects the iterate twice by its residual in double-double, rounds down, and proves that
// the cubic changes sign between it and the next double; then it asks for the signs of the
// parameters there.
func (p *program) certify(kind string, s *rootState, certain, contact, outside reg.Register) {
	var c cubic
	for k := range c {
		c[k] = double{p.load(s.c[k][0]), p.load(s.c[k][1])}
	}
	start, end, least, ulp := p.load(s.start), p.load(s.end), p.bound("leastTime"), p.pattern(1)
	clamp := func(x value) value { return p.min(p.max(x, least), p.constant(1)) }
	x := clamp(p.load(s.x))
	for range 2 {
		r := p.hornerD(c, x)
		y, e := p.twoSum(x, p.neg(p.div(r[0], p.load(s.slope))))
		x = clamp(p.pick(p.less(e, p.constant(0)), p.intSub(y, ulp), y))
	}
	p.store(x, s.x)
	bound := p.load(s.bound)
	next := p.intAdd(x, ulp)
	sure := p.and(p.greater(p.hornerD(c, x)[0], bound), p.less(p.hornerD(c, next)[0], p.neg(bound)))
	sure = p.and(sure, p.and(p.greaterEq(x, start), p.less(x, end)))
	sure = p.and(sure, p.greater(x, least))

	rest := p.sub(p.constant(1), x)
	var m [3]vector3 // A, B, C at x
	var ms [3]vector3
	for v := range m {
		m[v], ms[v] = p.at(s.read(p, v), rest, x), p.largest(s.read(p, v))
	}
	// d u = c x a, d v = a x b on the component where d = b x c is largest
	var minors [3]vector3
	var bounds [3]vector3
	for n, v := range [3][2]int{{1, 2}, {2, 0}, {0, 1}} {
		minors[n] = p.cross(m[v[0]], m[v[1]])
		area := p.permanent(ms[v[0]], ms[v[1]])
		bounds[n] = call(p, "minor_bound", func(p *program) vector3 {
			return p.each(func(k int) value {
				return p.add(p.mul(area[k], p.bound("minorBound")), p.bound("leastMinor"))
			})
		}, arg("area", &area))
	}
	d, u, v := minors[0][0], minors[1][0], minors[2][0]
	ed, eu, ev := bounds[0][0], bounds[1][0], bounds[2][0]
	for k := 1; k < 3; k++ {
		larger := p.greater(p.abs(minors[0][k]), p.abs(d))
		d, u, v = p.pick(larger, minors[0][k], d), p.pick(larger, minors[1][k], u), p.pick(larger, minors[2][k], v)
		ed, eu, ev = p.pick(larger, bounds[0][k], ed), p.pick(larger, bounds[1][k], eu),
			p.pick(larger, bounds[2][k], ev)
	}
	sign := p.sign(d)
	flip := func(v value) value { return p.bitXor(v, sign) }
	d, u, v = flip(d), flip(u), flip(v)
	p.bits(p.and(sure, p.greater(d, ed)), certain)
	type constraint struct{ value, bound value }
	list := []constraint{{u, eu}, {v, ev}}
	if kind == "VF" {
		list = append(list, constraint{p.sub(p.sub(d, u), v), p.add(p.add(ed, eu), ev)})
	} else {
		list = append(list, constraint{p.sub(d, u), p.add(ed, eu)}, constraint{p.sub(d, v), p.add(ed, ev)})
	}
	in, out := p.greater(list[0].value, list[0].bound), p.less(list[0].value, p.neg(list[0].bound))
	for _, q := range list[1:] {
		in = p.and(in, p.greater(q.value, q.bound))
		out = p.or(out, p.less(q.value, p.neg(q.bound)))
	}
	p.bits(in, contact)
	p.bits(out, outside)
}

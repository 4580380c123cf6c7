package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// curvedRoots writes the kernels of curve.RootsVF, TimesVF and those for two edges. The order of
// the operations is that of curve/roots.go.
func curvedRoots(c *build.Context) {
	for _, degree := range []int{2, 3} {
		for _, kind := range []string{"VF", "EE"} {
			for _, w := range []int{512, 256} {
				curvedRootsKind(c, kind, degree, w)
				curvedTimesKind(c, kind, degree, w)
			}
		}
	}
}

// curveRoot has the places in memory through which the programs of a group of curvedRoots pass
// values.
type curveRoot struct {
	degree    int
	rows      Mem    // the rows of controls
	from, to  Mem    // the part of each lane
	f, power  []Mem  // f in scaled Bernstein form, positive at the start; and in powers of s
	part      []Mem  // A, B, C on the part
	area      [3]Mem // three numbers each: the permanents of (B, C), (C, A), (A, B)
	bound     Mem
	size      Mem // 1 where lengths and volumes are such that bounds hold
	x, lo, hi Mem // the iterate and its bracket
	live      Mem // 1 while a lane iterates, then 0
	bytes     int
}

func newCurveRoot(f *frame, degree, w int) *curveRoot {
	s := &curveRoot{degree: degree, rows: f.alloc(3 * (degree + 1) * w / 2), bytes: w / 8}
	for _, m := range []*Mem{&s.from, &s.to, &s.bound, &s.size, &s.x, &s.lo, &s.hi, &s.live} {
		*m = f.alloc(s.bytes)
	}
	for i := range s.area {
		s.area[i] = f.alloc(3 * s.bytes)
	}
	for range 3*degree + 1 {
		s.f, s.power = append(s.f, f.alloc(s.bytes)), append(s.power, f.alloc(s.bytes))
	}
	for range 9 * (degree + 1) {
		s.part = append(s.part, f.alloc(s.bytes))
	}
	return s
}

func curvedRootsKind(c *build.Context, kind string, degree, w int) {
	name := fmt.Sprintf("curvedRoots%d%s%d", degree, kind, w)
	begin(c, name, fmt.Sprintf("%s is Roots%s for degree %d.", name, kind, degree),
		"func(rec []float64, idx [][4]int32, list []int32, from, to, toi []float64, state []uint8)", 0)
	f := newFrame(c, 10240*w/256)
	l := newInput(c, w).begin()
	s := newCurveRoot(f, degree, w)
	one, none, contact := c.GP32(), c.GP32(), c.GP32()

	c.Label("group")
	l.perLane("from", s.from)
	l.perLane("to", s.to)
	l.controls(kind, degree, s.rows)
	whole := c.GP32()
	p := newProgram(c, w, f)
	p.curveBounds(s, whole)
	p.emit()
	c.CMPL(whole, U32(1<<(w/64)-1))
	c.JEQ(LabelRef("form"))
	p = newProgram(c, w, f)
	p.curvePart(s)
	p.emit()
	c.Label("form")
	p = newProgram(c, w, f)
	p.curveTurns(s, one, none)
	p.emit()
	c.XORL(contact, contact)
	c.TESTL(one, one)
	c.JZ(LabelRef("answer"))

	l.untilConverged(f, bounds["curvedNewtonTurns"], one, func(p *program, busy reg.Register) {
		p.curveNewton(s, busy)
	})

	outside := c.GP32()
	p = newProgram(c, w, f)
	p.curveOutside(kind, s, outside)
	p.emit()
	c.ANDL(one, outside)
	c.ORL(outside, none)
	c.MOVL(outside, contact)
	c.NOTL(contact)
	c.ANDL(one, contact)

	c.Label("answer")
	l.answer(&rootState{x: s.x}, none, contact)
	c.Label("done")
	c.VZEROUPPER()
	c.RET()
}

// perLane writes the number of a parameter of each lane.
func (l *list) perLane(param string, to Mem) {
	c := l.c
	from := c.Load(c.Param(param).Base(), c.GP64())
	q, t := c.GP64(), c.GP64()
	c.XORQ(q, q)
	c.Label(param)
	l.seek(t, Mem{Base: l.group, Index: q, Scale: 1})
	c.MOVQ(Mem{Base: from, Index: t, Scale: 8}, t)
	c.MOVQ(t, to.Idx(q, 8))
	c.INCQ(q)
	c.CMPQ(q, Imm(uint64(l.w/64)))
	c.JLT(LabelRef(param))
}

// between keeps the part [from, to]: polar forms at its ends.
func (q *curve) between(p *program, from, to value) {
	rest := [2]value{p.sub(p.constant(1), from), p.sub(p.constant(1), to)}
	ends := [2]value{from, to}
	blend := func(x, y vector3, end int) vector3 { return p.at(motion3{x, y}, rest[end], ends[end]) }
	for _, x := range [][]vector3{q.a, q.b, q.c} {
		var y [2][]vector3
		for end := range y {
			y[end] = append(y[end], x...)
			for step := range q.degree - 1 {
				for l := range q.degree - step {
					y[end][l] = blend(y[end][l], y[end][l+1], end)
				}
			}
		}
		x[0], x[1] = blend(y[0][0], y[0][1], 0), blend(y[0][0], y[0][1], 1)
		if q.degree == 3 {
			x[2] = blend(y[1][0], y[1][1], 0)
		}
		x[q.degree] = blend(y[1][0], y[1][1], 1)
	}
}

// curveBounds writes the permanents and the bound of f, and A, B, C on the whole motion, and
// returns in which lanes the part is that.
func (p *program) curveBounds(s *curveRoot, whole reg.Register) {
	q := p.newCurve(s.degree, s.rows)
	area := [3]vector3{p.permanent(q.mb, q.mc), p.permanent(q.mc, q.ma), p.permanent(q.ma, q.mb)}
	for i := range area {
		for k := range 3 {
			p.store(area[i][k], s.area[i].Offset(k*s.bytes))
		}
	}
	volume := p.dot(q.ma, area[0])
	p.store(p.mul(volume, p.bound("curvedPartSignBound")), s.bound)
	ok := p.and(p.greaterEq(volume, p.bound("smallestVolume")), p.lessEq(p.sum(q.scale), p.bound("largest")))
	p.store(p.pick(ok, p.constant(1), p.constant(0)), s.size)
	s.store(p, q)
	p.bits(p.and(p.lessEq(p.load(s.from), p.constant(0)), p.greaterEq(p.load(s.to), p.constant(1))), whole)
}

// store writes A, B, C.
func (s *curveRoot) store(p *program, q *curve) {
	for v, x := range [][]vector3{q.a, q.b, q.c} {
		for l := range s.degree + 1 {
			for k := range 3 {
				p.store(x[l][k], s.part[3*((s.degree+1)*v+l)+k])
			}
		}
	}
}

// curvePart stores A, B, C on the part of time.
func (p *program) curvePart(s *curveRoot) {
	points := p.points(3*(s.degree+1), s.rows)
	n := s.degree + 1
	q := &curve{degree: s.degree, a: points[:n], b: points[n : 2*n], c: points[2*n:]}
	q.between(p, p.load(s.from), p.load(s.to))
	s.store(p, q)
}

// curveTurns forms f on the part, and returns which lanes have certainly one root there and which
// certainly none.
func (p *program) curveTurns(s *curveRoot, one, none reg.Register) {
	q := &curve{degree: s.degree}
	for v, to := range []*[]vector3{&q.a, &q.b, &q.c} {
		for l := range s.degree + 1 {
			*to = append(*to, p.each(func(k int) value { return p.load(s.part[3*((s.degree+1)*v+l)+k]) }))
		}
	}
	e := p.load(s.bound)
	f, _ := p.curveForm(q, false)
	n := 3 * s.degree
	sign := p.sign(f[0])
	// up: all coefficients so far are positive. before: all but the last are. down: some are
	// positive, perhaps one has any sign, and the others are negative.
	var up, before, down value
	for m := range n + 1 {
		f[m] = p.bitXor(f[m], sign)
		p.store(f[m], s.f[m])
		em := p.mul(e, p.constant(choose(n, m)))
		above, below := p.greater(f[m], em), p.less(f[m], p.neg(em))
		switch m {
		case 0:
			up = above
			continue
		case 1:
			down = p.and(up, below)
		default:
			down = p.and(p.or(down, before), below)
		}
		up, before = p.and(up, above), up
	}
	ok := p.greater(p.load(s.size), p.constant(0))
	p.bits(p.and(ok, up), none)
	p.bits(p.and(ok, down), one)
	p.curveStart(s, f, n)
}

// curveStart writes f in powers of s, and where its control polygon crosses 0.
func (p *program) curveStart(s *curveRoot, f [10]value, n int) {
	var b [10]value
	for m := range n + 1 {
		b[m] = p.mul(f[m], p.constant(1/choose(n, m)))
	}
	zero := p.constant(0)
	first, x, y := p.constant(float64(n-1)), b[n-1], b[n]
	for i := n - 2; i >= 0; i-- {
		before := p.greater(b[i+1], zero)
		first, x, y = p.pick(before, first, p.constant(float64(i))), p.pick(before, x, b[i]), p.pick(before, y, b[i+1])
	}
	p.store(p.mul(p.add(first, p.div(x, p.sub(x, y))), p.constant(1/float64(n))), s.x)
	p.store(zero, s.lo)
	p.store(p.constant(1), s.hi)
	p.store(p.constant(1), s.live)
	for m := 1; m <= n; m++ { // differences
		for j := n; j >= m; j-- {
			b[j] = p.sub(b[j], b[j-1])
		}
	}
	for m := range n + 1 {
		if m > 0 && m < n {
			b[m] = p.mul(b[m], p.constant(choose(n, m)))
		}
		p.store(b[m], s.power[m])
	}
}

// curveNewton is one turn of Newton's method, kept inside its bracket by bisection. A lane that has
// converged keeps its iterate.
func (p *program) curveNewton(s *curveRoot, busy reg.Register) {
	n := 3 * s.degree
	c := func(k int) value { return p.load(s.power[k]) }
	x, lo, hi, live := p.load(s.x), p.load(s.lo), p.load(s.hi), p.load(s.live)
	slope := c(n)
	y := p.fma(slope, x, c(n-1))
	for j := n - 2; j >= 0; j-- {
		slope = p.fma(slope, x, y)
		y = p.fma(y, x, c(j))
	}
	positive := p.greater(y, p.constant(0))
	lo, hi = p.pick(positive, x, lo), p.pick(positive, hi, x)
	next := p.sub(x, p.div(y, slope))
	next = p.pick(p.and(p.greater(next, lo), p.less(next, hi)), next, p.mul(p.add(lo, hi), p.constant(0.5)))
	moving := p.greater(live, p.constant(0))
	near := p.lessEq(p.abs(p.sub(next, x)), p.constant(0x1p-27))
	still := p.pick(near, p.constant(0), live)
	p.store(p.pick(moving, next, x), s.x)
	p.store(lo, s.lo)
	p.store(hi, s.hi)
	p.store(still, s.live)
	p.bits(p.greater(still, p.constant(0)), busy)
}

// curveOutside returns in which lanes (u, v) is certainly outside at the root, and leaves in x its
// time.
func (p *program) curveOutside(kind string, s *curveRoot, outside reg.Register) {
	n := 3 * s.degree
	x, e, one := p.load(s.x), p.load(s.bound), p.constant(1)
	at := func(s0 value) value {
		r := p.sub(one, s0)
		y, w := p.load(s.f[n]), r
		for m := n - 1; m >= 0; m-- {
			y = p.fma(y, s0, p.mul(p.load(s.f[m]), w))
			w = p.mul(w, r)
		}
		return y
	}
	lo, hi := p.sub(x, p.bound("curvedReach")), p.add(x, p.bound("curvedReach"))
	sure := p.and(p.greater(lo, p.constant(0)), p.less(hi, one))
	sure = p.and(sure, p.and(p.greater(at(lo), e), p.less(at(hi), p.neg(e))))

	r := p.sub(one, x)
	var w [4]value
	if s.degree == 2 {
		w = [4]value{p.mul(r, r), p.mul(p.add(r, r), x), p.mul(x, x)}
	} else {
		three, r2, x2 := p.constant(3), p.mul(r, r), p.mul(x, x)
		w = [4]value{p.mul(r2, r), p.mul(p.mul(r2, x), three), p.mul(p.mul(x2, r), three), p.mul(x2, x)}
	}
	var m [3]vector3
	for v := range m {
		for l := range s.degree + 1 {
			y := p.each(func(k int) value { return p.mul(w[l], p.load(s.part[3*((s.degree+1)*v+l)+k])) })
			if l > 0 {
				y = p.add3(m[v], y)
			}
			m[v] = y
		}
	}
	certain, _, out := p.curveSides(kind, m[0], m[1], m[2], "curvedReachBound", func(i, k int) value {
		return p.load(s.area[i].Offset(k * s.bytes))
	})
	p.bits(p.and(sure, p.and(certain, out)), outside)
	from, to := p.load(s.from), p.load(s.to)
	p.store(p.add(from, p.mul(p.sub(to, from), x)), s.x)
}

// curveSides reports whether a component of B x C is certainly not 0, and by it whether (u, v) is
// certainly inside, and whether it is certainly outside; area is component k of the permanents of
// (B, C), (C, A), (A, B).
func (p *program) curveSides(kind string, a, b, c vector3, bound string,
	area func(i, k int) value) (certain, in, out value) {
	minors := [3]vector3{p.cross(b, c), p.cross(c, a), p.cross(a, b)}
	x := [3]value{minors[0][0], minors[1][0], minors[2][0]}
	e := [3]value{area(0, 0), area(1, 0), area(2, 0)}
	for k := 1; k < 3; k++ {
		larger := p.greater(p.abs(minors[0][k]), p.abs(x[0]))
		for i := range x {
			x[i], e[i] = p.pick(larger, minors[i][k], x[i]), p.pick(larger, area(i, k), e[i])
		}
	}
	sign := p.sign(x[0])
	for i := range x {
		x[i] = p.bitXor(x[i], sign)
		e[i] = p.add(p.mul(e[i], p.bound(bound)), p.bound("leastMinor"))
	}
	d, u, v, ed, eu, ev := x[0], x[1], x[2], e[0], e[1], e[2]
	type constraint struct{ value, bound value }
	list := []constraint{{u, eu}, {v, ev}}
	if kind == "VF" {
		list = append(list, constraint{p.sub(p.sub(d, u), v), p.add(p.add(ed, eu), ev)})
	} else {
		list = append(list, constraint{p.sub(d, u), p.add(ed, eu)}, constraint{p.sub(d, v), p.add(ed, ev)})
	}
	in, out = p.greater(u, eu), p.less(u, p.neg(eu))
	for _, q := range list[1:] {
		in = p.and(in, p.greater(q.value, q.bound))
		out = p.or(out, p.less(q.value, p.neg(q.bound)))
	}
	return p.greater(d, ed), in, out
}

// curveTime has the places in memory through which the programs of a group of curvedTimes pass
// values.
type curveTime struct {
	degree, bytes int
	rows, low     Mem   // the rows of exactControls
	m             []Mem // A, B, C in double-doubles: high and low parts
	area          [3]Mem
	near, far, x  Mem
	toi           Mem
	size          Mem // 1 where lengths and volumes are such that bounds hold
}

func curvedTimesKind(c *build.Context, kind string, degree, w int) {
	name := fmt.Sprintf("curvedTimes%d%s%d", degree, kind, w)
	begin(c, name, fmt.Sprintf("%s is Times%s for degree %d.", name, kind, degree),
		"func(rec []float64, idx [][4]int32, list []int32, at, toi []float64, state []uint8)", 0)
	f := newFrame(c, 12288*w/256)
	l := newInput(c, w).begin()
	s := &curveTime{degree: degree, bytes: w / 8}
	rows := 3 * (degree + 1) * w / 2
	s.rows = f.alloc(2 * rows)
	s.low = s.rows.Offset(rows)
	for range 18 * (degree + 1) {
		s.m = append(s.m, f.alloc(s.bytes))
	}
	for i := range s.area {
		s.area[i] = f.alloc(3 * s.bytes)
	}
	for _, m := range []*Mem{&s.near, &s.far, &s.x, &s.toi, &s.size} {
		*m = f.alloc(s.bytes)
	}
	none, contact, sure, turns := c.GP32(), c.GP32(), c.GP32(), c.GP32()

	c.Label("group")
	l.perLane("at", s.x)
	l.exactControls(kind, degree, s.rows, s.low)
	p := newProgram(c, w, f)
	p.curveExact(s)
	p.emit()
	c.MOVL(U32(bounds["curvedTimesTurns"]), turns)
	c.Label("turn")
	p = newProgram(c, w, f)
	p.curveRound(kind, s, sure, none, contact)
	p.emit()
	c.CMPL(sure, U32(1<<(w/64)-1))
	c.JEQ(LabelRef("answer"))
	c.DECL(turns)
	c.JNZ(LabelRef("turn"))

	c.Label("answer")
	l.times2(s.toi, none, contact)
	c.Label("done")
	c.VZEROUPPER()
	c.RET()
}

// exactControls is controls with the rounding errors of the differences, which are exact, in a
// second set of rows.
func (l *list) exactControls(kind string, degree int, to, low Mem) {
	l.eachControl(kind, degree, func(a, b Mem, row int) {
		c := l.c
		x, y, s, t, e := c.YMM(), c.YMM(), c.YMM(), c.YMM(), c.YMM()
		c.VMOVUPD(a, x)
		c.VMOVUPD(b, y)
		c.VSUBPD(y, x, s)
		c.VMOVUPD(s, to.Offset(row))
		c.VSUBPD(x, s, t)
		c.VSUBPD(t, s, e)
		c.VSUBPD(e, x, e)
		c.VADDPD(t, y, y)
		c.VSUBPD(y, e, e)
		c.VMOVUPD(e, low.Offset(row))
	})
}

// times2 writes the state and the time of each lane of the list, whatever the state, and goes on to
// the next group.
func (l *list) times2(x Mem, none, contact reg.Register) {
	c := l.c
	toi := c.Load(c.Param("toi").Base(), c.GP64())
	state := c.Load(c.Param("state").Base(), c.GP64())
	q := c.GP64()
	c.XORQ(q, q)
	c.Label("lane")
	t, u, y := c.GP32(), c.GP32(), c.GP64()
	c.MOVQ(x.Idx(q, 8), y)
	c.MOVQ(y, Mem{Base: toi, Index: l.group, Scale: 8})
	c.MOVL(contact, t)
	c.ANDL(Imm(1), t)
	c.ADDL(t, t) // 2 for contact, 1 for none
	c.MOVL(none, u)
	c.ANDL(Imm(1), u)
	c.ORL(u, t)
	c.MOVB(t.As8(), Mem{Base: state, Index: l.group, Scale: 1})
	c.SHRL(Imm(1), contact)
	c.SHRL(Imm(1), none)
	l.nextLane(q)
}

// entry returns component k of control point i of A, B or C.
func (s *curveTime) entry(p *program, v, i, k int) double {
	n := 2 * (3*((s.degree+1)*v+i) + k)
	return double{p.load(s.m[n]), p.load(s.m[n+1])}
}

// curveExact writes the control points in columns, and the bounds.
func (p *program) curveExact(s *curveTime) {
	q := p.newCurve(s.degree, s.rows)
	for v, high := range [][]vector3{q.a, q.b, q.c} {
		for i := range s.degree + 1 {
			low := p.column(s.low.Offset(4 * s.bytes * (v*(s.degree+1) + i)))
			for k := range 3 {
				n := 2 * (3*((s.degree+1)*v+i) + k)
				p.store(high[i][k], s.m[n])
				p.store(low[k], s.m[n+1])
			}
		}
	}
	area := [3]vector3{p.permanent(q.mb, q.mc), p.permanent(q.mc, q.ma), p.permanent(q.ma, q.mb)}
	for i := range area {
		for k := range 3 {
			p.store(area[i][k], s.area[i].Offset(k*s.bytes))
		}
	}
	volume := p.dot(q.ma, area[0])
	p.store(p.mul(volume, p.bound("curvedNearBound")), s.near)
	p.store(p.mul(volume, p.bound("curvedFarBound")), s.far)
	ok := p.and(p.greaterEq(volume, p.bound("smallestVolume")), p.lessEq(p.sum(q.scale), p.bound("largest")))
	p.store(p.pick(ok, p.constant(1), p.constant(0)), s.size)
	p.store(p.inStep(p.load(s.x)), s.x)
}

// inStep moves x into [leastTime, 1 - 2^-53], also if it is NaN.
func (p *program) inStep(x value) value {
	return p.min(p.max(x, p.bound("leastTime")), p.constant(1-0x1p-53))
}

// curveRound computes f at the iterate and next to it: sure are the lanes where its signs are
// certain and differ, whose iterate stays.
func (p *program) curveRound(kind string, s *curveTime, sure, none, contact reg.Register) {
	x, one, zero, ulp := p.load(s.x), p.constant(1), p.constant(0), p.pattern(1)
	h, low := p.twoDifference(one, x)
	w := p.curveWeights(s.degree, double{h, low}, double{x, zero})
	var m [3]double3
	for v := range m {
		m[v] = s.point(p, v, w)
	}
	n := p.crossD(m[1], m[2])
	y := p.dotD(m[0], n)[0]
	a, b, c := m[0].high(), m[1].high(), m[2].high()
	slope := p.curveSlope(s, x, a, b, c, n.high())

	after := p.or(p.and(p.greater(y, zero), p.less(slope, zero)), p.and(p.less(y, zero), p.greater(slope, zero)))
	other := p.pick(after, p.intAdd(x, ulp), p.intSub(x, ulp))
	far := p.add(y, p.mul(p.sub(other, x), slope))
	sign := p.sign(y)
	found := p.and(p.greater(p.bitXor(y, sign), p.load(s.near)), p.less(p.bitXor(far, sign), p.neg(p.load(s.far))))
	certain, in, out := p.curveSides(kind, a, b, c, "curvedMinorBound", func(i, k int) value {
		return p.load(s.area[i].Offset(k * s.bytes))
	})
	certain = p.and(p.and(certain, found), p.and(p.greater(x, p.bound("leastTime")), p.greater(p.load(s.size), zero)))
	p.bits(found, sure)
	p.bits(p.and(certain, in), contact)
	p.bits(p.and(certain, p.andNot(in, out)), none)
	p.store(p.pick(after, x, other), s.toi)
	p.store(p.pick(found, x, p.inStep(p.sub(x, p.div(y, slope)))), s.x)
}

// curveWeights returns the weights of the control points in double-doubles, at a time t that is a
// double, where r is 1 - t.
func (p *program) curveWeights(degree int, r, t double) [4]double {
	x := t[0]
	if degree == 2 {
		return [4]double{p.mulD(r, r), p.twiceD(p.timesD(r, x)), p.timesD(t, x)}
	}
	three := p.constant(3)
	r2, t2 := p.mulD(r, r), p.timesD(t, x)
	return [4]double{p.mulD(r2, r), p.timesD(p.timesD(r2, x), three), p.timesD(p.mulD(t2, r), three), p.timesD(t2, x)}
}

// point returns A, B or C with these weights.
func (s *curveTime) point(p *program, v int, w [4]double) (m double3) {
	for i := range s.degree + 1 {
		for k := range 3 {
			y := p.mulD(s.entry(p, v, i, k), w[i])
			if i > 0 {
				y = p.addD(m[k], y)
			}
			m[k] = y
		}
	}
	return m
}

// curveSlope returns about the derivative of f at x, where A, B, C and B x C have these high parts.
func (p *program) curveSlope(s *curveTime, x value, a, b, c, n vector3) value {
	r := p.sub(p.constant(1), x)
	w := []value{r, x}
	if s.degree == 3 {
		w = []value{p.mul(r, r), p.mul(p.add(r, r), x), p.mul(x, x)}
	}
	k := p.constant(float64(s.degree))
	rate := func(v int) (y vector3) {
		for i := range s.degree {
			z := p.each(func(j int) value {
				return p.mul(w[i], p.sub(s.entry(p, v, i+1, j)[0], s.entry(p, v, i, j)[0]))
			})
			if i > 0 {
				z = p.add3(y, z)
			}
			y = z
		}
		return p.each(func(j int) value { return p.mul(k, y[j]) })
	}
	return p.add(p.dot(rate(0), n), p.dot(a, p.add3(p.cross(rate(1), c), p.cross(b, rate(2)))))
}

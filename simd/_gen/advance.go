package main

import (
	"math"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Rows of solid.SiblingBoxes and solid.RelativeMotion, as there.
const (
	boxC, boxAxes, boxH, boxR, boxLen                      = 0, 3, 12, 15, 16
	motionP, motionQ, motionS, motionPivot                 = 0, 9, 18, 27
	motionSpin, motionV, motionX                           = 30, 33, 36
	motionSin, motionCos, motionRate                       = 39, 40, 41
	motionGoal, motionMargin, motionVMargin                = 42, 43, 44
	motionKMargin, motionSpeed, motionSpan                 = 45, 46, 47
	motionD, motionApart, motionWay                        = 48, 51, 52
	advanceShrink, advanceStretch, advanceParallel float64 = 1 - 0x1p-46, 1 + 0x1p-44, 1e-4
	advanceAhead, advanceSixth                     float64 = 8, 0.17
	advanceSpun, advanceLost                       float64 = 0x1p-43, 0x1p-1000
)

// advance writes the kernel of solid.Advance, advanceTurning that of AdvanceTurning, and
// advanceFour that of FourPairs.Advance. Four pairs are a register of 256 bits, so both levels
// share it. The order of the operations is that of advance.go.
func advance(c *build.Context) { advanceKernel(c, "Advance", false) }

func advanceTurning(c *build.Context) { advanceKernel(c, "AdvanceTurning", true) }

func advanceKernel(c *build.Context, what string, turning bool) {
	name := "a" + what[1:] + "256"
	begin(c, name, name+" is "+what+"; skip has the bits of the pairs that are not wanted.",
		"func(m *RelativeMotion, a, b *SiblingBoxes, skip uint32, out *[4]float64)", 0)
	f := newFrame(c, 4096)
	p := &advancing{program: newProgram(c, 256, f), turning: turning}
	motion := c.Load(c.Param("m"), c.GP64())
	p.motions = [2]reg.Register{motion, motion}
	p.a, p.b = c.Load(c.Param("a"), c.GP64()), c.Load(c.Param("b"), c.GP64())
	p.out = Mem{Base: c.Load(c.Param("out"), c.GP64())}
	p.skip, p.bit = c.Load(c.Param("skip"), c.GP32()), c.GP32()
	p.finish()
}

// finish writes what the kernels have in common.
func (p *advancing) finish() {
	c := p.c
	p.pairs()
	p.program.emit()
	p.rest()
	c.Label("done")
	c.VZEROUPPER()
	c.RET()
}

type advancing struct {
	*program
	motions   [2]reg.Register // The motions are A's and B's: one body in two lanes each, or FourPairs'.
	a, b      reg.Register
	boxesAt   [2]Mem          // The rows of FourPairs' boxes are there.
	four      bool            // A lane is a pair of FourPairs.
	placed    [2]*placedBoxes // Unless a lane is a pair, both are the same.
	out       Mem
	skip, bit reg.Register

	g, gd      vector3
	balls, acc value
	rot, k, k4 value
	best       value

	// What the bound with signs needs, and the gap along the best axis, with that axis: all of them
	// are of AdvanceTurning alone.
	turning     bool
	accel       vector3
	about, jerk value
	d           value
	axis        vector3

	// todo has four bits for each product of axes, from the first on: the lanes in which its gap
	// may exceed the goal.
	todo reg.Register
	kept edgeValues
}

// edgeValues has the places of the values that products of axes need.
type edgeValues struct {
	axes, reach     Mem // numbers of the axes, nine of A and then nine of B, and the gaps along the nine products
	g, gd           Mem
	rot, k, k4, off Mem // off has the lanes that are final
	accel           Mem
	about, jerk     Mem
}

// edgeStride is the distance from one axis, with its three products, to the next.
const edgeStride = 3 * 32

func (p *advancing) row(k int) value { return p.rowOf(0, k) }

func (p *advancing) rowOf(side, k int) value { return p.load(Mem{Base: p.motions[side], Disp: 32 * k}) }

func (p *advancing) rows(k int) vector3 { return p.rowsOf(0, k) }

func (p *advancing) rowsOf(side, k int) vector3 {
	return p.each(func(i int) value { return p.rowOf(side, k+i) })
}

// box returns a row of both pairs of siblings, A's two boxes, then B's; of FourPairs that of the
// four boxes of a side.
func (p *advancing) box(side, row int) value {
	if p.four {
		at := p.boxesAt[side]
		at.Disp += 32 * row
		return p.load(at)
	}
	from := func(base reg.Register) Mem { return Mem{Base: base, Disp: 16 * row} }
	return p.push(operation{how: lowered{source: from(p.a), result: true, fetch: func(m Mem, dst Op) {
		p.c.VMOVUPD(m, dst.(reg.VecPhysical).AsX())
		p.c.VINSERTF128(Imm(1), from(p.b), dst, dst)
	}}})
}

func (p *advancing) boxes(side, row int) vector3 {
	return p.each(func(i int) value { return p.box(side, row+i) })
}

// sides brings a number of the placed boxes to the lanes of the four pairs: A's, and B's.
func (p *advancing) sides(of func(o *placedBoxes) value) (a, b value) {
	a, b = of(p.placed[0]), of(p.placed[1])
	if p.four {
		return a, b
	}
	return p.lanes4(0x50, a), p.lanes4(0xee, b)
}

func (p *advancing) sides3(of func(o *placedBoxes) vector3) (a, b vector3) {
	for i := range a {
		a[i], b[i] = p.sides(func(o *placedBoxes) value { return of(o)[i] })
	}
	return a, b
}

func (p *advancing) sum2(of func(o *placedBoxes) value) value {
	a, b := p.sides(of)
	return p.add(a, b)
}

func (p *advancing) lanes4(imm uint64, v value) value {
	return p.push(operation{args: []value{v}, how: lowered{fold: true, result: true, emit: func(s []Op, d Op) {
		p.c.VPERMPD(Imm(imm), s[0], d)
	}}})
}

// placedBoxes is simd's placed, of all four boxes.
type placedBoxes struct {
	side            int // They are placed by the rows of this side.
	c, v            vector3
	axes            [3]vector3
	h               vector3
	r               value
	acc, spun, acc2 value
	turn, accel     vector3 // the centers' velocities, and their accelerations
	arm             vector3
	bend, bent      value // They are those of a box that the other body carries.
}

// rotations returns the rotations of the two bodies, or of one.
func (p *advancing) rotations(side int) (r [3]vector3) {
	sin, cos := p.rowOf(side, motionSin), p.rowOf(side, motionCos)
	for i := range r {
		r[i] = p.each(func(j int) value {
			k := 3*i + j
			return p.add(p.rowOf(side, motionP+k),
				p.add(p.mul(cos, p.rowOf(side, motionQ+k)), p.mul(sin, p.rowOf(side, motionS+k))))
		})
	}
	return r
}

// place places both bodies' boxes.
func (p *advancing) place() {
	first := p.placeSide(0)
	p.placed = [2]*placedBoxes{first, first}
	if p.four {
		p.placed[1] = p.placeSide(1)
	}
}

func (p *advancing) placeSide(side int) *placedBoxes {
	o := &placedBoxes{side: side}
	r := p.rotations(side)
	turned := func(v vector3) vector3 { return p.each(func(i int) value { return p.dot(r[i], v) }) }
	arm := turned(p.sub3(p.boxes(side, boxC), p.rowsOf(side, motionPivot)))
	turn := p.cross(p.rowsOf(side, motionSpin), arm)
	o.c, o.v = p.add3(arm, p.rowsOf(side, motionX)), p.add3(turn, p.rowsOf(side, motionV))
	for i := range o.axes {
		o.axes[i] = turned(p.boxes(side, boxAxes+3*i))
	}
	o.h, o.r = p.boxes(side, boxH), p.box(side, boxR)
	o.acc = p.mul(p.rowOf(side, motionRate), p.sqrt(p.dot(turn, turn)))
	o.turn, o.arm = turn, arm
	return o
}

// only returns v where the mask holds, else 0.
func (p *advancing) only(mask, v value) value { return p.bitAnd(mask, v) }

// leave stores the best times and ends if they are final in all lanes that are wanted.
func (p *advancing) leave(final value) {
	p.store(p.best, p.out)
	p.bits(final, p.bit)
	p.do(func() {
		p.c.ORL(p.skip, p.bit)
		p.c.CMPL(p.bit, Imm(15))
		p.c.JEQ(LabelRef("done"))
	})
}

func (p *advancing) pairs() {
	p.place()
	ca, cb := p.sides3(func(o *placedBoxes) vector3 { return o.c })
	va, vb := p.sides3(func(o *placedBoxes) vector3 { return o.v })
	p.g, p.gd = p.sub3(cb, ca), p.sub3(vb, va)
	p.balls = p.sum2(func(o *placedBoxes) value { return o.r })
	p.acc = p.add(p.sum2(func(o *placedBoxes) value { return o.acc }), p.row(motionKMargin))
	far := p.ballsApart()
	p.leave(far)
	first := p.best

	p.aboutCenters(p.placed[0])
	if p.four {
		p.aboutCenters(p.placed[1])
	}
	p.rot = p.add(p.sum2(func(o *placedBoxes) value { return o.spun }), p.row(motionVMargin))
	a2, b2 := p.sides(func(o *placedBoxes) value { return o.acc2 })
	p.k = p.mul(p.mul(p.constant(0.5), p.add(p.add(p.acc, a2), b2)), p.constant(advanceStretch))
	p.k4 = p.mul(p.constant(4), p.k)
	if p.turning {
		aa, ab := p.sides3(func(o *placedBoxes) vector3 { return o.accel })
		p.accel = p.sub3(ab, aa)
		kMargin := p.row(motionKMargin)
		p.about = p.mul(p.mul(p.constant(0.5), p.add(p.add(kMargin, a2), b2)),
			p.constant(advanceStretch))
		p.jerk = p.mul(p.constant(advanceSixth), p.sum2(func(o *placedBoxes) value {
			return p.mul(p.rowOf(o.side, motionRate), p.add(o.acc, kMargin))
		}))
		p.best = p.constant(0)
		p.d, p.axis = p.best, vector3{p.best, p.best, p.best}
	}
	var x, y [3]vector3
	for i := range x {
		x[i], y[i] = p.sides3(func(o *placedBoxes) vector3 { return o.axes[i] })
	}
	ha, hb := p.sides3(func(o *placedBoxes) vector3 { return o.h })
	c, ofB := p.faces(x, y, ha, hb)
	if p.turning {
		p.best = p.max(p.carried(ofB), p.best)
		p.best = p.max(first, p.best)
	}
	p.best = p.pick(far, first, p.best)
	near := p.and(p.less(p.best, p.row(motionSpan)),
		p.less(p.mul(p.best, p.row(motionSpeed)), p.mul(p.constant(0.1), p.balls)))
	final := p.or(far, p.bitXor(near, p.pattern(math.MaxUint64)))
	p.leave(final)
	p.edges(x, y, ha, hb, c, final)
}

// ballsApart starts the best time by the balls around the boxes, and returns where that suffices.
func (p *advancing) ballsApart() (far value) {
	span, vMargin, stretch, half := p.row(motionSpan), p.row(motionVMargin), p.constant(advanceStretch), p.constant(0.5)
	zero := p.constant(0)
	g2 := p.dot(p.g, p.g)
	outside := p.greater(g2, p.mul(p.balls, p.balls))
	balls := p.add(p.balls, p.row(motionGoal))
	gv := p.dot(p.g, p.gd)
	l := p.sqrt(g2)
	d := p.sub(l, balls)
	halved := p.mul(half, p.acc)
	k := p.mul(halved, stretch)
	best := p.root(d, p.sub(p.div(gv, l), vMargin), k, p.mul(p.constant(4), k))

	h1 := p.pick(p.greater(p.mul(p.mul(p.acc, span), span), d), p.sqrt(p.div(d, p.acc)), span)
	again := p.and(p.and(p.greater(best, zero), p.less(best, span)), p.greater(h1, best))
	balls = p.add(balls, p.mul(p.mul(p.add(p.mul(halved, h1), vMargin), h1), stretch))
	speed2 := p.dot(p.gd, p.gd)
	balls2 := p.mul(balls, balls)
	size := p.add(g2, balls2)
	c := p.sub(p.sub(g2, balls2), p.mul(p.constant(0x1p-49), size))
	again = p.and(again, p.greater(c, zero))
	apart := p.greater(gv, p.mul(p.constant(0x1p-50), p.sqrt(p.mul(g2, speed2))))
	disc := p.add(p.sub(p.mul(gv, gv), p.mul(speed2, c)), p.mul(p.mul(p.constant(0x1p-47), speed2), size))
	t := p.mul(p.div(c, p.sub(p.sqrt(disc), gv)), p.constant(advanceShrink))
	passing := p.pick(p.less(disc, zero), h1, p.pick(p.less(t, h1), p.max(t, best), h1))
	second := p.pick(p.greaterEq(gv, zero), p.pick(apart, h1, best), passing)
	p.best = p.only(outside, p.pick(again, second, best))
	return p.and(outside,
		p.or(p.greaterEq(p.best, span), p.greater(p.mul(p.best, p.row(motionSpeed)), p.mul(half, p.balls))))
}

// root is simd's advanceRoot; k4 is 4 k.
func (p *advancing) root(d, v, k, k4 value) value {
	return p.rootUntil(d, v, k, k4, p.row(motionSpan))
}

func (p *advancing) rootUntil(d, v, k, k4, h value) value {
	r := p.sqrt(p.add(p.mul(v, v), p.mul(k4, d)))
	closing := p.less(v, p.constant(0))
	s := p.div(p.pick(closing, d, p.add(r, v)), p.pick(closing, p.sub(r, v), k))
	s = p.mul(s, p.pick(closing, p.constant(2*advanceShrink), p.constant(0.5*advanceShrink)))
	positive := p.and(p.greater(d, p.constant(0)), p.greater(s, p.constant(0)))
	return p.only(positive, p.min(s, h))
}

// face tries a unit direction.
func (p *advancing) face(n vector3, reach value) {
	along := p.dot(n, p.g)
	d := p.sub(p.sub(p.abs(along), reach), p.row(motionGoal))
	v := p.sub(p.bitXor(p.dot(n, p.gd), p.sign(along)), p.rot)
	r := p.root(d, v, p.k, p.k4)
	if p.turning {
		better := p.greater(r, p.best)
		p.d = p.pick(better, d, p.d)
		p.axis = p.each(func(i int) value { return p.pick(better, n[i], p.axis[i]) })
	}
	p.best = p.max(r, p.best)
}

// faces tries the axes of both boxes, and returns the magnitudes of their inner products, and where
// the best axis is one of B's.
func (p *advancing) faces(x, y [3]vector3, ha, hb vector3) (c [3]vector3, ofB value) {
	for i := range x {
		c[i] = p.each(func(j int) value { return p.abs(p.dot(x[i], y[j])) })
		p.face(x[i], p.add(ha[i], p.dot(hb, c[i])))
	}
	ofA := p.best
	for j := range y {
		p.face(y[j], p.add(hb[j], p.dot(vector3{c[0][j], c[1][j], c[2][j]}, ha)))
	}
	return c, p.greater(p.best, ofA)
}

// edges finds the products of the axes along which boxes are apart, one and a half of nine on
// average, and keeps what rest needs to try them.
func (p *advancing) edges(x, y [3]vector3, ha, hb vector3, c [3]vector3, final value) {
	v := &p.kept
	all := func(of ...value) Mem {
		m := p.frame.alloc(32 * len(of))
		for i, value := range of {
			at := m
			at.Disp += 32 * i
			p.store(value, at)
		}
		return m
	}
	v.axes = all(
		append(append(append(x[0][:], x[1][:]...), x[2][:]...), append(append(y[0][:], y[1][:]...), y[2][:]...)...)...)
	v.g, v.gd = all(p.g[:]...), all(p.gd[:]...)
	v.rot, v.k, v.k4, v.off = all(p.rot), all(p.k), all(p.k4), all(final)
	if p.turning {
		v.accel, v.about, v.jerk = all(p.accel[:]...), all(p.about), all(p.jerk)
	}
	v.reach = p.frame.alloc(9 * 32)
	p.todo = p.c.GP64()
	some := p.c.GP32()
	for i := range x {
		for j := range y {
			i1, i2, j1, j2 := (i+1)%3, (i+2)%3, (j+1)%3, (j+2)%3
			reach := p.add(
				p.add(p.mul(ha[i1], c[i2][j]), p.mul(ha[i2], c[i1][j])),
				p.add(p.mul(hb[j1], c[i][j2]), p.mul(hb[j2], c[i][j1])))
			left := p.sub(p.abs(p.dot(p.cross(x[i], y[j]), p.g)), p.add(reach, p.row(motionMargin)))
			n := 3*i + j
			at := v.reach
			at.Disp += 32 * n
			p.store(left, at)
			p.bits(p.greater(left, p.constant(0)), some)
			p.do(func() {
				if n == 0 {
					p.c.MOVL(some, p.todo.(reg.GPVirtual).As32())
					return
				}
				p.c.SHLQ(Imm(uint64(4*n)), some.As64())
				p.c.ORQ(some.As64(), p.todo)
			})
		}
	}
}

// rest tries these products, those alone that matter in a lane that is wanted and not final.
func (p *advancing) rest() {
	c := p.c
	want, four := c.GP64(), c.GP64()
	c.MOVL(p.bit, want.As32())
	c.XORL(Imm(15), want.As32())
	c.MOVQ(U64(0x111111111), four)
	c.IMULQ(four, want)
	c.ANDQ(want, p.todo)
	places := c.StaticGlobal("advanceAxes")
	c.DataAttributes(attr.RODATA | attr.NOPTR)
	for n := range 9 {
		c.AddDatum(32*n, U64(edgeStride*(n/3)))
		c.AddDatum(32*n+8, U64(edgeStride*(3+n%3)))
		c.AddDatum(32*n+16, ^(U64(15) << (4 * n)))
		c.AddDatum(32*n+24, U64(0))
	}
	table := c.GP64()
	c.LEAQ(places, table)

	c.Label("next")
	n, u, w := c.GP64(), c.GP64(), c.GP64()
	c.BSFQ(p.todo, n)
	c.JZ(LabelRef("done"))
	c.ANDQ(I8(-4), n)
	c.MOVQ(Mem{Base: table, Index: n, Scale: 8}, u)
	c.MOVQ(Mem{Base: table, Index: n, Scale: 8, Disp: 8}, w)
	c.ANDQ(Mem{Base: table, Index: n, Scale: 8, Disp: 16}, p.todo)
	c.SHLQ(Imm(3), n)
	b := &advancing{program: newProgram(c, 256, p.frame), motions: p.motions, turning: p.turning}
	b.product(&p.kept, u, w, n, p.out)
	b.program.emit()
	c.JMP(LabelRef("next"))
}

// product tries the product of the axes at u and w; n is where the distance along it is.
func (p *advancing) product(v *edgeValues, u, w, n reg.Register, out Mem) {
	at := func(m Mem, by reg.Register) Mem {
		m.Index, m.Scale = by, 1
		return m
	}
	three := func(m Mem) vector3 {
		return p.each(func(k int) value {
			at := m
			at.Disp += 32 * k
			return p.load(at)
		})
	}
	p.rot, p.k, p.k4 = p.load(v.rot), p.load(v.k), p.load(v.k4)
	axis := p.cross(three(at(v.axes, u)), three(at(v.axes, w)))
	l2 := p.dot(axis, axis)
	scale := p.div(p.constant(1), p.sqrt(l2))
	d := p.sub(p.mul(p.load(at(v.reach, n)), scale), p.row(motionGoal))
	along := p.dot(axis, three(v.g))
	side := p.bitXor(scale, p.sign(along))
	speed := p.sub(p.mul(side, p.dot(axis, three(v.gd))), p.rot)
	root := p.root(d, speed, p.k, p.k4)
	if p.turning {
		p.about, p.jerk = p.load(v.about), p.load(v.jerk)
		root = p.max(p.signed(d, speed, p.mul(side, p.dot(axis, three(v.accel))), root), root)
	}
	root = p.only(p.greater(l2, p.constant(advanceParallel)), root)
	p.store(p.max(p.pick(p.load(v.off), p.constant(0), root), p.load(out)), out)
}

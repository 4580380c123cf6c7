package main

import (
	"github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Offsets in solid.FourPairs: the motions of both bodies, and where their boxes are.
const (
	fourMotion  = 53 * 32
	fourBoxes   = 2 * fourMotion
	fourColumns = fourBoxes + 64
)

func advanceFour(c *build.Context) {
	begin(c, "advanceFour256",
		"advanceFour256 is FourPairs.Advance; skip has the bits of the pairs that are not wanted.",
		"func(f *FourPairs, skip uint32, out *[4]float64)", 0)
	p := &advancing{program: newProgram(c, 256, newFrame(c, 6144)), turning: true, four: true}
	from := c.Load(c.Param("f"), c.GP64())
	second := c.GP64()
	c.LEAQ(Mem{Base: from, Disp: fourMotion}, second)
	p.motions = [2]reg.Register{from, second}
	p.out = Mem{Base: c.Load(c.Param("out"), c.GP64())}
	p.skip, p.bit = c.Load(c.Param("skip"), c.GP32()), c.GP32()
	p.gather(from)
	p.finish()
}

// gather copies the rows of four boxes of A, and of four of B, each of which is a column of its
// own, to the frame.
func (p *advancing) gather(from reg.Register) {
	c := p.c
	var at [4]reg.Register
	low, high := reg.X0, reg.X1
	for side := range p.boxesAt {
		p.boxesAt[side] = p.frame.alloc(32 * boxLen)
		for i := range at {
			box, column := c.GP64(), c.GP64()
			c.MOVQ(Mem{Base: from, Disp: fourBoxes + 32*side + 8*i}, box)
			c.MOVQ(Mem{Base: from, Disp: fourColumns + 32*side + 8*i}, column)
			c.LEAQ(Mem{Base: box, Index: column, Scale: 8}, box)
			at[i] = box
		}
		for row := range boxLen {
			to := p.boxesAt[side]
			to.Disp += 32 * row
			c.VMOVSD(Mem{Base: at[0], Disp: 16 * row}, low)
			c.VMOVHPD(Mem{Base: at[1], Disp: 16 * row}, low, low)
			c.VMOVSD(Mem{Base: at[2], Disp: 16 * row}, high)
			c.VMOVHPD(Mem{Base: at[3], Disp: 16 * row}, high, high)
			c.VINSERTF128(Imm(1), high, reg.Y0, reg.Y0)
			c.VMOVUPD(reg.Y0, to)
		}
	}
}

// aboutCenters completes placed boxes with what their points do about the centers.
func (p *advancing) aboutCenters(o *placedBoxes) {
	rate, spin := p.rowOf(o.side, motionRate), p.rowsOf(o.side, motionSpin)
	if !p.turning {
		o.spun = p.mul(rate, o.r)
		o.acc2 = p.mul(rate, o.spun)
		return
	}
	o.accel = p.cross(spin, o.turn)
	whole := p.each(func(i int) value { return p.mul(rate, o.h[i]) })
	most := p.dot(whole, whole)
	part := p.each(func(i int) value { return p.mul(p.abs(p.dot(spin, o.axes[i])), o.h[i]) })
	left := p.each(func(i int) value { return p.abs(p.sub(p.add(part[(i+1)%3], part[(i+2)%3]), part[i])) })
	along := p.min(p.min(left[0], left[1]), left[2])
	square := p.add(p.sub(most, p.mul(along, along)),
		p.add(p.mul(p.constant(advanceSpun), most), p.constant(advanceLost)))
	o.spun = p.min(p.sqrt(square), p.mul(rate, o.r))
	o.acc2 = p.mul(rate, o.spun)
	p.whenCarried(o)
}

// whenCarried completes placed boxes with what bends the ways of their points, seen by the other
// body, and a sixth of the bound on what that changes by: bend, before stretch, and jerk of simd's
// slabs.carried.
func (p *advancing) whenCarried(o *placedBoxes) {
	own := p.rowOf(o.side, motionRate)
	carrier := p.rowOf(1-o.side, motionRate)
	if !p.four {
		carrier = p.lanes4(0x4e, own)
	}
	rates, speed, apart := p.add(own, carrier), p.row(motionSpeed), p.row(motionApart)
	o.bend = p.mul(apart, p.add(o.spun, p.mul(carrier, o.r)))
	way := p.add(p.row(motionWay), p.mul(p.row(motionSpan), speed))
	sixth := p.constant(advanceSixth)
	shared := p.mul(p.mul(p.mul(sixth, carrier), carrier), p.add(p.mul(p.constant(3), speed), p.mul(carrier, way)))
	far := p.add(p.sqrt(p.dot(o.arm, o.arm)), p.row(motionMargin))
	o.bent = p.add(shared, p.mul(p.mul(p.mul(p.mul(sixth, apart), rates), rates), far))
}

// carried is simd's slabs.carried; ofB holds where the best axis is one of B's.
func (p *advancing) carried(ofB value) value {
	// What moves returns is of the body that is not the carrier.
	moves := func(of func(o *placedBoxes) value) value {
		a, b := p.sides(of)
		return p.pick(ofB, a, b)
	}
	moves3 := func(of func(o *placedBoxes) vector3) vector3 {
		return p.each(func(i int) value { return moves(func(o *placedBoxes) value { return of(o)[i] }) })
	}
	sa, sb := p.sides3(func(o *placedBoxes) vector3 { return p.rowsOf(o.side, motionSpin) })
	spin := p.each(func(i int) value { return p.pick(ofB, sb[i], sa[i]) })
	ra, rb := p.sides(func(o *placedBoxes) value { return p.rowOf(o.side, motionRate) })
	flipped := func(by value, v vector3) vector3 {
		return p.each(func(i int) value { return p.bitXor(v[i], by) })
	}
	twice := p.mul(p.constant(2), p.add(ra, rb))
	lost := p.add(p.row(motionVMargin), p.mul(twice, p.row(motionMargin)))
	sum := p.add(p.add(p.row(motionKMargin), moves(func(o *placedBoxes) value { return o.bend })), p.mul(twice, lost))
	about := p.mul(p.mul(p.constant(0.5), sum), p.constant(advanceStretch))

	n := flipped(p.sign(p.dot(p.axis, p.g)), p.axis)
	u := p.sub3(p.gd, p.cross(spin, p.g))
	along := p.dot(n, p.sub3(p.accel, p.cross(spin, p.add3(u, p.gd))))
	h := p.min(p.mul(p.constant(advanceAhead), p.best), p.row(motionSpan))
	bent := moves(func(o *placedBoxes) value { return o.bent })
	k := p.max(p.add(p.sub(about, p.mul(p.constant(0.5), along)), p.mul(bent, h)), p.constant(0))
	k4 := p.mul(p.constant(4), k)
	turn := flipped(p.bitAnd(ofB, p.signBit()), p.cross(n, p.rows(motionD)))
	high := moves3(func(o *placedBoxes) vector3 { return o.h })
	var along3, rate3 vector3
	for i := range along3 {
		axis := moves3(func(o *placedBoxes) vector3 { return o.axes[i] })
		along3[i] = p.dot(n, axis)
		rate3[i] = p.bitXor(p.dot(turn, axis), p.sign(along3[i]))
	}
	v := p.sub(p.sub(p.dot(n, u), lost), p.dot(high, rate3))
	r := p.rootUntil(p.d, v, k, k4, h)
	over := p.each(func(i int) value {
		return p.min(p.add(p.abs(along3[i]), p.mul(r, rate3[i])), p.constant(0))
	})
	less := p.div(p.mul(p.constant(2), p.dot(high, over)), r)
	return p.min(p.rootUntil(p.d, p.add(v, less), k, k4, h), r)
}

// signed is simd's slabs.signed.
func (p *advancing) signed(d, v, a, r value) value {
	h := p.min(p.mul(p.constant(advanceAhead), r), p.row(motionSpan))
	k := p.max(p.add(p.sub(p.about, p.mul(p.constant(0.5), a)), p.mul(p.jerk, h)), p.constant(0))
	return p.rootUntil(d, v, k, p.mul(p.constant(4), k), h)
}

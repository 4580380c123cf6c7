package main

import (
	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// corners writes Corners and Project, for one box at a time: eight values are two registers of 256
// bits, and wider ones would save less than the calls cost, so both levels share this code.
func corners(c *build.Context) {
	begin(c, "corners256", "corners256 is Corners.",
		"func(coef *[6][3]float64, t0, t1, u0, u1, u3, v0, v1 float64, lim *[3]float64, out *[3][8]float64) (above, "+
			"below uint32)",
		attr.NOSPLIT)
	cornersKernel(c)
	begin(c, "project256", "project256 is Project.",
		"func(f *[3][8]float64, x, y, z, lim float64, out *[8]float64) (above, below uint32)", attr.NOSPLIT)
	projectKernel(c)
}

func cornersKernel(c *build.Context) {
	t := [2]reg.VecVirtual{broadcast(c, "t0"), broadcast(c, "t1")}
	// Lanes 2 and 3 have the second u, lanes 1 and 3 the second v.
	u, v, w := broadcast(c, "u0"), broadcast(c, "v0"), broadcast(c, "u1")
	c.VBLENDPD(Imm(0x4), w, u, u)
	w = broadcast(c, "u3")
	c.VBLENDPD(Imm(0x8), w, u, u)
	w = broadcast(c, "v1")
	c.VBLENDPD(Imm(0xa), w, v, v)

	coef := c.Load(c.Param("coef"), c.GP64())
	limits := c.Load(c.Param("lim"), c.GP64())
	out := c.Load(c.Param("out"), c.GP64())
	s := newSides(c)
	for k := range 3 {
		lim := c.YMM()
		c.VBROADCASTSD(Mem{Base: limits, Disp: 8 * k}, lim)
		s.limit(lim)
		for end := range 2 {
			var x [3]reg.VecVirtual
			for i := range x {
				first := c.YMM()
				x[i] = c.YMM()
				c.VBROADCASTSD(Mem{Base: coef, Disp: 24*i + 8*k}, first)
				c.VBROADCASTSD(Mem{Base: coef, Disp: 24*(i+3) + 8*k}, x[i])
				c.VMULPD(t[end], x[i], x[i])
				c.VADDPD(x[i], first, x[i])
			}
			c.VMULPD(u, x[1], x[1])
			c.VADDPD(x[1], x[0], x[0])
			c.VMULPD(v, x[2], x[2])
			c.VADDPD(x[2], x[0], x[0])
			c.VMOVUPD(x[0], Mem{Base: out, Disp: 64*k + 32*end})
			s.take(x[0], 8*k+4*end)
		}
	}
	s.finish()
}

func projectKernel(c *build.Context) {
	d := [3]reg.VecVirtual{broadcast(c, "x"), broadcast(c, "y"), broadcast(c, "z")}
	s := newSides(c)
	s.limit(broadcast(c, "lim"))
	f := c.Load(c.Param("f"), c.GP64())
	out := c.Load(c.Param("out"), c.GP64())
	for end := range 2 {
		var x [3]reg.VecVirtual
		for k := range x {
			x[k] = c.YMM()
			c.VMULPD(Mem{Base: f, Disp: 64*k + 32*end}, d[k], x[k])
		}
		c.VADDPD(x[1], x[0], x[0])
		c.VADDPD(x[2], x[0], x[0])
		c.VMOVUPD(x[0], Mem{Base: out, Disp: 32 * end})
		s.take(x[0], 4*end)
	}
	s.finish()
}

// broadcast returns a parameter in every lane.
func broadcast(c *build.Context, name string) reg.VecVirtual {
	at, err := c.Param(name).Resolve()
	if err != nil {
		panic(err)
	}
	x := c.YMM()
	c.VBROADCASTSD(at.Addr, x)
	return x
}

// halves collects which values lie above a limit and which below its negative.
type halves struct {
	c            *build.Context
	sign         reg.VecVirtual
	lim, minus   reg.VecVirtual
	above, below reg.GPVirtual
}

func newSides(c *build.Context) *halves {
	s := &halves{c: c, sign: c.YMM(), minus: c.YMM(), above: c.GP32(), below: c.GP32()}
	c.VPCMPEQQ(s.sign, s.sign, s.sign)
	c.VPSLLQ(Imm(63), s.sign, s.sign)
	c.XORL(s.above, s.above)
	c.XORL(s.below, s.below)
	return s
}

func (s *halves) limit(lim reg.VecVirtual) {
	s.lim = lim
	s.c.VXORPD(s.sign, lim, s.minus)
}

// take adds the bits of four values, the lowest at shift.
func (s *halves) take(x reg.VecVirtual, shift int) {
	for _, side := range []struct {
		lim       reg.VecVirtual
		predicate Constant
		to        reg.GPVirtual
		// The predicates are greater and less, which are false on NaN.
	}{{s.lim, Imm(0x1e), s.above}, {s.minus, Imm(0x11), s.below}} {
		m, bits := s.c.YMM(), s.c.GP32()
		s.c.VCMPPD(side.predicate, side.lim, x, m)
		s.c.VMOVMSKPD(m, bits)
		if shift > 0 {
			s.c.SHLL(Imm(uint64(shift)), bits)
		}
		s.c.ORL(bits, side.to)
	}
}

func (s *halves) finish() {
	s.c.VZEROUPPER()
	s.c.Store(s.above, s.c.ReturnIndex(0))
	s.c.Store(s.below, s.c.ReturnIndex(1))
	s.c.RET()
}

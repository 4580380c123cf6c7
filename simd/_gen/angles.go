package main

import (
	"math"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Offsets in solid.Angles; TestAnglesLayout holds them.
const anglesHi, anglesLo, anglesT = 0, 16, 32

// turningCoefficients are those of the sine and of the cosine, whose first step gives its first
// one.
var turningCoefficients = [2][8]float64{
	{1.0 / 355687428096000, -1.0 / 1307674368000, 1.0 / 6227020800, -1.0 / 39916800, 1.0 / 362880, -1.0 / 5040,
		1.0 / 120, -1.0 / 6},
	{0, 1.0 / 20922789888000, -1.0 / 87178291200, 1.0 / 479001600, -1.0 / 3628800, 1.0 / 40320, -1.0 / 720, 1.0 / 24},
}

// angles writes the kernel of solid.RelativeMotion.Turn. Two lanes have the sines of both bodies,
// two the cosines. Both levels share it.
func angles(c *build.Context) {
	begin(c, "turnBodies256", "turnBodies256 is Turn.", "func(m *RelativeMotion, a *Angles)", attr.NOSPLIT)
	m, a := c.Load(c.Param("m"), c.GP64()), c.Load(c.Param("a"), c.GP64())
	constant := func(bits uint64) Mem { return pattern(c, bits) }
	number := func(x float64) Mem { return constant(math.Float64bits(x)) }
	xmm := func() reg.VecVirtual { return c.XMM() }

	rate, t, hi, lo, low := xmm(), xmm(), xmm(), xmm(), xmm()
	c.VMOVUPD(Mem{Base: a, Disp: anglesHi}, rate)
	c.VMOVDDUP(Mem{Base: a, Disp: anglesT}, t)
	c.VMULPD(rate, t, hi)
	c.VMOVAPD(hi, lo)
	c.VFMSUB231PD(rate, t, lo.AsX()) // rate t - hi
	c.VMULPD(Mem{Base: a, Disp: anglesLo}, t, low)
	c.VADDPD(low, lo, lo)
	k, r := xmm(), xmm()
	c.VMULPD(number(0x1.45f306dc9c883p-01), hi, k)
	c.VROUNDPD(Imm(0), k, k)
	c.VMOVAPD(hi, r)
	c.VFNMADD231PD(number(0x1.921fb54442d18p+00), k, r)
	c.VMULPD(number(0x1.1a62633145c07p-54), k, low)
	c.VSUBPD(low, lo, lo)
	c.VADDPD(lo, r, r)

	// k in the low bits: bit 0 exchanges, bit 1 negates the sine, bit 1 of k + 1 the cosine.
	swap, negative, other := xmm(), c.YMM(), xmm()
	c.VADDPD(number(0x1.8p52), k, k)
	c.VPSLLQ(Imm(63), k, swap)
	c.VPADDQ(constant(1), k, other)
	c.VINSERTF128(Imm(1), other, k.AsY(), negative)
	c.VPSLLQ(Imm(62), negative, negative)
	c.VPAND(constant(1<<63), negative, negative)

	both, z, p := c.YMM(), c.YMM(), c.YMM()
	c.VINSERTF128(Imm(1), r, r.AsY(), both)
	c.VMULPD(both, both, z)
	table := c.StaticGlobal("turning")
	c.DataAttributes(attr.RODATA | attr.NOPTR)
	for i := range 8 {
		for lane := range 4 {
			c.AddDatum(32*i+8*lane, U64(math.Float64bits(turningCoefficients[lane/2][i])))
		}
	}
	at := func(i int) Mem {
		m := table
		m.Disp += 32 * i
		return m
	}
	c.VMOVUPD(at(0), p)
	for i := 1; i < 8; i++ {
		c.VFMADD213PD(at(i), z, p) // z p + next
	}
	whole, half, factor := c.YMM(), c.YMM(), c.YMM()
	c.VMULPD(number(0.5), z, half)
	c.VMOVUPD(number(1), whole)
	c.VSUBPD(half, whole, whole)
	c.VBLENDPD(Imm(12), whole, both, whole) // r, 1 - z/2
	c.VBLENDPD(Imm(12), z, both, factor)
	c.VMULPD(z, factor, factor)
	c.VMULPD(p, factor, factor)
	c.VADDPD(factor, whole, whole)

	exchanged := c.YMM()
	c.VPERMPD(Imm(0x4e), whole, exchanged)
	c.VINSERTF128(Imm(1), swap, swap.AsY(), swap.AsY())
	c.VBLENDVPD(swap.AsY(), exchanged, whole, whole)
	c.VXORPD(negative, whole, whole)
	c.VPERMPD(Imm(0x50), whole, exchanged)
	c.VMOVUPD(exchanged, Mem{Base: m, Disp: 32 * motionSin})
	c.VPERMPD(Imm(0xfa), whole, exchanged)
	c.VMOVUPD(exchanged, Mem{Base: m, Disp: 32 * motionCos})
	c.VZEROUPPER()
	c.RET()
}

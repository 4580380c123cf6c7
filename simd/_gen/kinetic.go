package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// kinetic compares two records at once on all axes: with -hi stored, "b.lo > a.hi" is b.lo > -(a's
// -hi). Bits 0 to 5 of the mask are b above a at both ends, the next six a above b: hi of b stored
// negative makes it -hi_b > -lo_a.
func kinetic(c *build.Context) {
	for _, w := range []int{512, 256} {
		name := fmt.Sprintf("kinetic%d", w)
		begin(c, name, name+" is Kinetic.", "func(a, b []float32, pairs, out [][2]int32) int", attr.NOSPLIT)
		kineticKernel(c, w)
	}
}

func kineticKernel(c *build.Context, w int) {
	a := c.Load(c.Param("a").Base(), c.GP64())
	b := c.Load(c.Param("b").Base(), c.GP64())
	pairs := c.Load(c.Param("pairs").Base(), c.GP64())
	n := c.Load(c.Param("pairs").Len(), c.GP64())
	out := c.Load(c.Param("out").Base(), c.GP64())
	count, i := c.GP64(), c.GP64()
	c.XORQ(count, count)
	c.XORQ(i, i)
	sign, order := vector(c, w), vector(c, w)
	t := c.GP32()
	c.MOVL(U32(0x80000000), t)
	if w == 512 {
		c.VPBROADCASTD(t, sign)
		// lo and -hi change places.
		c.StaticGlobal("kineticOrder")
		c.DataAttributes(attr.RODATA | attr.NOPTR)
		for k, v := range []uint32{6, 7, 8, 9, 10, 11, 0, 1, 2, 3, 4, 5, 12, 13, 14, 15} {
			c.AddDatum(4*k, U32(v))
		}
		c.VMOVDQU32(NewDataAddr(NewStaticSymbol("kineticOrder"), 0), order)
	} else {
		c.VMOVD(t, sign.AsX())
		c.VPBROADCASTD(sign.AsX(), sign)
	}
	c.TESTQ(n, n)
	c.JZ(LabelRef("done"))

	c.Label("loop")
	pair, ra, rb := c.GP64(), c.GP64(), c.GP64()
	c.MOVQ(Mem{Base: pairs, Index: i, Scale: 8}, pair)
	c.MOVL(pair.As32(), ra.As32())
	c.MOVQ(pair, rb)
	c.SHRQ(Imm(32), rb)
	c.SHLQ(Imm(6), ra)
	c.SHLQ(Imm(6), rb)
	above, keep := c.GP32(), c.GP32()
	c.XORL(keep, keep)
	if w == 512 {
		v, k := c.ZMM(), c.K()
		c.VPERMPS(Mem{Base: a, Index: ra, Scale: 1}, order, v)
		c.VPXORD(sign, v, v)
		c.VCMPPS(ltOQ, Mem{Base: b, Index: rb, Scale: 1}, v, k) // b's record above a's negated and reordered one
		c.KMOVW(k, above)
		both(c, above)
		c.TESTL(U32(7|7<<6), above)
	} else {
		// Lanes 0 to 5 of a load at 0 are lo, of one at 24 bytes -hi.
		mask := func(disp int) reg.GPVirtual {
			v, m := c.YMM(), c.GP32()
			c.VXORPS(Mem{Base: a, Index: ra, Scale: 1, Disp: 24 - disp}, sign, v)
			c.VCMPPS(ltOQ, Mem{Base: b, Index: rb, Scale: 1, Disp: disp}, v, v)
			c.VMOVMSKPS(v, m)
			both(c, m)
			return m
		}
		m := mask(24)
		c.MOVL(mask(0), above)
		c.ORL(m, above)
		c.TESTL(U32(7), above)
	}
	c.SETEQ(keep.As8())
	c.MOVQ(pair, Mem{Base: out, Index: count, Scale: 8})
	c.ADDQ(keep.As64(), count)
	c.INCQ(i)
	c.CMPQ(i, n)
	c.JLT(LabelRef("loop"))

	c.Label("done")
	c.VZEROUPPER()
	c.Store(count, c.ReturnIndex(0))
	c.RET()
}

// both keeps bit k where bit k + 3, the same axis at the other end, is set too.
func both(c *build.Context, m reg.GPVirtual) {
	t := c.GP32()
	c.MOVL(m, t)
	c.SHRL(Imm(3), t)
	c.ANDL(t, m)
}

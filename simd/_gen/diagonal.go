package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// diagonal writes DiagonalVF and DiagonalEE. A register holds both ends (512) or one end (256) of
// x, y, z and a zero; with the same turned to y, z, x and 0 it gives the three sums, and the three
// differences. The zero never separates.
func diagonal(c *build.Context) {
	for _, w := range []int{512, 256} {
		diagonalKind(c, "VF", w)
		diagonalKind(c, "EE", w)
	}
}

func diagonalKind(c *build.Context, kind string, w int) {
	name := fmt.Sprintf("diagonal%s%d", kind, w)
	begin(c, name, name+" is Diagonal"+kind+".", "func(rec []float64, idx [][4]int32, gap float64, out []int32) int",
		attr.NOSPLIT)
	rec := c.Load(c.Param("rec").Base(), c.GP64())
	idx := c.Load(c.Param("idx").Base(), c.GP64())
	n := c.Load(c.Param("idx").Len(), c.GP64())
	out := c.Load(c.Param("out").Base(), c.GP64())
	gap := vector(c, w)
	least := c.Load(c.Param("gap"), c.XMM())
	c.VBROADCASTSD(least, gap)
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
		c.SHLQ(Imm(6), at[k])
	}
	split := 1
	if kind == "EE" {
		split = 2
	}
	gone := c.GP32()
	if w == 512 {
		c.XORL(gone, gone)
		for _, difference := range []bool{false, true} {
			a, b := span(c, w, rec, at[:split], 0, difference), span(c, w, rec, at[split:], 0, difference)
			for _, p := range [][2]reg.VecVirtual{{a.lo, b.hi}, {b.lo, a.hi}} {
				k, m, t := c.K(), c.GP32(), c.GP32()
				c.VCMPPD(gtOQ, beyond(c, w, p[1], gap), p[0], k)
				c.KMOVB(k, m)
				c.MOVL(m, t) // bit k: both ends
				c.SHRL(Imm(4), t)
				c.ANDL(t, m)
				c.ORL(m, gone)
			}
		}
	} else {
		acc := c.YMM()
		c.VXORPD(acc, acc, acc)
		for _, difference := range []bool{false, true} {
			var ab, ba [2]reg.VecVirtual
			for end := range 2 {
				a := span(c, w, rec, at[:split], 32*end, difference)
				b := span(c, w, rec, at[split:], 32*end, difference)
				ab[end], ba[end] = c.YMM(), c.YMM()
				c.VCMPPD(gtOQ, beyond(c, w, b.hi, gap), a.lo, ab[end])
				c.VCMPPD(gtOQ, beyond(c, w, a.hi, gap), b.lo, ba[end])
			}
			c.VANDPD(ab[0], ab[1], ab[0])
			c.VANDPD(ba[0], ba[1], ba[0])
			c.VORPD(ab[0], acc, acc)
			c.VORPD(ba[0], acc, acc)
		}
		c.VMOVMSKPD(acc, gone)
	}
	c.MOVL(i.As32(), Mem{Base: out, Index: count, Scale: 4})
	keep := c.GP32()
	c.XORL(keep, keep)
	c.TESTL(U32(7), gone)
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

// beyond returns x and the gap, added.
func beyond(c *build.Context, w int, x, gap reg.VecVirtual) reg.VecVirtual {
	y := vector(c, w)
	c.VADDPD(gap, x, y)
	return y
}

// extent is the least and the largest of some points along three directions.
type extent struct{ lo, hi reg.VecVirtual }

func span(c *build.Context, w int, rec reg.Register, at []reg.Register, disp int, difference bool) (e extent) {
	for i, p := range at {
		x, y := vector(c, w), vector(c, w)
		line := Mem{Base: rec, Index: p, Scale: 1, Disp: disp}
		c.VMOVUPD(line, x)
		c.VPERMPD(Imm(0xc9), line, y) // y, z, x, 0
		if difference {
			c.VSUBPD(y, x, x)
		} else {
			c.VADDPD(y, x, x)
		}
		switch {
		case i == 0:
			e = extent{x, x}
		case i == 1:
			lo, hi := vector(c, w), vector(c, w)
			c.VMINPD(x, e.lo, lo)
			c.VMAXPD(x, e.hi, hi)
			e = extent{lo, hi}
		default:
			c.VMINPD(x, e.lo, e.lo)
			c.VMAXPD(x, e.hi, e.hi)
		}
	}
	return e
}

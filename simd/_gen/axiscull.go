package main

import (
	"fmt"
	"go/types"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/gotypes"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Predicates of VCMPPD: ordered, quiet.
var (
	ltOQ = Imm(0x11)
	leOQ = Imm(0x12)
	geOQ = Imm(0x1d)
	gtOQ = Imm(0x1e)
)

// vector returns one register of w bits: 512 or 256.
func vector(c *build.Context, w int) reg.VecVirtual {
	if w == 512 {
		return c.ZMM()
	}
	return c.YMM()
}

// named is the package whose assembly is being written; signatures have its types.
var named *types.Package

// begin starts a function of simd.
func begin(c *build.Context, name, doc, signature string, a attr.Attribute) {
	c.Function(name)
	c.Doc(doc)
	c.Attributes(a)
	s, err := gotypes.ParseSignatureInPackage(named, signature)
	if err != nil {
		panic(err)
	}
	c.Signature(s)
}

func axisCull(c *build.Context) {
	for _, w := range []int{512, 256} {
		axisCullKind(c, "VF", w)
		axisCullKind(c, "EE", w)
	}
}

// axisCullKind loads one line per vertex, so a register holds both ends (512) or one end (256) of
// x, y, z and a zero. The zero never separates, because 0 > sep is false.
func axisCullKind(c *build.Context, kind string, w int) {
	name := fmt.Sprintf("axisCull%s%d", kind, w)
	begin(c, name, name+" is AxisCull"+kind+".", "func(rec []float64, idx [][4]int32, sep float64, out []int32) int",
		attr.NOSPLIT)
	rec := c.Load(c.Param("rec").Base(), c.GP64())
	idx := c.Load(c.Param("idx").Base(), c.GP64())
	n := c.Load(c.Param("idx").Len(), c.GP64())
	out := c.Load(c.Param("out").Base(), c.GP64())
	x := c.Load(c.Param("sep"), c.XMM())
	y := c.XMM()
	c.VXORPD(y, y, y)
	c.VSUBSD(x, y, y)
	sep, neg := vector(c, w), vector(c, w)
	c.VBROADCASTSD(x, sep)
	c.VBROADCASTSD(y, neg)
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
	apart := c.GP32()
	if w == 512 {
		lo, hi := gap(c, kind, w, rec, at, 0)
		k1, k2 := c.K(), c.K()
		c.VCMPPD(gtOQ, sep, lo, k1)
		c.VCMPPD(ltOQ, neg, hi, k2)
		below := c.GP32()
		c.KMOVB(k1, apart)
		c.KMOVB(k2, below)
		for _, m := range []reg.Register{apart, below} { // bit k: both ends of axis k
			t := c.GP32()
			c.MOVL(m, t)
			c.SHRL(Imm(4), t)
			c.ANDL(t, m)
		}
		c.ORL(below, apart)
	} else {
		lo0, hi0 := gap(c, kind, w, rec, at, 0)
		lo1, hi1 := gap(c, kind, w, rec, at, 32)
		c.VMINPD(lo1, lo0, lo0)
		c.VMAXPD(hi1, hi0, hi0)
		c.VCMPPD(gtOQ, sep, lo0, lo0)
		c.VCMPPD(ltOQ, neg, hi0, hi0)
		c.VORPD(lo0, hi0, lo0)
		c.VMOVMSKPD(lo0, apart)
	}
	c.MOVL(i.As32(), Mem{Base: out, Index: count, Scale: 4})
	keep := c.GP32()
	c.XORL(keep, keep)
	c.TESTL(U32(7), apart)
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

// gap is, per component, the first primitive's minimum minus the second's maximum, and the first's
// maximum minus the second's minimum.
func gap(c *build.Context, kind string, w int, rec reg.Register, at [4]reg.Register, disp int) (lo, hi reg.VecVirtual) {
	line := func(k int) Mem { return Mem{Base: rec, Index: at[k], Scale: 1, Disp: disp} }
	lo, hi = vector(c, w), vector(c, w)
	a, t := vector(c, w), vector(c, w)
	if kind == "VF" {
		c.VMOVUPD(line(1), a)
		c.VMAXPD(line(2), a, t)
		c.VMAXPD(line(3), t, t)
		c.VMINPD(line(2), a, a)
		c.VMINPD(line(3), a, a)
		v := vector(c, w)
		c.VMOVUPD(line(0), v)
		c.VSUBPD(t, v, lo)
		c.VSUBPD(a, v, hi)
		return lo, hi
	}
	b := vector(c, w)
	c.VMOVUPD(line(0), a)
	c.VMOVUPD(line(2), b)
	c.VMINPD(line(1), a, lo)
	c.VMAXPD(line(1), a, hi)
	c.VMAXPD(line(3), b, t)
	c.VMINPD(line(3), b, b)
	c.VSUBPD(t, lo, lo)
	c.VSUBPD(b, hi, hi)
	return lo, hi
}

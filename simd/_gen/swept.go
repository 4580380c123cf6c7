package main

import (
	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// swept writes SweptOverlaps: a vertex at one end is four doubles, so 256 bits are as wide as the box of a pair. To inflate a minimum is to add to its
// negative, so that both bounds are rounded up.
func swept(c *build.Context) {
	for _, k := range []struct {
		name string
		a, b int
	}{{"VF", 1, 3}, {"EE", 2, 2}, {"PE", 1, 2}, {"PP", 1, 1}} {
		name := "swept" + k.name + "256"
		begin(c, name, name+" is SweptOverlaps for such pairs.",
			"func(rec []float64, a, b []int32, grow [][2]float64, pairs, out [][2]int32) int", attr.NOSPLIT)
		x := &sweptPairs{Context: c}
		x.kernel(k.a, k.b)
	}
}

type sweptPairs struct {
	*build.Context
	rec       reg.Register
	zero, one reg.VecVirtual
	i         reg.GPVirtual
}

func (x *sweptPairs) kernel(wa, wb int) {
	x.rec = x.Load(x.Param("rec").Base(), x.GP64())
	a := x.Load(x.Param("a").Base(), x.GP64())
	b := x.Load(x.Param("b").Base(), x.GP64())
	grow := x.Load(x.Param("grow").Base(), x.GP64())
	pairs := x.Load(x.Param("pairs").Base(), x.GP64())
	n := x.Load(x.Param("pairs").Len(), x.GP64())
	out := x.Load(x.Param("out").Base(), x.GP64())
	count := x.GP64()
	x.i = x.GP64()
	x.XORQ(count, count)
	x.XORQ(x.i, x.i)
	x.zero, x.one = x.YMM(), x.YMM()
	x.VXORPD(x.zero, x.zero, x.zero)
	x.VPCMPEQQ(x.one, x.one, x.one)
	x.VPSRLQ(Imm(63), x.one, x.one)

	x.Label("loop")
	pair, j := x.GP64(), x.GP64()
	x.MOVQ(Mem{Base: pairs, Index: x.i, Scale: 8}, pair)
	x.MOVL(pair.As32(), j.As32())
	lo, hi := x.box(a, j, wa)
	second := x.GP64()
	x.MOVQ(pair, second)
	x.SHRQ(Imm(32), second)
	otherLo, otherHi := x.box(b, second, wb)
	x.TESTQ(grow, grow)
	x.JZ(LabelRef("compare"))
	at := x.GP64()
	x.MOVQ(x.i, at)
	x.SHLQ(Imm(4), at)
	r := x.YMM()
	x.VBROADCASTSD(Mem{Base: grow, Index: at, Scale: 1}, r)
	x.inflate(lo, hi, r)
	r = x.YMM()
	x.VBROADCASTSD(Mem{Base: grow, Index: at, Scale: 1, Disp: 8}, r)
	x.inflate(otherLo, otherHi, r)
	x.Label("compare")
	x.VCMPPD(gtOQ, otherHi, lo, lo)
	x.VCMPPD(gtOQ, hi, otherLo, otherLo)
	x.VORPD(otherLo, lo, lo)
	apart := x.GP32()
	x.VMOVMSKPD(lo, apart)
	keep := x.GP32()
	x.XORL(keep, keep)
	x.TESTL(U32(7), apart)
	x.SETEQ(keep.As8())
	x.MOVQ(pair, Mem{Base: out, Index: count, Scale: 8})
	x.ADDQ(keep.As64(), count)
	x.INCQ(x.i)
	x.CMPQ(x.i, n)
	x.JLT(LabelRef("loop"))
	x.VZEROUPPER()
	x.Store(count, x.ReturnIndex(0))
	x.RET()
}

// box returns the bounds of primitive i of w vertices.
func (x *sweptPairs) box(verts reg.Register, i reg.GPVirtual, w int) (lo, hi reg.VecVirtual) {
	lo, hi = x.YMM(), x.YMM()
	if w > 1 {
		x.IMUL3Q(Imm(uint64(4*w)), i, i)
	}
	for k := range w {
		v := i
		if w > 1 {
			v = x.GP64()
			x.MOVL(Mem{Base: verts, Index: i, Scale: 1, Disp: 4 * k}, v.As32())
		}
		x.SHLQ(Imm(6), v)
		end := Mem{Base: x.rec, Index: v, Scale: 1}
		p := x.YMM()
		x.VMOVUPD(end, p)
		if k == 0 {
			x.VMINPD(end.Offset(32), p, lo)
			x.VMAXPD(end.Offset(32), p, hi)
			continue
		}
		q := x.YMM()
		x.VMOVUPD(end.Offset(32), q)
		x.VMINPD(p, lo, lo)
		x.VMAXPD(p, hi, hi)
		x.VMINPD(q, lo, lo)
		x.VMAXPD(q, hi, hi)
	}
	return lo, hi
}

// inflate moves the bounds outward by r.
func (x *sweptPairs) inflate(lo, hi, r reg.VecVirtual) {
	x.addUp(hi, r)
	x.negate(lo)
	x.addUp(lo, r)
	x.negate(lo)
}

func (x *sweptPairs) negate(v reg.VecVirtual) {
	sign := x.YMM()
	x.VPSLLQ(Imm(63), x.one, sign)
	x.VXORPD(sign, v, v)
}

// addUp adds r to v and rounds up: see sumUp.
func (x *sweptPairs) addUp(v, r reg.VecVirtual) {
	s, t, e, f := x.YMM(), x.YMM(), x.YMM(), x.YMM()
	x.VADDPD(r, v, s)
	x.VSUBPD(v, s, t)
	x.VSUBPD(t, s, e)
	x.VSUBPD(e, v, e)
	x.VSUBPD(t, r, f)
	x.VADDPD(f, e, e)
	x.VCMPPD(gtOQ, x.zero, e, e) // all ones where the error is positive
	x.VPCMPGTQ(s, x.zero, t)     // -1 where the sum is negative
	x.VPOR(x.one, t, t)          // 1 or -1
	x.VPAND(e, t, t)
	x.VPADDQ(t, s, v)
}

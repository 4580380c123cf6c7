package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// ranks compares each key with all, a register at a time. Those before count if they are not larger, those behind if they
// are smaller; in the key's own register it depends on the lane.
func ranks(c *build.Context) {
	for _, w := range []int{512, 256} {
		name := fmt.Sprintf("ranks%d", w)
		begin(c, name, name+" is Ranks.", "func(keys, ranks []int32)", attr.NOSPLIT)
		x := &ranker{Context: c, w: w}
		x.kernel()
	}
}

type ranker struct {
	*build.Context
	w     int
	keys  reg.Register
	key   reg.VecVirtual // the key in question, in all lanes
	block reg.GPVirtual  // the position of the register's first key
	count reg.GPVirtual
}

func (x *ranker) kernel() {
	x.keys = x.Load(x.Param("keys").Base(), x.GP64())
	out := x.Load(x.Param("ranks").Base(), x.GP64())
	n := x.Load(x.Param("ranks").Len(), x.GP64())
	i, own := x.GP64(), x.GP64()
	lanes := uint64(x.w / 32)
	x.XORQ(i, i)

	x.Label("key")
	x.key, x.block, x.count = vector(x.Context, x.w), x.GP64(), x.GP64()
	x.VPBROADCASTD(Mem{Base: x.keys, Index: i, Scale: 4}, x.key)
	x.XORQ(x.count, x.count)
	x.XORQ(x.block, x.block)
	x.MOVQ(i, own)
	x.ANDQ(I32(-int32(lanes)), own)

	x.Label("before")
	x.CMPQ(x.block, own)
	x.JGE(LabelRef("own"))
	larger := x.GP32()
	x.larger(larger)
	x.POPCNTL(larger, larger)
	x.ADDQ(Imm(lanes), x.count)
	x.SUBQ(larger.As64(), x.count)
	x.ADDQ(Imm(lanes), x.block)
	x.JMP(LabelRef("before"))

	x.Label("own") // in lanes before the key's own those that are not larger, and all that are smaller
	not, smaller, lane, mask := x.GP32(), x.GP32(), x.GP64(), x.GP64()
	x.larger(not)
	x.smaller(smaller)
	x.NOTL(not)
	x.MOVQ(i, lane)
	x.SUBQ(own, lane)
	x.XORQ(mask, mask)
	x.BTSQ(lane, mask)
	x.DECQ(mask)
	x.ANDL(mask.As32(), not)
	x.ORL(not, smaller)
	x.POPCNTL(smaller, smaller)
	x.ADDQ(smaller.As64(), x.count)

	x.Label("behind")
	x.ADDQ(Imm(lanes), x.block)
	x.CMPQ(x.block, n)
	x.JGE(LabelRef("done"))
	less := x.GP32()
	x.smaller(less)
	x.POPCNTL(less, less)
	x.ADDQ(less.As64(), x.count)
	x.JMP(LabelRef("behind"))

	x.Label("done")
	x.MOVL(x.count.As32(), Mem{Base: out, Index: i, Scale: 4})
	x.INCQ(i)
	x.CMPQ(i, n)
	x.JLT(LabelRef("key"))
	x.VZEROUPPER()
	x.RET()
}

func (x *ranker) line() Mem { return Mem{Base: x.keys, Index: x.block, Scale: 4} }

// larger sets the bits of the lanes whose keys are larger than the one in question.
func (x *ranker) larger(bits reg.GPVirtual) {
	if x.w == 512 {
		k := x.K()
		x.VPCMPD(Imm(1), x.line(), x.key, k) // the key is less
		x.KMOVW(k, bits)
		return
	}
	v := x.YMM()
	x.VMOVDQU(x.line(), v)
	x.VPCMPGTD(x.key, v, v)
	x.VMOVMSKPS(v, bits)
}

// smaller sets the bits of the lanes whose keys are smaller.
func (x *ranker) smaller(bits reg.GPVirtual) {
	if x.w == 512 {
		k := x.K()
		x.VPCMPD(Imm(6), x.line(), x.key, k) // the key is not less or equal
		x.KMOVW(k, bits)
		return
	}
	v := x.YMM()
	x.VPCMPGTD(x.line(), x.key, v)
	x.VMOVMSKPS(v, bits)
}

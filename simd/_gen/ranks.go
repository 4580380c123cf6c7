package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// rankRegisters is the number of registers of keys that are compared with one key at a time,
// rankLanes that of the keys in each.
const (
	rankRegisters = 4
	rankLanes     = 8
)

// ranks compares some keys, in lanes, with all others, one at a time. Others count if they are not
// larger where they stand before, and if they are smaller where they stand behind; within the
// register of a key it depends on the lane. With registers of 512 bits it takes a third longer (Zen
// 4).
func ranks(c *build.Context) {
	c.StaticGlobal("rankBehind") // eight lanes from number 7 - k on: those behind the k-th
	c.DataAttributes(attr.RODATA | attr.NOPTR)
	for i := range 2 * rankLanes {
		c.AddDatum(4*i, U32(-uint32(i/rankLanes)))
	}
	begin(c, "rank256", "rank256 is Ranks.", "func(keys, ranks []int32, n int)", attr.NOSPLIT)
	x := &ranker{Context: c}
	x.kernel()
}

type ranker struct {
	*build.Context
	keys, n, i, j reg.GPVirtual
	lanes, counts []reg.VecVirtual // each register's keys, and how many others count for them
	other         reg.VecVirtual   // the other key, in all lanes
	table, at     reg.GPVirtual    // rankBehind, and where in it the lanes behind the other are
}

func (x *ranker) kernel() {
	x.keys, x.n, x.i, x.j, x.table, x.at = x.GP64(), x.GP64(), x.GP64(), x.GP64(), x.GP64(), x.GP64()
	x.Load(x.Param("keys").Base(), x.keys)
	x.Load(x.Param("n"), x.n)
	out, end := x.Load(x.Param("ranks").Base(), x.GP64()), x.GP64()
	x.LEAQ(NewDataAddr(NewStaticSymbol("rankBehind"), 0), x.table)
	for range rankRegisters {
		x.lanes, x.counts = append(x.lanes, x.YMM()), append(x.counts, x.YMM())
	}
	x.XORQ(x.i, x.i)

	x.Label("lanes")
	for g, v := range x.lanes {
		x.VMOVDQU(Mem{Base: x.keys, Index: x.i, Scale: 4, Disp: 4 * rankLanes * g}, v)
		x.VPXOR(x.counts[g], x.counts[g], x.counts[g])
	}
	x.XORQ(x.j, x.j)
	x.MOVQ(x.i, end)
	x.others("before", end, -1)
	for g := range x.lanes {
		x.ADDQ(Imm(rankLanes), end)
		x.CMPQ(end, x.n)
		x.CMOVQGT(x.n, end)
		x.MOVQ(U32(rankLanes-1), x.at)
		x.others(fmt.Sprintf("own%d", g), end, g)
		x.LEAQ(Mem{Base: x.i, Disp: rankLanes * (g + 1)}, end)
	}
	x.others("behind", x.n, len(x.lanes))

	for g, v := range x.counts { // those before were counted as 0 and -1, in place of 1 and 0
		before, b := x.GP64(), x.YMM()
		x.LEAQ(Mem{Base: x.i, Disp: rankLanes * g}, before)
		x.VMOVD(before.As32(), b.AsX())
		x.VPBROADCASTD(b.AsX(), b)
		x.VPADDD(b, v, v)
		x.VMOVDQU(v, Mem{Base: out, Index: x.i, Scale: 4, Disp: 4 * rankLanes * g})
	}
	x.ADDQ(Imm(rankRegisters*rankLanes), x.i)
	x.CMPQ(x.i, x.n)
	x.JLT(LabelRef("lanes"))
	x.VZEROUPPER()
	x.RET()
}

// others compares the lanes with the keys from j to end-1: those are behind the registers before
// number own, and before the registers behind it.
func (x *ranker) others(label string, end reg.GPVirtual, own int) {
	x.JMP(LabelRef(label + "Begin"))
	x.Label(label)
	x.other = x.YMM()
	x.VPBROADCASTD(Mem{Base: x.keys, Index: x.j, Scale: 4}, x.other)
	for g := range x.lanes {
		x.compare(g, own)
	}
	x.INCQ(x.j)
	x.Label(label + "Begin")
	x.CMPQ(x.j, end)
	x.JLT(LabelRef(label))
}

// compare counts the other key for the lanes of register g.
func (x *ranker) compare(g, own int) {
	v, counts := x.YMM(), x.counts[g]
	if g > own {
		x.VPCMPGTD(x.lanes[g], x.other, v) // the other is larger
		x.VPADDD(v, counts, counts)
		return
	}
	x.VPCMPGTD(x.other, x.lanes[g], v)
	x.VPSUBD(v, counts, counts)
	if g == own {
		x.compareEqual(g)
	}
}

// compareEqual counts the other key, which is in register g, for the lanes behind it that are
// equal.
func (x *ranker) compareEqual(g int) {
	v := x.YMM()
	x.VPCMPEQD(x.other, x.lanes[g], v)
	x.VPAND(Mem{Base: x.table, Index: x.at, Scale: 4}, v, v)
	x.VPSUBD(v, x.counts[g], x.counts[g])
	x.DECQ(x.at)
}

package main

import (
	"github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// inOrder writes Below and WriteRow.
func inOrder(c *build.Context) {
	belows(c)
	for _, wide := range []bool{false, true} {
		writesRow(c, wide)
	}
}

// belows writes Below: a row of a mask is a comparison of one number with eight.
func belows(c *build.Context) {
	begin(c, "below256", "below256 is Below.", "func(records []Record, ids []int32, out []uint64)", 0)
	record, ids := c.Load(c.Param("records").Base(), c.GP64()), c.Load(c.Param("ids").Base(), c.GP64())
	left, out := c.Load(c.Param("records").Len(), c.GP64()), c.Load(c.Param("out").Base(), c.GP64())
	c.TESTQ(left, left)
	c.JZ(LabelRef("done"))
	c.Label("record")
	a, b, second := c.GP64(), c.GP64(), c.YMM()
	c.MOVLQSX(Mem{Base: record}, a)
	c.MOVLQSX(Mem{Base: record, Disp: 4}, b)
	c.SHLQ(Imm(5), a)
	c.SHLQ(Imm(5), b)
	c.VMOVDQU(Mem{Base: ids, Index: b, Scale: 1}, second)
	for i := range 8 {
		first, row := c.YMM(), c.GP32()
		c.VPBROADCASTD(Mem{Base: ids, Index: a, Scale: 1, Disp: 4 * i}, first)
		c.VPCMPGTD(first, second, first)
		c.VMOVMSKPS(first, row)
		c.MOVB(row.As8(), Mem{Base: out, Disp: i})
	}
	c.ADDQ(Imm(recordBytes), record)
	c.ADDQ(Imm(8), out)
	c.DECQ(left)
	c.JNZ(LabelRef("record"))
	c.Label("done")
	c.VZEROUPPER()
	c.RET()
}

// writesRow writes WriteRow for pairs of 32 bits, or of 64 with wide: bit by bit.
func writesRow(c *build.Context, wide bool) {
	name, pair, word := "writeRow", 8, "int32"
	if wide {
		name, pair, word = "writeRowWide", 16, "int64"
	}
	begin(c, name+"256", name+"256 is "+name+".",
		"func(rows [][64]uint64, row int, second []int32, first "+word+", out [][2]"+word+") int", 0)
	rows, at := c.Load(c.Param("rows").Base(), c.GP64()), c.Load(c.Param("row"), c.GP64())
	left, second := c.Load(c.Param("rows").Len(), c.GP64()), c.Load(c.Param("second").Base(), c.GP64())
	out, end := c.Load(c.Param("out").Base(), c.GP64()), c.Load(c.Param("out").Len(), c.GP64())
	first, b, k, less, m := c.GP64(), c.GP64(), c.GP64(), c.GP64(), c.GP64()
	if wide {
		c.Load(c.Param("first"), first)
		c.SHLQ(Imm(4), end)
	} else {
		c.Load(c.Param("first"), first.As32())
		c.SHLQ(Imm(3), end)
	}
	c.ADDQ(out, end)
	c.LEAQ(Mem{Base: rows, Index: at, Scale: 8}, rows)
	c.TESTQ(left, left)
	c.JZ(LabelRef("done"))
	c.Label("word")
	c.MOVQ(Mem{Base: rows}, m)
	c.TESTQ(m, m)
	c.JZ(LabelRef("next"))
	c.Label("bit")
	c.CMPQ(out, end)
	c.JAE(LabelRef("done"))
	c.TZCNTQ(m, k) // Older processors run it as BSFQ, which gives the same unless m is zero.
	c.LEAQ(Mem{Base: m, Disp: -1}, less)
	if wide {
		c.MOVLQSX(Mem{Base: second, Index: k, Scale: 4}, b)
		c.MOVQ(first, Mem{Base: out})
		c.MOVQ(b, Mem{Base: out, Disp: 8})
	} else {
		c.MOVL(Mem{Base: second, Index: k, Scale: 4}, b.As32())
		c.MOVL(first.As32(), Mem{Base: out})
		c.MOVL(b.As32(), Mem{Base: out, Disp: 4})
	}
	c.ADDQ(Imm(uint64(pair)), out)
	c.ANDQ(less, m)
	c.JNZ(LabelRef("bit"))
	c.Label("next")
	c.ADDQ(U32(8*64), rows)
	c.ADDQ(U32(4*64), second)
	c.DECQ(left)
	c.JNZ(LabelRef("word"))
	c.Label("done")
	begun := c.Load(c.Param("out").Base(), c.GP64())
	c.SUBQ(begun, out)
	if wide {
		c.SHRQ(Imm(4), out)
	} else {
		c.SHRQ(Imm(3), out)
	}
	c.Store(out, c.ReturnIndex(0))
	c.RET()
}

package main

import (
	"github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

const (
	recordBytes = 16
	recordMask  = 8  // offset of the mask
	mostRecords = 32 // how many records are looked at at once: their rows are in the first-level cache
)

// expands writes Expand.
func expands(c *build.Context) {
	lanesOfMask(c, "expandLanes")
	for _, sort := range []bool{true, false} {
		name, doc := "expand256", "expand256 is Expand without sort."
		if sort {
			name, doc = "expandSorted256", "expandSorted256 is Expand with sort."
		}
		begin(c, name, doc, "func(records []Record, a, b []int32, out [][2]int32) (read, n int)", 0)
		x := &expander{Context: c, sort: sort}
		x.kernel()
	}
}

// expander goes through some records twice, without a branch on their masks: first it notes the
// rows of masks that have a bit, then it writes eight pairs for each of these, of which the first
// so many count.
type expander struct {
	*build.Context
	sort          bool
	batch         reg.Register  // the first record of those looked at
	size, rows, n reg.GPVirtual // how many they are, how many rows of theirs have a bit, pairs written
	queue         Mem           // those rows: eight times the number of the record, and that of the row
}

func (x *expander) kernel() {
	x.queue = x.AllocLocal(4 * (mostRecords*8 + 8))
	x.batch = x.Load(x.Param("records").Base(), x.GP64())
	x.size, x.rows, x.n = x.GP64(), x.GP64(), x.GP64()
	x.XORQ(x.n, x.n)
	x.Label("batch")
	x.measure()
	x.note()
	x.write()
	x.SHLQ(Imm(4), x.size)
	x.ADDQ(x.size, x.batch)
	x.JMP(LabelRef("batch"))
	x.Label("done")
	begin := x.Load(x.Param("records").Base(), x.GP64())
	x.SUBQ(begin, x.batch)
	x.SHRQ(Imm(4), x.batch)
	x.VZEROUPPER()
	x.Store(x.batch, x.ReturnIndex(0))
	x.Store(x.n, x.ReturnIndex(1))
	x.RET()
}

// measure sets size to the number of records that are left, that fit in any case, and that are
// looked at at once; it leaves where that is none.
func (x *expander) measure() {
	left, begin, most := x.GP64(), x.GP64(), x.GP64()
	x.Load(x.Param("records").Len(), left)
	x.Load(x.Param("records").Base(), begin)
	x.SUBQ(x.batch, begin)
	x.SARQ(Imm(4), begin)
	x.ADDQ(begin, left)
	x.Load(x.Param("out").Len(), x.size)
	x.SUBQ(x.n, x.size)
	x.SUBQ(Imm(8), x.size)
	x.SARQ(Imm(6), x.size)
	x.CMPQ(x.size, left)
	x.CMOVQGT(left, x.size)
	x.MOVQ(U32(mostRecords), most)
	x.CMPQ(x.size, most)
	x.CMOVQGT(most, x.size)
	x.TESTQ(x.size, x.size)
	x.JLE(LabelRef("done"))
}

// note writes the rows that have a bit to the queue.
func (x *expander) note() {
	table, at, left := address(x.Context, "expandLanes"), x.GP64(), x.GP64()
	none, step, first := zero(x.Context, 256), x.YMM(), zero(x.Context, 256)
	x.VPCMPEQD(step, step, step) // eight in all lanes: ones, shifted
	x.VPSRLD(Imm(31), step, step)
	x.VPSLLD(Imm(3), step, step)
	x.MOVQ(x.batch, at)
	x.MOVQ(x.size, left)
	x.XORQ(x.rows, x.rows)
	x.Label("note")
	mask, some, list := x.XMM(), x.GP32(), x.YMM()
	x.VMOVQ(Mem{Base: at, Disp: recordMask}, mask)
	x.VPCMPEQB(none.AsX(), mask, mask)
	x.VPMOVMSKB(mask, some)
	x.NOTL(some)
	x.ANDL(U32(0xff), some)
	x.VPMOVZXBD(Mem{Base: table, Index: some.As64(), Scale: 8}, list)
	x.VPADDD(first, list, list)
	x.VMOVDQU(list, x.queue.Idx(x.rows, 4))
	x.VPADDD(step, first, first)
	x.POPCNTL(some, some)
	x.ADDQ(some.As64(), x.rows)
	x.ADDQ(Imm(recordBytes), at)
	x.DECQ(left)
	x.JNZ(LabelRef("note"))
}

// write writes the pairs of the rows of the queue.
func (x *expander) write() {
	table, k := address(x.Context, "expandLanes"), x.GP64()
	a := x.Load(x.Param("a").Base(), x.GP64())
	b := x.Load(x.Param("b").Base(), x.GP64())
	out := x.Load(x.Param("out").Base(), x.GP64())
	x.XORQ(k, k)
	x.TESTQ(x.rows, x.rows)
	x.JZ(LabelRef("written"))
	x.Label("row")
	row, record, block, mask := x.GP64(), x.GP64(), x.GP64(), x.GP64()
	x.MOVL(x.queue.Idx(k, 4), row.As32())
	x.MOVQ(row, record)
	x.ANDL(Imm(7), row.As32())
	x.SHRQ(Imm(3), record)
	x.SHLQ(Imm(4), record)
	x.ADDQ(x.batch, record)
	x.MOVBLZX(Mem{Base: record, Index: row, Scale: 1, Disp: recordMask}, mask.As32())
	x.MOVLQSX(Mem{Base: record}, block)
	x.LEAQ(Mem{Base: row, Index: block, Scale: 8}, row)
	first, second, order := x.YMM(), x.YMM(), x.YMM()
	x.VPBROADCASTD(Mem{Base: a, Index: row, Scale: 4}, first)
	x.MOVLQSX(Mem{Base: record, Disp: 4}, block)
	x.SHLQ(Imm(5), block)
	x.VPMOVZXBD(Mem{Base: table, Index: mask, Scale: 8}, order)
	x.VPERMD(Mem{Base: b, Index: block, Scale: 1}, order, second)
	if x.sort {
		least := x.YMM()
		x.VPMINSD(first, second, least)
		x.VPMAXSD(first, second, second)
		first = least
	}
	// Unpacking interleaves within halves of 128 bits: pairs 0 1 4 5 and 2 3 6 7.
	low, high := x.YMM(), x.YMM()
	x.VPUNPCKLDQ(second, first, low)
	x.VPUNPCKHDQ(second, first, high)
	x.VINSERTI128(Imm(1), high.AsX(), low, first)
	x.VPERM2I128(Imm(0x31), high, low, second)
	x.VMOVDQU(first, Mem{Base: out, Index: x.n, Scale: 8})
	x.VMOVDQU(second, Mem{Base: out, Index: x.n, Scale: 8, Disp: 32})
	x.POPCNTL(mask.As32(), mask.As32())
	x.ADDQ(mask, x.n)
	x.INCQ(k)
	x.CMPQ(k, x.rows)
	x.JLT(LabelRef("row"))
	x.Label("written")
}

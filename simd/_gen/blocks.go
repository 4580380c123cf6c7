package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Rows of a block are 32 bytes apart; a block, its rows of vertices apart, is twelve of them.
const (
	rowBytes   = 32
	blockBytes = 12 * rowBytes
)

// blocks writes the kernels on blocks of eight boxes: a row is one register of 256 bits at both
// levels.
func blocks(c *build.Context) {
	for width := 1; width <= 3; width++ {
		joinBlocks(c, width)
	}
	meetBlocks(c)
	for _, w := range []int{512, 256} {
		cross(c, "VF", w, 1, 3)
		cross(c, "EE", w, 2, 2)
	}
}

// joinBlocks loads eight records, turns rows into columns, and stores: floats 0 to 7 of the records
// first, then 4 to 11, of which the last four are wanted.
func joinBlocks(c *build.Context, width int) {
	name := "joinBlocks" + ofWidth(width) + "256"
	begin(c, name, fmt.Sprintf("%s is JoinBlocks for primitives of %d vertices.", name, width),
		"func(rec []float32, ids []int32, blocks []float32)", attr.NOSPLIT)
	c.StaticGlobal(fmt.Sprintf("unused%d", width))
	c.DataAttributes(attr.RODATA | attr.NOPTR)
	for k := range 16 {
		c.AddDatum(4*k, U32(0x7f800000)) // +Inf: hi is stored as its negative
	}
	rec := c.Load(c.Param("rec").Base(), c.GP64())
	ids := c.Load(c.Param("ids").Base(), c.GP64())
	out := c.Load(c.Param("blocks").Base(), c.GP64())
	end := c.Load(c.Param("blocks").Len(), c.GP64())
	c.SHLQ(Imm(2), end)
	c.ADDQ(out, end)
	unused := c.GP64()
	c.LEAQ(NewDataAddr(NewStaticSymbol(fmt.Sprintf("unused%d", width)), 0), unused)
	sign, word := c.YMM(), c.GP32()
	c.MOVL(U32(0x80000000), word)
	c.VMOVD(word, sign.AsX())
	c.VPBROADCASTD(sign.AsX(), sign)

	c.Label("loop")
	for _, half := range []int{0, 4} {
		var r [8]reg.VecVirtual
		for lane := range r {
			r[lane] = c.YMM()
			for w := range width {
				p := c.GP64()
				c.MOVLQSX(Mem{Base: ids, Disp: rowBytes*w + 4*lane}, p)
				c.SHLQ(Imm(6), p)
				from := c.GP64()
				c.LEAQ(Mem{Base: rec, Index: p, Scale: 1}, from)
				c.TESTQ(p, p)
				c.CMOVQMI(unused, from)
				if w == 0 {
					c.VMOVUPS(Mem{Base: from, Disp: 4 * half}, r[lane])
					continue
				}
				s := c.YMM()
				c.VMOVUPS(Mem{Base: from, Disp: 4 * half}, s)
				// Of equal numbers the earlier is taken, as in the reference implementation.
				c.VMINPS(r[lane], s, r[lane])
			}
		}
		transpose(c, &r)
		for k := range r {
			row := half + k
			if half == 4 && row < 8 {
				continue
			}
			if row >= 6 {
				c.VXORPS(sign, r[k], r[k])
			}
			c.VMOVUPS(r[k], Mem{Base: out, Disp: rowBytes * row})
		}
	}
	c.ADDQ(U32(rowBytes*width), ids)
	c.ADDQ(U32(blockBytes), out)
	c.CMPQ(out, end)
	c.JB(LabelRef("loop"))
	c.VZEROUPPER()
	c.RET()
}

// transpose makes column k of eight registers of floats register k.
func transpose(c *build.Context, r *[8]reg.VecVirtual) {
	for i := 0; i < 8; i += 2 {
		lo := c.YMM()
		c.VUNPCKLPS(r[i+1], r[i], lo)
		c.VUNPCKHPS(r[i+1], r[i], r[i+1])
		r[i] = lo
	}
	for _, i := range []int{0, 1, 4, 5} {
		lo := c.YMM()
		c.VSHUFPS(Imm(0x44), r[i+2], r[i], lo)
		c.VSHUFPS(Imm(0xee), r[i+2], r[i], r[i+2])
		r[i] = lo
	}
	// r[0], r[2], r[1], r[3] hold columns 0 to 3 of the rows 0 to 3 (and 4 to 7 in the upper
	// halves), r[4..7] those of rows 4 to 7.
	for i := range 4 {
		lo := c.YMM()
		c.VPERM2F128(Imm(0x20), r[i+4], r[i], lo)
		c.VPERM2F128(Imm(0x31), r[i+4], r[i], r[i+4])
		r[i] = lo
	}
	r[1], r[2] = r[2], r[1]
	r[5], r[6] = r[6], r[5]
}

// boxQuery is a box in every lane of twelve registers.
type boxQuery [12]reg.VecVirtual

// spread loads a box whose rows are stride bytes apart.
func spread(c *build.Context, q *boxQuery, base, index reg.Register, disp, stride int) {
	for k := range q {
		m := Mem{Base: base, Disp: disp + stride*k}
		if index != nil {
			m.Index, m.Scale = index, 4
		}
		c.VBROADCASTSS(m, q[k])
	}
}

func newBoxQuery(c *build.Context) *boxQuery {
	q := new(boxQuery)
	for k := range q {
		q[k] = c.YMM()
	}
	return q
}

// apart sets the lanes of the block at base whose boxes are apart from q.
func apart(c *build.Context, q *boxQuery, base reg.Register) reg.VecVirtual {
	acc, s, t := c.YMM(), c.YMM(), c.YMM()
	row := func(k int) Mem { return Mem{Base: base, Disp: rowBytes * k} }
	for k := range 3 {
		for side := range 2 {
			to := t
			if k == 0 && side == 0 {
				to = acc
			}
			if side == 0 { // the block's lo above q's hi
				c.VCMPPS(ltOQ, row(k), q[6+k], to)
				c.VCMPPS(ltOQ, row(3+k), q[9+k], s)
			} else {
				c.VCMPPS(gtOQ, row(6+k), q[k], to)
				c.VCMPPS(gtOQ, row(9+k), q[3+k], s)
			}
			c.VANDPS(s, to, to)
			if to != acc {
				c.VORPS(to, acc, acc)
			}
		}
	}
	return acc
}

// rest returns the lanes that are not set, as bits.
func rest(c *build.Context, v reg.VecVirtual, m reg.GPVirtual) {
	c.VMOVMSKPS(v, m)
	c.XORL(U32(0xff), m)
}

func meetBlocks(c *build.Context) {
	begin(c, "meetBlocks256", "meetBlocks256 is MeetBlocks.", "func(a, b *[96]float32, masks *[8]uint8)", attr.NOSPLIT)
	a := c.Load(c.Param("a"), c.GP64())
	b := c.Load(c.Param("b"), c.GP64())
	out := c.Load(c.Param("masks"), c.GP64())
	i, m := c.GP64(), c.GP32()
	q := newBoxQuery(c)
	c.XORQ(i, i)
	c.Label("loop")
	spread(c, q, a, i, 0, rowBytes)
	rest(c, apart(c, q, b), m)
	c.MOVB(m.As8(), Mem{Base: out, Index: i, Scale: 1})
	c.INCQ(i)
	c.CMPQ(i, Imm(8))
	c.JLT(LabelRef("loop"))
	c.VZEROUPPER()
	c.RET()
}

// ofWidth returns how names of kernels tell primitives of so many vertices apart: vertices, edges
// and faces.
func ofWidth(width int) string { return []string{1: "V", 2: "E", 3: "F"}[width] }

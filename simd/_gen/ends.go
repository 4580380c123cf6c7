package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// ends writes JoinEnds for primitives of one, two and three vertices: the records of eight
// primitives are joined into rows on the stack, and the rows turned into columns.
func ends(c *build.Context) {
	for width := 1; width <= 3; width++ {
		name := "joinEnds" + ofWidth(width) + "256"
		begin(c, name, fmt.Sprintf("%s is JoinEnds for primitives of %d vertices.", name, width),
			"func(rec []float32, verts []int32, ids []int32, l *SweepList)", 0)
		endsKernel(c, width, false)
	}
	for width := 1; width <= 3; width++ {
		name := "joinRest" + ofWidth(width) + "256"
		begin(c, name, fmt.Sprintf("%s is JoinEnds for primitives of %d vertices at rest.", name, width),
			"func(rec []float32, verts []int32, ids []int32, l *SweepList)", 0)
		endsKernel(c, width, true)
	}
}

// halfBytes is half a record, of which six floats count, padded to a register.
const halfBytes = 32

func endsKernel(c *build.Context, width int, rest bool) {
	// The last row is longer, since registers are read from its middle.
	low, high := c.AllocLocal(8*halfBytes), c.AllocLocal(8*halfBytes+16)
	rec := c.Load(c.Param("rec").Base(), c.GP64())
	ids := c.Load(c.Param("ids").Base(), c.GP64())
	i, row, to := c.GP64(), c.GP64(), c.GP64()
	c.XORQ(i, i)

	c.Label("group")
	c.XORQ(row, row)
	c.LEAQ(low, to)
	c.Label("rows")
	fetchAhead(c, width, rec, ids, i)
	if rest {
		joinRow(c, width, rec, ids, i, to, 0)
	} else {
		joinRow(c, width, rec, ids, i, to, high.Disp-low.Disp)
	}
	c.INCQ(i)
	c.ADDQ(Imm(halfBytes), to)
	c.INCQ(row)
	c.CMPQ(row, Imm(8))
	c.JLT(LabelRef("rows"))

	if rest {
		writeRest(c, i, low)
	} else {
		writeColumns(c, i, low, high)
	}
	n := c.GP64()
	c.Load(c.Param("ids").Len(), n)
	c.CMPQ(i, n)
	c.JLT(LabelRef("group"))
	c.VZEROUPPER()
	c.RET()
}

// joinRow writes the halves of the record of primitive i, and its vertices to their columns. Beyond
// the last primitive it takes that one again: the columns have room. The second half is so many
// bytes apart from the first; 0: a row has the first end of both, in its two halves.
func joinRow(c *build.Context, width int, rec, ids, i, to reg.Register, apart int) {
	last, id, l := c.GP64(), c.GP64(), c.GP64()
	c.Load(c.Param("ids").Len(), last)
	c.DECQ(last)
	c.CMPQ(i, last)
	c.CMOVQLT(i, last)
	c.MOVLQSX(Mem{Base: ids, Index: last, Scale: 4}, id)
	c.Load(c.Param("l"), l)
	var vert [3]reg.GPVirtual
	if width == 1 {
		vert[0] = id
	} else {
		verts := vertsOf(c, width, id)
		for k := range width {
			vert[k] = c.GP64()
			c.MOVLQSX(Mem{Base: verts, Disp: 4 * k}, vert[k])
		}
	}
	for k := range 3 {
		p := c.GP64()
		c.MOVQ(Mem{Base: l, Disp: listVert + 24*k}, p)
		c.MOVL(vert[min(k, width-1)].As32(), Mem{Base: p, Index: i, Scale: 4})
	}
	a, b := c.YMM(), c.YMM()
	for k := range width {
		c.SHLQ(Imm(6), vert[k])
		m := Mem{Base: rec, Index: vert[k], Scale: 1}
		if apart == 0 {
			v := a
			if k > 0 {
				v = b
			}
			c.VMOVUPS(m, v.AsX())
			c.VINSERTF128(Imm(1), m.Offset(24), v, v)
			if k > 0 {
				c.VMINPS(b, a, a)
			}
			continue
		}
		if k == 0 {
			c.VMOVUPS(m, a)
			c.VMOVUPS(m.Offset(24), b)
			continue
		}
		c.VMINPS(m, a, a)
		c.VMINPS(m.Offset(24), b, b)
	}
	c.VMOVUPS(a, Mem{Base: to})
	if apart != 0 {
		c.VMOVUPS(b, Mem{Base: to, Disp: apart})
	}
}

// writeColumns writes the columns of the eight primitives before i from their rows: lo at both ends
// in the low halves, -hi in the high ones, three axes each.
func writeColumns(c *build.Context, i reg.Register, low, high Mem) {
	write := columnWriter(c, i)
	first := [3]int{endX, endY, endZ}
	lo := rowColumns(c, low, 0, 1, 2, 3, 4, 5)
	for axis := range 3 {
		write(lo[axis], first[axis])
		write(lo[3+axis], first[axis]+1)
		c.VMINPS(lo[axis], lo[3+axis], lo[axis])
		write(lo[axis], endMinX+axis)
	}
	hi := rowColumns(c, high, 0, 1, 2, 3, 4, 5)
	sign := signs32(c)
	for axis := range 3 {
		c.VXORPS(sign, hi[axis], hi[axis])
		c.VXORPS(sign, hi[3+axis], hi[3+axis])
		write(hi[axis], first[axis]+2)
		write(hi[3+axis], first[axis]+3)
	}
	c.VMAXPS(hi[0], hi[3], sign)
	write(sign, endMaxX)
}

// writeRest writes the columns of boxes at rest that a sweep reads, from rows with lo in their low
// halves and -hi in the high ones.
func writeRest(c *build.Context, i reg.Register, rows Mem) {
	write := columnWriter(c, i)
	ends := rowColumns(c, rows, 0, 1, 2, 4, 5, 6)
	sign := signs32(c)
	for axis, column := range [3]int{endMaxX, endY + 2, endZ + 2} {
		write(ends[axis], endMinX+axis)
		c.VXORPS(sign, ends[3+axis], ends[3+axis])
		write(ends[3+axis], column)
	}
}

// signs32 returns the sign bit of floats in every lane.
func signs32(c *build.Context) reg.VecVirtual {
	sign := c.YMM()
	c.VPCMPEQD(sign, sign, sign)
	c.VPSLLD(Imm(31), sign, sign)
	return sign
}

// columnWriter returns a function that writes a register to a column, for the eight primitives
// before i.
func columnWriter(c *build.Context, i reg.Register) func(v reg.VecVirtual, column int) {
	at, eighth := c.GP64(), c.GP64()
	stride := map[int]reg.GPVirtual{}
	for _, k := range []int{1, 3, 5, 7} {
		stride[k] = c.GP64()
	}
	l := c.Load(c.Param("l"), c.GP64())
	c.MOVQ(Mem{Base: l, Disp: listEnds}, at)
	c.LEAQ(Mem{Base: at, Index: i, Scale: 4, Disp: -32}, at)
	c.MOVQ(Mem{Base: l, Disp: listStride}, stride[1])
	c.SHLQ(Imm(2), stride[1])
	for _, k := range []int{3, 5, 7} {
		c.LEAQ(Mem{Base: stride[k-2], Index: stride[1], Scale: 2}, stride[k])
	}
	c.LEAQ(Mem{Base: at, Index: stride[1], Scale: 8}, eighth)
	return func(v reg.VecVirtual, column int) {
		m := Mem{Base: at}
		if column >= 8 {
			m.Base = eighth
		}
		switch k := column % 8; k {
		case 0:
		case 2, 4:
			m.Index, m.Scale = stride[1], uint8(k)
		case 6:
			m.Index, m.Scale = stride[3], 2
		default:
			m.Index, m.Scale = stride[k], 1
		}
		c.VMOVUPS(v, m)
	}
}

// rowColumns turns eight rows into some of their columns, two pairs of neighbors or more: rows q
// and q + 4 share registers, so that the rest are steps within halves of 128 bits.
func rowColumns(c *build.Context, rows Mem, columns ...int) (out []reg.VecVirtual) {
	var r [4]reg.VecVirtual
	var a, b reg.VecVirtual
	four, two := -1, -1
	for _, k := range columns {
		if k/4 != four {
			four, two = k/4, -1
			for q := range r {
				r[q] = c.YMM()
				m := rows.Offset(halfBytes*q + 16*four)
				c.VMOVUPS(m, r[q]) // the upper half is about to be overwritten
				c.VINSERTF128(Imm(1), m.Offset(4*halfBytes), r[q], r[q])
			}
		}
		if k/2 != two {
			two = k / 2
			a, b = c.YMM(), c.YMM()
			if two%2 == 0 {
				c.VUNPCKLPS(r[1], r[0], a)
				c.VUNPCKLPS(r[3], r[2], b)
			} else {
				c.VUNPCKHPS(r[1], r[0], a)
				c.VUNPCKHPS(r[3], r[2], b)
			}
		}
		v := c.YMM()
		c.VSHUFPS(Imm([2]uint64{0x44, 0xee}[k%2]), b, a, v)
		out = append(out, v)
	}
	return out
}

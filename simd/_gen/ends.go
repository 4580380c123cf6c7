package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// ends writes JoinEnds for primitives of one, two and three vertices: the records of eight primitives are joined into rows on
// the stack, and the rows turned into columns.
func ends(c *build.Context) {
	for width := 1; width <= 3; width++ {
		name := fmt.Sprintf("joinEnds%d", width)
		begin(c, name, fmt.Sprintf("%s is JoinEnds for primitives of %d vertices.", name, width),
			"func(rec []float32, verts []int32, ids []int32, l *byte)", 0)
		endsKernel(c, width)
	}
}

// halfBytes is half a record, of which six floats count, padded to a register.
const halfBytes = 32

func endsKernel(c *build.Context, width int) {
	low, high := c.AllocLocal(8*halfBytes), c.AllocLocal(8*halfBytes+16) // registers are read from the middle of the last row
	rec := c.Load(c.Param("rec").Base(), c.GP64())
	ids := c.Load(c.Param("ids").Base(), c.GP64())
	i, row, to := c.GP64(), c.GP64(), c.GP64()
	c.XORQ(i, i)

	c.Label("group")
	c.XORQ(row, row)
	c.LEAQ(low, to)
	c.Label("rows")
	fetchAhead(c, width, rec, ids, i)
	joinRow(c, width, rec, ids, i, to, high.Disp-low.Disp)
	c.INCQ(i)
	c.ADDQ(Imm(halfBytes), to)
	c.INCQ(row)
	c.CMPQ(row, Imm(8))
	c.JLT(LabelRef("rows"))

	writeColumns(c, i, low, high)
	n := c.GP64()
	c.Load(c.Param("ids").Len(), n)
	c.CMPQ(i, n)
	c.JLT(LabelRef("group"))
	c.VZEROUPPER()
	c.RET()
}

// joinRow writes the halves of the record of primitive i, and its vertices to their columns. Beyond the last primitive it
// takes that one again: the columns have room.
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
		if k == 0 {
			c.VMOVUPS(m, a)
			c.VMOVUPS(m.Offset(24), b)
			continue
		}
		c.VMINPS(m, a, a)
		c.VMINPS(m.Offset(24), b, b)
	}
	c.VMOVUPS(a, Mem{Base: to})
	c.VMOVUPS(b, Mem{Base: to, Disp: apart})
}

// writeColumns writes the columns of the eight primitives before i from their rows: lo at both ends in the low halves, -hi in the
// high ones, three axes each.
func writeColumns(c *build.Context, i reg.Register, low, high Mem) {
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
	write := func(v reg.VecVirtual, column int) {
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
	first := [3]int{endX, endY, endZ}
	lo := sixColumns(c, low)
	for axis := range 3 {
		write(lo[axis], first[axis])
		write(lo[3+axis], first[axis]+1)
		c.VMINPS(lo[axis], lo[3+axis], lo[axis])
		write(lo[axis], endMinX+axis)
	}
	hi := sixColumns(c, high)
	sign := c.YMM()
	c.VPCMPEQD(sign, sign, sign)
	c.VPSLLD(Imm(31), sign, sign)
	for axis := range 3 {
		c.VXORPS(sign, hi[axis], hi[axis])
		c.VXORPS(sign, hi[3+axis], hi[3+axis])
		write(hi[axis], first[axis]+2)
		write(hi[3+axis], first[axis]+3)
	}
	c.VMAXPS(hi[0], hi[3], sign)
	write(sign, endMaxX)
}

// sixColumns turns eight rows into their first six columns: rows q and q + 4 share registers, so that the rest are steps
// within halves of 128 bits.
func sixColumns(c *build.Context, rows Mem) (out [6]reg.VecVirtual) {
	for first := 0; first < 6; first += 4 {
		var r [4]reg.VecVirtual
		for q := range r {
			r[q] = c.YMM()
			m := rows.Offset(halfBytes*q + 4*first)
			c.VMOVUPS(m, r[q]) // the upper half is about to be overwritten
			c.VINSERTF128(Imm(1), m.Offset(4*halfBytes), r[q], r[q])
		}
		for half := 0; half < min(4, 6-first); half += 2 {
			a, b := c.YMM(), c.YMM()
			if half == 0 {
				c.VUNPCKLPS(r[1], r[0], a)
				c.VUNPCKLPS(r[3], r[2], b)
			} else {
				c.VUNPCKHPS(r[1], r[0], a)
				c.VUNPCKHPS(r[3], r[2], b)
			}
			out[first+half], out[first+half+1] = c.YMM(), c.YMM()
			c.VSHUFPS(Imm(0x44), b, a, out[first+half])
			c.VSHUFPS(Imm(0xee), b, a, out[first+half+1])
		}
	}
	return out
}

package main

import (
	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// filter32 writes the kernels of linear.Filter32VF and linear.Filter32EE: those of filter.go in
// single precision.
func filter32(c *build.Context) {
	rowPlaces(c)
	filters(c, true)
}

// rowPlaces writes a table: where the row of each lane of 512 bits is, in the order of columns32.
func rowPlaces(c *build.Context) {
	c.StaticGlobal("rowPlaces")
	c.DataAttributes(attr.RODATA | attr.NOPTR)
	for q := range 16 {
		c.AddDatum(4*q, U32(32*(q&3<<1|q>>2&1|q&8)))
	}
}

// rows32 is rows in single precision: rows of 32 bytes, of w/32 lanes, in an order that columns32
// puts right.
func (l *list) rows32(kind string, to Mem) {
	c, lanes := l.c, l.lanes
	rec := c.Load(c.Param("rec").Base(), c.GP64())
	idx := c.Load(c.Param("idx").Base(), c.GP64())
	q, at := c.GP64(), c.GP64()
	c.XORQ(q, q)
	c.XORQ(at, at)
	c.Label("rows")
	t := c.GP64()
	if l.w == 512 {
		c.LEAQ(NewDataAddr(NewStaticSymbol("rowPlaces"), 0), t)
		c.MOVLQSX(Mem{Base: t, Index: q, Scale: 4}, at)
	}
	point := l.vertices(idx, t, Mem{Base: l.group, Index: q, Scale: 1})
	for disp := 0; disp < 64; disp += l.w / 8 {
		for k, d := range differences[kind] {
			x := vector(c, l.w)
			c.VMOVUPD(Mem{Base: rec, Index: point[d[0]], Scale: 1, Disp: disp}, x)
			c.VSUBPD(Mem{Base: rec, Index: point[d[1]], Scale: 1, Disp: disp}, x, x)
			row := to.Offset(k*lanes*32 + disp/2)
			row.Index, row.Scale = at, 1
			if l.w == 512 {
				c.VCVTPD2PS(x, x.AsY())
				c.VMOVUPS(x.AsY(), row)
			} else {
				c.VCVTPD2PSY(x, x.AsX())
				c.VMOVUPS(x.AsX(), row)
			}
		}
	}
	if l.w == 256 {
		c.ADDQ(Imm(32), at)
	}
	c.INCQ(q)
	c.CMPQ(q, Imm(uint64(lanes)))
	c.JLT(LabelRef("rows"))
}

// columns32 turns the rows of one vector into its components, one query per lane, at both ends.
func (p *program) columns32(rows Mem) motion3 {
	var at [2][3]value // {end 0, end 1, ...}: quarters of four queries each
	for h := range 2 {
		row := func(i int) value { return p.load(rows.Offset((4*h + i) * p.bytes())) }
		a, b, c, d := row(0), row(1), row(2), row(3)
		xy0, xy1 := p.binary(p.c.VUNPCKLPS, a, b), p.binary(p.c.VUNPCKLPS, c, d) // x x y y of two rows each
		z0, z1 := p.binary(p.c.VUNPCKHPS, a, b), p.binary(p.c.VUNPCKHPS, c, d)
		at[h] = [3]value{p.binary(p.c.VUNPCKLPD, xy0, xy1), p.binary(p.c.VUNPCKHPD, xy0, xy1),
			p.binary(p.c.VUNPCKLPD, z0, z1)}
	}
	var m motion3
	for end := range m {
		for k := range 3 {
			if p.w == 256 {
				m[end][k] = p.shuffle(func(o ...Op) {
					p.c.VPERM2F128(o[0], o[1], o[2], o[3])
				}, []uint64{0x20, 0x31}[end], at[0][k], at[1][k])
			} else {
				m[end][k] = p.shuffle(p.c.VSHUFF32X4, []uint64{0x88, 0xdd}[end], at[0][k], at[1][k])
			}
		}
	}
	return m
}

// write32 is write for numbers in single precision. Registers of 512 bits compress the positions.
func (l *list) write32(alive reg.Register, label string) {
	if l.w == 256 {
		l.write(alive, label)
		return
	}
	c := l.c
	left, mask, count := c.GP64(), c.GP64(), c.GP64()
	c.MOVQ(l.last, left) // how many of the lanes are queries
	c.SUBQ(l.group, left)
	c.INCQ(left)
	most := c.GP64()
	c.MOVQ(U32(16), most)
	c.CMPQ(left, most)
	c.CMOVQGT(most, left)
	c.MOVQ(U32(1), mask)
	c.SHLXQ(left, mask, mask)
	c.DECQ(mask)
	lanesOf, kept, first := c.K(), c.K(), c.K()
	c.KMOVW(mask.As32(), lanesOf)
	c.ANDL(mask.As32(), alive)
	c.KMOVW(alive, kept)
	c.POPCNTL(alive, count.As32())
	c.MOVQ(U32(1), mask)
	c.SHLXQ(count, mask, mask)
	c.DECQ(mask)
	c.KMOVW(mask.As32(), first)
	x := c.ZMM()
	c.VMOVDQU32_Z(Mem{Base: l.in, Index: l.group, Scale: 4}, lanesOf, x)
	c.VPCOMPRESSD_Z(x, kept, x)
	c.VMOVDQU32(x, first, Mem{Base: l.out, Index: l.survivor, Scale: 4})
	c.ADDQ(count, l.survivor)
	c.ADDQ(Imm(16), l.group)
	c.CMPQ(l.group, l.last)
	c.JLE(LabelRef(label))
}

package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Offsets in box.CellGrid and box.CellRange; TestCellLayout holds them.
const (
	gridLo  = 0
	gridInv = 8
	gridMax = 16

	rangeX0   = 0
	rangeX1   = 4
	rangeLo   = 8
	rangeSize = 16
)

// cells writes CellRanges for primitives of one, two and three vertices.
func cells(c *build.Context) {
	for width := 1; width <= 3; width++ {
		name := "cellRanges" + ofWidth(width) + "256"
		begin(c, name, fmt.Sprintf("%s is CellRanges for primitives of %d vertices.", name, width),
			"func(rec []float32, verts []int32, grid *CellGrid, out *CellRange, n int)", attr.NOSPLIT)
		cellsKernel(c, width)
	}
}

func cellsKernel(c *build.Context, width int) {
	rec := c.Load(c.Param("rec").Base(), c.GP64())
	verts := c.Load(c.Param("verts").Base(), c.GP64())
	g := c.Load(c.Param("grid"), c.GP64())
	out := c.Load(c.Param("out"), c.GP64())
	n := c.Load(c.Param("n"), c.GP64())
	// Lanes: y and z of the lower ends, y and z of the upper ends.
	lo, inv, most, zero := c.XMM(), c.XMM(), c.XMM(), c.XMM()
	c.VPBROADCASTQ(Mem{Base: g, Disp: gridLo}, lo)
	c.VPBROADCASTQ(Mem{Base: g, Disp: gridInv}, inv)
	c.VPBROADCASTQ(Mem{Base: g, Disp: gridMax}, most)
	c.VXORPS(zero, zero, zero)
	sign, swap := c.YMM(), c.YMM()
	otherEnd(c, sign, swap)

	c.Label("loop")
	if width > 1 {
		c.CMPQ(n, Imm(recordsAhead))
		c.JLE(LabelRef("fetched"))
		for k := range width {
			v := c.GP64()
			c.MOVLQSX(Mem{Base: verts, Disp: 4 * (width*recordsAhead + k)}, v)
			fetchRecord(c, rec, v)
		}
		c.Label("fetched")
	}
	var line [3]reg.GPVirtual
	for k := range width {
		line[k] = c.GP64()
		if width == 1 {
			c.MOVQ(rec, line[k])
			continue
		}
		c.MOVLQSX(Mem{Base: verts, Disp: 4 * k}, line[k])
		c.SHLQ(Imm(6), line[k])
		c.ADDQ(rec, line[k])
	}
	low, _ := joined(c, line[:width], 0, swap)
	high, _ := joined(c, line[:width], 24, swap)
	c.VXORPS(sign, high, high)
	c.VMOVSS(low.AsX(), Mem{Base: out, Disp: rangeX0})
	c.VMOVSS(high.AsX(), Mem{Base: out, Disp: rangeX1})
	v := c.XMM()
	c.VSHUFPS(Imm(1|2<<2|1<<4|2<<6), high.AsX(), low.AsX(), v)
	c.VSUBPS(lo, v, v)
	c.VMULPS(inv, v, v)
	c.VMAXPS(zero, v, v)
	c.VMINPS(most, v, v)
	c.VCVTTPS2DQ(v, v)
	c.VPACKUSDW(v, v, v)
	c.VMOVQ(v, Mem{Base: out, Disp: rangeLo})
	if width == 1 {
		c.ADDQ(Imm(64), rec)
	} else {
		c.ADDQ(Imm(uint64(4*width)), verts)
	}
	c.ADDQ(Imm(rangeSize), out)
	c.DECQ(n)
	c.JNZ(LabelRef("loop"))
	c.VZEROUPPER()
	c.RET()
}

// joined returns the minimum over both ends, in the lowest three lanes, of half the record (from
// disp on) of a primitive whose vertices have the given lines; and that half itself, both ends in
// six lanes.
func joined(c *build.Context, line []reg.GPVirtual, disp int, swap reg.VecVirtual) (hull, half reg.VecVirtual) {
	half, hull = c.YMM(), c.YMM()
	c.VMOVUPS(Mem{Base: line[0], Disp: disp}, half)
	for _, o := range line[1:] {
		c.VMINPS(Mem{Base: o, Disp: disp}, half, half)
	}
	c.VPERMPS(half, swap, hull)
	c.VMINPS(hull, half, hull)
	return hull, half
}

// otherEnd sets the constants of joined: the sign bits, and the order that brings the other end's
// lanes 3, 4, 5 down. The lanes above do not matter.
func otherEnd(c *build.Context, sign, swap reg.VecVirtual) {
	t, pair := c.GP32(), c.GP64()
	c.MOVL(U32(0x80000000), t)
	c.VMOVD(t, sign.AsX())
	c.VPBROADCASTD(sign.AsX(), sign)
	c.MOVQ(U64(4<<32|3), pair)
	c.VMOVQ(pair, swap.AsX())
	c.MOVL(U32(5), t)
	c.VPINSRD(Imm(2), t, swap.AsX(), swap.AsX())
}

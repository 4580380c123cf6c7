package main

import (
	"github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// curved32 writes the kernels of simd.Curved32VF and simd.Curved32EE: those of curved.go in single precision.
func curved32(c *build.Context) {
	rowPlaces(c)
	for _, degree := range []int{2, 3} {
		for _, kind := range []string{"VF", "EE"} {
			for _, w := range []int{512, 256} {
				for _, part := range []bool{false, true} {
					curvedKind(c, kind, degree, w, part, true)
				}
			}
		}
	}
}

// controls32 is controls in single precision: rows of two control points, of w/32 lanes, in an order that columns32 puts right.
func (l *list) controls32(kind string, degree int, to Mem) {
	c := l.c
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
	l.query(t, Mem{Base: l.group, Index: q, Scale: 1})
	var point [4]reg.Register
	for k := range point {
		point[k] = c.GP64()
		c.MOVLQSX(Mem{Base: idx, Index: t, Scale: 1, Disp: 4 * k}, point[k])
		c.IMUL3Q(U32(24*(degree+1)), point[k], point[k])
	}
	for v, d := range differences[kind] {
		for i := range degree + 1 {
			x, n := c.YMM(), v*(degree+1)+i
			c.VMOVUPD(Mem{Base: rec, Index: point[d[0]], Scale: 1, Disp: 24 * i}, x)
			c.VSUBPD(Mem{Base: rec, Index: point[d[1]], Scale: 1, Disp: 24 * i}, x, x)
			c.VCVTPD2PSY(x, x.AsX())
			row := to.Offset(n/2*l.w + n%2*16)
			row.Index, row.Scale = at, 1
			c.VMOVUPS(x.AsX(), row)
		}
	}
	if l.w == 256 {
		c.ADDQ(Imm(32), at)
	}
	c.INCQ(q)
	c.CMPQ(q, Imm(uint64(l.lanes)))
	c.JLT(LabelRef("rows"))
}

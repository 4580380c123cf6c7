package main

import (
	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// Offsets in box.VertexMap; TestVertexMapLayout holds them.
const (
	mapC     = 0
	mapScale = 64
	mapT     = 72
	mapGrow  = 80
	mapOrder = 88
)

// vertices writes VertexRecords: both ends are four doubles each, so 256 bits are as wide as a vertex is.
func vertices(c *build.Context) {
	for _, k := range []struct {
		name  string
		until bool
		doc   string
	}{
		{"vertexRecords256", false, "vertexRecords256 is VertexRecords for T = 1."},
		{"vertexRecordsUntil256", true, "vertexRecordsUntil256 is VertexRecords for T < 1."},
	} {
		begin(c, k.name, k.doc, "func(rec []float64, m *VertexMap, out []float32)", attr.NOSPLIT)
		verticesKernel(c, k.until)
	}
}

func verticesKernel(c *build.Context, until bool) {
	rec := c.Load(c.Param("rec").Base(), c.GP64())
	n := c.Load(c.Param("rec").Len(), c.GP64())
	m := c.Load(c.Param("m"), c.GP64())
	out := c.Load(c.Param("out").Base(), c.GP64())
	c.SHRQ(Imm(3), n)
	c0, c1, scale, t := c.YMM(), c.YMM(), c.YMM(), c.YMM()
	c.VMOVUPD(Mem{Base: m, Disp: mapC}, c0)
	c.VMOVUPD(Mem{Base: m, Disp: mapC + 32}, c1)
	c.VBROADCASTSD(Mem{Base: m, Disp: mapScale}, scale)
	c.VBROADCASTSD(Mem{Base: m, Disp: mapT}, t)
	grow, order, sign, part := c.YMM(), c.YMM(), c.YMM(), c.YMM()
	c.VBROADCASTSS(Mem{Base: m, Disp: mapGrow}, grow)
	c.VMOVDQU(Mem{Base: m, Disp: mapOrder}, order)
	word := c.GP32()
	broadcast := func(bits uint32, v Op) {
		x := c.XMM()
		c.MOVL(U32(bits), word)
		c.VMOVD(word, x)
		c.VPBROADCASTD(x, v)
	}
	broadcast(0x80000000, sign)
	broadcast(0x34800000, part) // 2^-22
	zero := c.XMM()
	c.VPXOR(zero, zero, zero)

	c.Label("loop")
	x0, x1, z, e, neg := c.YMM(), c.YMM(), c.YMM(), c.YMM(), c.YMM()
	c.VMOVUPD(Mem{Base: rec}, x0)
	c.VMOVUPD(Mem{Base: rec, Disp: 32}, x1)
	if until {
		c.VSUBPD(x0, x1, x1)
		c.VFMADD213PD(x0, t, x1) // x1 = t x1 + x0
	}
	c.VSUBPD(c0, x0, x0)
	c.VSUBPD(c1, x1, x1)
	c.VMULPD(scale, x0, x0)
	c.VMULPD(scale, x1, x1)
	c.VCVTPD2PSY(x0, x0.AsX())
	c.VCVTPD2PSY(x1, x1.AsX())
	c.VINSERTF128(Imm(1), x1.AsX(), x0, z)
	c.VPERMPS(z, order, z)
	c.VANDNPS(z, sign, e)
	c.VMULPS(part, e, e)
	c.VADDPS(grow, e, e)
	c.VXORPS(sign, z, neg)
	c.VSUBPS(e, z, z)
	c.VSUBPS(e, neg, neg)
	c.VMOVUPS(z, Mem{Base: out})
	c.VMOVUPS(neg, Mem{Base: out, Disp: 24})
	c.VMOVUPS(zero, Mem{Base: out, Disp: 48})
	c.ADDQ(Imm(64), rec)
	c.ADDQ(Imm(64), out)
	c.DECQ(n)
	c.JNZ(LabelRef("loop"))
	c.VZEROUPPER()
	c.RET()
}

package main

import (
	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Offsets in a box.RowMap; TestRowMapLayout holds them.
const (
	rowMapScale = 24
	rowMapGrow  = 32
)

// rows writes StepRows: a vertex at one end is four doubles, so 256 bits are as wide as its box.
func rows(c *build.Context) {
	for _, k := range []struct {
		name, doc string
		both      bool
	}{{"stepRows", "StepRows", true}, {"endRows", "EndRows", false}} {
		for _, grow := range []string{"Grow", ""} {
			name, doc := k.name+grow+"256", map[string]string{"Grow": "Grow > 0", "": "Grow = 0"}[grow]
			begin(c, name, name+" is "+k.doc+" for "+doc+".",
				"func(rec []float64, m *RowMap, rows []float32)", attr.NOSPLIT)
			rowsKernel(c, k.both, grow != "")
		}
	}
}

func rowsKernel(c *build.Context, both, grow bool) {
	rec := c.Load(c.Param("rec").Base(), c.GP64())
	n := c.Load(c.Param("rows").Len(), c.GP64())
	m := c.Load(c.Param("m"), c.GP64())
	out := c.Load(c.Param("rows").Base(), c.GP64())
	c.SHRQ(Imm(3), n)
	center, scale, by := c.YMM(), c.YMM(), c.YMM()
	c.VMOVUPD(Mem{Base: m}, center) // the fourth lane is some number
	c.VBROADCASTSD(Mem{Base: m, Disp: rowMapScale}, scale)
	// Lanes of the row that are negated, and lanes that hold no number.
	sign, none := c.YMM(), zero(c, 256)
	c.VPCMPEQD(sign, sign, sign)
	c.VPSLLD(Imm(31), sign, sign)
	c.VPERM2F128(Imm(0x08), sign, sign, sign)
	x := &sweptPairs{Context: c}
	if grow {
		x.zero, x.one = none, c.YMM()
		c.VPCMPEQQ(x.one, x.one, x.one)
		c.VPSRLQ(Imm(63), x.one, x.one)
		c.VBROADCASTSD(Mem{Base: m, Disp: rowMapGrow}, by)
	}

	c.Label("loop")
	lo, hi, row := c.YMM(), c.YMM(), c.YMM()
	c.VMOVUPD(Mem{Base: rec}, hi)
	if both {
		c.VMINPD(Mem{Base: rec, Disp: 32}, hi, lo)
		c.VMAXPD(Mem{Base: rec, Disp: 32}, hi, hi)
	} else {
		c.VMOVAPD(hi, lo)
	}
	if grow {
		x.inflate(lo, hi, by)
	}
	for _, v := range []reg.VecVirtual{lo, hi} {
		c.VSUBPD(center, v, v)
		c.VMULPD(scale, v, v)
		c.VCVTPD2PSY(v, v.AsX())
	}
	c.VINSERTF128(Imm(1), hi.AsX(), lo, row)
	c.VXORPS(sign, row, row)
	c.VBLENDPS(Imm(0x88), none, row, row)
	c.VMOVUPS(row, Mem{Base: out})
	c.ADDQ(Imm(64), rec)
	c.ADDQ(Imm(rowBytes), out)
	c.DECQ(n)
	c.JNZ(LabelRef("loop"))
	c.VZEROUPPER()
	c.RET()
}

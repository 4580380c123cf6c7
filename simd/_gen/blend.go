package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// blend writes the loops of Blend: weighted sums of rows of eight.
func blend(c *build.Context) {
	for _, w := range []int{512, 256} {
		name := fmt.Sprintf("blend%d", w)
		begin(c, name, name+" is the loop of Blend.", "func(rows, weights *float64, counts *int, n int, out *float64)",
			attr.NOSPLIT)
		blendSums(c, w)
	}
}

func blendSums(c *build.Context, w int) {
	rows := c.Load(c.Param("rows"), c.GP64())
	weights := c.Load(c.Param("weights"), c.GP64())
	counts := c.Load(c.Param("counts"), c.GP64())
	n := c.Load(c.Param("n"), c.GP64())
	out := c.Load(c.Param("out"), c.GP64())
	parts := 512 / w // registers a row
	var even, odd []reg.VecVirtual
	for range parts {
		even, odd = append(even, vector(c, w)), append(odd, vector(c, w))
	}
	factor, term := vector(c, w), vector(c, w)
	left := c.GP64()
	take := func(row int, sums []reg.VecVirtual) {
		c.VBROADCASTSD(Mem{Base: weights, Disp: 8 * row}, factor)
		for k, sum := range sums {
			c.VMULPD(Mem{Base: rows, Disp: 64*row + w/8*k}, factor, term)
			c.VADDPD(term, sum, sum)
		}
	}
	c.Label("sum")
	c.MOVQ(Mem{Base: counts}, left)
	for k := range parts {
		c.VXORPD(even[k].AsX(), even[k].AsX(), even[k].AsX())
		c.VXORPD(odd[k].AsX(), odd[k].AsX(), odd[k].AsX())
	}
	c.SUBQ(Imm(2), left)
	c.JL(LabelRef("last"))
	c.Label("pairs")
	take(0, even)
	take(1, odd)
	c.ADDQ(Imm(128), rows)
	c.ADDQ(Imm(16), weights)
	c.SUBQ(Imm(2), left)
	c.JGE(LabelRef("pairs"))
	c.Label("last")
	c.ADDQ(Imm(2), left)
	c.JZ(LabelRef("write"))
	take(0, even)
	c.ADDQ(Imm(64), rows)
	c.ADDQ(Imm(8), weights)
	c.Label("write")
	for k := range parts {
		c.VADDPD(odd[k], even[k], even[k])
		c.VMOVUPD(even[k], Mem{Base: out, Disp: w / 8 * k})
	}
	c.ADDQ(Imm(8), counts)
	c.ADDQ(Imm(64), out)
	c.DECQ(n)
	c.JNZ(LabelRef("sum"))
	c.VZEROUPPER()
	c.RET()
}

package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// join writes JoinRecords for primitives of one, two and three vertices. A record is two loads of
// 256 bits, the second from float 6 on, so that lanes 0 to 5 of both are one half of the record:
// what the wider level could do at once is not worth its own code, for the stores into columns are
// most of the work.
func join(c *build.Context) {
	for width := 1; width <= 3; width++ {
		name := "joinRecords" + ofWidth(width) + "256"
		begin(c, name, fmt.Sprintf("%s is JoinRecords for primitives of %d vertices.", name, width),
			"func(rec []float32, verts []int32, ids []int32, out []float32, l *SweepList)", attr.NOSPLIT)
		joinKernel(c, width)
	}
}

func joinKernel(c *build.Context, width int) {
	rec := c.Load(c.Param("rec").Base(), c.GP64())
	ids := c.Load(c.Param("ids").Base(), c.GP64())
	l := c.Load(c.Param("l"), c.GP64())
	out := c.Load(c.Param("out").Base(), c.GP64())
	sign, swap := c.YMM(), c.YMM()
	otherEnd(c, sign, swap)
	i := c.GP64()
	c.XORQ(i, i)

	c.Label("loop")
	fetchAhead(c, width, rec, ids, i)
	id := c.GP64()
	c.MOVLQSX(Mem{Base: ids, Index: i, Scale: 4}, id)
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
	for k := width; k < 3; k++ {
		vert[k] = vert[width-1]
	}
	column := func(offset int) Mem {
		p := c.GP64()
		c.MOVQ(Mem{Base: l, Disp: offset}, p)
		return Mem{Base: p, Index: i, Scale: 4}
	}
	for k, v := range vert {
		c.MOVL(v.As32(), column(listVert+24*k))
	}
	var line [3]reg.GPVirtual
	for k := range width {
		line[k] = c.GP64()
		c.MOVQ(vert[k], line[k])
		c.SHLQ(Imm(6), line[k])
		c.ADDQ(rec, line[k])
	}
	var low, high reg.VecVirtual
	for half, disp := range []int{0, 24} {
		s, r := joined(c, line[:width], disp, swap)
		if half == 0 {
			low = r
		} else {
			c.VXORPS(sign, s, s)
			high = r
		}
		c.VMOVSS(s.AsX(), column(listBox+24*(3*half)))
		c.VEXTRACTPS(Imm(1), s.AsX(), column(listBox+24*(3*half+1)))
		c.VEXTRACTPS(Imm(2), s.AsX(), column(listBox+24*(3*half+2)))
	}
	// Sixteen floats: 0 to 7, then 8 to 15, of which the load from float 6 has 8 to 13; the zeros
	// come from the last two.
	c.VMOVUPS(low, Mem{Base: out})
	c.VMOVUPS(high, Mem{Base: out, Disp: 24})
	zero := c.GP64()
	c.XORQ(zero, zero)
	c.MOVQ(zero, Mem{Base: out, Disp: 56})
	c.ADDQ(Imm(64), out)
	c.INCQ(i)
	n := c.GP64()
	c.Load(c.Param("ids").Len(), n)
	c.CMPQ(i, n)
	c.JLT(LabelRef("loop"))
	c.VZEROUPPER()
	c.RET()
}

// recordsAhead and vertsAhead are how many primitives before its turn the records of a primitive's
// vertices, and the vertices themselves, are asked for: of a large mesh in no order none of them is
// in cache.
const (
	recordsAhead = 12
	vertsAhead   = 28
)

// fetchAhead asks for what the primitives of ids to come will need.
func fetchAhead(c *build.Context, width int, rec, ids, i reg.Register) {
	next := func(ahead int, skip string) (id reg.GPVirtual) {
		n, k := c.GP64(), c.GP64()
		c.Load(c.Param("ids").Len(), n)
		c.LEAQ(Mem{Base: i, Disp: ahead}, k)
		c.CMPQ(k, n)
		c.JGE(LabelRef(skip))
		id = c.GP64()
		c.MOVLQSX(Mem{Base: ids, Index: i, Scale: 4, Disp: 4 * ahead}, id)
		return id
	}
	id := next(recordsAhead, "fetched")
	if width == 1 {
		fetchRecord(c, rec, id)
	} else {
		verts := vertsOf(c, width, id)
		for k := range width {
			v := c.GP64()
			c.MOVLQSX(Mem{Base: verts, Disp: 4 * k}, v)
			fetchRecord(c, rec, v)
		}
		id = next(vertsAhead, "fetched")
		c.PREFETCHT0(Mem{Base: vertsOf(c, width, id)})
	}
	c.Label("fetched")
}

// fetchRecord asks for the record of a vertex.
func fetchRecord(c *build.Context, rec reg.Register, v reg.GPVirtual) {
	c.SHLQ(Imm(6), v)
	c.PREFETCHT0(Mem{Base: rec, Index: v, Scale: 1})
}

// vertsOf returns the address of a primitive's vertices; id is lost.
func vertsOf(c *build.Context, width int, id reg.GPVirtual) reg.GPVirtual {
	verts := c.Load(c.Param("verts").Base(), c.GP64()).(reg.GPVirtual)
	if width == 3 {
		c.LEAQ(Mem{Base: id, Index: id, Scale: 2}, id)
		c.LEAQ(Mem{Base: verts, Index: id, Scale: 4}, verts)
	} else {
		c.LEAQ(Mem{Base: verts, Index: id, Scale: 8}, verts)
	}
	return verts
}

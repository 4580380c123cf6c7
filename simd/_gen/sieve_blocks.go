package main

import (
	"fmt"
	"math"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// sieveFiller writes SieveBlocks: rows of four floats for each vertex of eight primitives, turned
// into columns, and then eight directions at once.
type sieveFiller struct {
	*build.Context
	width        int
	rec, out     reg.Register
	corners      reg.Register
	scale        reg.VecVirtual
	number, wide reg.VecVirtual // all bits but the sign, of a float and of a double
	others       Mem            // columns of the second and the third vertices, from the center
}

func sieveBlocks(c *build.Context, width int) {
	name := "sieveBlocks" + ofWidth(width) + "256"
	begin(c, name, fmt.Sprintf("%s is SieveBlocks for primitives of %d vertices.", name, width),
		"func(blocks []SieveBlock, rec []float64, corners []int32, scale float64)", attr.NOSPLIT)
	x := &sieveFiller{Context: c, width: width, others: c.AllocLocal(6 * rowBytes)}
	x.out = c.Load(c.Param("blocks").Base(), c.GP64())
	n := c.Load(c.Param("blocks").Len(), c.GP64())
	x.rec = c.Load(c.Param("rec").Base(), c.GP64())
	x.corners = c.Load(c.Param("corners").Base(), c.GP64())
	x.number, x.wide, x.scale = c.YMM(), c.YMM(), c.YMM()
	c.VBROADCASTSD(NewParamAddr("scale", 72), x.scale)
	c.VPCMPEQD(x.number, x.number, x.number)
	c.VPSRLQ(Imm(1), x.number, x.wide)
	c.VPSRLD(Imm(1), x.number, x.number)

	c.Label("block")
	at := c.GP64()
	c.LEAQ(Mem{Base: x.out, Disp: sieveAt}, at)
	center := x.center()
	r := x.starts(center)
	sixColumns(c, &r, at)
	if width > 1 {
		r = x.second(center)
		other := c.GP64()
		c.LEAQ(x.others, other)
		sixColumns(c, &r, other)
	}
	x.bounds()
	x.directions()
	c.ADDQ(U32(sieveBytes), x.out)
	c.ADDQ(U32(4*8*width), x.corners)
	c.DECQ(n)
	c.JNZ(LabelRef("block"))
	c.VZEROUPPER()
	c.RET()
}

// vertex is where vertex w of the primitive in a lane is at the start; at the end it is 32 bytes
// on.
func (x *sieveFiller) vertex(lane, w int) Mem {
	p := x.GP64()
	x.MOVLQSX(Mem{Base: x.corners, Disp: 4 * (x.width*lane + w)}, p)
	x.SHLQ(Imm(6), p)
	return Mem{Base: x.rec, Index: p, Scale: 1}
}

// center stores the center of the block, with a zero behind it.
func (x *sieveFiller) center() reg.VecVirtual {
	center, v := x.YMM(), x.YMM()
	x.VMOVUPD(x.vertex(0, 0), center)
	x.VMULPD(x.scale, center, v)
	x.VMOVUPD(v, Mem{Base: x.out})
	return center
}

// fromCenter is v, a vertex, in floats.
func (x *sieveFiller) fromCenter(v, center reg.VecVirtual) reg.VecVirtual {
	x.VSUBPD(center, v, v)
	x.VMULPD(x.scale, v, v)
	x.VCVTPD2PSY(v, v.AsX())
	return v
}

// starts is a row for each primitive: its first vertex at the start, and the most that a vertex
// moves.
func (x *sieveFiller) starts(center reg.VecVirtual) (r [8]reg.VecVirtual) {
	for lane := range r {
		var way reg.VecVirtual
		for w := range x.width {
			at := x.vertex(lane, w)
			v, d := x.YMM(), x.YMM()
			x.VMOVUPD(at, v)
			x.VMOVUPD(at.Offset(32), d)
			x.VSUBPD(v, d, d)
			x.VANDPD(x.wide, d, d)
			if w == 0 {
				r[lane], way = x.fromCenter(v, center), d
				continue
			}
			x.VMAXPD(way, d, way)
		}
		x.VMULPD(x.scale, way, way)
		x.VCVTPD2PSY(way, way.AsX())
		x.VINSERTF128(Imm(1), way.AsX(), r[lane], r[lane])
	}
	return r
}

// second is a row for each primitive: its second vertex, and a face's third.
func (x *sieveFiller) second(center reg.VecVirtual) (r [8]reg.VecVirtual) {
	for lane := range r {
		r[lane] = x.YMM()
		x.VMOVUPD(x.vertex(lane, 1), r[lane])
		x.fromCenter(r[lane], center)
		if x.width == 3 {
			v := x.YMM()
			x.VMOVUPD(x.vertex(lane, 2), v)
			x.fromCenter(v, center)
			x.VINSERTF128(Imm(1), v.AsX(), r[lane], r[lane])
		}
	}
	return r
}

// raise makes bounds of numbers: see raised.
func (x *sieveFiller) raise(v reg.VecVirtual) {
	t := x.YMM()
	for k, name := range []string{"sieveRaise", "sieveLeast"} {
		x.inAll(math.Float32bits(float32(bounds[name])), t)
		if k == 0 {
			x.VMULPS(t, v, v)
		} else {
			x.VADDPS(t, v, v)
		}
	}
}

// inAll is a word in all lanes.
func (x *sieveFiller) inAll(word uint32, v reg.VecVirtual) {
	w := x.GP32()
	x.MOVL(U32(word), w)
	x.VMOVD(w, v.AsX())
	x.VPBROADCASTD(v.AsX(), v)
}

// bounds stores the reach of the block and raises the ways.
func (x *sieveFiller) bounds() {
	reach, v := x.YMM(), x.YMM()
	for k := range 3 * x.width {
		from := Mem{Base: x.out, Disp: sieveAt + rowBytes*k}
		if k >= 3 {
			from = x.others.Offset(rowBytes * (k - 3))
		}
		if k == 0 {
			x.VANDPS(from, x.number, reach)
			continue
		}
		x.VANDPS(from, x.number, v)
		x.VMAXPS(v, reach, reach)
	}
	half := x.XMM()
	x.VEXTRACTF128(Imm(1), reach, half)
	x.VMAXPS(half, reach.AsX(), reach.AsX())
	x.VPERMILPS(Imm(0x4e), reach.AsX(), half)
	x.VMAXPS(half, reach.AsX(), reach.AsX())
	x.VPERMILPS(Imm(0xb1), reach.AsX(), half)
	x.VMAXPS(half, reach.AsX(), reach.AsX())
	x.raise(reach)
	zeros := zero(x.Context, 256)
	x.VBLENDPS(Imm(0xfe), zeros, reach, reach)
	x.VMOVUPS(reach, Mem{Base: x.out, Disp: sieveReach})
	for k := range 3 {
		at := Mem{Base: x.out, Disp: sieveWay + rowBytes*k}
		w := x.YMM()
		x.VMOVUPS(at, w)
		x.raise(w)
		x.VMOVUPS(w, at)
	}
}

// directions stores Along and Lean.
func (x *sieveFiller) directions() {
	column := func(k int) Mem { return Mem{Base: x.out, Disp: sieveAlong + rowBytes*k} }
	if x.width == 1 {
		zeros := zero(x.Context, 256)
		for k := range 4 {
			x.VMOVUPS(zeros, column(k))
		}
		return
	}
	e, n := x.apart(0), [3]reg.VecVirtual{}
	var f [3]reg.VecVirtual
	if x.width == 3 {
		f = x.apart(1)
		for k := range n {
			p, q, t := (k+1)%3, (k+2)%3, x.YMM()
			n[k] = x.YMM()
			x.VMULPS(f[q], e[p], n[k])
			x.VMULPS(f[p], e[q], t)
			x.VSUBPS(t, n[k], n[k])
		}
	} else {
		n = e
	}
	largest, v, part := x.YMM(), x.YMM(), x.YMM()
	x.VANDPS(x.number, n[0], largest)
	for k := 1; k < 3; k++ {
		x.VANDPS(x.number, n[k], v)
		x.VMAXPS(v, largest, largest)
	}
	x.inAll(math.Float32bits(1), part)
	x.VDIVPS(largest, part, part)
	zeros := zero(x.Context, 256)
	x.VCMPPS(gtOQ, zeros, largest, largest) // where there is a direction
	for k := range n {
		x.VMULPS(part, n[k], n[k])
		x.VANDPS(largest, n[k], n[k])
		x.VMOVUPS(n[k], column(k))
	}
	if x.width == 3 {
		first, second := x.along(n, e), x.along(n, f)
		x.VMAXPS(second, first, first)
		x.VANDPS(largest, first, first)
		x.VMOVUPS(first, column(3))
	} else {
		x.VMOVUPS(zeros, column(3))
	}
}

// apart is the way from the first vertices to the second (0) or the third (1).
func (x *sieveFiller) apart(which int) (e [3]reg.VecVirtual) {
	for k := range e {
		e[k] = x.YMM()
		x.VMOVUPS(x.others.Offset(rowBytes*(3*which+k)), e[k])
		x.VSUBPS(Mem{Base: x.out, Disp: sieveAt + rowBytes*k}, e[k], e[k])
	}
	return e
}

// along is |n . e|; e is lost.
func (x *sieveFiller) along(n, e [3]reg.VecVirtual) reg.VecVirtual {
	for k := range e {
		x.VMULPS(e[k], n[k], e[k])
	}
	x.VADDPS(e[1], e[0], e[0])
	x.VADDPS(e[2], e[0], e[0])
	x.VANDPS(x.number, e[0], e[0])
	return e[0]
}

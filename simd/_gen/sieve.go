package main

import (
	"math"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Offsets in a box.SieveBlock and a box.Sieve; TestSieveLayout holds them.
const (
	sieveReach = 32
	sieveAt    = 64
	sieveWay   = sieveAt + 3*rowBytes
	sieveAlong = sieveWay + 3*rowBytes
	sieveLean  = sieveAlong + 3*rowBytes
	sieveBytes = sieveLean + rowBytes
	sieveUntil = 0
	sieveApart = 4
)

// sieves writes SieveEE and SieveVF: a primitive of one block against the eight of another.
func sieves(c *build.Context) {
	lanesOfMask(c, "sieveLanes")
	for _, kind := range []string{"VF", "EE"} {
		begin(c, "sieve"+kind+"256", "sieve"+kind+"256 is Sieve"+kind+".",
			"func(records []Record, a, b []SieveBlock, s *Sieve, out []Record) int", attr.NOSPLIT)
		x := &siever{Context: c, face: kind == "VF"}
		x.kernel()
	}
	for width := 1; width <= 3; width++ {
		sieveBlocks(c, width)
	}
}

type siever struct {
	*build.Context
	face                 bool
	record, out          reg.Register
	a, b                 reg.GPVirtual  // the blocks
	until, apart, number reg.VecVirtual // These are alike in all lanes; number has all bits but the sign.
	slack                reg.VecVirtual
	along, length        [3]reg.VecVirtual // columns of b, with faces also their magnitudes
	near, way            Mem               // columns of b, as all primitives of a see them
	mask                 Mem
}

func (x *siever) kernel() {
	x.near, x.way, x.mask = x.AllocLocal(3*rowBytes), x.AllocLocal(3*rowBytes), x.AllocLocal(8)
	x.record = x.Load(x.Param("records").Base(), x.GP64())
	x.out = x.Load(x.Param("out").Base(), x.GP64())
	left := x.Load(x.Param("records").Len(), x.GP64())
	s := x.Load(x.Param("s"), x.GP64())
	x.until, x.apart, x.number = x.YMM(), x.YMM(), x.YMM()
	x.VBROADCASTSS(Mem{Base: s, Disp: sieveUntil}, x.until)
	x.VBROADCASTSS(Mem{Base: s, Disp: sieveApart}, x.apart)
	x.VPCMPEQD(x.number, x.number, x.number)
	x.VPSRLD(Imm(1), x.number, x.number)
	lanes := address(x.Context, "sieveLanes")

	x.Label("record")
	x.blocks()
	rows, some, any := x.GP64(), x.GP64(), x.GP32()
	x.rows(rows, some, lanes)
	x.XORL(any, any)
	x.TESTL(some.As32(), some.As32())
	x.JZ(LabelRef("next"))
	x.Label("row")
	i, keep := x.GP64(), x.GP32()
	x.MOVBLZX(rows.As8(), i.As32())
	x.SHRQ(Imm(8), rows)
	apart := x.row(i)
	x.MOVBLZX(x.mask.Idx(i, 1), keep)
	x.NOTL(apart)
	x.ANDL(apart, keep)
	x.ORL(keep, any)
	x.MOVB(keep.As8(), Mem{Base: x.out, Index: i, Scale: 1, Disp: recordMask})
	x.DECL(some.As32())
	x.JNZ(LabelRef("row"))
	x.Label("next")
	x.step(any)
	x.ADDQ(Imm(recordBytes), x.record)
	x.DECQ(left)
	x.JNZ(LabelRef("record"))
	begin := x.Load(x.Param("out").Base(), x.GP64())
	x.SUBQ(begin, x.out)
	x.SHRQ(Imm(4), x.out)
	x.VZEROUPPER()
	x.Store(x.out, x.ReturnIndex(0))
	x.RET()
}

// blocks brings what the pairs of a record have in common into registers and onto the stack.
func (x *siever) blocks() {
	block := func(param string, offset int) reg.GPVirtual {
		at, list := x.GP64(), x.GP64()
		x.MOVLQSX(Mem{Base: x.record, Disp: offset}, at)
		x.IMUL3Q(U32(sieveBytes), at, at)
		x.Load(x.Param(param).Base(), list)
		x.ADDQ(list, at)
		return at
	}
	x.a, x.b = block("a", 0), block("b", 4)
	d, offset := x.YMM(), x.XMM()
	x.VMOVUPD(Mem{Base: x.a}, d)
	x.VSUBPD(Mem{Base: x.b}, d, d)
	x.VCVTPD2PSY(d, offset)
	for k := range 3 {
		v, lane := x.YMM(), x.XMM()
		x.VPERMILPS(Imm(uint64(k)), offset, lane)
		x.VBROADCASTSS(lane, v)
		near := x.YMM()
		x.VMOVUPS(Mem{Base: x.b, Disp: sieveAt + rowBytes*k}, near)
		x.VSUBPS(v, near, near)
		x.VMOVUPS(near, x.near.Offset(rowBytes*k))
		x.VADDPS(Mem{Base: x.b, Disp: sieveWay + rowBytes*k}, x.apart, near)
		x.VMOVUPS(near, x.way.Offset(rowBytes*k))
		x.along[k] = x.YMM()
		x.VMOVUPS(Mem{Base: x.b, Disp: sieveAlong + rowBytes*k}, x.along[k])
		if x.face {
			x.length[k] = x.YMM()
			x.VANDPS(x.number, x.along[k], x.length[k])
		}
	}
	x.reach(offset)
	if x.face {
		x.VADDPS(Mem{Base: x.b, Disp: sieveLean}, x.slack, x.slack)
	}
}

// reach sets slack to the error of distances between the two blocks.
func (x *siever) reach(offset reg.VecVirtual) {
	far, v, sum, word := x.XMM(), x.XMM(), x.XMM(), x.GP32()
	x.VANDPS(x.number.AsX(), offset, offset)
	x.VPERMILPS(Imm(1), offset, v)
	x.VMAXSS(v, offset, far)
	x.VPERMILPS(Imm(2), offset, v)
	x.VMAXSS(v, far, far)
	x.VMOVSS(Mem{Base: x.a, Disp: sieveReach}, sum)
	x.VADDSS(Mem{Base: x.b, Disp: sieveReach}, sum, sum)
	x.VADDSS(far, sum, sum)
	part := bounds["sieveEdges"]
	if x.face {
		part = bounds["sieveFaces"]
	}
	for _, factor := range []float64{bounds["sieveRange"], part / bounds["sieveRange"]} {
		x.MOVL(U32(math.Float32bits(float32(factor))), word)
		x.VMOVD(word, v)
		x.VMULSS(v, sum, sum)
	}
	x.slack = x.YMM()
	x.VBROADCASTSS(sum, x.slack)
}

// rows sets some to the number of rows of the record's mask that have a bit and rows to their
// numbers, a byte each. The mask goes onto the stack, for the output may be the input.
func (x *siever) rows(rows, some, lanes reg.GPVirtual) {
	mask, pair, none := x.GP64(), x.GP64(), x.XMM()
	bytes := x.XMM()
	x.MOVQ(Mem{Base: x.record, Disp: recordMask}, mask)
	x.MOVQ(mask, x.mask)
	x.VMOVQ(mask, bytes)
	x.VPXOR(none, none, none)
	x.VPCMPEQB(none, bytes, bytes)
	x.VPMOVMSKB(bytes, some.As32())
	x.NOTL(some.As32())
	x.ANDL(U32(0xff), some.As32())
	x.MOVQ(Mem{Base: lanes, Index: some, Scale: 8}, rows)
	x.POPCNTL(some.As32(), some.As32())
	x.MOVQ(Mem{Base: x.record}, pair)
	x.MOVQ(pair, Mem{Base: x.out})
	x.XORL(mask.As32(), mask.As32())
	x.MOVQ(mask, Mem{Base: x.out, Disp: recordMask})
}

// row returns bits for the primitives of b that are proved apart from primitive i of a.
func (x *siever) row(i reg.GPVirtual) reg.GPVirtual {
	of := func(column int) reg.VecVirtual {
		v := x.YMM()
		x.VBROADCASTSS(Mem{Base: x.a, Index: i, Scale: 4, Disp: column}, v)
		return v
	}
	n, length := x.along, x.length
	if !x.face {
		var u [3]reg.VecVirtual
		for k := range u {
			u[k] = of(sieveAlong + rowBytes*k)
		}
		for k := range n {
			p, q, t := (k+1)%3, (k+2)%3, x.YMM()
			n[k] = x.YMM()
			x.VMULPS(x.along[q], u[p], n[k])
			x.VMULPS(x.along[p], u[q], t)
			x.VSUBPS(t, n[k], n[k])
		}
	}
	var gap, way reg.VecVirtual
	for k := range n {
		w := of(sieveAt + rowBytes*k)
		x.VSUBPS(x.near.Offset(rowBytes*k), w, w)
		x.VMULPS(w, n[k], w)
		h := of(sieveWay + rowBytes*k)
		x.VADDPS(x.way.Offset(rowBytes*k), h, h)
		if !x.face {
			length[k] = n[k]
			x.VANDPS(x.number, n[k], length[k])
		}
		x.VMULPS(h, length[k], h)
		if k == 0 {
			gap, way = w, h
			continue
		}
		x.VADDPS(w, gap, gap)
		x.VADDPS(h, way, way)
	}
	bits := x.GP32()
	x.VANDPS(x.number, gap, gap)
	x.VMULPS(x.until, way, way)
	x.VADDPS(x.slack, way, way)
	x.VCMPPS(gtOQ, way, gap, gap)
	x.VMOVMSKPS(gap, bits)
	return bits
}

// step goes on to the next record of the output if any of this one's pairs is left.
func (x *siever) step(any reg.GPVirtual) {
	next := x.GP64()
	x.LEAQ(Mem{Base: x.out, Disp: recordBytes}, next)
	x.TESTL(any, any)
	x.CMOVQNE(next, x.out)
}

package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Offsets in simd.SweepList and simd.SweepState; TestSweepLayout holds them.
const (
	listBox   = 0
	listVert  = 6 * 24
	listN     = listVert + 3*24
	listHomeY = listN + 8
	listHomeZ = listN + 12

	stateI     = 0
	stateJ     = 8
	stateFirst = 16

	sweepPad = 16
)

// Columns of SweepList.Box.
const (
	minX = iota
	minY
	minZ
	maxX
	maxY
	maxZ
)

func sweep(c *build.Context) {
	c.StaticGlobal("sweepIota")
	c.DataAttributes(attr.RODATA | attr.NOPTR)
	for i := range 16 {
		c.AddDatum(4*i, U32(uint32(i)))
	}
	// For every mask of eight lanes, the lanes that are set, one byte each.
	c.StaticGlobal("sweepLanes")
	c.DataAttributes(attr.RODATA | attr.NOPTR)
	for m := range 256 {
		lanes, n := uint64(0), 0
		for i := range 8 {
			if m>>i&1 != 0 {
				lanes |= uint64(i) << (8 * n)
				n++
			}
		}
		c.AddDatum(8*m, U64(lanes))
	}
	for _, w := range []int{512, 256} {
		for _, k := range []struct {
			name     string
			self     bool
			strict   bool // targets begin after the query does, not where
			swap     bool // the query is the second of the pair
			nq, nt   int  // vertices of a query and of a target that are compared
			contract string
		}{
			{"sweepSelf", true, false, false, 2, 2, "SweepSelf"},
			{"sweepBA", false, false, true, 3, 1, "the first half of SweepAcross"},
			{"sweepAB", false, true, false, 1, 3, "the second half of SweepAcross"},
		} {
			name := fmt.Sprintf("%s%d", k.name, w)
			begin(c, name, name+" is "+k.contract+": queries q, targets t, state s.",
				"func(q, t, s *byte, out [][2]int32) int", attr.NOSPLIT)
			x := &sweeper{Context: c, w: w, swap: k.swap, nq: k.nq, nt: k.nt}
			x.kernel(k.self, k.strict)
		}
	}
}

// sweeper holds the registers of one sweep.
type sweeper struct {
	*build.Context
	w      int
	swap   bool
	nq, nt int

	q, t, n, i, j          reg.GPVirtual
	col                    [6]reg.GPVirtual // columns of the targets
	x1, y0, y1, z0, z1     reg.VecVirtual   // the query, in all lanes
	leastY, leastZ         reg.VecVirtual   // the minima a target must reach for the pair to be at home
	homeY, homeZ, smallest reg.VecVirtual
	iota                   reg.VecVirtual
}

func (x *sweeper) vec() reg.VecVirtual { return vector(x.Context, x.w) }

func (x *sweeper) column(list reg.Register, offset int) reg.GPVirtual {
	p := x.GP64()
	x.MOVQ(Mem{Base: list, Disp: offset}, p)
	return p
}

// broadcast is the query's value in a column, in all lanes.
func (x *sweeper) broadcast(column int) reg.VecVirtual {
	v := x.vec()
	x.VBROADCASTSS(Mem{Base: x.column(x.q, listBox+24*column), Index: x.i, Scale: 4}, v)
	return v
}

func (x *sweeper) kernel(self, strict bool) {
	x.q = x.Load(x.Param("q"), x.GP64()).(reg.GPVirtual)
	x.t = x.Load(x.Param("t"), x.GP64()).(reg.GPVirtual)
	s := x.Load(x.Param("s"), x.GP64())
	x.n, x.i, x.j = x.GP64(), x.GP64(), x.GP64()
	x.XORQ(x.n, x.n)
	x.MOVQ(Mem{Base: s, Disp: stateI}, x.i)
	x.MOVQ(Mem{Base: s, Disp: stateJ}, x.j)
	for _, k := range []int{minX, minY, minZ, maxY, maxZ} {
		x.col[k] = x.column(x.t, listBox+24*k)
	}
	x.homeY, x.homeZ, x.smallest = x.vec(), x.vec(), x.vec()
	x.VBROADCASTSS(Mem{Base: x.t, Disp: listHomeY}, x.homeY)
	x.VBROADCASTSS(Mem{Base: x.t, Disp: listHomeZ}, x.homeZ)
	x.VPCMPEQD(x.smallest.AsY(), x.smallest.AsY(), x.smallest.AsY()) // -Inf: all ones, shifted
	x.VPSLLD(Imm(23), x.smallest.AsY(), x.smallest.AsY())
	x.iota = x.vec()
	if x.w == 512 {
		x.VBROADCASTSS(x.smallest.AsX(), x.smallest)
		x.VMOVDQU32(NewDataAddr(NewStaticSymbol("sweepIota"), 0), x.iota)
	} else {
		x.VMOVDQU(NewDataAddr(NewStaticSymbol("sweepIota"), 0), x.iota)
	}

	x.Label("query")
	x.CMPQ(x.i, Mem{Base: x.q, Disp: listN})
	x.JGE(LabelRef("done"))
	x.x1, x.y0, x.y1, x.z0, x.z1 = x.broadcast(maxX), x.broadcast(minY), x.broadcast(maxY), x.broadcast(minZ), x.broadcast(maxZ)
	x.leastY, x.leastZ = x.least(x.y0, x.homeY), x.least(x.z0, x.homeZ)
	x.TESTQ(x.j, x.j)
	x.JNZ(LabelRef("targets"))
	x.begin(self, strict)

	x.Label("targets")
	x.compare()

	x.Label("done")
	x.Load(x.Param("s"), s)
	x.MOVQ(x.i, Mem{Base: s, Disp: stateI})
	x.MOVQ(x.j, Mem{Base: s, Disp: stateJ})
	x.VZEROUPPER()
	x.Store(x.n, x.ReturnIndex(0))
	x.RET()
}

// least is -Inf where the query's minimum v is at home, else the cell's least.
func (x *sweeper) least(v, home reg.VecVirtual) reg.VecVirtual {
	r := x.vec()
	if x.w == 512 {
		k := x.K()
		x.VCMPPS(gtOQ, v, home, k)
		x.VBLENDMPS(home, x.smallest, k, r)
	} else {
		k := x.vec()
		x.VCMPPS(gtOQ, v, home, k)
		x.VBLENDVPS(k, home, x.smallest, r)
	}
	return r
}

// begin sets j to the first target of query i.
func (x *sweeper) begin(self, strict bool) {
	if self {
		x.LEAQ(Mem{Base: x.i, Disp: 1}, x.j)
		return
	}
	s := x.GP64()
	x.Load(x.Param("s"), s)
	x.MOVQ(Mem{Base: s, Disp: stateFirst}, x.j)
	x0 := x.XMM()
	x.VMOVSS(Mem{Base: x.column(x.q, listBox+24*minX), Index: x.i, Scale: 4}, x0)
	x.Label("advance")
	x.VUCOMISS(Mem{Base: x.col[minX], Index: x.j, Scale: 4}, x0) // flags of x0 - minX[j]
	if strict {
		x.JCS(LabelRef("begun")) // x0 < minX[j]
	} else {
		x.JLS(LabelRef("begun")) // x0 <= minX[j]
	}
	x.INCQ(x.j)
	x.JMP(LabelRef("advance"))
	x.Label("begun")
	x.MOVQ(x.j, Mem{Base: s, Disp: stateFirst})
}

func (x *sweeper) target(column int) Mem {
	return Mem{Base: x.col[column], Index: x.j, Scale: 4}
}

// compare runs over the targets of query i, a register at a time, until one begins beyond it.
func (x *sweeper) compare() {
	next := func(step uint64) {
		x.Label("next")
		x.ADDQ(Imm(step), x.j)
	}
	end := func() {
		x.XORQ(x.j, x.j)
		x.INCQ(x.i)
		x.JMP(LabelRef("query"))
		x.Label("hit")
		room := x.GP64()
		x.Load(x.Param("out").Len(), room)
		x.SUBQ(Imm(sweepPad), room)
		x.CMPQ(x.n, room)
		x.JGT(LabelRef("done"))
	}
	y, z := x.vec(), x.vec()
	if x.w == 512 {
		begins, k := x.K(), x.K()
		x.VCMPPS(geOQ, x.target(minX), x.x1, begins)
		x.VMOVUPS(x.target(minY), y)
		x.VMOVUPS(x.target(minZ), z)
		x.VCMPPS(geOQ, y, x.y1, begins, k)
		x.VCMPPS(leOQ, x.target(maxY), x.y0, k, k)
		x.VCMPPS(geOQ, z, x.z1, k, k)
		x.VCMPPS(leOQ, x.target(maxZ), x.z0, k, k)
		x.VCMPPS(leOQ, y, x.leastY, k, k)
		x.VCMPPS(leOQ, z, x.leastZ, k, k)
		x.KORTESTW(k, k)
		x.JNZ(LabelRef("hit"))
		next(16)
		x.KORTESTW(begins, begins)
		x.JCS(LabelRef("targets"))
		end()
		x.emit512(k)
	} else {
		begins, k, v := x.vec(), x.vec(), x.vec()
		x.VCMPPS(geOQ, x.target(minX), x.x1, begins)
		and := func(op Op, a Op, b reg.Register) {
			x.VCMPPS(op, a, b, v)
			x.VANDPS(v, k, k)
		}
		x.VMOVUPS(x.target(minY), y)
		x.VMOVUPS(x.target(minZ), z)
		x.VCMPPS(geOQ, y, x.y1, k)
		x.VANDPS(begins, k, k)
		and(leOQ, x.target(maxY), x.y0)
		and(geOQ, z, x.z1)
		and(leOQ, x.target(maxZ), x.z0)
		and(leOQ, y, x.leastY)
		and(leOQ, z, x.leastZ)
		x.VTESTPS(k, k)
		x.JNZ(LabelRef("hit"))
		next(8)
		m := x.GP32()
		x.VMOVMSKPS(begins, m)
		x.CMPL(m, Imm(255))
		x.JEQ(LabelRef("targets"))
		end()
		x.emit256(k)
	}
}

// emit512 drops the pairs of mask k that share a vertex and writes the others.
func (x *sweeper) emit512(k reg.OpmaskVirtual) {
	for b := range x.nt {
		v := x.vec()
		x.VMOVDQU32(Mem{Base: x.column(x.t, listVert+24*b), Index: x.j, Scale: 4}, v)
		for a := range x.nq {
			x.VPCMPD_BCST(Imm(4), Mem{Base: x.column(x.q, listVert+24*a), Index: x.i, Scale: 4}, v, k, k)
		}
	}
	lanes, query := x.vec(), x.vec()
	x.VPBROADCASTD(x.j.As32(), lanes)
	x.VPADDD(x.iota, lanes, lanes)
	x.VPCOMPRESSD_Z(lanes, k, lanes)
	x.VPBROADCASTD(x.i.As32(), query)
	count := x.GP32()
	x.KMOVW(k, count)
	x.POPCNTL(count, count)
	first, second := query, lanes
	if x.swap {
		first, second = lanes, query
	}
	// Interleave the lower and the upper eight pairs.
	x.pairs512(first.AsY(), second.AsY(), 0)
	x.CMPL(count, Imm(8))
	x.JLE(LabelRef("few"))
	high := x.YMM()
	x.VEXTRACTI64X4(Imm(1), lanes, high)
	if x.swap {
		x.pairs512(high, query.AsY(), 64)
	} else {
		x.pairs512(query.AsY(), high, 64)
	}
	x.Label("few")
	x.ADDQ(count.As64(), x.n)
	x.JMP(LabelRef("next"))
}

// pairs512 writes eight pairs at out[n:] and disp bytes further.
func (x *sweeper) pairs512(first, second reg.Register, disp int) {
	a, b := x.ZMM(), x.ZMM()
	x.VPMOVZXDQ(first, a)
	x.VPMOVZXDQ(second, b)
	x.VPSLLQ(Imm(32), b, b)
	x.VPORQ(a, b, b)
	out := x.GP64()
	x.Load(x.Param("out").Base(), out)
	x.VMOVDQU64(b, Mem{Base: out, Index: x.n, Scale: 8, Disp: disp})
}

// emit256 drops the pairs of mask k that share a vertex and writes the others.
func (x *sweeper) emit256(k reg.VecVirtual) {
	for b := range x.nt {
		v, e := x.vec(), x.vec()
		x.VMOVDQU(Mem{Base: x.column(x.t, listVert+24*b), Index: x.j, Scale: 4}, v)
		for a := range x.nq {
			x.VPBROADCASTD(Mem{Base: x.column(x.q, listVert+24*a), Index: x.i, Scale: 4}, e)
			x.VPCMPEQD(v, e, e)
			x.VANDNPS(k, e, k)
		}
	}
	count, table := x.GP32(), x.GP64()
	x.VMOVMSKPS(k, count)
	x.LEAQ(NewDataAddr(NewStaticSymbol("sweepLanes"), 0), table)
	lanes, query, order, at := x.vec(), x.vec(), x.vec(), x.XMM()
	x.VPMOVZXBD(Mem{Base: table, Index: count.As64(), Scale: 8}, order)
	x.POPCNTL(count, count)
	x.VMOVD(x.j.As32(), at)
	x.VPBROADCASTD(at, lanes)
	x.VPADDD(order, lanes, lanes)
	x.VMOVD(x.i.As32(), at)
	x.VPBROADCASTD(at, query)
	first, second := query, lanes
	if x.swap {
		first, second = lanes, query
	}
	// Unpacking interleaves within halves of 128 bits: pairs 0 1 4 5 and 2 3 6 7.
	low, high, t := x.vec(), x.vec(), x.vec()
	x.VPUNPCKLDQ(second, first, low)
	x.VPUNPCKHDQ(second, first, high)
	out := x.GP64()
	x.Load(x.Param("out").Base(), out)
	x.VINSERTI128(Imm(1), high.AsX(), low, t)
	x.VMOVDQU(t, Mem{Base: out, Index: x.n, Scale: 8})
	x.VPERM2I128(Imm(0x31), high, low, t)
	x.VMOVDQU(t, Mem{Base: out, Index: x.n, Scale: 8, Disp: 32})
	x.ADDQ(count.As64(), x.n)
	x.JMP(LabelRef("next"))
}

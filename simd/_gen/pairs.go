package main

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// This file writes the code of a sweep that handles the targets it has found.

// hit512 drops from the targets left those that share a vertex with the query, and writes the pairs
// of the others.
func (x *sweeper) hit512(left reg.GPVirtual) {
	k := x.K()
	x.KMOVW(left, k)
	for b := range x.nt {
		v := x.vec()
		x.VMOVDQU32(Mem{Base: x.column(x.t, listVert+24*b), Index: x.j, Scale: 4}, v)
		for a := range x.nq {
			x.VPCMPD_BCST(Imm(4), Mem{Base: x.column(x.q, listVert+24*a), Index: x.i, Scale: 4}, v, k, k)
		}
	}
	x.doubts()
	sure := x.K()
	x.KMOVW(k, sure)
	for i, side := range doubtful {
		v := x.vec()
		x.VMOVUPS(x.sureBound(i), v)
		x.VCMPPS(side.within(), x.target(side.target), v, sure, sure)
	}
	x.KXORW(sure, k, k)
	x.emit512(sure, "out", x.n)
	x.KORTESTW(k, k)
	x.JZ(LabelRef("certain"))
	n := x.doubtCount()
	x.emit512(k, "doubt", n)
	x.keepDoubtCount(n)
	x.Label("certain")
}

// hit256 does what hit512 does, with registers of 256 bits.
func (x *sweeper) hit256(left reg.GPVirtual) {
	k := x.vec()
	x.VPCMPEQD(k, k, k)
	for b := range x.nt {
		v, e := x.vec(), x.vec()
		x.VMOVDQU(Mem{Base: x.column(x.t, listVert+24*b), Index: x.j, Scale: 4}, v)
		for a := range x.nq {
			x.VPBROADCASTD(Mem{Base: x.column(x.q, listVert+24*a), Index: x.i, Scale: 4}, e)
			x.VPCMPEQD(v, e, e)
			x.VANDNPS(k, e, k)
		}
	}
	mask := x.GP32()
	x.VMOVMSKPS(k, mask)
	x.ANDL(left, mask)
	x.doubts()
	sure, v := x.GP32(), x.vec()
	for i, side := range doubtful {
		x.VMOVUPS(x.sureBound(i), v)
		x.VCMPPS(side.within(), x.target(side.target), v, v)
		x.VANDPS(v, k, k)
	}
	x.VMOVMSKPS(k, sure)
	x.ANDL(mask, sure)
	x.XORL(sure, mask)
	x.emit256(sure, "out", x.n)
	x.TESTL(mask, mask)
	x.JZ(LabelRef("certain"))
	n := x.doubtCount()
	x.emit256(mask, "doubt", n)
	x.keepDoubtCount(n)
	x.Label("certain")
}

// doubtful lists the sides on which a pair may be in doubt: the query's bound, and the target's
// that faces it.
var doubtful = [6]side{{maxX, minX}, {maxY, minY}, {maxZ, minZ}, {minX, maxX}, {minY, maxY}, {minZ, maxZ}}

type side struct{ query, target int }

func (s side) upper() bool { return s.query >= maxX }

// within compares the query's bound with the target's.
func (s side) within() Op {
	if s.upper() {
		return geOQ
	}
	return leOQ
}

// sureBound returns the i-th of doubtful, in all lanes.
func (x *sweeper) sureBound(i int) Mem { return x.sure.Offset(i * x.w / 8) }

// doubts stores, for each side, the query's bound drawn in by listRounding of its magnitude and the
// list's slack, when a query meets its first target.
func (x *sweeper) doubts() {
	x.CMPQ(x.drawn, x.i)
	x.JEQ(LabelRef("drawn"))
	x.MOVQ(x.i, x.drawn)
	word, drop, part, slack, v := x.GP32(), x.vec(), x.vec(), x.vec(), x.vec()
	constant := func(bits uint32, v reg.VecVirtual) {
		x.MOVL(U32(bits), word)
		x.VMOVD(word, v.AsX())
		x.VBROADCASTSS(v.AsX(), v)
	}
	constant(0x7fffffff, drop)
	constant(0x35800000, part) // 2^-20
	x.VBROADCASTSS(Mem{Base: x.q, Disp: listSlack}, slack)
	for i, side := range doubtful {
		bound := x.broadcast(side.query)
		x.VANDPS(drop, bound, v)
		x.VMULPS(part, v, v)
		x.VADDPS(slack, v, v)
		if side.upper() {
			x.VSUBPS(v, bound, v)
		} else {
			x.VADDPS(v, bound, v)
		}
		x.VMOVUPS(v, x.sureBound(i))
	}
	x.Label("drawn")
}

// doubtCount returns how many pairs in doubt there are.
func (x *sweeper) doubtCount() reg.GPVirtual {
	s, n := x.GP64(), x.GP64()
	x.Load(x.Param("s"), s)
	x.MOVQ(Mem{Base: s, Disp: stateDoubts}, n)
	return n
}

func (x *sweeper) keepDoubtCount(n reg.GPVirtual) {
	s := x.GP64()
	x.Load(x.Param("s"), s)
	x.MOVQ(n, Mem{Base: s, Disp: stateDoubts})
}

// emit512 writes the pairs of mask k behind the first n of an output, which can hold a whole
// register of them.
func (x *sweeper) emit512(k reg.OpmaskVirtual, output string, n reg.GPVirtual) {
	lanes, query := x.vec(), x.vec()
	if x.list {
		x.VMOVDQU32(Mem{Base: x.column(x.t, listIDs), Index: x.j, Scale: 4}, lanes)
		x.VPBROADCASTD(Mem{Base: x.column(x.q, listIDs), Index: x.i, Scale: 4}, query)
	} else {
		x.VPBROADCASTD(x.j.As32(), lanes)
		x.VPADDD(x.iota, lanes, lanes)
		x.VPBROADCASTD(x.i.As32(), query)
	}
	x.VPCOMPRESSD_Z(lanes, k, lanes)
	count, out := x.GP32(), x.GP64()
	x.KMOVW(k, count)
	x.POPCNTL(count, count)
	x.Load(x.Param(output).Base(), out)
	first, second := x.ordered(query, lanes)
	x.pairs512(first.AsY(), second.AsY(), Mem{Base: out, Index: n, Scale: 8})
	high := func(v reg.VecVirtual) reg.Register {
		if v == query { // All lanes have the same number.
			return v.AsY()
		}
		h := x.YMM()
		x.VEXTRACTI64X4(Imm(1), v, h)
		return h
	}
	if !x.list { // Usually few targets are left, and none shares a vertex with the query.
		x.CMPL(count, Imm(8))
		x.JLE(LabelRef("written"))
	}
	x.pairs512(high(first), high(second), Mem{Base: out, Index: n, Scale: 8, Disp: 64})
	if !x.list {
		x.Label("written")
	}
	x.ADDQ(count.As64(), n)
}

// ordered returns which comes first in a pair: of primitives that are both of one set, the smaller
// number.
func (x *sweeper) ordered(query, target reg.VecVirtual) (first, second reg.VecVirtual) {
	switch {
	case x.swap:
		return target, query
	case x.list && x.self:
		first, second = x.vec(), x.vec()
		x.VPMINSD(query, target, first)
		x.VPMAXSD(query, target, second)
		return first, second
	}
	return query, target
}

// pairs512 writes eight pairs.
func (x *sweeper) pairs512(first, second reg.Register, to Mem) {
	a, b := x.ZMM(), x.ZMM()
	x.VPMOVZXDQ(first, a)
	x.VPMOVZXDQ(second, b)
	x.VPSLLQ(Imm(32), b, b)
	x.VPORQ(a, b, b)
	x.VMOVDQU64(b, to)
}

// emit256 writes the pairs of the bits of mask behind the first n of an output.
func (x *sweeper) emit256(mask reg.GPVirtual, output string, n reg.GPVirtual) {
	table := x.GP64()
	x.LEAQ(NewDataAddr(NewStaticSymbol(x.lanes), 0), table)
	lanes, query, order := x.vec(), x.vec(), x.vec()
	x.VPMOVZXBD(Mem{Base: table, Index: mask.As64(), Scale: 8}, order)
	if x.list {
		x.VPERMD(Mem{Base: x.column(x.t, listIDs), Index: x.j, Scale: 4}, order, lanes)
		x.VPBROADCASTD(Mem{Base: x.column(x.q, listIDs), Index: x.i, Scale: 4}, query)
	} else {
		at := x.XMM()
		x.VMOVD(x.j.As32(), at)
		x.VPBROADCASTD(at, lanes)
		x.VPADDD(order, lanes, lanes)
		x.VMOVD(x.i.As32(), at)
		x.VPBROADCASTD(at, query)
	}
	first, second := x.ordered(query, lanes)
	// Unpacking interleaves within halves of 128 bits: pairs 0 1 4 5 and 2 3 6 7.
	low, high, t := x.vec(), x.vec(), x.vec()
	x.VPUNPCKLDQ(second, first, low)
	x.VPUNPCKHDQ(second, first, high)
	out, count := x.GP64(), x.GP32()
	x.Load(x.Param(output).Base(), out)
	x.VINSERTI128(Imm(1), high.AsX(), low, t)
	x.VMOVDQU(t, Mem{Base: out, Index: n, Scale: 8})
	x.VPERM2I128(Imm(0x31), high, low, t)
	x.VMOVDQU(t, Mem{Base: out, Index: n, Scale: 8, Disp: 32})
	x.POPCNTL(mask, count)
	x.ADDQ(count.As64(), n)
}

package main

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Blocks of eight queries, at the lower level. Which queries stand before the target is in bits of a number, not in a register of lanes: there are sixteen
// of those, and most are taken by the queries.

func (x *blockSweeper) prepare256() {
	none := x.GP64()
	x.seen = x.AllocLocal(8)
	x.XORQ(none, none)
	x.MOVQ(none, x.seen)
	if x.self {
		x.before = x.GP64()
	}
}

// dropBeyond lets the queries of the block that do not exist, those from the n-th on, end before everything; n is lost.
func (x *blockSweeper) dropBeyond(n reg.GPVirtual) {
	table, missing := x.GP64(), x.vec()
	x.atMostBlock(n)
	x.NEGQ(n)
	x.LEAQ(NewDataAddr(NewStaticSymbol("sweepFrom"), 0), table)
	x.VMOVUPS(Mem{Base: table, Index: n, Scale: 4, Disp: 32}, missing)
	x.VBLENDVPS(missing, x.smallest, x.x1, x.x1)
}

// firstBefore sets the bits of the queries before a target that stands n behind the first of them; n is lost.
func (x *blockSweeper) firstBefore(n reg.GPVirtual) {
	x.atMostBlock(n)
	x.XORQ(x.before, x.before)
	x.BTSQ(n, x.before)
	x.DECQ(x.before)
}

// compare256 compares the queries of a block with a target, unless it begins beyond all of them, and notes those that are left.
func (x *blockSweeper) compare256() {
	alive, v := x.vec(), x.vec()
	within, left := x.GP32(), x.GP32()
	x.VBROADCASTSS(x.end(endMinX), v)
	x.VCMPPS(geOQ, v, x.x1, alive)
	x.VMOVMSKPS(alive, within)
	x.TESTL(within, within)
	x.JZ(LabelRef("ended"))
	if x.self {
		x.ANDL(x.before.As32(), within)
		x.LEAQ(Mem{Base: x.before, Index: x.before, Scale: 1, Disp: 1}, x.before) // the next target stands behind one query more
	} else {
		op := leOQ
		if x.strict {
			op = ltOQ
		}
		x.VCMPPS(op, v, x.begin, v)
		x.VANDPS(v, alive, alive)
		x.VMOVMSKPS(alive, within)
	}
	count := x.GP32()
	x.POPCNTL(within, count)
	x.ADDQ(count.As64(), x.seen)
	for axis, least := range []reg.VecVirtual{x.leastY, x.leastZ} {
		low := x.vec()
		x.VBROADCASTSS(x.end(endMinY+axis), low)
		x.VCMPPS(leOQ, low, least, v)
		x.VANDPS(v, alive, alive)
		x.apart256(axis, low, alive)
	}
	x.VMOVMSKPS(alive, left)
	x.ANDL(within, left)
	x.noteBlock(left)
}

// apart256 drops from alive the queries that y or z separates from the target on one side at both ends. low is the target's minimum along it.
func (x *blockSweeper) apart256(axis int, low, alive reg.VecVirtual) {
	target, query, v := x.columns(axis), x.ends[axis], x.vec()
	if x.still {
		x.VCMPPS(geOQ, low, query[2], low)
		x.VANDPS(low, alive, alive)
		x.VBROADCASTSS(target[2], v)
		x.VCMPPS(leOQ, v, query[0], v)
		x.VANDPS(v, alive, alive)
		return
	}
	x.bothSides256(target, func(k int) Op { return query[k] }, low, v, alive)
}

// bothSides256 does so for boxes in motion; a and b are scratch.
func (x *blockSweeper) bothSides256(target [4]Mem, query func(k int) Op, a, b, alive reg.VecVirtual) {
	for side, op := range []Op{ltOQ, gtOQ} { // the query's hi below the target's lo, the query's lo above the target's hi
		x.VBROADCASTSS(target[2*side], a)
		x.VCMPPS(op, a, query(2-2*side), a)
		x.VBROADCASTSS(target[2*side+1], b)
		x.VCMPPS(op, b, query(3-2*side), b)
		x.VANDPS(b, a, a)
		x.VANDNPS(alive, a, alive)
	}
}

// write256 writes the pairs of a target and the queries left that do not separate along x and share no vertex with it.
func (x *blockSweeper) write256(left reg.Register) {
	alive, e := x.vec(), x.vec()
	x.VPCMPEQD(alive, alive, alive)
	if !x.still {
		p := x.GP64()
		x.queryAlongX(x.param("q"), p)
		ends := x.queryEnds(p)
		x.bothSides256(x.along(), func(k int) Op {
			v := x.vec()
			x.VMOVUPS(ends[k], v)
			return v
		}, x.vec(), x.vec(), alive)
	}
	q, t := x.param("q"), x.param("t")
	for a := range x.nq {
		v := x.vec()
		x.VMOVDQU(Mem{Base: x.column(q, listVert+24*a), Index: x.i, Scale: 4}, v)
		for b := range x.nt {
			x.VPBROADCASTD(Mem{Base: x.column(t, listVert+24*b), Index: x.j, Scale: 4}, e)
			x.VPCMPEQD(v, e, e)
			x.VANDNPS(alive, e, alive)
		}
	}
	mask := x.GP32()
	x.VMOVMSKPS(alive, mask)
	x.ANDL(left, mask)
	x.i, x.j, x.swap = x.j, x.i, !x.swap // lanes are queries here
	x.emit256(mask, "out", x.n)
	x.i, x.j, x.swap = x.j, x.i, !x.swap
}

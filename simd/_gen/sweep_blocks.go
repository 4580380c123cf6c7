package main

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// blockLanes is the number of queries of a block.
const blockLanes = 8

// blockSweeper holds the registers of a sweep in which eight queries that follow each other, a
// block, are compared with one target at a time. Most boxes of a mesh begin within few others, so
// that the targets of a block are hardly more than those of one of its queries. (Sixteen queries in
// registers of 512 bits take 1.06 to 1.1 times as long on Zen 4.)
//
// Which queries stand before the target is in bits of a number, not in a register of lanes: there
// are sixteen of those, and most are taken by the queries.
type blockSweeper struct {
	endsSweeper
	begin  reg.VecVirtual // the queries' minima along x, of two lists
	seen   Mem            // the number of targets that queries were compared with
	before reg.GPVirtual  // bits for the queries of one list of the block that stand before the target
}

func (x *blockSweeper) kernel() {
	x.n, x.i, x.at, x.noted, x.limit = x.GP64(), x.GP64(), x.GP64(), x.GP64(), x.GP64()
	x.where, x.what = x.AllocLocal(8*mostNoted), x.AllocLocal(8*mostNoted)
	s := x.param("s")
	x.XORQ(x.n, x.n)
	x.XORQ(x.noted, x.noted)
	x.MOVQ(Mem{Base: s, Disp: stateI}, x.i)
	x.prepare()

	x.Label("anew")
	x.roomForNoted()
	x.JZ(LabelRef("done"))
	x.strides(1, 3, 5, 7, 9)
	x.Label("query")
	q := x.param("q")
	left := x.GP64()
	x.MOVQ(Mem{Base: q, Disp: listN}, left)
	x.SUBQ(x.i, left)
	x.JLE(LabelRef("last"))
	x.queries(q)
	x.dropBeyond(left)
	x.first()
	x.Label("targets")
	x.compare()
	x.ADDQ(Imm(4), x.at)
	x.CMPQ(x.noted, x.limit)
	x.JLT(LabelRef("targets"))
	x.JMP(LabelRef("more"))
	x.Label("ended")
	x.ADDQ(Imm(blockLanes), x.i)
	x.CMPQ(x.noted, x.limit)
	x.JLT(LabelRef("query"))
	x.JMP(LabelRef("flush"))

	x.Label("more") // targets of this block, but no room to note them
	j := x.GP64()
	x.position(j)
	s = x.param("s")
	x.MOVQ(j, Mem{Base: s, Disp: stateJ})
	x.Label("flush")
	x.flush()
	x.JMP(LabelRef("anew"))
	x.Label("last")
	x.TESTQ(x.noted, x.noted)
	x.JNZ(LabelRef("flush"))
	x.Label("done")
	s = x.param("s")
	x.MOVQ(x.i, Mem{Base: s, Disp: stateI})
	seen := x.GP64()
	x.MOVQ(x.seen, seen)
	x.ADDQ(seen, Mem{Base: s, Disp: stateSeen})
	x.VZEROUPPER()
	x.Store(x.n, x.ReturnIndex(0))
	x.RET()
}

// prepare clears the count.
func (x *blockSweeper) prepare() {
	none := x.GP64()
	x.seen = x.AllocLocal(8)
	x.XORQ(none, none)
	x.MOVQ(none, x.seen)
	if x.self {
		x.before = x.GP64()
	}
}

// queries brings the ends of the block's queries into registers, and what their targets must reach
// to be at home.
func (x *blockSweeper) queries(q reg.Register) {
	p, stride := x.GP64(), x.GP64()
	x.MOVQ(Mem{Base: q, Disp: listEnds}, p)
	x.LEAQ(Mem{Base: p, Index: x.i, Scale: 4}, p)
	x.MOVQ(Mem{Base: q, Disp: listStride}, stride)
	x.SHLQ(Imm(2), stride)
	take := func() reg.VecVirtual {
		v := x.vec()
		x.VMOVUPS(Mem{Base: p}, v)
		return v
	}
	skip := func() { x.ADDQ(stride, p) }
	next := func() reg.VecVirtual {
		skip()
		return take()
	}
	if !x.self {
		x.begin = take()
	}
	x.home()
	minY := next()
	x.leastY = x.least(minY, x.homeY)
	minZ := next()
	x.leastZ = x.least(minZ, x.homeZ)
	if x.still {
		x.ends[0][0], x.ends[1][0] = minY, minZ
	}
	for axis := range 2 {
		for k := range 4 {
			switch {
			case !x.still || k == 2:
				x.ends[axis][k] = next()
			default:
				skip()
			}
		}
	}
	x.LEAQ(Mem{Base: p, Index: stride, Scale: 4}, p)
	x.x1 = next()
}

// dropBeyond lets the queries of the block that do not exist, those from the n-th on, end before
// everything; n is lost.
func (x *blockSweeper) dropBeyond(n reg.GPVirtual) {
	table, missing := x.GP64(), x.vec()
	x.atMostBlock(n)
	x.NEGQ(n)
	x.LEAQ(NewDataAddr(NewStaticSymbol("sweepFrom"), 0), table)
	x.VMOVUPS(Mem{Base: table, Index: n, Scale: 4, Disp: 32}, missing)
	x.VBLENDVPS(missing, x.smallest, x.x1, x.x1)
}

// atMostBlock sets n to the number of queries of a block if it is more.
func (x *blockSweeper) atMostBlock(n reg.GPVirtual) {
	most := x.GP64()
	x.MOVQ(U32(blockLanes), most)
	x.CMPQ(n, most)
	x.CMOVQGT(most, n)
}

// first sets at to the block's first target, or to the one that it stopped at.
func (x *blockSweeper) first() {
	s, t, j := x.param("s"), x.param("t"), x.GP64()
	x.MOVQ(Mem{Base: t, Disp: listEnds}, x.at)
	x.MOVQ(Mem{Base: s, Disp: stateJ}, j)
	x.TESTQ(j, j)
	x.JNZ(LabelRef("begun"))
	if x.self {
		x.LEAQ(Mem{Base: x.i, Disp: 1}, j)
	} else {
		x.MOVQ(Mem{Base: s, Disp: stateFirst}, j)
		x.Label("advance")
		x.VUCOMISS(Mem{Base: x.at, Index: j, Scale: 4}, x.begin.AsX()) // flags of begin - minX[j]
		if x.strict {
			x.JCS(LabelRef("advanced")) // begin < minX[j]
		} else {
			x.JLS(LabelRef("advanced")) // begin <= minX[j]
		}
		x.INCQ(j)
		x.JMP(LabelRef("advance"))
		x.Label("advanced")
		x.MOVQ(j, Mem{Base: s, Disp: stateFirst})
	}
	x.Label("begun")
	x.LEAQ(Mem{Base: x.at, Index: j, Scale: 4}, x.at)
	zero := x.GP64()
	x.XORQ(zero, zero)
	x.MOVQ(zero, Mem{Base: s, Disp: stateJ}) // the next block begins anew
	if x.self {
		x.SUBQ(x.i, j)
		x.firstBefore(j)
	}
}

// firstBefore sets the bits of the queries before a target that stands n behind the first of them;
// n is lost.
func (x *blockSweeper) firstBefore(n reg.GPVirtual) {
	x.atMostBlock(n)
	x.XORQ(x.before, x.before)
	x.BTSQ(n, x.before)
	x.DECQ(x.before)
}

// compare compares the queries of a block with a target, unless it begins beyond all of them, and
// notes those that are left.
func (x *blockSweeper) compare() {
	alive, v := x.vec(), x.vec()
	within, left := x.GP32(), x.GP32()
	x.VBROADCASTSS(x.end(endMinX), v)
	x.VCMPPS(geOQ, v, x.x1, alive)
	x.VMOVMSKPS(alive, within)
	x.TESTL(within, within)
	x.JZ(LabelRef("ended"))
	if x.self {
		x.ANDL(x.before.As32(), within)
		// The next target stands behind one query more.
		x.LEAQ(Mem{Base: x.before, Index: x.before, Scale: 1, Disp: 1}, x.before)
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
		x.apart(axis, low, alive)
	}
	x.VMOVMSKPS(alive, left)
	x.ANDL(within, left)
	x.noteBlock(left)
}

// apart drops from alive the queries that y or z separates from the target on one side at both
// ends. low is the target's minimum along it.
func (x *blockSweeper) apart(axis int, low, alive reg.VecVirtual) {
	target, query, v := x.columns(axis), x.ends[axis], x.vec()
	if x.still {
		x.VCMPPS(geOQ, low, query[2], low)
		x.VANDPS(low, alive, alive)
		x.VBROADCASTSS(target[2], v)
		x.VCMPPS(leOQ, v, query[0], v)
		x.VANDPS(v, alive, alive)
		return
	}
	x.bothSides(target, func(k int) Op { return query[k] }, low, v, alive)
}

// bothSides does so for boxes in motion; a and b are scratch.
func (x *blockSweeper) bothSides(target [4]Mem, query func(k int) Op, a, b, alive reg.VecVirtual) {
	// The boxes are apart if the query's hi is below the target's lo, or its lo above the target's
	// hi.
	for side, op := range []Op{ltOQ, gtOQ} {
		x.VBROADCASTSS(target[2*side], a)
		x.VCMPPS(op, a, query(2-2*side), a)
		x.VBROADCASTSS(target[2*side+1], b)
		x.VCMPPS(op, b, query(3-2*side), b)
		x.VANDPS(b, a, a)
		x.VANDNPS(alive, a, alive)
	}
}

// noteBlock keeps the queries left of a target, if there are any.
func (x *blockSweeper) noteBlock(left reg.GPVirtual) {
	tagged := x.GP64()
	x.MOVQ(x.at, x.where.Idx(x.noted, 8))
	x.MOVQ(x.i, tagged)
	x.SHLQ(Imm(16), tagged)
	x.ORQ(left.As64(), tagged)
	x.MOVQ(tagged, x.what.Idx(x.noted, 8))
	x.CMPL(left, Imm(1))
	x.SBBQ(I8(-1), x.noted) // The count rises by one if a query is left.
}

// flush takes what was noted to the tests that are left, and writes the pairs. All of them fit.
func (x *blockSweeper) flush() {
	k := x.GP64()
	x.XORQ(k, k)
	at, i := x.at, x.i
	x.at, x.i, x.j = x.GP64(), x.GP64(), x.GP64()
	x.strides(1, 3, 5)
	x.Label("noted")
	left := x.GP64()
	x.MOVQ(x.where.Idx(k, 8), x.at)
	x.MOVQ(x.what.Idx(k, 8), x.i)
	x.MOVWLZX(x.i.As16(), left.As32())
	x.SHRQ(Imm(16), x.i)
	x.position(x.j)
	x.write(left.As32())
	x.INCQ(k)
	x.CMPQ(k, x.noted)
	x.JLT(LabelRef("noted"))
	x.XORQ(x.noted, x.noted)
	x.at, x.i = at, i
}

// write writes the pairs of a target and the queries left that do not separate along x and share no
// vertex with it.
func (x *blockSweeper) write(left reg.Register) {
	alive, e := x.vec(), x.vec()
	x.VPCMPEQD(alive, alive, alive)
	if !x.still {
		p := x.GP64()
		x.queryAlongX(x.param("q"), p)
		ends := x.queryEnds(p)
		x.bothSides(x.along(), func(k int) Op {
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

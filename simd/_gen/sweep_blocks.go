package main

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// blockSweeper holds the registers of a sweep in which some queries that follow each other, a block, are compared with one target at a time: a register of
// them. Most boxes of a mesh begin within a few others only, so that the targets of a block are hardly more than those of one of its queries.
type blockSweeper struct {
	endsSweeper
	begin reg.VecVirtual // the queries' minima along x, of two lists

	// With 512 bits:
	counts  reg.VecVirtual    // by query of the block: the targets that it was compared with
	counted reg.VecVirtual    // the sums of counts of earlier blocks, in lanes of 64 bits
	one     reg.VecVirtual    // in all lanes
	valid   reg.OpmaskVirtual // the queries of the block that exist
	later   reg.OpmaskVirtual // of one list: the queries of the block that do not stand before the target

	// With 256 bits:
	seen   Mem           // the number of targets that queries were compared with
	before reg.GPVirtual // of one list: bits for the queries of the block that stand before the target
}

// blockLanes returns the number of queries of a block.
func (x *blockSweeper) blockLanes() int { return x.w / 32 }

func (x *blockSweeper) kernel() {
	x.n, x.i, x.at, x.noted, x.limit = x.GP64(), x.GP64(), x.GP64(), x.GP64(), x.GP64()
	x.where, x.what = x.AllocLocal(8*mostNoted), x.AllocLocal(8*mostNoted)
	s := x.param("s")
	x.XORQ(x.n, x.n)
	x.XORQ(x.noted, x.noted)
	x.MOVQ(Mem{Base: s, Disp: stateI}, x.i)
	if x.w == 512 {
		x.prepare512()
	} else {
		x.prepare256()
	}

	x.Label("anew")
	x.roomForNoted()
	x.JZ(LabelRef("done"))
	x.strides(1, 3, 5, 7, 9)
	if x.w == 512 {
		x.home()
	}
	x.Label("query")
	q := x.param("q")
	left := x.GP64()
	x.MOVQ(Mem{Base: q, Disp: listN}, left)
	x.SUBQ(x.i, left)
	x.JLE(LabelRef("last"))
	if x.w == 512 {
		x.beyond(left, x.valid)
		x.KNOTW(x.valid, x.valid)
	}
	x.queries(q)
	if x.w == 256 {
		x.dropBeyond(left)
	}
	x.first()
	x.Label("targets")
	if x.w == 512 {
		x.compare512()
	} else {
		x.compare256()
	}
	x.ADDQ(Imm(4), x.at)
	x.CMPQ(x.noted, x.limit)
	x.JLT(LabelRef("targets"))
	x.JMP(LabelRef("more"))
	x.Label("ended")
	if x.w == 512 {
		x.addCounts()
	}
	x.ADDQ(Imm(uint64(x.blockLanes())), x.i)
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
	if x.w == 512 {
		x.addCounts()
		x.addSeen(s)
	} else {
		seen := x.GP64()
		x.MOVQ(x.seen, seen)
		x.ADDQ(seen, Mem{Base: s, Disp: stateSeen})
	}
	x.VZEROUPPER()
	x.Store(x.n, x.ReturnIndex(0))
	x.RET()
}

// prepare512 clears the counts.
func (x *blockSweeper) prepare512() {
	x.counts, x.counted, x.one = x.vec(), x.vec(), x.vec()
	x.VPXORD(x.counts, x.counts, x.counts)
	x.VPXORD(x.counted, x.counted, x.counted)
	one := x.GP32()
	x.MOVL(U32(1), one)
	x.VPBROADCASTD(one, x.one)
	x.valid = x.K()
	if x.self {
		x.later = x.K()
	}
}

// atMostBlock sets n to the number of queries of a block if it is more.
func (x *blockSweeper) atMostBlock(n reg.GPVirtual) {
	most := x.GP64()
	x.MOVQ(U32(x.blockLanes()), most)
	x.CMPQ(n, most)
	x.CMOVQGT(most, n)
}

// beyond sets k to all sixteen bits but the lowest n; n is lost.
func (x *blockSweeper) beyond(n reg.GPVirtual, k reg.OpmaskVirtual) {
	ones := x.GP32()
	x.atMostBlock(n)
	x.MOVL(U32(0xffffffff), ones)
	x.SHLXL(n.As32(), ones, ones)
	x.KMOVW(ones, k)
}

// queries brings the ends of the block's queries into registers, and what their targets must reach to be at home.
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
	if x.w == 256 {
		x.home()
	}
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
		if x.w == 512 {
			x.beyond(j, x.later)
		} else {
			x.firstBefore(j)
		}
	}
}

// compare512 compares the queries of a block with a target, unless it begins beyond all of them, and notes those that are left.
func (x *blockSweeper) compare512() {
	within, alive, left := x.K(), x.K(), x.GP32()
	x.VCMPPS_BCST(geOQ, x.end(endMinX), x.x1, x.valid, within)
	x.KORTESTW(within, within)
	x.JZ(LabelRef("ended"))
	if x.self {
		x.KANDNW(within, x.later, within)
		x.KADDW(x.later, x.later, x.later) // the next target stands behind one query more
	} else {
		op := leOQ
		if x.strict {
			op = ltOQ
		}
		x.VCMPPS_BCST(op, x.end(endMinX), x.begin, within, within)
	}
	x.VPADDD(x.one, x.counts, within, x.counts)
	x.VCMPPS_BCST(leOQ, x.end(endMinY), x.leastY, within, alive)
	x.VCMPPS_BCST(leOQ, x.end(endMinZ), x.leastZ, alive, alive)
	for axis := range 2 {
		x.apart(x.columns(axis), func(k int) reg.VecVirtual { return x.ends[axis][k] }, alive)
	}
	x.KMOVW(alive, left)
	x.noteBlock(left)
}

// apart drops from alive the queries that an axis separates from the target on one side at both ends.
func (x *blockSweeper) apart(target [4]Mem, query func(k int) reg.VecVirtual, alive reg.OpmaskVirtual) {
	if x.still {
		x.VCMPPS_BCST(geOQ, target[0], query(2), alive, alive)
		x.VCMPPS_BCST(leOQ, target[2], query(0), alive, alive)
		return
	}
	above, below := x.K(), x.K()
	x.VCMPPS_BCST(ltOQ, target[0], query(2), above)
	x.VCMPPS_BCST(ltOQ, target[1], query(3), above, above)
	x.VCMPPS_BCST(gtOQ, target[2], query(0), below)
	x.VCMPPS_BCST(gtOQ, target[3], query(1), below, below)
	x.KORW(above, below, above)
	x.KANDNW(alive, above, alive)
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
	x.SBBQ(I8(-1), x.noted) // one more if any is left
}

// addCounts adds the counts of the block to those of all and clears them.
func (x *blockSweeper) addCounts() {
	v, half := x.vec(), x.YMM()
	x.VPMOVZXDQ(x.counts.AsY(), v)
	x.VPADDQ(v, x.counted, x.counted)
	x.VEXTRACTI64X4(Imm(1), x.counts, half)
	x.VPMOVZXDQ(half, v)
	x.VPADDQ(v, x.counted, x.counted)
	x.VPXORD(x.counts, x.counts, x.counts)
}

// addSeen adds what was counted to the state.
func (x *blockSweeper) addSeen(s reg.Register) {
	high, sum := x.YMM(), x.GP64()
	x.VEXTRACTI64X4(Imm(1), x.counted, high)
	x.VPADDQ(high, x.counted.AsY(), high)
	low := x.XMM()
	x.VEXTRACTI128(Imm(1), high, low)
	x.VPADDQ(low, high.AsX(), low)
	x.VMOVQ(low, sum)
	x.ADDQ(sum, Mem{Base: s, Disp: stateSeen})
	x.VPEXTRQ(Imm(1), low, sum)
	x.ADDQ(sum, Mem{Base: s, Disp: stateSeen})
}

// flush takes what was noted to the tests that are left, and writes the pairs. All of them fit.
func (x *blockSweeper) flush() {
	k := x.GP64()
	x.XORQ(k, k)
	at, i := x.at, x.i
	x.at, x.i, x.j = x.GP64(), x.GP64(), x.GP64()
	x.strides(1, 3, 5)
	if x.w == 512 {
		x.iota = x.vec()
		x.load(NewDataAddr(NewStaticSymbol("sweepIota"), 0), x.iota)
	}
	x.Label("noted")
	left := x.GP64()
	x.MOVQ(x.where.Idx(k, 8), x.at)
	x.MOVQ(x.what.Idx(k, 8), x.i)
	x.MOVWLZX(x.i.As16(), left.As32())
	x.SHRQ(Imm(16), x.i)
	x.position(x.j)
	if x.w == 512 {
		x.write512(left.As32())
	} else {
		x.write256(left.As32())
	}
	x.INCQ(k)
	x.CMPQ(k, x.noted)
	x.JLT(LabelRef("noted"))
	x.XORQ(x.noted, x.noted)
	x.at, x.i = at, i
}

// write512 writes the pairs of a target and the queries left that do not separate along x and share no vertex with it.
func (x *blockSweeper) write512(left reg.Register) {
	alive := x.K()
	x.KMOVW(left, alive)
	q, t := x.param("q"), x.param("t")
	if !x.still {
		p := x.GP64()
		x.queryAlongX(q, p)
		ends := x.queryEnds(p)
		x.apart(x.along(), func(k int) reg.VecVirtual {
			v := x.vec()
			x.VMOVUPS(ends[k], v)
			return v
		}, alive)
	}
	for a := range x.nq {
		v := x.vec()
		x.VMOVDQU32(Mem{Base: x.column(q, listVert+24*a), Index: x.i, Scale: 4}, v)
		for b := range x.nt {
			x.VPCMPD_BCST(Imm(4), Mem{Base: x.column(t, listVert+24*b), Index: x.j, Scale: 4}, v, alive, alive)
		}
	}
	x.emitQueries(alive)
}

// emitQueries writes the pairs of the queries alive behind the first n of the output, which can hold a whole register of them.
func (x *blockSweeper) emitQueries(alive reg.OpmaskVirtual) {
	query, target := x.vec(), x.vec()
	x.VPBROADCASTD(x.i.As32(), query)
	x.VPADDD(x.iota, query, query)
	x.VPCOMPRESSD_Z(query, alive, query)
	x.VPBROADCASTD(x.j.As32(), target)
	count, out := x.GP32(), x.GP64()
	x.KMOVW(alive, count)
	x.POPCNTL(count, count)
	x.Load(x.Param("out").Base(), out)
	half := func(queries reg.Register, disp int) {
		first, second := queries, reg.Register(target.AsY())
		if x.swap {
			first, second = second, first
		}
		x.pairs512(first, second, Mem{Base: out, Index: x.n, Scale: 8, Disp: disp})
	}
	half(query.AsY(), 0)
	x.CMPL(count, Imm(8))
	x.JLE(LabelRef("written"))
	high := x.YMM()
	x.VEXTRACTI64X4(Imm(1), query, high)
	half(high, 64)
	x.Label("written")
	x.ADDQ(count.As64(), x.n)
}

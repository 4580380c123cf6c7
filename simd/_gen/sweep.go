package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Columns of SweepList.Ends; simd/ends.go says what they hold.
const (
	endMinX = 0
	endMinY = 1
	endMinZ = 2
	endY    = 3
	endZ    = 7
	endX    = 11
	endMaxX = 15
)

// sweep writes the kernels of SweepSelf and SweepAcross.
func sweep(c *build.Context) {
	lanesOfMask(c, "sweepLanes")
	c.StaticGlobal("sweepIota")
	c.DataAttributes(attr.RODATA | attr.NOPTR)
	for i := range 16 {
		c.AddDatum(4*i, U32(uint32(i)))
	}
	// Eight lanes from number 8 - f on are those from the f-th on.
	c.StaticGlobal("sweepFrom")
	c.DataAttributes(attr.RODATA | attr.NOPTR)
	for i := range 16 {
		c.AddDatum(4*i, U32(-uint32(i/8)))
	}
	for _, w := range []int{512, 256} {
		for _, k := range append(sweepPasses, restPasses...) {
			x := &endsSweeper{sweeper: sweeper{Context: c, w: w, sweepPass: k, lanes: "sweepLanes"}}
			name := fmt.Sprintf("sweep%s%d", k.name, w)
			begin(c, name, name+" is Sweep"+k.contract+": queries q, targets t, state s.",
				"func(q, t *SweepList, s *SweepState, out [][2]int32) int", 0)
			x.kernel()
		}
	}
	for _, k := range append(sweepPasses, restPasses...) {
		x := &blockSweeper{endsSweeper: endsSweeper{sweeper: sweeper{Context: c, w: 32 * blockLanes, sweepPass: k,
			lanes: "sweepLanes"}}}
		name := "sweepBlocks" + k.name + "256"
		begin(c, name, name+" is Sweep"+k.contract+", by blocks of queries: queries q, targets t, state s.",
			"func(q, t *SweepList, s *SweepState, out [][2]int32) int", 0)
		x.kernel()
	}
}

// restPasses are those over boxes at rest, which read the columns of one end alone.
var restPasses = []sweepPass{
	{"RestSelf", true, false, false, 2, 2, true, "Self of boxes at rest"},
	{"RestBA", false, false, true, 3, 1, true, "Across of boxes at rest, the first half"},
	{"RestAB", false, true, false, 1, 3, true, "Across of boxes at rest, the second half"},
	{"FE", false, false, true, 3, 2, true, "EF, the first half"},
	{"EF", false, true, false, 2, 3, true, "EF, the second half"},
}

// endsSweeper holds the registers of one sweep over the columns of both ends. Targets are read in
// whole aligned registers: the first of a query is masked from its first target on.
type endsSweeper struct {
	sweeper
	at      reg.GPVirtual         // the address of the register of targets in the first column
	stride  map[int]reg.GPVirtual // 1, 3, 5, 7, 9 columns, in bytes
	ends    [2][4]reg.VecVirtual  // the query along y and z: lo at both ends, hi at both ends
	from    reg.OpmaskVirtual     // targets of this register that are not before the query's first
	fromLow Mem                   // the same at the lower level
	qStride reg.GPVirtual         // one column of the queries, in bytes
}

func (x *endsSweeper) param(name string) reg.Register { return x.Load(x.Param(name), x.GP64()) }

// end returns the register of targets in a column of the first eleven.
func (x *endsSweeper) end(column int) Mem {
	m := Mem{Base: x.at}
	for _, part := range [...][3]int{{1, 1, 1}, {2, 1, 2}, {3, 3, 1}, {4, 1, 4}, {5, 5, 1}, {6, 3, 2}, {7, 7, 1},
		{8, 1, 8}, {9, 9, 1}, {10, 5, 2}} {
		if part[0] == column {
			m.Index, m.Scale = x.stride[part[1]], uint8(part[2])
		}
	}
	return m
}

func (x *endsSweeper) kernel() {
	x.n, x.i, x.at, x.noted, x.limit = x.GP64(), x.GP64(), x.GP64(), x.GP64(), x.GP64()
	x.where, x.what = x.AllocLocal(8*mostNoted), x.AllocLocal(8*mostNoted)
	s := x.param("s")
	x.XORQ(x.n, x.n)
	x.XORQ(x.noted, x.noted)
	x.MOVQ(Mem{Base: s, Disp: stateI}, x.i)
	if x.w == 512 {
		x.from = x.K()
	} else {
		x.fromLow = x.AllocLocal(32)
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
	x.CMPQ(x.i, Mem{Base: q, Disp: listN})
	x.JGE(LabelRef("last"))
	x.query(q)
	x.first()
	x.Label("targets")
	x.compare()

	x.Label("more") // targets of this query, but no room to note them
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
	x.VZEROUPPER()
	x.Store(x.n, x.ReturnIndex(0))
	x.RET()
}

// strides computes numbers of columns in bytes: 1 and odd ones that follow.
func (x *endsSweeper) strides(numbers ...int) {
	x.stride = map[int]reg.GPVirtual{}
	for _, k := range numbers {
		x.stride[k] = x.GP64()
		if k == 1 {
			t := x.param("t")
			x.MOVQ(Mem{Base: t, Disp: listStride}, x.stride[1])
			x.SHLQ(Imm(2), x.stride[1])
			continue
		}
		x.LEAQ(Mem{Base: x.stride[k-2], Index: x.stride[1], Scale: 2}, x.stride[k])
	}
}

// home brings into all lanes where the cell begins, and what is less than all. At the lower level
// registers are few, so that it is done for every query.
func (x *endsSweeper) home() {
	q := x.param("q")
	x.homeY, x.homeZ, x.smallest = x.vec(), x.vec(), x.vec()
	x.VPCMPEQD(x.smallest.AsY(), x.smallest.AsY(), x.smallest.AsY()) // -Inf: all ones, shifted
	x.VPSLLD(Imm(23), x.smallest.AsY(), x.smallest.AsY())
	if x.w == 512 {
		x.VBROADCASTSS(x.smallest.AsX(), x.smallest)
	}
	x.VBROADCASTSS(Mem{Base: q, Disp: listHomeY}, x.homeY)
	x.VBROADCASTSS(Mem{Base: q, Disp: listHomeZ}, x.homeZ)
}

// query brings the ends of query i into registers, in all lanes, and what its targets must reach to
// be at home.
func (x *endsSweeper) query(q reg.Register) {
	p, stride := x.GP64(), x.GP64()
	x.MOVQ(Mem{Base: q, Disp: listEnds}, p)
	x.LEAQ(Mem{Base: p, Index: x.i, Scale: 4}, p)
	x.MOVQ(Mem{Base: q, Disp: listStride}, stride)
	x.SHLQ(Imm(2), stride)
	skip := func() { x.ADDQ(stride, p) }
	next := func() reg.VecVirtual {
		v := x.vec()
		skip()
		x.VBROADCASTSS(Mem{Base: p}, v)
		return v
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

// columns returns the columns of targets along y or z: lo at both ends, hi at both ends. At rest
// those of the first end alone are read.
func (x *endsSweeper) columns(axis int) [4]Mem {
	first := [2]int{endY, endZ}[axis]
	if x.still {
		return [4]Mem{x.end(endMinY + axis), {}, x.end(first + 2), {}}
	}
	return [4]Mem{x.end(first), x.end(first + 1), x.end(first + 2), x.end(first + 3)}
}

// first sets at to the register of the query's first target, or of the one that it stopped at.
func (x *endsSweeper) first() {
	s, t, j, f := x.param("s"), x.param("t"), x.GP64(), x.GP64()
	x.MOVQ(Mem{Base: t, Disp: listEnds}, x.at)
	x.MOVQ(Mem{Base: s, Disp: stateJ}, j)
	x.XORL(f.As32(), f.As32())
	x.TESTQ(j, j)
	x.JNZ(LabelRef("begun"))
	if x.self {
		x.LEAQ(Mem{Base: x.i, Disp: 1}, j)
	} else {
		x.MOVQ(Mem{Base: s, Disp: stateFirst}, j)
		q, begin := x.param("q"), x.XMM()
		x.MOVQ(Mem{Base: q, Disp: listEnds}, q)
		x.VMOVSS(Mem{Base: q, Index: x.i, Scale: 4}, begin)
		x.Label("advance")
		x.VUCOMISS(Mem{Base: x.at, Index: j, Scale: 4}, begin) // flags of begin - minX[j]
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
	x.MOVQ(j, f)
	x.ANDQ(Imm(uint64(x.w/32-1)), f)
	x.SUBQ(f, j)
	x.Label("begun")
	x.LEAQ(Mem{Base: x.at, Index: j, Scale: 4}, x.at)
	zero := x.GP64()
	x.XORQ(zero, zero)
	x.MOVQ(zero, Mem{Base: s, Disp: stateJ}) // the next query begins anew
	if x.w == 512 {
		ones := x.GP32()
		x.MOVL(U32(0xffff), ones)
		x.SHLXL(f.As32(), ones, ones)
		x.KMOVW(ones, x.from)
	} else {
		x.NEGQ(f)
		table, v := x.GP64(), x.vec()
		x.LEAQ(NewDataAddr(NewStaticSymbol("sweepFrom"), 0), table)
		x.VMOVUPS(Mem{Base: table, Index: f, Scale: 4, Disp: 32}, v)
		x.VMOVUPS(v, x.fromLow)
	}
}

// compare runs over the targets of query i, a register at a time, until one begins beyond it, and
// notes what is left.
func (x *endsSweeper) compare() {
	begins, left := x.GP32(), x.GP32()
	if x.w == 512 {
		x.compare512(begins, left)
	} else {
		x.compare256(begins, left)
	}
	x.note(x.at, left)
	x.ADDQ(Imm(uint64(x.w/8)), x.at)
	x.CMPL(begins, U32(1<<(x.w/32)-1))
	x.JNE(LabelRef("ended"))
	x.CMPQ(x.noted, x.limit)
	x.JLT(LabelRef("targets"))
	x.JMP(LabelRef("more"))
	x.Label("ended")
	x.endQuery(begins)
	x.CMPQ(x.noted, x.limit)
	x.JLT(LabelRef("query"))
	x.JMP(LabelRef("flush"))
}

// endQuery counts the targets that the query was compared with: those from its first on that begin
// within it. The last register of them has as many as there are bits in begins.
func (x *endsSweeper) endQuery(begins reg.GPVirtual) {
	s, seen := x.param("s"), x.GP64()
	x.POPCNTL(begins, begins)
	x.position(seen)
	x.LEAQ(Mem{Base: seen, Index: begins.As64(), Scale: 1, Disp: -x.w / 32}, seen)
	if x.self {
		x.SUBQ(x.i, seen)
		x.DECQ(seen)
	} else {
		x.SUBQ(Mem{Base: s, Disp: stateFirst}, seen)
	}
	x.ADDQ(seen, Mem{Base: s, Disp: stateSeen})
	x.INCQ(x.i)
}

// position sets j to the number of the first target of the register.
func (x *endsSweeper) position(j reg.Register) {
	t := x.param("t")
	x.MOVQ(x.at, j)
	x.SUBQ(Mem{Base: t, Disp: listEnds}, j)
	x.SHRQ(Imm(2), j)
}

func (x *endsSweeper) compare512(begins, left reg.Register) {
	within, apart, alive := x.K(), x.K(), x.K()
	x.VCMPPS(geOQ, x.end(endMinX), x.x1, within)
	for axis := range 2 {
		x.apart512(x.columns(axis), func(k int) Op { return x.ends[axis][k] }, axis > 0, apart)
	}
	x.VCMPPS(leOQ, x.end(endMinY), x.leastY, x.from, alive)
	x.VCMPPS(leOQ, x.end(endMinZ), x.leastZ, alive, alive)
	x.KXNORW(x.from, x.from, x.from)
	x.KANDNW(alive, apart, alive)
	x.KANDW(within, alive, alive)
	x.KMOVW(within, begins)
	x.KMOVW(alive, left)
}

// apart512 sets apart to the targets that an axis separates from the query on one side at both
// ends, or adds them.
func (x *endsSweeper) apart512(target [4]Mem, query func(k int) Op, more bool, apart reg.OpmaskVirtual) {
	above, below := x.K(), x.K()
	x.VCMPPS(ltOQ, target[0], query(2), above)
	x.VCMPPS(gtOQ, target[2], query(0), below)
	if !x.still {
		x.VCMPPS(ltOQ, target[1], query(3), above, above)
		x.VCMPPS(gtOQ, target[3], query(1), below, below)
	}
	if more {
		x.KORW(above, apart, apart)
		x.KORW(below, apart, apart)
	} else {
		x.KORW(above, below, apart)
	}
}

func (x *endsSweeper) compare256(begins, left reg.Register) {
	alive, v := x.vec(), x.vec()
	x.VCMPPS(geOQ, x.end(endMinX), x.x1, alive)
	x.VMOVMSKPS(alive, begins)
	x.VANDPS(x.fromLow, alive, alive)
	for axis := range 2 {
		x.apart256(x.columns(axis), func(k int) reg.Register { return x.ends[axis][k] }, alive)
	}
	x.VCMPPS(leOQ, x.end(endMinY), x.leastY, v)
	x.VANDPS(v, alive, alive)
	x.VCMPPS(leOQ, x.end(endMinZ), x.leastZ, v)
	x.VANDPS(v, alive, alive)
	x.VPCMPEQD(v, v, v)
	x.VMOVUPS(v, x.fromLow)
	x.VMOVMSKPS(alive, left)
}

// apart256 takes the targets that an axis separates from the query on one side at both ends from
// those alive.
func (x *endsSweeper) apart256(target [4]Mem, query func(k int) reg.Register, alive reg.VecVirtual) {
	// The boxes are apart if the query's hi is below the target's lo, or its lo above the target's
	// hi.
	for side, op := range []Op{ltOQ, gtOQ} {
		a, b := x.vec(), x.vec()
		x.VCMPPS(op, target[2*side], query(2-2*side), a)
		if !x.still {
			x.VCMPPS(op, target[2*side+1], query(3-2*side), b)
			x.VANDPS(b, a, a)
		}
		x.VANDNPS(alive, a, alive)
	}
}

// flush takes the registers that were noted to the tests that are left, and writes the pairs. All
// of them fit.
func (x *endsSweeper) flush() {
	k := x.GP64()
	x.XORQ(k, k)
	at, i := x.at, x.i
	x.at, x.i, x.j = x.GP64(), x.GP64(), x.GP64()
	x.strides(1, 3, 5)
	left := x.GP32()
	if x.w == 512 {
		x.iota = x.vec()
		x.load(NewDataAddr(NewStaticSymbol("sweepIota"), 0), x.iota)
	}
	x.Label("noted")
	x.MOVQ(x.where.Idx(k, 8), x.at)
	x.MOVL(x.what.Idx(k, 8), x.i.As32())
	x.MOVL(x.what.Idx(k, 8).Offset(4), left)
	x.position(x.j)
	alongX := x.GP64() // the query's ends along x; boxes at rest meet there where one begins within the other
	if !x.still {
		x.queryAlongX(x.param("q"), alongX)
	}
	if x.w == 512 {
		x.flush512(left, alongX)
	} else {
		x.flush256(left, alongX)
	}
	x.INCQ(k)
	x.CMPQ(k, x.noted)
	x.JLT(LabelRef("noted"))
	x.XORQ(x.noted, x.noted)
	x.at, x.i = at, i
}

// queryAlongX sets p to the query's place in the first of the four columns along x, and qStride to
// their distance.
func (x *endsSweeper) queryAlongX(q, p reg.Register) {
	stride := x.GP64()
	x.MOVQ(Mem{Base: q, Disp: listStride}, stride)
	x.SHLQ(Imm(2), stride)
	x.MOVQ(Mem{Base: q, Disp: listEnds}, p)
	x.LEAQ(Mem{Base: p, Index: x.i, Scale: 4}, p)
	x.LEAQ(Mem{Base: p, Index: stride, Scale: 8}, p)
	x.LEAQ(Mem{Base: p, Index: stride, Scale: 2}, p)
	x.ADDQ(stride, p)
	x.qStride = stride
}

// queryEnds returns the query's ends along x, the first of which is at p.
func (x *endsSweeper) queryEnds(p reg.Register) (m [4]Mem) {
	third := x.GP64()
	x.LEAQ(Mem{Base: x.qStride, Index: x.qStride, Scale: 2}, third)
	return [4]Mem{{Base: p}, {Base: p, Index: x.qStride, Scale: 1}, {Base: p, Index: x.qStride, Scale: 2},
		{Base: p, Index: third, Scale: 1}}
}

// along returns the register of targets along x: lo at both ends and hi at both ends.
func (x *endsSweeper) along() (m [4]Mem) {
	p := x.GP64()
	x.LEAQ(Mem{Base: x.at, Index: x.stride[1], Scale: 8}, p)
	return [4]Mem{
		{Base: p, Index: x.stride[3], Scale: 1}, {Base: p, Index: x.stride[1], Scale: 4},
		{Base: p, Index: x.stride[5], Scale: 1}, {Base: p, Index: x.stride[3], Scale: 2},
	}
}

func (x *endsSweeper) flush512(left reg.GPVirtual, alongX reg.Register) {
	alive, apart := x.K(), x.K()
	x.KMOVW(left, alive)
	if !x.still {
		ends := x.queryEnds(alongX)
		x.apart512(x.along(), func(k int) Op {
			v := x.vec()
			x.VBROADCASTSS(ends[k], v)
			return v
		}, false, apart)
		x.KANDNW(alive, apart, alive)
	}
	q, t := x.param("q"), x.param("t")
	for b := range x.nt {
		v := x.vec()
		x.VMOVDQU32(Mem{Base: x.column(t, listVert+24*b), Index: x.j, Scale: 4}, v)
		for a := range x.nq {
			x.VPCMPD_BCST(Imm(4), Mem{Base: x.column(q, listVert+24*a), Index: x.i, Scale: 4}, v, alive, alive)
		}
	}
	x.emit512(alive, "out", x.n)
}

func (x *endsSweeper) flush256(left reg.GPVirtual, alongX reg.Register) {
	alive := x.vec()
	x.VPCMPEQD(alive, alive, alive)
	if !x.still {
		ends := x.queryEnds(alongX)
		x.apart256(x.along(), func(k int) reg.Register {
			v := x.vec()
			x.VBROADCASTSS(ends[k], v)
			return v
		}, alive)
	}
	q, t := x.param("q"), x.param("t")
	for b := range x.nt {
		v, e := x.vec(), x.vec()
		x.VMOVDQU(Mem{Base: x.column(t, listVert+24*b), Index: x.j, Scale: 4}, v)
		for a := range x.nq {
			x.VPBROADCASTD(Mem{Base: x.column(q, listVert+24*a), Index: x.i, Scale: 4}, e)
			x.VPCMPEQD(v, e, e)
			x.VANDNPS(alive, e, alive)
		}
	}
	mask := x.GP32()
	x.VMOVMSKPS(alive, mask)
	x.ANDL(left, mask)
	x.emit256(mask, "out", x.n)
}

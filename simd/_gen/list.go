package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Offsets in box.SweepList and box.SweepState; TestSweepLayout holds them.
const (
	listBox   = 0
	listVert  = 6 * 24
	listN     = listVert + 3*24
	listHomeY = listN + 8
	listHomeZ = listN + 12
	listIDs   = listN + 16
	listSlack = listIDs + 24

	stateI      = 0
	stateJ      = 8
	stateFirst  = 16
	stateDoubts = 32
	stateSeen   = 40

	listEnds   = listSlack + 8
	listStride = listEnds + 24
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

// lists writes the kernels of ListSelf and ListAcross.
func lists(c *build.Context) {
	lanesOfMask(c, "listLanes")
	for _, w := range []int{512, 256} {
		for _, k := range sweepPasses {
			x := &sweeper{Context: c, w: w, sweepPass: k, list: true, lanes: "listLanes"}
			name := fmt.Sprintf("list%s%d", k.name, w)
			begin(c, name, name+" is List"+k.contract+": queries q, targets t, state s.",
				"func(q, t *SweepList, s *SweepState, out, doubt [][2]int32) int", 0)
			x.listKernel()
		}
	}
}

// sweepPass is one of the three passes over lists: a list with itself, and the two sweepPasses of
// two lists.
type sweepPass struct {
	name     string
	self     bool
	strict   bool // targets begin strictly after the query
	swap     bool // the query is the second of the pair
	nq, nt   int  // vertices of a query and of a target that are compared
	still    bool // boxes are at rest, so only their first ends are compared
	contract string
}

var sweepPasses = []sweepPass{
	{"Self", true, false, false, 2, 2, false, "Self"},
	{"BA", false, false, true, 3, 1, false, "Across, the first half"},
	{"AB", false, true, false, 1, 3, false, "Across, the second half"},
}

// lanesOfMask is a table: for every mask of eight lanes, the lanes that are set, one byte each.
func lanesOfMask(c *build.Context, name string) {
	c.StaticGlobal(name)
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
}

// sweeper holds the registers of one sweep.
//
// Whether a register of targets holds a pair is nearly random. A branch on it would be mispredicted
// a third of the time, which costs more than all comparisons. So kernels alternate between two
// loops without such a branch: one compares and notes the registers that have targets left, and the
// other applies the remaining tests to these and writes the pairs.
type sweeper struct {
	*build.Context
	sweepPass
	w int
	// true for ListSelf and ListAcross, which write pairs of primitives, and the pairs in doubt
	// separately
	list  bool
	lanes string // the table of the lanes of masks

	q, t, n, i, j          reg.GPVirtual
	col                    [6]reg.GPVirtual // columns of the targets
	x1, y0, y1, z0, z1     reg.VecVirtual   // the query, in all lanes
	leastY, leastZ         reg.VecVirtual   // the minima a target must reach for the pair to be at home
	homeY, homeZ, smallest reg.VecVirtual
	iota                   reg.VecVirtual
	sure                   Mem           // used with list: bounds within which a target is beyond doubt; see doubts
	drawn                  reg.GPVirtual // the query whose bounds sure has

	noted, limit reg.GPVirtual // the number of noted registers, and the number for which the outputs have room
	// outputs of a noted register: where its targets are; its query, and which targets are left
	where, what Mem
}

// mostNoted is the number of registers that are noted before they are read again: few enough that
// they are still in the first-level cache.
const mostNoted = 64

// roomForNoted sets limit to how many registers may be noted, and the flags to whether any.
func (x *sweeper) roomForNoted() {
	most := x.GP64()
	x.Load(x.Param("out").Len(), x.limit)
	x.SUBQ(x.n, x.limit)
	if x.list {
		s, doubts := x.GP64(), x.GP64()
		x.Load(x.Param("s"), s)
		x.Load(x.Param("doubt").Len(), doubts)
		x.SUBQ(Mem{Base: s, Disp: stateDoubts}, doubts)
		x.CMPQ(x.limit, doubts)
		x.CMOVQGT(doubts, x.limit)
	}
	x.SARQ(Imm(4), x.limit) // SweepPad pairs each
	x.MOVQ(U32(mostNoted), most)
	x.CMPQ(x.limit, most)
	x.CMOVQGT(most, x.limit)
	x.TESTQ(x.limit, x.limit)
}

// note keeps the targets left of a register, if there are any.
func (x *sweeper) note(where, left reg.GPVirtual) {
	x.MOVQ(where, x.where.Idx(x.noted, 8))
	x.MOVL(x.i.As32(), x.what.Idx(x.noted, 8))
	x.MOVL(left, x.what.Idx(x.noted, 8).Offset(4))
	x.CMPL(left, Imm(1))
	x.SBBQ(I8(-1), x.noted) // The count rises by one if a target is left.
}

func (x *sweeper) vec() reg.VecVirtual { return vector(x.Context, x.w) }

// load reads sixteen or eight numbers from memory.
func (x *sweeper) load(m Mem, v reg.VecVirtual) {
	if x.w == 512 {
		x.VMOVDQU32(m, v)
	} else {
		x.VMOVDQU(m, v)
	}
}

func (x *sweeper) column(list reg.Register, offset int) reg.GPVirtual {
	p := x.GP64()
	x.MOVQ(Mem{Base: list, Disp: offset}, p)
	return p
}

// broadcast returns the query's value in a column, in all lanes.
func (x *sweeper) broadcast(column int) reg.VecVirtual {
	v := x.vec()
	x.VBROADCASTSS(Mem{Base: x.column(x.q, listBox+24*column), Index: x.i, Scale: 4}, v)
	return v
}

func (x *sweeper) listKernel() {
	x.n, x.i, x.j, x.noted, x.limit, x.drawn = x.GP64(), x.GP64(), x.GP64(), x.GP64(), x.GP64(), x.GP64()
	x.where, x.what = x.AllocLocal(8*mostNoted), x.AllocLocal(8*mostNoted)
	x.sure = x.AllocLocal(6 * x.w / 8)
	x.XORQ(x.n, x.n)
	x.XORQ(x.noted, x.noted)
	x.MOVQ(I32(-1), x.drawn)

	x.Label("anew")
	x.state(func(field Mem, v reg.Register) { x.MOVQ(field, v) })
	x.roomForNoted()
	x.JZ(LabelRef("full"))
	x.lists()
	for _, k := range []int{minX, minY, minZ, maxY, maxZ} {
		x.col[k] = x.column(x.t, listBox+24*k)
	}
	x.homeY, x.homeZ, x.smallest = x.vec(), x.vec(), x.vec()
	x.VBROADCASTSS(Mem{Base: x.t, Disp: listHomeY}, x.homeY)
	x.VBROADCASTSS(Mem{Base: x.t, Disp: listHomeZ}, x.homeZ)
	x.VPCMPEQD(x.smallest.AsY(), x.smallest.AsY(), x.smallest.AsY()) // -Inf: all ones, shifted
	x.VPSLLD(Imm(23), x.smallest.AsY(), x.smallest.AsY())
	if x.w == 512 {
		x.VBROADCASTSS(x.smallest.AsX(), x.smallest)
	}

	x.Label("query")
	x.lists()
	x.CMPQ(x.i, Mem{Base: x.q, Disp: listN})
	x.JGE(LabelRef("last"))
	x.x1, x.y0, x.y1, x.z0, x.z1 = x.broadcast(maxX), x.broadcast(minY), x.broadcast(maxY), x.broadcast(minZ),
		x.broadcast(maxZ)
	x.leastY, x.leastZ = x.least(x.y0, x.homeY), x.least(x.z0, x.homeZ)
	x.TESTQ(x.j, x.j)
	x.JNZ(LabelRef("targets"))
	x.begin()
	x.Label("targets")
	x.compare()

	x.Label("last")
	x.TESTQ(x.noted, x.noted)
	x.JZ(LabelRef("done"))
	x.Label("flush")
	save := func(field Mem, v reg.Register) { x.MOVQ(v, field) }
	x.state(save)
	x.flush()
	x.JMP(LabelRef("anew"))

	x.Label("done")
	x.state(save)
	x.Label("full")
	x.VZEROUPPER()
	x.Store(x.n, x.ReturnIndex(0))
	x.RET()
}

// state moves i and j to or from the state.
func (x *sweeper) state(move func(field Mem, v reg.Register)) {
	s := x.Load(x.Param("s"), x.GP64())
	move(Mem{Base: s, Disp: stateI}, x.i)
	move(Mem{Base: s, Disp: stateJ}, x.j)
}

// lists brings the addresses of the two lists into registers.
func (x *sweeper) lists() {
	x.q, x.t = x.GP64(), x.GP64()
	x.Load(x.Param("q"), x.q)
	x.Load(x.Param("t"), x.t)
}

// least returns -Inf where the query's minimum v is at home, else the cell's least.
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
func (x *sweeper) begin() {
	if x.self {
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
	if x.strict {
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
	base := x.col[column]
	if base == (reg.GPVirtual)(nil) { // The address is seldom needed.
		base = x.column(x.t, listBox+24*column)
	}
	return Mem{Base: base, Index: x.j, Scale: 4}
}

// compare runs over the targets of query i, a register at a time, until one begins beyond it, and
// notes what is left.
func (x *sweeper) compare() {
	y, z, begins, left := x.vec(), x.vec(), x.GP32(), x.GP32()
	if x.w == 512 {
		within, k := x.K(), x.K()
		x.VCMPPS(geOQ, x.target(minX), x.x1, within)
		x.VMOVUPS(x.target(minY), y)
		x.VMOVUPS(x.target(minZ), z)
		x.VCMPPS(geOQ, y, x.y1, within, k)
		x.VCMPPS(leOQ, x.target(maxY), x.y0, k, k)
		x.VCMPPS(geOQ, z, x.z1, k, k)
		x.VCMPPS(leOQ, x.target(maxZ), x.z0, k, k)
		x.VCMPPS(leOQ, y, x.leastY, k, k)
		x.VCMPPS(leOQ, z, x.leastZ, k, k)
		x.KMOVW(within, begins)
		x.KMOVW(k, left)
	} else {
		within, k, v := x.vec(), x.vec(), x.vec()
		x.VCMPPS(geOQ, x.target(minX), x.x1, within)
		and := func(op Op, a Op, b reg.Register) {
			x.VCMPPS(op, a, b, v)
			x.VANDPS(v, k, k)
		}
		x.VMOVUPS(x.target(minY), y)
		x.VMOVUPS(x.target(minZ), z)
		x.VCMPPS(geOQ, y, x.y1, k)
		x.VANDPS(within, k, k)
		and(leOQ, x.target(maxY), x.y0)
		and(geOQ, z, x.z1)
		and(leOQ, x.target(maxZ), x.z0)
		and(leOQ, y, x.leastY)
		and(leOQ, z, x.leastZ)
		x.VMOVMSKPS(within, begins)
		x.VMOVMSKPS(k, left)
	}
	x.note(x.j, left)
	x.ADDQ(Imm(uint64(x.w/32)), x.j)
	x.CMPL(begins, U32(1<<(x.w/32)-1))
	x.JNE(LabelRef("ended"))
	x.CMPQ(x.noted, x.limit)
	x.JLT(LabelRef("targets"))
	x.JMP(LabelRef("flush")) // The query goes on after the flush.
	x.Label("ended")
	x.XORQ(x.j, x.j)
	x.INCQ(x.i)
	x.CMPQ(x.noted, x.limit)
	x.JLT(LabelRef("query"))
	x.JMP(LabelRef("flush"))
}

// flush writes the pairs of the registers that were noted. All of them fit.
func (x *sweeper) flush() {
	k, left, i, j := x.GP64(), x.GP32(), x.i, x.j
	x.i, x.j = x.GP64(), x.GP64()
	x.XORQ(k, k)
	x.Label("noted")
	x.MOVQ(x.where.Idx(k, 8), x.j)
	x.MOVL(x.what.Idx(k, 8), x.i.As32())
	x.MOVL(x.what.Idx(k, 8).Offset(4), left)
	x.lists()
	x.col = [6]reg.GPVirtual{}
	if x.w == 512 {
		x.hit512(left)
	} else {
		x.hit256(left)
	}
	x.INCQ(k)
	x.CMPQ(k, x.noted)
	x.JLT(LabelRef("noted"))
	x.XORQ(x.noted, x.noted)
	x.i, x.j = i, j
}

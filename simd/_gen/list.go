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
	listIDs   = listN + 16
	listSlack = listIDs + 24

	stateI      = 0
	stateJ      = 8
	stateFirst  = 16
	stateDoubts = 32
	stateSeen   = 40

	listEnds   = listSlack + 8
	listStride = listEnds + 24

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

// lists writes the kernels of ListSelf and ListAcross.
func lists(c *build.Context) {
	lanesOfMask(c, "listLanes")
	for _, w := range []int{512, 256} {
		for _, k := range sweepPasses {
			x := &sweeper{Context: c, w: w, sweepPass: k, list: true, full: "done", lanes: "listLanes"}
			name := fmt.Sprintf("list%s%d", k.name, w)
			begin(c, name, name+" is List"+k.contract+": queries q, targets t, state s.",
				"func(q, t, s *byte, out, doubt [][2]int32) int", attr.NOSPLIT)
			x.listKernel()
		}
	}
}

// sweepPass is one of the three passes over lists: a list with itself, and the two sweepPasses of two lists.
type sweepPass struct {
	name     string
	self     bool
	strict   bool // targets begin after the query does, not where
	swap     bool // the query is the second of the pair
	nq, nt   int  // vertices of a query and of a target that are compared
	contract string
}

var sweepPasses = []sweepPass{
	{"Self", true, false, false, 2, 2, "Self"},
	{"BA", false, false, true, 3, 1, "Across, the first half"},
	{"AB", false, true, false, 1, 3, "Across, the second half"},
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
type sweeper struct {
	*build.Context
	sweepPass
	w     int
	list  bool   // ListSelf and ListAcross: pairs of primitives, and the pairs in doubt by themselves
	full  string // where to go when an output is full
	lanes string // the table of the lanes of masks

	q, t, n, i, j          reg.GPVirtual
	col                    [6]reg.GPVirtual // columns of the targets
	x1, y0, y1, z0, z1     reg.VecVirtual   // the query, in all lanes
	leastY, leastZ         reg.VecVirtual   // the minima a target must reach for the pair to be at home
	homeY, homeZ, smallest reg.VecVirtual
	iota                   reg.VecVirtual
	sure                   Mem           // with list: what a target must keep to, lest it be in doubt; see doubts
	drawn                  reg.GPVirtual // the query that it is of
}

func (x *sweeper) vec() reg.VecVirtual { return vector(x.Context, x.w) }

// load is sixteen or eight numbers from memory.
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

// broadcast is the query's value in a column, in all lanes.
func (x *sweeper) broadcast(column int) reg.VecVirtual {
	v := x.vec()
	x.VBROADCASTSS(Mem{Base: x.column(x.q, listBox+24*column), Index: x.i, Scale: 4}, v)
	return v
}

func (x *sweeper) listKernel() {
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
	if x.w == 512 {
		x.VBROADCASTSS(x.smallest.AsX(), x.smallest)
	}
	x.sure, x.drawn = x.AllocLocal(6*x.w/8), x.GP64()
	x.MOVQ(I32(-1), x.drawn)

	x.Label("query")
	x.CMPQ(x.i, Mem{Base: x.q, Disp: listN})
	x.JGE(LabelRef("done"))
	x.x1, x.y0, x.y1, x.z0, x.z1 = x.broadcast(maxX), x.broadcast(minY), x.broadcast(maxY), x.broadcast(minZ), x.broadcast(maxZ)
	x.leastY, x.leastZ = x.least(x.y0, x.homeY), x.least(x.z0, x.homeZ)
	x.TESTQ(x.j, x.j)
	x.JNZ(LabelRef("targets"))
	x.begin()

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
	if column == maxX {
		base = x.column(x.t, listBox+24*maxX) // seldom asked for
	}
	return Mem{Base: base, Index: x.j, Scale: 4}
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
		x.room("out", x.n)
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
		x.hit512(k)
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
		x.hit256(k)
	}
}

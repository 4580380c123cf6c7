package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// A box.Node is six columns of eight floats; a leaf is a node whose children are primitives.
// TestTreeLayout holds the offsets in a box.Queue.
const (
	nodeBytes = 6 * rowBytes
	queueRow  = 0
	queueLeaf = 4 * (64*8 + 8)
	queueTo   = 2 * queueLeaf
)

// tree writes the kernels on nodes of a hierarchy.
func tree(c *build.Context) {
	lanesOfMask(c, "treeLanes")
	leafOffsets(c)
	c.StaticGlobal("treePairs") // It has eight times 2*p, then eight times 2*p + 1, of p = 0 to 3.
	c.DataAttributes(attr.RODATA | attr.NOPTR)
	for i := range 64 {
		c.AddDatum(4*i, U32(uint32(i/8)))
	}
	for width := 1; width <= 3; width++ {
		leaves(c, width)
	}
	parents(c)
	for _, w := range []int{512, 256} {
		begin(c, fmt.Sprintf("meet%d", w), fmt.Sprintf("meet%d is Meet.", w), "func(a, b *Node) uint64", attr.NOSPLIT)
		if w == 512 {
			meet512(c)
		} else {
			meet256(c)
		}
		begin(c, fmt.Sprintf("meetLeaves%d", w), fmt.Sprintf("meetLeaves%d is MeetLeaves.", w),
			"func(a, b *[8]Node, of *Node, m uint64, sure, touching *[64]uint64, q *Queue)", attr.NOSPLIT)
		if w == 512 {
			meetLeaves512(c)
		} else {
			meetLeaves256(c)
		}
	}
	begin(c, "meetMoving256", "meetMoving256 is MeetMoving.", "func(a0, a1, b0, b1 *Node) uint64", attr.NOSPLIT)
	meetMoving256(c)
	begin(c, "meetEnds256", "meetEnds256 is MeetEnds.", "func(a0, a1, b0, b1 *[8]Node, of0, of1 *Node, "+
		"m uint64, touching *[64]uint64, q *Queue)", attr.NOSPLIT)
	meetEnds256(c)
}

// leafOffsets is a table: for every pair of leaves t, where leaf t/8 and where leaf t%8 of eight
// begin.
func leafOffsets(c *build.Context) {
	c.StaticGlobal("treeLeaves")
	c.DataAttributes(attr.RODATA | attr.NOPTR)
	for t := range 64 {
		c.AddDatum(8*t, U32(uint32(nodeBytes*(t/8))))
		c.AddDatum(8*t+4, U32(uint32(nodeBytes*(t%8))))
	}
}

// address is that of a table of the file.
func address(c *build.Context, name string) reg.GPVirtual {
	p := c.GP64()
	c.LEAQ(NewDataAddr(NewStaticSymbol(name), 0), p)
	return p
}

// leaves joins the rows of each primitive's vertices and turns eight of them into columns.
func leaves(c *build.Context, width int) {
	name := "leaves" + ofWidth(width) + "256"
	begin(c, name, fmt.Sprintf("%s is Leaves for primitives of %d vertices.", name, width),
		"func(nodes []Node, hulls, rows []float32, corners []int32)", attr.NOSPLIT)
	rows := c.Load(c.Param("rows").Base(), c.GP64())
	corners := c.Load(c.Param("corners").Base(), c.GP64())
	eachNode(c, func(lane int, v reg.VecVirtual) {
		for w := range width {
			p := c.GP64()
			c.MOVLQSX(Mem{Base: corners, Disp: 4 * (width*lane + w)}, p)
			c.SHLQ(Imm(5), p)
			from := Mem{Base: rows, Index: p, Scale: 1}
			if w == 0 {
				c.VMOVUPS(from, v)
			} else {
				c.VMINPS(from, v, v) // the later of two zeros
			}
		}
	}, func() { c.ADDQ(U32(4*8*width), corners) })
}

// parents turns eight rows into columns.
func parents(c *build.Context) {
	begin(c, "parents256", "parents256 is Parents.",
		"func(nodes []Node, hulls, below []float32)", attr.NOSPLIT)
	below := c.Load(c.Param("below").Base(), c.GP64())
	eachNode(c, func(lane int, v reg.VecVirtual) { c.VMOVUPS(Mem{Base: below, Disp: rowBytes * lane}, v) },
		func() { c.ADDQ(U32(8*rowBytes), below) })
}

// eachNode fills nodes and hulls from rows; next goes on to the next node.
func eachNode(c *build.Context, row func(lane int, v reg.VecVirtual), next func()) {
	out := c.Load(c.Param("nodes").Base(), c.GP64())
	n := c.Load(c.Param("nodes").Len(), c.GP64())
	hulls := c.Load(c.Param("hulls").Base(), c.GP64())
	c.Label("loop")
	var r [8]reg.VecVirtual
	hull := c.YMM()
	for lane := range r {
		r[lane] = c.YMM()
		row(lane, r[lane])
		switch lane {
		case 0:
		case 1:
			c.VMINPS(r[1], r[0], hull)
		default:
			c.VMINPS(r[lane], hull, hull)
		}
	}
	c.VMOVUPS(hull, Mem{Base: hulls})
	sixColumns(c, &r, out)
	next()
	c.ADDQ(U32(nodeBytes), out)
	c.ADDQ(Imm(rowBytes), hulls)
	c.DECQ(n)
	c.JNZ(LabelRef("loop"))
	c.VZEROUPPER()
	c.RET()
}

// sixColumns stores the columns 0 to 2 and 4 to 6 of eight registers of floats.
func sixColumns(c *build.Context, r *[8]reg.VecVirtual, out reg.Register) {
	for i := 0; i < 8; i += 2 {
		lo := c.YMM()
		c.VUNPCKLPS(r[i+1], r[i], lo)
		c.VUNPCKHPS(r[i+1], r[i], r[i+1])
		r[i] = lo
	}
	for k, imm := range []Constant{Imm(0x44), Imm(0xee), Imm(0x44)} {
		from := k / 2 // columns 0 and 1 are in the low halves of rows, column 2 in the high halves
		a, b := c.YMM(), c.YMM()
		c.VSHUFPS(imm, r[2+from], r[from], a)
		c.VSHUFPS(imm, r[6+from], r[4+from], b)
		lo, hi := c.YMM(), c.YMM()
		c.VPERM2F128(Imm(0x20), b, a, lo)
		c.VPERM2F128(Imm(0x31), b, a, hi)
		c.VMOVUPS(lo, Mem{Base: out, Disp: rowBytes * k})
		c.VMOVUPS(hi, Mem{Base: out, Disp: rowBytes * (3 + k)})
	}
}

// largest is the largest of six registers; all are lost.
func largest(c *build.Context, g *[6]reg.VecVirtual) reg.VecVirtual {
	c.VMAXPS(g[1], g[0], g[0])
	c.VMAXPS(g[3], g[2], g[2])
	c.VMAXPS(g[5], g[4], g[4])
	c.VMAXPS(g[2], g[0], g[0])
	c.VMAXPS(g[4], g[0], g[0])
	return g[0]
}

// boxGaps is the largest gap between the box at one, a lane of a node, and the eight whose columns
// other gives: lo of the one meets -hi of the other, three columns on or back.
func boxGaps(c *build.Context, one Mem, other func(column int) Op) reg.VecVirtual {
	var g [6]reg.VecVirtual
	for k := range g {
		g[k] = c.YMM()
		c.VBROADCASTSS(one.Offset(rowBytes*k), g[k])
		c.VADDPS(other((k+3)%6), g[k], g[k])
	}
	return largest(c, &g)
}

// movingGaps is boxGaps for boxes at both ends, where a gap is the smaller one of both ends.
func movingGaps(c *build.Context, one [2]Mem, other func(end, column int) Op) reg.VecVirtual {
	var largest reg.VecVirtual
	for k := range 6 {
		var g [2]reg.VecVirtual
		for end := range g {
			g[end] = c.YMM()
			c.VBROADCASTSS(one[end].Offset(rowBytes*k), g[end])
			c.VADDPS(other(end, (k+3)%6), g[end], g[end])
		}
		c.VMINPS(g[1], g[0], g[0])
		if k == 0 {
			largest = g[0]
			continue
		}
		c.VMAXPS(g[0], largest, largest)
	}
	return largest
}

// zero is +0 in all lanes.
func zero(c *build.Context, w int) reg.VecVirtual {
	v := vector(c, w)
	c.VXORPS(v.AsX(), v.AsX(), v.AsX())
	return v
}

// meet256 compares the children of a one by one with those of b, which stay in registers.
func meet256(c *build.Context) {
	a := c.Load(c.Param("a"), c.GP64())
	b := c.Load(c.Param("b"), c.GP64())
	m, bits, none := c.GP64(), c.GP64(), zero(c, 256)
	var columns [6]reg.VecVirtual
	for k := range columns {
		columns[k] = c.YMM()
		c.VMOVUPS(Mem{Base: b, Disp: rowBytes * k}, columns[k])
	}
	for i := range 8 {
		g := boxGaps(c, Mem{Base: a, Disp: 4 * i}, func(k int) Op { return columns[k] })
		eightTouch(c, i, g, none, m, bits)
	}
	c.VZEROUPPER()
	c.Store(m, c.ReturnIndex(0))
	c.RET()
}

// eightTouch sets the bits of m of child i, whose largest gaps with the eight others are g.
func eightTouch(c *build.Context, i int, g, none reg.VecVirtual, m, bits reg.GPVirtual) {
	c.VCMPPS(leOQ, none, g, g)
	if i == 0 {
		c.VMOVMSKPS(g, m.As32())
		return
	}
	c.VMOVMSKPS(g, bits.As32())
	c.SHLQ(Imm(uint64(8*i)), bits)
	c.ORQ(bits, m)
}

// meetMoving256 is meet256 with boxes at both ends. The columns of b at the start stay in
// registers.
func meetMoving256(c *build.Context) {
	var one, other [2]Mem
	for end := range 2 {
		one[end] = Mem{Base: c.Load(c.Param(fmt.Sprintf("a%d", end)), c.GP64())}
		other[end] = Mem{Base: c.Load(c.Param(fmt.Sprintf("b%d", end)), c.GP64())}
	}
	m, bits, none := c.GP64(), c.GP64(), zero(c, 256)
	var columns [6]reg.VecVirtual
	for k := range columns {
		columns[k] = c.YMM()
		c.VMOVUPS(other[0].Offset(rowBytes*k), columns[k])
	}
	for i := range 8 {
		g := movingGaps(c, [2]Mem{one[0].Offset(4 * i), one[1].Offset(4 * i)}, func(end, k int) Op {
			if end == 0 {
				return columns[k]
			}
			return other[end].Offset(rowBytes * k)
		})
		eightTouch(c, i, g, none, m, bits)
	}
	c.VZEROUPPER()
	c.Store(m, c.ReturnIndex(0))
	c.RET()
}

// meetLeaves256 goes through the pairs of leaves twice without a branch on a box: first it compares
// the boxes of a leaf of a with the hull of a leaf of b and notes those that touch, then it
// compares each of these with the eight boxes of the leaf.
func meetLeaves256(c *build.Context) {
	a := c.Load(c.Param("a"), c.GP64())
	q := c.Load(c.Param("q"), c.GP64())
	sure := c.Load(c.Param("sure"), c.GP64())
	touching := c.Load(c.Param("touching"), c.GP64())
	n, none := c.GP64(), zero(c, 256)
	c.XORQ(n, n)
	of := c.Load(c.Param("of"), c.GP64())
	noteRows(c, q, n, none, func(row, child reg.Register) reg.VecVirtual {
		return boxGaps(c, Mem{Base: of, Index: child, Scale: 4}, func(k int) Op {
			return Mem{Base: a, Index: row, Scale: 1, Disp: rowBytes * k}
		})
	}, sure, touching)
	c.TESTQ(n, n)
	c.JZ(LabelRef("done"))
	b := c.Load(c.Param("b"), c.GP64())
	bits := c.GP32()
	c.LEAQ(Mem{Base: q, Index: n, Scale: 4}, q)
	c.NEGQ(n)
	c.Label("row")
	row, leaf, to := noted(c, q, n)
	g := boxGaps(c, Mem{Base: a, Index: row, Scale: 1}, func(k int) Op {
		return Mem{Base: b, Index: leaf, Scale: 1, Disp: rowBytes * k}
	})
	overlap := c.YMM()
	c.VCMPPS(ltOQ, none, g, overlap)
	c.VCMPPS(leOQ, none, g, g)
	c.VMOVMSKPS(overlap, bits)
	c.MOVB(bits.As8(), Mem{Base: sure, Index: to, Scale: 1})
	c.VMOVMSKPS(g, bits)
	c.MOVB(bits.As8(), Mem{Base: touching, Index: to, Scale: 1})
	c.INCQ(n)
	c.JNZ(LabelRef("row"))
	c.Label("done")
	c.VZEROUPPER()
	c.RET()
}

// noted is an entry of the queue: where a box is, where the leaf is that it is compared with, and
// where the mask is.
func noted(c *build.Context, q, n reg.Register) (row, leaf, to reg.GPVirtual) {
	row, leaf, to = c.GP64(), c.GP64(), c.GP64()
	c.MOVL(Mem{Base: q, Index: n, Scale: 4, Disp: queueRow}, row.As32())
	c.MOVL(Mem{Base: q, Index: n, Scale: 4, Disp: queueLeaf}, leaf.As32())
	c.MOVL(Mem{Base: q, Index: n, Scale: 4, Disp: queueTo}, to.As32())
	return row, leaf, to
}

// meetEnds256 is meetLeaves256 with boxes at both ends.
func meetEnds256(c *build.Context) {
	q := c.Load(c.Param("q"), c.GP64())
	touching := c.Load(c.Param("touching"), c.GP64())
	n, none := c.GP64(), zero(c, 256)
	c.XORQ(n, n)
	var one, other, of [2]reg.Register
	for end := range 2 {
		one[end] = c.Load(c.Param(fmt.Sprintf("a%d", end)), c.GP64())
		of[end] = c.Load(c.Param(fmt.Sprintf("of%d", end)), c.GP64())
	}
	noteRows(c, q, n, none, func(row, child reg.Register) reg.VecVirtual {
		var hull [2]Mem
		for end := range hull {
			hull[end] = Mem{Base: of[end], Index: child, Scale: 4}
		}
		return movingGaps(c, hull, func(end, k int) Op {
			return Mem{Base: one[end], Index: row, Scale: 1, Disp: rowBytes * k}
		})
	}, touching)
	c.TESTQ(n, n)
	c.JZ(LabelRef("done"))
	for end := range 2 {
		other[end] = c.Load(c.Param(fmt.Sprintf("b%d", end)), c.GP64())
	}
	bits := c.GP32()
	c.LEAQ(Mem{Base: q, Index: n, Scale: 4}, q)
	c.NEGQ(n)
	c.Label("row")
	row, leaf, to := noted(c, q, n)
	var box [2]Mem
	for end := range box {
		box[end] = Mem{Base: one[end], Index: row, Scale: 1}
	}
	v := movingGaps(c, box, func(end, k int) Op {
		return Mem{Base: other[end], Index: leaf, Scale: 1, Disp: rowBytes * k}
	})
	c.VCMPPS(leOQ, none, v, v)
	c.VMOVMSKPS(v, bits)
	c.MOVB(bits.As8(), Mem{Base: touching, Index: to, Scale: 1})
	c.INCQ(n)
	c.JNZ(LabelRef("row"))
	c.Label("done")
	c.VZEROUPPER()
	c.RET()
}

// noteRows clears the masks of the pairs of leaves and writes to the queue the boxes that touch the
// other leaf's hull; n becomes their number. gaps are the largest gaps between the boxes of a leaf,
// which begins at row, and the hull that is a child of a node.
func noteRows(c *build.Context, q, n reg.Register, none reg.VecVirtual,
	gaps func(row, child reg.Register) reg.VecVirtual, masks ...reg.Register) {
	m := c.Load(c.Param("m"), c.GP64()).(reg.GPVirtual)
	lanes, table, k := address(c, "treeLanes"), address(c, "treeLeaves"), c.GP64()
	c.XORQ(k, k)
	to, step := zero(c, 256), c.YMM()
	c.VPCMPEQD(step, step, step) // eight in all lanes: ones, shifted
	c.VPSRLD(Imm(31), step, step)
	c.VPSLLD(Imm(3), step, step)

	c.Label("pair")
	t, x, rows := c.GP64(), c.GP64(), c.GP32()
	c.TZCNTQ(m, t) // Older processors run it as BSFQ, which gives the same unless m is zero.
	clearLowest64(c, m)
	c.MOVL(Mem{Base: table, Index: t, Scale: 8}, x.As32())
	first, second := c.YMM(), c.YMM()
	c.VPBROADCASTD(Mem{Base: table, Index: t, Scale: 8}, first)
	c.VPBROADCASTD(Mem{Base: table, Index: t, Scale: 8, Disp: 4}, second)
	c.ANDL(Imm(7), t.As32())
	g := gaps(x, t)
	c.VCMPPS(leOQ, none, g, g)
	c.VMOVMSKPS(g, rows)
	list := c.YMM()
	c.VPMOVZXBD(Mem{Base: lanes, Index: rows.As64(), Scale: 8}, list)
	note := func(v reg.VecVirtual, offset int) { c.VMOVDQU(v, Mem{Base: q, Index: n, Scale: 4, Disp: offset}) }
	note(second, queueLeaf)
	c.VPADDD(list, to, second)
	note(second, queueTo)
	c.VPADDD(step, to, to)
	c.VPSLLD(Imm(2), list, list)
	c.VPADDD(list, first, first)
	note(first, queueRow)
	empty := c.GP64()
	c.XORL(empty.As32(), empty.As32())
	for _, mask := range masks {
		c.MOVQ(empty, Mem{Base: mask, Index: k, Scale: 8})
	}
	c.INCQ(k)
	c.POPCNTL(rows, rows)
	c.ADDQ(rows.As64(), n)
	c.TESTQ(m, m)
	c.JNZ(LabelRef("pair"))
}

// clearLowest64 clears the lowest bit that is set.
func clearLowest64(c *build.Context, m reg.Register) {
	t := c.GP64()
	c.LEAQ(Mem{Base: m, Disp: -1}, t)
	c.ANDQ(t, m)
}

// twoByTwo holds what compares the children of one node, two at a time, with the eight of another:
// half of a register of 512 bits has one child of the first node in all lanes.
type twoByTwo struct {
	*build.Context
	one [4][6]reg.VecVirtual // The children 2*p and 2*p+1, a register for each column.
}

func newTwoByTwo(c *build.Context) *twoByTwo {
	x := &twoByTwo{Context: c}
	for p := range x.one {
		for k := range x.one[p] {
			x.one[p][k] = c.ZMM()
		}
	}
	return x
}

// first brings the children of a node into registers.
func (x *twoByTwo) first(node Mem) {
	var order [4]reg.VecVirtual
	for p := range order {
		order[p] = x.ZMM()
		x.VMOVDQU32(NewDataAddr(NewStaticSymbol("treePairs"), 64*p), order[p])
	}
	for k := range 6 {
		v := x.ZMM()
		x.VMOVUPS(node.Offset(rowBytes*k), v.AsY())
		for p := range order {
			x.VPERMPS(v, order[p], x.one[p][k])
		}
	}
}

// second is the largest gap of each child of the first node with the eight of another.
func (x *twoByTwo) second(node Mem) (g [4]reg.VecVirtual) {
	for k := range 6 {
		other := x.ZMM()
		x.VBROADCASTF64X4(node.Offset(rowBytes*((k+3)%6)), other)
		for p := range g {
			if k == 0 {
				g[p] = x.ZMM()
				x.VADDPS(other, x.one[p][k], g[p])
				continue
			}
			v := x.ZMM()
			x.VADDPS(other, x.one[p][k], v)
			x.VMAXPS(v, g[p], g[p])
		}
	}
	return g
}

// mask is a bit for each gap that compares so with zero.
func (x *twoByTwo) mask(op Op, g [4]reg.VecVirtual) reg.OpmaskVirtual {
	var k [4]reg.OpmaskVirtual
	none := zero(x.Context, 512)
	for p := range k {
		k[p] = x.K()
		x.VCMPPS(op, none, g[p], k[p])
	}
	x.KUNPCKWD(k[0], k[1], k[0])
	x.KUNPCKWD(k[2], k[3], k[2])
	x.KUNPCKDQ(k[0], k[2], k[0])
	return k[0]
}

func meet512(c *build.Context) {
	a := c.Load(c.Param("a"), c.GP64())
	b := c.Load(c.Param("b"), c.GP64())
	x, m := newTwoByTwo(c), c.GP64()
	x.first(Mem{Base: a})
	c.KMOVQ(x.mask(leOQ, x.second(Mem{Base: b})), m)
	c.VZEROUPPER()
	c.Store(m, c.ReturnIndex(0))
	c.RET()
}

// meetLeaves512 compares all boxes of a pair of leaves at once, which is no more than one and a
// half boxes one by one.
func meetLeaves512(c *build.Context) {
	a := c.Load(c.Param("a"), c.GP64())
	b := c.Load(c.Param("b"), c.GP64())
	m := c.Load(c.Param("m"), c.GP64())
	sure := c.Load(c.Param("sure"), c.GP64())
	touching := c.Load(c.Param("touching"), c.GP64())
	x, table, row := newTwoByTwo(c), address(c, "treeLeaves"), c.GP32()
	c.Label("leaf")
	c.MOVBLZX(m.(reg.GPVirtual).As8(), row)
	c.TESTL(row, row)
	c.JZ(LabelRef("next"))
	x.first(Mem{Base: a})
	c.Label("pair")
	t := c.GP64()
	c.XORL(t.As32(), t.As32())
	c.BSFL(row, t.As32())
	clearLowest(c, row)
	c.MOVL(Mem{Base: table, Index: t, Scale: 8, Disp: 4}, t.As32())
	g := x.second(Mem{Base: b, Index: t, Scale: 1})
	c.KMOVQ(x.mask(ltOQ, g), Mem{Base: sure})
	c.KMOVQ(x.mask(leOQ, g), Mem{Base: touching})
	c.ADDQ(Imm(8), sure)
	c.ADDQ(Imm(8), touching)
	c.TESTL(row, row)
	c.JNZ(LabelRef("pair"))
	c.Label("next")
	c.ADDQ(U32(nodeBytes), a)
	c.SHRQ(Imm(8), m)
	c.JNZ(LabelRef("leaf"))
	c.VZEROUPPER()
	c.RET()
}

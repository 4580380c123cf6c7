package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Offsets in a Cross.
const (
	crossBoxes = 0
	crossIDs   = 24
	crossHull  = 48
	crossFirst = 96
)

// cross writes CrossVF and CrossEE. With 512 bits blocks of b go two at a time.
func cross(c *build.Context, kind string, w, wa, wb int) {
	name := fmt.Sprintf("cross%s%d", kind, w)
	begin(c, name, fmt.Sprintf("%s is Cross%s.", name, kind),
		"func(a, b *Cross, idx [][4]int32, lanes [][2]int32) int", attr.NOSPLIT)
	if w == 512 {
		cross512(c, wa, wb)
	} else {
		cross256(c, wa, wb)
	}
}

// cross256 needs more registers than there are: values that change with the block alone are on the
// stack.
func cross256(c *build.Context, wa, wb int) {
	lane, aEnd, bLane := c.AllocLocal(8), c.AllocLocal(8), c.AllocLocal(8)
	t := c.GP64()
	a := c.Load(c.Param("a"), c.GP64())
	aBox, aID := c.GP64(), c.GP64()
	c.MOVL(Mem{Base: a, Disp: crossFirst}, t.As32())
	c.MOVQ(t, lane)
	c.MOVQ(Mem{Base: a, Disp: crossBoxes}, aBox)
	c.MOVQ(Mem{Base: a, Disp: crossIDs}, aID)
	c.MOVQ(Mem{Base: a, Disp: crossBoxes + 8}, t)
	c.LEAQ(Mem{Base: aBox, Index: t, Scale: 4}, t)
	c.MOVQ(t, aEnd)
	idx := c.Load(c.Param("idx").Base(), c.GP64())
	lanes := c.Load(c.Param("lanes").Base(), c.GP64())
	q := newBoxQuery(c)
	near, i := c.GP32(), c.GP64()

	c.Label("block")
	c.Load(c.Param("b"), t)
	spread(c, q, t, nil, crossHull, 4)
	rest(c, apart(c, q, aBox), near)

	c.Label("query")
	c.TESTL(near, near)
	c.JZ(LabelRef("next"))
	c.XORQ(i, i)
	c.BSFL(near, i.As32())
	clearLowest(c, near)
	spread(c, q, aBox, i, 0, rowBytes)
	c.Load(c.Param("b"), t)
	bBox, bID, bEnd := c.GP64(), c.GP64(), c.GP64()
	c.MOVQ(Mem{Base: t, Disp: crossBoxes}, bBox)
	c.MOVQ(Mem{Base: t, Disp: crossIDs}, bID)
	c.MOVQ(Mem{Base: t, Disp: crossBoxes + 8}, bEnd)
	c.LEAQ(Mem{Base: bBox, Index: bEnd, Scale: 4}, bEnd)
	c.MOVL(Mem{Base: t, Disp: crossFirst}, t.As32())
	c.MOVQ(t, bLane)

	c.Label("against")
	m := c.GP32()
	gone := apart(c, q, bBox)
	rest(c, gone, m)
	c.TESTL(m, m)
	c.JZ(LabelRef("after"))
	x, y := c.YMM(), c.YMM()
	for w := range wa {
		c.VPBROADCASTD(Mem{Base: aID, Index: i, Scale: 4, Disp: rowBytes * w}, x)
		for z := range wb {
			c.VPCMPEQD(Mem{Base: bID, Disp: rowBytes * z}, x, y)
			c.VORPS(y, gone, gone)
		}
	}
	rest(c, gone, m)

	c.Label("emit")
	c.TESTL(m, m)
	c.JZ(LabelRef("after"))
	j := c.GP64()
	c.XORQ(j, j)
	c.BSFL(m, j.As32())
	clearLowest(c, m)
	for w := range wa {
		c.MOVL(Mem{Base: aID, Index: i, Scale: 4, Disp: rowBytes * w}, t.As32())
		c.MOVL(t.As32(), Mem{Base: idx, Disp: 4 * w})
	}
	for w := range wb {
		c.MOVL(Mem{Base: bID, Index: j, Scale: 4, Disp: rowBytes * w}, t.As32())
		c.MOVL(t.As32(), Mem{Base: idx, Disp: 4 * (wa + w)})
	}
	c.MOVQ(lane, t)
	c.ADDL(i.As32(), t.As32())
	c.MOVL(t.As32(), Mem{Base: lanes})
	c.ADDL(bLane, j.As32())
	c.MOVL(j.As32(), Mem{Base: lanes, Disp: 4})
	c.ADDQ(Imm(16), idx)
	c.ADDQ(Imm(8), lanes)
	c.JMP(LabelRef("emit"))

	c.Label("after")
	c.ADDQ(U32(blockBytes), bBox)
	c.ADDQ(U32(rowBytes*wb), bID)
	c.ADDQ(Imm(8), bLane)
	c.CMPQ(bBox, bEnd)
	c.JB(LabelRef("against"))
	c.JMP(LabelRef("query"))

	c.Label("next")
	c.ADDQ(U32(blockBytes), aBox)
	c.ADDQ(U32(rowBytes*wa), aID)
	c.ADDQ(Imm(8), lane)
	c.CMPQ(aBox, aEnd)
	c.JB(LabelRef("block"))
	c.VZEROUPPER()
	c.Load(c.Param("idx").Base(), t)
	c.SUBQ(t, idx)
	c.SHRQ(Imm(4), idx)
	c.Store(idx, c.ReturnIndex(0))
	c.RET()
}

// clearLowest clears the lowest bit that is set.
func clearLowest(c *build.Context, m reg.GPVirtual) {
	t := c.GP32()
	c.LEAL(Mem{Base: m.As64(), Disp: -1}, t)
	c.ANDL(t, m)
}

// crosser is the state of cross512 while it is emitted. Two blocks are in registers; they are
// compared with boxes from memory, one at a time in all lanes.
type crosser struct {
	*build.Context
	rows  [12]reg.VecVirtual
	whole reg.OpmaskVirtual // the lanes in use: sixteen, or eight for a last single block
}

// load takes the two blocks from box on, or one where end comes after it. Labels begin with a name.
func (x *crosser) load(name string, box, end reg.Register) {
	for k := range x.rows {
		x.VMOVUPS(Mem{Base: box, Disp: rowBytes * k}, x.rows[k].AsY())
	}
	t, word := x.GP64(), x.GP32()
	x.MOVL(U32(0xff), word)
	x.LEAQ(Mem{Base: box, Disp: blockBytes}, t)
	x.CMPQ(t, end)
	x.JAE(LabelRef(name + "one"))
	x.MOVL(U32(0xffff), word)
	for k := range x.rows {
		x.VINSERTF32X8(Imm(1), Mem{Base: box, Disp: blockBytes + rowBytes*k}, x.rows[k], x.rows[k])
	}
	x.Label(name + "one")
	x.KMOVW(word, x.whole)
}

// apart returns the lanes whose boxes are apart from that of which bound gives the twelve floats.
func (x *crosser) apart(bound func(k int) Mem) reg.OpmaskVirtual {
	var side [6]reg.OpmaskVirtual
	for i := range side {
		side[i] = x.K()
		k, pred, other := i%3, gtOQ, 6 // the lanes' lo above the box's hi
		if i >= 3 {
			k, pred, other = 6+i%3, ltOQ, -6
		}
		x.VCMPPS_BCST(pred, bound(k+other), x.rows[k], side[i])
		x.VCMPPS_BCST(pred, bound(k+other+3), x.rows[k+3], side[i], side[i])
		if i > 0 {
			x.KORW(side[0], side[i], side[0])
		}
	}
	return side[0]
}

// cross512 lists the boxes of a that are near b first, where the queries will come; then it
// compares them with two blocks of b at a time, and writes the numbers of two lanes in one word
// where the pairs of lanes will come. At the end it makes pairs and queries of the words, from the
// last, so that no word is overwritten before it is read.
func cross512(c *build.Context, wa, wb int) {
	x := &crosser{Context: c, whole: c.K()}
	for k := range x.rows {
		x.rows[k] = c.ZMM()
	}
	c.StaticGlobal(fmt.Sprintf("crossIota%d", wa))
	c.DataAttributes(attr.RODATA | attr.NOPTR)
	for i := range 16 {
		c.AddDatum(4*i, U32(i))
	}
	iota, sixteen, all, t := c.ZMM(), c.ZMM(), c.ZMM(), c.GP64()
	c.VMOVDQU32(NewDataAddr(NewStaticSymbol(fmt.Sprintf("crossIota%d", wa)), 0), iota)
	c.MOVL(U32(16), t.As32())
	c.VPBROADCASTD(t.As32(), sixteen)
	c.VMOVDQA32(iota, all)
	a, b := c.Load(c.Param("a"), c.GP64()), c.Load(c.Param("b"), c.GP64())
	boxes := func(l reg.Register) (box, end reg.Register) {
		box, end = c.GP64(), c.GP64()
		c.MOVQ(Mem{Base: l, Disp: crossBoxes}, box)
		c.MOVQ(Mem{Base: l, Disp: crossBoxes + 8}, end)
		c.LEAQ(Mem{Base: box, Index: end, Scale: 4}, end)
		return box, end
	}
	hull := func(l reg.Register) func(k int) Mem {
		return func(k int) Mem { return Mem{Base: l, Disp: crossHull + 4*k} }
	}
	// write puts the words of some lanes to a list, without a branch.
	write := func(words reg.VecVirtual, k reg.OpmaskVirtual, to reg.GPVirtual) {
		out, count := c.ZMM(), c.GP32()
		c.VPCOMPRESSD_Z(words, k, out)
		c.KMOVW(k, count)
		c.POPCNTL(count, count)
		c.VMOVDQU32(out, Mem{Base: to})
		c.LEAQ(Mem{Base: to, Index: count.As64(), Scale: 4}, to)
	}

	list := c.Load(c.Param("idx").Base(), c.GP64()).(reg.GPVirtual)
	aBox, aEnd := boxes(a)
	c.Label("near")
	x.load("near", aBox, aEnd)
	gone := x.apart(hull(b))
	c.KANDNW(x.whole, gone, gone)
	write(iota, gone, list)
	c.VPADDD(sixteen, iota, iota)
	c.ADDQ(U32(2*blockBytes), aBox)
	c.CMPQ(aBox, aEnd)
	c.JB(LabelRef("near"))
	words := c.Load(c.Param("lanes").Base(), c.GP64()).(reg.GPVirtual)
	c.Load(c.Param("idx").Base(), t)
	c.CMPQ(t, list)
	c.JE(LabelRef("done"))

	c.MOVQ(Mem{Base: a, Disp: crossBoxes}, aBox)
	aID := c.GP64()
	c.MOVQ(Mem{Base: a, Disp: crossIDs}, aID)
	bBox, bEnd := boxes(b)
	bID := c.GP64()
	c.MOVQ(Mem{Base: b, Disp: crossIDs}, bID)
	ids := make([]reg.VecVirtual, wb)
	for z := range ids {
		ids[z] = c.ZMM()
	}

	c.Label("two")
	x.load("two", bBox, bEnd)
	gone = x.apart(hull(a))
	near := c.K()
	c.KANDNW(x.whole, gone, near)
	c.KORTESTW(near, near)
	c.JZ(LabelRef("beyond"))
	for z := range ids {
		c.VMOVDQU32(Mem{Base: bID, Disp: rowBytes * z}, ids[z].AsY())
	}
	c.LEAQ(Mem{Base: bBox, Disp: blockBytes}, t)
	c.CMPQ(t, bEnd)
	c.JAE(LabelRef("one"))
	for z := range ids {
		c.VINSERTI32X8(Imm(1), Mem{Base: bID, Disp: rowBytes * (wb + z)}, ids[z], ids[z])
	}
	c.Label("one")
	p := c.GP64()
	c.Load(c.Param("idx").Base(), p)

	c.Label("query")
	i, block := c.GP64(), c.GP64()
	c.MOVL(Mem{Base: p}, i.As32())
	c.MOVQ(i, block)
	c.SHRQ(Imm(3), block)
	c.IMUL3Q(U32(blockBytes-rowBytes), block, t)
	c.ADDQ(aBox, t)
	gone = x.apart(func(k int) Mem { return Mem{Base: t, Index: i, Scale: 4, Disp: rowBytes * k} })
	for w := range wa {
		for z := range ids {
			same := c.K()
			c.VPCMPEQD_BCST(x.vertex(aID, block, i, wa, w), ids[z], same)
			c.KORW(same, gone, gone)
		}
	}
	c.KANDNW(near, gone, gone)
	pair := c.ZMM()
	c.SHLL(Imm(16), i.As32())
	c.VPBROADCASTD(i.As32(), pair)
	c.VPORD(all, pair, pair)
	write(pair, gone, words)
	c.ADDQ(Imm(4), p)
	c.CMPQ(p, list)
	c.JB(LabelRef("query"))

	c.Label("beyond")
	c.VPADDD(sixteen, all, all)
	c.ADDQ(U32(2*blockBytes), bBox)
	c.ADDQ(U32(2*rowBytes*wb), bID)
	c.CMPQ(bBox, bEnd)
	c.JB(LabelRef("two"))

	c.Label("done")
	c.VZEROUPPER()
	x.unpack(a, b, words, wa, wb)
}

// vertex returns where the w-th vertex of lane i, of a block, stands in a list of so many for every
// lane.
func (x *crosser) vertex(ids, block, i reg.GPVirtual, width, w int) Mem {
	if width == 1 {
		return Mem{Base: ids, Index: i, Scale: 4}
	}
	at := x.GP64()
	x.MOVQ(block, at)
	x.IMUL3Q(U32(rowBytes*(width-1)), at, at)
	x.ADDQ(ids, at)
	return Mem{Base: at, Index: i, Scale: 4, Disp: rowBytes * w}
}

// unpack makes pairs of lanes and queries of the words up to end, and returns how many there are.
func (x *crosser) unpack(a, b reg.Register, end reg.GPVirtual, wa, wb int) {
	lanes, idx, n := x.GP64(), x.GP64(), end
	x.Load(x.Param("lanes").Base(), lanes)
	x.Load(x.Param("idx").Base(), idx)
	x.SUBQ(lanes, n)
	x.SHRQ(Imm(2), n)
	x.Store(n, x.ReturnIndex(0))
	x.Label("unpack")
	x.SUBQ(Imm(1), n)
	x.JB(LabelRef("end"))
	i, j, t, ids := x.GP64(), x.GP64(), x.GP64(), x.GP64()
	query := x.GP64()
	x.MOVQ(n, query)
	x.SHLQ(Imm(4), query)
	x.ADDQ(idx, query)
	x.MOVL(Mem{Base: lanes, Index: n, Scale: 4}, i.As32())
	x.MOVWLZX(i.As16(), j.As32())
	x.SHRL(Imm(16), i.As32())
	at := 0
	for side, l := range []reg.GPVirtual{i, j} {
		from, width := a, wa
		if side == 1 {
			from, width = b, wb
		}
		x.MOVL(Mem{Base: from, Disp: crossFirst}, t.As32())
		x.ADDL(l.As32(), t.As32())
		x.MOVL(t.As32(), Mem{Base: lanes, Index: n, Scale: 8, Disp: 4 * side})
		x.MOVQ(Mem{Base: from, Disp: crossIDs}, ids)
		block := x.GP64()
		x.MOVQ(l, block)
		x.SHRQ(Imm(3), block)
		for w := range width {
			x.MOVL(x.vertex(ids, block, l, width, w), t.As32())
			x.MOVL(t.As32(), Mem{Base: query, Disp: 4 * at})
			at++
		}
	}
	x.JMP(LabelRef("unpack"))
	x.Label("end")
	x.RET()
}

package main

import (
	"github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// still is the loop of a kernel over a list of pairs at the start of the motion, a pair in a lane.
type still struct {
	*program
	rec, last, group    reg.Register // the last pair of the list, and the first one of the group of lanes
	out, survivors, row reg.Register
}

// newStill loads the parameters rec, out and the length of the list, and begins the loop.
func newStill(c *build.Context, w int, list string) *still {
	s := &still{program: newProgram(c, w, newFrame(c, 2048))}
	s.rec, s.out = c.Load(c.Param("rec").Base(), c.GP64()), c.Load(c.Param("out").Base(), c.GP64())
	s.last = c.Load(c.Param(list).Len(), c.GP64())
	s.group, s.survivors, s.row = c.GP64(), c.GP64(), c.GP64()
	c.XORQ(s.group, s.group)
	c.XORQ(s.survivors, s.survivors)
	c.DECQ(s.last)
	c.JS(LabelRef("done"))
	c.Label("group")
	return s
}

// pair sets at to the number of the pair in a lane. Lanes beyond the list repeat its last pair.
func (s *still) pair(lane int, at reg.Register) {
	s.c.LEAQ(Mem{Base: s.group, Disp: lane}, at)
	s.c.CMPQ(at, s.last)
	s.c.CMOVQGT(s.last, at)
}

// record returns the record of a vertex, whose number is in memory.
func (s *still) record(vertex Mem) Mem {
	s.c.MOVLQSX(vertex, s.row)
	s.c.SHLQ(Imm(6), s.row)
	return Mem{Base: s.rec, Index: s.row, Scale: 1}
}

// point returns the place of a vertex, in the low half of a register.
func (s *still) point(vertex Mem) value {
	return s.push(operation{how: lowered{result: true, emit: func(_ []Op, r Op) {
		s.c.VMOVUPD(s.record(vertex), low(r))
	}}})
}

// minus returns a point less the place of a vertex.
func (s *still) minus(point value, vertex Mem) value {
	return s.push(operation{args: []value{point}, how: lowered{result: true, emit: func(src []Op, r Op) {
		s.c.VSUBPD(s.record(vertex), low(src[0]), low(r))
	}}})
}

func low(o Op) reg.VecPhysical { return o.(reg.VecPhysical).AsY().(reg.VecPhysical) }

// transpose turns a row {x y z 0} of each lane, in the low half of a register, into columns.
func (s *still) transpose(row func(lane int) value) vector3 {
	c := s.c
	halves := func(ins func(...Op), a, b value) value { return s.binary(ins, a, b) }
	if s.w == 256 {
		two := func(o ...Op) { c.VPERM2F128(o[0], o[1], o[2], o[3]) }
		xz0, xz1 := halves(c.VUNPCKLPD, row(0), row(1)), halves(c.VUNPCKLPD, row(2), row(3)) // {x x z z}
		y0, y1 := halves(c.VUNPCKHPD, row(0), row(1)), halves(c.VUNPCKHPD, row(2), row(3))
		return vector3{s.shuffle(two, 0x20, xz0, xz1), s.shuffle(two, 0x20, y0, y1), s.shuffle(two, 0x31, xz0, xz1)}
	}
	two := func(i, j int) value {
		return s.push(operation{args: []value{row(i), row(j)}, how: lowered{result: true, emit: func(src []Op, r Op) {
			c.VINSERTF64X4(Imm(1), low(src[1]), src[0], r)
		}}})
	}
	r0, r1, r2, r3 := two(0, 2), two(1, 3), two(4, 6), two(5, 7)
	xz0, xz1 := halves(c.VUNPCKLPD, r0, r1), halves(c.VUNPCKLPD, r2, r3) // {x x z z} of lanes 0, 1 and of 2, 3
	y0, y1 := halves(c.VUNPCKHPD, r0, r1), halves(c.VUNPCKHPD, r2, r3)
	const even, odd = 0x88, 0xdd
	return vector3{
		s.shuffle(c.VSHUFF64X2, even, xz0, xz1), s.shuffle(c.VSHUFF64X2, even, y0, y1),
		s.shuffle(c.VSHUFF64X2, odd, xz0, xz1),
	}
}

// write emits the program and writes the positions of the pairs whose bit in gone is not set,
// complemented where turned, if not nil, has its bit set. It ends the function.
func (s *still) write(gone, turned reg.GPVirtual) {
	c := s.c
	s.emit()
	c.XORL(U32(1<<s.lanes()-1), gone)
	c.Label("write")
	c.TESTL(gone, gone)
	c.JZ(LabelRef("next"))
	lane, at := c.GP64(), c.GP64()
	c.XORQ(lane, lane)
	c.BSFL(gone, lane.As32())
	clearLowest(c, gone)
	c.LEAQ(Mem{Base: s.group, Index: lane, Scale: 1}, at)
	c.CMPQ(at, s.last) // a lane beyond the list
	c.JGT(LabelRef("done"))
	if turned != nil {
		mask := c.GP32()
		c.BTL(lane.As32(), turned)
		c.SBBL(mask, mask) // all ones where the bit is set
		c.XORL(mask, at.As32())
	}
	c.MOVL(at.As32(), Mem{Base: s.out, Index: s.survivors, Scale: 4})
	c.INCQ(s.survivors)
	c.JMP(LabelRef("write"))
	c.Label("next")
	c.ADDQ(Imm(uint64(s.lanes())), s.group)
	c.CMPQ(s.group, s.last)
	c.JLE(LabelRef("group"))
	c.Label("done")
	c.VZEROUPPER()
	c.Store(s.survivors, c.ReturnIndex(0))
	c.RET()
}

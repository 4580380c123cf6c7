package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Constants of simd/crossing.go.
const (
	crossingBound = 52 * 0x1p-53 / 64
	crossingScale = 64
	crossingSum   = 2.5
	crossingTiny  = 0x1p-560
)

// crossing writes the kernels of FilterEF, a pair in a lane. The order of the operations is that of crossing_generic.go.
func crossing(c *build.Context) {
	for _, w := range []int{512, 256} {
		name := fmt.Sprintf("filterEF%d", w)
		begin(c, name, name+" is FilterEF.", "func(rec []float64, edges [][2]int32, faces [][3]int32, pairs [][2]int32, out []int32) int", 0)
		k := &edgeFace{program: newProgram(c, w, newFrame(c, 2048))}
		k.kernel()
	}
}

// edgeFace holds the arguments of FilterEF.
type edgeFace struct {
	*program
	rec, edges, faces, pairs reg.Register
	last, group              reg.Register // the last pair, and the first one of the group of lanes
}

func (k *edgeFace) kernel() {
	c := k.c
	slice := func(name string) reg.Register { return c.Load(c.Param(name).Base(), c.GP64()) }
	k.rec, k.edges, k.faces, k.pairs = slice("rec"), slice("edges"), slice("faces"), slice("pairs")
	k.last = c.Load(c.Param("pairs").Len(), c.GP64())
	out, survivors := slice("out"), c.GP64()
	k.group = c.GP64()
	c.XORQ(k.group, k.group)
	c.XORQ(survivors, survivors)
	c.DECQ(k.last)
	c.JS(LabelRef("done"))

	c.Label("group")
	alive, inside := c.GP32(), c.GP32()
	k.decide(k.differences(), alive, inside)
	k.emit()
	c.XORL(U32(1<<k.lanes()-1), alive)

	c.Label("write")
	c.TESTL(alive, alive)
	c.JZ(LabelRef("next"))
	lane, mask, at := c.GP64(), c.GP32(), c.GP64()
	c.XORQ(lane, lane)
	c.BSFL(alive, lane.As32())
	clearLowest(c, alive)
	c.LEAQ(Mem{Base: k.group, Index: lane, Scale: 1}, at)
	c.CMPQ(at, k.last) // lanes beyond the list repeat its last pair
	c.JGT(LabelRef("done"))
	c.BTL(lane.As32(), inside)
	c.SBBL(mask, mask) // all ones where the bit is set
	c.XORL(at.As32(), mask)
	c.MOVL(mask, Mem{Base: out, Index: survivors, Scale: 4})
	c.INCQ(survivors)
	c.JMP(LabelRef("write"))

	c.Label("next")
	c.ADDQ(Imm(uint64(k.lanes())), k.group)
	c.CMPQ(k.group, k.last)
	c.JLE(LabelRef("group"))
	c.Label("done")
	c.VZEROUPPER()
	c.Store(survivors, c.ReturnIndex(0))
	c.RET()
}

// differences are the face's first vertex minus its second, its third, and the edge's ends, a pair in a lane.
func (k *edgeFace) differences() (d [4]vector3) {
	lanes := make([][4]value, k.lanes())
	for i := range lanes {
		lanes[i] = k.lane(i)
	}
	for v := range d {
		row := func(i int) value { return lanes[i][v] }
		if k.w == 256 {
			d[v] = k.fromQuarters(k.quarters(row(0), row(1), row(2), row(3)))
			continue
		}
		two := func(i, j int) value {
			return k.push(operation{args: []value{row(i), row(j)}, how: lowered{result: true, emit: func(s []Op, r Op) {
				k.c.VINSERTF64X4(Imm(1), s[1].(reg.VecPhysical).AsY(), s[0], r)
			}}})
		}
		low, high := k.quarters(two(0, 2), two(1, 3), two(4, 6), two(5, 7))
		const even, odd = 0x88, 0xdd
		d[v] = vector3{
			k.shuffle(k.c.VSHUFF64X2, even, low[0], low[1]),
			k.shuffle(k.c.VSHUFF64X2, even, high[0], high[1]),
			k.shuffle(k.c.VSHUFF64X2, odd, low[0], low[1]),
		}
	}
	return d
}

// quarters unpacks rows {x y z 0}, of which a register has one or two: {x x z z} and {y y 0 0} of rows a and b, and of c and d.
func (k *edgeFace) quarters(a, b, c, d value) (low, high [2]value) {
	low = [2]value{k.binary(k.c.VUNPCKLPD, a, b), k.binary(k.c.VUNPCKLPD, c, d)}
	high = [2]value{k.binary(k.c.VUNPCKHPD, a, b), k.binary(k.c.VUNPCKHPD, c, d)}
	return low, high
}

func (k *edgeFace) fromQuarters(low, high [2]value) vector3 {
	halves := func(o ...Op) { k.c.VPERM2F128(o[0], o[1], o[2], o[3]) }
	return vector3{
		k.shuffle(halves, 0x20, low[0], low[1]),
		k.shuffle(halves, 0x20, high[0], high[1]),
		k.shuffle(halves, 0x31, low[0], low[1]),
	}
}

// lane is the four differences of one pair, in the low half of a register.
func (k *edgeFace) lane(i int) (d [4]value) {
	c := k.c
	at, edge, face := c.GP64(), c.GP64(), c.GP64()
	k.do(func() {
		c.LEAQ(Mem{Base: k.group, Disp: i}, at)
		c.CMPQ(at, k.last)
		c.CMOVQGT(k.last, at)
		c.MOVLQSX(Mem{Base: k.pairs, Index: at, Scale: 8}, edge)
		c.MOVLQSX(Mem{Base: k.pairs, Index: at, Scale: 8, Disp: 4}, face)
		c.LEAQ(Mem{Base: face, Index: face, Scale: 2}, face)
	})
	// record takes the record of a vertex to one instruction.
	record := func(vertex Mem, use func(m Mem)) {
		c.MOVLQSX(vertex, at)
		c.SHLQ(Imm(6), at)
		use(Mem{Base: k.rec, Index: at, Scale: 1})
	}
	ofFace := func(j int) Mem { return Mem{Base: k.faces, Index: face, Scale: 4, Disp: 4 * j} }
	first := k.push(operation{how: lowered{result: true, emit: func(_ []Op, r Op) {
		record(ofFace(0), func(m Mem) { c.VMOVUPD(m, r.(reg.VecPhysical).AsY()) })
	}}})
	for j, vertex := range [4]Mem{ofFace(1), ofFace(2), {Base: k.edges, Index: edge, Scale: 8}, {Base: k.edges, Index: edge, Scale: 8, Disp: 4}} {
		d[j] = k.push(operation{args: []value{first}, how: lowered{result: true, emit: func(s []Op, r Op) {
			record(vertex, func(m Mem) { c.VSUBPD(m, s[0].(reg.VecPhysical).AsY(), r.(reg.VecPhysical).AsY()) })
		}}})
	}
	return d
}

// decide sets the bits of the pairs that are apart, and of those that cross inside of both.
func (k *edgeFace) decide(d [4]vector3, apart, inside reg.Register) {
	b, c, p, q := d[0], d[1], d[2], d[3]
	longest := func(a, b vector3) value {
		m := k.max3(k.abs3(a), k.abs3(b))
		return k.max(k.max(m[0], m[1]), m[2])
	}
	face, edge := longest(b, c), longest(p, q)
	n, m := k.cross(b, c), k.cross(p, q)
	atP, atQ := k.dot(n, p), k.dot(n, q)
	besideB, besideC := k.dot(m, b), k.dot(m, c)
	across := k.sub(k.sub(atQ, atP), k.sub(besideB, besideC))
	scaled := k.mul(face, k.constant(crossingScale))
	bound := func(a, b value) value {
		return k.add(k.mul(k.mul(k.mul(scaled, a), b), k.constant(crossingBound)), k.constant(crossingTiny))
	}
	e, f := bound(face, edge), bound(edge, edge)
	g := k.mul(k.constant(crossingSum), k.add(e, f))

	// Masks live shortly: there are seven registers of them.
	either := func(x, e, y, f value) (some, both value) {
		mx, my := k.greater(x, e), k.less(y, f)
		return k.or(mx, my), k.and(mx, my)
	}
	lessE, lessF, lessG := k.neg(e), k.neg(f), k.neg(g)
	pAbove, qBelow := k.greater(atP, e), k.less(atQ, lessE)
	down := k.and(pAbove, qBelow)
	qAbove := k.greater(atQ, e)
	bothAbove := k.and(pAbove, qAbove)
	pBelow := k.less(atP, lessE)
	oneSide := k.or(bothAbove, k.and(pBelow, qBelow))
	through := k.or(down, k.and(pBelow, qAbove))

	some, allSome := either(besideB, f, besideC, lessF)
	other, allOther := either(besideC, f, besideB, lessF)
	acrossAbove := k.greater(across, g)
	some, allSome = k.or(some, acrossAbove), k.and(allSome, acrossAbove)
	acrossBelow := k.less(across, lessG)
	other, allOther = k.or(other, acrossBelow), k.and(allOther, acrossBelow)
	k.bits(k.or(oneSide, k.and(some, other)), apart)
	k.bits(k.and(through, k.or(allSome, allOther)), inside)
}

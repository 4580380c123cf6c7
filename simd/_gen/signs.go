package main

import (
	"fmt"
	"math"

	"github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Offsets in simd.pieceBounds, in bytes.
const (
	pieceSep     = 0
	pieceWeights = 16
)

// signs writes the kernels of simd's signs. The cubics are formed with one query per lane; then each query is taken by
// itself, one piece of time per lane. "Apart" variants carry a separation.
func signs(c *build.Context) {
	for _, w := range []int{512, 256} {
		for _, kind := range []string{"VF", "EE"} {
			for _, apart := range []bool{false, true} {
				signsKind(c, kind, w, apart)
			}
		}
	}
}

func signsKind(c *build.Context, kind string, w int, apart bool) {
	name, doc := fmt.Sprintf("signs%s%d", kind, w), " is signs for one kind, without separation."
	if apart {
		name, doc = fmt.Sprintf("signsApart%s%d", kind, w), " is signs for one kind, with a separation."
	}
	begin(c, name, name+doc, "func(rec []float64, idx [][4]int32, list []int32, bounds *[130]float64, masks []uint8)", 0)
	f := newFrame(c, 4096)
	l := newInput(c, w).begin()
	rows, cubics := f.alloc(3*w), f.alloc(6*w/8)

	c.Label("group")
	l.rows(kind, rows)
	bounds := c.Load(c.Param("bounds"), c.GP64())
	p := newProgram(c, w, f)
	p.cubics(kind, apart, rows, bounds, cubics)
	p.emit()
	masks := c.Load(c.Param("masks").Base(), c.GP64())
	lane := c.GP64()
	c.XORQ(lane, lane)

	c.Label("query")
	mask := c.GP32()
	for half := range 512 / w {
		bits := c.GP32()
		p := newProgram(c, w, f)
		p.signs(cubics.Idx(lane, 8), bounds, half, bits)
		p.emit()
		if half == 0 {
			c.MOVL(bits, mask)
		} else {
			c.SHLL(Imm(4), bits)
			c.ORL(bits, mask)
		}
	}
	c.XORL(U32(255), mask)
	c.MOVB(mask.As8(), Mem{Base: masks, Index: l.group, Scale: 1})
	c.INCQ(l.group)
	c.CMPQ(l.group, l.last)
	c.JGT(LabelRef("done"))
	c.INCQ(lane)
	c.CMPQ(lane, Imm(uint64(w/64)))
	c.JLT(LabelRef("query"))
	c.JMP(LabelRef("group"))
	c.Label("done")
	c.VZEROUPPER()
	c.RET()
}

// cubics writes, for one query per lane, the Bernstein form of the cubic on the whole motion and the bounds of its
// values on the pieces: infinite where nothing is certain.
func (p *program) cubics(kind string, apart bool, rows Mem, bounds reg.Register, to Mem) {
	var m [3]motion3
	for k := range m {
		m[k] = p.columns(rows.Offset(k * p.w))
	}
	q := p.newQuery(m[0], m[1], m[2])
	f, n := p.bernstein(q)
	area := p.permanent(q.mb, q.mc)
	volume := p.dot(q.ma, area)
	e, e3 := p.mul(volume, p.constant(32*0x1p-53)), p.mul(volume, p.constant(96*0x1p-53))
	if apart {
		norm := p.add(p.sum(n), p.mul(p.sum(area), p.constant(12*0x1p-53)))
		e = p.add(e, p.mul(p.broadcast(Mem{Base: bounds, Disp: pieceSep}), norm))
		e3 = p.add(e3, p.mul(p.broadcast(Mem{Base: bounds, Disp: pieceSep + 8}), norm))
	}
	ok := p.and(p.lessEq(p.sum(q.scale), p.constant(0x1p150)), p.greaterEq(volume, p.constant(0x1p-500)))
	infinite := p.constant(math.Inf(1))
	for k, v := range []value{f[0], f[1], f[2], f[3], p.pick(ok, e, infinite), p.pick(ok, e3, infinite)} {
		p.store(v, to.Offset(k*p.w/8))
	}
}

// signs tests one query's cubic on the pieces. Its values there are sums of the coefficients with weights that depend
// on the piece alone.
func (p *program) signs(cubics Mem, bounds reg.Register, half int, excludedBits reg.Register) {
	read := func(k int) value { return p.broadcast(cubics.Offset(k * p.w / 8)) }
	e, e3 := read(4), read(5)
	var f [4]value
	for i := range f {
		for j := range 4 {
			t := p.mul(read(j), p.load(Mem{Base: bounds, Disp: pieceWeights + 64*(4*i+j) + 32*half}))
			if j == 0 {
				f[i] = t
			} else {
				f[i] = p.add(f[i], t)
			}
		}
	}
	p.bits(p.oneSign(f, e, e3), excludedBits)
}

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

// signs writes the kernels of simd's signs. The cubics are formed with one query per lane; then
// each query is taken by itself, one piece of time per lane. "Apart" variants carry a separation.
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
	begin(c, name, name+doc,
		"func(rec []float64, idx [][4]int32, list []int32, bounds *[130]float64, masks []uint8)", 0)
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

// cubics writes, for one query per lane, the Bernstein form of the cubic on the whole motion and
// the bounds of its values on the pieces: infinite where nothing is certain.
func (p *program) cubics(kind string, apart bool, rows Mem, bounds reg.Register, to Mem) {
	var m [3]motion3
	for k := range m {
		m[k] = p.columns(rows.Offset(k * p.w))
	}
	q := p.newQuery(m[0], m[1], m[2])
	var s *separation
	if apart {
		s = &separation{}
		s.once = p.broadcast(Mem{Base: bounds, Disp: pieceSep})
		s.thrice = p.broadcast(Mem{Base: bounds, Disp: pieceSep + 8})
	}
	f := p.pieceForm(q, s)
	for k, v := range []value{f.f0, f.f1, f.f2, f.f3, f.e, f.e3} {
		p.store(v, to.Offset(k*p.w/8))
	}
}

// pieceForm returns the cubic on the whole motion with the bounds of its values on the pieces:
// infinite where nothing is certain.
func (p *program) pieceForm(q *query, s *separation) form {
	f, volume := p.cubicForm(q, "pieceEndBound", "pieceMiddleBound", s)
	ok := p.and(p.lessEq(p.sum(q.scale), p.bound("largestPiece")), p.greaterEq(volume, p.bound("smallest")))
	infinite := p.constant(math.Inf(1))
	f.e, f.e3 = p.pick(ok, f.e, infinite), p.pick(ok, f.e3, infinite)
	return f
}

// signs tests one query's cubic on the pieces. Its values there are sums of the coefficients with
// weights that depend on the piece alone.
func (p *program) signs(cubics Mem, bounds reg.Register, half int, excludedBits reg.Register) {
	read := func(k int) value { return p.broadcast(cubics.Offset(k * p.w / 8)) }
	e, e3 := read(4), read(5)
	weight := func(i, j int) value { return p.load(Mem{Base: bounds, Disp: pieceWeights + 64*(4*i+j) + 32*half}) }
	p.bits(p.pieceSign(read, e, e3, weight), excludedBits)
}

// pieceSign reports whether the cubic whose coefficients are sums of f with these weights keeps its
// sign beyond the bounds.
func (p *program) pieceSign(f func(j int) value, e, e3 value, weight func(i, j int) value) value {
	var g [4]value
	for i := range g {
		for j := range 4 {
			t := p.mul(f(j), weight(i, j))
			if j == 0 {
				g[i] = t
			} else {
				g[i] = p.add(g[i], t)
			}
		}
	}
	return p.oneSign(form{g[0], g[1], g[2], g[3], e, e3})
}

package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// pieces writes the kernels of simd.PiecesVF and simd.PiecesEE: one query at a time, one piece of time per lane. Nothing is
// transposed: every component is broadcast. "Apart" variants carry a separation and its extra directions.
func pieces(c *build.Context) {
	for _, w := range []int{512, 256} {
		for _, kind := range []string{"VF", "EE"} {
			for _, apart := range []bool{false, true} {
				piecesKind(c, kind, w, apart)
			}
		}
	}
}

// Offsets in simd.pieceBounds, in bytes.
const (
	startRest, startTime = 0, 64
	endRest, endTime     = 128, 192
	pieceSep             = 256
)

func piecesKind(c *build.Context, kind string, w int, apart bool) {
	name, doc := fmt.Sprintf("pieces%s%d", kind, w), " is Pieces"+kind+" without separation."
	if apart {
		name, doc = fmt.Sprintf("piecesApart%s%d", kind, w), " is Pieces"+kind+" with a separation."
	}
	begin(c, name, name+doc,
		"func(rec []float64, idx [][4]int32, list []int32, bounds *[40]float64, out []int32, masks []uint8) int", 0)
	f := newFrame(c, 2048)
	l := newList(c, w)
	masks := c.Load(c.Param("masks").Base(), c.GP64())
	rows := f.alloc(3 * 64)

	c.Label("query")
	pieceRows(l, kind, rows)
	bounds := c.Load(c.Param("bounds"), c.GP64())
	half, all, alive := c.GP64(), c.GP32(), c.GP32()
	if w == 256 {
		c.XORL(all, all)
		c.XORQ(half, half)
		c.Label("half")
	}
	p := newProgram(c, w, f)
	p.piece(kind, apart, rows, bounds, alive)
	p.emit()

	c.Label("decided")
	if w == 256 { // the second half's bits lie above the first's
		c.SHLL(Imm(4), alive)
		c.SHRL(Imm(4), all)
		c.ORL(alive, all)
		c.ADDQ(Imm(32), bounds)
		c.XORL(U32(1), half.As32())
		c.JNZ(LabelRef("half"))
		alive = all
	}
	c.XORL(U32(255), alive)
	t := c.GP32()
	c.MOVL(Mem{Base: l.in, Index: l.group, Scale: 4}, t)
	c.MOVL(t, Mem{Base: l.out, Index: l.survivor, Scale: 4})
	c.MOVB(alive.As8(), Mem{Base: masks, Index: l.survivor, Scale: 1})
	c.CMPL(alive, Imm(1)) // carry: no piece is left
	c.SBBQ(I8(-1), l.survivor)
	c.INCQ(l.group)
	c.CMPQ(l.group, l.last)
	c.JLE(LabelRef("query"))
	c.Label("done")
	c.VZEROUPPER()
	c.Store(l.survivor, c.ReturnIndex(0))
	c.RET()
}

// pieceRows writes A, B, C of one query, at both ends of the motion.
func pieceRows(l *list, kind string, to Mem) {
	c := l.c
	t := c.GP64()
	c.MOVLQSX(Mem{Base: l.in, Index: l.group, Scale: 4}, t)
	c.SHLQ(Imm(4), t)
	var point [4]reg.Register
	for k := range point {
		point[k] = c.GP64()
		c.MOVLQSX(Mem{Base: l.idx, Index: t, Scale: 1, Disp: 4 * k}, point[k])
		c.SHLQ(Imm(6), point[k])
	}
	for disp := 0; disp < 64; disp += l.w / 8 {
		for k, d := range differences[kind] {
			x := vector(c, l.w)
			c.VMOVUPD(Mem{Base: l.rec, Index: point[d[0]], Scale: 1, Disp: disp}, x)
			c.VSUBPD(Mem{Base: l.rec, Index: point[d[1]], Scale: 1, Disp: disp}, x, x)
			c.VMOVUPD(x, to.Offset(64*k+disp))
		}
	}
}

// piece writes the tests of one query on the pieces of all lanes, from the cheapest to the dearest, and leaves when
// every piece is excluded.
func (p *program) piece(kind string, apart bool, rows Mem, bounds, excludedBits reg.Register) {
	var m [3]motion3
	for v := range m {
		for end := range 2 {
			m[v][end] = p.each(func(k int) value { return p.broadcast(rows.Offset(64*v + 32*end + 8*k)) })
		}
	}
	q := p.newQuery(m[0], m[1], m[2])
	ok := p.lessEq(p.sum(q.scale), p.constant(0x1p150))
	weights := [2][2]value{}
	for end, at := range [2][2]int{{startRest, startTime}, {endRest, endTime}} {
		weights[end] = [2]value{p.load(Mem{Base: bounds, Disp: at[0]}), p.load(Mem{Base: bounds, Disp: at[1]})}
	}
	for _, v := range []*motion3{&q.a, &q.b, &q.c} {
		whole := *v
		for end, w := range weights {
			v[end] = p.at(whole, w[0], w[1])
		}
	}
	var s *separation
	if apart {
		s = &separation{p.broadcast(Mem{Base: bounds, Disp: pieceSep}), p.broadcast(Mem{Base: bounds, Disp: pieceSep + 8})}
		// in the second half bounds has moved by 32 bytes, where the same two numbers stand again
	}
	excluded := p.axisApart(kind, q, 0, s)
	for k := 1; k < 3; k++ {
		excluded = p.or(excluded, p.axisApart(kind, q, k, s))
	}
	leave := func() { p.leave(p.and(excluded, ok), excludedBits, 1<<p.lanes()-1) }
	leave()
	excluded = p.or(excluded, p.cubicApart(q, s))
	leave()
	u, v, t, d := p.cofactors(kind, q)
	for _, d := range d {
		excluded = p.or(excluded, p.directionApart(kind, q, d, s))
	}
	leave()
	third := t
	if kind == "VF" {
		third = p.sub3(u, v)
	}
	for _, x := range []vector3{u, v, third} {
		excluded = p.or(excluded, p.directionApart(kind, q, p.cross(d[0], x), s))
	}
	if apart {
		edges := []vector3{u, v}
		if kind == "VF" {
			edges = append(edges, third)
		}
		leave()
		for _, x := range edges {
			for k := range 3 {
				excluded = p.or(excluded, p.edgeApart(kind, q, k, x, s))
			}
		}
	}
	p.bits(p.and(excluded, ok), excludedBits)
}

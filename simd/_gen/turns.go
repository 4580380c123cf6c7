package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// turns writes the kernels of simd's turns: one query on one piece of time per lane. "Apart"
// variants carry a separation and its extra directions.
func turns(c *build.Context) {
	for _, w := range []int{512, 256} {
		for _, kind := range []string{"VF", "EE"} {
			for _, apart := range []bool{false, true} {
				turnsKind(c, kind, w, apart)
			}
		}
	}
}

func turnsKind(c *build.Context, kind string, w int, apart bool) {
	name, doc := fmt.Sprintf("turns%s%d", kind, w), " is turns for one kind, without separation."
	if apart {
		name, doc = fmt.Sprintf("turnsApart%s%d", kind, w), " is turns for one kind, with a separation."
	}
	begin(c, name, name+doc,
		"func(rec []float64, idx [][4]int32, list []int32, piece []uint8, ends *[9]float64, bounds *[130]float64, "+
			"alive []uint8)", 0)
	f := newFrame(c, 4096)
	l := newInput(c, w).begin()
	rows, start, end := f.alloc(3*w), f.alloc(w/8), f.alloc(w/8)

	c.Label("group")
	l.interval(start, end)
	l.rows(kind, rows)
	bounds := c.Load(c.Param("bounds"), c.GP64())
	gone := c.GP32()
	p := newProgram(c, w, f)
	p.exit = "decided"
	var m [3]motion3
	for v := range m {
		m[v] = p.columns(rows.Offset(v * p.w))
	}
	var sep func() value
	if apart {
		sep = func() value { return p.broadcast(Mem{Base: bounds, Disp: pieceSep}) }
	}
	p.turns(kind, m, start, end, sep, gone)
	p.emit()

	c.Label("decided")
	c.NOTL(gone)
	alive := c.Load(c.Param("alive").Base(), c.GP64())
	c.Label("lane")
	t := c.GP32()
	c.MOVL(gone, t)
	c.ANDL(Imm(1), t)
	c.MOVB(t.As8(), Mem{Base: alive, Index: l.group, Scale: 1})
	c.SHRL(Imm(1), gone)
	c.INCQ(l.group)
	c.CMPQ(l.group, l.last)
	c.JGT(LabelRef("done"))
	c.TESTQ(U32(w/64-1), l.group)
	c.JNZ(LabelRef("lane"))
	c.JMP(LabelRef("group"))
	c.Label("done")
	c.VZEROUPPER()
	c.RET()
}

// turns tests each query on its piece by the axes and by directions, the cheapest first.
func (p *program) turns(kind string, m [3]motion3, start, end Mem, sep func() value, to reg.Register) {
	q := p.newQuery(m[0], m[1], m[2])
	x := p.exclude(to)
	x.unless(p.lessEq(p.sum(q.scale), p.bound("largestPiece")))
	var weights [2][2]value
	for k, at := range []Mem{start, end} {
		t := p.load(at)
		weights[k] = [2]value{p.sub(p.constant(1), t), t}
	}
	for v, to := range []*motion3{&q.a, &q.b, &q.c} {
		for k, w := range weights {
			to[k] = p.at(m[v], w[0], w[1])
		}
	}
	var s *separation
	if sep != nil {
		s = &separation{once: sep()}
	}
	for k := range 3 {
		x.by(p.axisApart(kind, q, k, s))
	}
	x.leave()
	d := p.cofactors(kind, q)
	for _, d := range d.cofactors() {
		x.by(p.directionApart(kind, q, d, s))
	}
	x.leave()
	third := d.t
	if kind == "VF" {
		third = p.sub3(d.u, d.v)
	}
	for _, y := range []vector3{d.u, d.v, third} {
		x.by(p.directionApart(kind, q, p.cross(d.uv, y), s))
	}
	if sep != nil {
		edges := []vector3{d.u, d.v}
		if kind == "VF" {
			edges = append(edges, third)
		}
		x.leave()
		for _, y := range edges {
			for k := range 3 {
				x.by(p.edgeApart(kind, q, k, y, s))
			}
		}
	}
	x.end()
}

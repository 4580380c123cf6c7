package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// filter writes the kernels of simd.FilterVF and simd.FilterEE: "whole" for the whole step without separation, "part" for
// any final time and separation.
func filter(c *build.Context) {
	for _, w := range []int{512, 256} {
		for _, kind := range []string{"VF", "EE"} {
			for _, part := range []bool{false, true} {
				filterKind(c, kind, w, part)
			}
		}
	}
}

func filterKind(c *build.Context, kind string, w int, part bool) {
	name, doc := fmt.Sprintf("filterWhole%s%d", kind, w), " is Filter"+kind+" for the whole step and no separation."
	if part {
		name, doc = fmt.Sprintf("filterPart%s%d", kind, w), " is Filter"+kind+" for any final time and separation."
	}
	begin(c, name, name+doc, "func(rec []float64, idx [][4]int32, list []int32, bounds *[4]float64, out []int32) int", 0)
	f := newFrame(c, 2560)
	l := newList(c, w)
	rows := f.alloc(3 * w)

	c.Label("group")
	l.rows(kind, rows)
	bounds := c.Load(c.Param("bounds"), c.GP64())
	alive := c.GP32()
	p := newProgram(c, w, f)
	p.exit = "decided"
	var m [3]motion3
	for k := range m {
		m[k] = p.columns(rows.Offset(k * w))
	}
	var s *separation
	var weights [2]value
	if part {
		at := func(k int) value { return p.broadcast(Mem{Base: bounds, Disp: 8 * k}) }
		weights, s = [2]value{at(0), at(1)}, &separation{at(2), at(3)}
	}
	p.filter(kind, m, weights, s, alive)
	p.emit()

	c.Label("decided")
	c.NOTL(alive)
	l.write(alive, "group")
	c.Label("done")
	c.VZEROUPPER()
	c.Store(l.survivor, c.ReturnIndex(0))
	c.RET()
}

// filter tests a query on the whole motion; with a separation, on the part of it up to the time of these weights.
func (p *program) filter(kind string, m [3]motion3, weights [2]value, s *separation, to reg.Register) {
	q := p.newQuery(m[0], m[1], m[2])
	x := p.exclude(to)
	if s != nil {
		for _, v := range []*motion3{&q.a, &q.b, &q.c} {
			v[1] = p.at(*v, weights[0], weights[1])
		}
		for k := range 3 {
			x.by(p.axisApart(kind, q, k, s))
		}
	}
	x.unless(p.finite(q))
	x.by(p.cubicApart(q, s))
	x.leave()
	d := p.cofactors(kind, q)
	for _, d := range d.cofactors() {
		x.by(p.directionApart(kind, q, d, s))
	}
	x.end()
}

package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// filter writes the kernels of linear.FilterVF and linear.FilterEE: "whole" for the whole step
// without separation, "part" for any final time and separation.
func filter(c *build.Context) { filters(c, false) }

// filters writes the kernels of a precision, single or double.
func filters(c *build.Context, single bool) {
	for _, w := range []int{512, 256} {
		for _, kind := range []string{"VF", "EE"} {
			for _, part := range []bool{false, true} {
				filterKind(c, kind, w, part, single)
			}
		}
	}
}

func filterKind(c *build.Context, kind string, w int, part, single bool) {
	precision, number, stack := "", 8, 2560
	if single {
		precision, number, stack = "32", 4, 3072
	}
	name, doc := "Whole", "the whole step and no separation"
	if part {
		name, doc = "Part", "any final time and separation"
	}
	name = fmt.Sprintf("filter%s%s%s%d", precision, name, kind, w)
	begin(c, name, fmt.Sprintf("%s is Filter%s%s for %s.", name, precision, kind, doc),
		fmt.Sprintf("func(rec []float64, idx [][4]int32, list []int32, bounds *[4]float%d, out []int32) int",
			8*number), 0)
	f := newFrame(c, stack)
	l := newList(c, w)
	l.lanes = w / (8 * number)
	rows := f.alloc(3 * w)

	c.Label("group")
	if single {
		l.rows32(kind, rows)
	} else {
		l.rows(kind, rows)
	}
	bounds := c.Load(c.Param("bounds"), c.GP64())
	alive := c.GP32()
	p := newProgram(c, w, f)
	p.single, p.exit = single, "decided"
	columns, write := p.columns, l.write
	if single {
		columns, write = p.columns32, l.write32
	}
	var m [3]motion3
	for k := range m {
		m[k] = columns(rows.Offset(k * w))
	}
	var s *separation
	var weights [2]value
	if part {
		at := func(k int) value { return p.broadcast(Mem{Base: bounds, Disp: number * k}) }
		weights, s = [2]value{at(0), at(1)}, &separation{at(2), at(3)}
	}
	p.filter(kind, m, weights, s, alive)
	p.emit()

	c.Label("decided")
	c.NOTL(alive)
	write(alive, "group")
	c.Label("done")
	c.VZEROUPPER()
	c.Store(l.survivor, c.ReturnIndex(0))
	c.RET()
}

// filter tests a query on the whole motion; with a separation, on the part of it up to the time of
// these weights.
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

package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// inPlane writes the kernels of linear.InPlaneVF and linear.InPlaneEE. The order of the operations
// is that of inplane.go.
func inPlane(c *build.Context) {
	for _, w := range []int{512, 256} {
		for _, kind := range []string{"VF", "EE"} {
			inPlaneKind(c, kind, w)
		}
	}
}

func inPlaneKind(c *build.Context, kind string, w int) {
	name := fmt.Sprintf("inPlane%s%d", kind, w)
	begin(c, name, name+" is InPlane"+kind+".",
		"func(rec []float64, idx [][4]int32, list []int32, bounds *[4]float64, out []int32) int", 0)
	f := newFrame(c, 3072)
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
	at := func(k int) value { return p.broadcast(Mem{Base: bounds, Disp: 8 * k}) }
	q := p.newQuery(m[0], m[1], m[2])
	x := p.exclude(alive)
	x.unless(p.lessEq(p.sum(q.scale), p.bound("largestPiece")))
	for _, v := range []*motion3{&q.a, &q.b, &q.c} {
		v[1] = p.at(*v, at(0), at(1))
	}
	s := &separation{at(2), at(3)}
	for _, d := range p.inPlane(kind, q) {
		x.by(p.directionApart(kind, q, d, s))
	}
	x.end()
	p.emit()

	c.Label("decided")
	c.NOTL(alive)
	l.write(alive, "group")
	c.Label("done")
	c.VZEROUPPER()
	c.Store(l.survivor, c.ReturnIndex(0))
	c.RET()
}

// inPlane returns the directions within the plane of both primitives.
func (p *program) inPlane(kind string, q *query) []vector3 {
	d := p.cofactors(kind, q)
	list := []vector3{p.cross(d.uv, d.u), p.cross(d.uv, d.v)}
	if kind == "VF" {
		return append(list, p.cross(d.uv, p.sub3(d.u, d.v)))
	}
	two := p.constant(2)
	middle := p.each(func(k int) value {
		return p.add(p.add(p.mul(two, p.add(q.a[0][k], q.a[1][k])), d.u[k]), d.v[k])
	})
	return append(list, p.cross(p.cross(d.u, middle), d.u), d.u)
}

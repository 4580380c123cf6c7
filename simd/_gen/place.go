package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// place writes the kernels of linear.PlaceVF and linear.PlaceEE. The order of the operations is
// that of place.go; the bounds are derived in docs/numerics.md.
func place(c *build.Context) {
	for _, w := range []int{512, 256} {
		for _, kind := range []string{"VF", "EE"} {
			placeKind(c, kind, w)
		}
	}
}

// placeLen is linear.PlaceLen: a row of the answers has as many numbers.
const placeLen = 64

func placeKind(c *build.Context, kind string, w int) {
	name := fmt.Sprintf("place%s%d", kind, w)
	begin(c, name, name+" is Place"+kind+".",
		"func(rec []float64, idx [][4]int32, list []int32, toi []float64, out *Places, placed []uint8)", 0)
	f := newFrame(c, 11264)
	l := newInput(c, w).begin()
	rows, time := f.alloc(7*w), f.alloc(w/8)
	out := c.Load(c.Param("out"), c.GP64())
	done := c.GP32()

	c.Label("group")
	l.perLane("toi", time)
	l.placeRows(kind, rows)
	p := newProgram(c, w, f)
	q := p.normalize(kind, rows)
	q.solve(kind, p.load(time))
	q.report(kind, p.load(time), func(row int) Mem {
		return Mem{Base: out, Index: l.group, Scale: 8, Disp: 8 * placeLen * row}
	})
	p.bits(q.ok, done)
	p.emit()
	l.flags("placed", done)
	c.Label("done")
	c.VZEROUPPER()
	c.RET()
}

// placeRows is exactRows with the rows of the base point behind.
func (l *list) placeRows(kind string, to Mem) {
	k := 0
	l.eachRow(kind, to, func(a, b, high, low Mem) {
		l.exactRow(a, b, high, low)
		if v := k % 3; kind == "VF" && v == 0 || kind == "EE" && v == 1 { // v - f0 or a1 - a0
			x := vector(l.c, l.w)
			l.c.VMOVUPD(b, x)
			l.c.VMOVUPD(x, high.Offset((6-v)*l.w))
		}
		k++
	})
}

// flags writes a byte, 0 or 1, for each lane of the list, and goes on to the next group.
func (l *list) flags(param string, set reg.Register) {
	c := l.c
	to := c.Load(c.Param(param).Base(), c.GP64())
	q, t := c.GP64(), c.GP32()
	c.XORQ(q, q)
	c.Label("lane")
	c.MOVL(set, t)
	c.ANDL(Imm(1), t)
	c.MOVB(t.As8(), Mem{Base: to, Index: l.group, Scale: 1})
	c.SHRL(Imm(1), set)
	l.nextLane(q)
}

// placing is a query on its way to where it touches.
type placing struct {
	*program
	m           [3][2]double3 // A, B, C at both ends, each axis scaled
	base        motion3
	unit, ratio vector3
	ok          value

	n          double3
	b, c       double3
	da, db, dc vector3
	slope      value
	u, v       value
}

// normalize scales the axes and returns which lanes allow that.
func (p *program) normalize(kind string, rows Mem) *placing {
	q := &placing{program: p, base: p.columns(rows.Offset(6 * p.w))}
	for v := range q.m {
		high, low := p.columns(rows.Offset(v*p.w)), p.columns(rows.Offset((3+v)*p.w))
		for end := range 2 {
			for k := range 3 {
				q.m[v][end][k] = double{high[end][k], low[end][k]}
			}
		}
	}
	exponent, top, one := p.pattern(0x7ff<<52), p.pattern(2045<<52), p.pattern(1<<52)
	var scale vector3
	for k := range 3 {
		m := p.max(p.abs(q.m[0][0][k][0]), p.abs(q.m[0][1][k][0]))
		for v := 1; v < 3; v++ {
			m = p.max(m, p.max(p.abs(q.m[v][0][k][0]), p.abs(q.m[v][1][k][0])))
		}
		normal := p.greaterEq(m, p.constant(0x1p-1022))
		if k == 0 {
			q.ok = normal
		} else {
			q.ok = p.and(q.ok, normal)
		}
		e := p.bitAnd(m, exponent)
		scale[k], q.unit[k] = p.intSub(top, e), p.intAdd(e, one)
		for v := range q.m {
			for end := range 2 {
				x := &q.m[v][end][k]
				x[0], x[1] = p.mul(x[0], scale[k]), p.mul(x[1], scale[k])
			}
		}
	}
	least := p.min(p.min(q.unit[0], q.unit[1]), q.unit[2])
	for k := range 3 {
		q.ratio[k] = p.mul(scale[k], least)
		q.ok = p.and(q.ok, p.greaterEq(q.ratio[k], p.constant(0x1p-40)))
	}
	return q
}

// at returns A, B or C at t, and its derivative.
func (q *placing) at(v int, t value) (x double3, d vector3) {
	for k := range x {
		from, to := q.m[v][0][k], q.m[v][1][k]
		x[k] = q.addD(from, q.timesD(q.subD(to, from), t))
		d[k] = q.sub(to[0], from[0])
	}
	return x, d
}

// turn returns the component of the derivative of x cross y that belongs to components i and j.
func (p *program) turn(xi, xj, yi, yj, dxi, dxj, dyi, dyj value) value {
	return p.add(p.sub(p.mul(dxi, yj), p.mul(dxj, yi)), p.sub(p.mul(xi, dyj), p.mul(xj, dyi)))
}

func high(x double3) vector3 { return vector3{x[0][0], x[1][0], x[2][0]} }

// solve finds u and v, by Cramer's rule on the component of N that is largest.
func (q *placing) solve(kind string, t value) {
	p := q.program
	a, da := q.at(0, t)
	b, db := q.at(1, t)
	c, dc := q.at(2, t)
	n := p.crossD(b, c)
	dn := p.each(func(k int) value {
		i, j := (k+1)%3, (k+2)%3
		return p.turn(b[i][0], b[j][0], c[i][0], c[j][0], db[i], db[j], dc[i], dc[j])
	})
	slope := p.add(p.dot(da, high(n)), p.dot(high(a), dn))
	f := p.dotD(a, n)

	// choose picks the component of largest N, or with shift 1 and 2 the next ones in turn.
	second := p.greater(p.abs(n[1][0]), p.abs(n[0][0]))
	third := p.greater(p.abs(n[2][0]), p.abs(p.pick(second, n[1][0], n[0][0])))
	choose := func(x vector3, shift int) value {
		return p.pick(third, x[(2+shift)%3], p.pick(second, x[(1+shift)%3], x[shift]))
	}
	chooseD := func(x double3, shift int) double {
		return double{choose(high(x), shift), choose(vector3{x[0][1], x[1][1], x[2][1]}, shift)}
	}
	nk, dnk := chooseD(n, 0), choose(dn, 0)
	ai, aj, bi, bj, ci, cj := chooseD(a, 1), chooseD(a, 2), chooseD(b, 1), chooseD(b, 2), chooseD(c, 1), chooseD(c, 2)
	dai, daj, dbi, dbj, dci, dcj := choose(da, 1), choose(da, 2), choose(db, 1), choose(db, 2), choose(dc, 1),
		choose(dc, 2)
	q.ok = p.and(q.ok, p.greaterEq(p.mul(p.abs(slope), p.abs(nk[0])), p.constant(0x1p-36)))

	delta := p.neg(p.div(f[0], slope))
	den := p.add(nk[0], p.add(nk[1], p.mul(delta, dnk)))
	share := func(x double, dx value) value {
		s := p.div(p.add(x[0], p.add(x[1], p.mul(delta, dx))), den)
		return p.min(p.max(s, p.constant(0)), p.constant(1))
	}
	q.u = share(p.subD(p.mulD(ci, aj), p.mulD(cj, ai)), p.turn(ci[0], cj[0], ai[0], aj[0], dci, dcj, dai, daj))
	q.v = share(p.subD(p.mulD(ai, bj), p.mulD(aj, bi)), p.turn(ai[0], aj[0], bi[0], bj[0], dai, daj, dbi, dbj))
	if kind == "VF" {
		q.v = p.min(q.v, p.sub(p.constant(1), q.u))
	}
	q.n, q.b, q.c, q.da, q.db, q.dc, q.slope = n, b, c, da, db, dc, slope
}

// report writes the rows of the answer.
func (q *placing) report(kind string, t value, row func(int) Mem) {
	p := q.program
	var speed value
	for k := range 3 {
		w := p.add(p.add(q.da[k], p.mul(q.u, q.db[k])), p.mul(q.v, q.dc[k]))
		s := p.abs(p.mul(w, q.unit[k]))
		if k > 0 {
			s = p.max(speed, s)
		}
		speed = s
		x := p.add(q.base[0][k], p.mul(t, p.sub(q.base[1][k], q.base[0][k])))
		along := p.mul(q.u, p.mul(q.b[k][0], q.unit[k]))
		if kind == "VF" {
			x = p.sub(p.sub(x, along), p.mul(q.v, p.mul(q.c[k][0], q.unit[k])))
		} else {
			x = p.add(x, along)
		}
		p.store(x, row(3+k))
	}
	p.store(q.u, row(0))
	p.store(q.v, row(1))
	next := p.intAdd(t, p.pattern(1))
	p.store(p.mul(p.sub(next, t), speed), row(2))

	normal := p.each(func(k int) value { return p.mul(q.n[k][0], q.ratio[k]) })
	length := p.sqrt(p.dot(normal, normal))
	sign := p.sign(p.neg(q.slope))
	for k := range 3 {
		turned := p.bitXor(normal[k], sign)
		p.store(p.add(p.div(turned, length), p.constant(0)), row(6+k))
	}
}

package main

import (
	"fmt"
	"math"

	"github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// curvedPlace writes the kernels of curve.PlaceVF and PlaceEE. The order of the operations is that
// of curve/place.go.
func curvedPlace(c *build.Context) {
	for _, degree := range []int{2, 3} {
		for _, kind := range []string{"VF", "EE"} {
			for _, w := range []int{512, 256} {
				curvedPlaceKind(c, kind, degree, w)
			}
		}
	}
}

// curvePlace has the places in memory through which the programs of a group pass values: 12 or 9
// numbers, indexed by point and axis.
type curvePlace struct {
	degree, bytes int
	rows          Mem
	control       Mem // the control points of a coordinate side by side
	most, size    Mem
	time, u, v    Mem
	speed         Mem
	x, velocity   [2]Mem // high and low parts
	rest, begin   Mem
	d, e, w       Mem // points of a control polygon but the first, whose numbers are 0
}

func newCurvePlace(f *frame, degree, w int) *curvePlace {
	s := &curvePlace{degree: degree, bytes: w / 8, rows: f.alloc(4 * (degree + 1) * w / 2)}
	s.control = f.alloc(12 * (degree + 1) * s.bytes)
	for _, m := range []*Mem{&s.most, &s.size, &s.time, &s.u, &s.v, &s.speed} {
		*m = f.alloc(s.bytes)
	}
	for _, m := range []*Mem{&s.x[0], &s.x[1], &s.velocity[0], &s.velocity[1], &s.rest, &s.begin, &s.d, &s.e, &s.w} {
		*m = f.alloc(12 * s.bytes)
	}
	return s
}

// of returns the place of axis k of point i.
func (s *curvePlace) of(m Mem, i, k int) Mem { return m.Offset((3*i + k) * s.bytes) }

func curvedPlaceKind(c *build.Context, kind string, degree, w int) {
	name := fmt.Sprintf("curvedPlace%d%s%d", degree, kind, w)
	begin(c, name, fmt.Sprintf("%s is Place%s for degree %d.", name, kind, degree),
		"func(rec []float64, idx [][4]int32, list []int32, toi []float64, out *linear.Places, placed []uint8)", 0)
	f := newFrame(c, 16384*w/256)
	l := newInput(c, w).begin()
	s := newCurvePlace(f, degree, w)
	out := c.Load(c.Param("out"), c.GP64())
	done, sure, at, from := c.GP32(), c.GP32(), c.GP64(), c.GP64()
	also := func(write func(p *program) value) {
		p := newProgram(c, w, f)
		p.bits(write(p), sure)
		p.emit()
		c.ANDL(sure, done)
	}

	c.Label("group")
	l.perLane("toi", s.time)
	l.points(degree, s.rows)
	c.MOVL(U32(255), done)
	also(func(p *program) value { return p.curvePoints(s) })
	c.XORQ(at, at)
	c.XORQ(from, from)
	c.Label("coordinate")
	also(func(p *program) value { return p.curveMove(s, at, from) })
	c.ADDQ(U32(s.bytes), at)
	c.ADDQ(U32((degree+1)*s.bytes), from)
	c.CMPQ(at, U32(12*s.bytes))
	c.JLT(LabelRef("coordinate"))
	also(func(p *program) value { return p.curveRelative(s) })
	also(func(p *program) value { return p.curveParameters(kind, s) })
	also(func(p *program) value {
		return p.curveReport(kind, s, func(row int) Mem {
			return Mem{Base: out, Index: l.group, Scale: 8, Disp: 8 * placeLen * row}
		})
	})
	l.flags("placed", done)
	c.Label("done")
	c.VZEROUPPER()
	c.RET()
}

// points writes the control points of each lane's query to memory, 32 bytes each, in the order that
// column wants.
func (l *list) points(degree int, to Mem) {
	c, lanes := l.c, l.w/64
	rec := c.Load(c.Param("rec").Base(), c.GP64())
	idx := c.Load(c.Param("idx").Base(), c.GP64())
	for q := range lanes {
		t := c.GP64()
		l.query(t, Mem{Base: l.group, Disp: q})
		slot := q
		if lanes == 8 {
			slot = q&4 | q&1<<1 | q>>1&1
		}
		for k := range 4 {
			point := c.GP64()
			c.MOVLQSX(Mem{Base: idx, Index: t, Scale: 1, Disp: 4 * k}, point)
			c.IMUL3Q(U32(24*(degree+1)), point, point)
			for i := range degree + 1 {
				x := c.YMM()
				c.VMOVUPD(Mem{Base: rec, Index: point, Scale: 1, Disp: 24 * i}, x)
				c.VMOVUPD(x, to.Offset(32*((k*(degree+1)+i)*lanes+slot)))
			}
		}
	}
}

// all is the conjunction of masks, one after the other.
type all struct {
	*program
	mask value
	some bool
}

func (a *all) require(mask value) {
	if a.some {
		mask = a.and(a.mask, mask)
	}
	a.mask, a.some = mask, true
}

// curvePoints writes the control points in columns.
func (p *program) curvePoints(s *curvePlace) value {
	var most value
	for i := range 4 {
		for l := range s.degree + 1 {
			x := p.column(s.rows.Offset(4 * s.bytes * (i*(s.degree+1) + l)))
			for k := range 3 {
				p.store(x[k], s.control.Offset(((3*i+k)*(s.degree+1)+l)*s.bytes))
				if m := p.abs(x[k]); i == 0 && l == 0 && k == 0 {
					most = m
				} else {
					most = p.max(most, m)
				}
			}
		}
	}
	p.store(most, s.most)
	return p.and(p.greaterEq(most, p.bound("leastPlaced")), p.lessEq(most, p.bound("mostPlaced")))
}

// round returns x, which is off by at most e, as a double, and whether that is certain.
func (p *program) round(x double, e value) (y, certain value) {
	e = p.add(e, p.mul(p.abs(x[0]), p.bound("pairSlack")))
	y = p.add(x[0], p.sub(x[1], e))
	return y, p.greaterEq(y, p.add(x[0], p.add(x[1], e)))
}

// moved returns a place at an offset.
func moved(m Mem, by reg.Register) Mem {
	m.Index, m.Scale = by, 1
	return m
}

// curveMove computes a coordinate and its velocity, at the double behind toi, and the coordinate at
// toi.
func (p *program) curveMove(s *curvePlace, at, from reg.Register) value {
	toi := p.load(s.time)
	t := p.intAdd(toi, p.pattern(1))
	back := p.sub(toi, t)
	e := p.mul(p.load(s.most), p.bound("curvedPointBound"))
	var c [4]double
	var lo, hi value
	for l := range s.degree + 1 {
		c[l][0] = p.load(moved(s.control.Offset(l*s.bytes), from))
		if l == 0 {
			lo, hi = c[l][0], c[l][0]
		} else {
			lo, hi = p.min(c[l][0], lo), p.max(c[l][0], hi)
		}
	}
	var velocity double
	for step := range s.degree { // de Casteljau
		for l := range s.degree - step {
			var d double
			if step == 0 {
				d[0], d[1] = p.twoDifference(c[l+1][0], c[l][0])
			} else {
				d = p.subD(c[l+1], c[l])
			}
			velocity = d
			way := p.timesD(d, t)
			if step == 0 {
				h, low := p.twoSum(c[l][0], way[0])
				c[l] = p.settle(h, p.add(low, way[1]))
			} else {
				c[l] = p.addD(c[l], way)
			}
		}
	}
	velocity = p.timesD(velocity, p.constant(float64(s.degree)))
	rest := p.sub(hi, lo)
	y, certain := p.round(p.addD(c[0], p.timesD(velocity, back)), e)
	rests := p.lessEq(rest, p.constant(0))
	for part := range 2 {
		p.store(c[0][part], moved(s.x[part], at))
		p.store(velocity[part], moved(s.velocity[part], at))
	}
	p.store(rest, moved(s.rest, at))
	p.store(p.pick(rests, c[0][0], y), moved(s.begin, at))
	return p.or(certain, rests)
}

// pair loads a double-double.
func (s *curvePlace) pair(p *program, m [2]Mem, i, k int) double {
	return double{p.load(s.of(m[0], i, k)), p.load(s.of(m[1], i, k))}
}

// curveRelative computes the points relative to the first one, and moved on along the velocities.
func (p *program) curveRelative(s *curvePlace) value {
	ok := &all{program: p}
	zero := p.constant(0)
	most := p.load(s.most)
	ed, ew := p.mul(most, p.bound("curvedPointBound")), p.mul(most, p.bound("curvedVelocityBound"))
	var d, w [4][3]double
	speed, size := zero, zero
	for i := 1; i < 4; i++ {
		for k := range 3 {
			d[i][k] = p.subD(s.pair(p, s.x, i, k), s.pair(p, s.x, 0, k))
			w[i][k] = p.subD(s.pair(p, s.velocity, i, k), s.pair(p, s.velocity, 0, k))
			rests := p.curveRests(s, i, k)
			x, certain := p.round(d[i][k], ed)
			f, sure := p.round(w[i][k], ew)
			sure = p.and(certain, sure)
			sure = p.and(sure, p.greater(p.abs(f), p.add(ew, ew)))
			sure = p.and(sure, p.greater(p.bitAnd(f, p.pattern(1<<52-1)), zero))
			ok.require(p.or(sure, rests))
			x, f = p.pick(rests, d[i][k][0], x), p.pick(rests, zero, f)
			ok.require(p.or(p.greaterEq(p.abs(x), p.bound("leastRelative")), p.lessEq(p.abs(x), zero)))
			speed, size = p.max(speed, p.abs(f)), p.max(size, p.abs(x))
			p.store(x, s.of(s.d, i, k))
			p.store(f, s.of(s.w, i, k))
		}
	}
	p.store(speed, s.speed)
	ok.require(p.greaterEq(size, p.bound("leastPlaced")))
	ok.require(p.greater(speed, zero))
	exponent := p.pattern(0x7ff << 52)
	f := p.div(p.bitAnd(size, exponent), p.mul(p.constant(2), p.bitAnd(speed, exponent)))
	for i := 1; i < 4; i++ {
		for k := range 3 {
			sum := p.addD(double{p.mul(w[i][k][0], f), p.mul(w[i][k][1], f)}, d[i][k])
			far := p.add(p.abs(sum[0]), p.mul(p.constant(2), p.abs(d[i][k][0])))
			e := p.add(p.add(p.mul(ew, f), ed), p.mul(p.bound("aheadSlack"), far))
			y, certain := p.round(sum, e)
			rests := p.curveRests(s, i, k)
			ok.require(p.or(certain, rests))
			p.store(p.pick(rests, d[i][k][0], y), s.of(s.e, i, k))
		}
	}
	return ok.mask
}

// curveRests reports whether a coordinate of point i and the first point's rest.
func (p *program) curveRests(s *curvePlace, i, k int) value {
	return p.lessEq(p.add(p.load(s.of(s.rest, i, k)), p.load(s.of(s.rest, 0, k))), p.constant(0))
}

// curveParameters computes u and v of the nearest points.
func (p *program) curveParameters(kind string, s *curvePlace) value {
	ok := &all{program: p}
	zero, one := p.constant(0), p.constant(1)
	x := func(i, k int) value { return p.load(s.of(s.d, i, k)) }
	var corners, edges []vector3
	add := func(to *[]vector3, f func(k int) value) { *to = append(*to, p.each(f)) }
	if kind == "VF" {
		for i := 1; i < 4; i++ {
			add(&corners, func(k int) value { return p.sub(zero, x(i, k)) })
		}
		for _, e := range [][2]int{{1, 2}, {1, 3}, {3, 2}} {
			add(&edges, func(k int) value { return p.sub(x(e[0], k), x(e[1], k)) })
		}
	} else {
		for _, i := range []int{2, 3} {
			add(&corners, func(k int) value { return p.sub(zero, x(i, k)) })
			add(&corners, func(k int) value { return p.sub(x(1, k), x(i, k)) })
		}
		add(&edges, func(k int) value { return p.sub(x(1, k), zero) })
		add(&edges, func(k int) value { return p.sub(x(2, k), x(3, k)) })
	}
	top := zero
	for _, a := range append(append([]vector3(nil), corners...), edges...) {
		for k := range 3 {
			top = p.max(top, p.abs(a[k]))
		}
	}
	unit := p.intSub(p.pattern(2046<<52), p.bitAnd(top, p.pattern(0x7ff<<52)))
	for _, list := range [][]vector3{corners, edges} {
		for i := range list {
			list[i] = p.each(func(k int) value { return p.add(p.mul(list[i][k], unit), zero) })
		}
	}
	offset := func(u, v value) vector3 {
		return p.each(func(k int) value {
			f := p.add(corners[0][k], p.mul(u, p.sub(corners[1][k], corners[0][k])))
			return p.add(f, p.mul(v, p.sub(corners[2][k], corners[0][k])))
		})
	}
	a, b, c := corners[0], edges[0], edges[1]
	n := p.cross(b, c)
	nn := p.dot(n, n)
	ok.require(p.greater(nn, p.mul(p.constant(0x1p-96), p.mul(p.dot(b, b), p.dot(c, c)))))
	least, u, v := p.constant(math.Inf(1)), zero, zero
	offer := func(may value, at, along value) {
		g := offset(at, along)
		d := p.dot(g, g)
		nearer := p.and(may, p.less(d, least))
		least, u, v = p.pick(nearer, d, least), p.pick(nearer, at, u), p.pick(nearer, along, v)
	}
	foot := p.div(p.dot(p.cross(c, a), n), nn)
	t := p.div(p.dot(p.cross(a, b), n), nn)
	last := one
	if kind == "VF" {
		last = p.sub(one, t)
	}
	between := func(s value) value {
		return p.and(p.and(p.and(p.greaterEq(t, zero), p.lessEq(t, one)), p.greaterEq(s, zero)), p.lessEq(s, last))
	}
	offer(between(foot), foot, t)
	foot = p.div(p.neg(p.dot(offset(zero, t), b)), p.dot(b, b))
	offer(between(foot), foot, t)
	side := func(from, edge int, at func(s value) (u, v value)) {
		e := edges[edge]
		s := p.div(p.neg(p.dot(corners[from], e)), p.dot(e, e))
		may := p.greaterEq(s, p.constant(math.Inf(-1)))
		x, y := at(p.min(p.max(s, zero), one))
		offer(may, x, y)
	}
	side(0, 0, func(s value) (u, v value) { return s, zero })
	side(0, 1, func(s value) (u, v value) { return zero, s })
	if kind == "VF" {
		side(2, 2, func(s value) (u, v value) { return s, p.sub(one, s) })
		u = p.min(u, one)
		v = p.min(v, p.sub(one, u))
	} else {
		side(2, 0, func(s value) (u, v value) { return s, one })
		side(1, 1, func(s value) (u, v value) { return one, s })
		u, v = p.min(u, one), p.min(v, one)
	}
	p.store(u, s.u)
	p.store(v, s.v)
	return ok.mask
}

// curveReport writes the rows of the answer.
func (p *program) curveReport(kind string, s *curvePlace, row func(int) Mem) value {
	ok := &all{program: p}
	zero, one := p.constant(0), p.constant(1)
	u, v, speed := p.load(s.u), p.load(s.v), p.load(s.speed)
	w := func(i, k int) value { return p.load(s.of(s.w, i, k)) }
	fast := zero
	for k := range 3 {
		var x value
		if kind == "VF" {
			x = p.add(p.mul(u, w(2, k)), p.mul(v, w(3, k)))
			x = p.add(x, p.mul(p.sub(p.sub(one, u), v), w(1, k)))
		} else {
			x = p.sub(p.mul(u, w(1, k)), p.mul(v, w(3, k)))
			x = p.sub(x, p.mul(p.sub(one, v), w(2, k)))
		}
		fast = p.max(fast, p.abs(x))
	}
	ok.require(p.greater(fast, p.mul(p.constant(0x1p-39), speed)))
	ok.require(p.greater(speed, p.mul(p.constant(0x1p-40), p.load(s.most))))
	toi := p.load(s.time)
	p.store(u, row(0))
	p.store(v, row(1))
	p.store(p.mul(p.sub(p.intAdd(toi, p.pattern(1)), toi), speed), row(2))

	form := func(m Mem, k int) (a, b, c value) {
		x := func(i int) value { return p.load(s.of(m, i, k)) }
		if kind == "VF" {
			return p.sub(zero, x(1)), p.sub(x(1), x(2)), p.sub(x(1), x(3))
		}
		return p.sub(zero, x(2)), p.sub(x(1), zero), p.sub(x(2), x(3))
	}
	var b, c, from vector3
	half := p.constant(0.5)
	for k := range 3 {
		a0, b0, c0 := form(s.d, k)
		a1, b1, c1 := form(s.e, k)
		da, db, dc := p.sub(a1, a0), p.sub(b1, b0), p.sub(c1, c0)
		b[k], c[k] = p.add(b0, p.mul(zero, db)), p.add(c0, p.mul(zero, dc))
		from[k] = p.neg(p.add(p.add(da, p.mul(u, db)), p.mul(v, dc)))
		x := func(i int) value { return p.load(s.of(s.begin, i, k)) }
		if kind == "VF" {
			y := p.add(x(1), p.mul(u, p.sub(x(2), x(1))))
			p.store(p.add(y, p.mul(v, p.sub(x(3), x(1)))), row(3+k))
		} else {
			y := p.mul(half, p.add(x(0), p.mul(u, p.sub(x(1), x(0)))))
			p.store(p.add(y, p.mul(half, p.add(x(2), p.mul(v, p.sub(x(3), x(2)))))), row(3+k))
		}
	}
	shrunk := func(x vector3) vector3 {
		m := p.max(p.max(p.abs(x[0]), p.abs(x[1])), p.abs(x[2]))
		ok.require(p.and(p.greaterEq(m, p.bound("leastRelative")), p.lessEq(m, p.constant(1/bounds["leastRelative"]))))
		unit := p.intSub(p.pattern(2045<<52), p.bitAnd(m, p.pattern(0x7ff<<52)))
		return p.each(func(k int) value { return p.mul(x[k], unit) })
	}
	b, c, from = shrunk(b), shrunk(c), shrunk(from)
	n := p.cross(b, c)
	nn := p.dot(n, n)
	least := p.constant(0x1p-80)
	ok.require(p.greater(nn, p.mul(p.mul(least, p.dot(b, b)), p.dot(c, c))))
	d := p.dot(n, from)
	ok.require(p.greater(p.mul(d, d), p.mul(p.mul(least, nn), p.dot(from, from))))
	before := p.less(d, zero)
	n = p.each(func(k int) value { return p.pick(before, p.neg(n[k]), n[k]) })
	n = shrunk(n)
	length := p.sqrt(p.dot(n, n))
	for k := range 3 {
		p.store(p.div(n[k], length), row(6+k))
	}
	return ok.mask
}

package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/reg"
)

// query is A, B, C at both ends of an interval of time, with what the bounds need: the maxima over
// the whole motion. The names are those of simd/linear/filter.go, which derives the bounds; the
// order of the operations is that of filter.go.
type query struct {
	a, b, c    motion3
	ma, mb, mc vector3
	scale      vector3 // ma + mb + mc
}

// newQuery keeps the maxima of the motion's ends.
func (p *program) newQuery(a, b, c motion3) *query {
	q := call(p, "measure", func(p *program) query {
		q := query{a: a, b: b, c: c}
		largest := func(m motion3) vector3 {
			most := p.max3(p.abs3(m[0]), p.abs3(m[1]))
			if p.single {
				least := p.bound("least")
				most = p.max3(most, vector3{least, least, least})
			}
			return most
		}
		q.ma, q.mb, q.mc = largest(a), largest(b), largest(c)
		q.scale = p.add3(p.add3(q.ma, q.mb), q.mc)
		return q
	}, arg("a", &a), arg("b", &b), arg("c", &c))
	return &q
}

// at returns the vector at the time whose weights are w0 and w1.
func (p *program) at(m motion3, w0, w1 value) vector3 {
	return call(p, "blend", func(p *program) vector3 {
		return p.each(func(k int) value { return p.add(p.mul(m[0][k], w0), p.mul(m[1][k], w1)) })
	}, arg("m", &m), arg("w0", &w0), arg("w1", &w1))
}

// finite reports whether the query is small enough that no test can overflow.
func (p *program) finite(q *query) value {
	return p.lessEq(p.sum(q.scale), p.bound("largest"))
}

// separation is nil when the separation is zero.
type separation struct{ once, thrice value }

// variant returns the name of a function that takes the separation, if there is one, as its last
// argument.
func (s *separation) variant(name string, args ...argument) (string, []argument) {
	if s == nil {
		return name, args
	}
	return name + "_sep", append(args, arg("sep", &s.once))
}

// form is the coplanarity cubic in Bernstein form on an interval, the middle coefficients times
// three, with the bounds of the outer and the middle ones.
type form struct{ f0, f1, f2, f3, e, e3 value }

// cubicForm returns the form with the bounds of these names, beyond them the separation; and the
// permanent of the magnitudes.
func (p *program) cubicForm(q *query, end, middle string, s *separation) (f form, volume value) {
	c, n := p.bernstein(q)
	area := p.permanent(q.mb, q.mc)
	volume = p.dot(q.ma, area)
	e, e3 := p.mul(volume, p.bound(end)), p.mul(volume, p.bound(middle))
	if s != nil {
		norm := p.add(p.sum(n), p.mul(p.sum(area), p.bound("normBound")))
		e = p.add(e, p.mul(s.once, norm))
		e3 = p.add(e3, p.mul(s.thrice, norm))
	}
	return form{c[0], c[1], c[2], c[3], e, e3}, volume
}

// cubicApart reports whether the coplanarity cubic keeps its sign, beyond its bound, on the
// interval.
func (p *program) cubicApart(q *query, s *separation) value {
	name, args := s.variant("cubic_apart", arg("q", q))
	if s != nil {
		args = append(args, arg("sep3", &s.thrice))
	}
	return call(p, name, func(p *program) value {
		f, volume := p.cubicForm(q, "cubicEndBound", "cubicMiddleBound", s)
		return p.and(p.oneSign(f), p.greaterEq(volume, p.bound("smallest")))
	}, args...)
}

// bernstein returns the cubic's Bernstein form, the middle coefficients times three, and a bound on
// the components of B x C.
func (p *program) bernstein(q *query) (f [4]value, n vector3) {
	n0, n2 := p.cross(q.b[0], q.c[0]), p.cross(q.b[1], q.c[1])
	n1 := p.add3(p.cross(q.b[0], q.c[1]), p.cross(q.b[1], q.c[0]))
	f[0], f[3] = p.dot(q.a[0], n0), p.dot(q.a[1], n2)
	f[1] = p.add(p.dot(q.a[1], n0), p.dot(q.a[0], n1))
	f[2] = p.add(p.dot(q.a[1], n1), p.dot(q.a[0], n2))
	half := p.constant(0.5)
	n = p.each(func(k int) value { return p.max(p.max(p.abs(n0[k]), p.abs(p.mul(n1[k], half))), p.abs(n2[k])) })
	return f, n
}

// oneSign reports whether all coefficients lie beyond their bounds on the same side.
func (p *program) oneSign(f form) value {
	return call(p, "one_sign", func(p *program) value {
		sign := p.sign(f.f0)
		flip := func(v value) value { return p.bitXor(v, sign) }
		f0, f1, f2, f3 := flip(f.f0), flip(f.f1), flip(f.f2), flip(f.f3)
		ends := p.and(p.greater(f0, f.e), p.greater(f3, f.e))
		return p.and(ends, p.and(p.greaterEq(f1, f.e3), p.greaterEq(f2, f.e3)))
	}, arg("f", &f))
}

// directionApart reports whether the projections on d of the whole primitives stay apart at both
// ends, same side.
func (p *program) directionApart(kind string, q *query, d vector3, s *separation) value {
	name, args := s.variant("direction_apart_"+kind, arg("q", q), arg("d", &d))
	return call(p, name, func(p *program) value {
		m := p.abs3(d)
		size := p.dot(m, q.scale)
		e := p.mul(size, p.bound("directionBound"))
		if s != nil {
			e = p.add(e, p.mul(s.once, p.sum(m)))
		}
		var r [2]interval
		for end := range 2 {
			r[end] = p.reach(kind, p.dot(d, q.a[end]), p.dot(d, q.b[end]), p.dot(d, q.c[end]))
		}
		return p.and(p.beyond(r[0], r[1], e), p.greaterEq(size, p.bound("smallest")))
	}, args...)
}

// axisApart is directionApart for the coordinate axis k.
func (p *program) axisApart(kind string, q *query, k int, s *separation) value {
	scale := q.scale[k]
	a, b, c := [2]value{q.a[0][k], q.a[1][k]}, [2]value{q.b[0][k], q.b[1][k]}, [2]value{q.c[0][k], q.c[1][k]}
	name, args := s.variant("axis_apart_"+kind, arg("scale", &scale), arg("a0", &a[0]), arg("b0", &b[0]),
		arg("c0", &c[0]), arg("a1", &a[1]), arg("b1", &b[1]), arg("c1", &c[1]))
	return call(p, name, func(p *program) value {
		e := p.mul(scale, p.bound("axisBound"))
		if s != nil {
			e = p.add(e, s.once)
		}
		var r [2]interval
		for end := range 2 {
			r[end] = p.reach(kind, a[end], b[end], c[end])
		}
		return p.and(p.beyond(r[0], r[1], e), p.greaterEq(scale, p.bound("smallest")))
	}, args...)
}

// interval is a range of numbers, lo and hi.
type interval [2]value

// beyond reports whether two ranges lie above e, or both below -e.
func (p *program) beyond(r0, r1 interval, e value) value {
	return call(p, "beyond", func(p *program) value {
		return p.greater(p.max(p.min(r0[0], r1[0]), p.neg(p.max(r0[1], r1[1]))), e)
	}, arg("r0", &r0), arg("r1", &r1), arg("e", &e))
}

// reach returns the range of a + u b + v c over the domain of u and v.
func (p *program) reach(kind string, a, b, c value) interval {
	return call(p, "reach_"+kind, func(p *program) interval {
		zero := p.constant(0)
		if kind == "VF" {
			return interval{p.add(a, p.min(p.min(b, c), zero)), p.add(a, p.max(p.max(b, c), zero))}
		}
		return interval{p.add(p.add(a, p.min(b, zero)), p.min(c, zero)),
			p.add(p.add(a, p.max(b, zero)), p.max(c, zero))}
	}, arg("a", &a), arg("b", &b), arg("c", &c))
}

// directions are the derivatives u, v and t of F by its parameters at the middle, times two where
// that saves a product, and u x v, v x t, t x u: along each of them two of the three parameters do
// not act, to first order.
type directions struct {
	u, v, t    vector3
	uv, vt, tu vector3
}

func (d *directions) cofactors() [3]vector3 { return [3]vector3{d.uv, d.vt, d.tu} }

func (p *program) cofactors(kind string, q *query) directions {
	a, b, c := q.a, q.b, q.c
	return call(p, "directions_"+kind, func(p *program) (d directions) {
		middle := p.constant(0.5)
		if kind == "VF" {
			middle = p.constant(1.0 / 3)
		}
		d.u, d.v = p.add3(b[0], b[1]), p.add3(c[0], c[1])
		d.t = p.each(func(k int) value {
			db, dc := p.sub(b[1][k], b[0][k]), p.sub(c[1][k], c[0][k])
			return p.add(p.sub(a[1][k], a[0][k]), p.mul(middle, p.add(db, dc)))
		})
		d.uv, d.vt, d.tu = p.cross(d.u, d.v), p.cross(d.v, d.t), p.cross(d.t, d.u)
		return d
	}, arg("a", &a), arg("b", &b), arg("c", &c))
}

// edgeApart is directionApart for the coordinate axis k crossed with x, which has two components.
func (p *program) edgeApart(kind string, q *query, k int, x vector3, s *separation) value {
	name, args := s.variant(fmt.Sprintf("edge%d_apart_%s", k, kind), arg("q", q), arg("x", &x))
	return call(p, name, func(p *program) value { return p.alongEdge(kind, q, k, x, s) }, args...)
}

func (p *program) alongEdge(kind string, q *query, k int, x vector3, s *separation) value {
	i, j := (k+1)%3, (k+2)%3
	di, dj := p.neg(x[j]), x[i]
	two := func(a vector3) value { return p.add(p.mul(di, a[i]), p.mul(dj, a[j])) }
	mi, mj := p.abs(x[j]), p.abs(x[i])
	size := p.add(p.mul(mi, q.scale[i]), p.mul(mj, q.scale[j]))
	e := p.add(p.mul(size, p.bound("directionBound")), p.mul(s.once, p.add(mi, mj)))
	var r [2]interval
	for end := range 2 {
		r[end] = p.reach(kind, two(q.a[end]), two(q.b[end]), two(q.c[end]))
	}
	return p.and(p.beyond(r[0], r[1], e), p.greaterEq(size, p.bound("smallest")))
}

// exclusion gathers the proofs that the query of a lane is apart. Machine code goes on until every
// lane has one, text, which has one lane, returns 1 at the first.
type exclusion struct {
	*program
	found, ok value // -1 before the first
	to        reg.Register
}

func (p *program) exclude(to reg.Register) *exclusion {
	return &exclusion{program: p, found: -1, ok: -1, to: to}
}

// unless makes all proofs count only where ok is set.
func (x *exclusion) unless(ok value) {
	x.ok = ok
	if x.unit != nil {
		x.push(operation{code: opReturnIf, args: []value{x.not(ok)}, bits: 0})
		if x.found >= 0 {
			x.push(operation{code: opReturnIf, args: []value{x.found}, bits: 1})
		}
	}
}

func (x *exclusion) by(proof value) {
	switch {
	case x.unit != nil && x.ok >= 0:
		x.push(operation{code: opReturnIf, args: []value{proof}, bits: 1})
	case x.found >= 0:
		x.found = x.or(x.found, proof)
	default:
		x.found = proof
	}
}

// leave jumps to the exit when all lanes are excluded.
func (x *exclusion) leave() {
	if x.unit == nil {
		x.program.leave(x.and(x.found, x.ok), x.to, 1<<x.lanes()-1)
	}
}

// end returns the verdicts.
func (x *exclusion) end() {
	if x.unit == nil {
		x.bits(x.and(x.found, x.ok), x.to)
	}
}

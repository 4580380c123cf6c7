package main

// query is A, B, C at both ends of an interval of time, with what the bounds need: the maxima over the whole motion.
// The names are those of simd/filter.go, which derives the bounds; the order of the operations is that of
// filter_generic.go.
type query struct {
	a, b, c    motion3
	ma, mb, mc vector3
	scale      vector3 // ma + mb + mc
}

// newQuery keeps the maxima of the motion's ends.
func (p *program) newQuery(a, b, c motion3) *query {
	q := &query{a: a, b: b, c: c}
	largest := func(m motion3) vector3 { return p.max3(p.abs3(m[0]), p.abs3(m[1])) }
	q.ma, q.mb, q.mc = largest(a), largest(b), largest(c)
	q.scale = p.add3(p.add3(q.ma, q.mb), q.mc)
	return q
}

// at is the vector at the time whose weights are w0 and w1.
func (p *program) at(m motion3, w0, w1 value) vector3 {
	return p.each(func(k int) value { return p.add(p.mul(m[0][k], w0), p.mul(m[1][k], w1)) })
}

// finite reports whether the query is small enough that no test can overflow.
func (p *program) finite(q *query) value {
	return p.lessEq(p.sum(q.scale), p.constant(0x1p250))
}

// separation is nil when the separation is zero.
type separation struct{ once, thrice value }

// cubicApart reports whether the coplanarity cubic keeps its sign, beyond its bound, on the interval.
func (p *program) cubicApart(q *query, s *separation) value {
	f, n := p.bernstein(q)
	area := p.permanent(q.mb, q.mc)
	volume := p.dot(q.ma, area)
	e, e3 := p.mul(volume, p.constant(18*0x1p-53)), p.mul(volume, p.constant(60*0x1p-53))
	if s != nil {
		norm := p.add(p.sum(n), p.mul(p.sum(area), p.constant(12*0x1p-53)))
		e, e3 = p.add(e, p.mul(s.once, norm)), p.add(e3, p.mul(s.thrice, norm))
	}
	return p.and(p.oneSign(f, e, e3), p.greaterEq(volume, p.constant(0x1p-500)))
}

// bernstein is the cubic's Bernstein form, the middle coefficients times three, and a bound on the components of B x C.
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
func (p *program) oneSign(f [4]value, e, e3 value) value {
	sign := p.sign(f[0])
	for k := range f {
		f[k] = p.bitXor(f[k], sign)
	}
	ends := p.and(p.greater(f[0], e), p.greater(f[3], e))
	return p.and(ends, p.and(p.greaterEq(f[1], e3), p.greaterEq(f[2], e3)))
}

// directionApart reports whether the projections on d of the whole primitives stay apart at both ends, same side.
func (p *program) directionApart(kind string, q *query, d vector3, s *separation) value {
	m := p.abs3(d)
	size := p.dot(m, q.scale)
	e := p.mul(size, p.constant(10*0x1p-53))
	if s != nil {
		e = p.add(e, p.mul(s.once, p.sum(m)))
	}
	var lo, hi [2]value
	for end := range 2 {
		lo[end], hi[end] = p.reach(kind, p.dot(d, q.a[end]), p.dot(d, q.b[end]), p.dot(d, q.c[end]))
	}
	apart := p.greater(p.max(p.min(lo[0], lo[1]), p.neg(p.max(hi[0], hi[1]))), e)
	return p.and(apart, p.greaterEq(size, p.constant(0x1p-500)))
}

// axisApart is directionApart for the coordinate axis k.
func (p *program) axisApart(kind string, q *query, k int, s *separation) value {
	e := p.mul(q.scale[k], p.constant(7*0x1p-53))
	if s != nil {
		e = p.add(e, s.once)
	}
	var lo, hi [2]value
	for end := range 2 {
		lo[end], hi[end] = p.reach(kind, q.a[end][k], q.b[end][k], q.c[end][k])
	}
	apart := p.greater(p.max(p.min(lo[0], lo[1]), p.neg(p.max(hi[0], hi[1]))), e)
	return p.and(apart, p.greaterEq(q.scale[k], p.constant(0x1p-500)))
}

// reach is the range of a + u b + v c over the domain of u and v.
func (p *program) reach(kind string, a, b, c value) (lo, hi value) {
	zero := p.constant(0)
	if kind == "VF" {
		return p.add(a, p.min(p.min(b, c), zero)), p.add(a, p.max(p.max(b, c), zero))
	}
	return p.add(p.add(a, p.min(b, zero)), p.min(c, zero)), p.add(p.add(a, p.max(b, zero)), p.max(c, zero))
}

// cofactors are the directions u x v, v x t, t x u of the derivatives of F by its parameters, at the middle: along each of
// them two of the three parameters do not act, to first order.
func (p *program) cofactors(kind string, q *query) (u, v, t vector3, d [3]vector3) {
	middle := p.constant(0.5)
	if kind == "VF" {
		middle = p.constant(1.0 / 3)
	}
	u, v = p.add3(q.b[0], q.b[1]), p.add3(q.c[0], q.c[1])
	t = p.each(func(k int) value {
		db, dc := p.sub(q.b[1][k], q.b[0][k]), p.sub(q.c[1][k], q.c[0][k])
		return p.add(p.sub(q.a[1][k], q.a[0][k]), p.mul(middle, p.add(db, dc)))
	})
	return u, v, t, [3]vector3{p.cross(u, v), p.cross(v, t), p.cross(t, u)}
}

// edgeApart is directionApart for the coordinate axis k crossed with x, which has two components.
func (p *program) edgeApart(kind string, q *query, k int, x vector3, s *separation) value {
	i, j := (k+1)%3, (k+2)%3
	di, dj := p.neg(x[j]), x[i]
	two := func(a vector3) value { return p.add(p.mul(di, a[i]), p.mul(dj, a[j])) }
	mi, mj := p.abs(x[j]), p.abs(x[i])
	size := p.add(p.mul(mi, q.scale[i]), p.mul(mj, q.scale[j]))
	e := p.add(p.mul(size, p.constant(10*0x1p-53)), p.mul(s.once, p.add(mi, mj)))
	var lo, hi [2]value
	for end := range 2 {
		lo[end], hi[end] = p.reach(kind, two(q.a[end]), two(q.b[end]), two(q.c[end]))
	}
	apart := p.greater(p.max(p.min(lo[0], lo[1]), p.neg(p.max(hi[0], hi[1]))), e)
	return p.and(apart, p.greaterEq(size, p.constant(0x1p-500)))
}

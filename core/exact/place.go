package exact

import (
	"math"

	"ccd/core/geom"
)

// found is what a stage knows about a contact.
type found struct {
	floor  float64 // the largest double not above the time of contact
	exact  bool    // the time is floor
	planar bool    // the coplanarity cubic vanishes identically
	falls  int     // the sign of the cubic's derivative at the time; 0 if planar
	shape  int     // the number of dimensions that B and C span at the time: 2, 1 or 0
	slack  [4]int  // signs of u, v and 1-u-v, or of u, v, 1-u and 1-v; only if shape is 2
	u, v   float64
	n      [3]float64 // the direction of B x C if shape is 2, of the longer of B and C if it is 1
}

// settle moves u and v, which are 0 where their signs are 0, into the domain, and onto its boundary
// where the slacks say that they are on it.
func (c *found) settle(domain geom.Domain) {
	c.u, c.v = min(c.u, 1), min(c.v, 1)
	if domain == geom.Square {
		if c.slack[2] == 0 {
			c.u = 1
		}
		if c.slack[3] == 0 {
			c.v = 1
		}
		return
	}
	if c.slack[2] == 0 {
		c.v = 1 - c.u
	}
	c.v = min(c.v, 1-c.u) // 1-u is rounded once, so u + v rounds to at most 1
}

// report writes the impact of r.query at the contact r.found. The bits depend on the query and on
// facts that are the same for every stage, not on the stage that decided. The normal is defined in
// docs/proofs/exact.md, "Where they touch".
func (r *Resolver) report(kind geom.Kind, out *geom.Impact) {
	q, c := &r.query, &r.found
	if c.plain(widened[kind]) && r.single(kind, out) {
		return
	}
	*out = geom.Impact{Verdict: geom.Contact, Kind: kind, A: -1, B: -1, U: c.u, V: c.v, Flags: geom.Certified}
	out.TOILo, out.TOIHi = c.floor, c.floor
	if !c.exact {
		out.TOIHi = math.Nextafter(c.floor, 2)
	} else if c.floor == 0 {
		out.Flags |= geom.InitialContact
	}
	var p [4][3]float64 // the points at TOILo
	for i := range p {
		for k := range 3 {
			x, y := q[3*i+k], q[12+3*i+k]
			p[i][k] = x + float64(c.floor*(y-x))
		}
	}
	for k := range 3 {
		if widened[kind] == geom.Square {
			out.Point[k] = p[0][k] + float64(c.u*(p[1][k]-p[0][k]))
		} else {
			x := p[1][k] + float64(c.u*(p[2][k]-p[1][k]))
			out.Point[k] = x + float64(c.v*(p[3][k]-p[1][k]))
		}
	}
	var m motion
	m.load(widened[kind], q)
	w := m.velocity(c.u, c.v)
	out.Width = math.Ldexp((out.TOIHi-out.TOILo)*max(math.Abs(w[0]), math.Abs(w[1]), math.Abs(w[2])), m.exponent)
	out.Normal = m.normal(c, w)
}

// motion is F = A + uB + vC at both ends, in floats, scaled by 2^-exponent so that no product
// overflows, and none that matters underflows.
type motion struct {
	a, b, c  [2][3]float64
	exponent int
}

func (m *motion) load(domain geom.Domain, q *[24]float64) {
	top := 0.0
	for s := range 2 {
		p := q[12*s : 12*s+12]
		for k := range 3 {
			if domain == geom.Square {
				m.a[s][k], m.b[s][k], m.c[s][k] = p[k]-p[6+k], p[3+k]-p[k], p[6+k]-p[9+k]
			} else {
				m.a[s][k], m.b[s][k], m.c[s][k] = p[k]-p[3+k], p[3+k]-p[6+k], p[3+k]-p[9+k]
			}
			top = max(top, math.Abs(m.a[s][k]), math.Abs(m.b[s][k]), math.Abs(m.c[s][k]))
		}
	}
	_, m.exponent = math.Frexp(top)
	for s := range 2 {
		for k := range 3 {
			m.a[s][k] = math.Ldexp(m.a[s][k], -m.exponent)
			m.b[s][k] = math.Ldexp(m.b[s][k], -m.exponent)
			m.c[s][k] = math.Ldexp(m.c[s][k], -m.exponent)
		}
	}
}

// velocity returns dF/dt.
func (m *motion) velocity(u, v float64) (w [3]float64) {
	for k := range w {
		a, b, c := m.a[1][k]-m.a[0][k], m.b[1][k]-m.b[0][k], m.c[1][k]-m.c[0][k]
		w[k] = a + float64(u*b) + float64(v*c)
	}
	return w
}

// normal returns the contact normal, from b to a.
func (m *motion) normal(c *found, w [3]float64) [3]float64 {
	// A velocity below still may be nothing but the rounding of the speeds that it is made of.
	still := 0x1p-40 * (length(geom.Sub3(&m.a[1], &m.a[0])) + length(geom.Sub3(&m.b[1], &m.b[0])) +
		length(geom.Sub3(&m.c[1], &m.c[0])))
	switch {
	case c.shape == 2 && !c.planar:
		turn := -float64(c.falls)
		if turn == 0 {
			turn = 1
			if geom.Dot3(&m.a[0], &c.n) < 0 {
				turn = -1
			}
		}
		return Unit(c.n, turn)
	case c.shape == 2:
		if length(w) > still {
			return Unit(w, -1)
		}
		return Unit(c.n, 1)
	case c.shape == 0:
		return m.against(still, w, m.a[0], [3]float64{1, 0, 0})
	}
	e := Unit(c.n, 1)
	axis := 0
	for k := range 3 {
		if math.Abs(e[k]) < math.Abs(e[axis]) {
			axis = k
		}
	}
	var z [3]float64
	z[axis] = 1
	first := beside(m.a[0], e)
	if length(first) <= 0x1p-40*length(m.a[0]) {
		first = [3]float64{} // An offset along e has a part across e from rounding alone, and so no direction.
	}
	return m.against(still, beside(w, e), first, beside(z, e))
}

// against returns the direction against the velocity w if that is longer than still, else the one
// along the offset a0 if that is not 0, else the one along z.
func (m *motion) against(still float64, w, a0, z [3]float64) [3]float64 {
	switch {
	case length(w) > still:
		return Unit(w, -1)
	case length(a0) > 0:
		return Unit(a0, 1)
	}
	return Unit(z, 1)
}

func length(a [3]float64) float64 { return math.Sqrt(geom.Dot3(&a, &a)) }

// beside returns the part of a perpendicular to the unit vector e. Where a is nearly along e,
// rounding leaves a part along e that may be large in proportion, so that part is removed once
// more.
func beside(a, e [3]float64) [3]float64 {
	for range 2 {
		d := geom.Dot3(&a, &e)
		a = [3]float64{a[0] - float64(d*e[0]), a[1] - float64(d*e[1]), a[2] - float64(d*e[2])}
	}
	return a
}

// Unit returns a / |a|, turned by the sign.
func Unit(a [3]float64, sign float64) [3]float64 {
	_, e := math.Frexp(max(math.Abs(a[0]), math.Abs(a[1]), math.Abs(a[2])))
	for k := range a {
		a[k] = math.Ldexp(a[k], -e)
	}
	n := length(a)
	for k := range a {
		a[k] = float64(sign*a[k])/n + 0 // + 0: no negative zeros
	}
	return a
}

package exact

import (
	"math"

	"ccd/core/geom"
)

const (
	// leastSlope: place accepts a contact if |f'| |N_k| is at least this, all lengths scaled to at
	// most 1; where f is zero throughout, |g'| |N_k|, g a slack that is zero there, or |N_k| when
	// the time is a double. Then u and v are right to 2^-53: docs/proofs/exact.md, "Where they
	// touch".
	leastSlope = 0x1p-36
	// axes whose scales differ by more than this many powers of two are left to wide, for the
	// normal's sake.
	scaleSpread = 40
)

// place computes u, v, the direction of N = B x C and the sign of the cubic's slope at a contact
// with N not zero, in double-doubles. It returns false if these might not suffice, as at a multiple
// root. The result depends on the loaded query and on the time alone.
func (f *double) place(out *found) bool {
	e := f.units()
	if max(e[0], e[1], e[2])-min(e[0], e[1], e[2]) > scaleSpread {
		return false
	}
	a, b, c := f.at(out.floor)
	var da, db, dc [3]float64
	for k := range 3 {
		da[k], db[k], dc[k] = f.a[1][k].H-f.a[0][k].H, f.b[1][k].H-f.b[0][k].H, f.c[1][k].H-f.c[0][k].H
	}
	n := b.Cross(&c)
	dn := turning(&b, &c, &db, &dc)
	k := n.longest()
	u, v := c.crossAt(&a, k), a.crossAt(&b, k)
	du, dv := turning(&c, &a, &dc, &da), turning(&a, &b, &da, &db)
	slope := 0.0 // slope is that of a function with a zero at the root: f, with f' = A'.N + A.N', or a slack.
	var rest DD  // the value of that function at out.floor
	switch {
	case !out.planar:
		rest = a.Dot(&n)
		for i := range 3 {
			slope += float64(da[i]*n[i].H) + float64(a[i].H*dn[i])
		}
	case out.exact:
		slope = 1 // The rest is 0, so the slope does not matter.
	default:
		rest, slope = out.steepest(f.domain, [3]DD{n[k], u, v}, [3]float64{dn[k], du[k], dv[k]})
	}
	if !(math.Abs(slope)*math.Abs(n[k].H) >= leastSlope) {
		return false
	}
	if !out.planar {
		out.falls = 1
		if slope < 0 {
			out.falls = -1
		}
	}
	delta := 0.0 // the way from out.floor to the root
	if !out.exact {
		delta = -rest.H / slope
	}
	den := n[k].H + (n[k].L + float64(delta*dn[k]))
	out.u, out.v = 0, 0
	if out.slack[0] > 0 {
		out.u = max(0, (u.H+(u.L+float64(delta*du[k])))/den)
	}
	if out.slack[1] > 0 {
		out.v = max(0, (v.H+(v.L+float64(delta*dv[k])))/den)
	}
	out.settle(f.domain)
	least := min(e[0], e[1], e[2])
	for i := range 3 {
		out.n[i] = math.Ldexp(n[i].H, least-e[i])
	}
	return true
}

// units returns the exponents of the scales. An axis along which all coordinates are zero gets the
// largest exponent of the others.
func (f *double) units() (e [3]int) {
	e = f.exponent
	for k := range e {
		if f.ma[k] == 0 && f.mb[k] == 0 && f.mc[k] == 0 {
			e[k] = math.MinInt32
		}
	}
	top := max(e[0], e[1], e[2])
	for k := range e {
		if e[k] == math.MinInt32 {
			e[k] = top
		}
	}
	return e
}

// steepest returns the value and the slope of the slack that is zero at the root and has the
// greatest slope there, or zeros if all slopes are zero. x has n, u and v, and dx their slopes. Any
// such slack leads to the root; the choice depends on the query, the time and the slacks' signs
// alone.
func (c *found) steepest(domain geom.Domain, x [3]DD, dx [3]float64) (rest DD, slope float64) {
	try := func(i int, y DD, dy float64) {
		if c.slack[i] == 0 && math.Abs(dy) > math.Abs(slope) {
			rest, slope = y, dy
		}
	}
	try(0, x[1], dx[1])
	try(1, x[2], dx[2])
	if domain == geom.Square {
		try(2, x[0].Sub(x[1]), dx[0]-dx[1])
		try(3, x[0].Sub(x[2]), dx[0]-dx[2])
	} else {
		try(2, x[0].Sub(x[1]).Sub(x[2]), dx[0]-dx[1]-dx[2])
	}
	return rest, slope
}

// longest returns the axis along which n is longest, the first of them.
func (n *VecDD) longest() (k int) {
	for i := range n {
		if math.Abs(n[i].H) > math.Abs(n[k].H) {
			k = i
		}
	}
	return k
}

// turning returns the derivative of x cross y, in doubles.
func turning(x, y *VecDD, dx, dy *[3]float64) (r [3]float64) {
	for k := range r {
		i, j := (k+1)%3, (k+2)%3
		r[k] = (float64(dx[i]*y[j].H) - float64(dx[j]*y[i].H)) + (float64(x[i].H*dy[j]) - float64(x[j].H*dy[i]))
	}
	return r
}

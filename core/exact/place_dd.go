package exact

import (
	"math"

	"ccd/core/num"
)

// dd is an unevaluated sum of two doubles, about 106 bits.
type dd struct{ h, l float64 }

func difference(a, b float64) dd {
	h, l := num.TwoDiff(a, b)
	return dd{h, l}
}

func quickSum(a, b float64) dd {
	s := a + b
	return dd{s, b - (s - a)}
}

func (x dd) add(y dd) dd {
	h, l := num.TwoSum(x.h, y.h)
	return quickSum(h, l+(x.l+y.l))
}

func (x dd) sub(y dd) dd { return x.add(dd{-y.h, -y.l}) }

func (x dd) mul(y dd) dd {
	p := x.h * y.h
	return quickSum(p, math.FMA(x.h, y.h, -p)+(float64(x.h*y.l)+float64(x.l*y.h)))
}

func (x dd) times(y float64) dd {
	p := x.h * y
	return quickSum(p, math.FMA(x.h, y, -p)+float64(x.l*y))
}

type vecDD [3]dd

func (a *vecDD) cross(b *vecDD) (r vecDD) {
	for k := range r {
		i, j := (k+1)%3, (k+2)%3
		r[k] = a[i].mul(b[j]).sub(a[j].mul(b[i]))
	}
	return r
}

func (a *vecDD) dot(b *vecDD) dd { return a[0].mul(b[0]).add(a[1].mul(b[1])).add(a[2].mul(b[2])) }

const (
	// leastSlope: place accepts a contact when |f'| |N_k| is at least this, all lengths scaled to at most 1. Then u and v are
	// right to 2^-53: docs/numerics.md, "Where they touch".
	leastSlope = 0x1p-36
	// axes whose scales differ by more than this many powers of two are left to wide, for the normal's sake.
	scaleSpread = 40
)

// place fills u, v and the direction of N = B x C at a contact with N not zero whose time is a simple root of the cubic, in
// twice the precision of doubles; false when that might not do. Its answer depends on the query and the time alone.
func place(square bool, q *[24]float64, out *found) bool {
	if out.planar || out.falls == 0 {
		return false
	}
	var a, b, c, da, db, dc vecDD
	var e [3]int
	for k := range 3 {
		var x [6]dd // A, B, C at both ends
		top := 0.0
		for s := range 2 {
			p := q[12*s+k : 12*s+k+10]
			if square {
				x[3*s], x[3*s+1], x[3*s+2] = difference(p[0], p[6]), difference(p[3], p[0]), difference(p[6], p[9])
			} else {
				x[3*s], x[3*s+1], x[3*s+2] = difference(p[0], p[3]), difference(p[3], p[6]), difference(p[3], p[9])
			}
			top = max(top, math.Abs(x[3*s].h), math.Abs(x[3*s+1].h), math.Abs(x[3*s+2].h))
		}
		if e[k] = exponent(top); e[k] < -1000 {
			return false
		}
		scale := math.Ldexp(1, -e[k])
		for i := range x {
			x[i] = dd{x[i].h * scale, x[i].l * scale}
		}
		da[k], db[k], dc[k] = x[3].sub(x[0]), x[4].sub(x[1]), x[5].sub(x[2])
		a[k] = x[0].add(da[k].times(out.floor))
		b[k] = x[1].add(db[k].times(out.floor))
		c[k] = x[2].add(dc[k].times(out.floor))
	}
	if max(e[0], e[1], e[2])-min(e[0], e[1], e[2]) > scaleSpread {
		return false
	}
	n := b.cross(&c)
	dn := turning(&b, &c, &db, &dc)
	slope := 0.0 // f' = A'.N + A.N'
	for k := range 3 {
		slope += float64(da[k].h*n[k].h) + float64(a[k].h*dn[k])
	}
	k := 0
	for i := range 3 {
		if math.Abs(n[i].h) > math.Abs(n[k].h) {
			k = i
		}
	}
	if !(math.Abs(slope)*math.Abs(n[k].h) >= leastSlope) {
		return false
	}
	delta := 0.0 // from floor to the root
	if !out.exact {
		delta = -a.dot(&n).h / slope
	}
	u, v := c.cross(&a), a.cross(&b)
	du, dv := turning(&c, &a, &dc, &da), turning(&a, &b, &da, &db)
	den := n[k].h + (n[k].l + float64(delta*dn[k]))
	out.u, out.v = 0, 0
	if out.slack[0] > 0 {
		out.u = max(0, (u[k].h+(u[k].l+float64(delta*du[k])))/den)
	}
	if out.slack[1] > 0 {
		out.v = max(0, (v[k].h+(v[k].l+float64(delta*dv[k])))/den)
	}
	out.settle(square)
	least := min(e[0], e[1], e[2])
	for i := range 3 {
		out.n[i] = math.Ldexp(n[i].h, least-e[i])
	}
	return true
}

// turning is the derivative of x cross y, in doubles.
func turning(x, y, dx, dy *vecDD) (r [3]float64) {
	for k := range r {
		i, j := (k+1)%3, (k+2)%3
		r[k] = (float64(dx[i].h*y[j].h) - float64(dx[j].h*y[i].h)) + (float64(x[i].h*dy[j].h) - float64(x[j].h*dy[i].h))
	}
	return r
}

// exponent is that of math.Frexp, 0 for 0.
func exponent(x float64) int {
	_, e := math.Frexp(x)
	return e
}

package exact

import "math"

const (
	// leastSlope: place accepts a contact when |f'| |N_k| is at least this, all lengths scaled to at most 1. Then u and v are
	// right to 2^-53: docs/numerics.md, "Where they touch".
	leastSlope = 0x1p-36
	// axes whose scales differ by more than this many powers of two are left to wide, for the normal's sake.
	scaleSpread = 40
)

// place fills u, v, the direction of N = B x C and the sign of the cubic's slope at a contact with N not zero, in twice the
// precision of doubles; false when that might not do, as at a multiple root. Its answer depends on the query, which is loaded, and on the
// time alone.
func (f *double) place(out *found) bool {
	e := &f.exponent
	if out.planar || max(e[0], e[1], e[2])-min(e[0], e[1], e[2]) > scaleSpread {
		return false
	}
	a, b, c := f.at(out.floor)
	var da, db, dc [3]float64
	for k := range 3 {
		da[k], db[k], dc[k] = f.a[1][k].h-f.a[0][k].h, f.b[1][k].h-f.b[0][k].h, f.c[1][k].h-f.c[0][k].h
	}
	n := b.cross(&c)
	dn := turning(&b, &c, &db, &dc)
	slope := 0.0 // f' = A'.N + A.N'
	k := 0
	for i := range 3 {
		slope += float64(da[i]*n[i].h) + float64(a[i].h*dn[i])
		if math.Abs(n[i].h) > math.Abs(n[k].h) {
			k = i
		}
	}
	if !(math.Abs(slope)*math.Abs(n[k].h) >= leastSlope) {
		return false
	}
	out.falls = 1
	if slope < 0 {
		out.falls = -1
	}
	delta := 0.0 // from floor to the root
	if !out.exact {
		delta = -a.dot(&n).h / slope
	}
	u, v := c.crossAt(&a, k), a.crossAt(&b, k)
	du, dv := turning(&c, &a, &dc, &da), turning(&a, &b, &da, &db)
	den := n[k].h + (n[k].l + float64(delta*dn[k]))
	out.u, out.v = 0, 0
	if out.slack[0] > 0 {
		out.u = max(0, (u.h+(u.l+float64(delta*du[k])))/den)
	}
	if out.slack[1] > 0 {
		out.v = max(0, (v.h+(v.l+float64(delta*dv[k])))/den)
	}
	out.settle(f.square)
	least := min(e[0], e[1], e[2])
	for i := range 3 {
		out.n[i] = math.Ldexp(n[i].h, least-e[i])
	}
	return true
}

// turning is the derivative of x cross y, in doubles.
func turning(x, y *vecDD, dx, dy *[3]float64) (r [3]float64) {
	for k := range r {
		i, j := (k+1)%3, (k+2)%3
		r[k] = (float64(dx[i]*y[j].h) - float64(dx[j]*y[i].h)) + (float64(x[i].h*dy[j]) - float64(x[j].h*dy[i]))
	}
	return r
}

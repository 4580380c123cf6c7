package narrow

import (
	"math"

	"ccd/core/geom"
	"ccd/core/num"
	"ccd/simd/linear"
)

// jacobian holds the derivatives of F at a cell's center, each times the cell's width in that
// parameter, and bounds over the cell: et, eu, ev are the greatest speeds (max norm, per unit of
// the parameter), width the size of the box.
type jacobian struct {
	t, u, v    [3]float64
	et, eu, ev float64
	width      float64
}

// sizes returns the lengths of what F passes through over the cell, along each parameter.
func (j *jacobian) sizes(c *cell) (t, u, v float64) {
	return float64(j.et * (c.t1 - c.t0)), float64(j.eu * (c.u1 - c.u0)), float64(j.ev * (c.v1 - c.v0))
}

func (j *jacobian) size(c *cell) float64 {
	t, u, v := j.sizes(c)
	return t + u + v
}

func (j *jacobian) load(f *form, c *cell) {
	mt, mu, mv := 0.5*(c.t0+c.t1), 0.5*(c.u0+c.u1), 0.5*(c.v0+c.v1)
	wt, wu, wv := c.t1-c.t0, c.u1-c.u0, c.v1-c.v0
	for k := range 3 {
		db, dc := f.db[k], f.dc[k]
		fu, fv := f.b0[k]+float64(mt*db), f.c0[k]+float64(mt*dc)
		ft := f.da[k] + float64(mu*db) + float64(mv*dc)
		ab, ac := math.Abs(db), math.Abs(dc)
		// F is affine in each parameter: its derivatives vary linearly over the cell, by half a
		// width either way.
		et := math.Abs(ft) + float64(0.5*wu*ab) + float64(0.5*wv*ac)
		eu := math.Abs(fu) + float64(0.5*wt*ab)
		ev := math.Abs(fv) + float64(0.5*wt*ac)
		j.t[k], j.u[k], j.v[k] = ft*wt, fu*wu, fv*wv
		j.et, j.eu, j.ev = larger(j.et, et), larger(j.eu, eu), larger(j.ev, ev)
		j.width = larger(j.width, float64(et*wt)+float64(eu*wu)+float64(ev*wv))
	}
}

// corners evaluates F at the corners of a cell, corner 4t + 2u + v, each with an error of at most
// eps, and returns as bits, eight for each axis, which corners are above lim and which below -lim.
// If missing is true, the corner (u0, v1) takes the place of (u1, v1): see cut.
func (s *contract) corners(c *cell, missing bool, h *[3][8]float64) (above, below uint32) {
	u3 := c.u1
	if missing {
		u3 = c.u0
	}
	return linear.Corners(&s.coef, c.t0, c.t1, c.u0, c.u1, u3, c.v0, c.v1, &s.f.lim, h)
}

// deficient: the Jacobian counts as rank-deficient when det^2 is below this times
// |Ft|^2|Fu|^2|Fv|^2. Then the three cofactors are nearly parallel and do not decouple the
// parameters. Only speed depends on the value.
const deficient = 1e-6

// directions cuts by projections on directions fitted to the cell, and returns false if the cell is
// empty. The cuts are correct for any vector of doubles, so the directions need no error bounds.
func (s *contract) directions(h *[3][8]float64, j *jacobian, c, n *cell, corner bool) bool {
	p, q, r := geom.Cross3(&j.u, &j.v), geom.Cross3(&j.v, &j.t), geom.Cross3(&j.t, &j.u)
	var m *[3]float64 // the largest cofactor, after a cut by it
	det := geom.Dot3(&j.t, &p)
	if det*det <= deficient*geom.Dot3(&j.t, &j.t)*geom.Dot3(&j.u, &j.u)*geom.Dot3(&j.v, &j.v) {
		mm := geom.Dot3(&p, &p)
		m = &p
		if x := geom.Dot3(&q, &q); x > mm {
			m, mm = &q, x
		}
		if x := geom.Dot3(&r, &r); x > mm {
			m, mm = &r, x
		}
		if mm > 0 {
			for _, e := range [3]*[3]float64{&j.u, &j.v, &j.t} {
				d := geom.Cross3(m, e)
				if !s.project(h, &d, c, n, corner) {
					return false
				}
			}
			if !s.project(h, m, c, n, corner) {
				return false
			}
		}
		if det == 0 {
			return s.f.d == 0 || s.separation(h, j, c, n, corner)
		}
	}
	// m is one of these directions, and a second cut by it removes nothing.
	return (m == &p || s.project(h, &p, c, n, corner)) && (m == &q || s.project(h, &q, c, n, corner)) &&
		(m == &r || s.project(h, &r, c, n, corner)) && (s.f.d == 0 || s.separation(h, j, c, n, corner))
}

// separation cuts by the directions that matter beside the cofactors when d > 0. In the max norm F
// must stay out of a cube; at a fixed time, a parallelogram and a cube that do not meet are
// separated by an axis, the normal, or one of e_k x Fu and e_k x Fv. In the Euclidean norm it is
// the direction of the point nearest to the origin.
func (s *contract) separation(h *[3][8]float64, j *jacobian, c, n *cell, corner bool) bool {
	if s.f.euclidean {
		// At the earliest contact known, the direction found there separates up to that very time.
		t := 0.5 * (c.t0 + c.t1)
		if s.upper.hi <= c.t1 {
			t = s.upper.hi
		}
		d := s.f.toward(c, t)
		return s.project(h, &d, c, n, corner)
	}
	for _, e := range [2]*[3]float64{&j.u, &j.v} {
		for k := range 3 {
			l, m := (k+1)%3, (k+2)%3
			var d [3]float64
			d[l], d[m] = -e[m], e[l]
			if !s.project(h, &d, c, n, corner) {
				return false
			}
		}
	}
	return true
}

// project cuts by d.F. In exact arithmetic |d.F| <= sum |dk| d where |F| <= d in the max norm, and
// <= |d| d in the Euclidean one; num.AffineBound bounds the error of d.F.
func (s *contract) project(h *[3][8]float64, d *[3]float64, c, n *cell, corner bool) bool {
	f := s.f
	b := &f.lim
	if f.euclidean {
		b = &f.eps
	}
	e := float64(math.Abs(d[0])*b[0]) + float64(math.Abs(d[1])*b[1]) + float64(math.Abs(d[2])*b[2])
	if f.euclidean {
		dd := geom.Dot3(d, d)
		if dd < nothing {
			return true // The length of d may underflow.
		}
		e += float64(f.d * math.Sqrt(dd))
	}
	e = float64(e*outward) + num.ProjectTiny
	var g [8]float64
	above, below := linear.Project(h, d[0], d[1], d[2], e, &g)
	return cut(&g, above, below, e, c, n, corner)
}

// ball reports whether the box of the corner values lies beyond the ball of radius d, or all of the
// box inside it. Corners outside the triangle have been replaced by then.
func (f *form) ball(h *[3][8]float64, within bool) (beyond, inside bool) {
	var lo, hi [3]float64
	far := 0.0
	for k := range 3 {
		g := &h[k]
		lo[k], hi[k] = g[0], g[0]
		for _, x := range g[1:] {
			lo[k], hi[k] = min(lo[k], x), max(hi[k], x)
		}
		m := max(-lo[k], hi[k])
		far += float64(m * m)
	}
	return f.beyond(&lo, &hi), within && far <= f.d*f.d
}

// toward returns F at the point of the cell, at the time t, that comes nearest to the origin if the
// edges of the cell are taken one after the other: a direction for project.
func (f *form) toward(c *cell, t float64) [3]float64 {
	var a, b, g [3]float64
	wu, wv := c.u1-c.u0, c.v1-c.v0
	for k := range 3 {
		b[k] = f.b0[k] + float64(t*f.db[k])
		g[k] = f.c0[k] + float64(t*f.dc[k])
		a[k] = f.a0[k] + float64(t*f.da[k]) + float64(b[k]*c.u0) + float64(g[k]*c.v0)
		b[k] *= wu
		g[k] *= wv
	}
	x, y := 0.5, 0.5
	bb, gg, bg, ab, ag := geom.Dot3(&b, &b), geom.Dot3(&g, &g), geom.Dot3(&b, &g), geom.Dot3(&a, &b), geom.Dot3(&a, &g)
	for range 3 {
		if bb > 0 {
			x = min(max(-(ab+float64(y*bg))/bb, 0), 1)
		}
		if gg > 0 {
			y = min(max(-(ag+float64(x*bg))/gg, 0), 1)
		}
	}
	for k := range 3 {
		a[k] += float64(x*b[k]) + float64(y*g[k])
	}
	return a
}

package narrow

import (
	"math"

	"ccd/core/geom"
	"ccd/core/num"
)

// This file decides what happens at t = 0 (law 8).

// touching reports whether the primitives are in contact at t = 0 as far as floats can see:
// |F(0,u,v)| <= d + eps for some (u,v), which it returns. Law 3 then holds at t = 0. proven: even
// with the error added, |F| <= d.
func (f *form) touching() (u, v float64, yes, proven bool) {
	if f.apart {
		return 0, 0, false, false
	}
	u, v = f.nearest(0)
	x := f.at(0, u, v)
	yes, proven = true, true
	far := 0.0
	for k := range 3 {
		m := math.Abs(x[k])
		yes = yes && m <= f.lim[k]
		m = num.Up(m + f.eps[k])
		proven = proven && m <= f.d
		far += float64(m * m)
	}
	if f.euclidean {
		yes = yes && far*(1-0x1p-49) <= f.d*f.d
		proven = proven && far*(1+0x1p-49) <= f.d*f.d
	}
	return u, v, yes, proven
}

// nearest returns the point of the domain where F(t,.,.) comes nearest to the origin, up to
// rounding. Lengths are scaled by a power of two that brings the largest near 1, so that what
// underflows is the same at all scales (law 6).
func (f *form) nearest(t float64) (u, v float64) {
	var a, b, c [3]float64
	most := 0.0
	for k := range 3 {
		a[k] = f.a0[k] + float64(t*f.da[k])
		b[k] = f.b0[k] + float64(t*f.db[k])
		c[k] = f.c0[k] + float64(t*f.dc[k])
		most = larger(most, larger(math.Abs(a[k]), larger(math.Abs(b[k]), math.Abs(c[k]))))
	}
	if s, ok := toOne(most); ok {
		for k := range 3 {
			a[k], b[k], c[k] = a[k]*s, b[k]*s, c[k]*s
		}
	}
	best := math.Inf(1)
	try := func(x, y float64) {
		s := 0.0
		for k := range 3 {
			g := a[k] + float64(x*b[k]) + float64(y*c[k])
			s += float64(g * g)
		}
		if s < best {
			best, u, v = s, x, y
		}
	}
	bb, cc, bc, ab, ac := geom.Dot3(&b, &b), geom.Dot3(&c, &c), geom.Dot3(&b, &c), geom.Dot3(&a, &b), geom.Dot3(&a, &c)
	if det := float64(bb*cc) - float64(bc*bc); det > 0 {
		x, y := (float64(bc*ac)-float64(cc*ab))/det, (float64(bc*ab)-float64(bb*ac))/det
		if f.holds(x, y) {
			try(x, y)
		}
	}
	clamp := func(n, d float64) float64 {
		if d == 0 {
			return 0
		}
		return min(max(n/d, 0), 1)
	}
	try(clamp(-ab, bb)*f.uEnd, 0)
	try(0, clamp(-ac, cc)*f.vEnd)
	if f.domain == geom.Triangle {
		// From (1,0) to (0,1): F = (a+b) + s (c-b).
		s := clamp(float64(bb-bc)+float64(ab-ac), bb+cc-2*bc)
		try(1-s, s)
	} else {
		try(clamp(-(ab+float64(bc*f.vEnd)), bb)*f.uEnd, f.vEnd)
		try(f.uEnd, clamp(-(ac+float64(bc*f.uEnd)), cc)*f.vEnd)
	}
	return u, v
}

// nearer returns the nearest point of the domain at t, if F as computed is shorter there than at
// (u, v), else (u, v).
func (f *form) nearer(t, u, v float64) (float64, float64) {
	x, y := f.nearest(t)
	p, q := f.at(t, u, v), f.at(t, x, y)
	if geom.Dot3(&q, &q) < geom.Dot3(&p, &p) {
		return x, y
	}
	return u, v
}

// holds reports whether (u,v) is a point of the domain.
func (f *form) holds(u, v float64) bool {
	if f.domain == geom.Triangle {
		return u >= 0 && v >= 0 && u+v <= 1
	}
	return u >= 0 && v >= 0 && u <= f.uEnd && v <= f.vEnd
}

// speed bounds |dF/dt| over the domain: the fastest point of the one primitive plus the fastest of
// the other, in the max norm, or in the sum of the axes, which bounds the Euclidean norm.
func speed(kind geom.Kind, q []float64, euclidean bool) float64 {
	info := kind.Info()
	n := info.Points
	s := 0.0
	for k := range 3 {
		fast := [2]float64{}
		for i := range n {
			x, y := q[3*i+k], q[3*(n+i)+k]
			v := max(num.SubUp(y, x), num.SubUp(x, y))
			if side := min(i/info.Split, 1); v > fast[side] {
				fast[side] = v
			}
		}
		if v := num.AddUp(fast[0], fast[1]); euclidean {
			s = num.AddUp(s, v)
		} else {
			s = max(s, v)
		}
	}
	return s
}

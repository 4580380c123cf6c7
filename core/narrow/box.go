package narrow

import (
	"math"

	"ccd/core/geom"
)

// test bounds F over a cell. hit: F may come within d there; inside: all of F does, up to eps;
// width: the size of the box, its longest side, or its diagonal in the Euclidean norm.
func (f *form) test(c *cell) (hit, inside bool, width float64) {
	var lo, hi [3]float64
	inside = true
	for k := range 3 {
		lo[k], hi[k] = f.rangeOf(k, c)
		if lo[k] > f.lim[k] || hi[k] < -f.lim[k] {
			return false, false, 0
		}
		if lo[k] < -f.lim[k] || hi[k] > f.lim[k] {
			inside = false
		}
		if w := hi[k] - lo[k]; w > width {
			width = w
		}
	}
	if f.euclidean {
		return f.testEuclidean(&lo, &hi)
	}
	return true, inside, width
}

// testEuclidean finishes test in the Euclidean norm. Law 3 then reads: distance <= d + delta + 2
// |eps|.
func (f *form) testEuclidean(lo, hi *[3]float64) (hit, inside bool, width float64) {
	if f.beyond(lo, hi) {
		return false, false, 0
	}
	far, w := 0.0, 0.0
	for k := range 3 {
		m := max(-lo[k], hi[k])
		far += float64(m * m)
		w += float64((hi[k] - lo[k]) * (hi[k] - lo[k]))
	}
	return true, far <= f.d*f.d, math.Sqrt(w)
}

// rates returns the greatest speeds of F, in the max norm, along t, u and v over the whole domain.
func (f *form) rates() (kt, ku, kv float64) {
	for k := range 3 {
		a, b, c := f.da[k], float64(f.db[k]*f.uEnd), float64(f.dc[k]*f.vEnd)
		kt = max(kt, math.Abs(a), math.Abs(a+b), math.Abs(a+c))
		if f.domain != geom.Triangle {
			kt = max(kt, math.Abs(a+b+c))
		}
		ku = max(ku, math.Abs(f.b0[k]), math.Abs(f.b0[k]+f.db[k]))
		kv = max(kv, math.Abs(f.c0[k]), math.Abs(f.c0[k]+f.dc[k]))
	}
	return kt, ku * f.uEnd, kv * f.vEnd
}

// extent returns the size of the box of the whole domain.
func (f *form) extent() float64 {
	c := cell{t1: f.tEnd, u1: f.uEnd, v1: f.vEnd}
	w := 0.0
	for k := range 3 {
		lo, hi := f.rangeOf(k, &c)
		w = max(w, hi-lo)
	}
	return w
}

// middle returns a point of the cell inside the domain: its center where that is inside, else the
// point where the way to it from the corner (u0, v0), which is inside, leaves the domain.
func (f *form) middle(c *cell) (u, v float64) {
	u, v = float64(0.5*(c.u0+c.u1)), float64(0.5*(c.v0+c.v1))
	if f.domain == geom.Triangle && u+v > 1 {
		s := (1 - c.u0 - c.v0) / ((u - c.u0) + (v - c.v0)) // s lies in [0, 1) where u + v > 1
		u, v = c.u0+float64(max(s, 0)*(u-c.u0)), c.v0+float64(max(s, 0)*(v-c.v0))
		v = min(v, 1-u) // 1-u is rounded once, so u + v rounds to at most 1
	}
	return u, v
}

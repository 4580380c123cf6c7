package narrow

import (
	"math"

	"ccd/core/geom"
	"ccd/core/num"
)

// form is one query in difference form, F(t,u,v) = A(t) + u B(t) + v C(t), with what the searches
// need beside it. Contact at (t,u,v) means |F| <= d; the domain of (u,v) lies in the box [0,uEnd] x
// [0,vEnd], and fills it unless it is a triangle.
//
// All lengths in it carry the factor scale, a power of two that is 1 but for extreme coordinates
// (see normalize).
//
// Size: the fields are the numbers that every search of a query reads. The methods load them, bound
// F on boxes, and compute contact data.
type form struct {
	a0, b0, c0 [3]float64 // A, B, C at t = 0
	da, db, dc [3]float64 // rounded differences of the ends
	size       [3]float64 // S of num.AffineBound
	eps, lim   [3]float64 // error bound of F on each axis; lim >= d + eps
	d, delta   float64
	tEnd       float64
	uEnd, vEnd float64
	scale      float64
	separated  bool // d > 0 before scaling; the scaled d may be 0
	domain     geom.Domain
	euclidean  bool
	apart      bool // the distance at t = 0 is known to exceed d: touching need not be tested
}

// load fills the form of a query. The query and the options are valid.
func (f *form) load(kind geom.Kind, q []float64, o *Options) {
	f.d, f.delta, f.tEnd, f.scale = o.MinSeparation, o.Tolerance, o.TMax, 1
	f.separated = o.MinSeparation > 0
	f.euclidean = o.Flags&MaxNorm == 0 && o.MinSeparation > 0
	f.apart = false
	var last [3][3]float64 // A, B, C at t = 1
	f.domain = kind.Info().Domain
	switch kind { // The cases are those of apart.
	case geom.VertexFace:
		f.loadVertexFace(q, &last)
	case geom.EdgeEdge:
		f.loadEdgeEdge(q, &last)
	case geom.PointEdge:
		f.loadPointEdge(q, &last)
	case geom.PointPoint:
		f.loadPointPoint(q, &last)
	default:
		panic("narrow: " + kind.String())
	}
	f.measure(&last)
	if m := max(f.size[0], f.size[1], f.size[2]); m != 0 && !(m >= normalLow && m <= normalHigh) {
		f.normalize(&last, m)
	}
	for k := range 3 {
		f.da[k], f.db[k], f.dc[k] = last[0][k]-f.a0[k], last[1][k]-f.b0[k], last[2][k]-f.c0[k]
		if s := o.SceneBound[k]; s != 0 {
			// Each of A, B, C is a difference of two coordinates, at most 2s in magnitude.
			f.size[k] = 6 * s * f.scale
		}
		f.eps[k] = num.AffineBound(f.size[k])
		f.lim[k] = num.Up(f.eps[k] + f.d)
	}
}

// measure computes the size on each axis. Magnitudes order like their bit patterns.
func (f *form) measure(last *[3][3]float64) {
	for k := range 3 {
		f.size[k] = larger(math.Abs(f.a0[k]), math.Abs(last[0][k])) +
			larger(math.Abs(f.b0[k]), math.Abs(last[1][k])) +
			larger(math.Abs(f.c0[k]), math.Abs(last[2][k]))
	}
}

// The time-contracted search multiplies up to eight coefficients, some of them shrunk by a cell's
// width of 2^-50. Within these magnitudes such products neither overflow nor, where it matters,
// underflow.
const normalLow, normalHigh = 0x1p-60, 0x1p60

// normalize scales a query with extreme coordinates by a power of two, so that its greatest size m
// comes near 1. A coefficient that underflows errs by eta/2, which num.AffineBound includes. An
// overflowing separation becomes +Inf, and then everything is in contact, as it truly is.
func (f *form) normalize(last *[3][3]float64, m float64) {
	_, e := math.Frexp(m)
	f.scale = math.Ldexp(1, min(-e, 1000)) // 2^1000 brings even a denormal within the magnitudes above
	for _, r := range [6]*[3]float64{&f.a0, &f.b0, &f.c0, &last[0], &last[1], &last[2]} {
		for k := range r {
			r[k] *= f.scale
		}
	}
	f.measure(last)
	f.d *= f.scale
	f.delta *= f.scale
}

// at evaluates F with an error of at most eps.
func (f *form) at(t, u, v float64) (x [3]float64) {
	for k := range x {
		a := f.a0[k] + float64(t*f.da[k])
		b := f.b0[k] + float64(t*f.db[k])
		c := f.c0[k] + float64(t*f.dc[k])
		x[k] = a + float64(b*u) + float64(c*v)
	}
	return x
}

// coefficients returns the form's own, as linear.Corners takes them.
func (f *form) coefficients() [6][3]float64 { return [6][3]float64{f.a0, f.b0, f.c0, f.da, f.db, f.dc} }

// cell is a box of the domain.
type cell struct{ t0, t1, u0, u1, v0, v1 float64 }

// rangeOf bounds F on one axis over a cell: the least and greatest of the eight corner values. As F
// is affine in u, v and in t, the true range lies within eps of [lo, hi]; rounding is monotone, so
// the least corner is the sum of least terms.
func (f *form) rangeOf(k int, c *cell) (lo, hi float64) {
	a, b, g := f.a0[k]+float64(c.t0*f.da[k]), f.b0[k]+float64(c.t0*f.db[k]), f.c0[k]+float64(c.t0*f.dc[k])
	lo, hi = affineRange(a, b, g, c)
	a, b, g = f.a0[k]+float64(c.t1*f.da[k]), f.b0[k]+float64(c.t1*f.db[k]), f.c0[k]+float64(c.t1*f.dc[k])
	l, h := affineRange(a, b, g, c)
	if l < lo {
		lo = l
	}
	if h > hi {
		hi = h
	}
	return lo, hi
}

func affineRange(a, b, g float64, c *cell) (lo, hi float64) {
	lo, hi = a+float64(b*c.u0), a+float64(b*c.u1)
	if hi < lo {
		lo, hi = hi, lo
	}
	l, h := g*c.v0, g*c.v1
	if h < l {
		l, h = h, l
	}
	return lo + l, hi + h
}

// beyond reports whether a box [lo, hi], as rangeOf computes it, proves that |F| > d on the cell
// (Euclidean norm).
//
// g is at most the exact gap times 1+u, and the sum of its squares at most the exact one times
// (1+u)^5 or so; the factor 1 - 2^-49 takes 16u off. Squares that underflow only make the sum
// smaller.
func (f *form) beyond(lo, hi *[3]float64) bool {
	s := 0.0
	for k := range lo {
		g := max(lo[k]-f.eps[k], -hi[k]-f.eps[k], 0)
		s += float64(g * g)
	}
	return s*(1-0x1p-49) > f.d*f.d
}

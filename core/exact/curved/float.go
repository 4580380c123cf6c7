package curved

import (
	"math"

	"ccd/core/exact/clearance"
	"ccd/core/exact/internal/algebra"
	"ccd/core/geom"
	"ccd/core/num"
)

// motionFloats proves a MotionQuery apart on parts of its time, in floats. On a part of time the
// control points of the corners of the polygon F are those that de Casteljau's algorithm gives. For
// a fixed direction n, taken as exact, n.F at a fixed (u, v) has the control values n.p_l, so it is
// at least the least of them over all l and corners: where that exceeds d |n| (the dual norm), F
// keeps more than d. n is the direction towards the nearest point in the middle of the part, which
// needs no proof.
//
// Error (u = 2^-53, M_k the largest component k of a control point, Z = sum |n_k| M_k): a control
// point is a difference of two doubles, u M_k; a halving averages k times, u M_k each, so depth x
// degree x u M_k; a product with n and two sums 3u Z. (4 + depth x degree) u Z in all; motionError
// has 12 in place of 4, for Z as computed, d |n| and the squares of u. Lengths are scaled by a
// power of two below 2, and what underflows, less than 2^-1074 each time, is within
// motionUnderflow.
//
// Size: the fields are a query in one unit, and the state of one search.
type motionFloats struct {
	degree, corners int
	maxNorm         bool
	triangle        bool
	d               float64
	t0, t1          float64
	size            [3]float64 // M
	top             motionPart
	from, end       float64
	depth, most     int // the greatest depth and number of looks of a search
	looks           int
	lo, hi          float64 // the part that is left
	s0, s1          float64 // the unit: lengths are multiplied by both
}

// motionPart is the control points of the corners on a part of time.
type motionPart [MaxMotionDegree + 1][4][3]float64

const (
	motionError     = 12
	motionUnderflow = 0x1p-900
	motionDepth     = 34  // halvings of time
	motionShallow   = 5   // the same, where double-doubles take over
	motionLooks     = 400 // parts of time that one search looks at
)

func (f *motionFloats) load(q *MotionQuery) {
	sh := &clearance.Shapes[q.Kind]
	f.degree, f.corners, f.maxNorm, f.triangle = q.Degree, len(sh.Corners), q.MaxNorm, q.Kind == geom.VertexFace
	f.t0, f.t1 = q.T0, q.T1
	f.depth, f.most = motionDepth, motionLooks
	f.size = [3]float64{}
	for l := range q.Degree + 1 {
		for c, pair := range sh.Corners {
			for k := range 3 {
				x := q.at(l, int(pair[0]), k) - q.at(l, int(pair[1]), k)
				f.top[l][c][k] = x
				f.size[k] = max(f.size[k], math.Abs(x))
			}
		}
	}
	scale := 0
	if m := max(f.size[0], f.size[1], f.size[2], q.Separation); m > 0 {
		scale = -math.Ilogb(m)
	}
	s0, s1 := math.Ldexp(1, scale/2), math.Ldexp(1, scale-scale/2)
	f.s0, f.s1 = s0, s1
	f.d = q.Separation * s0 * s1
	for k := range 3 {
		f.size[k] = f.size[k] * s0 * s1
	}
	for l := range q.Degree + 1 {
		for c := range f.corners {
			for k := range 3 {
				f.top[l][c][k] = f.top[l][c][k] * s0 * s1
			}
		}
	}
}

// next returns the first part [lo, hi] of [from, end] that floats leave undecided: apart on [from,
// lo]. left is false where there is none.
func (f *motionFloats) next(from, end float64) (lo, hi float64, left bool) {
	f.from, f.end, f.looks = from, end, 0
	if f.part(&f.top, 0, 0) {
		return 0, 0, false
	}
	return max(f.lo, from), min(f.hi, end), true
}

// part reports whether the pair is apart on the part [i, i+1] 2^-depth of the query's time, as far
// as it lies in [from, end]. If not, it leaves in lo and hi the first part that it could not
// decide.
func (f *motionFloats) part(p *motionPart, i uint64, depth int) bool {
	lo, hi := f.time(i, depth, -1), f.time(i+1, depth, 1)
	if hi <= f.from && f.from > f.t0 || lo > f.end {
		return true
	}
	f.looks++
	if f.apart(p, depth) {
		return true
	}
	if depth == f.depth || f.looks > f.most {
		f.lo, f.hi = lo, hi
		return false
	}
	var l, r motionPart
	f.halve(p, &l, &r)
	return f.part(&l, 2*i, depth+1) && f.part(&r, 2*i+1, depth+1)
}

// time returns T0 + (T1 - T0) i 2^-depth, rounded down or up. With h = fl(T1 - T0) and the product
// and the sum rounded, the sum errs by less than 4u of itself, for all terms are positive; the
// factor takes 8u. A time below 2^-900 is replaced by an end.
func (f *motionFloats) time(i uint64, depth, side int) float64 {
	s := math.Ldexp(float64(i), -depth)
	if f.t0 == 0 && f.t1 == 1 {
		return s // exactly
	}
	x := f.t0 + float64((f.t1-f.t0)*s)
	switch {
	case side < 0 && (i == 0 || x < 0x1p-900):
		return f.t0
	case side > 0 && i == 1<<depth:
		return f.t1
	case side > 0 && x < 0x1p-900:
		return min(0x1p-899, f.t1)
	case side < 0:
		return max(f.t0, x*(1-0x1p-50))
	}
	return min(f.t1, num.Up(x*(1+0x1p-50)))
}

// halve is de Casteljau's algorithm at the middle.
func (f *motionFloats) halve(p, l, r *motionPart) {
	n := f.degree
	for c := range f.corners {
		for k := range 3 {
			var x [MaxMotionDegree + 1]float64
			for j := range n + 1 {
				x[j] = p[j][c][k]
			}
			for m := range n + 1 {
				l[m][c][k], r[n-m][c][k] = x[0], x[n-m]
				for j := range n - m {
					x[j] = 0.5 * (x[j] + x[j+1])
				}
			}
		}
	}
}

// apart reports whether a direction certainly separates on the whole part.
func (f *motionFloats) apart(p *motionPart, depth int) bool {
	mid := f.middle(p)
	n := f.towards(&mid)
	if f.separates(&n, p, depth) {
		return true
	}
	if !f.maxNorm {
		return false
	}
	// In the max norm the directions of the list in docs/proofs/separation.md count: first the best
	// of them in the middle.
	n, ok := f.best(&mid)
	return ok && f.separates(&n, p, depth)
}

func (f *motionFloats) separates(n *[3]float64, p *motionPart, depth int) bool {
	z := float64(math.Abs(n[0])*f.size[0]) + float64(math.Abs(n[1])*f.size[1]) + float64(math.Abs(n[2])*f.size[2])
	e := float64(float64(motionError+depth*f.degree)*0x1p-53*z) + motionUnderflow
	if f.d > 0 {
		e += float64(f.d * f.dual(n) * (1 + 0x1p-48))
	}
	e *= 1 + 0x1p-48
	for l := range f.degree + 1 {
		for c := range f.corners {
			if !(geom.Dot3(n, &p[l][c]) > e) {
				return false
			}
		}
	}
	return true
}

// dual returns the norm of n dual to the query's, within 8u of itself: n has components of at most
// about 1.
func (f *motionFloats) dual(n *[3]float64) float64 {
	if f.maxNorm {
		return math.Abs(n[0]) + math.Abs(n[1]) + math.Abs(n[2])
	}
	return math.Sqrt(geom.Dot3(n, n))
}

// middle returns the polygon in the middle of the part, by binomial weights.
func (f *motionFloats) middle(p *motionPart) (mid [4][3]float64) {
	scale := math.Ldexp(1, -f.degree)
	for l := range f.degree + 1 {
		w := float64(algebra.Binomials[f.degree][l]) * scale
		for c := range f.corners {
			for k := range 3 {
				mid[c][k] += float64(w * p[l][c][k])
			}
		}
	}
	return mid
}

// towards returns the direction of the nearest point of the polygon, of components of at most 1.
// Floats without a bound: no proof rests on it.
func (f *motionFloats) towards(p *[4][3]float64) [3]float64 {
	best, least := p[0], geom.Dot3(&p[0], &p[0])
	offer := func(x [3]float64) {
		if s := geom.Dot3(&x, &x); s < least {
			best, least = x, s
		}
	}
	side := func(i, j int) {
		e := geom.Sub3(&p[j], &p[i])
		s := -geom.Dot3(&p[i], &e) / geom.Dot3(&e, &e)
		if !(s > 0) {
			s = 0
		}
		s = min(s, 1)
		var x [3]float64
		for k := range x {
			x[k] = p[i][k] + float64(s*e[k])
		}
		offer(x)
	}
	switch f.corners {
	case 2:
		side(0, 1)
	case 3:
		side(0, 1)
		side(0, 2)
		side(2, 1)
	case 4:
		side(0, 1)
		side(0, 2)
		side(2, 3)
		side(1, 3)
	}
	if f.corners > 2 {
		b, c := geom.Sub3(&p[1], &p[0]), geom.Sub3(&p[2], &p[0])
		n := geom.Cross3(&b, &c)
		nn := geom.Dot3(&n, &n)
		x, y := geom.Cross3(&c, &p[0]), geom.Cross3(&p[0], &b)
		u, v := geom.Dot3(&x, &n), geom.Dot3(&y, &n)
		if nn > 0 && u >= 0 && v >= 0 && (f.triangle && u+v <= nn || !f.triangle && u <= nn && v <= nn) {
			if geom.Dot3(&n, &p[0]) < 0 {
				n = [3]float64{-n[0], -n[1], -n[2]}
			}
			return shrunk3(n)
		}
	}
	return shrunk3(best)
}

// best returns the direction of the max norm's list with the greatest share of separation in the
// middle.
func (f *motionFloats) best(p *[4][3]float64) (n [3]float64, ok bool) {
	most := math.Inf(-1)
	try := func(x [3]float64) {
		x = shrunk3(x)
		size := math.Abs(x[0]) + math.Abs(x[1]) + math.Abs(x[2])
		if size == 0 {
			return
		}
		lo, hi := math.Inf(1), math.Inf(-1)
		for c := range f.corners {
			y := geom.Dot3(&x, &p[c])
			lo, hi = min(lo, y), max(hi, y)
		}
		if lo/size > most {
			most, n, ok = lo/size, x, true
		}
		if -hi/size > most {
			most, n, ok = -hi/size, [3]float64{-x[0], -x[1], -x[2]}, true
		}
	}
	axes := [3][3]float64{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}
	for _, e := range axes {
		try(e)
	}
	edge := func(i, j int) {
		e := geom.Sub3(&p[j], &p[i])
		for k := range axes {
			try(geom.Cross3(&axes[k], &e))
		}
	}
	if f.corners > 1 {
		edge(0, 1)
	}
	if f.corners > 2 {
		edge(0, 2)
		b, c := geom.Sub3(&p[1], &p[0]), geom.Sub3(&p[2], &p[0])
		try(geom.Cross3(&b, &c))
	}
	if f.corners == 3 {
		edge(1, 2)
	}
	return n, ok
}

// shrunk3 divides by a power of two, so that the largest component is in [1, 2); zero stays zero.
func shrunk3(x [3]float64) [3]float64 {
	m := max(math.Abs(x[0]), math.Abs(x[1]), math.Abs(x[2]))
	if m == 0 {
		return x
	}
	e := -math.Ilogb(m)
	return [3]float64{math.Ldexp(x[0], e), math.Ldexp(x[1], e), math.Ldexp(x[2], e)}
}

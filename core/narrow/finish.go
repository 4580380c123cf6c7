package narrow

import (
	"math"

	"ccd/core/geom"
	"ccd/core/num"
)

// fill writes the contact point and the normal that belong to out's times, u and v, for every
// method but the exact one without separation, which knows more (docs/proofs/exact.md, "Where they
// touch").
//
// Point, at toi_lo: on the face or edge b for vertex-face and point-edge; midway between the two
// points for edge-edge and point-point.
//
// Normal, from b to a. With a separation it is the direction between the two points at toi_hi,
// F/|F|, wherever they are apart by more than rounding and did not turn round since toi_lo (law 9).
// Otherwise it is the normal B x C of face or edges, on the side from which a comes: against the
// relative velocity at the contact, or, if that lies in the plane, towards F at t = 0. For parallel
// edges, degenerate faces and the codimensional kinds B x C vanishes; the normal is then the part
// across the longer of B and C of the direction from which a comes (or of F at t = 0), and if all
// of that vanishes, the axis most across it. The answer is a continuous function of the query away
// from these borders.
func (f *form) fill(kind geom.Kind, q []float64, out *geom.Impact) {
	out.Point = contactPoint(kind, q, out.TOILo, out.U, out.V)
	late := out.TOIHi
	if out.Verdict != geom.Contact { // TOIHi is then the end of the step, at which nothing is known.
		late = out.TOILo
	}
	out.Normal = f.normal(out.TOILo, late, out.U, out.V)
}

func contactPoint(kind geom.Kind, q []float64, t, u, v float64) (p [3]float64) {
	n := kind.Points()
	for k := range 3 {
		var at [4]float64
		for i := range n {
			at[i] = lerp(q[3*i+k], q[3*(n+i)+k], t)
		}
		p[k] = points[kind](at, u, v)
	}
	return p
}

// points has, for each kind, the function that computes a coordinate of the contact point from the
// coordinates of the query's points. The weights of geom.KindInfo would give sums with other
// roundings.
var points = [...]func(x [4]float64, u, v float64) float64{
	geom.VertexFace: func(x [4]float64, u, v float64) float64 {
		return x[1] + float64(u*(x[2]-x[1])) + float64(v*(x[3]-x[1]))
	},
	geom.EdgeEdge: func(x [4]float64, u, v float64) float64 {
		return float64(0.5*lerp(x[0], x[1], u)) + float64(0.5*lerp(x[2], x[3], v))
	},
	geom.PointEdge:  func(x [4]float64, u, _ float64) float64 { return lerp(x[1], x[2], u) },
	geom.PointPoint: func(x [4]float64, _, _ float64) float64 { return float64(0.5*x[0]) + float64(0.5*x[1]) },
}

// lerp is exact at both ends.
func lerp(a, b, t float64) float64 { return float64((1-t)*a) + float64(t*b) }

// normal returns the unit normal described at fill, of a contact in the times from early to late.
func (f *form) normal(early, late, u, v float64) [3]float64 {
	if n, ok := f.between(early, late, u, v); ok {
		return n
	}
	first := f.at(0, u, v)
	var b, c, from [3]float64
	for k := range 3 {
		b[k] = f.b0[k] + float64(early*f.db[k])
		c[k] = f.c0[k] + float64(early*f.dc[k])
		from[k] = -(f.da[k] + float64(u*f.db[k]) + float64(v*f.dc[k]))
	}
	b, c = shrink(b), shrink(c)
	from, first = shrink(from), shrink(first)
	n := geom.Cross3(&b, &c)
	// sin of the angle between B and C; below 2^-40 the direction of B x C is rounding.
	if nn := geom.Dot3(&n, &n); nn > 0x1p-80*geom.Dot3(&b, &b)*geom.Dot3(&c, &c) {
		s := geom.Dot3(&n, &from)
		if s*s <= 0x1p-80*nn*geom.Dot3(&from, &from) {
			s = geom.Dot3(&n, &first)
		}
		if s < 0 {
			n = [3]float64{-n[0], -n[1], -n[2]}
		}
		if n, ok := unit(n); ok {
			return n
		}
	}
	e := f.longer(early)
	for _, w := range [2][3]float64{from, first} {
		if n, ok := across(w, e); ok {
			return n
		}
	}
	k := 0
	for i := range e {
		if math.Abs(e[i]) < math.Abs(e[k]) {
			k = i
		}
	}
	var w [3]float64
	w[k] = 1
	n, _ = across(w, e)
	return n
}

// between returns the unit vector between the two points at late; false when they are apart by no
// more than rounding, when they have turned round since early, and without a separation, where
// contact has no distance.
//
// F as computed errs by 9U S < 9/16 eps on an axis (num.AffineBound). Beyond 4 eps it has therefore
// a positive product with the true one, and what law 9 calls apart, more than 5 eps, is seen to be.
func (f *form) between(early, late, u, v float64) (n [3]float64, ok bool) {
	if !f.separated {
		return n, false
	}
	x, y := f.at(late, u, v), f.at(early, u, v)
	far, size := 0.0, 0.0
	for k := range 3 {
		far = max(far, math.Abs(x[k]))
		// f.size is not used, because it may be the size of the scene.
		size = max(size, max(math.Abs(f.a0[k]), math.Abs(f.a0[k]+f.da[k]))+
			max(math.Abs(f.b0[k]), math.Abs(f.b0[k]+f.db[k]))+
			max(math.Abs(f.c0[k]), math.Abs(f.c0[k]+f.dc[k])))
	}
	if far <= 4*num.AffineBound(size) {
		return n, false
	}
	y = shrink(y)
	x = shrink(x)
	if geom.Dot3(&x, &y) < 0 {
		return n, false
	}
	return unit(x)
}

// longer returns the unit direction of the longer of B and C at t, zero if both vanish.
func (f *form) longer(t float64) [3]float64 {
	var b, c [3]float64
	for k := range 3 {
		b[k] = f.b0[k] + float64(t*f.db[k])
		c[k] = f.c0[k] + float64(t*f.dc[k])
	}
	if geom.Dot3(&b, &b) < geom.Dot3(&c, &c) {
		b = c
	}
	e, _ := unit(b)
	return e
}

// across returns the unit part of w across the unit or zero vector e; false when it is no more than
// rounding. What rounding leaves along e may be 2^-13 of the part across it, and is taken off once
// more.
func across(w, e [3]float64) ([3]float64, bool) {
	w, ok := unit(w)
	if !ok {
		return w, false
	}
	for range 2 {
		s := geom.Dot3(&w, &e)
		for k := range w {
			w[k] -= float64(s * e[k])
		}
	}
	if geom.Dot3(&w, &w) <= 0x1p-80 {
		return w, false
	}
	return unit(w)
}

// shrink scales w by a power of two so that its largest entry lies in [0.5, 1): products of it are
// then harmless.
func shrink(w [3]float64) [3]float64 {
	m := larger(larger(math.Abs(w[0]), math.Abs(w[1])), math.Abs(w[2]))
	if s, ok := toOne(m); ok {
		return [3]float64{w[0] * s, w[1] * s, w[2] * s}
	}
	if m == 0 {
		return w
	}
	_, e := math.Frexp(m)
	for k := range w {
		w[k] = math.Ldexp(w[k], -e)
	}
	return w
}

// toOne returns the power of two that brings m >= 0 into [0.5, 1), if it is a normal double.
func toOne(m float64) (s float64, ok bool) {
	if x := math.Float64bits(m) >> 52; 0 < x && x < 2044 {
		// m lies in [2^(x-1023), 2^(x-1022)), so the factor is 2^(1022-x), a normal double.
		return math.Float64frombits((2045 - x) << 52), true
	}
	return 1, false
}

// unit returns w at length 1; false and zero when w vanishes.
func unit(w [3]float64) ([3]float64, bool) {
	w = shrink(w)
	s := math.Sqrt(geom.Dot3(&w, &w))
	if s == 0 {
		return [3]float64{}, false
	}
	return [3]float64{w[0] / s, w[1] / s, w[2] / s}, true
}

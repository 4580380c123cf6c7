package clearance

import (
	"math"

	"ccd/core/exact"
	"ccd/core/geom"
)

// place writes u, v, point, normal and width of a contact whose times are known. In the max norm,
// many (u, v) may be in contact at once. place reports the middle of the part of the polygon that
// lies in the cube at TOIHi, in floats.
func (r *SeparationResolver) place(q []float64, out *geom.Impact) {
	r.Fa.Set(r, out.TOIHi)
	u, v := r.Middle(out.Kind)
	r.describe(q, u, v, out)
}

// describe writes u, v, point, normal and width from the parameters of the contact. Fa must be the
// polygon at TOIHi.
func (r *SeparationResolver) describe(q []float64, u, v float64, out *geom.Impact) {
	u, v = Inside(out.Kind.Info().Domain, u, v)
	out.U, out.V = u, v
	out.Width = (out.TOIHi - out.TOILo) * math.Ldexp(r.fastest(), r.exponent)
	out.Normal = r.direction(u, v)
	n := out.Kind.Points()
	at := func(i, k int) float64 {
		x := q[3*i+k]
		return x + float64(out.TOILo*(q[3*(n+i)+k]-x))
	}
	for k := range 3 {
		var x [4]float64
		for i := range n {
			x[i] = at(i, k)
		}
		out.Point[k] = Points[out.Kind](x, u, v)
	}
}

// Points has, for each kind, the function that computes a coordinate of the contact point from the
// coordinates of the query's points.
var Points = [...]func(x [4]float64, u, v float64) float64{
	geom.VertexFace: func(x [4]float64, u, v float64) float64 {
		return x[1] + float64(u*(x[2]-x[1])) + float64(v*(x[3]-x[1]))
	},
	geom.EdgeEdge: func(x [4]float64, u, v float64) float64 {
		return float64(0.5*(x[0]+float64(u*(x[1]-x[0])))) + float64(0.5*(x[2]+float64(v*(x[3]-x[2]))))
	},
	geom.PointEdge:  func(x [4]float64, u, _ float64) float64 { return x[1] + float64(u*(x[2]-x[1])) },
	geom.PointPoint: func(x [4]float64, _, _ float64) float64 { return float64(0.5*x[0]) + float64(0.5*x[1]) },
}

// fastest returns the largest speed of a corner along an axis.
func (r *SeparationResolver) fastest() (speed float64) {
	for c := range r.Shape.Corners {
		for k := range 3 {
			speed = max(speed, math.Abs(r.P[c][k].At1-r.P[c][k].At0))
		}
	}
	return speed
}

// direction returns the unit vector along the offset F, from b to a; where F is no more than
// rounding, against the motion.
//
// With m the largest magnitude of a corner, a corner errs by 7u m (polygon.set), F as computed from
// three of them by less than 50u m. 64u S is the 4 eps beyond which law 9 has the normal along F; m
// is at most S.
func (r *SeparationResolver) direction(u, v float64) [3]float64 {
	zero := [3]float64{}
	f := r.offset(u, v)
	size := 0.0
	for k := range 3 {
		x, sum := &r.P[0][k], 0.0
		for j := range min(2, len(r.Shape.Edges)) { // B and C
			sum += r.me[j][k]
		}
		size = max(size, sum+max(math.Abs(x.At0), math.Abs(x.At1)))
	}
	if max(math.Abs(f[0]), math.Abs(f[1]), math.Abs(f[2])) > 64*0x1p-53*size {
		return exact.Unit(f, 1)
	}
	var w [3]float64
	for k := range w {
		speed := func(c int) float64 { return r.P[c][k].At1 - r.P[c][k].At0 }
		w[k] = speed(0)
		if len(r.Shape.Corners) > 1 {
			w[k] += float64(u * (speed(1) - speed(0)))
		}
		if len(r.Shape.Corners) > 2 {
			w[k] += float64(v * (speed(2) - speed(0)))
		}
	}
	if w != zero {
		return exact.Unit(w, -1)
	}
	return [3]float64{1, 0, 0}
}

// corner2 is a point of the parameter domain with F there.
type corner2 struct {
	u, v float64
	f    [3]float64
}

// offset returns F at (u, v), at the time of fa.
func (r *SeparationResolver) offset(u, v float64) (f [3]float64) {
	p := &r.Fa.p
	for k := range 3 {
		f[k] = p[0][k]
		if len(r.Shape.Corners) > 1 {
			f[k] += float64(u * (p[1][k] - p[0][k]))
		}
		if len(r.Shape.Corners) > 2 {
			f[k] += float64(v * (p[2][k] - p[0][k]))
		}
	}
	return f
}

// Middle clips the domain by the six planes |F_k| <= d + slack and returns the mean of the corners
// that are left. The slack grows until some are: at the first contact the exact intersection is
// often one point, which rounding may miss.
//
// How far it grows. Lengths are below 2 here. A corner of the polygon errs by 14u (polygon.set), F
// at a corner of the domain by 3 x 14u and 12u more; the contact is less than u before TOIHi, in
// which time F moves by 4u at most; a cut is off by 20u, and the last of six has the errors of all
// before it. So some (u, v) is left once the slack is 2^-45 = 256u, and |F(u, v)| <= d + slack +
// 178u then. As the slack grows by factors of 4 it is at most 1024u (1 + d), and the sum less than
// 2^-42 (1 + d).
func (r *SeparationResolver) Middle(kind geom.Kind) (u, v float64) {
	var corners [4]corner2
	list := corners[:0]
	for _, c := range kind.Info().Corners {
		u, v := float64(c.U), float64(c.V)
		list = append(list, corner2{u, v, r.offset(u, v)})
	}
	for slack := 0x1p-51 * (1 + r.D); ; slack *= 4 {
		var buffers [2][10]corner2
		left := append(buffers[0][:0], list...)
		to := buffers[1][:0]
		for k := range 3 {
			for _, sign := range [...]float64{1, -1} {
				to = clip(left, to[:0], k, sign, r.D+slack)
				left, to = to, left
			}
		}
		if len(left) == 0 && slack < 1 {
			continue
		}
		if len(left) == 0 {
			return list[0].u, list[0].v
		}
		for _, c := range left {
			u, v = u+c.u, v+c.v
		}
		return u / float64(len(left)), v / float64(len(left))
	}
}

// clip appends to `to` the part of the convex polygon where sign F_k <= bound (Sutherland and
// Hodgman).
func clip(from, to []corner2, k int, sign, bound float64) []corner2 {
	for i := range from {
		a, b := &from[i], &from[(i+1)%len(from)]
		x, y := float64(sign*a.f[k])-bound, float64(sign*b.f[k])-bound
		if x <= 0 {
			to = append(to, *a)
		}
		if (x <= 0) != (y <= 0) && len(from) > 1 {
			s := x / (x - y)
			c := corner2{u: a.u + float64(s*(b.u-a.u)), v: a.v + float64(s*(b.v-a.v))}
			for m := range 3 {
				c.f[m] = a.f[m] + float64(s*(b.f[m]-a.f[m]))
			}
			to = append(to, c)
		}
	}
	return to
}

// Inside brings parameters that rounding may have moved out of the domain back into it.
func Inside(domain geom.Domain, u, v float64) (float64, float64) {
	u = min(u, 1)
	if domain == geom.Square {
		return u, min(v, 1)
	}
	return u, min(v, 1-u) // 1-u is rounded once, so u + v rounds to at most 1
}

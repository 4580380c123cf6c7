package clearance

import (
	"math"

	"ccd/core/geom"
)

// nearest is what floats take for the nearest point of the polygon at a time. No proof rests on it.
type nearest struct {
	T    float64
	p    [4][3]float64 // the corners, each component off by 7 u times its largest magnitude: see frame.set
	Part int8          // the feature that it lies on: inner, a side, or atCorner and the corner
	w    [4]float64    // its weights over the corners: none is negative, and together they are about 1
	n    [3]float64    // a vector of about length 1 towards it
	size float64       // the length of n
}

const (
	Inner2d  int8 = -1
	atCorner int8 = 4
)

// corners evaluates the polygon at t.
func (r *EuclideanResolver) corners(t float64, p *[4][3]float64) {
	for c := range r.Lines.Shape.Corners {
		for k := range 3 {
			x := &r.Lines.P[c][k]
			p[c][k] = x.At0 + float64(t*(x.At1-x.At0))
		}
	}
}

func (r *EuclideanResolver) edge(j int8, t float64) (e [3]float64) {
	for k := range 3 {
		x := &r.Lines.E[j][k]
		e[k] = x.At0 + float64(t*(x.At1-x.At0))
	}
	return e
}

// look finds the nearest point at t.
func (r *EuclideanResolver) look(t float64, x *nearest) {
	x.T = t
	r.corners(t, &x.p)
	x.w = [4]float64{}
	switch {
	case r.Plane:
		r.polygon(x)
	case len(r.Sides) == 1:
		f := r.foot(&x.p, t, 0)
		x.rest(r.Sides, &f)
	default:
		x.Part, x.w[0] = atCorner, 1
		x.towards(x.p[0])
	}
}

// polygon finds the nearest point where there is an inside: the foot on the plane, u and v from the
// normal equations, if it lies inside; else it lies on one of the sides that the foot lies beyond.
// (If it lies inside a side, the foot is on the side's outer half-plane; if it is a corner, on that
// of a side at the corner.) All sides are looked at when they are nearly parallel.
func (r *EuclideanResolver) polygon(x *nearest) {
	b, c := r.edge(0, x.T), r.edge(1, x.T)
	a := &x.p[0]
	bb, bc, cc, ab, ac := geom.Dot3(&b, &b), geom.Dot3(&b, &c), geom.Dot3(&c, &c), -geom.Dot3(a, &b), -geom.Dot3(a, &c)
	det := float64(bb*cc) - float64(bc*bc)
	u, v := float64(cc*ab)-float64(bc*ac), float64(bb*ac)-float64(bc*ab)
	flat := !(det > 0x1p-40*float64(bb*cc))
	// In the order of the sides: along B at v = 0, along C at u = 0, and the others.
	beyond := [4]bool{flat || !(v > 0), flat || !(u > 0)}
	if len(r.Sides) == 3 {
		beyond[2] = flat || !(u+v < det)
	} else {
		beyond[2], beyond[3] = flat || !(v < det), flat || !(u < det)
	}
	if beyond == [4]bool{} {
		s := 1 / det
		u, v = float64(u*s), float64(v*s)
		x.Part = Inner2d
		if len(r.Sides) == 3 {
			x.w = [4]float64{max(0, 1-u-v), u, v}
		} else {
			w, z := max(0, 1-u), max(0, 1-v)
			x.w = [4]float64{float64(w * z), float64(u * z), float64(w * v), float64(u * v)}
		}
		n := geom.Cross3(&b, &c)
		if geom.Dot3(a, &n) < 0 {
			n = [3]float64{-n[0], -n[1], -n[2]}
		}
		x.towards(n)
		return
	}
	var best foot
	found := false
	for i := range r.Sides {
		if beyond[i] {
			if f := r.foot(&x.p, x.T, int8(i)); !found || f.square < best.square {
				best, found = f, true
			}
		}
	}
	x.rest(r.Sides, &best)
}

// foot is the nearest point of a side.
type foot struct {
	part   int8
	s      float64 // s is the part of the way along the side, when the point is inside the side.
	v      [3]float64
	square float64 // square is that of its length.
}

func (r *EuclideanResolver) foot(p *[4][3]float64, t float64, number int8) (f foot) {
	z := r.Sides[number]
	e := r.edge(z.Edge, t)
	from := &p[z.From]
	ee, pe := geom.Dot3(&e, &e), -geom.Dot3(from, &e)
	switch {
	case !(pe > 0):
		f.part, f.v = atCorner+z.From, *from
	case !(pe < ee):
		f.part, f.v = atCorner+z.to, p[z.to]
	default:
		f.part, f.s = number, pe/ee
		for k := range 3 {
			f.v[k] = from[k] + float64(f.s*e[k])
		}
		c := geom.Dot3(&f.v, &e) / ee // rounding
		for k := range 3 {
			f.v[k] -= float64(c * e[k])
		}
	}
	f.square = geom.Dot3(&f.v, &f.v)
	return f
}

// rest takes the foot for the nearest point.
func (x *nearest) rest(sides []side, f *foot) {
	x.Part = f.part
	if f.part >= atCorner {
		x.w[f.part-atCorner] = 1
	} else {
		z := sides[f.part]
		x.w[z.From], x.w[z.to] = 1-f.s, f.s
	}
	x.towards(f.v)
}

// towards sets n to v at about length 1. A v so short that its square may underflow has none worth
// the name.
func (x *nearest) towards(v [3]float64) {
	l := math.Sqrt(geom.Dot3(&v, &v))
	if !(l > 0x1p-400) {
		x.n, x.size = [3]float64{1, 0, 0}, 1
		return
	}
	s := 1 / l
	x.n = [3]float64{v[0] * s, v[1] * s, v[2] * s}
	x.size = math.Sqrt(geom.Dot3(&x.n, &x.n))
}

// turn brings the normal of y's inside to the side of x's direction, for the polygon may have
// passed through the origin since, and returns the cosine of the angle between the two.
func turn(x, y *nearest) float64 {
	c := geom.Dot3(&x.n, &y.n)
	if c < 0 && y.Part == Inner2d {
		y.n = [3]float64{-y.n[0], -y.n[1], -y.n[2]}
		return -c
	}
	return c
}

// gap returns the distance less d, and closing the speed at which it shrinks by the tangent: to
// choose a next time.
func (r *EuclideanResolver) gap(x *nearest) (gap, closing float64) {
	gap = -r.Lines.D
	for c := range r.Lines.Shape.Corners {
		w := x.w[c]
		if w == 0 {
			continue
		}
		p := &r.Lines.P[c]
		v := [3]float64{p[0].At1 - p[0].At0, p[1].At1 - p[1].At0, p[2].At1 - p[2].At0}
		gap += float64(w * geom.Dot3(&x.n, &x.p[c]))
		closing -= float64(w * geom.Dot3(&x.n, &v))
	}
	return gap, closing
}

package triangle

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
)

// A Feature of a triangle: 0 to 2 its corners, 3 to 5 the edges that begin at them, 6 its face.
type Feature int32

// Face is the feature that is neither a corner nor an edge.
const Face Feature = 6

// Near is a pair of points of two triangles that are nearly nearest. Its choice affects speed and
// the tightness of a contact, never safety.
type Near struct {
	D2     float64
	PA, PB r3.Vec
	FA, FB Feature
}

// Pair is two triangles with a pair of near points. Where the triangles intersect, Out is the way
// out, from B to A: see Intersect.
type Pair struct {
	A, B Corners
	Near Near
	Out  r3.Vec
}

// Corners is a triangle with its edges and normal.
type Corners struct {
	P      [3]r3.Vec
	E      [3]r3.Vec // P[i+1] - P[i]
	E2     [3]float64
	Normal r3.Vec
	N2     float64
}

func (c *Corners) Set() {
	c.E[0], c.E[1], c.E[2] = r3.Sub(c.P[1], c.P[0]), r3.Sub(c.P[2], c.P[1]), r3.Sub(c.P[0], c.P[2])
	for i := range 3 {
		c.E2[i] = geom.Dot(c.E[i], c.E[i])
	}
	c.Normal = geom.Cross(c.E[0], c.E[1])
	c.N2 = geom.Dot(c.Normal, c.Normal)
}

// Nearest finds the nearest points of two triangles that do not intersect: those of two edges, or
// of a corner and a face.
func Nearest(a, b *Corners, out *Near) {
	out.D2 = math.Inf(1)
	for i := range 3 {
		for j := range 3 {
			Edges(a, b, i, j, out)
		}
	}
	for i := range 3 {
		if foot, d2, ok := CornerFace(&a.P[i], b, out.D2); ok {
			*out = Near{d2, a.P[i], foot, Feature(i), Face}
		}
		if foot, d2, ok := CornerFace(&b.P[i], a, out.D2); ok {
			*out = Near{d2, foot, b.P[i], Face, Feature(i)}
		}
	}
}

// Edges improves out by the nearest points of edge i of a and edge j of b; see Ericson, Real-Time
// Collision Detection, 5.1.9.
func Edges(a, b *Corners, i, j int, out *Near) {
	d, e := &a.E[i], &b.E[j]
	dd, ee := a.E2[i], b.E2[j]
	r := r3.Sub(a.P[i], b.P[j])
	de, dr, er := geom.Dot(*d, *e), geom.Dot(*d, r), geom.Dot(*e, r)
	var s, t float64
	if det := float64(dd*ee) - float64(de*de); det > 1e-14*dd*ee {
		s = geom.Clamp((float64(de*er) - float64(dr*ee)) / det)
	}
	if ee > 0 {
		t = (float64(de*s) + er) / ee
	}
	if t < 0 || t > 1 || ee == 0 {
		t = geom.Clamp(t)
		if dd > 0 {
			s = geom.Clamp((float64(de*t) - dr) / dd)
		}
	}
	pa := r3.Add(a.P[i], geom.Scale(s, *d))
	pb := r3.Add(b.P[j], geom.Scale(t, *e))
	diff := r3.Sub(pb, pa)
	if d2 := geom.Dot(diff, diff); d2 < out.D2 {
		*out = Near{D2: d2, PA: pa, PB: pb, FA: OnEdge(i, s), FB: OnEdge(j, t)}
	}
}

// OnEdge returns the feature at the parameter s of edge i.
func OnEdge(i int, s float64) Feature {
	switch s {
	case 0:
		return Feature(i)
	case 1:
		return Feature((i + 1) % 3)
	}
	return Feature(3 + i)
}

// CornerFace returns the foot of p on the inside of a face, and the square of its distance, if that
// is below d2.
func CornerFace(p *r3.Vec, t *Corners, d2 float64) (foot r3.Vec, h2 float64, ok bool) {
	h := geom.Dot(r3.Sub(*p, t.P[0]), t.Normal)
	if !(t.N2 > 0) || h*h >= d2*t.N2 {
		return foot, 0, false
	}
	for i := range 3 { // the sides of the edges, in the plane
		if geom.Dot(geom.Cross(t.Normal, t.E[i]), r3.Sub(*p, t.P[i])) < 0 {
			return foot, 0, false
		}
	}
	return r3.Sub(*p, geom.Scale(h/t.N2, t.Normal)), h * h / t.N2, true
}

// AcrossEdge returns the unit of v without its part along e.
func AcrossEdge(v r3.Vec, e *r3.Vec) (r3.Vec, bool) {
	along, ok := geom.Unit(*e, *e)
	if !ok {
		return along, false
	}
	for range 2 {
		if v, ok = geom.Unit(v, v); !ok {
			return v, false
		}
		v = r3.Sub(v, geom.Scale(geom.Dot(v, along), along))
	}
	return geom.Unit(v, v)
}

// Settle makes the near point of a face one of its inside, up to rounding of its corners, and the
// distance that of the points.
func (l *Pair) Settle() {
	switch {
	case l.Near.FA == Face:
		l.Near.PA = inside(&l.A, l.Near.PA)
	case l.Near.FB == Face:
		l.Near.PB = inside(&l.B, l.Near.PB)
	default:
		return
	}
	d := r3.Sub(l.Near.PB, l.Near.PA)
	l.Near.D2 = geom.Dot(d, d)
}

// inside returns the convex combination of the corners with the weights that p has.
func inside(c *Corners, p r3.Vec) r3.Vec {
	r := r3.Sub(p, c.P[0])
	x := geom.Clamp(geom.Dot(geom.Cross(r, r3.Scale(-1, c.E[2])), c.Normal) / c.N2)
	y := geom.Clamp(geom.Dot(geom.Cross(c.E[0], r), c.Normal) / c.N2)
	if s := x + y; s > 1 {
		x, y = x/s, y/s
	}
	return r3.Add(c.P[0], r3.Sub(geom.Scale(x, c.E[0]), geom.Scale(y, c.E[2])))
}

// Size bounds how far apart two points of a triangle are.
func (c *Corners) Size() float64 { return math.Sqrt(c.E2[0] + c.E2[1] + c.E2[2]) }

// Border reports whether a point of the triangle is within reach of an edge, though rounding may
// say that it is inside.
func (c *Corners) Border(x r3.Vec, reach float64) bool {
	for i := range 3 {
		off := geom.Cross(r3.Sub(x, c.P[i]), c.E[i])
		if geom.Dot(off, off) <= reach*reach*c.E2[i] {
			return true
		}
	}
	return false
}

// NearestTo returns the point of a triangle nearest to p, and the feature that it is on; see
// Ericson, Real-Time Collision Detection, 5.1.5.
func NearestTo(p r3.Vec, t *[3]r3.Vec) (foot r3.Vec, on Feature) {
	best := math.Inf(1)
	for k := range 3 {
		e := r3.Sub(t[(k+1)%3], t[k])
		s := 0.0
		if ee := geom.Dot(e, e); ee > 0 {
			s = geom.Clamp(geom.Dot(e, r3.Sub(p, t[k])) / ee)
		}
		at := r3.Add(t[k], geom.Scale(s, e))
		if s == 1 {
			at = t[(k+1)%3]
		}
		if d := geom.Norm(r3.Sub(p, at)); d < best {
			best, foot, on = d, at, OnEdge(k, s)
		}
	}
	c := Corners{P: *t}
	c.Set()
	if at, _, ok := CornerFace(&p, &c, float64(best*best)); ok {
		return at, Face
	}
	return foot, on
}

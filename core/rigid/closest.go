package rigid

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
)

// A Feature of a triangle: 0 to 2 its corners, 3 to 5 the edges that begin at them, 6 its face.
type Feature int32

// Face is the feature that is neither a corner nor an edge.
const Face Feature = 6

// near is a pair of points of two triangles that are nearly nearest. Its choice affects speed and
// the tightness of a contact, never safety.
type near struct {
	d2     float64
	pa, pb r3.Vec
	fa, fb Feature
}

// corners is a triangle with its edges and normal.
type corners struct {
	p      [3]r3.Vec
	e      [3]r3.Vec // p[i+1] - p[i]
	e2     [3]float64
	normal r3.Vec
	n2     float64
}

func (c *corners) set() {
	c.e[0], c.e[1], c.e[2] = r3.Sub(c.p[1], c.p[0]), r3.Sub(c.p[2], c.p[1]), r3.Sub(c.p[0], c.p[2])
	for i := range 3 {
		c.e2[i] = geom.Dot(c.e[i], c.e[i])
	}
	c.normal = geom.Cross(c.e[0], c.e[1])
	c.n2 = geom.Dot(c.normal, c.normal)
}

// nearest finds the nearest points of two triangles that do not intersect: those of two edges, or
// of a corner and a face.
func nearest(a, b *corners, out *near) {
	out.d2 = math.Inf(1)
	for i := range 3 {
		for j := range 3 {
			edges(a, b, i, j, out)
		}
	}
	for i := range 3 {
		if foot, d2, ok := cornerFace(&a.p[i], b, out.d2); ok {
			*out = near{d2, a.p[i], foot, Feature(i), Face}
		}
		if foot, d2, ok := cornerFace(&b.p[i], a, out.d2); ok {
			*out = near{d2, foot, b.p[i], Face, Feature(i)}
		}
	}
}

// edges improves out by the nearest points of edge i of a and edge j of b; see Ericson, Real-Time
// Collision Detection, 5.1.9.
func edges(a, b *corners, i, j int, out *near) {
	d, e := &a.e[i], &b.e[j]
	dd, ee := a.e2[i], b.e2[j]
	r := r3.Sub(a.p[i], b.p[j])
	de, dr, er := geom.Dot(*d, *e), geom.Dot(*d, r), geom.Dot(*e, r)
	var s, t float64
	if det := float64(dd*ee) - float64(de*de); det > 1e-14*dd*ee {
		s = clamp((float64(de*er) - float64(dr*ee)) / det)
	}
	if ee > 0 {
		t = (float64(de*s) + er) / ee
	}
	if t < 0 || t > 1 || ee == 0 {
		t = clamp(t)
		if dd > 0 {
			s = clamp((float64(de*t) - dr) / dd)
		}
	}
	pa := r3.Add(a.p[i], geom.Scale(s, *d))
	pb := r3.Add(b.p[j], geom.Scale(t, *e))
	diff := r3.Sub(pb, pa)
	if d2 := geom.Dot(diff, diff); d2 < out.d2 {
		*out = near{d2: d2, pa: pa, pb: pb, fa: onEdge(i, s), fb: onEdge(j, t)}
	}
}

func clamp(x float64) float64 { return min(max(x, 0), 1) }

// onEdge returns the feature at the parameter s of edge i.
func onEdge(i int, s float64) Feature {
	switch s {
	case 0:
		return Feature(i)
	case 1:
		return Feature((i + 1) % 3)
	}
	return Feature(3 + i)
}

// cornerFace returns the foot of p on the inside of a face, and the square of its distance, if that
// is below d2.
func cornerFace(p *r3.Vec, t *corners, d2 float64) (foot r3.Vec, h2 float64, ok bool) {
	h := geom.Dot(r3.Sub(*p, t.p[0]), t.normal)
	if !(t.n2 > 0) || h*h >= d2*t.n2 {
		return foot, 0, false
	}
	for i := range 3 { // the sides of the edges, in the plane
		if geom.Dot(geom.Cross(t.normal, t.e[i]), r3.Sub(*p, t.p[i])) < 0 {
			return foot, 0, false
		}
	}
	return r3.Sub(*p, geom.Scale(h/t.n2, t.normal)), h * h / t.n2, true
}

package rigid

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
)

// refine makes the near points of the leaf nearest points up to rounding, whatever the shapes of
// the triangles and the angles of their edges.
//
// nearest solves the normal equations of two edges, whose determinant is the squares of the lengths
// times that of the sine of their angle. Its error of a few u loses the points along both edges by
// u over that square, which leaves them u L over the sine farther apart than the edges are. The
// height over a sliver is lost likewise. Here the parts across an edge are computed first: they err
// by a few u L whatever the angle is. docs/proofs/rigid.md, Nearest points, has the proof.
func (l *leaf) refine() {
	n := near{d2: math.Inf(1)}
	for i := range 3 {
		for j := range 3 {
			n.improve(edgePoints(&l.a, &l.b, i, j))
		}
		if foot, ok := footAcross(&l.a, l.b.p[i]); ok {
			n.improve(near{pa: foot, pb: l.b.p[i], fa: Face, fb: Feature(i)})
		}
		if foot, ok := footAcross(&l.b, l.a.p[i]); ok {
			n.improve(near{pa: l.a.p[i], pb: foot, fa: Feature(i), fb: Face})
		}
	}
	l.near = n
}

// improve takes the points of m if they are nearer, and reports whether they are.
func (n *near) improve(m near) bool {
	d := r3.Sub(m.pb, m.pa)
	if m.d2 = geom.Dot(d, d); !(m.d2 < n.d2) {
		return false
	}
	*n = m
	return true
}

// edgePoints returns nearest points of edge i of a and edge j of b: the place on the first where it
// is nearest to the line of the second, then in turn the nearest place on the other.
func edgePoints(a, b *corners, i, j int) near {
	p, q := a.p[i], b.p[j]
	d, e := r3.Sub(a.p[(i+1)%3], p), r3.Sub(b.p[(j+1)%3], q)
	s := share(across(r3.Sub(q, p), e), across(d, e))
	t, inside := shareOn(r3.Sub(r3.Add(p, geom.Scale(s, d)), q), e)
	if !inside {
		s, _ = shareOn(r3.Sub(r3.Add(q, geom.Scale(t, e)), p), d)
	}
	return near{pa: r3.Add(p, geom.Scale(s, d)), pb: r3.Add(q, geom.Scale(t, e)), fa: onEdge(i, s), fb: onEdge(j, t)}
}

// footAcross returns the point of a triangle below p, if it has one: its place across the first
// edge, then that along it.
func footAcross(c *corners, p r3.Vec) (foot r3.Vec, ok bool) {
	d, w, r := r3.Sub(c.p[1], c.p[0]), r3.Sub(c.p[2], c.p[0]), r3.Sub(p, c.p[0])
	if !(c.n2 > 0) {
		return foot, false
	}
	y := share(across(r, d), across(w, d))
	q := r3.Add(c.p[0], geom.Scale(y, w))
	x, inside := shareOn(r3.Sub(p, q), d)
	return r3.Add(q, geom.Scale(x, d)), inside && x+y <= 1
}

// crosses is intersects for triangles whose nearest features are known to be farther apart than the
// limit, and whose volumes are lost to rounding: edges nearly parallel to those of slivers. Then a
// place on an edge and one on a face within the limit are where the two cross.
func (l *leaf) crosses(limit float64) bool {
	best, out := near{d2: math.Inf(1)}, r3.Vec{}
	for i := range 3 {
		if at, foot, ok := edgeFacePoints(&l.a, &l.b, i); ok &&
			best.improve(near{pa: at, pb: foot, fa: Feature(3 + i), fb: Face}) {
			out = longerSide(&l.a, &l.b, i)
		}
		if at, foot, ok := edgeFacePoints(&l.b, &l.a, i); ok &&
			best.improve(near{pa: foot, pb: at, fa: Face, fb: Feature(3 + i)}) {
			out = geom.Scale(-1, longerSide(&l.b, &l.a, i))
		}
	}
	if !(math.Sqrt(best.d2) <= limit) {
		return false
	}
	l.near, l.out = best, out
	return true
}

// refineCrossing makes the near points those where the edge meets the face that they lie on, for an
// edge that is nearly parallel to a sliver: the place found by the signs of volumes errs along it.
func (l *leaf) refineCrossing() {
	n := &l.near
	switch edgeA, edgeB := n.fa >= 3 && n.fa < Face, n.fb >= 3 && n.fb < Face; {
	case edgeA && n.fb == Face:
		if at, foot, ok := edgeFacePoints(&l.a, &l.b, int(n.fa-3)); ok {
			n.improve(near{pa: at, pb: foot, fa: n.fa, fb: Face})
		}
	case edgeB && n.fa == Face:
		if at, foot, ok := edgeFacePoints(&l.b, &l.a, int(n.fb-3)); ok {
			n.improve(near{pa: foot, pb: at, fa: Face, fb: n.fb})
		}
	}
}

// edgeFacePoints returns the place on edge i of a that is nearest to the plane of b, and the point
// of b below it, if it has one.
func edgeFacePoints(a, b *corners, i int) (at, foot r3.Vec, ok bool) {
	p, side := a.p[i], r3.Sub(b.p[1], b.p[0])
	d, w := r3.Sub(a.p[(i+1)%3], p), across(r3.Sub(b.p[2], b.p[0]), side)
	s := share(across(across(r3.Sub(b.p[0], p), side), w), across(across(d, side), w))
	at = r3.Add(p, geom.Scale(s, d))
	foot, ok = footAcross(b, at)
	return at, foot, ok
}

// longerSide returns the unit normal of b toward the longer part of edge i of a.
func longerSide(a, b *corners, i int) r3.Vec {
	ends := r3.Add(r3.Sub(a.p[i], b.p[0]), r3.Sub(a.p[(i+1)%3], b.p[0]))
	n, _ := geom.Unit(b.normal, ends)
	return n
}

// across returns v without its part along e; v where e is 0.
func across(v, e r3.Vec) r3.Vec {
	if e2 := geom.Dot(e, e); e2 > 0 {
		return r3.Sub(v, geom.Scale(geom.Dot(v, e)/e2, e))
	}
	return v
}

// share returns the part of d, in [0, 1], that is nearest to r; 0 where d is 0.
func share(r, d r3.Vec) float64 {
	s, _ := shareOn(r, d)
	return s
}

// shareOn also reports whether the nearest place of the line of d is on d. The line of a d that is
// 0 has no other place.
func shareOn(r, d r3.Vec) (s float64, inside bool) {
	d2 := geom.Dot(d, d)
	if !(d2 > 0) {
		return 0, true
	}
	s = geom.Dot(r, d) / d2
	return clamp(s), s >= 0 && s <= 1
}

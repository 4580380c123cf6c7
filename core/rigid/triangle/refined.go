package triangle

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
)

// Refine makes the near points nearest points up to rounding, whatever the shapes of
// the triangles and the angles of their edges.
//
// Nearest solves the normal equations of two edges, whose determinant is the squares of the lengths
// times that of the sine of their angle. Its error of a few u loses the points along both edges by
// u over that square, which leaves them u L over the sine farther apart than the edges are. The
// height over a sliver is lost likewise. Here the parts across an edge are computed first: they err
// by a few u L whatever the angle is. docs/proofs/rigid.md, Nearest points, has the proof.
func (l *Pair) Refine() {
	n := Near{D2: math.Inf(1)}
	for i := range 3 {
		for j := range 3 {
			n.improve(edgePoints(&l.A, &l.B, i, j))
		}
		if foot, ok := footAcross(&l.A, l.B.P[i]); ok {
			n.improve(Near{PA: foot, PB: l.B.P[i], FA: Face, FB: Feature(i)})
		}
		if foot, ok := footAcross(&l.B, l.A.P[i]); ok {
			n.improve(Near{PA: l.A.P[i], PB: foot, FA: Feature(i), FB: Face})
		}
	}
	l.Near = n
}

// improve takes the points of m if they are nearer, and reports whether they are.
func (n *Near) improve(m Near) bool {
	d := r3.Sub(m.PB, m.PA)
	if m.D2 = geom.Dot(d, d); !(m.D2 < n.D2) {
		return false
	}
	*n = m
	return true
}

// edgePoints returns nearest points of edge i of a and edge j of b: the place on the first where it
// is nearest to the line of the second, then in turn the nearest place on the other.
func edgePoints(a, b *Corners, i, j int) Near {
	p, q := a.P[i], b.P[j]
	d, e := r3.Sub(a.P[(i+1)%3], p), r3.Sub(b.P[(j+1)%3], q)
	s := share(Across(r3.Sub(q, p), e), Across(d, e))
	t, inside := shareOn(r3.Sub(r3.Add(p, geom.Scale(s, d)), q), e)
	if !inside {
		s, _ = shareOn(r3.Sub(r3.Add(q, geom.Scale(t, e)), p), d)
	}
	return Near{PA: r3.Add(p, geom.Scale(s, d)), PB: r3.Add(q, geom.Scale(t, e)), FA: OnEdge(i, s), FB: OnEdge(j, t)}
}

// footAcross returns the point of a triangle below p, if it has one: its place across the first
// edge, then that along it.
func footAcross(c *Corners, p r3.Vec) (foot r3.Vec, ok bool) {
	d, w, r := r3.Sub(c.P[1], c.P[0]), r3.Sub(c.P[2], c.P[0]), r3.Sub(p, c.P[0])
	if !(c.N2 > 0) {
		return foot, false
	}
	y := share(Across(r, d), Across(w, d))
	q := r3.Add(c.P[0], geom.Scale(y, w))
	x, inside := shareOn(r3.Sub(p, q), d)
	return r3.Add(q, geom.Scale(x, d)), inside && x+y <= 1
}

// Cross is Intersect for triangles whose nearest features are known to be farther apart than the
// limit, and whose volumes are lost to rounding: edges nearly parallel to those of slivers. Then a
// place on an edge and one on a face within the limit are where the two cross.
func (l *Pair) Cross(limit float64) bool {
	best, out := Near{D2: math.Inf(1)}, r3.Vec{}
	for i := range 3 {
		if at, foot, ok := edgeFacePoints(&l.A, &l.B, i); ok &&
			best.improve(Near{PA: at, PB: foot, FA: Feature(3 + i), FB: Face}) {
			out = longerSide(&l.A, &l.B, i)
		}
		if at, foot, ok := edgeFacePoints(&l.B, &l.A, i); ok &&
			best.improve(Near{PA: foot, PB: at, FA: Face, FB: Feature(3 + i)}) {
			out = geom.Scale(-1, longerSide(&l.B, &l.A, i))
		}
	}
	if !(math.Sqrt(best.D2) <= limit) {
		return false
	}
	l.Near, l.Out = best, out
	return true
}

// RefineCrossing makes the near points those where the edge meets the face that they lie on, for an
// edge that is nearly parallel to a sliver: the place found by the signs of volumes errs along it.
func (l *Pair) RefineCrossing() {
	n := &l.Near
	switch edgeA, edgeB := n.FA >= 3 && n.FA < Face, n.FB >= 3 && n.FB < Face; {
	case edgeA && n.FB == Face:
		if at, foot, ok := edgeFacePoints(&l.A, &l.B, int(n.FA-3)); ok {
			n.improve(Near{PA: at, PB: foot, FA: n.FA, FB: Face})
		}
	case edgeB && n.FA == Face:
		if at, foot, ok := edgeFacePoints(&l.B, &l.A, int(n.FB-3)); ok {
			n.improve(Near{PA: foot, PB: at, FA: Face, FB: n.FB})
		}
	}
}

// edgeFacePoints returns the place on edge i of a that is nearest to the plane of b, and the point
// of b below it, if it has one.
func edgeFacePoints(a, b *Corners, i int) (at, foot r3.Vec, ok bool) {
	p, side := a.P[i], r3.Sub(b.P[1], b.P[0])
	d, w := r3.Sub(a.P[(i+1)%3], p), Across(r3.Sub(b.P[2], b.P[0]), side)
	s := share(Across(Across(r3.Sub(b.P[0], p), side), w), Across(Across(d, side), w))
	at = r3.Add(p, geom.Scale(s, d))
	foot, ok = footAcross(b, at)
	return at, foot, ok
}

// longerSide returns the unit normal of b toward the longer part of edge i of a.
func longerSide(a, b *Corners, i int) r3.Vec {
	ends := r3.Add(r3.Sub(a.P[i], b.P[0]), r3.Sub(a.P[(i+1)%3], b.P[0]))
	n, _ := geom.Unit(b.Normal, ends)
	return n
}

// Across returns v without its part along e; v where e is 0.
func Across(v, e r3.Vec) r3.Vec {
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
	return geom.Clamp(s), s >= 0 && s <= 1
}

package rigid

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
)

// contactNormal is the unit normal of a contact, from B to A. n0, from A to B, is the direction that the nearest features give, if ok. Where the
// near points coincide but for rounding, their difference has no meaningful sign: the normal is then n0 if it separates the triangles, else
// the direction along which they overlap least. It is 0 for two points that coincide.
//
// The product of two edges leans along them by rounding over the sine of their angle. That of one and the other's part across it does not, and
// where edges are so nearly parallel that this part is rounding, the difference is made perpendicular to one, and so to both.
func (l *leaf) contactNormal(q *query, n0 r3.Vec, ok bool, margin float64) r3.Vec {
	if math.Sqrt(l.near.d2) <= 4*margin && !(ok && l.gap(n0) >= -margin) {
		best := math.Inf(-1)
		try := func(n turning) {
			if g := l.gap(n.n0); g > best {
				best, n0, ok = g, n.n0, true
			}
		}
		l.directions(q, try)
		if fa, fb := l.near.fa, l.near.fb; fa >= 3 && fa < Face && fb >= 3 && fb < Face {
			diff, d := r3.Sub(l.near.pb, l.near.pa), l.a.e[fa-3]
			if n, good := unit(geom.Cross(d, across(l.b.e[fb-3], d)), diff); good {
				try(turning{n0: n})
			}
			if n, good := acrossEdge(diff, &d); good {
				try(turning{n0: n})
			}
		}
	}
	if !ok {
		return r3.Vec{}
	}
	return geom.Scale(-1, n0)
}

// gap is that of the triangles along a unit n.
func (l *leaf) gap(n r3.Vec) float64 {
	a, b := math.Inf(-1), math.Inf(1)
	for i := range 3 {
		a, b = max(a, geom.Dot(n, l.a.p[i])), min(b, geom.Dot(n, l.b.p[i]))
	}
	return b - a
}

package rigid

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
	"ccd/core/rigid/triangle"
)

// contactNormal returns the unit normal of a contact at a pose, from B to A. n0, from A to B, is
// the direction that the nearest features give, if ok. Where the near points coincide but for
// rounding, their difference has no meaningful sign: the normal is then n0 if it separates the
// triangles, else the direction along which they overlap least. It is 0 for two points that
// coincide.
//
// The product of two edges, of both triangles or of one, leans along them by rounding over the sine
// of their angle. That of one and the other's part across it does not, and where edges are so
// nearly parallel that this part is rounding, the difference is made perpendicular to one, and so
// to both.
func (l *leaf) contactNormal(q *query, n0 r3.Vec, ok bool, margin float64) r3.Vec {
	if math.Sqrt(l.Near.D2) <= 4*margin && !(ok && l.gap(n0) >= -margin) {
		best := math.Inf(-1)
		try := func(n turning) {
			if g := l.gap(n.n0); g > best {
				best, n0, ok = g, n.n0, true
			}
		}
		l.directions(q, try)
		if d, e := l.spanned(); d != (r3.Vec{}) {
			diff := r3.Sub(l.Near.PB, l.Near.PA)
			if n, good := geom.Unit(geom.Cross(d, triangle.Across(e, d)), diff); good {
				try(turning{n0: n})
			}
			if n, good := triangle.AcrossEdge(diff, &d); good {
				try(turning{n0: n})
			}
		}
	}
	return toA(n0, ok)
}

// faced returns, in place of a direction of points that are so near that rounding turns it, the one
// among the directions of the leaf that rounding does not tell from it. Corners that are 1e-12
// apart have a difference that is off by 1e-4: two faces that slide on each other would part or
// come nearer along it by as much of their speed, and no response to it would end that.
func (s *search) faced(n turning, ok bool) (turning, bool) {
	l := &s.leaf
	d := math.Sqrt(l.Near.D2)
	off := 0x1p-5 * s.f.margin / d // The margin is a bound; points err by far less.
	if !ok || l.Near.FA == Face || l.Near.FB == Face || !(off > 0x1p-30 && off < 0x1p-6) {
		return n, ok
	}
	diff := geom.Scale(1/d, r3.Sub(l.Near.PB, l.Near.PA))
	found := n
	l.directions(&s.query, func(m turning) {
		// The first of them is the difference itself.
		if lean := geom.Norm(geom.Cross(m.n0, n.n0)); lean <= off && geom.Dot(m.n0, n.n0) > 0 && m.n0 != diff {
			found, off = m, lean
		}
	})
	return found, true
}

// toA returns the normal from B to A of a direction from A to B, 0 if there is none.
func toA(n0 r3.Vec, ok bool) r3.Vec {
	if !ok {
		return r3.Vec{}
	}
	return geom.Scale(-1, n0)
}

// refinedNormal returns the normal that the nearest features give, held to the points. Where they
// are apart by more than law 9 (b) calls rounding, which `posePair.same` is, and the normal is far
// from their difference, the points are refined: those of edges that are nearly parallel may be off
// by far more than rounding. A normal that is still more than 60 degrees off gives way to the
// difference.
func (s *search) refinedNormal(n0 r3.Vec, ok bool) r3.Vec {
	l, im := &s.leaf, s.out
	normal := toA(n0, ok)
	d := r3.Sub(l.Near.PA, l.Near.PB)
	if apart := geom.Norm(d); !(apart > s.f.same) || geom.Dot(normal, d) >= 0.5*apart {
		return normal
	}
	l.Refine()
	n := &l.Near
	im.FeatureA, im.FeatureB, im.PointA, im.PointB, im.Distance = n.FA, n.FB, n.PA, n.PB, math.Sqrt(n.D2)
	d = r3.Sub(n.PA, n.PB)
	if apart := im.Distance; apart > s.f.same && geom.Dot(normal, d) < 0.5*apart {
		normal, _ = geom.Unit(d, d)
	}
	return normal
}

// spanned returns two edges that the normal is perpendicular to, of the face or the edges that the
// near points lie on; 0 for others.
func (l *leaf) spanned() (d, e r3.Vec) {
	switch fa, fb := l.Near.FA, l.Near.FB; {
	case fa == Face:
		return l.A.E[0], l.A.E[2]
	case fb == Face:
		return l.B.E[0], l.B.E[2]
	case fa >= 3 && fb >= 3:
		return l.A.E[fa-3], l.B.E[fb-3]
	}
	return d, e
}

// gap returns the gap of the triangles along a unit n.
func (l *leaf) gap(n r3.Vec) float64 {
	a, b := math.Inf(-1), math.Inf(1)
	for i := range 3 {
		a, b = max(a, geom.Dot(n, l.A.P[i])), min(b, geom.Dot(n, l.B.P[i]))
	}
	return b - a
}

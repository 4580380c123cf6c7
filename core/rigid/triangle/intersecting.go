package triangle

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
)

// Intersect reports whether an edge of one triangle meets the inside of the other. The two must
// also be within the limit there, because the signs of volumes are those of rounding for triangles
// in one plane. If so, the near points become those of edge and face, and Out the way out, from B
// to A: normal to the face, toward the longer part of the edge.
func (l *Pair) Intersect(limit float64) bool {
	if i, at, foot, out, ok := edgeThroughFace(&l.A, &l.B, limit); ok {
		d := r3.Sub(foot, at)
		l.Near, l.Out = Near{geom.Dot(d, d), at, foot, Feature(3 + i), Face}, out
		return true
	}
	if i, at, foot, out, ok := edgeThroughFace(&l.B, &l.A, limit); ok {
		d := r3.Sub(foot, at)
		l.Near, l.Out = Near{geom.Dot(d, d), foot, at, Face, Feature(3 + i)}, geom.Scale(-1, out)
		return true
	}
	return false
}

// edgeThroughFace finds an edge of a that crosses the face of b, by the signs of volumes. It
// returns where the edge does so, the point of the face there, and the face's unit normal toward
// the longer part of the edge.
func edgeThroughFace(a, b *Corners, limit float64) (edge int, at, foot, out r3.Vec, ok bool) {
	for i := range 3 {
		p, d := a.P[i], a.E[i]
		from := geom.Dot(b.Normal, r3.Sub(p, b.P[0]))
		to := geom.Dot(b.Normal, r3.Sub(a.P[(i+1)%3], b.P[0]))
		if from*to > 0 || from == to {
			continue
		}
		sides := 0
		for j := range 3 {
			switch v := geom.Dot(geom.Cross(b.E[j], d), r3.Sub(b.P[j], p)); {
			case v > 0:
				sides++
			case v < 0:
				sides--
			}
		}
		if sides != 3 && sides != -3 {
			continue
		}
		at = r3.Add(p, geom.Scale(geom.Clamp(from/(from-to)), d))
		foot = FootOn(b, at)
		out, ok = geom.Unit(b.Normal, geom.Scale(math.Copysign(1, from+to), b.Normal))
		if ok && geom.Norm(r3.Sub(foot, at)) <= limit {
			return i, at, foot, out, true
		}
	}
	return 0, at, foot, out, false
}

// FootOn returns about the nearest point of a face to p, which is near its plane: a convex
// combination of the corners. A sliver's first weights err by rounding times its length over its
// height; each round corrects the rest by as much again.
func FootOn(c *Corners, p r3.Vec) r3.Vec {
	q, x, y := c.P[0], 0.0, 0.0
	for range 3 {
		r := r3.Sub(p, q)
		x += geom.Dot(geom.Cross(r, r3.Scale(-1, c.E[2])), c.Normal) / c.N2
		y += geom.Dot(geom.Cross(c.E[0], r), c.Normal) / c.N2
		x, y = geom.Clamp(x), geom.Clamp(y)
		if s := x + y; s > 1 {
			x, y = x/s, y/s
		}
		q = r3.Add(c.P[0], r3.Sub(geom.Scale(x, c.E[0]), geom.Scale(y, c.E[2])))
	}
	return q
}

package rigid

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
)

// intersects reports whether an edge of one triangle meets the inside of the other. The two must
// also be within the limit there, because the signs of volumes are those of rounding for triangles
// in one plane. If so, the near points become those of edge and face, and out the way out, from B
// to A: normal to the face, toward the longer part of the edge.
func (l *leaf) intersects(limit float64) bool {
	if i, at, foot, out, ok := edgeThroughFace(&l.a, &l.b, limit); ok {
		d := r3.Sub(foot, at)
		l.near, l.out = near{geom.Dot(d, d), at, foot, Feature(3 + i), Face}, out
		return true
	}
	if i, at, foot, out, ok := edgeThroughFace(&l.b, &l.a, limit); ok {
		d := r3.Sub(foot, at)
		l.near, l.out = near{geom.Dot(d, d), foot, at, Face, Feature(3 + i)}, geom.Scale(-1, out)
		return true
	}
	return false
}

// edgeThroughFace finds an edge of a that crosses the face of b, by the signs of volumes. It
// returns where the edge does so, the point of the face there, and the face's unit normal toward
// the longer part of the edge.
func edgeThroughFace(a, b *corners, limit float64) (edge int, at, foot, out r3.Vec, ok bool) {
	for i := range 3 {
		p, d := a.p[i], a.e[i]
		from := geom.Dot(b.normal, r3.Sub(p, b.p[0]))
		to := geom.Dot(b.normal, r3.Sub(a.p[(i+1)%3], b.p[0]))
		if from*to > 0 || from == to {
			continue
		}
		sides := 0
		for j := range 3 {
			switch v := geom.Dot(geom.Cross(b.e[j], d), r3.Sub(b.p[j], p)); {
			case v > 0:
				sides++
			case v < 0:
				sides--
			}
		}
		if sides != 3 && sides != -3 {
			continue
		}
		at = r3.Add(p, geom.Scale(clamp(from/(from-to)), d))
		foot = footOn(b, at)
		out, ok = geom.Unit(b.normal, geom.Scale(math.Copysign(1, from+to), b.normal))
		if ok && geom.Norm(r3.Sub(foot, at)) <= limit {
			return i, at, foot, out, true
		}
	}
	return 0, at, foot, out, false
}

// footOn returns about the nearest point of a face to p, which is near its plane: a convex
// combination of the corners. A sliver's first weights err by rounding times its length over its
// height; each round corrects the rest by as much again.
func footOn(c *corners, p r3.Vec) r3.Vec {
	q, x, y := c.p[0], 0.0, 0.0
	for range 3 {
		r := r3.Sub(p, q)
		x += geom.Dot(geom.Cross(r, r3.Scale(-1, c.e[2])), c.normal) / c.n2
		y += geom.Dot(geom.Cross(c.e[0], r), c.normal) / c.n2
		x, y = clamp(x), clamp(y)
		if s := x + y; s > 1 {
			x, y = x/s, y/s
		}
		q = r3.Add(c.p[0], r3.Sub(geom.Scale(x, c.e[0]), geom.Scale(y, c.e[2])))
	}
	return q
}

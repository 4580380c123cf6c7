package rigid

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/bvh"
	"ccd/core/geom"
	"ccd/core/rigid/triangle"
)

// Surfaces also pass through each other along edges of theirs: an edge that lies in a face, with
// its two triangles on both sides of the face; or an edge on another edge, each with two triangles,
// those of one between those of the other. No two of these triangles pass through each other.
//
// An edge with more than two triangles, where a body touches itself, has no two sides: four cells
// around an edge may fit into four gaps. Nothing is said of it and of edges on it.

// edgeOf is an edge of a body, or of an element, by its places.
type edgeOf [2]r3.Vec

// edgeAt is edge i of a triangle, from the lesser place.
func edgeAt(t *bvh.Triangle, i int) edgeOf {
	p, q := t[i], t[(i+1)%3]
	if q.X < p.X || q.X == p.X && (q.Y < p.Y || q.Y == p.Y && q.Z < p.Z) {
		p, q = q, p
	}
	return edgeOf{p, q}
}

// edgeOnFace is an edge in a face of A, or of B as ^face.
type edgeOnFace struct {
	edge edgeOf
	face int32
}

// edgeOnEdge is an edge of A on one of B.
type edgeOnEdge struct{ a, b edgeOf }

// wedges are the triangles at an edge of A and at one of B on it that have been seen, and the units
// from the edge into them.
type wedges struct {
	n    [2]int
	face [2][2]int32
	into [2][2]r3.Vec
	off  [2][2]float64 // bounds on the errors of the units
}

// edgesPass reports whether the triangles of the leaf and those of earlier ones pass through each
// other along an edge.
func (v *overlap) edgesPass(a, b *Body, e float64) bool {
	if v.sa.In != 2 && v.sb.In != 2 {
		return false
	}
	ta, l := &a.tri[v.ta], &v.leaf
	var tb *bvh.Triangle
	if b != nil {
		tb = &b.tri[v.tb]
	}
	for i := range 3 {
		if v.sa.EdgeIn(i) && v.onFace(edgeOnFace{edgeAt(ta, i), ^v.tb}, v.sa.V[(i+2)%3] > 0, &l.A, &l.B, i, e) {
			return true
		}
		if b != nil && v.sb.EdgeIn(i) &&
			v.onFace(edgeOnFace{edgeAt(tb, i), v.ta}, v.sb.V[(i+2)%3] > 0, &l.B, &l.A, i, e) {
			return true
		}
		for j := range 3 {
			if b != nil && v.sa.EdgeIn(i) && v.sb.EdgeIn(j) &&
				v.onEdge(edgeOnEdge{edgeAt(ta, i), edgeAt(tb, j)}, i, j, e) && !a.isCrowded(edgeAt(ta, i)) &&
				!b.isCrowded(edgeAt(tb, j)) {
				return true
			}
		}
	}
	return false
}

// isCrowded reports whether an edge has more than two triangles.
func (b *Body) isCrowded(edge edgeOf) bool {
	b.countEdges()
	return b.crowded[edge]
}

// onFace notes that the triangle t is above the face, or below it, at its edge i, if that runs
// through the inside of the face, and reports whether another one is on the other side.
func (v *overlap) onFace(key edgeOnFace, above bool, t, face *triangle.Corners, i int, e float64) bool {
	p, way := t.P[i], t.E[i]
	from, to := 0.0, 1.0
	size := t.Size() + face.Size()
	n, ok := geom.Unit(face.Normal, face.Normal)
	for k := range 3 {
		in, good := geom.Unit(geom.Cross(n, face.E[k]), geom.Cross(n, face.E[k]))
		deep := float64(4*e) + float64(4*e*size)/math.Sqrt(face.E2[k])
		at, rate := geom.Dot(in, r3.Sub(p, face.P[k]))-deep, geom.Dot(in, way)
		switch ok = ok && good; {
		case at+rate <= 0 && at <= 0:
			return false
		case at < 0:
			from = max(from, -at/rate)
		case at+rate < 0:
			to = min(to, -at/rate)
		}
	}
	if !ok || float64((to-from)*math.Sqrt(t.E2[i])) <= 4*e {
		return false
	}
	side := uint8(1)
	if above {
		side = 2
	}
	if v.beside == nil {
		v.beside = make(map[edgeOnFace]uint8)
	}
	v.beside[key] |= side
	if v.beside[key] != 3 {
		return false
	}
	at := r3.Add(p, geom.Scale(0.5*(from+to), way))
	foot := triangle.FootOn(face, at)
	v.leaf.Near = triangle.Near{PA: at, PB: foot, FA: Feature(3 + i), FB: Face}
	if v.leaf.Out = n; key.face >= 0 {
		v.leaf.Near = triangle.Near{PA: foot, PB: at, FA: Face, FB: Feature(3 + i)}
		v.leaf.Out = geom.Scale(-1, n)
	}
	return true
}

// onEdge notes the triangles of the leaf at edge i of A, which lies on edge j of B, if they share
// more than a point, and reports whether the two triangles at one and the two at the other are on
// each other's both sides.
func (v *overlap) onEdge(key edgeOnEdge, i, j int, e float64) bool {
	a, b := &v.leaf.A, &v.leaf.B
	along, ok := geom.Unit(a.E[i], a.E[i])
	length := math.Sqrt(a.E2[i])
	off := float64(4*e) + float64(4*e*(a.Size()+b.Size()))/length
	from, to := geom.Dot(along, r3.Sub(b.P[j], a.P[i])), geom.Dot(along, r3.Sub(b.P[(j+1)%3], a.P[i]))
	for _, p := range [2]r3.Vec{b.P[j], b.P[(j+1)%3]} {
		d := r3.Sub(p, a.P[i])
		ok = ok && geom.Norm(r3.Sub(d, geom.Scale(geom.Dot(along, d), along))) <= off
	}
	if from, to = max(min(from, to), 0), min(max(from, to), length); !ok || to-from <= off {
		return false
	}
	w := v.around[key]
	for k, t := range [2]*triangle.Corners{a, b} {
		edge, tri := i, v.ta
		if k == 1 {
			edge, tri = j, v.tb
		}
		if w.n[k] == 0 || w.n[k] == 1 && w.face[k][0] != tri {
			into := triangle.Across(r3.Sub(t.P[(edge+2)%3], t.P[edge]), along)
			height := geom.Norm(into)
			w.face[k][w.n[k]], w.into[k][w.n[k]], w.off[k][w.n[k]] = tri, geom.Scale(1/height, into), off/height
			w.n[k]++
		}
	}
	if v.around == nil {
		v.around = make(map[edgeOnEdge]wedges)
	}
	if v.around[key] = w; w.n != [2]int{2, 2} || !w.cross(along) {
		return false
	}
	at := r3.Add(a.P[i], geom.Scale(0.5*(from+to), along))
	foot, d2, f := cornerEdge(at, b, j)
	v.leaf.Near = triangle.Near{D2: d2, PA: at, PB: foot, FA: Feature(3 + i), FB: f}
	v.leaf.Out, ok = geom.Unit(b.Normal, b.Normal)
	return ok
}

// cross reports whether, in the order around the edge, one triangle of B surely comes between those
// of A, and the other one does not.
func (w *wedges) cross(along r3.Vec) bool {
	x := w.into[0][0]
	y := geom.Cross(along, x)
	turn := func(v r3.Vec) float64 { // rises from 0 to 4 with the angle
		if c := geom.Dot(v, x); geom.Dot(v, y) >= 0 {
			return 1 - c
		} else {
			return 3 + c
		}
	}
	var between [2]bool
	for k, v := range w.into[1] {
		for i, u := range w.into[0] {
			if geom.Dot(u, v) > 0 && geom.Norm(geom.Cross(u, v)) <= float64(4*(w.off[0][i]+w.off[1][k]))+0x1p-40 {
				return false
			}
		}
		between[k] = turn(v) < turn(w.into[0][1])
	}
	return between[0] != between[1]
}

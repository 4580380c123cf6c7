package rigid

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
	"ccd/core/rigid/skin"
	"ccd/core/rigid/triangle"
)

const (
	restingMost  = 4096 // pairs of triangles that a normal at a pose is chosen by
	restingFaces = 256  // directions that are tried
)

// resting are the triangles of two bodies that touch at one pose.
type resting struct {
	a, b   [][3]r3.Vec
	faces  []r3.Vec  // directions of faces
	edges  []r3.Vec  // directions of products of edges
	passed bool      // some triangles pass through each other by more than rounding
	sums   [2]r3.Vec // the sums of the near points of the triangles
}

// middles returns the means of the near points of both bodies, which are in these if they are
// convex.
func (t *resting) middles() (a, b r3.Vec, ok bool) {
	n := float64(len(t.a))
	if n == 0 || t.passed {
		return a, b, false
	}
	return geom.Scale(1/n, t.sums[0]), geom.Scale(1/n, t.sums[1]), true
}

// settleNormal chooses the normal of surfaces that touch, by all triangles that do: one pair of
// them does not say where the bodies are, as two sides of boxes that stand on each other.
//
// A direction parts the bodies where they touch if all these triangles are on their own sides of
// it, but for rounding. The normal is the mean of the normals of faces that do so, each direction
// counted once, however a face is cut into triangles: two boxes that stand on each other have one,
// two whose edges touch have two. Where no face does, it is the mean of the two directions farthest
// apart that do, which are products of edges of the bodies: those with edges that a cut adds lie
// between them. Surfaces that pass through each other keep the normal of the reported pair; those
// that nothing parts have it too, turned to the side along which more triangles are apart.
func (r *Ruler) settleNormal() {
	if !r.meets || r.passed {
		return
	}
	rest, off := &r.resting, 8*r.f.margin
	rest.gather(r, off)
	if rest.passed {
		return
	}
	n, ok := rest.mean(off)
	if !ok {
		n, ok = rest.middle(off)
	}
	if !ok {
		n = rest.toMore(r.best.n, off)
	}
	r.best.n = n
}

// toMore returns a direction or its opposite: that along which more of the pairs are apart.
// Triangles that lie on each other are so along both.
func (t *resting) toMore(n r3.Vec, off float64) r3.Vec {
	on, back := 0, 0
	for k := range t.a {
		if t.gapOf(k, n) >= -off {
			on++
		}
		if t.gapOf(k, geom.Scale(-1, n)) >= -off {
			back++
		}
	}
	if back > on {
		return geom.Scale(-1, n)
	}
	return n
}

// mean returns the mean of the normals of faces that part the bodies.
func (t *resting) mean(off float64) (n r3.Vec, ok bool) {
	for _, way := range t.faces {
		if t.gap(way) >= -off {
			n = r3.Add(n, way)
		}
	}
	return geom.Unit(n, n)
}

// middle returns the mean of the two products of edges farthest apart that part the bodies, or of
// all such pairs.
func (t *resting) middle(off float64) (n r3.Vec, ok bool) {
	part := t.edges[:0]
	for _, way := range t.edges {
		if t.gap(way) >= -off {
			part = append(part, way)
		}
	}
	widest := math.Inf(1) // the least inner product
	for i, v := range part {
		for _, w := range part[i:] {
			if d := geom.Dot(v, w); d < widest-skin.SameWay {
				widest, n = d, r3.Vec{}
			}
			if geom.Dot(v, w) <= widest+skin.SameWay {
				n = r3.Add(n, r3.Add(v, w))
			}
		}
	}
	return geom.Unit(n, n)
}

// gather lists the triangles that are within reach of each other.
func (t *resting) gather(r *Ruler, reach float64) {
	t.a, t.b, t.faces, t.edges, t.passed = t.a[:0], t.b[:0], t.faces[:0], t.edges[:0], false
	t.sums = [2]r3.Vec{}
	best := r.best // opening nodes and looking at triangles keeps it
	r.stack = append(r.stack[:0], nodePair{pending: pending{same: true}})
	for n := len(r.stack); n > 0 && !t.passed && len(t.a) < restingMost; n = len(r.stack) {
		it := r.stack[n-1]
		r.stack = r.stack[:n-1]
		a, b := r.a.body.child[it.a], r.b.body.child[it.b]
		if a >= 0 || b >= 0 || it.same {
			r.open(&it, reach)
			continue
		}
		r.steps++
		r.leaf.set(&r.query, &r.a.body.tri[^a], &r.b.body.tri[^b])
		if math.Sqrt(r.leaf.Near.D2) <= reach {
			t.add(&r.leaf, r.f.margin, reach)
		}
	}
	r.best = best
}

// add takes the triangles of a leaf, and of those that touch at edges, but for rounding by so much,
// the products of edges.
func (t *resting) add(l *leaf, margin, reach float64) {
	var a, b triangle.Sides
	a.Set(&l.A, &l.B, margin)
	b.Set(&l.B, &l.A, margin)
	if t.passed = triangle.Pass(&l.Pair, &a, &b, margin); t.passed {
		return
	}
	t.a, t.b = append(t.a, l.A.P), append(t.b, l.B.P)
	t.sums = [2]r3.Vec{r3.Add(t.sums[0], l.Near.PA), r3.Add(t.sums[1], l.Near.PB)}
	t.faces = either(t.faces, l.A.Normal)
	t.faces = either(t.faces, l.B.Normal)
	if (l.Near.FA != Face || l.A.Border(l.Near.PA, reach)) && (l.Near.FB != Face || l.B.Border(l.Near.PB, reach)) {
		for i := range 3 {
			for j := range 3 {
				t.edges = either(t.edges, geom.Cross(l.A.E[i], l.B.E[j]))
			}
		}
	}
}

// either adds both directions along v, unless they are listed.
func either(list []r3.Vec, v r3.Vec) []r3.Vec {
	n, ok := geom.Unit(v, v)
	if !ok || len(list) >= restingFaces {
		return list
	}
	for _, known := range list {
		if d := geom.Norm(r3.Sub(known, n)); d <= skin.SameWay || d >= 2-skin.SameWay {
			return list
		}
	}
	return append(list, n, geom.Scale(-1, n))
}

// gap returns the least gap of the triangles along a unit n from A to B.
func (t *resting) gap(n r3.Vec) float64 {
	least := math.Inf(1)
	for k := range t.a {
		least = min(least, t.gapOf(k, n))
	}
	return least
}

// gapOf returns the gap of one pair.
func (t *resting) gapOf(k int, n r3.Vec) float64 {
	a, b := math.Inf(-1), math.Inf(1)
	for i := range 3 {
		a, b = max(a, geom.Dot(n, t.a[k][i])), min(b, geom.Dot(n, t.b[k][i]))
	}
	return b - a
}

package d2m

import (
	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
	"ccd/core/num"
)

// feature is a pair whose contact is sought: a vertex with a face, or two edges. It is the Curve f
// of the root finder, with mayMeet as its gamma.
type feature struct {
	curve
	*bodyPair
	edges bool
	side  int // vertex-face: the body of the vertex
	p     r3.Vec
	c     [3]r3.Vec
	plane *facePlane
	e     [2][2]r3.Vec // edge-edge: the ends of A's and of B's
}

// curve makes a Curve for the root finder of what has a Taylor form.
type curve struct {
	of interface{ taylor(t, h float64) taylor }
}

// At encloses the function and its derivative at t.
func (c curve) At(t float64) (value, slope num.Interval) {
	f := c.of.taylor(t, 0)
	return f.at()
}

// Over encloses the function and its second derivative.
func (c curve) Over(t num.Interval) (value, second num.Interval) {
	h := t.Width()
	f := c.of.taylor(t.Lo, h)
	return f.curve(h)
}

// taylor is f for a time h from t on: the distance of a vertex from a plane, or n.gamma of two
// lines with n the vector product of the edges ([Buddingh2017], IV.B and IV.C). The plane's own
// error is added to the value: where the vertex lies in the face |f| is at most that.
func (f *feature) taylor(t, h float64) taylor {
	f.to(t)
	if f.edges {
		a, b := f.edge(0, f.e[0][0], f.e[0][1]), f.edge(1, f.e[1][0], f.e[1][1])
		n, g := a.cross(&b), f.between(0, f.e[0][0], f.e[1][0])
		g.sharpen(h)
		return n.dot(&g)
	}
	n := f.direction(1-f.side, f.plane.n, 0)
	g := f.between(1-f.side, f.c[0], f.p)
	g.sharpen(h)
	c := g.dot(&n)
	c.e0 = padded(c.e0 + f.plane.off)
	return c
}

// mayMeet reports whether the features may meet in t.
func (f *feature) mayMeet(t num.Interval) bool {
	h := t.Width()
	f.to(t.Lo)
	switch {
	case f.edges:
		return f.edgesMayMeet(h)
	case f.plane.flat:
		return f.faceMayMeet(h)
	}
	// Algorithm 4: barycentric coordinates, as Taylor forms.
	g := f.between(1-f.side, f.c[0], f.p)
	g.sharpen(h)
	slack := f.plane.slack
	over := func(q r3.Vec) num.Interval {
		d := f.direction(1-f.side, q, 0)
		c := g.dot(&d)
		return c.over(h)
	}
	if a := over(f.plane.alpha); a.Hi < -slack {
		return false
	}
	if b := over(f.plane.beta); b.Hi < -slack {
		return false
	}
	if s := over(f.plane.sum); s.Lo > 1+slack {
		return false
	}
	return f.faceMayMeet(h) // near a sharp corner the coordinates say little
}

// edgesMayMeet is mayMeet of two edges: no direction tried separates two capsules, each the hull of
// where an edge's ends move. The paper projects them on a plane that holds both lines; the test in
// space is equivalent, and parallel edges are no exception.
func (f *feature) edgesMayMeet(h float64) bool {
	o := f.e[0][0]
	a := f.edge(0, o, f.e[0][1])
	b0, b1 := f.between(0, o, f.e[1][0]), f.between(0, o, f.e[1][1])
	return !apartEdges(&[2]movingPoint{{}, a.during(h)}, &[2]movingPoint{b0.during(h), b1.during(h)})
}

// faceMayMeet is mayMeet of a vertex and a face of any shape, in the directions from the face's
// edges and normals.
func (f *feature) faceMayMeet(h float64) bool {
	side := 1 - f.side
	e1, e2 := f.edge(side, f.c[0], f.c[1]), f.edge(side, f.c[0], f.c[2])
	g := f.between(side, f.c[0], f.p)
	return !apartFace(&[3]movingPoint{{}, e1.during(h), e2.during(h)}, g.during(h))
}

// near reports whether two triangles may share a point within a time h from now on: no direction
// tried surely separates them. Tried are the normals, the products of edges, the edges' normals in
// the faces, and the vectors between closest edges. At one time, h = 0, the vectors between their
// projections along each edge are tried as well: one of all these separates triangles of any shape,
// needles side by side among them, that are apart by more than rounding.
func (d *bodyPair) near(a, b int32, h float64, split bool) (near, travel bool) {
	ca, cb := d.tree[0].corners(a), d.tree[1].corners(b)
	var pa, pb [3]movingPoint
	for k := 1; k < 3; k++ {
		e := d.edge(0, ca[0], ca[k])
		pa[k] = e.during(h)
	}
	base, off := d.arm(0, ca[0]), d.offset()
	base = base.minus(&off)
	for k := range 3 {
		g := d.arm(1, cb[k])
		g = g.minus(&base)
		pb[k] = g.during(h)
	}
	near, travel = separable(&pa, &pb, split)
	return near && !(h == 0 && apartAlongEdges(&pa, &pb)), travel
}

// separable tries to separate two triangles whose corners move; travel: they move by more than
// their size. If their time can be split then, the directions are skipped that seldom separate what
// the first ones do not.
func separable(pa, pb *[3]movingPoint, split bool) (near, travel bool) {
	at := func(list *[3]movingPoint, k int) r3.Vec { return list[k%3].p }
	edge := func(list *[3]movingPoint, k int) r3.Vec { return r3.Sub(at(list, k+1), at(list, k)) }
	na, nb := geom.Cross(edge(pa, 0), edge(pa, 1)), geom.Cross(edge(pb, 0), edge(pb, 1))
	try := func(n r3.Vec) bool { return apart(pa[:], pb[:], n) }
	if try(na) || try(nb) {
		return false, false
	}
	size := max(norm1(edge(pa, 0)), norm1(edge(pa, 1)), norm1(edge(pb, 0)), norm1(edge(pb, 1)))
	way := 0.0
	for k := range 3 {
		way = max(way, norm1(r3.Sub(pb[k].q, pb[k].p))+pb[k].radius)
	}
	travel = way > size
	if travel && try(closest(middleOf(pa, pb))) {
		return false, false
	}
	for i := range 3 {
		if try(geom.Cross(na, edge(pa, i))) || try(geom.Cross(nb, edge(pb, i))) {
			return false, false
		}
	}
	if travel && split {
		return true, true
	}
	for i := range 3 {
		for k := range 3 {
			if try(geom.Cross(edge(pa, i), edge(pb, k))) ||
				try(closest(at(pa, i), at(pa, i+1), at(pb, k), at(pb, k+1))) {
				return false, false
			}
		}
	}
	return true, travel
}

// middleOf is where the middles of two triangles begin and end.
func middleOf(pa, pb *[3]movingPoint) (ap, aq, bp, bq r3.Vec) {
	mean := func(a, b, c r3.Vec) r3.Vec { return geom.Scale(1.0/3, r3.Add(r3.Add(a, b), c)) }
	return mean(pa[0].p, pa[1].p, pa[2].p), mean(pa[0].q, pa[1].q, pa[2].q), mean(pb[0].p, pb[1].p, pb[2].p),
		mean(pb[0].q, pb[1].q, pb[2].q)
}

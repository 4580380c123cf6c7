package d2m

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
	"ccd/core/inclusion"
	"ccd/core/num"
	"ccd/core/rigid"
)

// meshSearch is the method for a body and an element of a mesh: every triangle of the body with the
// element, every pair of their features, by the root finder, with the element's corners as tracks
// without acceleration. There is no tree: it is a reference, not fast.
type meshSearch struct {
	bodyPair
	call    *rigid.Call
	finder  inclusion.Finder
	feature meshFeature
	e0, e1  float64 // errors of the element's corners and velocities
	eps     float64
	best    num.Interval // encloses the time of the earliest contact
	face    int32        // its triangle, -1 for none
	open    bool         // the budget was spent; nothing is known from best.Lo on
	first   bool         // the triangles may touch at TMin
}

// find answers the call.
func (j *meshSearch) find(c *rigid.Call) {
	defer func() { j.call = nil }() // what is kept must not hold a call's arguments
	o, start := c.Options, c.From
	still := rigid.Motion{}
	still.Rotation.Real = 1
	span := num.SubUp(o.TMax, o.TMin)
	j.load(nil, nil, c.Motions[0], &still, o.TMin, span)
	j.call = c
	j.e0, j.e1 = padded(c.Element.Error), 0
	if c.Element.Span > 0 {
		j.e1 = padded(c.Element.Error / c.Element.Span)
	}
	j.eps = epsilon(c)
	j.best, j.face, j.open, j.first = num.Interval{Lo: span, Hi: span}, -1, false, false
	whole := num.Interval{Lo: max(num.SubDown(start, o.TMin), 0), Hi: span}
	for f := range c.Bodies[0].Faces {
		j.triangles(int32(f), whole)
	}
	lo := min(num.AddDown(o.TMin, j.best.Lo), o.TMax)
	switch {
	case j.open:
		c.Out.SetUndecided(max(lo, start), geom.ReasonIterations)
	case j.face >= 0:
		stepBack(c, max(lo, start), start, [2]int32{j.face, 0}, j.first)
	}
}

// spent counts a step and reports whether the budget is exceeded. Then whatever is left may begin
// at t.
func (j *meshSearch) spent(t float64) bool {
	c := j.call
	c.Steps++
	if c.Budget == 0 || c.Steps <= c.Budget {
		return false
	}
	j.open = true
	j.best.Lo = min(j.best.Lo, t)
	return true
}

// vertex is the track of a corner of the element, seen from A's pivot, now.
func (j *meshSearch) vertex(k int) track {
	e := &j.call.Element
	x, v := e.From[k], r3.Vec{}
	if span := e.Span; span > 0 {
		way := e.Way[k]
		x = r3.Add(x, geom.Scale(j.now[0].at/span, way))
		v = r3.Vec{X: way.X / span, Y: way.Y / span, Z: way.Z / span}
	}
	return track{x: x, v: v, e0: j.e0, e1: j.e1, c0: padded(e.Reach + 2*j.e0), c1: padded(geom.Norm(v) + 2*j.e1)}
}

// triangles tests the pairs of features of a triangle and the element in t, unless the two stay
// apart.
func (j *meshSearch) triangles(face int32, t num.Interval) {
	t.Hi = min(t.Hi, j.best.Lo)
	if t.Lo > t.Hi || j.spent(t.Lo) {
		return
	}
	j.to(t.Lo)
	corners := j.call.Bodies[0].Corners(face)
	near, travel := j.nearElement(&corners, t.Width())
	if !near {
		return
	}
	if m := t.Lo + float64(0.5*(t.Hi-t.Lo)); travel && t.Width() > j.eps && m > t.Lo && m < t.Hi {
		j.triangles(face, num.Interval{Lo: t.Lo, Hi: m})
		j.triangles(face, num.Interval{Lo: m, Hi: t.Hi})
		return
	}
	if t.Lo == 0 {
		if near, _ = j.nearElement(&corners, 0); near {
			j.best, j.face, j.first, j.open = num.Interval{}, face, true, false
			return
		}
	}
	f := &j.feature
	for k := range 3 {
		*f = meshFeature{curve: curve{f}, meshSearch: j, c: corners, corner: k, faceOf: 0}
		j.root(f, face, t)
		f.faceOf = 1
		j.root(f, face, t)
		f.faceOf = -1
		for f.side = range 3 {
			j.root(f, face, t)
		}
	}
}

// root runs the root finder on a pair of features, unless no contact earlier than the best is
// possible.
func (j *meshSearch) root(f *meshFeature, face int32, t num.Interval) {
	t.Hi = min(t.Hi, j.best.Lo)
	if t.Lo > t.Hi || t.Lo == t.Hi && (j.face >= 0 || j.open) {
		return
	}
	left := 0
	if most := j.call.Budget; most > 0 {
		left = int(max(min(most, math.MaxInt32)-j.call.Steps, 1))
	}
	m := j.finder.FirstRoot(f, f.mayMeet, t, j.eps, left)
	j.call.Steps += int64(m.Steps)
	switch {
	case m.Verdict == geom.Separate:
	case m.Verdict == geom.Undecided:
		j.call.Steps = max(j.call.Steps, j.call.Budget)
		j.spent(m.Lo)
	case m.Lo < j.best.Lo || j.face < 0:
		j.best, j.face, j.open = num.Interval{Lo: m.Lo, Hi: m.Hi}, face, false
	}
}

// nearElement is bodyPair.near for a triangle of the body and the element, both seen from the
// triangle's first corner.
func (j *meshSearch) nearElement(c *[3]r3.Vec, h float64) (near, travel bool) {
	var pa, pb [3]movingPoint
	base := j.arm(0, c[0])
	for k := range 3 {
		if k > 0 {
			e := j.bodyPair.edge(0, c[0], c[k])
			pa[k] = e.during(h)
		}
		g := j.vertex(k)
		g = g.minus(&base)
		pb[k] = g.during(h)
	}
	near, travel = separable(&pa, &pb, false)
	return near && !(h == 0 && apartAlongEdges(&pa, &pb)), travel
}

// meshFeature is a pair whose contact is sought: corner of the element with the body's face (faceOf
// 0), corner of the body with the element's face (1), or the body's edge from corner on with the
// element's edge from edge on (-1).
type meshFeature struct {
	curve
	*meshSearch
	c                    [3]r3.Vec
	corner, side, faceOf int
}

// tracks are the sides of the parallelogram or triangle, u and v, and the vector from the origin of
// u to the other feature.
func (f *meshFeature) tracks() (a, b, g track) {
	next := (f.corner + 1) % 3
	switch f.faceOf {
	case 0:
		base := f.arm(0, f.c[0])
		g = f.vertex(f.corner)
		return f.bodyPair.edge(0, f.c[0], f.c[1]), f.bodyPair.edge(0, f.c[0], f.c[2]), g.minus(&base)
	case 1:
		base, p, q := f.vertex(0), f.vertex(1), f.vertex(2)
		g = f.arm(0, f.c[f.corner])
		return p.minus(&base), q.minus(&base), g.minus(&base)
	}
	base, p, q := f.arm(0, f.c[f.corner]), f.vertex(f.side), f.vertex((f.side+1)%3)
	g = p.minus(&base)
	return f.bodyPair.edge(0, f.c[f.corner], f.c[next]), q.minus(&p), g
}

// taylor is f = (a x b).g for a time h from t on; it vanishes where the features meet.
func (f *meshFeature) taylor(t, h float64) taylor {
	f.to(t)
	a, b, g := f.tracks()
	n := a.cross(&b)
	g.sharpen(h)
	return n.dot(&g)
}

// mayMeet reports whether the features may meet in t: no direction tried surely separates the hulls
// of where their corners move.
func (f *meshFeature) mayMeet(t num.Interval) bool {
	h := t.Width()
	f.to(t.Lo)
	a, b, g := f.tracks()
	if f.faceOf < 0 {
		end := g
		b.x, b.v, b.a = geom.Scale(-1, b.x), geom.Scale(-1, b.v), geom.Scale(-1, b.a)
		end = end.minus(&b)
		return !apartEdges(&[2]movingPoint{{}, a.during(h)}, &[2]movingPoint{g.during(h), end.during(h)})
	}
	return !apartFace(&[3]movingPoint{{}, a.during(h), b.during(h)}, g.during(h))
}

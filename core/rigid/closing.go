package rigid

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
	"ccd/core/rigid/triangle"
)

// separatingAtStart does the work of separating for triangles within the tolerance at TMin. If it
// returns 0, the near points become a pair that comes nearer, if there is one within the tolerance:
// law 12.
func (s *search) separatingAtStart(h float64, direction func() (turning, bool)) float64 {
	l := &s.leaf
	toB := func() (turning, bool) { return s.sided(s.faced(direction())) }
	n, ok := toB()
	l.low = l.lowest(&s.query, &s.f)
	if step := l.separating(&s.query, &s.f, l.nearVelocity(), n, ok, h); step > 0 {
		return step
	}
	limit := s.separation + s.o.Tolerance - s.f.margin
	// Triangles that touch along an edge have several directions along which they are apart, and
	// may come nearer along one while they part along another.
	if math.Sqrt(l.Near.D2) <= s.rounding() {
		if step := l.separatingTilted(&s.query, &s.f, limit, h, toB); step > 0 {
			return step
		}
	}
	if s.over.gathered && s.over.start.chooseClosing(l, limit, s.rounding()) || l.chooseClosing(limit, toB) {
		return 0
	}
	return l.separatingTilted(&s.query, &s.f, limit, h, toB)
}

// nearVelocity returns the velocity of B's near point less that of A's.
func (l *leaf) nearVelocity() r3.Vec {
	return r3.Sub(velocityAt(&l.B, &l.vb, l.Near.FB, l.Near.PB), velocityAt(&l.A, &l.va, l.Near.FA, l.Near.PA))
}

// velocityAt returns the velocity of a point p on the feature f, with v the velocities of the
// corners.
func velocityAt(c *triangle.Corners, v *[3]r3.Vec, f Feature, p r3.Vec) r3.Vec {
	switch {
	case f < 3:
		return v[f]
	case f < Face:
		i, j := int(f-3), int(f-2)%3
		s := 0.0
		if e2 := c.E2[i]; e2 > 0 {
			s = geom.Clamp(geom.Dot(r3.Sub(p, c.P[i]), c.E[i]) / e2)
		}
		return r3.Add(v[i], geom.Scale(s, r3.Sub(v[j], v[i])))
	}
	r := r3.Sub(p, c.P[0])
	x := geom.Clamp(geom.Dot(geom.Cross(r, r3.Scale(-1, c.E[2])), c.Normal) / c.N2)
	y := geom.Clamp(geom.Dot(geom.Cross(c.E[0], r), c.Normal) / c.N2)
	return r3.Add(v[0], r3.Add(geom.Scale(x, r3.Sub(v[1], v[0])), geom.Scale(y, r3.Sub(v[2], v[0]))))
}

// chooseClosing makes the near points a pair within the limit that comes nearer, and reports
// whether there is one: the nearest if it does, else the one that does so fastest. If there is
// none, the near points are those that part most slowly.
//
// Where triangles in parallel planes overlap, the pairs that pairsWithin lists are the corners of
// the overlap. Rates along the normal are affine there: if none of these pairs comes nearer, no
// point of the overlap does.
func (l *leaf) chooseClosing(limit float64, direction func() (turning, bool)) bool {
	best, least := l.Near, math.Inf(1)
	consider := func(n triangle.Near) {
		l.Near = n
		if d, ok := direction(); ok {
			if rate := geom.Dot(d.n0, l.nearVelocity()); rate < least {
				best, least = n, rate
			}
		}
	}
	nearest := l.Near
	if consider(nearest); least > 0 {
		l.pairsWithin(limit, consider)
	}
	l.Near = best
	return least <= 0
}

// pairsWithin lists the pairs of near points of two features that are at most limit apart: of a
// corner and an edge or the face, and of two edges.
func (l *leaf) pairsWithin(limit float64, use func(triangle.Near)) {
	within := func(n triangle.Near) {
		if n.D2 <= limit*limit {
			use(n)
		}
	}
	for i := range 3 {
		for j := range 3 {
			n := triangle.Near{D2: math.Inf(1)}
			triangle.Edges(&l.A, &l.B, i, j, &n)
			within(n)
			if crossing(&l.A, &l.B, i, j, &n) {
				within(n)
			}
			foot, d2, f := cornerEdge(l.A.P[i], &l.B, j)
			within(triangle.Near{D2: d2, PA: l.A.P[i], PB: foot, FA: Feature(i), FB: f})
			foot, d2, f = cornerEdge(l.B.P[i], &l.A, j)
			within(triangle.Near{D2: d2, PA: foot, PB: l.B.P[i], FA: f, FB: Feature(i)})
		}
		if foot, d2, ok := triangle.CornerFace(&l.A.P[i], &l.B, math.Inf(1)); ok {
			within(triangle.Near{D2: d2, PA: l.A.P[i], PB: foot, FA: Feature(i), FB: Face})
		}
		if foot, d2, ok := triangle.CornerFace(&l.B.P[i], &l.A, math.Inf(1)); ok {
			within(triangle.Near{D2: d2, PA: foot, PB: l.B.P[i], FA: Face, FB: Feature(i)})
		}
	}
}

// crossing improves the nearest points of edge i of a and edge j of b where the edges pass each
// other, and reports whether they do. Of edges that are nearly parallel, the points that edges
// finds may be off along both by as much as they are apart, and their difference points anywhere
// across.
func crossing(a, b *triangle.Corners, i, j int, n *triangle.Near) bool {
	d, e := a.E[i], b.E[j]
	c := geom.Cross(d, e)
	c2 := geom.Dot(c, c)
	if !(c2 > 0x1p-900) {
		return false
	}
	s, t := 0.5, 0.5
	for range 3 { // The error of a round is rounding over the angle between the edges.
		r := r3.Sub(r3.Add(b.P[j], geom.Scale(t, e)), r3.Add(a.P[i], geom.Scale(s, d)))
		s += geom.Dot(geom.Cross(r, e), c) / c2
		t += geom.Dot(geom.Cross(r, d), c) / c2
		if !(s >= 0 && s <= 1 && t >= 0 && t <= 1) {
			return false
		}
	}
	pa, pb := r3.Add(a.P[i], geom.Scale(s, d)), r3.Add(b.P[j], geom.Scale(t, e))
	r := r3.Sub(pb, pa)
	*n = triangle.Near{D2: geom.Dot(r, r), PA: pa, PB: pb, FA: triangle.OnEdge(i, s), FB: triangle.OnEdge(j, t)}
	return true
}

// cornerEdge returns the nearest point to p of an edge, and the square of its distance.
func cornerEdge(p r3.Vec, c *triangle.Corners, edge int) (foot r3.Vec, d2 float64, f Feature) {
	s := 0.0
	if c.E2[edge] > 0 {
		s = geom.Clamp(geom.Dot(r3.Sub(p, c.P[edge]), c.E[edge]) / c.E2[edge])
	}
	foot = r3.Add(c.P[edge], geom.Scale(s, c.E[edge]))
	d := r3.Sub(p, foot)
	return foot, geom.Dot(d, d), triangle.OnEdge(edge, s)
}

// separatingTilted does the work of separating along directions that turn at rates of their own.
//
// Where triangles lie in parallel planes, or an edge along a face, several pairs of corners have
// the same gap along the normal n0. All points of the overlap may part although some of these pairs
// come nearer along a direction that turns with either triangle: a corner comes down beside the
// other's edge. Along n0 + s n1 the gap of the corners a and b changes at the rate n0.(b' - a') +
// n1.(b - a). If all points of the overlap part at a rate v or more, there is an n1 for which all
// of these pairs do: v below the rate of B's points seen from A is a concave function on A's part,
// below an affine one on B's, and an affine function fits between the two, the linear part of which
// is n1. tilt finds it, or one that is better.
func (l *leaf) separatingTilted(q *query, f *posePair, limit, h float64, direction func() (turning, bool)) (
	best float64) {
	least := l.Near
	low := l.low - f.margin
	along := func(n turning) {
		if best == 0 && l.gap(n.n0) >= low {
			// Pairs a little above the goal may come below it while others, which lack some of the
			// separation, rise to it.
			for _, lacking := range [2]float64{0, 16} {
				if best == 0 {
					above := float64(4*f.margin) + float64(lacking*max(q.separation-l.low, 0))
					n.n1 = l.tilt(n.n0, f.goal+above, n.n1, geom.Cross(q.b.spin, n.n0))
					best = l.separatingAlong(q, f, &n, h)
				}
			}
		}
	}
	l.directions(q, along)
	l.pairsWithin(limit, func(pair triangle.Near) {
		l.Near = pair
		n, ok := direction()
		if pair.FA >= 3 && pair.FA < Face && pair.FB >= 3 && pair.FB < Face {
			// The product leans along edges that are nearly parallel by rounding over their angle;
			// their points' difference errs across them.
			d := l.A.E[pair.FA-3]
			if c, good := geom.Unit(geom.Cross(d, l.B.E[pair.FB-3]), r3.Sub(pair.PB, pair.PA)); good {
				n.n0, ok = triangle.AcrossEdge(c, &d)
			}
		}
		if ok {
			along(n)
		}
	})
	l.Near = least
	return best
}

// tilt returns an n1 for which the least rate, of the pairs of corners with a gap of at most limit
// along n0, is as great as it can be. That is a linear program in three unknowns, of which the
// solution has two or three equal rates: all of these are tried, the ones of two rates beside n1 of
// the two given. Pairs that rounding parts would turn n1 without bound: what turns 2^40 times as
// fast as the given ones, and as rates differ over the extent of the pairs, is left out.
func (l *leaf) tilt(n0 r3.Vec, limit float64, one, other r3.Vec) (best r3.Vec) {
	var p [9]r3.Vec // the pairs b - a across n0; c has their rates with n1 = 0
	var c [9]float64
	m := 0
	for i := range 3 {
		for j := range 3 {
			way := r3.Sub(l.B.P[j], l.A.P[i])
			if along := geom.Dot(n0, way); along <= limit {
				p[m], c[m] = r3.Sub(way, geom.Scale(along, n0)), geom.Dot(n0, r3.Sub(l.vb[j], l.va[i]))
				m++
			}
		}
	}
	extent, slow, fast := 0.0, math.Inf(1), math.Inf(-1)
	for i := range m {
		extent = max(extent, geom.Norm(r3.Sub(p[i], p[0])))
		slow, fast = min(slow, c[i]), max(fast, c[i])
	}
	fastest := 0x1p40 * ((fast-slow)/extent + geom.Norm(one) + geom.Norm(other))
	most := math.Inf(-1)
	try := func(n1 r3.Vec) {
		if n1 != one && n1 != other && !(geom.Norm(n1) <= fastest) {
			return
		}
		least := math.Inf(1)
		for k := range m {
			least = min(least, c[k]+geom.Dot(n1, p[k]))
		}
		if least > most {
			best, most = n1, least
		}
	}
	try(one)
	try(other)
	for i := range m {
		for j := range i {
			d, e := r3.Sub(p[i], p[j]), c[j]-c[i] // n1.d = e
			d2 := geom.Dot(d, d)
			if !(d2 > 0x1p-900) {
				continue
			}
			for _, base := range [2]r3.Vec{one, other} {
				try(r3.Add(base, geom.Scale((e-geom.Dot(base, d))/d2, d)))
			}
			for k := range j {
				g, h := r3.Sub(p[i], p[k]), c[k]-c[i]
				if w := geom.Dot(n0, geom.Cross(d, g)); w*w > 0x1p-80*d2*geom.Dot(g, g) {
					try(geom.Scale(1/w, geom.Cross(r3.Sub(geom.Scale(e, g), geom.Scale(h, d)), n0)))
				}
			}
		}
	}
	return best
}

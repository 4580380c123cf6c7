package d2m

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
	"ccd/core/inclusion"
	"ccd/core/num"
	"ccd/core/rigid"
	"ccd/core/rigid/poses"
)

// bodyPair is two moving bodies during one query. Positions are relative to A's pivot, so a common
// translation costs no accuracy: A's points are arms, B's are arms plus offset. Times count from
// the start of the query, as the arcs do.
type bodyPair struct {
	body [2]turner
	now  [2]instant
	tree [2]*sphereTree
	// B's pivot from A's: at the start, its error, and its velocity.
	start, rate r3.Vec
	err         float64
	pivot       [2]r3.Vec
	reach       float64 // caps the offset's length at all times
}

func (d *bodyPair) load(a, b *sphereTree, ma, mb *rigid.Motion, t0, span float64) {
	arcs := [2]poses.Arc{ma.Around(t0), mb.Around(t0)}
	d.body[0].load(ma, &arcs[0])
	d.body[1].load(mb, &arcs[1])
	d.tree = [2]*sphereTree{a, b}
	d.pivot = [2]r3.Vec{ma.Pivot, mb.Pivot}
	d.err = 0
	var x [3]float64
	pa, pb := geom.Components(ma.Position), geom.Components(mb.Position)
	va, vb := geom.Components(ma.Velocity), geom.Components(mb.Velocity)
	for k := range x { // differences first: what both have in common costs nothing
		rate := num.Point(vb[k]).Sub(num.Point(va[k]))
		off := num.Point(pb[k]).Sub(num.Point(pa[k])).Add(rate.Scale(t0))
		x[k] = float64(0.5*off.Lo) + float64(0.5*off.Hi)
		d.err = max(d.err, off.Width())
	}
	d.start = geom.VecOf(x[:])
	d.rate = r3.Sub(mb.Velocity, ma.Velocity)
	d.reach = padded(sum(geom.Norm(d.start), 2*d.err, geom.Norm(d.rate)*span*(1+8*u)))
	d.now = [2]instant{}
	d.body[0].turn(0, &d.now[0])
	d.body[1].turn(0, &d.now[1])
}

// to turns both bodies to the time tau.
func (d *bodyPair) to(tau float64) {
	if d.now[0].at != tau {
		d.body[0].turn(tau, &d.now[0])
		d.body[1].turn(tau, &d.now[1])
	}
}

// offset is the track of B's pivot seen from A's, now. Difference, product and sum round by u each.
func (d *bodyPair) offset() track {
	tau := d.now[0].at
	moved := geom.Scale(tau, d.rate)
	x := r3.Add(d.start, moved)
	speed := geom.MaxAbs(d.rate)
	return track{
		x: x, v: d.rate,
		e0: padded(sum(d.err, 2*u*math.Abs(tau)*speed, u*geom.MaxAbs(x))), e1: padded(u * speed),
		c0: d.reach, c1: padded(geom.Norm(d.rate)),
	}
}

// arm is the track of a point of body side, seen from its pivot, now.
func (d *bodyPair) arm(side int, p r3.Vec) track {
	q := r3.Sub(p, d.pivot[side])
	return d.body[side].arm(&d.now[side], q, u*geom.MaxAbs(q))
}

// direction is the track of a vector of body side whose components are within e of what is meant.
func (d *bodyPair) direction(side int, q r3.Vec, e float64) track {
	return d.body[side].arm(&d.now[side], q, e)
}

// edge is the track of q - p, two points of body side.
func (d *bodyPair) edge(side int, p, q r3.Vec) track {
	e := r3.Sub(q, p)
	return d.direction(side, e, u*geom.MaxAbs(e))
}

// between is the track of b seen from a, a point of body side and b one of the other. It is B's
// point minus A's for side 0.
func (d *bodyPair) between(side int, a, b r3.Vec) track {
	from, to, off := d.arm(side, a), d.arm(1-side, b), d.offset()
	g := to.minus(&from)
	if side == 1 {
		return g.minus(&off)
	}
	off = negative(off)
	return g.minus(&off)
}

func negative(t track) track {
	t.x, t.v, t.a = geom.Scale(-1, t.x), geom.Scale(-1, t.v), geom.Scale(-1, t.a)
	return t
}

// spheres is algorithm 5 of [Buddingh2017]: a part of [0, h] from now on outside of which two
// spheres are apart; none if they are apart in all of it. center is the track of B's center seen
// from A's.
func spheres(center track, radii, h float64) (part num.Interval, some bool) {
	center.sharpen(h)
	s := center.dot(&center)
	f, df, ddf := s.bounds(h)
	if !finite3(f, df, ddf) {
		return num.Interval{Lo: 0, Hi: h}, true
	}
	square := num.MulUp(radii, radii)
	p := inclusion.Parabola{G: f.Sub(num.Point(square)), B: df, A: ddf.Scale(0.5)}
	part = num.Interval{Lo: 0, Hi: h}
	if p.G.Lo > 0 {
		x, none := p.Free()
		if none || x > h {
			return part, false
		}
		part.Lo = max(x, 0)
	}
	part.Hi = max(min(part.Hi, p.Rid()), part.Lo)
	return part, true
}

func finite3(list ...num.Interval) bool {
	for _, i := range list {
		if !(i.Lo >= -math.MaxFloat64 && i.Hi <= math.MaxFloat64) {
			return false
		}
	}
	return true
}

// movingPoint is a point that moves on the segment from p to q, give or take a radius.
type movingPoint struct {
	p, q   r3.Vec
	radius float64
}

// during encloses a track for a time h from now on: it is within h^2 c2 / 2 of the straight line.
// Three components within e are within 2 e. The last term is for the roundings of q, and for inner
// products with p and q, see apart.
func (t *track) during(h float64) movingPoint {
	q := r3.Add(t.x, geom.Scale(h, t.v))
	return movingPoint{t.x, q,
		padded(float64(0.5*h*h*t.c2) + float64(2*t.e0) + float64(2*h*t.e1) + float64(32*u*(norm1(t.x)+norm1(q))))}
}

// apart reports whether the direction n surely separates the hulls of two lists. An inner product
// of n with a point errs by 4u |n|_1 |p|_1 <= 8u |n| |p|_1, the product of |n| and the radius and
// the sums by u each: during has more in its radius.
func apart(a, b []movingPoint, n r3.Vec) bool {
	l := padded(geom.Norm(n))
	span := func(list []movingPoint) (lo, hi float64) {
		lo, hi = math.Inf(1), math.Inf(-1)
		for i := range list {
			d, e, r := geom.Dot(n, list[i].p), geom.Dot(n, list[i].q), float64(l*list[i].radius*(1+0x1p-40))
			lo, hi = min(lo, min(d, e)-r), max(hi, max(d, e)+r)
		}
		return lo, hi
	}
	alo, ahi := span(a)
	blo, bhi := span(b)
	return alo > bhi || blo > ahi
}

// apartEdges reports whether two edges, given by their ends, are surely apart. It tries the vector
// between closest points, which rounding spoils where edges are nearly parallel, then that from
// each end, the product of the edges, and the gap in the projection along each.
func apartEdges(a, b *[2]movingPoint) bool {
	try := func(n r3.Vec) bool { return apart(a[:], b[:], n) }
	if try(closest(a[0].p, a[1].p, b[0].p, b[1].p)) || try(closest(a[0].q, a[1].q, b[0].q, b[1].q)) {
		return true
	}
	for i := range 2 {
		if try(closest(a[i].p, a[i].p, b[0].p, b[1].p)) || try(closest(a[0].p, a[1].p, b[i].p, b[i].p)) {
			return true
		}
	}
	d, e := r3.Sub(a[1].p, a[0].p), r3.Sub(b[1].p, b[0].p)
	return try(geom.Cross(d, e)) || try(gapAlong(d, a[0].p, a[0].p, b[0].p, b[1].p)) ||
		try(gapAlong(e, a[0].p, a[1].p, b[0].p, b[0].p))
}

// apartFace reports whether a face and a point are surely apart in the directions from the face's
// edges, in space and in the projection along the edge, where a needle is as short as it is thin,
// and in those of the normals.
func apartFace(face *[3]movingPoint, point movingPoint) bool {
	one := []movingPoint{point}
	try := func(n r3.Vec) bool { return apart(face[:], one, n) }
	for k := range 3 {
		a, b, c := &face[k], &face[(k+1)%3], &face[(k+2)%3]
		if try(closest(a.p, b.p, point.p, point.p)) || try(closest(a.q, b.q, point.q, point.q)) ||
			try(gapAlong(r3.Sub(b.p, a.p), a.p, c.p, point.p, point.p)) ||
			try(heightDirection(r3.Sub(b.p, a.p), r3.Sub(c.p, a.p))) {
			return true
		}
	}
	return false
}

// apartAlongEdges reports whether two triangles are surely apart in the directions between their
// projections along each edge.
func apartAlongEdges(a, b *[3]movingPoint) bool {
	for _, s := range [2][2]*[3]movingPoint{{a, b}, {b, a}} {
		for k := range 3 {
			p, q, third := s[0][k].p, s[0][(k+1)%3].p, s[0][(k+2)%3].p
			if apart(a[:], b[:], heightDirection(r3.Sub(q, p), r3.Sub(third, p))) {
				return true
			}
			for i := range 3 {
				if apart(a[:], b[:], gapAlong(r3.Sub(q, p), p, third, s[1][i].p, s[1][(i+1)%3].p)) {
					return true
				}
			}
		}
	}
	return false
}

// gapAlong is a vector from the segment p0 p1 to the segment q0 q1 in their projection along an
// axis; zero for none.
//
// The vector between closest points at a distance g errs by a few u L, L the size of the
// coordinates, so it tilts by u L / g, and of an edge of length L the ends are u L^2 / g apart
// along it: more than g unless g > sqrt(u) L. This one is perpendicular to the axis up to a few u
// of itself, so that what is long along the axis spans only u L, whatever g is.
func gapAlong(axis, p0, p1, q0, q1 r3.Vec) r3.Vec {
	square := geom.Dot(axis, axis)
	if !(square > 0) {
		return r3.Vec{}
	}
	flat := func(v r3.Vec) r3.Vec { return across(v, axis, square) }
	return flat(closest(flat(p0), flat(p1), flat(q0), flat(q1)))
}

// across is v without its part along an axis, whose square is given.
func across(v, axis r3.Vec, square float64) r3.Vec {
	return r3.Sub(v, geom.Scale(geom.Dot(v, axis)/square, axis))
}

// heightDirection is normal to a and b, also where they are nearly parallel: b's part across a is
// off by a few u |b|, so both span a few u of themselves along it, where they may span u |a||b| / h
// along their vector product, h the height of a sliver. Zero for none.
func heightDirection(a, b r3.Vec) r3.Vec {
	square := geom.Dot(a, a)
	if !(square > 0) {
		return r3.Vec{}
	}
	return geom.Cross(a, across(b, a, square))
}

// closest is a vector from the segment p0 p1 to the segment q0 q1 between points that are about the
// closest.
func closest(p0, p1, q0, q1 r3.Vec) r3.Vec {
	d, e, r := r3.Sub(p1, p0), r3.Sub(q1, q0), r3.Sub(p0, q0)
	a, b, c, f, g := geom.Dot(d, d), geom.Dot(d, e), geom.Dot(e, e), geom.Dot(d, r), geom.Dot(e, r)
	ratio := func(x, y float64) float64 {
		if !(y > 0) {
			return 0
		}
		return min(max(x/y, 0), 1)
	}
	s := ratio(float64(b*g)-float64(c*f), float64(a*c)-float64(b*b))
	t := ratio(float64(b*s)+g, c)
	s = ratio(float64(b*t)-f, a)
	return r3.Sub(r3.Add(q0, geom.Scale(t, e)), r3.Add(p0, geom.Scale(s, d)))
}

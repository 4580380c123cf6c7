package rigids

import (
	"math"
	"math/big"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/ccdtest"
	"ccd/core/geom"
	"ccd/core/rigid"
)

// contactData is law 9: the points that are reported lie on the features that are named, at TOIHi,
// as near each other as contact is; the normal is a unit and points from B to A. Places are
// evaluated over numbers of 400 bits.
func (c *Case) contactData(im *rigid.Impact) error {
	if im.Verdict != geom.Contact {
		return nil
	}
	if c.O.Search == Spheres {
		return c.approximate(im)
	}
	if im.IndexA >= int64(len(c.A)) || im.IndexB >= int64(len(c.B)) || im.FeatureA < 0 || im.FeatureA > rigid.Face ||
		im.FeatureB < 0 || im.FeatureB > rigid.Face {
		return violation(9, "no such triangles or features: %+v", *im)
	}
	size, world := c.sizes(im)
	// A place errs by 91u of its body's radius, a near point by less than 16u more, and in the
	// world by 4u of where it is; see docs/numerics.md.
	off := 0x1p-53 * (float64(128*size) + float64(8*world))
	time := ccdtest.Big(im.TOIHi)
	var a, b [3][3]float64 // corners, seen from the reported points
	last := 0
	for k := range 3 {
		a[k] = seenFrom(exactPoint(&c.MA, c.A[im.IndexA][k], time), im.PointA)
		if c.To == nil {
			b[k] = seenFrom(exactPoint(&c.MB, c.B[im.IndexB][k], time), im.PointB)
			// An edge of the mesh is the corners that differ; see Method.over.
		} else if tri := &c.B[im.IndexB]; k == 0 || tri[k] != tri[k-1] {
			b[last] = seenFrom(c.exactCorner(int(im.IndexB), k, time), im.PointB)
			last++
		}
	}
	for ; c.To != nil && last < 3; last++ {
		b[last] = b[last-1]
	}
	if d := toFeature(&a, im.FeatureA); d > off {
		return violation(9, "point_a is %v from its feature, above %v: %+v", d, off, *im)
	}
	if d := toFeature(&b, im.FeatureB); d > off {
		return violation(9, "point_b is %v from its feature, above %v: %+v", d, off, *im)
	}
	way := r3.Sub(im.PointA, im.PointB) // an exact difference, but for far less than off
	apart := geom.Norm(way)
	reach := float64((c.O.MinSeparation+c.O.Tolerance)*(1+1e-14)) + 2*off
	if im.Flags&rigid.Intersecting != 0 {
		reach = max(reach, 4*0x1p-53*(float64(1024*size)+float64(32*world)))
	} else if math.Abs(apart-im.Distance) > 2*off {
		return violation(9, "points %v apart, at a distance of %v: %+v", apart, im.Distance, *im)
	} else if c.O.Search == D2M {
		reach = min(reach, float64(0.25*c.O.Tolerance)+2*off+float64(0x1p-41*(size+world)))
	}
	if apart > reach {
		return violation(9, "points %v apart, above %v: %+v", apart, reach, *im)
	}
	return c.normal(im, way, apart, 2*off)
}

// normal is what law 9 says of the normal. Bodies that overlap a little at the start, by no more
// than rounding of poses, have their normal from their sides.
func (c *Case) normal(im *rigid.Impact, way r3.Vec, apart, off float64) error {
	n := geom.Norm(im.Normal)
	switch {
	case !(math.Abs(n-1) < 0x1p-44):
		return violation(9, "a normal of length %v: %+v", n, *im)
	case apart > 2*off && im.Flags&rigid.Intersecting == 0 && !(geom.Dot(im.Normal, way) > 0.4999*apart) &&
		!(im.Flags&rigid.InitialContact != 0 && c.Crosses(c.O.TMin)):
		return violation(9, "the normal does not point from b to a, %v: %+v", way, *im)
	}
	return c.against(im, apart)
}

// against is what law 9 says of points that are one at the start: they do not part along the
// normal. Where what parts is ignored law 12 holds in its place.
func (c *Case) against(im *rigid.Impact, apart float64) error {
	size, world := c.sizes(im)
	if im.Flags&rigid.InitialContact == 0 || im.Flags&rigid.Intersecting != 0 ||
		c.O.Flags&rigid.IgnoreSeparating != 0 || apart > 0x1p-53*float64(128*size) {
		return nil
	}
	rounding := 0x1p-45 * (size + world) * (geom.Norm(c.MA.AngularVelocity) + geom.Norm(c.MB.AngularVelocity))
	if rate := c.Parting(im); rate > float64(0x1p-18*1.01*c.Speed())+rounding {
		return violation(9, "points that are one part along the normal at %v: %+v", rate, *im)
	}
	return nil
}

// approximate: what a search of spheres alone reports has its flag, and claims neither triangles
// nor points.
func (c *Case) approximate(im *rigid.Impact) error {
	if im.Flags&rigid.Approximate == 0 || im.IndexA != -1 || im.IndexB != -1 || im.PointA != (r3.Vec{}) ||
		im.PointB != (r3.Vec{}) || im.Normal != (r3.Vec{}) {
		return violation(9, "%+v", *im)
	}
	return nil
}

// sizes are bounds on the distance of points from their pivots, both sides together, and on how far
// from the origin all is at TOIHi.
func (c *Case) sizes(im *rigid.Impact) (size, world float64) {
	at := func(m *rigid.Motion) float64 { return geom.Norm(r3.Add(m.Position, geom.Scale(im.TOIHi, m.Velocity))) }
	size, world = c.A.radius(c.MA.Pivot), at(&c.MA)+geom.Norm(im.PointA)+geom.Norm(im.PointB)
	if c.To == nil {
		return size + c.B.radius(c.MB.Pivot), world + at(&c.MB)
	}
	start := r3.Add(c.MA.Position, geom.Scale(c.O.TMin, c.MA.Velocity))
	end := r3.Add(c.MA.Position, geom.Scale(c.O.TMax, c.MA.Velocity))
	return size + max(c.B.radius(start), c.To.radius(end)), world
}

// toFeature is the distance of the origin from a feature of a triangle.
func toFeature(t *[3][3]float64, f rigid.Feature) float64 {
	a, b, c := t[0], t[1], t[2]
	switch {
	case f < 3:
		a, b, c = t[f], t[f], t[f]
	case f < rigid.Face:
		a, b = t[f-3], t[(f-2)%3]
		c = b
	}
	q := make([]float64, 0, 24)
	for range 2 {
		for _, p := range [4][3]float64{{}, a, b, c} {
			q = append(q, p[:]...)
		}
	}
	d, _ := ccdtest.DistanceSquared(geom.VertexFace, q, 0).Float64()
	return math.Sqrt(max(d, 0))
}

// seenFrom is the way from a point to a place, rounded once.
func seenFrom(x [3]*big.Float, from r3.Vec) (out [3]float64) {
	for k, f := range geom.Components(from) {
		out[k], _ = ccdtest.Plus(x[k], ccdtest.Big(-f)).Float64()
	}
	return out
}

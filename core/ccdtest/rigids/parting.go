package rigids

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
	"ccd/core/rigid"
)

// Back is the case that goes back from the time t, in the poses there, rounded, and ignores what
// parts.
func (c *Case) Back(t float64) *Case {
	d := *c
	turned := func(m *rigid.Motion) (out rigid.Motion) {
		out = *m
		out.Rotation = m.At(t).Rotation
		out.Position = r3.Add(m.Position, geom.Scale(t, m.Velocity))
		out.Velocity, out.AngularVelocity = geom.Scale(-1, m.Velocity), geom.Scale(-1, m.AngularVelocity)
		return out
	}
	d.MA, d.MB = turned(&c.MA), turned(&c.MB)
	if c.To != nil {
		f := c.part(t)
		d.B, d.To = make(Solid, len(c.B)), slices.Clone(c.B)
		for i := range c.B {
			for k, p := range c.B[i] {
				d.B[i][k] = r3.Add(p, geom.Scale(f, r3.Sub(c.To[i][k], p)))
			}
		}
	}
	d.O.TMin, d.O.TMax, d.O.Flags = 0, t-c.O.TMin, rigid.IgnoreSeparating
	return &d
}

// bounced is the case from the impact on, if there is one: back where the sides came from, or with
// other velocities.
func (c *Case) bounced(r *rand.Rand) *Case {
	im, err := new(Method).Solve(c)
	if err != nil || im.Verdict != geom.Contact {
		return c
	}
	d := c.Back(im.TOILo)
	if d.O.TMax = max(d.O.TMax, 0x1p-20); r.IntN(2) == 0 {
		return d
	}
	d.MA.AngularVelocity, d.MB.AngularVelocity = r3.Add(d.MA.AngularVelocity, vec(r, 4)),
		r3.Add(d.MB.AngularVelocity, vec(r, 4))
	if d.To != nil {
		for i := range d.To {
			for k := range d.To[i] {
				if k == 0 || d.B[i][k] != d.B[i][k-1] {
					d.To[i][k] = r3.Add(d.To[i][k], vec(r, 0.3))
				} else {
					d.To[i][k] = d.To[i][k-1]
				}
			}
		}
		d.MB = c.MB
		return d
	}
	d.MB.Velocity, d.O.TMax = geom.Scale(2*r.Float64(), d.MB.Velocity), float64(3*r.Float64())
	return d
}

// separation is the distance that the sides keep: with MinSeparation 0 an eighth of the tolerance.
func (c *Case) separation() float64 {
	if c.O.MinSeparation == 0 {
		return 0.125 * c.O.Tolerance
	}
	return c.O.MinSeparation
}

// tolerance is what the tolerance 0 stands for where the sides touch at TMin: docs/proofs/rigid.md.
// Law 12 takes an eighth of it for the separation.
func (c *Case) tolerance() float64 {
	if c.O.Tolerance > 0 {
		return c.O.Tolerance
	}
	grain := func(s Solid, m *rigid.Motion) float64 {
		r, x := s.radius(m.Pivot), r3.Add(m.Position, geom.Scale(c.O.TMin, m.Velocity))
		return float64(0x1p-43*(r+geom.Norm(m.Pivot))) + float64(0x1p-49*geom.Norm(x))
	}
	return max(rigid.DefaultTolerance, 8*(grain(c.A, &c.MA)+grain(c.B, &c.MB)))
}

// kept is the distance that the sides keep: the separation; where what parts is ignored no more
// than what it is at TMin, but for rounding.
func (c *Case) kept() float64 {
	if c.O.Flags&rigid.IgnoreSeparating == 0 {
		return c.separation()
	}
	d, slack := c.Distance(c.O.TMin)
	return max(min(c.separation(), d-4*slack), 0)
}

// onward is law 12: the points of an impact that is reported at TMin, where separating contact is
// ignored, do not part at more than enough. It does not concern bodies that intersect, nor edges
// that are nearly parallel and nearer than the separation: these cross within the tolerance all
// along, and what no direction proves to part is reported.
func (c *Case) onward(im *rigid.Impact) error {
	_, slack := c.Distance(c.O.TMin)
	if im.Flags&rigid.Intersecting != 0 || c.sine(im) < 1e-3 && c.nearest() < c.separation()-4*slack {
		return nil
	}
	// Velocities of points far away, in floats.
	enough := c.enough(im) + float64(4*slack*(geom.Norm(c.MA.AngularVelocity)+geom.Norm(c.MB.AngularVelocity)))
	if parts := c.Parting(im); parts > enough && !c.Crosses(c.O.TMin) {
		return violation(12, "contact at the start parts at %v, above %v: %+v", parts, enough, *im)
	}
	return nil
}

// CheckOnward returns what breaks law 12 alone: Check takes its time over surfaces of many
// triangles.
func (c *Case) CheckOnward(im *rigid.Impact) error {
	if im.Flags&rigid.InitialContact == 0 {
		return nil
	}
	return c.onward(im)
}

// Parting is the speed along the normal at which the points of an impact part at TMin.
func (c *Case) Parting(im *rigid.Impact) float64 {
	v := func(m *rigid.Motion, p r3.Vec) r3.Vec {
		arm := r3.Sub(p, r3.Add(m.Position, geom.Scale(c.O.TMin, m.Velocity)))
		return r3.Add(m.Velocity, geom.Cross(m.AngularVelocity, arm))
	}
	vb := v(&c.MB, im.PointB)
	if c.To != nil {
		vb = c.meshVelocity(im)
	}
	return geom.Dot(im.Normal, r3.Sub(v(&c.MA, im.PointA), vb))
}

// meshVelocity is that of the point of the mesh, as a combination of the corners of the feature
// that it is on, of least squares. A sliver's other corners say nothing of it: their weights are
// rounding.
func (c *Case) meshVelocity(im *rigid.Impact) r3.Vec {
	tri, to := &c.B[im.IndexB], &c.To[im.IndexB]
	span := c.O.TMax - c.O.TMin
	if !(span > 0) {
		return r3.Vec{}
	}
	var v [3]r3.Vec
	for k := range v {
		v[k] = geom.Scale(1/span, r3.Sub(to[k], tri[k]))
	}
	switch f := im.FeatureB; {
	case f < 3:
		return v[f]
	case f < rigid.Face:
		i, j := f-3, (f-2)%3
		x, _ := weights(r3.Sub(im.PointB, tri[i]), r3.Sub(tri[j], tri[i]), r3.Vec{})
		return r3.Add(v[i], geom.Scale(x, r3.Sub(v[j], v[i])))
	}
	x, y := weights(r3.Sub(im.PointB, tri[0]), r3.Sub(tri[1], tri[0]), r3.Sub(tri[2], tri[0]))
	return r3.Add(v[0], r3.Add(geom.Scale(x, r3.Sub(v[1], v[0])), geom.Scale(y, r3.Sub(v[2], v[0]))))
}

// weights are x and y with x d + y e nearest to r; where d and e are parallel one of them is 0.
func weights(r, d, e r3.Vec) (x, y float64) {
	n := geom.Cross(d, e)
	if n2 := geom.Dot(n, n); n2 > 1e-24*geom.Dot(d, d)*geom.Dot(e, e) {
		return geom.Dot(geom.Cross(r, e), n) / n2, geom.Dot(geom.Cross(d, r), n) / n2
	}
	switch dd, ee := geom.Dot(d, d), geom.Dot(e, e); {
	case dd >= ee && dd > 0:
		return geom.Dot(r, d) / dd, 0
	case ee > 0:
		return 0, geom.Dot(r, e) / ee
	}
	return 0, 0
}

// enough is the speed of law 12, at which points that part are not met again at once: 2^-18 sqrt(W
// S R) + 2^-38 S + sqrt(8 W S D), with W the rate at which the sides turn against each other, of
// two edges over the sine of their angle, S the greatest speed of two points, R the sizes, and D
// what the sides lack of the separation at TMin. A triangle of a mesh turns at the greatest speed
// of two corners over its least height, or less.
func (c *Case) enough(im *rigid.Impact) float64 {
	turn, speed := geom.Norm(c.MA.AngularVelocity), c.Speed()
	size := c.A.radius(c.MA.Pivot)
	if c.To == nil {
		turn += geom.Norm(c.MB.AngularVelocity)
		size += c.B.radius(c.MB.Pivot)
	} else {
		span := c.O.TMax - c.O.TMin
		for i := range c.B {
			bends, height := 0.0, math.Inf(1)
			for _, s := range []Solid{c.B, c.To} {
				n := geom.Norm(geom.Cross(r3.Sub(s[i][1], s[i][0]), r3.Sub(s[i][2], s[i][0])))
				for k := range 3 {
					d := r3.Sub(s[i][(k+1)%3], s[i][k])
					size = max(size, geom.Norm(d))
					if l := geom.Norm(d); n > 1e-12*l*l {
						height = min(height, n/l)
					} else if l > 0 {
						height = min(height, l)
					}
				}
			}
			for k := range 3 {
				bends = max(bends,
					geom.Norm(r3.Sub(r3.Sub(c.To[i][k], c.To[i][(k+1)%3]), r3.Sub(c.B[i][k], c.B[i][(k+1)%3]))))
			}
			if span > 0 && bends > 0 {
				turn = max(turn, geom.Norm(c.MA.AngularVelocity)+bends/span/height)
			}
		}
	}
	bend := turn / c.sine(im) * speed
	return 0x1p-18*math.Sqrt(bend*size) + 0x1p-38*speed + math.Sqrt(8*bend*max(c.separation()-c.nearest(), 0))
}

// nearest is the distance at TMin.
func (c *Case) nearest() float64 {
	d, _ := c.Distance(c.O.TMin)
	return d
}

// sine is that of the angle at TMin between the two edges that the points of an impact are on; 1
// where they are not both on edges.
func (c *Case) sine(im *rigid.Impact) float64 {
	edge := func(f rigid.Feature) bool { return f >= 3 && f < rigid.Face }
	if !edge(im.FeatureA) || !edge(im.FeatureB) {
		return 1
	}
	a, b := c.at(c.O.TMin)
	along := func(t *[3]r3.Vec, f rigid.Feature) r3.Vec { return r3.Sub(t[(f-2)%3], t[f-3]) }
	d, e := along(&a[im.IndexA], im.FeatureA), along(&b[im.IndexB], im.FeatureB)
	return max(geom.Norm(geom.Cross(d, e))/(geom.Norm(d)*geom.Norm(e)), 1e-300)
}

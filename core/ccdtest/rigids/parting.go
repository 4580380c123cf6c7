package rigids

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"ccd/core/geom"
	"ccd/core/rigid"
)

// Back is the case that goes back from the time t, in the poses there, rounded, and ignores what parts.
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

// bounced is the case from the impact on, if there is one: back where the sides came from, or with other velocities.
func (c *Case) bounced(r *rand.Rand) *Case {
	im, err := new(Method).Solve(c)
	if err != nil || im.Verdict != geom.Contact {
		return c
	}
	d := c.Back(im.TOILo)
	if d.O.TMax = max(d.O.TMax, 0x1p-20); r.IntN(2) == 0 {
		return d
	}
	d.MA.AngularVelocity, d.MB.AngularVelocity = r3.Add(d.MA.AngularVelocity, vec(r, 4)), r3.Add(d.MB.AngularVelocity, vec(r, 4))
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

// kept is the distance that the sides keep: the separation; where what parts is ignored no more than what it is at TMin, but for rounding.
func (c *Case) kept() float64 {
	if c.O.Flags&rigid.IgnoreSeparating == 0 {
		return c.separation()
	}
	d, slack := c.Distance(c.O.TMin)
	return max(min(c.separation(), d-4*slack), 0)
}

// approaching: what is reported at TMin where parting contact is ignored comes nearer there, or parts so slowly that the curves of its points
// may outdo it: with D = v s - k s^2 - e, e the rounding, there is a time at which D > 0 if v^2 > 4 k e. Or other points as near do so; then the
// distance of all does not grow as that of these points.
func (c *Case) approaching(im *rigid.Impact) error {
	start, slack := c.Distance(c.O.TMin)
	if im.Flags&rigid.Intersecting != 0 || im.Distance < 4*slack || im.Distance < c.separation()-4*slack {
		return nil // n is no more than a guess; or other points may come within the separation before these have left it
	}
	v := func(m *rigid.Motion, p r3.Vec) r3.Vec {
		arm := r3.Sub(p, r3.Add(m.Position, geom.Scale(c.O.TMin, m.Velocity)))
		return r3.Add(m.Velocity, geom.Cross(m.AngularVelocity, arm))
	}
	rate := geom.Dot(im.Normal, r3.Sub(v(&c.MA, im.PointA), v(&c.MB, im.PointB)))
	speed := c.Speed()
	curve := (geom.Norm(c.MA.AngularVelocity) + geom.Norm(c.MB.AngularVelocity)) * speed
	most := 8*math.Sqrt(curve*slack) + float64(1e-9*speed)
	if c.To != nil || !(rate > most) {
		return nil
	}
	turn := geom.Norm(c.MA.AngularVelocity) + geom.Norm(c.MB.AngularVelocity) + speed
	for k := range 8 {
		after := math.Ldexp(1/turn, -4*k-4)
		if d, _ := c.Distance(c.O.TMin + after); d < start+float64(0.5*rate*after)-slack {
			return nil
		}
	}
	return violation(8, "contact at the start parts at %v, above %v: %+v", rate, most, *im)
}

package ccdtest

import (
	"fmt"
	"math"
	"math/rand/v2"

	"ccd/core/geom"
	"ccd/core/narrow"
	"ccd/core/patch"
)

// PatchArea is a query of two patches that come together over an area, along a curve or along a
// line, at a time known by construction: A comes from above into B. It is a shaft in a bearing, a
// ball in a socket, in a half cylinder or on a torus, a paraboloid in another, or a cone in
// another; parts of them, whose first contact lies in both.
type PatchArea struct {
	A, B       *patch.Patch
	Separation float64
	Meets      float64
	Kind       int
	Open       bool    // It stayed undecided in spite of 20,000 checks.
	size, rate float64 // the largest coordinate, and the least speed at which the patches near each other at Meets
}

// solidOfArcs makes a quad of degree 2 along an arc in the plane of x and y, about z, and degree 1
// or 2 along a profile: points {radius, height, weight}.
func solidOfArcs(from, to float64, profile [][3]float64) *patch.Patch {
	p := &patch.Patch{Form: patch.Form{Shape: patch.Quad, U: 2, V: len(profile) - 1}}
	h, m := (to-from)/2, (from+to)/2
	for _, e := range [3][3]float64{{math.Cos(from), math.Sin(from), 1},
		{math.Cos(m) / math.Cos(h), math.Sin(m) / math.Cos(h), math.Cos(h)}, {math.Cos(to), math.Sin(to), 1}} {
		for _, q := range profile {
			p.X0 = append(p.X0, q[0]*e[0], q[0]*e[1], q[1])
			p.W = append(p.W, e[2]*q[2])
		}
	}
	return p
}

// arcBelow is the lower quarter of a circle of radius r about {at, 0}, from angle a to b below the
// horizontal, as a profile.
func arcBelow(at, r, a, b float64) [][3]float64 {
	h, m := (b-a)/2, (a+b)/2
	return [][3]float64{{at + r*math.Cos(a), r * math.Sin(a), 1},
		{at + r*math.Cos(m)/math.Cos(h), r * math.Sin(m) / math.Cos(h), math.Cos(h)},
		{at + r*math.Cos(b), r * math.Sin(b), 1}}
}

// turnedUp turns a patch made about z so that its axis is y, and its lowest line that at the angle
// zero.
func turnedUp(p *patch.Patch) {
	for i := 0; i < len(p.X0); i += 3 {
		x, y, z := p.X0[i], p.X0[i+1], p.X0[i+2]
		p.X0[i], p.X0[i+1], p.X0[i+2] = y, z, -x
	}
}

// paraboloid is z = bend (x^2 + y^2) over a triangle or a square that holds the origin.
func paraboloid(r *rand.Rand, bend float64) *patch.Patch {
	if r.IntN(2) == 0 {
		p := &patch.Patch{Form: patch.Form{Shape: patch.Triangle, U: 2, V: 2}}
		c := [3][2]float64{{-1, -1 - r.Float64()}, {1 + r.Float64(), -1}, {0, 1}}
		for _, k := range [6][2]int{{0, 0}, {0, 1}, {1, 1}, {0, 2}, {1, 2}, {2, 2}} {
			a, b := c[k[0]], c[k[1]]
			p.X0 = append(p.X0, (a[0]+b[0])/2, (a[1]+b[1])/2, bend*(a[0]*b[0]+a[1]*b[1]))
		}
		return p
	}
	p := &patch.Patch{Form: patch.Form{Shape: patch.Quad, U: 2, V: 2}}
	lo, hi := -1-r.Float64(), 1+r.Float64()
	end := [3][2]float64{{lo, lo}, {lo, hi}, {hi, hi}}
	for _, a := range end {
		for _, b := range end {
			p.X0 = append(p.X0, (a[0]+a[1])/2, (b[0]+b[1])/2, bend*(a[0]*a[1]+b[0]*b[1]))
		}
	}
	return p
}

// RandomPatchArea makes one at random: turned, far from the origin, of any size, with a separation,
// with patches that grow, and shafts that turn on straight lines.
func RandomPatchArea(r *rand.Rand) *PatchArea {
	c := &PatchArea{Kind: r.IntN(6)}
	small := []float64{1, 0.999, 0.9, 1 - 1e-6}[r.IntN(4)] // the radius of A, in parts of that of B
	gap := 1 - small
	if c.Kind <= 2 && r.IntN(3) == 0 {
		c.Separation = gap * r.Float64()
	}
	from, to := 0.25+r.Float64(), -0.25-r.Float64()
	meets := -(gap - c.Separation) // the height at which they meet
	wide := func() (a, b float64) { return -0.2 - 1.2*r.Float64(), 0.2 + 1.2*r.Float64() }
	cylinder := func(radius float64) *patch.Patch {
		a, b := wide()
		p := solidOfArcs(a, b, [][3]float64{{radius, -0.5 - r.Float64(), 1}, {radius, 0.5 + r.Float64(), 1}})
		turnedUp(p)
		return p
	}
	ball := func(radius, top float64) *patch.Patch {
		at := 0.7 * r.Float64()
		return solidOfArcs(at-1.2, at+0.5, arcBelow(0, radius, -math.Pi/2, top))
	}
	switch c.Kind {
	case 0:
		c.A, c.B = cylinder(small), cylinder(1)
	case 1:
		c.A, c.B = ball(small, -0.3*r.Float64()), ball(1, -0.3*r.Float64())
	case 2:
		c.A, c.B = ball(small, -0.3*r.Float64()), cylinder(1)
	case 3: // a ball on a torus
		far, thick := 2.0, 0.5
		radius := far - thick + 0.5*r.Float64()*r.Float64()
		if r.IntN(3) == 0 {
			c.Separation = 0.1 * r.Float64()
		}
		c.A = ball(radius, 0)
		at := 0.7 * r.Float64()
		c.B = solidOfArcs(at-1.2, at+0.5, arcBelow(far, thick, math.Pi/2, math.Pi))
		reach := radius + thick + c.Separation
		meets = math.Sqrt(max(0, reach*reach-far*far))
		from += meets
	case 4:
		bend := 0.25 + r.Float64()
		c.A, c.B = paraboloid(r, bend), paraboloid(r, bend*[]float64{1, 0.99, 0.5}[r.IntN(3)])
		meets = 0
	case 5: // cones about the same axis, whose first contact is the inner end of what both have
		steep := 0.5 + r.Float64()
		flatter := steep * []float64{1, 0.999, 0.8}[r.IntN(3)]
		low := [2]float64{0.1 + 0.5*r.Float64(), 0.1 + 0.5*r.Float64()}
		for i, m := range [2]float64{steep, flatter} {
			at := 0.7 * r.Float64()
			p := solidOfArcs(at-1.2, at+0.5, [][3]float64{{low[i], m * low[i], 1}, {2, 2 * m, 1}})
			*[2]**patch.Patch{&c.A, &c.B}[i] = p
		}
		meets = -(steep - flatter) * max(low[0], low[1])
	}
	c.move(r, from, to, meets, gap)
	c.place(r)
	return c
}

// move lets A come down from one height to another, and finds the time at which they meet. Shafts
// may turn about their own axis, by control points on straight lines, which shrinks them on the
// way; those and balls in sockets may grow.
func (c *PatchArea) move(r *rand.Rand, from, to, meets, gap float64) {
	a, b := c.A, c.B
	a.X1, b.X1 = append([]float64{}, a.X0...), append([]float64{}, b.X0...)
	f := func(t float64) float64 { return from + t*(to-from) - meets }
	slope := from - to
	switch style := r.IntN(4); {
	case c.Kind <= 2 && style == 0:
		// Both grow, or shrink; A no more than B does.
		grow := 0.3*r.Float64() - 0.1
		less := grow - 0.1*r.Float64()
		for i := range a.X1 {
			a.X1[i] *= 1 + less
		}
		for i := range b.X1 {
			b.X1[i] *= 1 + grow
		}
		f = func(t float64) float64 {
			return from + t*(to-from) + (1 + grow*t) - (1-gap)*(1+less*t) - c.Separation
		}
		slope = min(slope, from-to-grow+(1-gap)*less)
	case c.Kind == 0 && style == 1:
		angle := 0.4*r.Float64() - 0.2
		d, e := math.Cos(angle), math.Sin(angle)
		for i := 0; i < len(a.X1); i += 3 {
			x, z := a.X0[i], a.X0[i+2]
			a.X1[i], a.X1[i+2] = d*x-e*z, e*x+d*z
		}
		f = func(t float64) float64 {
			shrunk := math.Sqrt(1 - 2*t*(1-t)*(1-d))
			return from + t*(to-from) + 1 - (1-gap)*shrunk - c.Separation
		}
		slope -= 0.1
	}
	for i := 2; i < len(a.X0); i += 3 {
		a.X0[i] += from
		a.X1[i] += to
	}
	lo, hi := 0.0, 1.0
	for range 80 {
		if m := (lo + hi) / 2; f(m) > 0 {
			lo = m
		} else {
			hi = m
		}
	}
	c.Meets, c.rate = hi, slope
}

// place turns, shifts and scales both, lets them move alike, and may exchange them.
func (c *PatchArea) place(r *rand.Rand) {
	axis, angle := [3]float64{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}, 6*r.Float64()
	if r.IntN(3) == 0 {
		angle = 0
	}
	far := []float64{0, 0, 10, 1e4, 1e6}[r.IntN(5)]
	shift, drift := [3]float64{}, [3]float64{}
	for k := range shift {
		shift[k], drift[k] = far*r.NormFloat64(), float64(r.IntN(2))*r.NormFloat64()
	}
	by := math.Ldexp(1, []int{0, 0, -40, 30}[r.IntN(4)])
	l := math.Hypot(math.Hypot(axis[0], axis[1]), axis[2])
	for _, p := range []*patch.Patch{c.A, c.B} {
		for e, x := range [][]float64{p.X0, p.X1} {
			for i := 0; i < len(x); i += 3 {
				v := [3]float64{x[i], x[i+1], x[i+2]}
				along := (axis[0]*v[0] + axis[1]*v[1] + axis[2]*v[2]) / (l * l)
				for k := range 3 {
					m, n := (k+1)%3, (k+2)%3
					turned := v[k]
					if angle != 0 {
						turned = v[k]*math.Cos(angle) + (axis[m]*v[n]-axis[n]*v[m])/l*math.Sin(angle) +
							axis[k]*along*(1-math.Cos(angle))
					}
					x[i+k] = (turned + shift[k] + float64(e)*drift[k]) * by
					c.size = max(c.size, math.Abs(x[i+k]))
				}
			}
		}
	}
	c.Separation *= by
	c.rate *= by
	if r.IntN(2) == 0 {
		c.A, c.B = c.B, c.A
	}
}

// Check solves the query at a tolerance drawn at random, in either norm, and compares with what is
// known. The patches that are meant are those of the rounded control points: so times are known to
// some roundings of the coordinates.
func (c *PatchArea) Check(r *rand.Rand, s *patch.Solver) (verdict geom.Verdict, err error) {
	o := patch.DefaultOptions()
	unit := c.rate
	o.Tolerance = unit * math.Pow(10, -2-8*r.Float64())
	o.MinSeparation = c.Separation
	o.MaxIterations = []int64{10, 100, 1000, 20000, 20000, 20000}[r.IntN(6)]
	o.TMax = []float64{1, 1, c.Meets, 0.9 * c.Meets}[r.IntN(4)]
	if r.IntN(4) == 0 {
		o.Flags |= narrow.MaxNorm
	}
	if r.IntN(4) == 0 {
		o.Flags |= narrow.NoZeroTOI
	}
	var im patch.Impact
	if err := s.Solve(c.A, c.B, &o, &im); err != nil {
		return im.Verdict, err
	}
	if err := CheckPatchContact(c.A, c.B, &o, &im); err != nil {
		return im.Verdict, err
	}
	slack := 64 * 0x1p-53 * c.size / c.rate
	what := fmt.Sprintf("kind %d, %v and %v, meet at %v of %v: %+v, %+v", c.Kind, c.A.Form, c.B.Form, c.Meets,
		o.TMax, im, o.Options)
	if im.Verdict == geom.Separate && c.Meets < o.TMax-slack ||
		im.Verdict != geom.Separate && im.TOILo > c.Meets+slack {
		return im.Verdict, fmt.Errorf("law 2: %s", what)
	}
	if im.Verdict == geom.Undecided && s.Work.Checks < o.MaxIterations {
		return im.Verdict, fmt.Errorf("law 4: %d checks: %s", s.Work.Checks, what)
	}
	// Rounding of the coordinates moves the patches by some roundings: nothing below is decided.
	c.Open = im.Verdict == geom.Undecided && o.MaxIterations == 20000 && o.Tolerance > 1e3*0x1p-53*c.size &&
		o.Flags&narrow.MaxNorm == 0
	return im.Verdict, nil
}
